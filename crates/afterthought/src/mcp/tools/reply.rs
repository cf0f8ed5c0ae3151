//! How a tool's reply becomes JSON.

use std::fmt::Display;

use serde::{Serialize, Serializer};

/// Writes what a tool answers with.
pub(super) fn write(reply: &impl Serialize) -> String {
    serde_json::to_string(reply).expect("replies are plain JSON with text keys")
}

/// Writes a value as it prints.
pub(super) fn displayed<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

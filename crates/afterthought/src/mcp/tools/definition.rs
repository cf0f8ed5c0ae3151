//! What a client is told about a tool.

use schemars::Schema;
use serde::Serialize;

/// What a client is told about a tool.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// What it is called by.
    pub name: &'static str,
    /// What people see.
    pub title: &'static str,
    /// When and how to use it, for a model that has never seen the service.
    pub description: &'static str,
    /// The arguments it takes.
    pub input_schema: Schema,
    /// The object it answers with.
    pub output_schema: Schema,
    /// What calling it can do.
    pub annotations: Hints,
}

/// What calling a tool can do.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hints {
    pub(super) read_only_hint: bool,
    pub(super) destructive_hint: bool,
    pub(super) idempotent_hint: bool,
    pub(super) open_world_hint: bool,
}

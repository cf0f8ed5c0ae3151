//! The driver's errors as decisions of a caller.

use std::fmt::Display;
use std::io;

use store::StoreError;

/// What to do about a file that is damaged.
const REMEDY: &str = "restore the data folder from a backup";

/// Tells a caller's decision from the driver's error.
pub(crate) fn error(error: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase};
    match error.sqlite_error_code() {
        Some(DatabaseBusy | DatabaseLocked) => StoreError::Busy(Box::new(error)),
        Some(DatabaseCorrupt | NotADatabase) => corrupt("a database file", error.to_string()),
        Some(DiskFull) => StoreError::Full(Box::new(error)),
        _ => StoreError::backend(error),
    }
}

/// The same of an error of the file system.
pub(crate) fn io_error(error: io::Error) -> StoreError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full(Box::new(error)),
        _ => StoreError::backend(error),
    }
}

/// Names what cannot be read.
pub(crate) fn corrupt(place: impl Into<String>, reason: impl Into<String>) -> StoreError {
    StoreError::Corrupt { place: place.into(), reason: reason.into(), remedy: REMEDY }
}

/// A value this program never writes.
pub(crate) fn damaged(column: &str, value: impl Display) -> StoreError {
    corrupt(format!("column {column}"), format!("unexpected value `{value}`"))
}

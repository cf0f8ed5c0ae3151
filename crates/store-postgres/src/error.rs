//! The driver's errors as decisions of a caller.

use std::fmt::Display;

use deadpool_postgres::PoolError;
use tokio_postgres::error::SqlState;

use store::StoreError;

use crate::address::with_causes;

/// What to do about a database that is damaged.
const REMEDY: &str = "restore the database from a backup";

/// Tells a caller's decision from the driver's error.
pub(crate) fn error(error: tokio_postgres::Error) -> StoreError {
    match error.code() {
        // Without a word of the server's: the connection broke or was never there.
        None => StoreError::Busy(with_causes(&error).into()),
        Some(code) if is_passing(code) => StoreError::Busy(with_causes(&error).into()),
        Some(&SqlState::DISK_FULL) => StoreError::Full(Box::new(error)),
        Some(&SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED) => corrupt("the database", with_causes(&error)),
        Some(_) => StoreError::backend(with_causes(&error)),
    }
}

/// Whether the same may succeed in a moment: the server starts, stops, is full or has changed its role, or others are in the way.
fn is_passing(code: &SqlState) -> bool {
    let passing = [
        SqlState::QUERY_CANCELED,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::OUT_OF_MEMORY,
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
        // A plan made before another copy migrated.
        SqlState::FEATURE_NOT_SUPPORTED,
    ];
    passing.contains(code) || code.code().starts_with("08")
}

/// Whether the connection is of no use any more although it is open: its server takes no writes, or its plans are out of date.
pub(crate) fn spoils_connection(error: &tokio_postgres::Error) -> bool {
    let spoiling = [SqlState::READ_ONLY_SQL_TRANSACTION, SqlState::FEATURE_NOT_SUPPORTED];
    error.code().is_none_or(|code| spoiling.contains(code))
}

/// Whether the server has said that nothing took effect. A server that shuts down says so also after it has committed.
pub(crate) fn tells_what_became(error: &tokio_postgres::Error) -> bool {
    error.code().is_some_and(|code| *code == SqlState::QUERY_CANCELED || !code.code().starts_with("57"))
}

/// Whether a value that may be stored only once is there already.
pub(crate) fn is_taken(error: &tokio_postgres::Error) -> bool {
    error.code() == Some(&SqlState::UNIQUE_VIOLATION)
}

/// The same of an error of the pool.
pub(crate) fn pool_error(failed: PoolError) -> StoreError {
    match failed {
        PoolError::Backend(cause) => error(cause),
        PoolError::Timeout(_) => {
            StoreError::Busy("all connections to the database are in use or none is let in".into())
        }
        other => StoreError::Busy(with_causes(&other).into()),
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

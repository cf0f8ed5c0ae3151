//! How connections to a file are opened and set up.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use store::StoreError;

use super::error::error;

/// How long a call waits for another process to finish its transaction. Transactions here take milliseconds; only a
/// copy or a check of the whole file by foreign tools takes longer.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

/// How many compiled statements a connection keeps: all of ours.
const STATEMENTS_MAX: usize = 128;

/// A commit writes whole pages, one for each table and index it touches: half of SQLite's usual size saves a tenth of a
/// capture's time. Texts of a few hundred words still fit into one.
pub(super) const PAGE_BYTES: i64 = 2048;

/// The length at which the journal is worked into the file.
const JOURNAL_BYTES: i64 = 4 * 1024 * 1024;

/// A connection that may write, once it has been told how.
pub(super) fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(error)?;
    wait_for_others(&connection, BUSY_TIMEOUT)?;
    configure(&connection)?;
    Ok(connection)
}

/// How long the connection waits from now on where another process is in the way.
pub(super) fn wait_for_others(connection: &Connection, wait: Duration) -> Result<(), StoreError> {
    connection.busy_timeout(wait).map_err(error)
}

/// What every connection must have said: statements are compiled once. Without stable plans, SQLite compiles a statement
/// anew whenever a limit or a bound of a range is bound to another value.
fn configure(connection: &Connection) -> Result<(), StoreError> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop).map_err(error)
}

pub(super) fn connect_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(error)?;
    wait_for_others(&connection, BUSY_TIMEOUT)?;
    configure(&connection)?;
    connection.pragma_update(None, "query_only", true).map_err(error)?;
    Ok(connection)
}

/// What a connection that writes must have said: a commit is on the disk before it returns.
pub(super) fn configure_writer(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "synchronous", "FULL").map_err(error)?;
    connection.pragma_update(None, "wal_autocheckpoint", JOURNAL_BYTES / PAGE_BYTES).map_err(error)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(error)
}

/// Runs several statements on one snapshot. That is faster as well: by itself, each of them locks and unlocks the file.
pub(crate) fn at_once<T>(
    connection: &Connection,
    read: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let transaction = connection.unchecked_transaction().map_err(error)?;
    let result = read();
    transaction.finish().map_err(error)?;
    result
}

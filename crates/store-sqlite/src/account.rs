//! The file of one account.

use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;

use store::StoreError;
use store::backend::{Row, Tally};

use crate::database::{BUSY_TIMEOUT, Database, Expected, corrupt};
use crate::statement::value;
use crate::{schema, thoughts};

/// An open account.
pub(crate) struct AccountFile {
    pub(crate) database: Arc<Database>,
    /// The newest thought this process stored last.
    pub(crate) newest: Arc<Mutex<Newest>>,
    /// What somebody who looked at it had counted.
    pub(crate) tally: Arc<Mutex<Tally>>,
}

/// The last thought by row and the latest time of creation up to it. Saves looking for the latest time at every capture, as
/// long as nobody else stored anything meanwhile.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Newest {
    pub(crate) row: Row,
    pub(crate) created_at: i64,
}

impl AccountFile {
    pub(crate) fn open(path: &Path, expected: Expected) -> Result<Self, StoreError> {
        let database = Database::open(path, &schema::ACCOUNT, expected)?;
        database.read_here(BUSY_TIMEOUT, |connection| check_numbers(connection, path))?;
        Ok(Self { database, newest: Arc::default(), tally: Arc::default() })
    }
}

/// Refuses a file whose numbers cannot be, as every thought and every change takes some bytes in it: what is kept in memory by row
/// would make room for rows that are not there.
fn check_numbers(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let last = thoughts::last(connection)?;
    let pages: u64 = value(connection, "PRAGMA page_count", [])?;
    let bytes: u64 = value(connection, "PRAGMA page_size", [])?;
    let most = pages.saturating_mul(bytes);
    let highest = last.entry.max(u64::from(last.row));
    match highest <= most {
        true => Ok(()),
        false => Err(corrupt(path.display().to_string(), format!("it cannot hold {highest} changes"))),
    }
}

//! The file of one account.

use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;

use store::StoreError;
use store::backend::Row;

use crate::database::{Database, Expected};
use crate::schema;
use crate::tally::Tally;

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
        Ok(Self { database, newest: Arc::default(), tally: Arc::default() })
    }
}

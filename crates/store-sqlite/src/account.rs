//! The file of one account with its indexes.

use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;

use store::StoreError;

use super::database::{Database, at_once};
use super::jobs::first_new;
use super::lexical::LazyIndex;
use super::meaning::LazySets;
use super::schema;
use super::statement::value;

/// An open account.
pub(super) struct AccountFile {
    pub(super) database: Arc<Database>,
    /// Read from the file when the first search needs it.
    pub(super) index: LazyIndex,
    /// The vectors, read when the first search by meaning needs them.
    pub(super) sets: LazySets,
    /// The newest thought this process stored last.
    pub(super) newest: Arc<Mutex<Newest>>,
}

/// The last thought by row and the latest time of creation up to it. Saves looking for the latest time at every capture, as
/// long as nobody else stored anything meanwhile.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Newest {
    pub(super) row: i64,
    pub(super) created_at: i64,
}

/// What an account holds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) open: u64,
    pub(super) completed: u64,
    pub(super) archived: u64,
    pub(super) pending_enrichment: u64,
    pub(super) given_up: u64,
}

impl AccountFile {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let database = Database::open(path, &schema::ACCOUNT)?;
        Ok(Self { database, index: Arc::default(), sets: Arc::default(), newest: Arc::default() })
    }

    pub(super) async fn counts(&self) -> Result<Counts, StoreError> {
        self.database
            .read(|connection| {
                at_once(connection, || {
                    let count = |sql| value(connection, sql, []);
                    let new = "SELECT count(*) FROM thought WHERE row >= ?1";
                    Ok(Counts {
                        open: count("SELECT count(*) FROM thought WHERE status = 0")?,
                        completed: count("SELECT count(*) FROM thought WHERE status = 1")?,
                        archived: count("SELECT count(*) FROM thought WHERE status = 2")?,
                        pending_enrichment: count("SELECT count(DISTINCT thought) FROM job WHERE given_up = 0")?
                            + value::<u64>(connection, new, [first_new(connection)?])?,
                        given_up: count("SELECT count(DISTINCT thought) FROM job WHERE given_up = 1")?,
                    })
                })
            })
            .await
    }
}

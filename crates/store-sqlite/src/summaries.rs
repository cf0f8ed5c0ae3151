//! What has been seen in each account's file, so that whoever walks over all accounts opens only those that have changed since.
//!
//! Kept beside the accounts in a file of its own, `derived.db`: a start reads it in place of every account. It may be lost, and
//! what it says of an account counts only as long as the account's file is as it was.

use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::{Connection, Row as SqlRow, params};
use rustc_hash::{FxHashMap, FxHashSet};

use model::{AccountId, Time};
use store::{Stats, StoreError};

use crate::database::{Database, Expected, at_once, error, io_error};
use crate::queue::{next_due, pending};
use crate::row::{account_id, optional_time};
use crate::schema;
use crate::stamp::Stamp;
use crate::statement::{execute, list, value};
use crate::vectors;

/// What one account holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Its thoughts, and how far they are enriched.
    pub(crate) counts: Stats,
    /// When its next job is due.
    pub(crate) next_due: Option<Time>,
    /// The model whose vectors answer.
    pub(crate) model: Option<String>,
}

impl Summary {
    pub(crate) fn read(connection: &Connection) -> Result<Self, StoreError> {
        at_once(connection, || {
            let count = |sql| value(connection, sql, []);
            let counts = Stats {
                open: count("SELECT count(*) FROM thought WHERE status = 0")?,
                completed: count("SELECT count(*) FROM thought WHERE status = 1")?,
                archived: count("SELECT count(*) FROM thought WHERE status = 2")?,
                pending_enrichment: pending(connection)?,
                given_up: count("SELECT count(DISTINCT thought) FROM job WHERE given_up = 1")?,
                ..Stats::default()
            };
            Ok(Self { counts, next_due: next_due(connection)?, model: vectors::serving(connection)? })
        })
    }
}

/// What has been seen in the files of all accounts.
pub(crate) struct Summaries {
    database: Arc<Database>,
    known: Mutex<FxHashMap<AccountId, (Stamp, Summary)>>,
    /// Those that are not stored as they are known.
    unstored: Mutex<FxHashSet<AccountId>>,
}

impl Summaries {
    /// Reads what was stored. A file that cannot be read is made anew.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let read = |database: Arc<Database>| {
            let known = database.read_now(|connection| list(connection, SELECT, [], read))?;
            Ok((database, known))
        };
        let opened = Database::open(path, &schema::DERIVED, Expected::New).and_then(read);
        let (database, known) = match opened {
            Err(StoreError::Corrupt { .. }) => {
                std::fs::remove_file(path).map_err(io_error)?;
                Database::open(path, &schema::DERIVED, Expected::New).and_then(read)?
            }
            opened => opened?,
        };
        Ok(Self { database, known: Mutex::new(known.into_iter().collect()), unstored: Mutex::default() })
    }

    /// What is known of an account whose file is like that.
    pub(crate) fn known(&self, account: AccountId, stamp: Stamp) -> Option<Summary> {
        let known = self.known.lock();
        known.get(&account).filter(|(seen, _)| *seen == stamp).map(|(_, summary)| summary.clone())
    }

    /// Notes what was seen in a file that was like that before the look.
    pub(crate) fn note(&self, account: AccountId, stamp: Stamp, summary: Summary) {
        self.known.lock().insert(account, (stamp, summary));
        self.unstored.lock().insert(account);
    }

    /// Stores what has been noted since the last time.
    pub(crate) async fn store(&self) -> Result<(), StoreError> {
        let unstored: Vec<AccountId> = self.unstored.lock().drain().collect();
        if unstored.is_empty() {
            return Ok(());
        }
        let rows: Vec<(AccountId, Stamp, Summary)> = {
            let known = self.known.lock();
            let row =
                |account: AccountId| known.get(&account).map(|(stamp, summary)| (account, *stamp, summary.clone()));
            unstored.into_iter().filter_map(row).collect()
        };
        self.database.write(move |connection| rows.iter().try_for_each(|row| insert(connection, row))).await
    }

    pub(crate) async fn close(&self) -> Result<(), StoreError> {
        self.store().await?;
        self.database.close().await
    }
}

const SELECT: &str = "SELECT account, written, bytes, open, completed, archived, pending, given_up, next_due, model
                      FROM summary";

fn read(row: &SqlRow<'_>) -> Result<(AccountId, (Stamp, Summary)), StoreError> {
    let account = account_id(row, 0)?;
    let number = |column| row.get::<_, u64>(column).map_err(error);
    let stamp = Stamp { written: row.get(1).map_err(error)?, bytes: number(2)? };
    let counts = Stats {
        open: number(3)?,
        completed: number(4)?,
        archived: number(5)?,
        pending_enrichment: number(6)?,
        given_up: number(7)?,
        ..Stats::default()
    };
    let model = row.get(9).map_err(error)?;
    Ok((account, (stamp, Summary { counts, next_due: optional_time(row, 8)?, model })))
}

fn insert(connection: &Connection, (account, stamp, summary): &(AccountId, Stamp, Summary)) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO summary
                   (account, written, bytes, open, completed, archived, pending, given_up, next_due, model)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let Summary { counts, next_due, model } = summary;
    let values = params![
        account.as_bytes(),
        stamp.written,
        stamp.bytes,
        counts.open,
        counts.completed,
        counts.archived,
        counts.pending_enrichment,
        counts.given_up,
        next_due.map(Time::as_micros),
        model,
    ];
    execute(connection, sql, values).map(drop)
}

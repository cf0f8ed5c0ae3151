//! The embedded back end: a registry of accounts and keys, and one SQLite file for each account. Keeps rows, their log and blocks of
//! bytes for `store`, and knows no language. Uses `store` and what that uses; nobody but who opens a store uses it.
//!
//! Accounts are apart physically: no statement can reach from one to another, each has its own statistics of words, and one
//! is backed up or taken away as a file. Other processes may use the same folder at the same time.

mod account;
mod accounts;
mod blocks;
mod database;
mod derived;
mod duplicates;
mod entities;
mod entity_views;
mod entries;
mod folder;
mod forms;
mod graph;
mod jobs;
mod keeping;
mod known_keys;
mod links;
mod log;
mod notes;
mod overviews;
mod pieces;
mod queue;
mod registry;
mod revisions;
mod row;
mod rows;
mod schema;
mod sessions;
mod stamp;
mod statement;
mod summaries;
mod tally;
mod thoughts;
mod transfer;
mod vectors;

use std::path::Path;
use std::sync::Arc;

use model::Clock;
use store::{IndexedStore, Store, StoreError};

use folder::SqliteStore;

/// How many accounts are open at once where nothing else is said: few enough for any system's limit of open files.
pub const OPEN_ACCOUNTS: usize = 64;

/// How many files an open account takes that nobody uses: a database and its journal for the connection that writes and for one
/// that reads, and what they share.
pub const FILES_PER_ACCOUNT: usize = 5;

/// Opens the store in a folder, creating or migrating it as needed. No more than `most_open` accounts are held open while nobody
/// uses them.
pub async fn open(folder: &Path, clock: Arc<dyn Clock>, most_open: usize) -> Result<Arc<dyn Store>, StoreError> {
    let rows = SqliteStore::open(folder, clock.clone(), most_open).await?;
    Ok(Arc::new(IndexedStore::new(Arc::new(rows), clock)))
}

/// Whether nothing was ever stored in a folder, so that opening it would make a store.
pub fn is_vacant(folder: &Path) -> bool {
    match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        // Any other failure is for the opening to report.
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

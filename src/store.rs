//! The contract every back end keeps, and the door to opening one.
//!
//! Every method is atomic, and what must happen together is one method. Absence is `None`. Thoughts, notes and searches
//! always name the account, and nothing of another account is reachable through them.

mod contract;
mod error;
mod sqlite;

use std::path::PathBuf;
use std::sync::Arc;

pub use contract::{
    Accounts, Beside, CapturedQuery, Claim, Connections, Derived, Embedding, Enriched, EntityHit, EntityQuery,
    Finished, Job, Jobs, Keys, Knowledge, KnownName, LexicalHit, LexicalHits, LexicalQuery, Linked, Listing, NewKey,
    NewThought, Notes, Rebuild, Relative, Relatives, ResolvedTerm, SemanticHit, SemanticHits, SemanticQuery, Sittings,
    SittingsQuery, Stats, Step, Store, StoredNote, StoredThought, Terms, Thoughts, Ticket, Transfer, Update, Updated,
    Upkeep, Visible,
};
pub use error::StoreError;

use crate::model::{Clock, Invalid};

/// Where a store is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A folder of SQLite files.
    Embedded(PathBuf),
}

impl Location {
    /// Reads a store's address.
    pub fn parse(url: &str) -> Result<Self, Invalid> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Err(Invalid::new(
                "this version has no PostgreSQL store: leave out `--store` and give a folder with `--data`",
            ));
        }
        Err(Invalid::new("`--store` takes a postgres:// address; for an embedded store give a folder with `--data`"))
    }

    /// Whether nothing was ever stored there, so that opening it would make a store.
    pub fn is_vacant(&self) -> bool {
        match self {
            Self::Embedded(folder) => match std::fs::read_dir(folder) {
                Ok(mut entries) => entries.next().is_none(),
                // Any other failure is for the opening to report.
                Err(error) => error.kind() == std::io::ErrorKind::NotFound,
            },
        }
    }
}

/// Opens the store at `location`, creating or migrating it as needed.
pub fn open(location: &Location, clock: Arc<dyn Clock>) -> Result<Arc<dyn Store>, StoreError> {
    match location {
        Location::Embedded(folder) => Ok(Arc::new(sqlite::SqliteStore::open(folder, clock)?)),
    }
}

//! Which stores there are: where one is, and opening it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::{Clock, Invalid};
use store::{Store, StoreError};

use crate::descriptors::Shares;

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

    /// The folder of this machine that everything is kept in, if it is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Embedded(folder) => Some(folder),
        }
    }

    /// Whether nothing was ever stored there, so that opening it would make a store.
    pub async fn is_vacant(&self) -> bool {
        match self {
            Self::Embedded(folder) => store_sqlite::is_vacant(folder),
        }
    }
}

/// Opens the store at `location`, creating or migrating it as needed.
pub async fn open(location: &Location, clock: Arc<dyn Clock>) -> Result<Arc<dyn Store>, StoreError> {
    match location {
        Location::Embedded(folder) => store_sqlite::open(folder, clock, Shares::of_this_process().accounts).await,
    }
}

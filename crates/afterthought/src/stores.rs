//! Which stores there are: where one is, and opening it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::{Clock, Invalid};
use store::{Store, StoreError};
use store_postgres::{Address, Settings};

use crate::descriptors::Shares;

/// How many connections to a database there are where nothing else is said.
pub const STORE_CONNECTIONS: usize = store_postgres::CONNECTIONS;

/// Where a store is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A folder of SQLite files.
    Embedded(PathBuf),
    /// A schema of a PostgreSQL database.
    Database(Box<Settings>),
}

impl Location {
    /// Reads a store's address, with the schema that holds it and the most connections that are made to it.
    pub fn parse(url: &str, schema: Option<&str>, connections: usize) -> Result<Self, Invalid> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(Invalid::new(
                "`--store` takes a postgres:// address; for an embedded store give a folder with `--data`",
            ));
        }
        let schema = schema.map_or_else(|| Ok(Default::default()), str::parse)?;
        let address: Address = url.parse()?;
        Ok(Self::Database(Box::new(Settings { address, schema, connections })))
    }

    /// The folder of this machine that everything is kept in, if it is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Embedded(folder) => Some(folder),
            Self::Database(_) => None,
        }
    }

    /// Whether nothing was ever stored there, so that opening it would make a store.
    pub async fn is_vacant(&self) -> bool {
        match self {
            Self::Embedded(folder) => store_sqlite::is_vacant(folder),
            // A failure is for the opening to report.
            Self::Database(settings) => store_postgres::is_vacant(settings).await.unwrap_or(false),
        }
    }
}

/// Opens the store at `location`, creating or migrating it as needed.
pub async fn open(location: &Location, clock: Arc<dyn Clock>) -> Result<Arc<dyn Store>, StoreError> {
    match location {
        Location::Embedded(folder) => store_sqlite::open(folder, clock, Shares::of_this_process().accounts).await,
        Location::Database(settings) => store_postgres::open(settings, clock).await,
    }
}

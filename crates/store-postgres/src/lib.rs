//! The back end for several machines: rows, their log and blocks of bytes in a PostgreSQL database, where several copies of the service
//! use them at once. Uses `store` and what that uses; nobody but who opens a store uses it.
//!
//! Plain PostgreSQL 14 or later, no extension, and only statements that a database spread over many machines accepts: `rules`
//! holds them to it.

mod address;
mod blocks;
mod captures;
mod connection;
mod copies;
mod database;
mod derived;
mod duplicates;
mod ends;
mod entities;
mod entity_views;
mod error;
mod graph;
mod jobs;
mod keeping;
mod links;
mod log;
mod looked_up;
mod migration;
mod notes;
mod overviews;
mod passwords;
mod pieces;
mod queue;
mod registry;
mod revisions;
mod row;
mod rows;
#[cfg(test)]
mod rules;
mod schema;
mod sessions;
mod statement;
mod tally;
mod place;
mod planner;
mod tls;
mod transfer;
mod vectors;

use std::sync::Arc;

use model::Clock;
use store::{IndexedStore, Store, StoreError};

use database::Database;
use place::PostgresStore;

pub use address::{Address, SchemaName};
pub use database::Settings;

/// How many connections there are at most where nothing else is said.
pub const CONNECTIONS: usize = 8;

/// Opens the store there, creating or migrating it as needed.
pub async fn open(settings: &Settings, clock: Arc<dyn Clock>) -> Result<Arc<dyn Store>, StoreError> {
    let database = Arc::new(Database::new(settings)?);
    migration::migrate(&database).await?;
    let rows = PostgresStore::new(database, clock.clone());
    Ok(Arc::new(IndexedStore::new(Arc::new(rows), clock)))
}

/// Whether nothing was ever stored there, so that opening it would make a store.
pub async fn is_vacant(settings: &Settings) -> Result<bool, StoreError> {
    migration::is_vacant(&Database::new(settings)?).await
}

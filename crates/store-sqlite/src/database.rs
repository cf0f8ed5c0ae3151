//! One SQLite file: readers beside one writer that commits together whatever has queued up.

mod connection;
mod error;
mod file;
mod migration;
mod writer;

pub(crate) use connection::at_once;
pub(crate) use error::{damaged, error};
pub(crate) use file::Database;

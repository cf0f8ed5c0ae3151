//! One SQLite file: readers beside one writer that commits together whatever has queued up.

mod connection;
mod error;
mod file;
mod migration;
mod private;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use connection::{BUSY_TIMEOUT, at_once};
pub(crate) use error::{corrupt, damaged, error, io_error};
pub(crate) use file::{Database, Expected};
pub(crate) use private::{create_folder, make_file_private, sync_folder};

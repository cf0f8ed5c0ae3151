//! A file, its readers and its writer. A write is durable when its call returns (`synchronous=FULL`), and other processes may use
//! the file at the same time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;

use store::{StoreError, may_block};

use super::connection::{connect, connect_reader};
use super::error::corrupt;
use super::migration::migrate;
use super::writer::Writer;
use crate::schema::Schema;

/// Idle readers kept open. More may be open while more calls are under way.
const IDLE_READERS_MAX: usize = 8;

/// A SQLite file.
pub(crate) struct Database {
    path: PathBuf,
    readers: Mutex<Vec<Connection>>,
    writer: Writer,
}

impl Database {
    /// Opens the file, creating or migrating it as needed.
    pub(crate) fn open(path: &Path, schema: &Schema) -> Result<Arc<Self>, StoreError> {
        let fresh = !path.exists();
        let migrated =
            connect(path).and_then(|mut connection| migrate(&mut connection, path, schema).map(|()| connection));
        let connection = migrated.map_err(|error| match error {
            StoreError::Corrupt { reason, .. } => corrupt(path.display().to_string(), reason),
            other => other,
        })?;
        if fresh {
            sync_folder(path)?;
        }
        Ok(Arc::new(Self { path: path.to_owned(), readers: Mutex::default(), writer: Writer::new(path, connection) }))
    }

    /// A connection of its own that reads.
    pub(crate) fn connect(&self) -> Result<Connection, StoreError> {
        connect_reader(&self.path)
    }

    /// Runs `read` on this thread, on a snapshot if it is one statement. For look-ups of a few microseconds.
    pub(crate) fn read_here<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let pooled = self.readers.lock().pop();
        let connection = match pooled {
            Some(connection) => connection,
            None => self.connect()?,
        };
        let result = read(&connection);
        let mut readers = self.readers.lock();
        if readers.len() < IDLE_READERS_MAX {
            readers.push(connection);
        }
        result
    }

    /// Runs `read` on a thread where it may take its time.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        if may_block() {
            return self.read_here(read);
        }
        let database = self.clone();
        tokio::task::spawn_blocking(move || database.read_here(read)).await.map_err(StoreError::backend)?
    }

    /// Runs `write` in a transaction: it takes effect, durably, if and only if it returns `Ok` and so does this call.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.run(write).await
    }

    /// Waits for the writes that have been queued, then closes the writer.
    pub(crate) async fn close(&self) -> Result<(), StoreError> {
        self.write(|_| Ok(())).await?;
        self.readers.lock().clear();
        self.writer.close();
        Ok(())
    }
}

/// Makes the entry of a new file in its folder durable: SQLite does so for journals, not for the file itself.
fn sync_folder(path: &Path) -> Result<(), StoreError> {
    let Some(folder) = path.parent() else { return Ok(()) };
    // Only Unix opens folders, and only there is it needed.
    match cfg!(unix) {
        true => std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(StoreError::backend),
        false => Ok(()),
    }
}

//! A file, its readers and its writer. A write is durable when its call returns (`synchronous=FULL`), and other processes may use
//! the file at the same time.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::Connection;

use store::{StoreError, may_block};

use super::connection::{BUSY_TIMEOUT, connect, connect_reader, wait_for_others};
use super::error::{corrupt, io_error};
use super::migration::migrate;
use super::private::{create_file, make_file_private, sync_folder};
use super::writer::Writer;
use crate::schema::Schema;

/// Idle readers kept open. More may be open while more calls are under way.
const IDLE_READERS_MAX: usize = 8;

/// How many more readers than one for each file all files together keep.
static SPARE_READERS: Spare = Spare(AtomicUsize::new(32));

/// What is there to be taken.
struct Spare(AtomicUsize);

impl Spare {
    fn try_take(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    fn give_back(&self, count: usize) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }
}

/// A SQLite file.
pub(crate) struct Database {
    path: PathBuf,
    readers: Mutex<Vec<Connection>>,
    writer: Writer,
}

/// Whether a file is known to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Nothing has been stored in it yet: it is made if it is not there.
    New,
    /// Something has: if it is not there or empty, somebody has taken it away.
    Filled,
}

impl Database {
    /// Opens the file, creating or migrating it as needed.
    pub(crate) fn open(path: &Path, schema: &Schema, expected: Expected) -> Result<Arc<Self>, StoreError> {
        let name = || path.display().to_string();
        let bytes = std::fs::metadata(path).ok().map(|metadata| metadata.len());
        match (bytes, expected) {
            (None, Expected::Filled) => return Err(corrupt(name(), "it is missing")),
            (Some(0), Expected::Filled) => return Err(corrupt(name(), "it is empty")),
            (None, Expected::New) => create_file(path).map(drop).or_else(ignore_existing).map_err(io_error)?,
            (Some(_), _) => {
                make_files_private(path).map_err(io_error)?;
            }
        }
        let migrated =
            connect(path).and_then(|mut connection| migrate(&mut connection, path, schema).map(|()| connection));
        let connection = migrated.map_err(|error| match error {
            StoreError::Corrupt { reason, .. } => corrupt(name(), reason),
            other => other,
        })?;
        if bytes.is_none() {
            // SQLite does so for journals, not for the file itself.
            path.parent().map_or(Ok(()), sync_folder).map_err(io_error)?;
        }
        Ok(Arc::new(Self { path: path.to_owned(), readers: Mutex::default(), writer: Writer::new(path, connection)? }))
    }

    /// Whether the file is still where it was opened.
    pub(crate) fn is_in_place(&self) -> bool {
        self.writer.is_in_place()
    }

    /// A connection of its own that reads.
    pub(crate) fn connect(&self) -> Result<Connection, StoreError> {
        connect_reader(&self.path)
    }

    /// Runs `read` on this thread, on a snapshot if it is one statement; waits so long where another process is in the way.
    pub(crate) fn read_here<T>(
        &self,
        wait: Duration,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let pooled = {
            let mut readers = self.readers.lock();
            let pooled = readers.pop();
            if !readers.is_empty() {
                SPARE_READERS.give_back(1);
            }
            pooled
        };
        let connection = match pooled {
            Some(connection) => connection,
            None => self.connect()?,
        };
        wait_for_others(&connection, wait)?;
        let result = read(&connection);
        let mut readers = self.readers.lock();
        if readers.is_empty() || readers.len() < IDLE_READERS_MAX && SPARE_READERS.try_take() {
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
            return self.read_here(BUSY_TIMEOUT, read);
        }
        let database = self.clone();
        let read = tokio::task::spawn_blocking(move || database.read_here(BUSY_TIMEOUT, read));
        read.await.map_err(StoreError::backend)?
    }

    /// Runs `read` on this thread if nobody is in the way. For look-ups of a few microseconds, for which handing them to another
    /// thread would cost more than they take.
    pub(crate) async fn look_up<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl Fn(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        match self.read_here(Duration::ZERO, &read) {
            Err(StoreError::Busy(_)) => self.read(read).await,
            looked_up => looked_up,
        }
    }

    /// Runs `read` on this thread, which may be one that nobody waits for.
    pub(crate) fn read_now<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.read_here(BUSY_TIMEOUT, read)
    }

    /// Closes the readers that nobody uses, but for one.
    pub(crate) fn trim_readers(&self) {
        let spare = {
            let mut readers = self.readers.lock();
            let kept = readers.len().min(1);
            readers.split_off(kept)
        };
        SPARE_READERS.give_back(spare.len());
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
        self.trim_readers();
        self.readers.lock().clear();
        self.writer.close();
        Ok(())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.trim_readers();
    }
}

/// Another process has made the file meanwhile.
fn ignore_existing(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::AlreadyExists { Ok(()) } else { Err(error) }
}

/// Takes from others the right to look into a file and its journals.
fn make_files_private(path: &Path) -> io::Result<()> {
    make_file_private(path)?;
    for ending in ["-wal", "-shm"] {
        let mut journal = path.as_os_str().to_owned();
        journal.push(ending);
        match make_file_private(Path::new(&journal)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            made => made?,
        }
    }
    Ok(())
}

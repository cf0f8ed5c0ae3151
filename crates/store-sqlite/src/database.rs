//! One SQLite file: readers beside one writer that commits together whatever has queued up.
//!
//! A write is durable when its call returns (`synchronous=FULL`), and other processes may use the file at the same time.

mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use store::StoreError;

use super::schema::Schema;
use writer::Writer;

/// How long a call waits for another process to finish its transaction. Transactions here take milliseconds; only a
/// copy or a check of the whole file by foreign tools takes longer.
const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

/// Idle readers kept open. More may be open while more calls are under way.
const IDLE_READERS_MAX: usize = 8;

/// How many compiled statements a connection keeps: all of ours.
const STATEMENTS_MAX: usize = 128;

/// A commit writes whole pages, one for each table and index it touches: half of SQLite's usual size saves a tenth of a
/// capture's time. Texts of a few hundred words still fit into one.
const PAGE_BYTES: i64 = 2048;

/// The length at which the journal is worked into the file.
const JOURNAL_BYTES: i64 = 4 * 1024 * 1024;

/// A SQLite file.
pub(super) struct Database {
    path: PathBuf,
    readers: Mutex<Vec<Connection>>,
    writer: Writer,
}

impl Database {
    /// Opens the file, creating or migrating it as needed.
    pub(super) fn open(path: &Path, schema: &Schema) -> Result<Arc<Self>, StoreError> {
        let fresh = !path.exists();
        let migrated =
            connect(path).and_then(|mut connection| migrate(&mut connection, path, schema).map(|()| connection));
        let connection = migrated.map_err(|error| match error {
            StoreError::Corrupt { reason, .. } => StoreError::corrupt(path.display().to_string(), reason),
            other => other,
        })?;
        if fresh {
            sync_folder(path)?;
        }
        Ok(Arc::new(Self { path: path.to_owned(), readers: Mutex::default(), writer: Writer::new(path, connection) }))
    }

    /// A connection of its own that reads.
    pub(super) fn connect(&self) -> Result<Connection, StoreError> {
        connect_reader(&self.path)
    }

    /// Runs `read` on this thread, on a snapshot if it is one statement. For look-ups of a few microseconds.
    pub(super) fn read_here<T>(
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
    pub(super) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let database = self.clone();
        tokio::task::spawn_blocking(move || database.read_here(read)).await.map_err(StoreError::backend)?
    }

    /// Runs `write` in a transaction: it takes effect, durably, if and only if it returns `Ok` and so does this call.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.run(write).await
    }

    /// Waits for the writes that have been queued, then closes the writer.
    pub(super) async fn close(&self) -> Result<(), StoreError> {
        self.write(|_| Ok(())).await?;
        self.readers.lock().clear();
        self.writer.close();
        Ok(())
    }
}

/// Runs several statements on one snapshot. That is faster as well: by itself, each of them locks and unlocks the file.
pub(super) fn at_once<T>(
    connection: &Connection,
    read: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let transaction = connection.unchecked_transaction().map_err(error)?;
    let result = read();
    transaction.finish().map_err(error)?;
    result
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path).map_err(error)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(error)?;
    configure(&connection)?;
    Ok(connection)
}

/// What every connection must have said: statements are compiled once. Without stable plans, SQLite compiles a statement
/// anew whenever a limit or a bound of a range is bound to another value.
fn configure(connection: &Connection) -> Result<(), StoreError> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop).map_err(error)
}

fn connect_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(error)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(error)?;
    configure(&connection)?;
    connection.pragma_update(None, "query_only", true).map_err(error)?;
    Ok(connection)
}

/// Brings the file to the latest form, refusing a later one before anything is touched.
fn migrate(connection: &mut Connection, path: &Path, schema: &Schema) -> Result<(), StoreError> {
    let found = check(&snapshot(connection, TransactionBehavior::Deferred)?, path, schema)?;
    // Heeded by an empty file alone, before anything else is said to it.
    connection.pragma_update(None, "page_size", PAGE_BYTES).map_err(error)?;
    switch_to_wal(connection)?;
    configure_writer(connection)?;
    if found == known(schema) {
        return Ok(());
    }
    let transaction = snapshot(connection, TransactionBehavior::Immediate)?;
    // Another process may have migrated while this one waited for the lock.
    let done = usize::try_from(check(&transaction, path, schema)?).unwrap_or_default();
    for migration in &schema.migrations[done..] {
        transaction.execute_batch(migration).map_err(error)?;
    }
    transaction.pragma_update(None, "application_id", schema.application_id).map_err(error)?;
    transaction.pragma_update(None, "user_version", known(schema)).map_err(error)?;
    transaction.commit().map_err(error)
}

/// What a connection that writes must have said: a commit is on the disk before it returns.
fn configure_writer(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "synchronous", "FULL").map_err(error)?;
    connection.pragma_update(None, "wal_autocheckpoint", JOURNAL_BYTES / PAGE_BYTES).map_err(error)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(error)
}

/// Switches a file to write-ahead logging. Unlike everything else, the switch does not wait for others by itself.
fn switch_to_wal(connection: &Connection) -> Result<(), StoreError> {
    let begun = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL").map_err(error) {
            Err(StoreError::Busy(_)) if begun.elapsed() < BUSY_TIMEOUT => std::thread::sleep(Duration::from_millis(5)),
            switched => return switched,
        }
    }
}

fn snapshot(
    connection: &mut Connection,
    behavior: TransactionBehavior,
) -> Result<rusqlite::Transaction<'_>, StoreError> {
    connection.transaction_with_behavior(behavior).map_err(error)
}

/// The version of the file, if it is one of ours and not from the future. Within a transaction: another process may be
/// making the file at this very moment.
fn check(transaction: &rusqlite::Transaction<'_>, path: &Path, schema: &Schema) -> Result<i64, StoreError> {
    let number = |sql| transaction.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(error);
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    let application_id = number("SELECT application_id FROM pragma_application_id")?;
    let found = number("SELECT user_version FROM pragma_user_version")?;
    if tables > 0 && application_id != i64::from(schema.application_id) {
        return Err(StoreError::corrupt(path.display().to_string(), "it is not a file of afterthought"));
    }
    if found > known(schema) {
        let folder = path.parent().unwrap_or(path).to_owned();
        return Err(StoreError::Newer { folder, found, known: known(schema) });
    }
    Ok(found)
}

fn known(schema: &Schema) -> i64 {
    schema.migrations.len() as i64
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

/// Tells a caller's decision from the driver's error.
pub(super) fn error(error: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseCorrupt, DatabaseLocked, NotADatabase};
    match error.sqlite_error_code() {
        Some(DatabaseBusy | DatabaseLocked) => StoreError::Busy(Box::new(error)),
        Some(DatabaseCorrupt | NotADatabase) => StoreError::corrupt("a database file", error.to_string()),
        _ => StoreError::backend(error),
    }
}

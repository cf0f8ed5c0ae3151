//! Brings files of earlier versions to the latest form, and refuses those of later ones.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, TransactionBehavior};

use store::StoreError;

use super::connection::{BUSY_TIMEOUT, PAGE_BYTES, configure_writer};
use super::error::{corrupt, error};
use crate::schema::Schema;

/// Brings the file to the latest form, refusing a later one before anything is touched.
pub(super) fn migrate(connection: &mut Connection, path: &Path, schema: &Schema) -> Result<(), StoreError> {
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
        return Err(corrupt(path.display().to_string(), "it is not a file of afterthought"));
    }
    if found > known(schema) {
        let store = format!("the data folder `{}`", path.parent().unwrap_or(path).display());
        return Err(StoreError::Newer { store, found, known: known(schema) });
    }
    Ok(found)
}

fn known(schema: &Schema) -> i64 {
    schema.migrations.len() as i64
}

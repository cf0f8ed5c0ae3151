//! Brings a database to the latest form, and refuses one of a later form before anything is touched.
//!
//! Whichever copy comes first does it, in one transaction that holds the one row of `format`; the others wait for that row and find
//! everything done.

use store::StoreError;

use crate::connection::Connection;
use crate::database::Database;
use crate::error::damaged;
use crate::schema::MIGRATIONS;
use crate::statement::statements;

statements! {
    HAS_SCHEMA, Shared: "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1";
    HAS_FORMAT, Shared: "SELECT 1 FROM pg_catalog.pg_class AS format
                         JOIN pg_catalog.pg_namespace AS schema ON schema.oid = format.relnamespace
                         WHERE schema.nspname = $1 AND format.relname = 'format'";
    FORMAT, Shared: "SELECT version FROM format WHERE one";
    LOCK_FORMAT, Shared: "SELECT version FROM format WHERE one FOR UPDATE";
    SET_FORMAT, Shared: "UPDATE format SET version = $1 WHERE one";
}

/// How often making the first table is tried: copies that start at once may be in each other's way.
const TRIES: usize = 20;

/// Brings the database to the latest form.
pub(crate) async fn migrate(database: &Database) -> Result<(), StoreError> {
    let mut connection = database.first_connection().await?;
    if let Some(found) = format(&mut connection, database).await?
        && check(database, found)? == MIGRATIONS.len()
    {
        return Ok(());
    }
    prepare(&mut connection, database).await?;
    connection.begin();
    // Another copy may have migrated while this one waited for the row.
    let found = version(connection.first(&LOCK_FORMAT, &[]).await?)?;
    let done = check(database, found)?;
    connection.script("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0").await?;
    for migration in &MIGRATIONS[done..] {
        connection.script(migration).await?;
    }
    connection.execute(&SET_FORMAT, &[&(MIGRATIONS.len() as i64)]).await?;
    connection.commit().await
}

/// Whether the database is of a form this program knows: another copy may have brought it to a later one.
pub(crate) async fn still_known(connection: &mut Connection, database: &Database) -> Result<(), StoreError> {
    let found = version(connection.first(&FORMAT, &[]).await?)?;
    check(database, found).map(drop)
}

/// Whether nothing was ever stored there.
pub(crate) async fn is_vacant(database: &Database) -> Result<bool, StoreError> {
    let mut connection = database.first_connection().await?;
    Ok(format(&mut connection, database).await?.is_none())
}

/// The form of the database; `None` if it was never used.
async fn format(connection: &mut Connection, database: &Database) -> Result<Option<i64>, StoreError> {
    if connection.first(&HAS_FORMAT, &[&database.schema.as_str()]).await?.is_none() {
        return Ok(None);
    }
    Ok(connection.first(&FORMAT, &[]).await?.map(|row| row.get(0)))
}

/// Makes the schema and the table that says what form it has, empty.
async fn prepare(connection: &mut Connection, database: &Database) -> Result<(), StoreError> {
    let schema = &database.schema;
    // Who may not make schemas can use one that was made for them.
    let make_schema = match connection.first(&HAS_SCHEMA, &[&schema.as_str()]).await? {
        Some(_) => String::new(),
        None => format!("CREATE SCHEMA IF NOT EXISTS {schema};"),
    };
    let make_format = "CREATE TABLE IF NOT EXISTS format (
                           one      boolean PRIMARY KEY CHECK (one),
                           version  bigint NOT NULL);
                       INSERT INTO format (one, version) VALUES (true, 0) ON CONFLICT DO NOTHING";
    let mut tries = 0;
    loop {
        tries += 1;
        match connection.script(&format!("{make_schema}{make_format}")).await {
            Err(_) if tries < TRIES => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
            made => {
                return made.map_err(|error| {
                    let address = &database.address;
                    StoreError::backend(format!("the schema `{schema}` cannot be made in {address}: {error}"))
                });
            }
        }
    }
}

fn version(row: Option<tokio_postgres::Row>) -> Result<i64, StoreError> {
    row.map(|row| row.get(0)).ok_or_else(|| damaged("format", "no row"))
}

/// How many migrations the database has been through, if it is not from the future.
fn check(database: &Database, found: i64) -> Result<usize, StoreError> {
    let known = MIGRATIONS.len() as i64;
    if found > known {
        let store = format!("the schema `{}` of {}", database.schema, database.address);
        return Err(StoreError::Newer { store, found, known });
    }
    usize::try_from(found).map_err(|_| damaged("format", found))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{AccountId, AuthorFilter, Status, SystemClock};
    use store::{LexicalQuery, Store, Visible};
    use test_postgres::Place;

    use super::*;
    use crate::{Settings, open};

    /// An account with a thought, as every version stores it that nobody has derived anything from.
    const STORED: &str = "
        INSERT INTO account (id, name, created_at) VALUES ('0197c1a2-7b3c-7def-8123-456789abcde0', 'ana', 1);
        INSERT INTO log_end (account_id, row, note, entry, created_at, open, completed, archived)
            VALUES ('0197c1a2-7b3c-7def-8123-456789abcde0', 1, 0, 1, 5, 1, 0, 0);
        INSERT INTO work (account_id) VALUES ('0197c1a2-7b3c-7def-8123-456789abcde0');
        INSERT INTO thought (account_id, row, id, status, author, category, created_at, captured_at, updated_at, revision, seq, raw_text)
            VALUES ('0197c1a2-7b3c-7def-8123-456789abcde0', 1, '0197c1a2-7b3c-7def-8123-456789abcdef', 0, 0, 'fact', 5, 5, 5, 0, 1,
                    'Ana likes tea');";

    /// Leaves a database as a program of that many migrations did.
    async fn write_earlier(settings: &Settings, migrations: usize) {
        let database = Database::new(settings).unwrap();
        let mut connection = database.first_connection().await.unwrap();
        prepare(&mut connection, &database).await.unwrap();
        for sql in MIGRATIONS[..migrations].iter().chain([&STORED]) {
            connection.script(sql).await.unwrap();
        }
        connection.execute(&SET_FORMAT, &[&(migrations as i64)]).await.unwrap();
    }

    async fn count(store: &dyn Store, account: AccountId, words: &str) -> usize {
        let visible = Visible { status: Status::Open, author: AuthorFilter::All };
        let terms = text::query_terms(words);
        let query = LexicalQuery { terms, visible, among: None, limit: 5, as_of: None };
        store.search(account, &query).await.unwrap().hits.len()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_every_earlier_version_stored_is_found_and_waits_for_its_work() {
        let account: AccountId = "0197c1a2-7b3c-7def-8123-456789abcde0".parse().unwrap();
        for migrations in 1..=MIGRATIONS.len() {
            let place = Place::fresh();
            let (address, schema) = (place.address().parse().unwrap(), place.schema().parse().unwrap());
            let settings = Settings { address, schema, connections: 2 };
            write_earlier(&settings, migrations).await;
            let store = open(&settings, Arc::new(SystemClock)).await.unwrap();
            assert_eq!(count(store.as_ref(), account, "tea").await, 1, "after {migrations} migrations");
            let with_work = store.accounts_with_work(model::Time::from_micros(i64::MAX)).await.unwrap();
            assert_eq!(with_work, [account], "after {migrations} migrations");
        }
    }
}

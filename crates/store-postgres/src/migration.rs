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

//! Running statements. Each is compiled once per connection, and the driver's errors become the store's.

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension, Params, Row};

use store::StoreError;

use crate::database::error;

/// Runs a statement that changes something; how many rows it changed.
pub(crate) fn execute(connection: &Connection, sql: &str, params: impl Params) -> Result<usize, StoreError> {
    connection.prepare_cached(sql).and_then(|mut statement| statement.execute(params)).map_err(error)
}

/// All rows of a query, read by `read`.
pub(crate) fn list<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut values = Vec::new();
    each(connection, sql, params, |row| {
        values.push(read(row)?);
        Ok(())
    })?;
    Ok(values)
}

/// Hands over the rows of a query one after the other.
pub(crate) fn each(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    mut take: impl FnMut(&Row<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(error)?;
    let mut rows = statement.query(params).map_err(error)?;
    while let Some(row) = rows.next().map_err(error)? {
        take(row)?;
    }
    Ok(())
}

/// The first row of a query, if there is one, read by `read`.
pub(crate) fn first<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(error)?;
    statement.query_row(params, |row| Ok(read(row))).optional().map_err(error)?.transpose()
}

/// The value a query has in its first row, if it has one.
pub(crate) fn first_value<T: FromSql>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
) -> Result<Option<T>, StoreError> {
    first(connection, sql, params, |row| row.get(0).map_err(error))
}

/// The value of a query that always has one.
pub(crate) fn value<T: FromSql>(connection: &Connection, sql: &str, params: impl Params) -> Result<T, StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(error)?;
    statement.query_row(params, |row| row.get(0)).map_err(error)
}

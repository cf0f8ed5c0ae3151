//! Reads what counts and duplicates are told from: everything once, then what the log says has changed, in the transaction that is asked
//! in, so that the tally is never behind it.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row as SqlRow, params};

use model::Status;
use store::backend::{Counted, Row, Tally, Unexpected};
use store::{Census, ChangeMark, StoreError, status_number};

use crate::database::{damaged, error};
use crate::statement::{list, value};
use crate::thoughts;

/// Where the log of an account stands.
pub(crate) fn mark(connection: &Connection) -> Result<ChangeMark, StoreError> {
    let last = thoughts::last(connection)?;
    let vector = value(connection, "SELECT coalesce(max(seq), 0) FROM vector", [])?;
    Ok(ChangeMark { row: last.row, entry: last.entry, vector })
}

/// The thoughts that have changed since a mark, given as row, entry and vector.
macro_rules! changed_rows {
    () => {
        "SELECT row FROM thought WHERE row > ?1
         UNION SELECT thought FROM lexical WHERE seq > ?2
         UNION SELECT thought FROM vector WHERE seq > ?3"
    };
}
pub(crate) use changed_rows;

/// Counts the thoughts, by everything that the thoughts themselves tell.
pub(crate) fn census(connection: &Connection, tally: &mut Tally) -> Result<Census, StoreError> {
    const COLUMNS: [&str; 2] = [
        "SELECT row, status, category, captured_at, agent_name FROM thought INDEXED BY thought_listed",
        concat!(
            "SELECT row, status, category, captured_at, agent_name FROM thought WHERE row IN (",
            changed_rows!(),
            ")"
        ),
    ];
    let seen = tally.counted_at();
    let read = |row: &SqlRow<'_>| {
        let counted = Counted {
            status: row.get(1).map_err(error)?,
            category: text(row, 2, "category")?.unwrap_or_default(),
            captured_at: row.get(3).map_err(error)?,
            agent_name: text(row, 4, "agent_name")?,
        };
        tally.facts(counted).map_err(unexpected)
    };
    if let Some((mark, found)) = changed(connection, seen, COLUMNS, read)? {
        tally.count(mark, found).map_err(unexpected)?;
    }
    Ok(tally.census())
}

/// The rows of thoughts with the same text, in the order of storing, that with the oldest first. Archived ones are left out.
pub(crate) fn duplicates(connection: &Connection, tally: &mut Tally) -> Result<Vec<Vec<Row>>, StoreError> {
    const COLUMNS: [&str; 2] = [
        "SELECT row, status, raw_text FROM thought",
        concat!("SELECT row, status, raw_text FROM thought WHERE row IN (", changed_rows!(), ")"),
    ];
    let read = |row: &SqlRow<'_>| {
        if row.get::<_, u8>(1).map_err(error)? == status_number(Status::Archived) {
            return Ok(None);
        }
        Ok(Some(tally.text_hash(text(row, 2, "raw_text")?.unwrap_or_default())))
    };
    if let Some((mark, found)) = changed(connection, tally.compared_at(), COLUMNS, read)? {
        tally.compare(mark, found).map_err(unexpected)?;
    }
    Ok(tally.duplicates())
}

/// Where the log stands, and something of each thought that has changed.
type Changed<T> = (ChangeMark, Vec<(Row, T)>);

/// Where the log stands and something of each thought that has changed; `all` reads every thought and `since` those of
/// [`changed_rows`], row first. `None` if nothing has changed.
fn changed<T>(
    connection: &Connection,
    seen: Option<ChangeMark>,
    [all, since]: [&str; 2],
    mut read: impl FnMut(&SqlRow<'_>) -> Result<T, StoreError>,
) -> Result<Option<Changed<T>>, StoreError> {
    let mark = mark(connection)?;
    let mut read = |found: &SqlRow<'_>| Ok((found.get::<_, Row>(0).map_err(error)?, read(found)?));
    let found = match seen {
        Some(seen) if seen == mark => return Ok(None),
        Some(seen) => list(connection, since, params![seen.row, seen.entry, seen.vector], &mut read)?,
        None => list(connection, all, [], &mut read)?,
    };
    Ok(Some((mark, found)))
}

fn unexpected((column, value): Unexpected) -> StoreError {
    damaged(column, value)
}

/// A text read in place: one of its own for each of a hundred thousand rows would take as long as the rest.
fn text<'row>(row: &'row SqlRow<'_>, column: usize, name: &'static str) -> Result<Option<&'row str>, StoreError> {
    match row.get_ref(column).map_err(error)? {
        ValueRef::Null => Ok(None),
        value => value.as_str().map(Some).map_err(|cause| damaged(name, cause)),
    }
}

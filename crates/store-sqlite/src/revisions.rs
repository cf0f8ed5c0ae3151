//! The revisions of thoughts.

use rusqlite::{Connection, Row as SqlRow, params};

use model::{Revision, RevisionKind, Status};
use store::backend::Row;
use store::{StoreError, status_number, status_of};

use crate::database::{damaged, error};
use crate::row::time;
use crate::statement::{execute, list};

pub(crate) fn insert(connection: &Connection, row: Row, revision: &Revision) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO revision (thought, number, at, kind, by, text_before, text_after, status_before, status_after)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let (text_before, text_after) = revision.text.as_ref().map(|(before, after)| (before, after)).unzip();
    let (status_before, status_after) =
        revision.status.map(|(before, after)| (status_number(before), status_number(after))).unzip();
    let values = params![
        row,
        revision.number,
        revision.at.as_micros(),
        revision.kind.as_str(),
        revision.by,
        text_before,
        text_after,
        status_before,
        status_after,
    ];
    execute(connection, sql, values).map(drop)
}

/// The revisions of the thought at that row after the one of that number, oldest first.
pub(crate) fn after(connection: &Connection, row: Row, number: u32, limit: usize) -> Result<Vec<Revision>, StoreError> {
    let sql = "SELECT number, at, kind, by, text_before, text_after, status_before, status_after
               FROM revision WHERE thought = ?1 AND number > ?2 ORDER BY number LIMIT ?3";
    list(connection, sql, params![row, number, limit as i64], |row| {
        let text: (Option<String>, Option<String>) = (row.get(4).map_err(error)?, row.get(5).map_err(error)?);
        let numbers: (Option<u8>, Option<u8>) = (row.get(6).map_err(error)?, row.get(7).map_err(error)?);
        Ok(Revision {
            number: row.get(0).map_err(error)?,
            at: time(row, 1)?,
            kind: kind(row, 2)?,
            by: row.get(3).map_err(error)?,
            text: text.0.zip(text.1),
            status: match numbers.0.zip(numbers.1) {
                Some((before, after)) => Some((status(before)?, status(after)?)),
                None => None,
            },
        })
    })
}

/// The number and the kind of each revision of the thought at that row, oldest first. Of a long row SQLite reads the beginning
/// alone, where these are.
pub(crate) fn kinds(connection: &Connection, row: Row) -> Result<Vec<(u32, RevisionKind)>, StoreError> {
    let sql = "SELECT number, kind FROM revision WHERE thought = ?1 ORDER BY number";
    list(connection, sql, [row], |row| Ok((row.get(0).map_err(error)?, kind(row, 1)?)))
}

fn kind(row: &SqlRow<'_>, column: usize) -> Result<RevisionKind, StoreError> {
    let kind: String = row.get(column).map_err(error)?;
    RevisionKind::parse(&kind).ok_or_else(|| damaged("kind", &kind))
}

fn status(number: u8) -> Result<Status, StoreError> {
    status_of(number).ok_or_else(|| damaged("status", number))
}

//! The rows of `thought`: looked up, added, numbered.

use rusqlite::{Connection, Row as SqlRow, params};

use model::{Thought, ThoughtId};
use store::backend::Row;
use store::{StoreError, status_number};

use crate::database::error;
use crate::row::{self, ThoughtRow, agent_name, author_number, thought_columns};
use crate::statement::{execute, first, first_value, value};

/// Where the numbering of an account stands.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Last {
    /// The row of the thought stored last. Rows are numbered without gaps.
    pub(crate) row: Row,
    /// When that thought was created.
    pub(crate) created_at: i64,
    /// The highest number in the log of entries.
    pub(crate) entry: u64,
}

pub(crate) fn last(connection: &Connection) -> Result<Last, StoreError> {
    let sql = "SELECT row, created_at, max(seq, (SELECT coalesce(max(seq), 0) FROM lexical))
               FROM thought ORDER BY row DESC LIMIT 1";
    let last = |row: &SqlRow<'_>| {
        Ok(Last {
            row: row.get(0).map_err(error)?,
            created_at: row.get(1).map_err(error)?,
            entry: row.get(2).map_err(error)?,
        })
    };
    Ok(first(connection, sql, [], last)?.unwrap_or_default())
}

/// Stores a thought as the next row, which it returns. Being new, the row is also its entry in the log, and queued for background
/// work.
pub(crate) fn insert(connection: &Connection, last: Last, thought: &Thought) -> Result<Row, StoreError> {
    let row = last.row + 1;
    let sql = "INSERT INTO thought (row, id, status, author, agent_name, category, created_at, captured_at, updated_at,
                                    revision, seq, raw_text)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    let values = params![
        row,
        thought.id.as_bytes(),
        status_number(thought.status),
        author_number(&thought.author),
        agent_name(&thought.author),
        thought.category.as_str(),
        thought.created_at.as_micros(),
        thought.captured_at.as_micros(),
        thought.updated_at.as_micros(),
        thought.revision,
        last.entry + 1,
        thought.raw_text.as_str(),
    ];
    execute(connection, sql, values)?;
    Ok(row)
}

/// When the newest thought was created: six look-ups in the browse index, one for each kind of thought.
pub(crate) fn newest(connection: &Connection) -> Result<i64, StoreError> {
    let sql = "SELECT max(
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 0 AND author = 0), 0),
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 0 AND author = 1), 0),
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 1 AND author = 0), 0),
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 1 AND author = 1), 0),
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 2 AND author = 0), 0),
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 2 AND author = 1), 0))";
    value(connection, sql, [])
}

pub(crate) fn get(connection: &Connection, id: ThoughtId) -> Result<Option<ThoughtRow>, StoreError> {
    let sql = concat!("SELECT ", thought_columns!(), " FROM thought WHERE id = ?1");
    first(connection, sql, [id.as_bytes()], row::thought)
}

/// The thought at that row.
pub(crate) fn by_row(connection: &Connection, row: Row) -> Result<Option<Thought>, StoreError> {
    let sql = concat!("SELECT ", thought_columns!(), " FROM thought WHERE row = ?1");
    Ok(first(connection, sql, [row], row::thought)?.map(|found| found.thought))
}

/// The row of a thought.
pub(crate) fn row_of(connection: &Connection, id: ThoughtId) -> Result<Option<Row>, StoreError> {
    first_value(connection, "SELECT row FROM thought WHERE id = ?1", [id.as_bytes()])
}

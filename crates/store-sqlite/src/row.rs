//! How the model's values are written into columns and read back.

use rusqlite::Row;

use model::{Author, Status, Thought, ThoughtId, ThoughtText, Time};
use store::StoreError;

use super::database::error;

/// The columns [`thought`] reads, in its order.
macro_rules! thought_columns {
    () => {
        "row, id, status, author, agent_name, category, created_at, captured_at, updated_at, revision, seq, raw_text"
    };
}
pub(super) use thought_columns;

/// How many they are.
pub(super) const THOUGHT_COLUMNS: usize = 12;

/// A thought with the numbers only this back end knows it by.
pub(super) struct ThoughtRow {
    pub(super) row: i64,
    pub(super) seq: i64,
    pub(super) thought: Thought,
}

/// Reads the columns of [`thought_columns`].
pub(super) fn thought(row: &Row<'_>) -> Result<ThoughtRow, StoreError> {
    let agent_name: Option<String> = row.get(4).map_err(error)?;
    let author = match (row.get::<_, u8>(3).map_err(error)?, agent_name) {
        (USER, None) => Author::User,
        (AGENT, Some(name)) => Author::Agent { name },
        (number, _) => return Err(damaged("author", number)),
    };
    let category: String = row.get(5).map_err(error)?;
    let thought = Thought {
        id: ThoughtId::from_slice(&blob(row, 1)?).ok_or_else(|| damaged("id", "of another length"))?,
        status: status(row.get(2).map_err(error)?)?,
        author,
        category: category.parse().map_err(|_| damaged("category", category))?,
        created_at: time(row, 6)?,
        captured_at: time(row, 7)?,
        updated_at: time(row, 8)?,
        revision: row.get(9).map_err(error)?,
        raw_text: ThoughtText::new(row.get::<_, String>(11).map_err(error)?)
            .map_err(|invalid| damaged("raw_text", invalid))?,
    };
    Ok(ThoughtRow { row: row.get(0).map_err(error)?, seq: row.get(10).map_err(error)?, thought })
}

const USER: u8 = 0;
const AGENT: u8 = 1;

pub(super) fn author_number(author: &Author) -> u8 {
    match author {
        Author::User => USER,
        Author::Agent { .. } => AGENT,
    }
}

pub(super) fn agent_name(author: &Author) -> Option<&str> {
    match author {
        Author::User => None,
        Author::Agent { name } => Some(name),
    }
}

pub(super) fn status_number(status: Status) -> u8 {
    match status {
        Status::Open => 0,
        Status::Completed => 1,
        Status::Archived => 2,
    }
}

pub(super) fn status(number: u8) -> Result<Status, StoreError> {
    Status::ALL.into_iter().find(|status| status_number(*status) == number).ok_or_else(|| damaged("status", number))
}

pub(super) fn time(row: &Row<'_>, column: usize) -> Result<Time, StoreError> {
    row.get(column).map(Time::from_micros).map_err(error)
}

pub(super) fn optional_time(row: &Row<'_>, column: usize) -> Result<Option<Time>, StoreError> {
    row.get::<_, Option<i64>>(column).map(|micros| micros.map(Time::from_micros)).map_err(error)
}

pub(super) fn blob(row: &Row<'_>, column: usize) -> Result<Vec<u8>, StoreError> {
    row.get(column).map_err(error)
}

/// A value this program never writes.
pub(super) fn damaged(column: &str, value: impl std::fmt::Display) -> StoreError {
    StoreError::corrupt(format!("column {column}"), format!("unexpected value `{value}`"))
}

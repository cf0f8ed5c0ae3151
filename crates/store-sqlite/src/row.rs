//! How the model's values are written into columns and read back.

use rusqlite::Row as SqlRow;

use model::{AccountId, Author, AuthorFilter, NoteId, Thought, ThoughtId, ThoughtText, Time};
use store::backend::Row;
use store::{StoreError, status_of};

use crate::database::{damaged, error};

/// The columns [`thought`] reads, in its order.
macro_rules! thought_columns {
    () => {
        "row, id, status, author, agent_name, category, created_at, captured_at, updated_at, revision, seq, raw_text"
    };
}
pub(crate) use thought_columns;

/// How many they are.
pub(crate) const THOUGHT_COLUMNS: usize = 12;

/// A thought with the numbers a back end knows it by.
pub(crate) struct ThoughtRow {
    pub(crate) row: Row,
    pub(crate) seq: u64,
    pub(crate) thought: Thought,
}

/// Reads the columns of [`thought_columns`].
pub(crate) fn thought(row: &SqlRow<'_>) -> Result<ThoughtRow, StoreError> {
    let agent_name: Option<String> = row.get(4).map_err(error)?;
    let author = match (row.get::<_, u8>(3).map_err(error)?, agent_name) {
        (USER, None) => Author::User,
        (AGENT, Some(name)) => Author::Agent { name },
        (number, _) => return Err(damaged("author", number)),
    };
    let category: String = row.get(5).map_err(error)?;
    let status: u8 = row.get(2).map_err(error)?;
    let thought = Thought {
        id: thought_id(row, 1)?,
        status: status_of(status).ok_or_else(|| damaged("status", status))?,
        author,
        category: category.parse().map_err(|_| damaged("category", category))?,
        created_at: time(row, 6)?,
        captured_at: time(row, 7)?,
        updated_at: time(row, 8)?,
        revision: revision(row)?,
        raw_text: ThoughtText::new(row.get::<_, String>(11).map_err(error)?)
            .map_err(|invalid| damaged("raw_text", invalid))?,
    };
    Ok(ThoughtRow { row: row.get(0).map_err(error)?, seq: row.get(10).map_err(error)?, thought })
}

const USER: u8 = 0;
const AGENT: u8 = 1;

pub(crate) fn author_number(author: &Author) -> u8 {
    match author {
        Author::User => USER,
        Author::Agent { .. } => AGENT,
    }
}

/// The numbers under which the admitted kinds of authors are stored.
pub(crate) fn author_numbers(filter: AuthorFilter) -> Vec<u8> {
    let kinds = [(USER, filter.admits_user()), (AGENT, filter.admits_agents())];
    kinds.into_iter().filter(|(_, admitted)| *admitted).map(|(kind, _)| kind).collect()
}

pub(crate) fn agent_name(author: &Author) -> Option<&str> {
    match author {
        Author::User => None,
        Author::Agent { name } => Some(name),
    }
}

pub(crate) fn account_id(row: &SqlRow<'_>, column: usize) -> Result<AccountId, StoreError> {
    AccountId::from_slice(&blob(row, column)?).ok_or_else(|| damaged("account", "of another length"))
}

pub(crate) fn thought_id(row: &SqlRow<'_>, column: usize) -> Result<ThoughtId, StoreError> {
    ThoughtId::from_slice(&blob(row, column)?).ok_or_else(|| damaged("id", "of another length"))
}

pub(crate) fn note_id(row: &SqlRow<'_>, column: usize) -> Result<NoteId, StoreError> {
    NoteId::from_slice(&blob(row, column)?).ok_or_else(|| damaged("id", "of another length"))
}

pub(crate) fn time(row: &SqlRow<'_>, column: usize) -> Result<Time, StoreError> {
    row.get(column).map(Time::from_micros).map_err(error)
}

pub(crate) fn optional_time(row: &SqlRow<'_>, column: usize) -> Result<Option<Time>, StoreError> {
    row.get::<_, Option<i64>>(column).map(|micros| micros.map(Time::from_micros)).map_err(error)
}

pub(crate) fn blob(row: &SqlRow<'_>, column: usize) -> Result<Vec<u8>, StoreError> {
    row.get(column).map_err(error)
}

/// How often a thought has been changed; the last number there is has no next.
fn revision(row: &SqlRow<'_>) -> Result<u32, StoreError> {
    match row.get(9).map_err(error)? {
        u32::MAX => Err(damaged("revision", u32::MAX)),
        revision => Ok(revision),
    }
}

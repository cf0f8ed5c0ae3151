//! How the model's values are written into columns and read back.

use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::FromSqlOwned;
use uuid::Uuid;

use model::{
    Account, AccountId, Author, AuthorFilter, Key, KeyId, KeyPrefix, NoteId, Thought, ThoughtId, ThoughtText, Time,
};
use store::backend::{Row, StoredForm};
use store::{Facet, StoreError, status_of};
use text::LexicalForm;

use crate::error::damaged;

/// The columns [`thought`] reads, in its order.
macro_rules! thought_columns {
    () => {
        "thought.row, thought.id, thought.status, thought.author, thought.agent_name, thought.category, thought.created_at,
         thought.captured_at, thought.updated_at, thought.revision, thought.raw_text"
    };
}
pub(crate) use thought_columns;

/// How many they are.
pub(crate) const THOUGHT_COLUMNS: usize = 11;

/// A thought with the number a back end knows it by.
pub(crate) struct ThoughtRow {
    pub(crate) row: Row,
    pub(crate) thought: Thought,
}

/// Reads the columns of [`thought_columns`].
pub(crate) fn thought(found: &SqlRow) -> Result<ThoughtRow, StoreError> {
    let author = match (get::<i16>(found, 3)?, optional_text(found, 4)?) {
        (USER, None) => Author::User,
        (AGENT, Some(name)) => Author::Agent { name },
        (number, _) => return Err(damaged("author", number)),
    };
    let category: String = get(found, 5)?;
    let thought = Thought {
        id: thought_id(found, 1)?,
        status: status(get(found, 2)?)?,
        author,
        category: category.parse().map_err(|_| damaged("category", category))?,
        created_at: time(found, 6)?,
        captured_at: time(found, 7)?,
        updated_at: time(found, 8)?,
        revision: small(found, 9)?,
        raw_text: ThoughtText::new(text(found, 10)?).map_err(|invalid| damaged("raw_text", invalid))?,
    };
    Ok(ThoughtRow { row: small(found, 0)?, thought })
}

/// The same of each row.
pub(crate) fn thoughts(found: &[SqlRow]) -> Result<Vec<ThoughtRow>, StoreError> {
    found.iter().map(thought).collect()
}

pub(crate) fn status(number: i16) -> Result<model::Status, StoreError> {
    let known = u8::try_from(number).ok().and_then(status_of);
    known.ok_or_else(|| damaged("status", number))
}

const USER: i16 = 0;
const AGENT: i16 = 1;

pub(crate) fn author_number(author: &Author) -> i16 {
    match author {
        Author::User => USER,
        Author::Agent { .. } => AGENT,
    }
}

/// The numbers under which the admitted kinds of authors are stored.
pub(crate) fn author_numbers(filter: AuthorFilter) -> Vec<i16> {
    let kinds = [(USER, filter.admits_user()), (AGENT, filter.admits_agents())];
    kinds.into_iter().filter(|(_, admitted)| *admitted).map(|(kind, _)| kind).collect()
}

pub(crate) fn agent_name(author: &Author) -> Option<&[u8]> {
    match author {
        Author::User => None,
        Author::Agent { name } => Some(name.as_bytes()),
    }
}

pub(crate) fn status_number(status: model::Status) -> i16 {
    i16::from(store::status_number(status))
}

/// Reads id, name and time of an account, in this order.
pub(crate) fn account(found: &SqlRow) -> Result<Account, StoreError> {
    let name = text(found, 1)?;
    let name = name.parse().map_err(|_| damaged("name", &name))?;
    Ok(Account { id: account_id(found, 0)?, name, created_at: time(found, 2)? })
}

/// Reads id, account, name, prefix and the three times of a key, in this order.
pub(crate) fn key(found: &SqlRow) -> Result<Key, StoreError> {
    let name = text(found, 2)?;
    Ok(Key {
        id: KeyId::from_uuid(get(found, 0)?),
        account: account_id(found, 1)?,
        name: name.parse().map_err(|_| damaged("name", &name))?,
        prefix: KeyPrefix::of(&text(found, 3)?),
        created_at: time(found, 4)?,
        last_used_at: optional_time(found, 5)?,
        revoked_at: optional_time(found, 6)?,
    })
}

/// Reads how many words a form has, its text, and the text it follows from where there is none, in three columns from this one on.
pub(crate) fn form(found: &SqlRow, first: usize) -> Result<StoredForm, StoreError> {
    if let Some(unmade) = optional_text(found, first + 2)? {
        return Ok(StoredForm::Unmade(unmade));
    }
    Ok(StoredForm::Whole(LexicalForm { words: small(found, first)?, text: text(found, first + 1)? }))
}

pub(crate) fn facet(found: &SqlRow, column: usize) -> Result<Facet, StoreError> {
    let number: i32 = get(found, column)?;
    let known = u8::try_from(number).ok().and_then(Facet::from_number);
    known.ok_or_else(|| damaged("facet", number))
}

pub(crate) fn get<T: FromSqlOwned>(found: &SqlRow, column: usize) -> Result<T, StoreError> {
    found.try_get(column).map_err(|error| damaged(found.columns()[column].name(), error))
}

pub(crate) fn text(found: &SqlRow, column: usize) -> Result<String, StoreError> {
    String::from_utf8(get(found, column)?).map_err(|error| damaged(found.columns()[column].name(), error))
}

pub(crate) fn optional_text(found: &SqlRow, column: usize) -> Result<Option<String>, StoreError> {
    let bytes: Option<Vec<u8>> = get(found, column)?;
    bytes.map(String::from_utf8).transpose().map_err(|error| damaged(found.columns()[column].name(), error))
}

/// A count or a number of a log.
pub(crate) fn number(found: &SqlRow, column: usize) -> Result<u64, StoreError> {
    let value: i64 = get(found, column)?;
    u64::try_from(value).map_err(|_| damaged(found.columns()[column].name(), value))
}

/// A row or another number that fits into 32 bits.
pub(crate) fn small(found: &SqlRow, column: usize) -> Result<u32, StoreError> {
    let value: i64 = get(found, column)?;
    u32::try_from(value).map_err(|_| damaged(found.columns()[column].name(), value))
}

/// The numbers as they are stored.
pub(crate) fn rows(rows: &[Row]) -> Vec<i64> {
    rows.iter().map(|row| i64::from(*row)).collect()
}

/// A number of a log as it is stored.
pub(crate) fn seq(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

pub(crate) fn account_id(found: &SqlRow, column: usize) -> Result<AccountId, StoreError> {
    get(found, column).map(AccountId::from_uuid)
}

pub(crate) fn thought_id(found: &SqlRow, column: usize) -> Result<ThoughtId, StoreError> {
    get(found, column).map(ThoughtId::from_uuid)
}

pub(crate) fn note_id(found: &SqlRow, column: usize) -> Result<NoteId, StoreError> {
    get(found, column).map(NoteId::from_uuid)
}

pub(crate) fn time(found: &SqlRow, column: usize) -> Result<Time, StoreError> {
    get(found, column).map(Time::from_micros)
}

pub(crate) fn optional_time(found: &SqlRow, column: usize) -> Result<Option<Time>, StoreError> {
    get::<Option<i64>>(found, column).map(|micros| micros.map(Time::from_micros))
}

/// Identifiers as the driver takes them.
pub(crate) trait Stored {
    fn stored(&self) -> Uuid;
}

macro_rules! stored {
    ($($name:ty),+) => {
        $(impl Stored for $name {
            fn stored(&self) -> Uuid {
                Uuid::from_bytes(*self.as_bytes())
            }
        })+
    };
}
stored!(AccountId, ThoughtId, NoteId, KeyId);

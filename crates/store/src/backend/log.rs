//! The log of an account: each thought and note as it was when a search last had to see it anew, in the order of these changes.

use async_trait::async_trait;

use model::{AccountId, NoteId, Thought, ThoughtId};
use text::LexicalForm;

use crate::error::StoreError;
use crate::facet::Facet;

/// The number a back end keeps a thought or a note by: from 1 on, without gaps, in the order of storing.
pub type Row = u32;

/// The log of an account.
///
/// A change of anything a search depends on gives a thought or a note a new entry, with a higher number than any before, and
/// takes its old one away. A number is never used twice, and numbers are in the order of commits: whoever has seen entry n
/// needs only the entries after n.
#[async_trait]
pub trait Log: Send + Sync {
    /// Where the account's numbering stands. Sees everything acknowledged before the call, also by other processes.
    async fn last(&self, account: AccountId) -> Result<LogEnd, StoreError>;

    /// The next entries that have not been seen, in the order of their numbers, up to but without number `end`. As many as
    /// are handed over well at once; none only if there are no more.
    async fn follow(
        &self,
        account: AccountId,
        seen: Seen,
        end: u64,
        reading: Reading,
    ) -> Result<Vec<Logged>, StoreError>;

    /// The next vectors of a model, from number `next` on, as [`follow`](Self::follow) does entries. They are a log of their
    /// own, numbered across all models.
    async fn follow_vectors(&self, account: AccountId, model: i64, next: u64) -> Result<VectorPage, StoreError>;

    /// The thoughts at these rows, in no particular order; rows that do not exist are left out.
    async fn read(&self, account: AccountId, rows: &[Row]) -> Result<Vec<(Row, Thought)>, StoreError>;

    /// The thoughts at each of these stretches of rows, both ends included, with their lexical forms.
    async fn read_formed(&self, account: AccountId, stretches: &[(Row, Row)])
    -> Result<Vec<FormedThought>, StoreError>;

    /// The rows of these thoughts, as far as they exist, in no particular order.
    async fn rows_of(&self, account: AccountId, ids: &[ThoughtId]) -> Result<Vec<(ThoughtId, Row)>, StoreError>;

    /// The ids of the notes at these rows that have not been removed, in no particular order.
    async fn note_ids(&self, account: AccountId, rows: &[Row]) -> Result<Vec<(Row, NoteId)>, StoreError>;
}

/// Where the numbering of an account stands; all zero for an empty one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogEnd {
    /// The highest number of an entry.
    pub entry: u64,
    /// The highest number of a vector.
    pub vector: u64,
    /// The row of the thought stored last: how many thoughts there are.
    pub row: Row,
}

/// How far somebody has followed the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// The first number not seen.
    pub next: u64,
    /// A row after every thought seen. Whatever is new at an earlier row has been changed since it was stored.
    pub next_thought: Row,
}

/// What is read of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// What filters look at.
    Facet,
    /// How many words it has as well.
    Words,
    /// Its lexical form as well.
    Text,
}

/// What a thought or a note is to whoever follows the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the order of changes, from 1 on.
    pub seq: u64,
    /// The row of the thought.
    pub thought: Row,
    /// The row of the note, if it is one.
    pub note: Option<Row>,
    /// What filters look at.
    pub facet: Facet,
}

/// An entry with what was to be read of its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// The entry.
    pub entry: Entry,
    /// Its words.
    pub form: StoredForm,
}

/// The lexical form of a text as far as a back end has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredForm {
    /// It was not asked for.
    Unread,
    /// The number of its words.
    Counted(u32),
    /// All of it.
    Whole(LexicalForm),
    /// It has not been stored yet; the text it follows from.
    Unmade(String),
}

impl StoredForm {
    /// The form, made from the text where it has not been stored; empty where it was not read.
    #[must_use]
    pub fn into_form(self) -> LexicalForm {
        match self {
            Self::Unread => LexicalForm::default(),
            Self::Counted(words) => LexicalForm { words, ..LexicalForm::default() },
            Self::Whole(form) => form,
            Self::Unmade(text) => text::lexical_form(&text),
        }
    }
}

/// A thought with its lexical form.
#[derive(Debug, Clone)]
pub struct FormedThought {
    /// Its row.
    pub row: Row,
    /// The thought.
    pub thought: Thought,
    /// The form of its text.
    pub form: StoredForm,
}

/// Vectors in the order of their log.
#[derive(Debug, Clone, Default)]
pub struct VectorPage {
    /// For each entry its number, the row of its thought, and how many of the bytes are its own; none at all if the thought has
    /// no vector any more.
    pub entries: Vec<(u64, Row, usize)>,
    /// The packed vectors of all entries, one after the other.
    pub bytes: Vec<u8>,
}

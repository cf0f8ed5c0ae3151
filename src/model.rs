//! The plain types every layer shares.
//!
//! Nothing here does I/O, and a value that exists is valid: constructors check, everyone else trusts the type.

mod account;
mod doors;
mod id;
mod note;
mod query;
mod revision;
mod thought;
mod time;

pub use account::{Account, AccountName, Caller, Key, KeyHash, KeyName, KeyPrefix};
pub use doors::{Clock, IdSource, RandomIds, SystemClock};
pub use id::{AccountId, KeyId, NoteId, ThoughtId};
pub use note::{NOTE_BYTES_MAX, NewNote, Note, NoteText};
pub use query::{AuthorFilter, Cursor, Detail, Mode, Order, Threshold, TopK};
pub use revision::{Revision, RevisionKind, Timeline};
pub use thought::{Author, Category, Status, TEXT_BYTES_MAX, Thought, ThoughtText};
pub use time::{Time, TimeError};

/// Why a value given from outside is not acceptable: one sentence that says what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(pub String);

impl Invalid {
    /// Wraps the sentence that is shown to the caller.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

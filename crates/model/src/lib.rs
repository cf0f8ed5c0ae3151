//! The plain types every layer shares: ids, times, thoughts, notes, revisions, accounts and keys, and the two doors to the
//! outside, [`Clock`] and [`IdSource`]. Nothing here does I/O, and a value that exists is valid: constructors check, everyone else
//! trusts the type. It uses no other crate of the project, and every other may use it.

mod account;
mod doors;
#[cfg(test)]
mod fuzz;
mod id;
mod invalid;
mod note;
mod query;
mod revision;
mod session;
mod thought;
mod time;

pub use account::{Account, AccountName, Caller, Key, KeyHash, KeyName, KeyPrefix};
pub use doors::{Clock, IdSource, RandomIds, SystemClock};
pub use id::{AccountId, KeyId, NoteId, ThoughtId};
pub use invalid::Invalid;
pub use note::{NOTE_BYTES_MAX, NewNote, Note, NoteText};
pub use query::{AuthorFilter, Cursor, Detail, Mode, Order, Threshold, TopK};
pub use revision::{Revision, RevisionKind, Timeline};
pub use session::{Session, TokenHash};
pub use thought::{Author, Category, Status, TEXT_BYTES_MAX, Thought, ThoughtText};
pub use time::{Time, TimeError};

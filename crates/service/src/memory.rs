//! The product's rules: the one door for MCP, the command line and whatever comes after them.
//!
//! Everything a caller does here stays within the caller's account, and what is refused changes nothing.

mod edit;
mod retrieve;

use std::sync::Arc;

pub use edit::{Changed, Edit, Edited, Excerpt};
pub use retrieve::{Found, Relevance, Retrieve, Retrieved};

use model::{
    AccountId, Author, Caller, Category, Clock, IdSource, Invalid, Key, KeyPrefix, NewNote, Note, NoteId, Thought,
    ThoughtId, ThoughtText, Time,
};
use store::{NewThought, Store, StoreError, StoredNote};

use crate::adviser::Adviser;
use crate::search::QueryEmbedder;

/// Keeps thoughts and finds them again.
#[derive(Clone)]
pub struct Memory {
    store: Arc<dyn Store>,
    embedder: QueryEmbedder,
    adviser: Option<Adviser>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
}

/// Why something was not done. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// What was asked is not possible; the sentence says why and what is.
    #[error("{0}")]
    Refused(String),
    /// The store failed; asking again may help only if it says so.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Invalid> for MemoryError {
    fn from(invalid: Invalid) -> Self {
        Self::Refused(invalid.0)
    }
}

/// A thought to capture.
#[derive(Debug, Clone)]
pub struct Capture {
    /// The text.
    pub raw_text: ThoughtText,
    /// The time it is about; now if not given.
    pub captured_at: Option<Time>,
    /// Whose memory it is.
    pub attribution: Attribution,
}

/// Whose memory a captured thought is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attribution {
    /// The agent's whose key was used.
    Caller,
    /// The human user's.
    User,
    /// The agent's whose key starts like this.
    KeyPrefix(String),
}

impl Memory {
    /// Makes the rules work on a store.
    pub fn new(store: Arc<dyn Store>, embedder: QueryEmbedder, clock: Arc<dyn Clock>, ids: Arc<dyn IdSource>) -> Self {
        Self { store, embedder, adviser: None, clock, ids }
    }

    /// Has a language model to ask what edit requests mean that the rules do not understand.
    #[must_use]
    pub fn advised_by(self, adviser: Option<Adviser>) -> Self {
        Self { adviser, ..self }
    }

    /// Stores a thought; when it returns, the thought is durable and found by its words.
    pub async fn capture(&self, caller: &Caller, capture: Capture) -> Result<Thought, MemoryError> {
        let author = match capture.attribution {
            Attribution::User => Author::User,
            Attribution::Caller => Author::Agent { name: caller.key_name.to_string() },
            Attribution::KeyPrefix(prefix) => {
                let key = self.key_by_prefix(caller.account, &prefix).await?;
                Author::Agent { name: key.name.to_string() }
            }
        };
        let thought = NewThought {
            id: ThoughtId::from_uuid(self.ids.fresh()),
            raw_text: capture.raw_text,
            category: Category::Observation,
            author,
            captured_at: capture.captured_at,
        };
        Ok(self.store.insert(caller.account, thought).await?)
    }

    async fn key_by_prefix(&self, account: AccountId, prefix: &str) -> Result<Key, MemoryError> {
        if prefix.chars().count() < KeyPrefix::CHARS_MIN {
            return Err(MemoryError::Refused(format!(
                "`author` is the beginning of a key, at least {} characters of it; leave it out to use your own key",
                KeyPrefix::CHARS_MIN
            )));
        }
        let keys = self.store.list_keys(Some(account)).await?;
        // A caller may know more of the key than its prefix; what follows the prefix cannot be compared, as only its hash is
        // stored, so it is left aside.
        let prefix: String = prefix.chars().take(KeyPrefix::CHARS).collect();
        let mut matching =
            keys.into_iter().filter(|key| key.revoked_at.is_none() && key.prefix.as_str().starts_with(&prefix));
        match (matching.next(), matching.next()) {
            (Some(key), None) => Ok(key),
            (Some(_), Some(_)) => Err(MemoryError::Refused(format!(
                "`author` `{prefix}` fits several keys of this account: give more characters, up to {}",
                KeyPrefix::CHARS
            ))),
            (None, _) => Err(MemoryError::Refused(format!(
                "`author` `{prefix}` fits no active key of this account: leave it out to use your own key"
            ))),
        }
    }

    /// Attaches a text note to a thought.
    pub async fn attach_note(
        &self,
        account: AccountId,
        thought: ThoughtId,
        note: NewNote,
    ) -> Result<Option<Note>, MemoryError> {
        let note = StoredNote {
            id: NoteId::from_uuid(self.ids.fresh()),
            name: note.name,
            text: note.text.as_str().to_owned(),
            created_at: self.clock.now(),
            removed_at: None,
        };
        Ok(self.store.insert_note(account, thought, note).await?)
    }

    /// The notes of one thought or of all.
    pub async fn list_notes(&self, account: AccountId, thought: Option<ThoughtId>) -> Result<Vec<Note>, MemoryError> {
        Ok(self.store.list_notes(account, thought).await?)
    }

    /// Takes a note away from its thought.
    pub async fn remove_note(&self, account: AccountId, id: NoteId) -> Result<Option<Note>, MemoryError> {
        Ok(self.store.remove_note(account, id, self.clock.now()).await?)
    }
}

//! Text notes attached to thoughts.

use async_trait::async_trait;

use model::{AccountId, Note, NoteId, ThoughtId, Time};

use crate::error::StoreError;

/// The text notes attached to thoughts.
#[async_trait]
pub trait Notes: Send + Sync {
    /// Attaches a note and makes it findable; `None` if there is no such thought.
    async fn insert_note(
        &self,
        account: AccountId,
        thought: ThoughtId,
        note: StoredNote,
    ) -> Result<Option<Note>, StoreError>;

    /// A page of the notes of one thought or of all, oldest first.
    async fn list_notes(&self, account: AccountId, listing: NoteListing) -> Result<Vec<Note>, StoreError>;

    /// The note of that id, unless it has been removed.
    async fn get_note(&self, account: AccountId, id: NoteId) -> Result<Option<Note>, StoreError>;

    /// The name and text of each of these notes that exists, in no particular order.
    async fn note_texts(&self, account: AccountId, ids: &[NoteId])
    -> Result<Vec<(NoteId, String, String)>, StoreError>;

    /// Takes a note away from its thought; `None` if there is no such note. Its text stays in the store, out of reach of
    /// searches.
    async fn remove_note(&self, account: AccountId, id: NoteId, at: Time) -> Result<Option<Note>, StoreError>;
}

/// A page of notes.
#[derive(Debug, Clone, Copy)]
pub struct NoteListing {
    /// Only the notes of this thought.
    pub thought: Option<ThoughtId>,
    /// Only what was attached after this note.
    pub after: Option<NoteId>,
    /// How many at most.
    pub limit: usize,
}

/// A note with everything the store keeps of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredNote {
    /// Identifies the note.
    pub id: NoteId,
    /// The name of the file it came from.
    pub name: String,
    /// Its text.
    pub text: String,
    /// When it was attached.
    pub created_at: Time,
    /// When it was taken away.
    pub removed_at: Option<Time>,
}

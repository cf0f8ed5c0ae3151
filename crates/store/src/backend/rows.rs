//! Thoughts, their revisions and notes as rows.

use std::path::Path;

use async_trait::async_trait;

use model::{AccountId, Key, KeyHash, Note, NoteId, Revision, Thought, ThoughtId, Time};
use text::LexicalForm;

use crate::contract::{Backup, CapturedQuery, Listing, NewThought, StoredNote, StoredThought, Update, Updated};
use crate::error::StoreError;

/// The thoughts of an account and their revisions. What a method does is what the one of its name in
/// [`Thoughts`](crate::Thoughts) promises.
#[async_trait]
pub trait Rows: Send + Sync {
    /// Stores a thought as the next row with its entry in the log, and queues its enrichment. What it becomes is told by
    /// [`decide::stored`](crate::decide::stored).
    async fn insert(&self, account: AccountId, thought: NewThought) -> Result<Thought, StoreError>;

    /// The thought of that id.
    async fn get(&self, account: AccountId, id: ThoughtId) -> Result<Option<Thought>, StoreError>;

    /// A page of thoughts, newest first.
    async fn list(&self, account: AccountId, listing: &Listing) -> Result<Vec<Thought>, StoreError>;

    /// Changes a thought as [`decide::revised`](crate::decide::revised) tells, adds the revision and a new entry in the log; a
    /// changed text also gets its new form, loses what was derived from the old one, and is queued again.
    async fn update(&self, account: AccountId, id: ThoughtId, update: FormedUpdate) -> Result<Updated, StoreError>;

    /// All revisions of a thought, oldest first.
    async fn revisions(&self, account: AccountId, id: ThoughtId) -> Result<Vec<Revision>, StoreError>;

    /// The thoughts captured within a time, the latest first.
    async fn captured_within(&self, account: AccountId, query: CapturedQuery) -> Result<Vec<Thought>, StoreError>;
}

/// A change of a thought with the words it has after it.
#[derive(Debug, Clone)]
pub struct FormedUpdate {
    /// The change.
    pub update: Update,
    /// The words of the text after it.
    pub form: UpdatedForm,
}

/// The words of a text after a change.
#[derive(Debug, Clone)]
pub enum UpdatedForm {
    /// Those of its new text.
    New(LexicalForm),
    /// The text is as it was, and so are its words: this many.
    Kept {
        /// How many.
        words: u32,
    },
}

/// The text notes attached to thoughts; as [`Notes`](crate::Notes) promises.
#[async_trait]
pub trait NoteRows: Send + Sync {
    /// Attaches a note and adds its entry to the log; `None` if there is no such thought.
    async fn insert_note(
        &self,
        account: AccountId,
        thought: ThoughtId,
        note: StoredNote,
        form: LexicalForm,
    ) -> Result<Option<Note>, StoreError>;

    /// The notes of one thought or of all, oldest first.
    async fn list_notes(&self, account: AccountId, thought: Option<ThoughtId>) -> Result<Vec<Note>, StoreError>;

    /// The name and text of each of these notes that exists, in no particular order.
    async fn note_texts(&self, account: AccountId, ids: &[NoteId])
    -> Result<Vec<(NoteId, String, String)>, StoreError>;

    /// Takes a note away from its thought, with an entry in the log that says so; `None` if there is no such note.
    async fn remove_note(&self, account: AccountId, id: NoteId, at: Time) -> Result<Option<Note>, StoreError>;
}

/// Everything out and in again; as [`Transfer`](crate::Transfer) promises.
#[async_trait]
pub trait TransferRows: Send + Sync {
    /// The next thoughts of the account in the order they were stored, each with its revisions and notes.
    async fn export(
        &self,
        account: AccountId,
        after: Option<ThoughtId>,
        limit: usize,
    ) -> Result<Vec<StoredThought>, StoreError>;

    /// The keys of the account with what stands for their secrets, oldest first, revoked ones included.
    async fn export_keys(&self, account: AccountId) -> Result<Vec<(Key, KeyHash)>, StoreError>;

    /// Stores thoughts as they were exported, each with the forms of its notes in their order, and queues their steps; a
    /// thought whose id exists is left as it is. Returns how many were stored.
    async fn import(
        &self,
        account: AccountId,
        thoughts: Vec<(StoredThought, Vec<LexicalForm>)>,
    ) -> Result<usize, StoreError>;

    /// Writes a consistent copy of the whole store into an empty folder, or says how copies are made.
    async fn backup(&self, folder: &Path) -> Result<Backup, StoreError>;
}

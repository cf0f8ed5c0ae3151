//! Thoughts, their revisions and notes as rows.

use std::path::Path;

use async_trait::async_trait;

use model::{AccountId, Key, KeyHash, Note, NoteId, Revision, RevisionKind, Thought, ThoughtId, Time};
use text::LexicalForm;

use crate::contract::{
    Backup, CapturedQuery, Listing, NewThought, NoteListing, Piece, PieceId, StoredNote, Update, Updated,
};
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

    /// The number and the kind of every revision of a thought, oldest first, without reading their texts.
    async fn revision_kinds(&self, account: AccountId, id: ThoughtId) -> Result<Vec<(u32, RevisionKind)>, StoreError>;

    /// One revision of a thought.
    async fn get_revision(
        &self,
        account: AccountId,
        id: ThoughtId,
        number: u32,
    ) -> Result<Option<Revision>, StoreError>;

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

    /// A page of the notes of one thought or of all, oldest first.
    async fn list_notes(&self, account: AccountId, listing: NoteListing) -> Result<Vec<Note>, StoreError>;

    /// The note of that id, unless it has been removed.
    async fn get_note(&self, account: AccountId, id: NoteId) -> Result<Option<Note>, StoreError>;

    /// The name and text of each of these notes that exists, in no particular order.
    async fn note_texts(&self, account: AccountId, ids: &[NoteId])
    -> Result<Vec<(NoteId, String, String)>, StoreError>;

    /// Takes a note away from its thought, with an entry in the log that says so; `None` if there is no such note.
    async fn remove_note(&self, account: AccountId, id: NoteId, at: Time) -> Result<Option<Note>, StoreError>;
}

/// Everything out and in again; as [`Transfer`](crate::Transfer) promises.
#[async_trait]
pub trait TransferRows: Send + Sync {
    /// The next pieces of the account: each thought in the order of storing, followed by its revisions and its notes, oldest
    /// first. As many as are handed over well at once, a few MiB; none only at the end.
    async fn export(&self, account: AccountId, after: Option<PieceId>) -> Result<Vec<Piece>, StoreError>;

    /// The keys of the account with what stands for their secrets, oldest first, revoked ones included.
    async fn export_keys(&self, account: AccountId) -> Result<Vec<(Key, KeyHash)>, StoreError>;

    /// Stores pieces as they were exported, notes with their entries in the log, and queues the steps of thoughts. What exists
    /// is left as it is: a thought or a note by its id, a revision by its number. A revision that its thought does not
    /// count, and what belongs to no thought of the account, is left out. Returns how many thoughts were stored.
    async fn import(&self, account: AccountId, pieces: Vec<FormedPiece>) -> Result<usize, StoreError>;

    /// Writes a consistent copy of the whole store into an empty folder, or says how copies are made.
    async fn backup(&self, folder: &Path) -> Result<Backup, StoreError>;
}

/// A piece with the words of a note.
#[derive(Debug, Clone)]
pub struct FormedPiece {
    /// The piece.
    pub piece: Piece,
    /// The form of its text, if it is a note.
    pub form: Option<LexicalForm>,
}

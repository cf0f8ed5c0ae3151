//! The store's traits, one per concern, and the values they exchange.

mod jobs;
mod knowledge;
mod lexical;
mod sittings;

use std::path::Path;

use async_trait::async_trait;

pub use jobs::{Claim, Derived, Enriched, Finished, Job, Jobs, Rebuild, Step, Ticket};
pub use knowledge::{
    Connections, Embedding, EntityHit, EntityQuery, Knowledge, KnownName, Linked, Relative, Relatives, SemanticHit,
    SemanticHits, SemanticQuery,
};
pub use lexical::{LexicalHit, LexicalHits, LexicalQuery, ResolvedTerm, Terms};
pub use lexical::{Seek, said};
pub use sittings::{Beside, Sittings, SittingsQuery};

use model::{
    Account, AccountId, AccountName, Author, AuthorFilter, Category, Cursor, Key, KeyHash, KeyId, KeyName, KeyPrefix,
    Note, NoteId, Revision, RevisionKind, Status, Thought, ThoughtId, ThoughtText, Time,
};
use text::LexicalForm;

use crate::error::StoreError;

/// Everything a back end can do.
pub trait Store: Accounts + Keys + Thoughts + Notes + Jobs + Knowledge + Transfer + Upkeep {}

impl<T: Accounts + Keys + Thoughts + Notes + Jobs + Knowledge + Transfer + Upkeep> Store for T {}

/// The accounts.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Stores an account; `false` if its id or name is taken.
    async fn insert_account(&self, account: &Account) -> Result<bool, StoreError>;

    /// The account of that name.
    async fn get_account(&self, name: &AccountName) -> Result<Option<Account>, StoreError>;

    /// All accounts, by name.
    async fn list_accounts(&self) -> Result<Vec<Account>, StoreError>;
}

/// The API keys.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Stores a key; `false` if its prefix is taken, so that the caller can mint another.
    async fn insert_key(&self, key: &NewKey) -> Result<bool, StoreError>;

    /// The key with that hash, revoked or not. Sees what other processes committed before the call.
    async fn get_key(&self, hash: &KeyHash) -> Result<Option<Key>, StoreError>;

    /// The keys of one account or of all, oldest first, revoked ones included.
    async fn list_keys(&self, account: Option<AccountId>) -> Result<Vec<Key>, StoreError>;

    /// Revokes a key for good; one that was revoked before keeps its time.
    async fn revoke_key(&self, id: KeyId, at: Time) -> Result<(), StoreError>;

    /// Notes when keys were last used; never moves a time back.
    async fn record_key_uses(&self, uses: &[(KeyId, Time)]) -> Result<(), StoreError>;
}

/// A key to store.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// Identifies the key.
    pub id: KeyId,
    /// The account it opens.
    pub account: AccountId,
    /// Its name.
    pub name: KeyName,
    /// Its first characters.
    pub prefix: KeyPrefix,
    /// What stands for the secret.
    pub hash: KeyHash,
    /// When it was made.
    pub created_at: Time,
    /// When it was revoked; only for keys that come from an export.
    pub revoked_at: Option<Time>,
}

/// The thoughts of an account, their revisions and their words.
#[async_trait]
pub trait Thoughts: Send + Sync {
    /// Stores a thought as open, makes it findable by its words and queues its enrichment: all or nothing, durable on return.
    ///
    /// `created_at` is given here, later than that of every thought the account already has: what a reader has paged past
    /// can therefore never be added to.
    async fn insert(&self, account: AccountId, thought: NewThought) -> Result<Thought, StoreError>;

    /// The thought of that id.
    async fn get(&self, account: AccountId, id: ThoughtId) -> Result<Option<Thought>, StoreError>;

    /// A page of thoughts, newest first.
    async fn list(&self, account: AccountId, listing: &Listing) -> Result<Vec<Thought>, StoreError>;

    /// Changes a thought and leaves a revision, if it still is at the revision the change was based on. A changed text
    /// replaces the lexical form, takes away what was derived from the old text and queues enrichment again.
    async fn update(&self, account: AccountId, id: ThoughtId, update: Update) -> Result<Updated, StoreError>;

    /// All revisions of a thought, oldest first; empty for a thought that never changed or does not exist.
    async fn revisions(&self, account: AccountId, id: ThoughtId) -> Result<Vec<Revision>, StoreError>;

    /// The thoughts and notes that hold the query's words, best first, ties by id. Sees everything acknowledged before
    /// the call, also by other processes.
    async fn search(&self, account: AccountId, query: &LexicalQuery) -> Result<LexicalHits, StoreError>;

    /// The thoughts stored up to so many steps before and after these in the same sitting: by the same source, about the
    /// same time, one after the other.
    async fn sittings(&self, account: AccountId, query: SittingsQuery) -> Result<Sittings, StoreError>;

    /// The thoughts captured within a time, the latest first.
    async fn captured_within(&self, account: AccountId, query: CapturedQuery) -> Result<Vec<Thought>, StoreError>;
}

/// Which thoughts may be seen.
#[derive(Debug, Clone, Copy)]
pub struct Visible {
    /// The status they have.
    pub status: Status,
    /// Whose they are.
    pub author: AuthorFilter,
}

impl Visible {
    /// What is open.
    #[must_use]
    pub const fn open(author: AuthorFilter) -> Self {
        Self { status: Status::Open, author }
    }
}

/// A search by when thoughts were captured.
#[derive(Debug, Clone, Copy)]
pub struct CapturedQuery {
    /// The first moment.
    pub start: Time,
    /// The first moment after.
    pub end: Time,
    /// Which thoughts may be seen.
    pub visible: Visible,
    /// How many at most.
    pub limit: usize,
}

/// A thought to store.
#[derive(Debug, Clone)]
pub struct NewThought {
    /// Identifies the thought.
    pub id: ThoughtId,
    /// Its text.
    pub raw_text: ThoughtText,
    /// What kind of thought it is, as far as known.
    pub category: Category,
    /// Whose memory it is.
    pub author: Author,
    /// The time it is about; the time of storing if not given.
    pub captured_at: Option<Time>,
}

/// A page of the browse order.
#[derive(Debug, Clone)]
pub struct Listing {
    /// Which thoughts may be seen.
    pub visible: Visible,
    /// Only what is strictly older.
    pub before: Option<Cursor>,
    /// How many at most.
    pub limit: usize,
}

/// A change of a thought. Either of text and status may be left as it is; both may not.
#[derive(Debug, Clone)]
pub struct Update {
    /// The revision count the change is based on.
    pub based_on: u32,
    /// The new text with its words.
    pub text: Option<(ThoughtText, LexicalForm)>,
    /// The new status.
    pub status: Option<Status>,
    /// How the change came about.
    pub kind: RevisionKind,
    /// The name of the key that asked.
    pub by: String,
}

/// What became of an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Updated {
    /// It was made; the thought as it is after it.
    Done(Box<Thought>),
    /// The thought has changed since: read it again and decide anew.
    Stale,
    /// There is no such thought.
    Absent,
}

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

    /// The notes of one thought or of all, oldest first.
    async fn list_notes(&self, account: AccountId, thought: Option<ThoughtId>) -> Result<Vec<Note>, StoreError>;

    /// The name and text of each of these notes that exists, in no particular order.
    async fn note_texts(&self, account: AccountId, ids: &[NoteId])
    -> Result<Vec<(NoteId, String, String)>, StoreError>;

    /// Takes a note away from its thought; `None` if there is no such note. Its text stays in the store, out of reach of
    /// searches.
    async fn remove_note(&self, account: AccountId, id: NoteId, at: Time) -> Result<Option<Note>, StoreError>;
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
    /// The words of the text; not part of an export, since they follow from the text.
    pub lexical: LexicalForm,
    /// When it was attached.
    pub created_at: Time,
    /// When it was taken away.
    pub removed_at: Option<Time>,
}

/// Everything out and in again.
#[async_trait]
pub trait Transfer: Send + Sync {
    /// The next thoughts of the account in the order they were stored, each with its revisions and notes.
    async fn export(
        &self,
        account: AccountId,
        after: Option<ThoughtId>,
        limit: usize,
    ) -> Result<Vec<StoredThought>, StoreError>;

    /// The keys of the account with what stands for their secrets, oldest first, revoked ones included.
    async fn export_keys(&self, account: AccountId) -> Result<Vec<(Key, KeyHash)>, StoreError>;

    /// Stores thoughts as they were exported and queues their steps; a thought whose id exists is left as it is.
    /// Returns how many were stored.
    async fn import(&self, account: AccountId, thoughts: Vec<StoredThought>) -> Result<usize, StoreError>;

    /// Writes a consistent copy of the whole store into an empty folder, while others read and write.
    async fn backup(&self, folder: &Path) -> Result<(), StoreError>;
}

/// A thought with everything the store keeps of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredThought {
    /// The thought.
    pub thought: Thought,
    /// Its revisions, oldest first.
    pub revisions: Vec<Revision>,
    /// Its notes, oldest first, removed ones included.
    pub notes: Vec<StoredNote>,
}

/// What keeps a store in shape.
#[async_trait]
pub trait Upkeep: Send + Sync {
    /// Counts what is stored.
    async fn stats(&self) -> Result<Stats, StoreError>;

    /// Does what is better done between requests than in one; cheap when there is nothing to do. Called every few seconds.
    async fn upkeep(&self) -> Result<(), StoreError>;

    /// Finishes what is under way and closes the files.
    async fn close(&self) -> Result<(), StoreError>;
}

/// Counts of what is stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Accounts.
    pub accounts: u64,
    /// Open thoughts.
    pub open: u64,
    /// Completed thoughts.
    pub completed: u64,
    /// Archived thoughts.
    pub archived: u64,
    /// Thoughts whose background work is not finished.
    pub pending_enrichment: u64,
    /// Thoughts whose background work was given up.
    pub given_up: u64,
    /// Bytes on disk.
    pub store_bytes: u64,
}

//! Thoughts and their revisions.

use async_trait::async_trait;

use model::{
    AccountId, Author, Category, Cursor, Revision, RevisionKind, Status, Thought, ThoughtId, ThoughtText, Time,
};

use super::lexical::{LexicalHits, LexicalQuery};
use super::sittings::{Sittings, SittingsQuery};
use super::visible::Visible;
use crate::error::StoreError;

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

    /// Changes a thought and leaves a revision, if it still is at the revision the change was based on. A changed text is
    /// found by its new words on return; what was derived from the old one is taken away, and enrichment queued again.
    async fn update(&self, account: AccountId, id: ThoughtId, update: Update) -> Result<Updated, StoreError>;

    /// The number and the kind of every revision of a thought, oldest first; empty for a thought that never changed or does not
    /// exist. However long the texts are, they are not read.
    async fn revision_kinds(&self, account: AccountId, id: ThoughtId) -> Result<Vec<(u32, RevisionKind)>, StoreError>;

    /// One revision of a thought.
    async fn get_revision(
        &self,
        account: AccountId,
        id: ThoughtId,
        number: u32,
    ) -> Result<Option<Revision>, StoreError>;

    /// The thoughts and notes that hold the query's words, best first, of equals the older. Sees everything acknowledged before
    /// the call, also by other processes.
    async fn search(&self, account: AccountId, query: &LexicalQuery) -> Result<LexicalHits, StoreError>;

    /// The thoughts stored up to so many steps before and after these in the same sitting: by the same source, about the
    /// same time, one after the other.
    async fn sittings(&self, account: AccountId, query: SittingsQuery) -> Result<Sittings, StoreError>;

    /// The thoughts captured within a time, the latest first.
    async fn captured_within(&self, account: AccountId, query: CapturedQuery) -> Result<Vec<Thought>, StoreError>;
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
    /// The new text.
    pub text: Option<ThoughtText>,
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

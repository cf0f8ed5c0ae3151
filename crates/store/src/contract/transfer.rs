//! Everything out and in again.

use std::path::Path;

use async_trait::async_trait;

use model::{AccountId, Key, KeyHash, NoteId, Revision, Thought, ThoughtId};

use super::notes::StoredNote;
use crate::error::StoreError;

/// Everything out and in again.
#[async_trait]
pub trait Transfer: Send + Sync {
    /// The next pieces of the account: each thought in the order of storing, followed by its revisions and its notes, oldest
    /// first. As many as are handed over well at once, a few MiB; none only at the end.
    async fn export(&self, account: AccountId, after: Option<PieceId>) -> Result<Vec<Piece>, StoreError>;

    /// The keys of the account with what stands for their secrets, oldest first, revoked ones included.
    async fn export_keys(&self, account: AccountId) -> Result<Vec<(Key, KeyHash)>, StoreError>;

    /// Those of these thoughts that there are, in no particular order.
    async fn existing(&self, account: AccountId, ids: &[ThoughtId]) -> Result<Vec<ThoughtId>, StoreError>;

    /// Stores pieces as they were exported and queues the steps of thoughts. What exists is left as it is: a thought or a note
    /// by its id, a revision by its number, so that an import that broke off goes on where it was. A revision that its thought
    /// does not count, and what belongs to no thought of the account, is left out. Returns how many thoughts were stored.
    async fn import(&self, account: AccountId, pieces: Vec<Piece>) -> Result<usize, StoreError>;

    /// Writes a consistent copy of the whole store into an empty folder, while others read and write, or says how copies of
    /// this kind of store are made.
    async fn backup(&self, folder: &Path) -> Result<Backup, StoreError>;
}

/// What became of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Backup {
    /// It was made and checked, and opens as a store of its own.
    Made {
        /// How many accounts are in it.
        accounts: u64,
        /// How many thoughts are in it.
        thoughts: u64,
        /// The accounts that could not be copied because they are damaged, each with what is wrong with it.
        left_out: Vec<(AccountId, String)>,
    },
    /// Whoever runs the store's server makes its copies; a sentence that says how.
    Elsewhere(String),
}

/// A part of an account that is handed over by itself: however much belongs to a thought, each of them fits into memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A thought; how many revisions it has is part of it.
    Thought(Thought),
    /// A revision of a thought that came before.
    Revision(ThoughtId, Revision),
    /// A note of a thought that came before; it may have been removed.
    Note(ThoughtId, StoredNote),
}

/// What a piece is named by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PieceId {
    /// A thought.
    Thought(ThoughtId),
    /// A revision of a thought, by its number.
    Revision(ThoughtId, u32),
    /// A note of a thought.
    Note(ThoughtId, NoteId),
}

impl Piece {
    /// What it is named by.
    pub fn id(&self) -> PieceId {
        match self {
            Self::Thought(thought) => PieceId::Thought(thought.id),
            Self::Revision(thought, revision) => PieceId::Revision(*thought, revision.number),
            Self::Note(thought, note) => PieceId::Note(*thought, note.id),
        }
    }
}

impl PieceId {
    /// The thought it is or belongs to.
    pub fn thought(self) -> ThoughtId {
        match self {
            Self::Thought(thought) | Self::Revision(thought, _) | Self::Note(thought, _) => thought,
        }
    }
}

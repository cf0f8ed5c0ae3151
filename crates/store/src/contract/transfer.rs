//! Everything out and in again.

use std::path::Path;

use async_trait::async_trait;

use model::{AccountId, Key, KeyHash, Revision, Thought, ThoughtId};

use super::notes::StoredNote;
use crate::error::StoreError;

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

//! What keeps a store in shape, and what is in it.

use async_trait::async_trait;

use model::AccountId;

use crate::error::StoreError;

/// What keeps a store in shape.
#[async_trait]
pub trait Upkeep: Send + Sync {
    /// Counts what is stored. An account that cannot be read is counted as damaged, and its thoughts are left out.
    async fn stats(&self) -> Result<Stats, StoreError>;

    /// Does what is better done between requests than in one; cheap when there is nothing to do. Called every few seconds.
    async fn upkeep(&self) -> Result<(), StoreError>;

    /// The accounts that could not be read when somebody last looked, each with what is wrong and what to do about it.
    async fn damaged(&self) -> Result<Vec<(AccountId, String)>, StoreError>;

    /// Holds no more than so many bytes in memory of the accounts that have been searched, by estimate: at the next upkeep, those
    /// asked for least recently are let go until the others fit. Nothing is lost by it but time.
    fn hold_at_most(&self, bytes: u64);

    /// Fails if nothing can be stored any more, whatever the account: the store is gone or out of reach. Cheap.
    async fn check(&self) -> Result<(), StoreError>;

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
    /// Accounts that cannot be read.
    pub damaged: u64,
    /// Bytes on disk.
    pub store_bytes: u64,
    /// Bytes that this process holds in memory of the accounts that have been searched, by estimate.
    pub held_bytes: u64,
}

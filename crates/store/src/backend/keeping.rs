//! A back end as a whole.

use async_trait::async_trait;

use model::AccountId;

use crate::contract::Stats;
use crate::error::StoreError;

/// What a back end holds, and holding it.
#[async_trait]
pub trait Keeping: Send + Sync {
    /// Counts what is stored.
    async fn stats(&self) -> Result<Stats, StoreError>;

    /// The accounts that could not be read when somebody last looked, each with what is wrong and what to do about it.
    async fn damaged(&self) -> Result<Vec<(AccountId, String)>, StoreError>;

    /// Fails if nothing can be stored any more, whatever the account.
    async fn check(&self) -> Result<(), StoreError>;

    /// Lets go of what is held open for accounts other than these.
    async fn let_go(&self, in_use: &[AccountId]) -> Result<(), StoreError>;

    /// Finishes what is under way and closes everything.
    async fn close(&self) -> Result<(), StoreError>;
}

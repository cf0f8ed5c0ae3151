//! The queue of background work is the back end's alone.

use async_trait::async_trait;
use tokio::sync::watch;

use model::{AccountId, ThoughtId, Time};

use super::store::IndexedStore;
use crate::contract::{Claim, Enrichment, Job, Jobs, Rebuild, Ticket};
use crate::error::StoreError;

#[async_trait]
impl Jobs for IndexedStore {
    fn work_signal(&self) -> watch::Receiver<u64> {
        self.backend.work_signal()
    }

    async fn accounts_with_work(&self, now: Time) -> Result<Vec<AccountId>, StoreError> {
        self.backend.accounts_with_work(now).await
    }

    async fn accounts_known_to_have_work(&self, now: Time) -> Result<Vec<AccountId>, StoreError> {
        self.backend.accounts_known_to_have_work(now).await
    }

    async fn accounts_with_another_model(&self, model: &str) -> Result<Vec<AccountId>, StoreError> {
        self.backend.accounts_with_another_model(model).await
    }

    async fn claim(&self, account: AccountId, claim: Claim) -> Result<Vec<Job>, StoreError> {
        self.rows(account).claim(account, claim).await
    }

    async fn retry_at(&self, account: AccountId, ticket: Ticket, at: Time) -> Result<(), StoreError> {
        self.rows(account).retry_at(account, ticket, at).await
    }

    async fn put_back(&self, account: AccountId, tickets: Vec<Ticket>, at: Time) -> Result<(), StoreError> {
        self.rows(account).put_back(account, tickets, at).await
    }

    async fn queue_rebuild(&self, account: AccountId, rebuild: Rebuild, limit: usize) -> Result<bool, StoreError> {
        self.rows(account).queue_rebuild(account, rebuild, limit).await
    }

    async fn enrichment_of(&self, account: AccountId, id: ThoughtId) -> Result<Option<Enrichment>, StoreError> {
        self.rows(account).enrichment_of(account, id).await
    }

    async fn try_again(&self, account: AccountId, id: ThoughtId) -> Result<(), StoreError> {
        self.rows(account).try_again(account, id).await
    }

    async fn give_up(&self, account: AccountId, ticket: Ticket) -> Result<(), StoreError> {
        self.rows(account).give_up(account, ticket).await
    }
}

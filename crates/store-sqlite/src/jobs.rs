//! Background work: which accounts have some, and leasing it.

use async_trait::async_trait;
use tokio::sync::watch;

use model::{AccountId, ThoughtId, Time};
use store::{Claim, Enrichment, Job, Jobs, Rebuild, StoreError, Ticket};

use crate::folder::SqliteStore;
use crate::stamp::Stamp;
use crate::{queue, vectors};

#[async_trait]
impl Jobs for SqliteStore {
    fn work_signal(&self) -> watch::Receiver<u64> {
        self.work.subscribe()
    }

    async fn accounts_with_work(&self, now: Time) -> Result<Vec<AccountId>, StoreError> {
        let mut with_work = Vec::new();
        for (account, due) in self.of_all(|summary| summary.next_due, queue::next_due).await? {
            let Some(due) = due else { continue };
            self.work.seen(account);
            with_work.extend((due <= now).then_some(account));
        }
        Ok(with_work)
    }

    async fn accounts_known_to_have_work(&self, now: Time) -> Result<Vec<AccountId>, StoreError> {
        let mut with_work = Vec::new();
        for (account, noted) in self.work.known() {
            let stamp = Stamp::of(&self.account_path(account));
            let next_due = self.of_one(account, stamp, |summary| summary.next_due, queue::next_due).await?;
            match next_due {
                Some(Some(due)) => with_work.extend((due <= now).then_some(account)),
                Some(None) => self.work.done(account, noted),
                // It cannot be read now; its work is still there when it can be.
                None => {}
            }
        }
        Ok(with_work)
    }

    async fn accounts_with_another_model(&self, model: &str) -> Result<Vec<AccountId>, StoreError> {
        let serving = self.of_all(|summary| summary.model, vectors::serving).await?;
        let is_other = |serving: &Option<String>| serving.as_deref().is_some_and(|serving| serving != model);
        Ok(serving.into_iter().filter(|(_, serving)| is_other(serving)).map(|(account, _)| account).collect())
    }

    async fn claim(&self, account: AccountId, claim: Claim) -> Result<Vec<Job>, StoreError> {
        self.account(account).await?.database.write(move |connection| queue::claim(connection, claim)).await
    }

    async fn retry_at(&self, account: AccountId, ticket: Ticket, at: Time) -> Result<(), StoreError> {
        let sql = "UPDATE job SET leased = 0, due_at = ?4 WHERE thought = ?1 AND step = ?2 AND version = ?3";
        self.account(account).await?.database.write(move |connection| queue::settle(connection, sql, ticket, at)).await
    }

    async fn put_back(&self, account: AccountId, tickets: Vec<Ticket>, at: Time) -> Result<(), StoreError> {
        let sql = "UPDATE job SET leased = 0, due_at = ?4, attempts = attempts - 1
                   WHERE thought = ?1 AND step = ?2 AND version = ?3 AND leased = 1";
        self.account(account)
            .await?
            .database
            .write(move |connection| {
                tickets.into_iter().try_for_each(|ticket| queue::settle(connection, sql, ticket, at))
            })
            .await
    }

    async fn queue_rebuild(&self, account: AccountId, rebuild: Rebuild, limit: usize) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let file = self.account(account).await?;
        let more =
            file.database.write(move |connection| queue::queue_rebuild(connection, &rebuild, now, limit)).await?;
        self.work.queued(account);
        Ok(more)
    }

    async fn enrichment_of(&self, account: AccountId, id: ThoughtId) -> Result<Option<Enrichment>, StoreError> {
        let file = self.account(account).await?;
        file.database.look_up(move |connection| queue::enrichment_of(connection, id)).await
    }

    async fn try_again(&self, account: AccountId, id: ThoughtId) -> Result<(), StoreError> {
        let now = self.clock.now();
        let file = self.account(account).await?;
        file.database.write(move |connection| queue::try_again(connection, id, now)).await?;
        self.work.queued(account);
        Ok(())
    }

    async fn give_up(&self, account: AccountId, ticket: Ticket) -> Result<(), StoreError> {
        let sql = "UPDATE job SET leased = 0, due_at = ?4, given_up = 1
                   WHERE thought = ?1 AND step = ?2 AND version = ?3";
        let never = Time::from_micros(i64::MAX);
        self.account(account)
            .await?
            .database
            .write(move |connection| queue::settle(connection, sql, ticket, never))
            .await
    }
}

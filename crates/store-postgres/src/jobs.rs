//! Background work: which accounts have some, and leasing it.

use async_trait::async_trait;
use tokio::sync::watch;
use tokio_postgres::Row as SqlRow;
use uuid::Uuid;

use model::{AccountId, ThoughtId, Time};
use store::{Claim, Enrichment, Job, Jobs, Rebuild, StoreError, Ticket};

use crate::connection::Connection;
use crate::place::PostgresStore;
use crate::row::{Stored, account_id, get, seq, small};
use crate::statement::{Statement, statements};
use crate::{ends, queue};

/// The accounts with work, whether they have thoughts that are new, and when their next job is due: one look-up in the index for each of
/// its leading values.
macro_rules! accounts_with_work {
    ($condition:literal) => {
        concat!(
            "SELECT work.account_id,
                    coalesce(log_end.row >= coalesce(derived_end.next_new, 1), false) OR EXISTS (
                        SELECT 1 FROM queued
                        WHERE queued.account_id = work.account_id AND queued.subject = 'linked again'::bytea), (
                 SELECT min(next.due_at)
                 FROM (VALUES ('enrich'), ('link')) AS step (word)
                 CROSS JOIN (VALUES (false, 0::smallint), (false, 1), (true, 0), (true, 1)) AS kind (leased, urgency)
                 CROSS JOIN LATERAL (
                     SELECT job.due_at FROM job
                     WHERE job.account_id = work.account_id AND NOT job.given_up AND job.step = step.word
                       AND job.leased = kind.leased AND job.urgency = kind.urgency
                     ORDER BY job.due_at LIMIT 1) AS next)
             FROM work
             LEFT JOIN log_end ON log_end.account_id = work.account_id
             LEFT JOIN derived_end ON derived_end.account_id = work.account_id",
            $condition
        )
    };
}

/// Changes the job a ticket names, if it is still there.
macro_rules! settled {
    ($changes:literal, $condition:literal) => {
        concat!(
            "UPDATE job SET ",
            $changes,
            " FROM thought WHERE thought.account_id = job.account_id AND thought.row = job.thought
                AND job.account_id = $1 AND thought.id = $2 AND job.step = $3 AND job.version = $4",
            $condition
        )
    };
}

statements! {
    ALL_WITH_WORK, AllAccounts: accounts_with_work!("");
    SOME_WITH_WORK, AllAccounts: accounts_with_work!(" WHERE work.account_id = ANY ($1)");
    OTHER_MODELS, AllAccounts: "SELECT DISTINCT account_id FROM model WHERE state = 1 AND name <> $1";
    ENRICHMENT_OF, Account:
        "SELECT thought.row >= coalesce(derived_end.next_new, 1),
                (SELECT bool_or(job.given_up) FROM job
                 WHERE job.account_id = thought.account_id AND job.thought = thought.row)
         FROM thought LEFT JOIN derived_end ON derived_end.account_id = thought.account_id
         WHERE thought.account_id = $1 AND thought.id = $2";
    RETRY_AT, Account: settled!("leased = false, due_at = $5", "");
    PUT_BACK, Account: settled!("leased = false, due_at = $5, attempts = job.attempts - 1", " AND job.leased");
    GIVE_UP, Account: settled!("leased = false, due_at = $5, given_up = true", "");
    TRY_AGAIN, Account:
        "UPDATE job SET given_up = false, leased = false, attempts = 0, urgency = 0, due_at = $3
         FROM thought WHERE thought.account_id = job.account_id AND thought.row = job.thought
           AND job.account_id = $1 AND thought.id = $2 AND job.given_up
         RETURNING job.thought";
}

#[async_trait]
impl Jobs for PostgresStore {
    fn work_signal(&self) -> watch::Receiver<u64> {
        self.work.subscribe()
    }

    async fn accounts_with_work(&self, now: Time) -> Result<Vec<AccountId>, StoreError> {
        let mut with_work = Vec::new();
        for found in self.query(&ALL_WITH_WORK, &[]).await? {
            let account = account_id(&found, 0)?;
            match next_due(&found)? {
                Some(due) => {
                    self.work.seen(account);
                    with_work.extend((due <= now).then_some(account));
                }
                None => self.forget_work(account).await?,
            }
        }
        Ok(with_work)
    }

    async fn accounts_known_to_have_work(&self, now: Time) -> Result<Vec<AccountId>, StoreError> {
        let known = self.work.known();
        if known.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<Uuid> = known.iter().map(|(account, _)| account.stored()).collect();
        let mut due_at = rustc_hash::FxHashMap::default();
        for found in self.query(&SOME_WITH_WORK, &[&ids]).await? {
            due_at.insert(account_id(&found, 0)?, next_due(&found)?);
        }
        let mut with_work = Vec::new();
        for (account, noted) in known {
            match due_at.get(&account) {
                Some(Some(due)) => with_work.extend((*due <= now).then_some(account)),
                Some(None) => {
                    self.forget_work(account).await?;
                    self.work.done(account, noted);
                }
                // Another copy has found it done.
                None => self.work.done(account, noted),
            }
        }
        Ok(with_work)
    }

    async fn accounts_with_another_model(&self, model: &str) -> Result<Vec<AccountId>, StoreError> {
        let found = self.query(&OTHER_MODELS, &[&model.as_bytes()]).await?;
        found.iter().map(|found| account_id(found, 0)).collect()
    }

    async fn claim(&self, account: AccountId, claim: Claim) -> Result<Vec<Job>, StoreError> {
        let mut transaction = self.transaction().await?;
        let jobs = queue::claim(&mut transaction, account, claim).await?;
        transaction.commit().await?;
        Ok(jobs)
    }

    async fn retry_at(&self, account: AccountId, ticket: Ticket, at: Time) -> Result<(), StoreError> {
        settle(&mut self.database.connection().await?, &RETRY_AT, account, ticket, at).await
    }

    async fn put_back(&self, account: AccountId, tickets: Vec<Ticket>, at: Time) -> Result<(), StoreError> {
        let mut transaction = self.transaction().await?;
        for ticket in tickets {
            settle(&mut transaction, &PUT_BACK, account, ticket, at).await?;
        }
        transaction.commit().await
    }

    async fn queue_rebuild(&self, account: AccountId, rebuild: Rebuild, limit: usize) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let mut transaction = self.transaction().await?;
        let more = queue::queue_rebuild(&mut transaction, account, &rebuild, now, limit).await?;
        transaction.commit().await?;
        self.work.queued(account);
        Ok(more)
    }

    async fn enrichment_of(&self, account: AccountId, id: ThoughtId) -> Result<Option<Enrichment>, StoreError> {
        let found = self.first(&ENRICHMENT_OF, &[&account.stored(), &id.stored()]).await?;
        let Some(found) = found else { return Ok(None) };
        Ok(Some(match (get::<bool>(&found, 0)?, get::<Option<bool>>(&found, 1)?) {
            (true, _) | (false, Some(false)) => Enrichment::Pending,
            (false, None) => Enrichment::Done,
            (false, Some(true)) => Enrichment::GivenUp,
        }))
    }

    async fn try_again(&self, account: AccountId, id: ThoughtId) -> Result<(), StoreError> {
        let now = self.clock.now();
        let mut transaction = self.transaction().await?;
        let next_new = ends::lock_derived(&mut transaction, account).await?.next_new;
        let tried = transaction.first(&TRY_AGAIN, &[&account.stored(), &id.stored(), &now.as_micros()]).await?;
        if let Some(tried) = tried {
            queue::link_again_after(&mut transaction, account, next_new, small(&tried, 0)?).await?;
        }
        ends::note_work(&mut transaction, account).await?;
        transaction.commit().await?;
        self.work.queued(account);
        Ok(())
    }

    async fn give_up(&self, account: AccountId, ticket: Ticket) -> Result<(), StoreError> {
        let never = Time::from_micros(i64::MAX);
        settle(&mut self.database.connection().await?, &GIVE_UP, account, ticket, never).await
    }
}

impl PostgresStore {
    async fn forget_work(&self, account: AccountId) -> Result<(), StoreError> {
        let mut transaction = self.transaction().await?;
        queue::forget_work(&mut transaction, account).await?;
        transaction.commit().await
    }
}

/// Changes the job a ticket names, if it is still there.
async fn settle(
    connection: &mut Connection,
    statement: &'static Statement,
    account: AccountId,
    ticket: Ticket,
    at: Time,
) -> Result<(), StoreError> {
    let (step, version) = (ticket.step.as_str(), seq(ticket.version));
    let (account, thought) = (account.stored(), ticket.thought.stored());
    connection.execute(statement, &[&account, &thought, &step, &version, &at.as_micros()]).await.map(drop)
}

/// When the next work of an account is due; what is new is due at once, whatever the clock said when it was stored.
fn next_due(found: &SqlRow) -> Result<Option<Time>, StoreError> {
    let due: Option<i64> = get(found, 2)?;
    let any_new: bool = get(found, 1)?;
    Ok(due.into_iter().chain(any_new.then_some(0)).min().map(Time::from_micros))
}

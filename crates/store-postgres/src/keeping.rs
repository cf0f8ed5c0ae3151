//! The database as a whole: what it holds, and letting go of it.

use async_trait::async_trait;

use model::AccountId;
use store::backend::Keeping;
use store::{Stats, StoreError};

use crate::error::damaged;
use crate::migration;
use crate::place::PostgresStore;
use crate::row::number;
use crate::statement::statements;

statements! {
    STATS, AllAccounts:
        "SELECT (SELECT count(*) FROM account),
                coalesce(sum(log_end.open), 0)::bigint,
                coalesce(sum(log_end.completed), 0)::bigint,
                coalesce(sum(log_end.archived), 0)::bigint,
                coalesce(sum(greatest(log_end.row + 1 - least(coalesce(derived_end.next_new, 1), again.next), 0)), 0)::bigint
                    + (SELECT count(*) FROM (
                           SELECT DISTINCT job.account_id, job.thought FROM job
                           LEFT JOIN queued AS later
                                  ON later.account_id = job.account_id AND later.subject = 'linked again'::bytea
                           WHERE NOT job.given_up AND job.thought < coalesce(later.next, job.thought + 1)) AS due),
                (SELECT count(*) FROM (SELECT DISTINCT account_id, thought FROM job WHERE given_up) AS failed),
                (SELECT coalesce(sum(pg_total_relation_size(relation.oid)), 0)::bigint
                 FROM pg_catalog.pg_class AS relation
                 JOIN pg_catalog.pg_namespace AS schema ON schema.oid = relation.relnamespace
                 WHERE schema.nspname = $1 AND relation.relkind IN ('r', 'p'))
         FROM log_end LEFT JOIN derived_end ON derived_end.account_id = log_end.account_id
         LEFT JOIN queued AS again ON again.account_id = log_end.account_id AND again.subject = 'linked again'::bytea";
}

#[async_trait]
impl Keeping for PostgresStore {
    async fn stats(&self) -> Result<Stats, StoreError> {
        let found = self.first(&STATS, &[&self.database.schema.as_str()]).await?;
        let found = found.ok_or_else(|| damaged("log_end", "no row"))?;
        Ok(Stats {
            accounts: number(&found, 0)?,
            open: number(&found, 1)?,
            completed: number(&found, 2)?,
            archived: number(&found, 3)?,
            pending_enrichment: number(&found, 4)?,
            given_up: number(&found, 5)?,
            damaged: 0,
            store_bytes: number(&found, 6)?,
            held_bytes: 0,
        })
    }

    async fn damaged(&self) -> Result<Vec<(AccountId, String)>, StoreError> {
        // A database that is damaged is so as a whole, and says so itself.
        Ok(Vec::new())
    }

    async fn check(&self) -> Result<(), StoreError> {
        migration::still_known(&mut self.database.connection().await?, &self.database).await
    }

    async fn let_go(&self, in_use: &[AccountId]) -> Result<(), StoreError> {
        self.tallies.retain(in_use);
        Ok(())
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.database.close();
        Ok(())
    }
}

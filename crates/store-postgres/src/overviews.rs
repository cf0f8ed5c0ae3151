//! An account as a person looks at it: lists by filters, counts and changes.

use async_trait::async_trait;
use tokio_postgres::Row as SqlRow;

use annotate::entities::EntityKey;
use model::{AccountId, Category, Cursor, Thought, ThoughtId};
use store::backend::Row;
use store::{
    Among, Census, ChangeMark, Changes, Duplicates, EntityListing, EntityPage, EntityView, Filter, Focus, Graph,
    Overviews, StoreError, Whose,
};

use crate::place::PostgresStore;
use crate::row::{self, Stored, limit, number, seq, small, status_number, thought_columns, thought_id};
use crate::statement::{Statement, statements};
use crate::tally::changed_rows;
use crate::{duplicates, entity_views, graph, tally};

/// The rows of the thoughts that a filter admits, newest first.
macro_rules! filtered {
    () => {
        "SELECT listed.row FROM thought AS listed
         WHERE listed.account_id = $1
           AND listed.created_at <= $2
           AND (listed.created_at < $2 OR $3::uuid IS NOT NULL AND listed.id < $3)
           AND ($4::smallint IS NULL OR listed.status = $4)
           AND ($5::smallint IS NULL OR listed.author = $5)
           AND ($6::text IS NULL OR listed.category = $6)
           AND listed.captured_at >= $7 AND listed.captured_at < $8
           AND ($9::bytea IS NULL OR listed.agent_name = $9)
           AND ($10::bigint IS NULL OR EXISTS (
                    SELECT 1 FROM mention
                    JOIN entity ON entity.account_id = mention.account_id AND entity.row = mention.entity
                    WHERE mention.account_id = $1 AND mention.thought = listed.row
                      AND (entity.row = $10 OR entity.stands_for = $10)))
         ORDER BY listed.created_at DESC, listed.id DESC LIMIT $11"
    };
}

statements! {
    // The row comes first: no text is read to pass a thought over.
    LIST_FILTERED, Account: concat!(
        "SELECT ", thought_columns!(), " FROM (", filtered!(), ") AS page
         CROSS JOIN LATERAL (
             SELECT * FROM thought WHERE thought.account_id = $1 AND thought.row = page.row LIMIT 1) AS thought
         ORDER BY thought.created_at DESC, thought.id DESC"
    );
    ROWS_FILTERED, Account: filtered!();
    COUNTS, Account:
        "SELECT (SELECT count(*) FROM note WHERE note.account_id = $1 AND note.removed_at IS NULL),
                (SELECT count(*) FROM entity
                 WHERE entity.account_id = $1 AND entity.stands_for IS NULL AND entity.kind <> 'date'),
                (SELECT count(DISTINCT job.thought) FROM job WHERE job.account_id = $1 AND NOT job.given_up
                   AND job.thought < coalesce((SELECT again.next FROM queued AS again
                                               WHERE again.account_id = $1 AND again.subject = 'linked again'::bytea),
                                              job.thought + 1)),
                (SELECT count(DISTINCT failed.thought) FROM job AS failed
                 WHERE failed.account_id = $1 AND failed.given_up),
                coalesce((SELECT log_end.row FROM log_end WHERE log_end.account_id = $1), 0),
                least(coalesce((SELECT derived_end.next_new FROM derived_end WHERE derived_end.account_id = $1), 1),
                      (SELECT queued.next FROM queued
                       WHERE queued.account_id = $1 AND queued.subject = 'linked again'::bytea))";
    CHANGED, Account: concat!(
        "SELECT thought.id FROM thought WHERE thought.account_id = $1 AND thought.row IN (", changed_rows!(), ")
         ORDER BY thought.row LIMIT $5"
    );
}

#[async_trait]
impl Overviews for PostgresStore {
    async fn list_filtered(
        &self,
        account: AccountId,
        filter: &Filter,
        before: Option<Cursor>,
        most: usize,
    ) -> Result<Vec<Thought>, StoreError> {
        let found = self.filtered(&LIST_FILTERED, account, filter, before, Some(limit(most))).await?;
        Ok(row::thoughts(&found)?.into_iter().map(|found| found.thought).collect())
    }

    async fn among(&self, account: AccountId, filter: &Filter) -> Result<Among, StoreError> {
        let found = self.filtered(&ROWS_FILTERED, account, filter, None, None).await?;
        let rows: Vec<Row> = found.iter().map(|found| small(found, 0)).collect::<Result<_, _>>()?;
        Ok(Among::new(filter.clone(), &rows))
    }

    async fn mentioning(
        &self,
        account: AccountId,
        entity: &EntityKey,
        ids: &[ThoughtId],
    ) -> Result<Vec<ThoughtId>, StoreError> {
        entity_views::mentioning(&mut self.database.connection().await?, account, entity, ids).await
    }

    async fn census(&self, account: AccountId) -> Result<Census, StoreError> {
        let known = self.tallies.of(account);
        let mut known = known.lock().await;
        let mut connection = self.database.connection().await?;
        let mut census = tally::census(&mut connection, account, &mut known).await?;
        if let Some(found) = connection.first(&COUNTS, &[&account.stored()]).await? {
            census.notes = number(&found, 0)?;
            census.entities = number(&found, 1)?;
            census.given_up = number(&found, 3)?;
            let unqueued = (number(&found, 4)? + 1).saturating_sub(number(&found, 5)?);
            census.pending = number(&found, 2)? + unqueued;
        }
        Ok(census)
    }

    async fn list_entities(&self, account: AccountId, listing: &EntityListing) -> Result<EntityPage, StoreError> {
        entity_views::page(&mut self.database.connection().await?, account, listing).await
    }

    async fn entity(&self, account: AccountId, key: &EntityKey) -> Result<Option<EntityView>, StoreError> {
        entity_views::view(&mut self.database.connection().await?, account, key).await
    }

    async fn entities_of_thought(
        &self,
        account: AccountId,
        id: ThoughtId,
    ) -> Result<Vec<(EntityKey, String)>, StoreError> {
        entity_views::of_thought(&mut self.database.connection().await?, account, id).await
    }

    async fn graph(&self, account: AccountId, focus: &Focus, most: usize) -> Result<Graph, StoreError> {
        graph::read(&mut self.database.connection().await?, account, focus, most).await
    }

    async fn duplicates(&self, account: AccountId, skip: usize, most: usize) -> Result<Duplicates, StoreError> {
        let known = self.tallies.of(account);
        let mut known = known.lock().await;
        let mut connection = self.database.connection().await?;
        let groups = tally::duplicates(&mut connection, account, &mut known).await?;
        drop(known);
        duplicates::page(&mut connection, account, groups, skip, most).await
    }

    async fn changes(&self, account: AccountId, since: Option<ChangeMark>, most: usize) -> Result<Changes, StoreError> {
        let mut connection = self.database.connection().await?;
        let mark = tally::mark(&mut connection, account).await?;
        let Some(since) = since.filter(|since| *since != mark) else {
            return Ok(Changes { mark, thoughts: Vec::new(), more: false });
        };
        let values = (i64::from(since.row), seq(since.entry), seq(since.vector), limit(most) + 1);
        let found =
            connection.query(&CHANGED, &[&account.stored(), &values.0, &values.1, &values.2, &values.3]).await?;
        let mut changed: Vec<ThoughtId> = found.iter().map(|found| thought_id(found, 0)).collect::<Result<_, _>>()?;
        let more = changed.len() > most;
        changed.truncate(most);
        Ok(Changes { mark, thoughts: changed, more })
    }
}

impl PostgresStore {
    /// What a statement with the conditions of [`filtered`] finds; without a limit everything.
    async fn filtered(
        &self,
        statement: &'static Statement,
        account: AccountId,
        filter: &Filter,
        before: Option<Cursor>,
        most: Option<i64>,
    ) -> Result<Vec<SqlRow>, StoreError> {
        let mut connection = self.database.connection().await?;
        let entity = match &filter.entity {
            Some(key) => match entity_views::full(&mut connection, account, key).await? {
                Some(full) => Some(full),
                None => return Ok(Vec::new()),
            },
            None => None,
        };
        let (author, agent) = match &filter.whose {
            Whose::Everybodys => (None, None),
            Whose::Users => (Some(0_i16), None),
            Whose::Agents => (Some(1), None),
            Whose::Agent(name) => (Some(1), Some(name.as_bytes())),
        };
        let created_at = before.map_or(i64::MAX, |cursor| cursor.created_at.as_micros());
        let id = before.and_then(|cursor| cursor.id).map(|id| id.stored());
        let (status, category) = (filter.status.map(status_number), filter.category.map(Category::as_str));
        let from = filter.from.map_or(i64::MIN, |from| from.as_micros());
        let to = filter.to.map_or(i64::MAX, |to| to.as_micros());
        connection
            .query_as_given(
                statement,
                &[&account.stored(), &created_at, &id, &status, &author, &category, &from, &to, &agent, &entity, &most],
            )
            .await
    }
}

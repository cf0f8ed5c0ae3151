//! What is derived from texts: stored when a job is finished, gone when the text changes, read for searches and links.

use async_trait::async_trait;
use rustc_hash::FxHashSet;

use annotate::entities::{EntityKey, EntityKind, Mention};
use model::{AccountId, ThoughtId};
use store::backend::{DerivedRow, DerivedRows, FinishedRow, GroupRow, GroupsOf, LinkKind, LinkRow, NameRow, Row};
use store::models::Model;
use store::{Link, Mentioned, MetName, Step, StoreError};

use crate::connection::Connection;
use crate::looked_up;
use crate::place::PostgresStore;
use crate::row::{Stored, get, rows, seq, small};
use crate::statement::statements;
use crate::{ends, entities, links, queue, vectors};

statements! {
    // Due at once, and before texts that have not been looked at.
    TURN_TO_LINKING, Account:
        "UPDATE job SET step = 'link', leased = false, attempts = 0, due_at = 0
         FROM unnest($2::bigint[], $3::bigint[]) AS done (thought, version)
         WHERE job.account_id = $1 AND job.thought = done.thought AND job.step = 'enrich' AND job.version = done.version
         RETURNING job.thought";
    // Of the jobs named, those that are there.
    QUEUED, Account:
        "SELECT job.thought FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS done (thought, version, step)
         JOIN job ON job.account_id = $1 AND job.thought = done.thought AND job.step = done.step
                 AND job.version = done.version
         WHERE NOT job.given_up";
    SET_CATEGORIES, Account: "UPDATE thought SET category = new.category
                              FROM unnest($2::bigint[], $3::text[]) AS new (row, category)
                              WHERE thought.account_id = $1 AND thought.row = new.row";
    VECTORS_OF, Account: "SELECT DISTINCT ON (vector.thought) vector.thought, vector.parts FROM vector
                          WHERE account_id = $1 AND vector.model = $2 AND vector.thought = ANY ($3)
                          ORDER BY vector.thought, vector.seq DESC";
    TOKENS_OF, Account: "SELECT DISTINCT ON (vector.thought) vector.thought, token.parts FROM vector
                         JOIN token ON token.account_id = vector.account_id AND token.vector = vector.seq
                         WHERE vector.account_id = $1 AND vector.model = $2 AND vector.thought = ANY ($3)
                         ORDER BY vector.thought, vector.seq DESC";
}

#[async_trait]
impl DerivedRows for PostgresStore {
    async fn finish(&self, account: AccountId, finished: Vec<FinishedRow>) -> Result<usize, StoreError> {
        let mut transaction = self.transaction().await?;
        let derived = ends::lock_derived(&mut transaction, account).await?;
        let mut last = derived.vector;
        let mut counted = 0;
        for together in runs(&finished) {
            counted += finish(&mut transaction, account, &mut last, together).await?;
        }
        if last != derived.vector {
            ends::number_vectors(&mut transaction, account, last).await?;
        }
        vectors::switch_when_complete(&mut transaction, account, derived.next_new).await?;
        transaction.commit().await?;
        self.planner.count_when_doubled(counted).await;
        Ok(counted)
    }

    async fn models(&self, account: AccountId) -> Result<Vec<Model>, StoreError> {
        vectors::models(&mut self.database.connection().await?, account).await
    }

    async fn vectors_of(
        &self,
        account: AccountId,
        model: i64,
        wanted: &[Row],
    ) -> Result<Vec<(Row, Vec<u8>)>, StoreError> {
        let found = self.query(&VECTORS_OF, &[&account.stored(), &model, &rows(wanted)]).await?;
        found.iter().map(|found| Ok((small(found, 0)?, get(found, 1)?))).collect()
    }

    async fn tokens_of(
        &self,
        account: AccountId,
        model: i64,
        wanted: &[Row],
    ) -> Result<Vec<(Row, Vec<u8>)>, StoreError> {
        let found = self.query(&TOKENS_OF, &[&account.stored(), &model, &rows(wanted)]).await?;
        found.iter().map(|found| Ok((small(found, 0)?, get(found, 1)?))).collect()
    }

    async fn remove_retired(&self, account: AccountId, model: i64) -> Result<bool, StoreError> {
        let mut transaction = self.transaction().await?;
        ends::lock_derived(&mut transaction, account).await?;
        let more = vectors::remove_retired(&mut transaction, account, model).await?;
        transaction.commit().await?;
        Ok(more)
    }

    async fn known_names(
        &self,
        account: AccountId,
        words: &[String],
        limit: usize,
    ) -> Result<Vec<NameRow>, StoreError> {
        entities::known_names(&mut self.database.connection().await?, account, words, limit).await
    }

    async fn names_before(
        &self,
        account: AccountId,
        row: Row,
        words: &[String],
        limit: usize,
    ) -> Result<Vec<MetName>, StoreError> {
        entities::names_before(&mut self.database.connection().await?, account, row, words, limit).await
    }

    async fn mention(&self, account: AccountId, mentioned: Vec<Mentioned>) -> Result<(), StoreError> {
        let mut transaction = self.transaction().await?;
        ends::lock_derived(&mut transaction, account).await?;
        mention(&mut transaction, account, &mentioned).await?;
        transaction.commit().await
    }

    async fn groups(&self, account: AccountId, keys: &[EntityKey], limit: usize) -> Result<Vec<GroupRow>, StoreError> {
        entities::groups(&mut self.database.connection().await?, account, keys, limit).await
    }

    async fn groups_of(
        &self,
        account: AccountId,
        wanted: &[GroupsOf],
        limit: usize,
    ) -> Result<Vec<(Row, Vec<GroupRow>)>, StoreError> {
        entities::groups_of(&mut self.database.connection().await?, account, wanted, limit).await
    }

    async fn entities_of(
        &self,
        account: AccountId,
        wanted: &[Row],
    ) -> Result<Vec<(Row, Vec<(String, EntityKind)>)>, StoreError> {
        entities::shown(&mut self.database.connection().await?, account, wanted).await
    }

    async fn links_of(
        &self,
        account: AccountId,
        wanted: &[Row],
        kind: LinkKind,
        incoming: usize,
    ) -> Result<Vec<LinkRow>, StoreError> {
        links::of(&mut self.database.connection().await?, account, wanted, kind, incoming).await
    }
}

/// Cuts the jobs into stretches that are of one step each and name no thought twice.
fn runs(finished: &[FinishedRow]) -> Vec<&[FinishedRow]> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut seen: FxHashSet<ThoughtId> = FxHashSet::default();
    for (at, job) in finished.iter().enumerate() {
        if job.ticket.step != finished[start].ticket.step || !seen.insert(job.ticket.thought) {
            runs.push(&finished[start..at]);
            start = at;
            seen = FxHashSet::from_iter([job.ticket.thought]);
        }
    }
    runs.push(&finished[start..]);
    runs.retain(|run| !run.is_empty());
    runs
}

/// Stores what jobs of one step brought and ends the step; how many were still there.
async fn finish(
    transaction: &mut Connection,
    account: AccountId,
    last: &mut u64,
    finished: &[FinishedRow],
) -> Result<usize, StoreError> {
    let Some(step) = finished.first().map(|job| job.ticket.step) else { return Ok(0) };
    let owner = account.stored();
    let row_of = looked_up::rows_of(transaction, account, finished.iter().map(|job| job.ticket.thought)).await?;
    let known: Vec<(Row, &FinishedRow)> =
        finished.iter().filter_map(|job| Some((*row_of.get(&job.ticket.thought)?, job))).collect();
    let at: Vec<i64> = known.iter().map(|(row, _)| i64::from(*row)).collect();
    let versions: Vec<i64> = known.iter().map(|(_, job)| seq(job.ticket.version)).collect();
    let ended = match step {
        Step::Enrich => transaction.query(&TURN_TO_LINKING, &[&owner, &at, &versions]).await?,
        Step::Link => queue::end_linking(transaction, account, &at, &versions).await?,
    };
    let ended: FxHashSet<Row> = ended.iter().map(|found| small(found, 0)).collect::<Result<_, _>>()?;
    let there: Vec<(Row, &FinishedRow)> = known.into_iter().filter(|(row, _)| ended.contains(row)).collect();
    let (mut of_vectors, mut of_categories) = (Vec::new(), (Vec::new(), Vec::new()));
    let mut of_mentions: Vec<(Row, &[Mention])> = Vec::new();
    let mut of_links: Vec<(Row, &[Link])> = Vec::new();
    for (row, job) in &there {
        match &job.derived {
            DerivedRow::Enriched { vectors, mentions, category } => {
                of_vectors.push((*row, vectors));
                of_categories.0.push(i64::from(*row));
                of_categories.1.push(category.as_str());
                of_mentions.push((*row, mentions));
            }
            DerivedRow::Linked(linked) => of_links.push((*row, linked)),
        }
    }
    if !of_links.is_empty() {
        links::store(transaction, account, &of_links).await?;
    }
    if !of_vectors.is_empty() {
        entities::store(transaction, account, &of_mentions).await?;
        vectors::store(transaction, account, last, &of_vectors).await?;
        transaction.execute(&SET_CATEGORIES, &[&owner, &of_categories.0, &of_categories.1]).await?;
    }
    Ok(there.len())
}

/// Stores what the texts of jobs that are there mention.
async fn mention(transaction: &mut Connection, account: AccountId, mentioned: &[Mentioned]) -> Result<(), StoreError> {
    let row_of =
        looked_up::rows_of(transaction, account, mentioned.iter().map(|mentioned| mentioned.ticket.thought)).await?;
    let known: Vec<(Row, &Mentioned)> =
        mentioned.iter().filter_map(|mentioned| Some((*row_of.get(&mentioned.ticket.thought)?, mentioned))).collect();
    let at: Vec<i64> = known.iter().map(|(row, _)| i64::from(*row)).collect();
    let versions: Vec<i64> = known.iter().map(|(_, mentioned)| seq(mentioned.ticket.version)).collect();
    let steps: Vec<&str> = known.iter().map(|(_, mentioned)| mentioned.ticket.step.as_str()).collect();
    let queued = transaction.query(&QUEUED, &[&account.stored(), &at, &versions, &steps]).await?;
    let queued: FxHashSet<Row> = queued.iter().map(|found| small(found, 0)).collect::<Result<_, _>>()?;
    let there = known.iter().filter(|(row, _)| queued.contains(row));
    let of_mentions: Vec<(Row, &[Mention])> =
        there.map(|(row, mentioned)| (*row, mentioned.mentions.as_slice())).collect();
    entities::store_changed(transaction, account, &of_mentions).await
}

/// Takes away everything that was derived from the text of a thought; `vector` is the highest number of a vector.
pub(crate) async fn clear(
    transaction: &mut Connection,
    account: AccountId,
    vector: u64,
    row: Row,
) -> Result<(), StoreError> {
    let mut last = vector;
    vectors::clear(transaction, account, &mut last, row).await?;
    if last != vector {
        ends::number_vectors(transaction, account, last).await?;
    }
    entities::clear(transaction, account, row).await?;
    links::clear(transaction, account, row).await
}

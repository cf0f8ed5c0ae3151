//! Thoughts and their revisions: stored, browsed, changed.

use std::cmp::Reverse;

use async_trait::async_trait;

use model::{AccountId, Revision, RevisionKind, Status, Thought, ThoughtId};
use store::backend::{FormedUpdate, Rows, UpdatedForm};
use store::{CapturedQuery, Listing, NewThought, StoreError, Updated, decide};

use crate::connection::Connection;
use crate::place::PostgresStore;
use crate::row::{self, Stored, ThoughtRow, author_numbers, limit, seq, status_number, thought_columns};
use crate::statement::statements;
use crate::{derived, ends, queue, revisions};

statements! {
    GET, Account: concat!("SELECT ", thought_columns!(), " FROM thought WHERE account_id = $1 AND id = $2");
    // One walk through the browse index for each kind of author: a walk over both at once would pass over any number of
    // thoughts of the kind that is not wanted.
    BROWSE, Account: concat!(
        "SELECT found.* FROM unnest($3::smallint[]) AS kind (author) CROSS JOIN LATERAL (
             SELECT ", thought_columns!(), " FROM thought
             WHERE account_id = $1 AND thought.status = $2 AND thought.author = kind.author AND thought.created_at <= $4
               AND (thought.created_at < $4 OR $5::uuid IS NOT NULL AND thought.id < $5)
             ORDER BY thought.created_at DESC, thought.id DESC LIMIT $6) AS found"
    );
    CAPTURED_WITHIN, Account: concat!(
        "SELECT found.* FROM unnest($3::smallint[]) AS kind (author) CROSS JOIN LATERAL (
             (SELECT ", thought_columns!(), " FROM thought
              WHERE thought.account_id = $1 AND thought.status = $2 AND thought.author = kind.author
                AND thought.captured_at >= $4 AND thought.captured_at < $5 AND thought.captured_at <> thought.created_at
              ORDER BY thought.captured_at DESC, thought.row DESC LIMIT $6)
             UNION ALL
             (SELECT ", thought_columns!(), " FROM thought
              WHERE thought.account_id = $1 AND thought.status = $2 AND thought.author = kind.author
                AND thought.created_at >= $4 AND thought.created_at < $5 AND thought.captured_at = thought.created_at
              ORDER BY thought.created_at DESC LIMIT $6)) AS found"
    );
    CHANGE, Account: "UPDATE thought SET status = $3, updated_at = $4, revision = $5, seq = $6
                      WHERE account_id = $1 AND row = $2";
    REWORD, Account: "UPDATE thought SET status = $3, updated_at = $4, revision = $5, seq = $6, raw_text = $7, category = $8
                      WHERE account_id = $1 AND row = $2";
    REPLACE_FORM, Account: "INSERT INTO form (account_id, thought, words, text) VALUES ($1, $2, $3, $4)
                            ON CONFLICT (account_id, thought) DO UPDATE SET words = excluded.words, text = excluded.text";
    COUNT, Account: "UPDATE log_end SET entry = $2, open = log_end.open + $3, completed = log_end.completed + $4,
                                        archived = log_end.archived + $5
                     WHERE account_id = $1";
}

#[async_trait]
impl Rows for PostgresStore {
    async fn insert(&self, account: AccountId, thought: NewThought) -> Result<Thought, StoreError> {
        let thought = self.captures.store(account, thought).await?;
        self.work.queued(account);
        Ok(thought)
    }

    async fn get(&self, account: AccountId, id: ThoughtId) -> Result<Option<Thought>, StoreError> {
        let found = self.first(&GET, &[&account.stored(), &id.stored()]).await?;
        Ok(found.as_ref().map(row::thought).transpose()?.map(|found| found.thought))
    }

    async fn list(&self, account: AccountId, listing: &Listing) -> Result<Vec<Thought>, StoreError> {
        let authors = author_numbers(listing.visible.author);
        let before = listing.before.map_or(i64::MAX, |cursor| cursor.created_at.as_micros());
        let before_id = listing.before.and_then(|cursor| cursor.id).map(|id| id.stored());
        let status = status_number(listing.visible.status);
        let found = self
            .query(&BROWSE, &[&account.stored(), &status, &authors, &before, &before_id, &limit(listing.limit)])
            .await?;
        let mut thoughts: Vec<Thought> = row::thoughts(&found)?.into_iter().map(|found| found.thought).collect();
        thoughts.sort_by_key(|thought| Reverse((thought.created_at, thought.id)));
        thoughts.truncate(listing.limit);
        Ok(thoughts)
    }

    async fn update(&self, account: AccountId, id: ThoughtId, update: FormedUpdate) -> Result<Updated, StoreError> {
        let mut transaction = self.transaction().await?;
        let (updated, queues) = self.update_within(&mut transaction, account, id, update).await?;
        transaction.commit_of(|| format!("the change of the thought {id}")).await?;
        if queues {
            self.work.queued(account);
        }
        Ok(updated)
    }

    async fn revision_kinds(&self, account: AccountId, id: ThoughtId) -> Result<Vec<(u32, RevisionKind)>, StoreError> {
        revisions::kinds(&mut self.database.connection().await?, account, id).await
    }

    async fn get_revision(
        &self,
        account: AccountId,
        id: ThoughtId,
        number: u32,
    ) -> Result<Option<Revision>, StoreError> {
        revisions::get_one(&mut self.database.connection().await?, account, id, number).await
    }

    async fn captured_within(&self, account: AccountId, query: CapturedQuery) -> Result<Vec<Thought>, StoreError> {
        let authors = author_numbers(query.visible.author);
        let (start, end) = (query.start.as_micros(), query.end.as_micros());
        let status = status_number(query.visible.status);
        let found = self
            .query(&CAPTURED_WITHIN, &[&account.stored(), &status, &authors, &start, &end, &limit(query.limit)])
            .await?;
        let mut found = row::thoughts(&found)?;
        found.sort_by_key(|found| Reverse((found.thought.captured_at, found.row)));
        found.truncate(query.limit);
        Ok(found.into_iter().map(|found| found.thought).collect())
    }
}

impl PostgresStore {
    /// Changes a thought; whether work was queued as well.
    async fn update_within(
        &self,
        transaction: &mut Connection,
        account: AccountId,
        id: ThoughtId,
        FormedUpdate { update, form }: FormedUpdate,
    ) -> Result<(Updated, bool), StoreError> {
        let log = ends::lock_log(transaction, account).await?;
        let found = transaction.first(&GET, &[&account.stored(), &id.stored()]).await?;
        let Some(found) = found else { return Ok((Updated::Absent, false)) };
        let ThoughtRow { row, mut thought } = row::thought(&found)?;
        let (before, now) = (thought.status, self.clock.now());
        let Some(revision) = decide::revised(&mut thought, update, now) else { return Ok((Updated::Stale, false)) };
        let entry = log.entry + 1;
        revisions::insert(transaction, account, row, &revision).await?;
        let (owner, at, status) = (account.stored(), i64::from(row), status_number(thought.status));
        let (updated_at, number) = (thought.updated_at.as_micros(), i64::from(thought.revision));
        let queues = match &form {
            UpdatedForm::Kept { .. } => {
                transaction.execute(&CHANGE, &[&owner, &at, &status, &updated_at, &number, &seq(entry)]).await?;
                false
            }
            UpdatedForm::New(form) => {
                // Before the row of the thought is touched: whoever stores what was derived holds this one and wants that one.
                let derived_end = ends::lock_derived(transaction, account).await?;
                let (text, category) = (thought.raw_text.as_str().as_bytes(), thought.category.as_str());
                transaction
                    .execute(&REWORD, &[&owner, &at, &status, &updated_at, &number, &seq(entry), &text, &category])
                    .await?;
                derived::clear(transaction, account, derived_end.vector, row).await?;
                let (words, form) = (i64::from(form.words), form.text.as_bytes());
                transaction.execute(&REPLACE_FORM, &[&owner, &at, &words, &form]).await?;
                queue::queue(transaction, account, derived_end.next_new, row, entry, now).await?;
                true
            }
        };
        let change = |status: Status| i64::from(thought.status == status) - i64::from(before == status);
        let [open, completed, archived] = [Status::Open, Status::Completed, Status::Archived].map(change);
        transaction.execute(&COUNT, &[&owner, &seq(entry), &open, &completed, &archived]).await?;
        Ok((Updated::Done(Box::new(thought)), queues))
    }
}

//! Thoughts and their revisions: stored, browsed, changed.

use std::cmp::Reverse;
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;
use rusqlite::{Connection, params};

use model::{AccountId, Clock, Revision, RevisionKind, Thought, ThoughtId, Time};
use store::backend::{FormedUpdate, Rows, UpdatedForm};
use store::{CapturedQuery, Facet, Listing, NewThought, StoreError, Updated, decide, status_number};

use crate::account::Newest;
use crate::folder::SqliteStore;
use crate::row::{self, ThoughtRow, author_numbers, thought_columns};
use crate::statement::{execute, list};
use crate::{derived, entries, forms, queue, revisions, thoughts};

#[async_trait]
impl Rows for SqliteStore {
    async fn insert(&self, account: AccountId, thought: NewThought) -> Result<Thought, StoreError> {
        let clock = self.clock.clone();
        let file = self.account(account).await?;
        let newest = file.newest.clone();
        let thought = file.database.write(move |connection| insert(connection, &clock, &newest, thought)).await?;
        self.work.queued(account);
        Ok(thought)
    }

    async fn get(&self, account: AccountId, id: ThoughtId) -> Result<Option<Thought>, StoreError> {
        let file = self.account(account).await?;
        // One look-up by key and at most 64 KiB of text.
        file.database.look_up(move |connection| Ok(thoughts::get(connection, id)?.map(|row| row.thought))).await
    }

    async fn list(&self, account: AccountId, listing: &Listing) -> Result<Vec<Thought>, StoreError> {
        let listing = listing.clone();
        self.account(account).await?.database.read(move |connection| browse(connection, &listing)).await
    }

    async fn update(&self, account: AccountId, id: ThoughtId, update: FormedUpdate) -> Result<Updated, StoreError> {
        let clock = self.clock.clone();
        let file = self.account(account).await?;
        let queues = update.update.text.is_some();
        let updated = file.database.write(move |connection| self::update(connection, &clock, id, update)).await?;
        if queues {
            self.work.queued(account);
        }
        Ok(updated)
    }

    async fn revision_kinds(&self, account: AccountId, id: ThoughtId) -> Result<Vec<(u32, RevisionKind)>, StoreError> {
        let file = self.account(account).await?;
        let read = move |connection: &Connection| match thoughts::row_of(connection, id)? {
            Some(row) => revisions::kinds(connection, row),
            None => Ok(Vec::new()),
        };
        file.database.read(read).await
    }

    async fn get_revision(
        &self,
        account: AccountId,
        id: ThoughtId,
        number: u32,
    ) -> Result<Option<Revision>, StoreError> {
        let file = self.account(account).await?;
        let read = move |connection: &Connection| match (thoughts::row_of(connection, id)?, number.checked_sub(1)) {
            (Some(row), Some(before)) => {
                let next = revisions::after(connection, row, before, 1)?.pop();
                Ok(next.filter(|revision| revision.number == number))
            }
            _ => Ok(None),
        };
        file.database.read(read).await
    }

    async fn captured_within(&self, account: AccountId, query: CapturedQuery) -> Result<Vec<Thought>, StoreError> {
        self.account(account).await?.database.read(move |connection| captured_within(connection, query)).await
    }
}

fn insert(
    connection: &Connection,
    clock: &Arc<dyn Clock>,
    known: &Mutex<Newest>,
    new: NewThought,
) -> Result<Thought, StoreError> {
    let last = thoughts::last(connection)?;
    let mut known = known.lock();
    let newest = match known.row == last.row {
        true => known.created_at.max(last.created_at),
        false => thoughts::newest(connection)?,
    };
    let thought = decide::stored(new, clock.now(), Time::from_micros(newest));
    let row = thoughts::insert(connection, last, &thought)?;
    // Should this write be rolled back, the row is missing or another's: then its own time, read above, counts as well.
    *known = Newest { row, created_at: thought.created_at.as_micros() };
    Ok(thought)
}

fn browse(connection: &Connection, listing: &Listing) -> Result<Vec<Thought>, StoreError> {
    // One walk through the browse index for each kind of author, and the newest of both: a walk over both at once would
    // pass over any number of thoughts of the kind that is not wanted.
    let sql = concat!(
        "SELECT ",
        thought_columns!(),
        " FROM thought
          WHERE status = ?1 AND author = ?2 AND created_at <= ?3
            AND (created_at < ?3 OR (?4 IS NOT NULL AND id < ?4))
          ORDER BY created_at DESC, id DESC
          LIMIT ?5"
    );
    let before = listing.before.map_or(i64::MAX, |cursor| cursor.created_at.as_micros());
    let before_id = listing.before.and_then(|cursor| cursor.id).map(|id| id.as_bytes().to_vec());
    let mut thoughts = Vec::new();
    for author in author_numbers(listing.visible.author) {
        let params = params![status_number(listing.visible.status), author, before, before_id, listing.limit as i64];
        thoughts.extend(list(connection, sql, params, row::thought)?.into_iter().map(|row| row.thought));
    }
    thoughts.sort_by_key(|thought| Reverse((thought.created_at, thought.id)));
    thoughts.truncate(listing.limit);
    Ok(thoughts)
}

fn captured_within(connection: &Connection, query: CapturedQuery) -> Result<Vec<Thought>, StoreError> {
    let given = concat!(
        "SELECT ",
        thought_columns!(),
        " FROM thought WHERE status = ?1 AND author = ?2 AND captured_at >= ?3 AND captured_at < ?4
            AND captured_at <> created_at
          ORDER BY captured_at DESC, row DESC LIMIT ?5"
    );
    let of_storing = concat!(
        "SELECT ",
        thought_columns!(),
        " FROM thought WHERE status = ?1 AND author = ?2 AND created_at >= ?3 AND created_at < ?4
            AND captured_at = created_at
          ORDER BY created_at DESC LIMIT ?5"
    );
    let mut found = Vec::new();
    for author in author_numbers(query.visible.author) {
        let (start, end) = (query.start.as_micros(), query.end.as_micros());
        for sql in [given, of_storing] {
            let status = status_number(query.visible.status);
            let params = params![status, author, start, end, query.limit as i64];
            found.extend(list(connection, sql, params, row::thought)?);
        }
    }
    found.sort_by_key(|found| Reverse((found.thought.captured_at, found.row)));
    found.truncate(query.limit);
    Ok(found.into_iter().map(|found| found.thought).collect())
}

fn update(
    connection: &Connection,
    clock: &Arc<dyn Clock>,
    id: ThoughtId,
    FormedUpdate { update, form }: FormedUpdate,
) -> Result<Updated, StoreError> {
    let Some(ThoughtRow { row, seq, mut thought }) = thoughts::get(connection, id)? else {
        return Ok(Updated::Absent);
    };
    let now = clock.now();
    let Some(revision) = decide::revised(&mut thought, update, now) else { return Ok(Updated::Stale) };
    let (words, changes_text) = match &form {
        UpdatedForm::New(form) => (form.words, true),
        UpdatedForm::Kept { words } => (*words, false),
    };
    let entry = entries::insert(connection, row, None, Facet::of(&thought), words)?;
    entries::remove(connection, seq)?;
    revisions::insert(connection, row, &revision)?;
    if let UpdatedForm::New(form) = &form {
        let sql = "UPDATE thought SET raw_text = ?2, category = ?3 WHERE row = ?1";
        execute(connection, sql, params![row, thought.raw_text.as_str(), thought.category.as_str()])?;
        derived::clear(connection, row)?;
        forms::replace(connection, row, form)?;
    }
    if changes_text {
        queue::queue(connection, row, entry, now)?;
    }
    let sql = "UPDATE thought SET status = ?2, updated_at = ?3, revision = ?4, seq = ?5 WHERE row = ?1";
    let values = params![row, status_number(thought.status), thought.updated_at.as_micros(), thought.revision, entry];
    execute(connection, sql, values)?;
    Ok(Updated::Done(Box::new(thought)))
}

//! Thoughts and their revisions.

use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;
use rusqlite::{Connection, Row, params};

use model::{AccountId, AuthorFilter, Category, Clock, Revision, RevisionKind, Thought, ThoughtId, Time};
use store::{
    CapturedQuery, LexicalHits, LexicalQuery, Listing, NewThought, Sittings, SittingsQuery, StoreError, Thoughts,
    Update, Updated,
};

use super::account::Newest;
use super::database::error;
use super::index::Facet;
use super::row::{self, ThoughtRow, agent_name, author_number, damaged, status_number, thought_columns, time};
use super::statement::{execute, first, first_value, list, value};
use super::{SqliteStore, derived, entries, forms, jobs};

#[async_trait]
impl Thoughts for SqliteStore {
    async fn insert(&self, account: AccountId, thought: NewThought) -> Result<Thought, StoreError> {
        let clock = self.clock.clone();
        let file = self.account(account).await?;
        let newest = file.newest.clone();
        let thought = file.database.write(move |connection| insert(connection, &clock, &newest, thought)).await?;
        self.work.queued();
        Ok(thought)
    }

    async fn get(&self, account: AccountId, id: ThoughtId) -> Result<Option<Thought>, StoreError> {
        let file = self.account(account).await?;
        // One look-up by key and at most 64 KiB of text: not worth another thread.
        file.database.read_here(|connection| Ok(get(connection, id)?.map(|row| row.thought)))
    }

    async fn list(&self, account: AccountId, listing: &Listing) -> Result<Vec<Thought>, StoreError> {
        let listing = listing.clone();
        self.account(account).await?.database.read(move |connection| browse(connection, &listing)).await
    }

    async fn update(&self, account: AccountId, id: ThoughtId, update: Update) -> Result<Updated, StoreError> {
        let clock = self.clock.clone();
        let file = self.account(account).await?;
        let queues = update.text.is_some();
        let updated = file.database.write(move |connection| self::update(connection, &clock, id, update)).await?;
        if queues {
            self.work.queued();
        }
        Ok(updated)
    }

    async fn revisions(&self, account: AccountId, id: ThoughtId) -> Result<Vec<Revision>, StoreError> {
        self.account(account)
            .await?
            .database
            .read(move |connection| match get(connection, id)? {
                Some(thought) => revisions(connection, thought.row),
                None => Ok(Vec::new()),
            })
            .await
    }

    async fn search(&self, account: AccountId, query: &LexicalQuery) -> Result<LexicalHits, StoreError> {
        self.account(account).await?.search(query.clone()).await
    }

    async fn sittings(&self, account: AccountId, query: SittingsQuery) -> Result<Sittings, StoreError> {
        self.account(account).await?.sittings(query).await
    }

    async fn captured_within(&self, account: AccountId, query: CapturedQuery) -> Result<Vec<Thought>, StoreError> {
        self.account(account).await?.captured_within(query).await
    }
}

/// What a thought is taken for until its text has been looked at.
const UNKNOWN_CATEGORY: Category = Category::Observation;

fn insert(
    connection: &Connection,
    clock: &Arc<dyn Clock>,
    known: &Mutex<Newest>,
    new: NewThought,
) -> Result<Thought, StoreError> {
    let last = last(connection)?;
    let mut known = known.lock();
    let newest = if known.row == last.row { known.created_at.max(last.created_at) } else { newest(connection)? };
    let created_at = Time::from_micros(clock.now().as_micros().max(newest + 1));
    let thought = Thought {
        id: new.id,
        raw_text: new.raw_text,
        status: model::Status::Open,
        category: new.category,
        author: new.author,
        created_at,
        captured_at: new.captured_at.unwrap_or(created_at),
        updated_at: created_at,
        revision: 0,
    };
    let row = insert_row(connection, last, &thought)?;
    // Should this write be rolled back, the row is missing or another's: then its own time, read above, counts as well.
    *known = Newest { row, created_at: created_at.as_micros() };
    Ok(thought)
}

/// Where the numbering of an account stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Last {
    /// The row of the thought stored last. Rows are numbered without gaps.
    pub(super) row: i64,
    /// When that thought was created.
    created_at: i64,
    /// The highest number in the log of entries.
    pub(super) entry: i64,
}

pub(super) fn last(connection: &Connection) -> Result<Last, StoreError> {
    let sql = "SELECT row, created_at, max(seq, (SELECT coalesce(max(seq), 0) FROM lexical))
               FROM thought ORDER BY row DESC LIMIT 1";
    let number = |row: &Row<'_>, column| row.get(column).map_err(error);
    let last = |row: &Row<'_>| Ok(Last { row: number(row, 0)?, created_at: number(row, 1)?, entry: number(row, 2)? });
    Ok(first(connection, sql, [], last)?.unwrap_or_default())
}

/// Stores a thought as the next row, which it returns. Being new, the row is also its entry in the log the indexes follow, and
/// queued for background work.
pub(super) fn insert_row(connection: &Connection, last: Last, thought: &Thought) -> Result<i64, StoreError> {
    let row = last.row + 1;
    let sql = "INSERT INTO thought (row, id, status, author, agent_name, category, created_at, captured_at, updated_at,
                                    revision, seq, raw_text)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    let values = params![
        row,
        thought.id.as_bytes(),
        status_number(thought.status),
        author_number(&thought.author),
        agent_name(&thought.author),
        thought.category.as_str(),
        thought.created_at.as_micros(),
        thought.captured_at.as_micros(),
        thought.updated_at.as_micros(),
        thought.revision,
        last.entry + 1,
        thought.raw_text.as_str(),
    ];
    execute(connection, sql, values)?;
    Ok(row)
}

pub(super) fn facet(thought: &Thought) -> Facet {
    Facet::of(status_number(thought.status), author_number(&thought.author))
}

/// When the newest thought was created: six look-ups in the browse index, one for each kind of thought.
fn newest(connection: &Connection) -> Result<i64, StoreError> {
    let sql = "SELECT max(
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 0 AND author = 0), 0),
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 0 AND author = 1), 0),
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 1 AND author = 0), 0),
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 1 AND author = 1), 0),
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 2 AND author = 0), 0),
                   coalesce((SELECT max(created_at) FROM thought WHERE status = 2 AND author = 1), 0))";
    value(connection, sql, [])
}

pub(super) fn get(connection: &Connection, id: ThoughtId) -> Result<Option<ThoughtRow>, StoreError> {
    let sql = concat!("SELECT ", thought_columns!(), " FROM thought WHERE id = ?1");
    first(connection, sql, [id.as_bytes()], row::thought)
}

/// The thought at that row.
pub(super) fn by_row(connection: &Connection, row: i64) -> Result<Option<Thought>, StoreError> {
    let sql = concat!("SELECT ", thought_columns!(), " FROM thought WHERE row = ?1");
    Ok(first(connection, sql, [row], row::thought)?.map(|found| found.thought))
}

/// The row of a thought.
pub(super) fn row_of(connection: &Connection, id: ThoughtId) -> Result<Option<i64>, StoreError> {
    first_value(connection, "SELECT row FROM thought WHERE id = ?1", [id.as_bytes()])
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
    thoughts.sort_by_key(|thought| std::cmp::Reverse((thought.created_at, thought.id)));
    thoughts.truncate(listing.limit);
    Ok(thoughts)
}

/// The numbers under which the admitted kinds of authors are stored.
pub(super) fn author_numbers(filter: AuthorFilter) -> Vec<u8> {
    let user = model::Author::User;
    let agent = model::Author::Agent { name: String::new() };
    let kinds = [(user, filter.admits_user()), (agent, filter.admits_agents())];
    kinds.iter().filter(|(_, admitted)| *admitted).map(|(kind, _)| author_number(kind)).collect()
}

fn update(
    connection: &Connection,
    clock: &Arc<dyn Clock>,
    id: ThoughtId,
    update: Update,
) -> Result<Updated, StoreError> {
    let Some(ThoughtRow { row, seq, mut thought }) = get(connection, id)? else { return Ok(Updated::Absent) };
    if thought.revision != update.based_on {
        return Ok(Updated::Stale);
    }
    let mut revision = Revision {
        number: thought.revision + 1,
        at: clock.now().max(thought.updated_at),
        kind: update.kind,
        by: update.by,
        text: None,
        status: None,
    };
    thought.revision = revision.number;
    thought.updated_at = revision.at;
    if let Some(status) = update.status {
        revision.status = Some((thought.status, status));
        thought.status = status;
    }
    let changes_text = update.text.is_some();
    let words = if let Some((text, lexical)) = update.text {
        thought.category = UNKNOWN_CATEGORY;
        let sql = "UPDATE thought SET raw_text = ?2, category = ?3 WHERE row = ?1";
        let values = params![row, text.as_str(), thought.category.as_str()];
        execute(connection, sql, values)?;
        derived::clear(connection, row)?;
        forms::replace(connection, row, &lexical)?;
        let before = std::mem::replace(&mut thought.raw_text, text);
        revision.text = Some((before.into_string(), thought.raw_text.as_str().to_owned()));
        lexical.words
    } else {
        forms::words(connection, row, &thought.raw_text)?
    };
    insert_revision(connection, row, &revision)?;
    let entry = entries::insert(connection, row, None, facet(&thought), words)?;
    entries::remove(connection, seq)?;
    if changes_text {
        jobs::queue(connection, row, entry, revision.at)?;
    }
    let sql = "UPDATE thought SET status = ?2, updated_at = ?3, revision = ?4, seq = ?5 WHERE row = ?1";
    let values = params![row, status_number(thought.status), revision.at.as_micros(), revision.number, entry];
    execute(connection, sql, values)?;
    Ok(Updated::Done(Box::new(thought)))
}

pub(super) fn insert_revision(connection: &Connection, row: i64, revision: &Revision) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO revision (thought, number, at, kind, by, text_before, text_after, status_before, status_after)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let (text_before, text_after) = revision.text.as_ref().map(|(before, after)| (before, after)).unzip();
    let (status_before, status_after) =
        revision.status.map(|(before, after)| (status_number(before), status_number(after))).unzip();
    let values = params![
        row,
        revision.number,
        revision.at.as_micros(),
        revision.kind.as_str(),
        revision.by,
        text_before,
        text_after,
        status_before,
        status_after,
    ];
    execute(connection, sql, values).map(drop)
}

pub(super) fn revisions(connection: &Connection, row: i64) -> Result<Vec<Revision>, StoreError> {
    let sql = "SELECT number, at, kind, by, text_before, text_after, status_before, status_after
               FROM revision WHERE thought = ?1 ORDER BY number";
    list(connection, sql, [row], |row| {
        let kind: String = row.get(2).map_err(error)?;
        let text: (Option<String>, Option<String>) = (row.get(4).map_err(error)?, row.get(5).map_err(error)?);
        let status: (Option<u8>, Option<u8>) = (row.get(6).map_err(error)?, row.get(7).map_err(error)?);
        Ok(Revision {
            number: row.get(0).map_err(error)?,
            at: time(row, 1)?,
            kind: RevisionKind::parse(&kind).ok_or_else(|| damaged("kind", &kind))?,
            by: row.get(3).map_err(error)?,
            text: text.0.zip(text.1),
            status: match status.0.zip(status.1) {
                Some((before, after)) => Some((row::status(before)?, row::status(after)?)),
                None => None,
            },
        })
    })
}

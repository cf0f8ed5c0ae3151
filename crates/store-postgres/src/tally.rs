//! Reads what counts and duplicates are told from: everything once, in pages, then what the log says has changed.
//!
//! Where the log stands is read first and the thoughts after it, each time by one statement: whatever changes in between is read with
//! them, and once more the next time.

use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use tokio_postgres::Row as SqlRow;

use model::{AccountId, Status};
use store::backend::{Counted, Row, Tally, Unexpected};
use store::{Census, ChangeMark, StoreError};

use crate::connection::Connection;
use crate::error::damaged;
use crate::row::{Stored, get, number, optional_text, seq, small, status_number, text};
use crate::statement::{Statement, statements};

/// The rows of thoughts that have changed since a mark, given as row, entry and vector.
macro_rules! changed_rows {
    () => {
        "SELECT added.row FROM thought AS added WHERE added.account_id = $1 AND added.row > $2
         UNION SELECT changed.row FROM thought AS changed WHERE changed.account_id = $1 AND changed.seq > $3
         UNION SELECT note.thought FROM note WHERE note.account_id = $1 AND note.seq > $3
         UNION SELECT vector.thought FROM vector WHERE vector.account_id = $1 AND vector.seq > $4"
    };
}
pub(crate) use changed_rows;

statements! {
    MARK, Account: "SELECT coalesce((SELECT log_end.row FROM log_end WHERE log_end.account_id = $1), 0),
                           coalesce((SELECT log_end.entry FROM log_end WHERE log_end.account_id = $1), 0),
                           coalesce((SELECT derived_end.vector FROM derived_end WHERE derived_end.account_id = $1), 0)";
    ALL_FACTS, Account: "SELECT row, status, category, captured_at, agent_name FROM thought
                         WHERE account_id = $1 AND row > $2 ORDER BY row LIMIT $3";
    CHANGED_FACTS, Account: concat!(
        "SELECT thought.row, thought.status, thought.category, thought.captured_at, thought.agent_name FROM thought
         WHERE thought.account_id = $1 AND thought.row IN (", changed_rows!(), ")"
    );
    // No more once what was read is long enough.
    ALL_TEXTS, Account:
        "SELECT page.row, page.status, page.raw_text FROM (
             SELECT near.*, sum(near.bytes) OVER (ORDER BY near.row) - near.bytes AS before FROM (
                 SELECT thought.row, thought.status, thought.raw_text, octet_length(thought.raw_text) AS bytes FROM thought
                 WHERE thought.account_id = $1 AND thought.row > $2 ORDER BY thought.row LIMIT $3) AS near) AS page
         WHERE page.before < 8388608 ORDER BY page.row";
    CHANGED_TEXTS, Account: concat!(
        "SELECT thought.row, thought.status, thought.raw_text FROM thought
         WHERE thought.account_id = $1 AND thought.row IN (", changed_rows!(), ")"
    );
}

/// How many thoughts are read at once.
const AT_ONCE: i64 = 32_768;

/// So many changes and more are not looked for one by one.
const CHANGES_MAX: u64 = 4_096;

/// The tallies of the accounts somebody looks at.
#[derive(Default)]
pub(crate) struct Tallies(Mutex<FxHashMap<AccountId, Arc<tokio::sync::Mutex<Tally>>>>);

impl Tallies {
    pub(crate) fn of(&self, account: AccountId) -> Arc<tokio::sync::Mutex<Tally>> {
        self.0.lock().entry(account).or_default().clone()
    }

    /// Lets go of those of other accounts.
    pub(crate) fn retain(&self, in_use: &[AccountId]) {
        let in_use: FxHashSet<AccountId> = in_use.iter().copied().collect();
        self.0.lock().retain(|account, _| in_use.contains(account));
    }
}

/// Where the log of an account stands.
pub(crate) async fn mark(connection: &mut Connection, account: AccountId) -> Result<ChangeMark, StoreError> {
    let found = connection.first(&MARK, &[&account.stored()]).await?;
    let found = found.ok_or_else(|| damaged("log_end", "no row"))?;
    Ok(ChangeMark { row: small(&found, 0)?, entry: number(&found, 1)?, vector: number(&found, 2)? })
}

/// Counts the thoughts, by everything that the thoughts themselves tell.
pub(crate) async fn census(
    connection: &mut Connection,
    account: AccountId,
    tally: &mut Tally,
) -> Result<Census, StoreError> {
    let seen = tally.counted_at();
    let read = |found: &SqlRow| {
        let (category, agent_name): (&str, Option<String>) =
            (found.try_get(2).map_err(|error| damaged("category", error))?, optional_text(found, 4)?);
        let (status, captured_at) = (i64::from(get::<i16>(found, 1)?), get(found, 3)?);
        let counted = Counted { status, category, captured_at, agent_name: agent_name.as_deref() };
        tally.facts(counted).map_err(unexpected)
    };
    if let Some((mark, found)) = changed(connection, account, seen, [&ALL_FACTS, &CHANGED_FACTS], read).await? {
        tally.count(mark, found).map_err(unexpected)?;
    }
    Ok(tally.census())
}

/// The rows of thoughts with the same text, in the order of storing, that with the oldest first. Archived ones are left out.
pub(crate) async fn duplicates(
    connection: &mut Connection,
    account: AccountId,
    tally: &mut Tally,
) -> Result<Vec<Vec<Row>>, StoreError> {
    let seen = tally.compared_at();
    let archived = status_number(Status::Archived);
    let read = |found: &SqlRow| match get::<i16>(found, 1)? == archived {
        true => Ok(None),
        false => Ok(Some(tally.text_hash(&text(found, 2)?))),
    };
    if let Some((mark, found)) = changed(connection, account, seen, [&ALL_TEXTS, &CHANGED_TEXTS], read).await? {
        tally.compare(mark, found).map_err(unexpected)?;
    }
    Ok(tally.duplicates())
}

/// Where the log stands, and something of each thought that has changed.
type Changed<T> = (ChangeMark, Vec<(Row, T)>);

/// Where the log stands and something of each thought that has changed; `all` reads every thought and `since` those of
/// [`changed_rows`], row first. `None` if nothing has changed.
async fn changed<T>(
    connection: &mut Connection,
    account: AccountId,
    seen: Option<ChangeMark>,
    [all, since]: [&'static Statement; 2],
    mut read: impl FnMut(&SqlRow) -> Result<T, StoreError>,
) -> Result<Option<Changed<T>>, StoreError> {
    let mark = mark(connection, account).await?;
    let owner = account.stored();
    let mut read = |found: &SqlRow| Ok((small(found, 0)?, read(found)?));
    match seen {
        Some(seen) if seen == mark => Ok(None),
        Some(seen)
            if mark.entry + mark.vector - seen.entry.min(mark.entry) - seen.vector.min(mark.vector) < CHANGES_MAX =>
        {
            let values = (i64::from(seen.row), seq(seen.entry), seq(seen.vector));
            let found = connection.query(since, &[&owner, &values.0, &values.1, &values.2]).await?;
            let found: Result<Vec<(Row, T)>, StoreError> = found.iter().map(&mut read).collect();
            Ok(Some((mark, found?)))
        }
        _ => {
            let mut found: Vec<(Row, T)> = Vec::new();
            loop {
                let after = i64::from(found.last().map_or(0, |(row, _)| *row));
                let page = connection.query(all, &[&owner, &after, &AT_ONCE]).await?;
                if page.is_empty() {
                    return Ok(Some((mark, found)));
                }
                for one in &page {
                    found.push(read(one)?);
                }
            }
        }
    }
}

fn unexpected((column, value): Unexpected) -> StoreError {
    damaged(column, value)
}

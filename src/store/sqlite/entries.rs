//! The log the indexes follow: each thought and note as it was when a search last had to see it anew, in the order of these
//! changes.
//!
//! - A change of anything a search depends on gives a thought or a note a new entry, then takes the old one away: a number is
//!   never used twice, and whoever has seen entry n needs only the entries after n.
//! - A thought nobody has changed since it was stored is its own entry, from the first row on that is not yet listed. Writing
//!   the entry down as well would cost every capture a page more; it is done for many at once, and only so that opening a large
//!   account does not read its texts.

use rusqlite::{Connection, Row, params};

use super::database::{at_once, error};
use super::index::{Entry, Facet};
use super::row::damaged;
use super::thoughts::{self, value};
use crate::store::StoreError;

/// How many entries are listed at once: a few milliseconds of the writer's time.
const LISTED_AT_ONCE: i64 = 1_000;

/// How far somebody has followed the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// The first number not seen.
    pub(super) next: i64,
    /// A row after every thought seen, and not after any that has not been seen and is its own entry.
    pub(super) next_thought: i64,
}

/// What is read of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Entry,
    /// Its lexical form as well.
    Text,
}

/// What the row of a thought says as its own entry, in the order of the columns of `lexical`.
macro_rules! own_entry {
    () => {
        "SELECT seq, row, NULL, 2 * status + author, words"
    };
}

/// The highest number in the log.
pub(super) fn last(connection: &Connection) -> Result<i64, StoreError> {
    Ok(thoughts::last(connection)?.entry)
}

/// Adds an entry; its number.
pub(super) fn insert(
    connection: &Connection,
    thought: i64,
    note: Option<i64>,
    facet: Facet,
    words: u32,
) -> Result<i64, StoreError> {
    let seq = last(connection)? + 1;
    let sql = "INSERT INTO lexical (seq, thought, note, facet, words) VALUES (?1, ?2, ?3, ?4, ?5)";
    let values = params![seq, thought, note, facet.number(), words];
    connection.prepare_cached(sql).and_then(|mut insert| insert.execute(values)).map_err(error)?;
    Ok(seq)
}

/// Takes away an entry that another has replaced; the other must have been added before.
pub(super) fn remove(connection: &Connection, seq: i64) -> Result<(), StoreError> {
    let mut delete = connection.prepare_cached("DELETE FROM lexical WHERE seq = ?1").map_err(error)?;
    delete.execute([seq]).map(drop).map_err(error)
}

/// Hands over the entries that have not been seen, in their order and up to but without number `end`, each with its lexical
/// form where that is read.
pub(super) fn follow(
    connection: &Connection,
    seen: Seen,
    end: i64,
    reading: Reading,
    mut take: impl FnMut(Entry, &str),
) -> Result<(), StoreError> {
    let listed = match reading {
        Reading::Entry => {
            "SELECT seq, thought, note, facet, words, '' FROM lexical WHERE seq >= ?1 AND seq < ?2 ORDER BY seq"
        }
        Reading::Text => {
            "SELECT lexical.seq, lexical.thought, lexical.note, lexical.facet, lexical.words,
                    coalesce(note.lexical_text, thought.lexical_text)
             FROM lexical
             JOIN thought ON thought.row = lexical.thought
             LEFT JOIN note ON note.row = lexical.note
             WHERE lexical.seq >= ?1 AND lexical.seq < ?2
             ORDER BY lexical.seq"
        }
    };
    // In the order of their rows these are in the order of their numbers too: whatever came out of order has been listed.
    let unlisted = concat!(
        own_entry!(),
        ", lexical_text FROM thought
         WHERE row >= ?1 AND seq >= ?2 AND NOT EXISTS (SELECT 1 FROM lexical WHERE lexical.seq = thought.seq)
         ORDER BY row"
    );
    // On one snapshot, or what is listed meanwhile would be in neither.
    at_once(connection, || {
        let first_unlisted = first_unlisted(connection)?.max(seen.next_thought);
        let mut listed = connection.prepare_cached(listed).map_err(error)?;
        let mut unlisted = connection.prepare_cached(unlisted).map_err(error)?;
        let mut listed = listed.query([seen.next, end]).map_err(error)?;
        let mut unlisted = unlisted.query([first_unlisted, seen.next]).map_err(error)?;
        let mut listed_row = listed.next().map_err(error)?;
        let mut unlisted_row = unlisted.next().map_err(error)?;
        loop {
            let (first, second) = (number(listed_row)?, number(unlisted_row)?);
            match (listed_row, unlisted_row) {
                (Some(row), _) if first < second => {
                    hand_over(row, &mut take)?;
                    listed_row = listed.next().map_err(error)?;
                }
                (_, Some(row)) if second < end => {
                    hand_over(row, &mut take)?;
                    unlisted_row = unlisted.next().map_err(error)?;
                }
                _ => return Ok(()),
            }
        }
    })
}

/// The number of the entry in a row, the highest where there is none.
fn number(row: Option<&Row<'_>>) -> Result<i64, StoreError> {
    row.map_or(Ok(i64::MAX), |row| row.get(0).map_err(error))
}

fn hand_over(row: &Row<'_>, take: &mut impl FnMut(Entry, &str)) -> Result<(), StoreError> {
    let facet: u8 = row.get(3).map_err(error)?;
    let entry = Entry {
        seq: row.get(0).map_err(error)?,
        thought: row.get(1).map_err(error)?,
        note: row.get(2).map_err(error)?,
        facet: Facet::from_number(facet).ok_or_else(|| damaged("facet", facet))?,
        words: row.get(4).map_err(error)?,
    };
    let text = row.get_ref(5).map_err(error)?;
    take(entry, text.as_str().map_err(|_| damaged("lexical_text", "not text"))?);
    Ok(())
}

/// The first thought that may be its own entry.
fn first_unlisted(connection: &Connection) -> Result<i64, StoreError> {
    value(connection, "SELECT next FROM listed", [])
}

/// Lists the next thoughts that are their own entries; whether there are more.
pub(super) fn list_some(connection: &Connection) -> Result<bool, StoreError> {
    let first = first_unlisted(connection)?;
    let after_last = thoughts::last(connection)?.row + 1;
    let end = after_last.min(first + LISTED_AT_ONCE);
    // A thought that has been changed since has an entry.
    let sql = concat!(
        "INSERT OR IGNORE INTO lexical (seq, thought, note, facet, words) ",
        own_entry!(),
        " FROM thought WHERE row >= ?1 AND row < ?2"
    );
    connection.prepare_cached(sql).and_then(|mut insert| insert.execute([first, end])).map_err(error)?;
    let mut update = connection.prepare_cached("UPDATE listed SET next = ?1").map_err(error)?;
    update.execute([end]).map_err(error)?;
    Ok(end < after_last)
}

#[cfg(test)]
mod tests;

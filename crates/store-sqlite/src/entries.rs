//! The log the indexes follow: each thought and note as it was when a search last had to see it anew, in the order of these
//! changes.
//!
//! - A change of anything a search depends on gives a thought or a note a new entry, then takes the old one away: a number is
//!   never used twice, and whoever has seen entry n needs only the entries after n.
//! - A thought nobody has changed since it was stored is its own entry, from the first row on that is not yet listed. Writing
//!   the entry down would cost every capture a page more, and making its lexical form an eighth of its time; both is done
//!   for many at once, after a while, so that opening a large account does not read its texts.

use rusqlite::{Connection, Row, params};

use store::StoreError;
use text::LexicalForm;

use super::database::{at_once, error};
use super::forms::{self, form_columns};
use super::index::{Entry, Facet};
use super::row::damaged;
use super::statement::{execute, value};
use super::thoughts;

/// How many thoughts are listed at once: a few milliseconds of the writer's time.
const LISTED_AT_ONCE: i64 = 1_000;

/// No more are listed at once when their forms are this long together.
const LISTED_BYTES: usize = 1024 * 1024;

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
    /// What filters look at; its words may not have been counted.
    Facet,
    /// How many words it has as well.
    Words,
    /// Its lexical form as well.
    Text,
}

/// What the rows of thoughts say as their own entries, in the columns [`hand_over`] reads.
macro_rules! own_entries {
    ($form:expr) => {
        concat!(
            "SELECT seq, row, NULL, 2 * status + author, ",
            $form,
            " FROM thought LEFT JOIN form ON form.thought = row"
        )
    };
}

/// The entries that are thoughts and have not been listed, from a thought and a number on.
macro_rules! unlisted_entries {
    ($form:expr) => {
        concat!(
            own_entries!($form),
            " WHERE row >= ?1 AND seq >= ?2 AND NOT EXISTS (SELECT 1 FROM lexical WHERE lexical.seq = thought.seq)
              ORDER BY row"
        )
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
    execute(connection, sql, values)?;
    Ok(seq)
}

/// Takes away an entry that another has replaced; the other must have been added before.
pub(super) fn remove(connection: &Connection, seq: i64) -> Result<(), StoreError> {
    execute(connection, "DELETE FROM lexical WHERE seq = ?1", [seq]).map(drop)
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
        Reading::Facet | Reading::Words => {
            "SELECT seq, thought, note, facet, words, '', NULL FROM lexical WHERE seq >= ?1 AND seq < ?2 ORDER BY seq"
        }
        Reading::Text => {
            "SELECT lexical.seq, lexical.thought, lexical.note, lexical.facet, lexical.words,
                    coalesce(note.lexical_text, form.text),
                    CASE WHEN note.row IS NULL AND form.thought IS NULL THEN thought.raw_text END
             FROM lexical
             JOIN thought ON thought.row = lexical.thought
             LEFT JOIN form ON form.thought = lexical.thought
             LEFT JOIN note ON note.row = lexical.note
             WHERE lexical.seq >= ?1 AND lexical.seq < ?2
             ORDER BY lexical.seq"
        }
    };
    // In the order of their rows these are in the order of their numbers too: whatever came out of order has been listed.
    let unlisted = match reading {
        Reading::Facet => unlisted_entries!("0, '', NULL"),
        Reading::Words | Reading::Text => unlisted_entries!(form_columns!()),
    };
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
    let form = forms::read(row, 4)?;
    let entry = Entry {
        seq: row.get(0).map_err(error)?,
        thought: row.get(1).map_err(error)?,
        note: row.get(2).map_err(error)?,
        facet: Facet::from_number(facet).ok_or_else(|| damaged("facet", facet))?,
        words: form.words,
    };
    take(entry, &form.text);
    Ok(())
}

/// The first thought that may be its own entry.
fn first_unlisted(connection: &Connection) -> Result<i64, StoreError> {
    value(connection, "SELECT next FROM listed", [])
}

/// The next thoughts to be listed, with their forms.
pub(super) struct Unlisted {
    thoughts: Vec<(Entry, LexicalForm)>,
    /// The first row after them.
    next: i64,
    /// Whether there are more.
    pub(super) more: bool,
}

impl Unlisted {
    pub(super) fn is_empty(&self) -> bool {
        self.thoughts.is_empty()
    }
}

/// Reads what is to be listed next. Apart from [`list`], because it makes the forms, and the writer has no time for that.
pub(super) fn unlisted(connection: &Connection) -> Result<Unlisted, StoreError> {
    let sql = concat!(own_entries!(form_columns!()), " WHERE row >= ?1 ORDER BY row LIMIT ?2");
    at_once(connection, || {
        let mut next = value(connection, "SELECT formed FROM listed", [])?;
        let after_last = thoughts::last(connection)?.row + 1;
        let (mut thoughts, mut bytes) = (Vec::new(), 0);
        let mut select = connection.prepare_cached(sql).map_err(error)?;
        let mut rows = select.query([next, LISTED_AT_ONCE]).map_err(error)?;
        while let Some(row) = rows.next().map_err(error)?.filter(|_| bytes < LISTED_BYTES) {
            hand_over(row, &mut |entry: Entry, text: &str| {
                next = i64::from(entry.thought) + 1;
                bytes += text.len();
                thoughts.push((entry, LexicalForm { text: text.to_owned(), words: entry.words }));
            })?;
        }
        Ok(Unlisted { thoughts, next, more: next < after_last })
    })
}

/// Lists what [`unlisted`] read.
pub(super) fn list(connection: &Connection, unlisted: &Unlisted) -> Result<(), StoreError> {
    // Nothing is listed twice, and no entry that has been replaced meanwhile.
    let sql = "INSERT OR IGNORE INTO lexical (seq, thought, note, facet, words)
               SELECT seq, row, NULL, ?3, ?4 FROM thought WHERE row = ?1 AND seq = ?2";
    for (entry, form) in &unlisted.thoughts {
        execute(connection, sql, params![entry.thought, entry.seq, entry.facet.number(), entry.words])?;
        forms::store_missing(connection, i64::from(entry.thought), form)?;
    }
    let sql = "UPDATE listed SET next = max(next, ?1), formed = max(formed, ?1)";
    execute(connection, sql, [unlisted.next]).map(drop)
}

#[cfg(test)]
mod tests;

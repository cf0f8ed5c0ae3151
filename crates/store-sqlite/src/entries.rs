//! The log the indexes follow: each thought and note as it was when a search last had to see it anew, in the order of these
//! changes.
//!
//! - A change of anything a search depends on gives a thought or a note a new entry, then takes the old one away: a number is
//!   never used twice, and whoever has seen entry n needs only the entries after n.
//! - A thought nobody has changed since it was stored is its own entry, from the first row on that is not yet listed. Writing
//!   the entry down would cost every capture a page more, and making its lexical form an eighth of its time; both is done
//!   for many at once, after a while, so that opening a large account does not read its texts.

use rusqlite::{Connection, Row as SqlRow, params};

use store::backend::{Entry, Logged, Reading, Row, Seen, StoredForm, Unformed};
use store::{Facet, StoreError};
use text::LexicalForm;

use crate::database::{at_once, damaged, error};
use crate::forms::{self, form_columns};
use crate::statement::{execute, value};
use crate::thoughts;

/// How many thoughts are listed at once: a few milliseconds of the writer's time.
const LISTED_AT_ONCE: i64 = 1_000;

/// No more are listed at once when their texts are this long together.
const LISTED_BYTES: usize = 1024 * 1024;

/// How many entries are handed over at once: a block of an index.
const FOLLOWED_AT_ONCE: usize = 65_536;

/// No more are handed over at once when their texts are this long together.
const FOLLOWED_BYTES: usize = 4 * 1024 * 1024;

/// What the rows of thoughts say as their own entries, in the columns [`read`] reads.
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

/// Adds an entry; its number.
pub(crate) fn insert(
    connection: &Connection,
    thought: Row,
    note: Option<Row>,
    facet: Facet,
    words: u32,
) -> Result<u64, StoreError> {
    let seq = thoughts::last(connection)?.entry + 1;
    let sql = "INSERT INTO lexical (seq, thought, note, facet, words) VALUES (?1, ?2, ?3, ?4, ?5)";
    let values = params![seq, thought, note, facet.number(), words];
    execute(connection, sql, values)?;
    Ok(seq)
}

/// Takes away an entry that another has replaced; the other must have been added before.
pub(crate) fn remove(connection: &Connection, seq: u64) -> Result<(), StoreError> {
    execute(connection, "DELETE FROM lexical WHERE seq = ?1", [seq]).map(drop)
}

/// The next entries that have not been seen, in their order and up to but without number `end`.
pub(crate) fn follow(
    connection: &Connection,
    seen: Seen,
    end: u64,
    reading: Reading,
) -> Result<Vec<Logged>, StoreError> {
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
    let end = end.min(i64::MAX.unsigned_abs());
    // On one snapshot, or what is listed meanwhile would be in neither.
    at_once(connection, || {
        let first_unlisted = first_unlisted(connection)?.max(seen.next_thought);
        let mut listed = connection.prepare_cached(listed).map_err(error)?;
        let mut unlisted = connection.prepare_cached(unlisted).map_err(error)?;
        let mut listed = listed.query([seen.next, end]).map_err(error)?;
        let mut unlisted = unlisted.query(params![first_unlisted, seen.next]).map_err(error)?;
        let mut listed_row = listed.next().map_err(error)?;
        let mut unlisted_row = unlisted.next().map_err(error)?;
        let (mut entries, mut bytes) = (Vec::new(), 0);
        while entries.len() < FOLLOWED_AT_ONCE && bytes < FOLLOWED_BYTES {
            let (first, second) = (number(listed_row)?, number(unlisted_row)?);
            let logged = match (listed_row, unlisted_row) {
                (Some(row), _) if first < second => {
                    let logged = read(row, reading)?;
                    listed_row = listed.next().map_err(error)?;
                    logged
                }
                (_, Some(row)) if second < end => {
                    let logged = read(row, reading)?;
                    unlisted_row = unlisted.next().map_err(error)?;
                    logged
                }
                _ => break,
            };
            bytes += text_bytes(&logged.form);
            entries.push(logged);
        }
        Ok(entries)
    })
}

/// The number of the entry in a row, the highest where there is none.
fn number(row: Option<&SqlRow<'_>>) -> Result<u64, StoreError> {
    row.map_or(Ok(u64::MAX), |row| row.get(0).map_err(error))
}

fn read(row: &SqlRow<'_>, reading: Reading) -> Result<Logged, StoreError> {
    let facet: u8 = row.get(3).map_err(error)?;
    let entry = Entry {
        seq: row.get(0).map_err(error)?,
        thought: row.get(1).map_err(error)?,
        note: row.get(2).map_err(error)?,
        facet: Facet::from_number(facet).ok_or_else(|| damaged("facet", facet))?,
    };
    let form = match (reading, forms::read(row, 4)) {
        (Reading::Facet, _) => StoredForm::Unread,
        (Reading::Words, Ok(StoredForm::Whole(form))) => StoredForm::Counted(form.words),
        (_, form) => form?,
    };
    Ok(Logged { entry, form })
}

fn text_bytes(form: &StoredForm) -> usize {
    match form {
        StoredForm::Unread | StoredForm::Counted(_) => 0,
        StoredForm::Whole(form) => form.text.len(),
        StoredForm::Unmade(text) => text.len(),
    }
}

/// The first thought that may be its own entry.
fn first_unlisted(connection: &Connection) -> Result<Row, StoreError> {
    value(connection, "SELECT next FROM listed", [])
}

/// Reads what is to be listed next.
pub(crate) fn unlisted(connection: &Connection) -> Result<Unformed, StoreError> {
    let sql = concat!(own_entries!(form_columns!()), " WHERE row >= ?1 ORDER BY row LIMIT ?2");
    at_once(connection, || {
        let mut next: Row = value(connection, "SELECT formed FROM listed", [])?;
        let after_last = thoughts::last(connection)?.row + 1;
        let (mut thoughts, mut bytes) = (Vec::new(), 0);
        let mut select = connection.prepare_cached(sql).map_err(error)?;
        let mut rows = select.query(params![next, LISTED_AT_ONCE]).map_err(error)?;
        while let Some(row) = rows.next().map_err(error)?.filter(|_| bytes < LISTED_BYTES) {
            let logged = read(row, Reading::Text)?;
            next = logged.entry.thought + 1;
            bytes += text_bytes(&logged.form);
            thoughts.push(logged);
        }
        Ok(Unformed { thoughts, next, more: next < after_last })
    })
}

/// Lists what [`unlisted`] read, with the forms that were made of it.
pub(crate) fn list(connection: &Connection, forms: &[(Entry, LexicalForm)], next: Row) -> Result<(), StoreError> {
    // Nothing is listed twice, and no entry that has been replaced meanwhile.
    let sql = "INSERT OR IGNORE INTO lexical (seq, thought, note, facet, words)
               SELECT seq, row, NULL, ?3, ?4 FROM thought WHERE row = ?1 AND seq = ?2";
    for (entry, form) in forms {
        execute(connection, sql, params![entry.thought, entry.seq, entry.facet.number(), form.words])?;
        forms::store_missing(connection, entry.thought, form)?;
    }
    execute(connection, "UPDATE listed SET next = max(next, ?1), formed = max(formed, ?1)", [next]).map(drop)
}

#[cfg(test)]
mod tests;

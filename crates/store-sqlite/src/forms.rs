//! The lexical forms of thoughts, stored some time after the texts.
//!
//! A form follows from its text, so whoever needs one that is not there makes it: that keeps an eighth of its time out of
//! every capture. Stored forms spare searches and opening an account the work. They have a table of their own because rows
//! of `thought` that grew later would have to move.

use std::borrow::Cow;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use model::ThoughtText;
use store::StoreError;
use text::{LexicalForm, lexical_form};

use super::database::error;
use super::row::damaged;
use super::statement::{execute, first_value};

/// The form of a thought in a statement that joins `form` to `thought`, or the text it follows from.
macro_rules! form_columns {
    () => {
        "form.words, form.text, CASE WHEN form.thought IS NULL THEN thought.raw_text END"
    };
}
pub(super) use form_columns;

/// A form that was read, or made from what was read.
pub(super) struct Formed<'a> {
    pub(super) words: u32,
    pub(super) text: Cow<'a, str>,
}

/// Reads the columns of [`form_columns`], which start at this one.
pub(super) fn read<'a>(row: &'a Row<'_>, first: usize) -> Result<Formed<'a>, StoreError> {
    if let Some(raw_text) = text(row, first + 2)? {
        let LexicalForm { text, words } = lexical_form(raw_text);
        return Ok(Formed { words, text: Cow::Owned(text) });
    }
    let stored = text(row, first + 1)?.ok_or_else(|| damaged("text", "missing"))?;
    Ok(Formed { words: row.get(first).map_err(error)?, text: Cow::Borrowed(stored) })
}

fn text<'a>(row: &'a Row<'_>, column: usize) -> Result<Option<&'a str>, StoreError> {
    match row.get_ref(column).map_err(error)? {
        ValueRef::Null => Ok(None),
        value => value.as_str().map(Some).map_err(|_| damaged("text", "not text")),
    }
}

/// How many words the text of a thought has.
pub(super) fn words(connection: &Connection, row: i64, text: &ThoughtText) -> Result<u32, StoreError> {
    let stored = first_value(connection, "SELECT words FROM form WHERE thought = ?1", [row])?;
    Ok(stored.unwrap_or_else(|| lexical_form(text.as_str()).words))
}

/// Stores the form of a thought in the place of the one it had.
pub(super) fn replace(connection: &Connection, row: i64, form: &LexicalForm) -> Result<(), StoreError> {
    write(connection, "INSERT OR REPLACE INTO form (thought, words, text) VALUES (?1, ?2, ?3)", row, form)
}

/// Stores the form of a thought that has none: one that it got meanwhile is that of a newer text.
pub(super) fn store_missing(connection: &Connection, row: i64, form: &LexicalForm) -> Result<(), StoreError> {
    write(connection, "INSERT OR IGNORE INTO form (thought, words, text) VALUES (?1, ?2, ?3)", row, form)
}

fn write(connection: &Connection, sql: &str, row: i64, form: &LexicalForm) -> Result<(), StoreError> {
    execute(connection, sql, params![row, form.words, form.text]).map(drop)
}

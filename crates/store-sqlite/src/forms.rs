//! The lexical forms of thoughts, stored some time after the texts.
//!
//! A form follows from its text, so where one is missing the text is given in its place: that keeps an eighth of its time out of
//! every capture. They have a table of their own because rows of `thought` that grew later would have to move.

use rusqlite::{Connection, Row as SqlRow, params};

use store::StoreError;
use store::backend::{Row, StoredForm};
use text::LexicalForm;

use crate::database::{damaged, error};
use crate::statement::execute;

/// The form of a thought in a statement that joins `form` to `thought`, or the text it follows from.
macro_rules! form_columns {
    () => {
        "form.words, form.text, CASE WHEN form.thought IS NULL THEN thought.raw_text END"
    };
}
pub(crate) use form_columns;

/// Reads the columns of [`form_columns`], which start at this one.
pub(crate) fn read(row: &SqlRow<'_>, first: usize) -> Result<StoredForm, StoreError> {
    if let Some(text) = row.get::<_, Option<String>>(first + 2).map_err(error)? {
        return Ok(StoredForm::Unmade(text));
    }
    let text: Option<String> = row.get(first + 1).map_err(error)?;
    let text = text.ok_or_else(|| damaged("text", "missing"))?;
    Ok(StoredForm::Whole(LexicalForm { words: row.get(first).map_err(error)?, text }))
}

/// Stores the form of a thought in the place of the one it had.
pub(crate) fn replace(connection: &Connection, row: Row, form: &LexicalForm) -> Result<(), StoreError> {
    write(connection, "INSERT OR REPLACE INTO form (thought, words, text) VALUES (?1, ?2, ?3)", row, form)
}

/// Stores the form of a thought that has none: one that it got meanwhile is that of a newer text.
pub(crate) fn store_missing(connection: &Connection, row: Row, form: &LexicalForm) -> Result<(), StoreError> {
    write(connection, "INSERT OR IGNORE INTO form (thought, words, text) VALUES (?1, ?2, ?3)", row, form)
}

fn write(connection: &Connection, sql: &str, row: Row, form: &LexicalForm) -> Result<(), StoreError> {
    execute(connection, sql, params![row, form.words, form.text]).map(drop)
}

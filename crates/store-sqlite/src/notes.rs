//! The text notes attached to thoughts.

use async_trait::async_trait;
use rusqlite::{Connection, Row as SqlRow, params};

use model::{AccountId, Note, NoteId, ThoughtId, Time};
use store::backend::{NoteRows, Row};
use store::{Facet, NoteListing, StoreError, StoredNote};
use text::LexicalForm;

use crate::database::error;
use crate::folder::SqliteStore;
use crate::row::{note_id, thought_id, time};
use crate::statement::{execute, first, first_value, list, value};
use crate::{entries, thoughts};

#[async_trait]
impl NoteRows for SqliteStore {
    async fn insert_note(
        &self,
        account: AccountId,
        thought: ThoughtId,
        note: StoredNote,
        form: LexicalForm,
    ) -> Result<Option<Note>, StoreError> {
        self.account(account)
            .await?
            .database
            .write(move |connection| {
                let Some(row) = thoughts::row_of(connection, thought)? else { return Ok(None) };
                insert(connection, row, &note, &form)?;
                let StoredNote { id, name, text, created_at, .. } = note;
                Ok(Some(Note { id, thought, name, text_bytes: text.len() as u64, created_at }))
            })
            .await
    }

    async fn list_notes(&self, account: AccountId, listing: NoteListing) -> Result<Vec<Note>, StoreError> {
        let file = self.account(account).await?;
        file.database.read(move |connection| page(connection, listing)).await
    }

    async fn get_note(&self, account: AccountId, id: NoteId) -> Result<Option<Note>, StoreError> {
        let sql = "SELECT note.id, thought.id, note.name, octet_length(note.text), note.created_at
                   FROM note JOIN thought ON thought.row = note.thought
                   WHERE note.id = ?1 AND note.removed_at IS NULL";
        let file = self.account(account).await?;
        file.database.look_up(move |connection| first(connection, sql, [id.as_bytes()], note)).await
    }

    async fn note_texts(
        &self,
        account: AccountId,
        ids: &[NoteId],
    ) -> Result<Vec<(NoteId, String, String)>, StoreError> {
        let ids = ids.to_vec();
        self.account(account)
            .await?
            .database
            .read(move |connection| {
                let sql = "SELECT name, text FROM note WHERE id = ?1 AND removed_at IS NULL";
                let mut texts = Vec::with_capacity(ids.len());
                for id in ids {
                    let read = |row: &SqlRow<'_>| Ok((id, row.get(0).map_err(error)?, row.get(1).map_err(error)?));
                    texts.extend(first(connection, sql, [id.as_bytes()], read)?);
                }
                Ok(texts)
            })
            .await
    }

    async fn remove_note(&self, account: AccountId, id: NoteId, at: Time) -> Result<Option<Note>, StoreError> {
        self.account(account).await?.database.write(move |connection| remove(connection, id, at)).await
    }
}

/// Stores a note and its entry in the log.
pub(crate) fn insert(
    connection: &Connection,
    thought: Row,
    note: &StoredNote,
    form: &LexicalForm,
) -> Result<(), StoreError> {
    let row: Row = value(connection, "SELECT coalesce(max(row), 0) + 1 FROM note", [])?;
    let facet = if note.removed_at.is_none() { Facet::NOTE } else { Facet::REMOVED };
    let seq = entries::insert(connection, thought, Some(row), facet, form.words)?;
    let sql = "INSERT INTO note (row, id, thought, name, created_at, removed_at, seq, words, text, lexical_text)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let values = params![
        row,
        note.id.as_bytes(),
        thought,
        note.name,
        note.created_at.as_micros(),
        note.removed_at.map(Time::as_micros),
        seq,
        form.words,
        note.text,
        form.text,
    ];
    execute(connection, sql, values).map(drop)
}

fn page(connection: &Connection, listing: NoteListing) -> Result<Vec<Note>, StoreError> {
    let NoteListing { thought, after, limit } = listing;
    let row_of = "SELECT row FROM note WHERE id = ?1";
    let after: Row = match after {
        Some(id) => first_value(connection, row_of, [id.as_bytes()])?.unwrap_or(Row::MAX),
        None => 0,
    };
    let sql = "SELECT note.id, thought.id, note.name, octet_length(note.text), note.created_at
               FROM note JOIN thought ON thought.row = note.thought
               WHERE note.row > ?2 AND note.removed_at IS NULL AND (?1 IS NULL OR thought.id = ?1)
               ORDER BY note.row LIMIT ?3";
    list(connection, sql, params![thought.map(|thought| thought.as_bytes().to_vec()), after, limit as i64], note)
}

fn remove(connection: &Connection, id: NoteId, at: Time) -> Result<Option<Note>, StoreError> {
    let sql = "SELECT note.id, thought.id, note.name, octet_length(note.text), note.created_at,
                      note.row, note.thought, note.seq
               FROM note JOIN thought ON thought.row = note.thought
               WHERE note.id = ?1 AND note.removed_at IS NULL";
    let read = |found: &SqlRow<'_>| -> Result<(Note, Row, Row, u64), StoreError> {
        let row = |column| found.get(column).map_err(error);
        Ok((note(found)?, row(5)?, row(6)?, found.get(7).map_err(error)?))
    };
    let Some((note, row, thought, seq)) = first(connection, sql, [id.as_bytes()], read)? else { return Ok(None) };
    let entry = entries::insert(connection, thought, Some(row), Facet::REMOVED, 0)?;
    entries::remove(connection, seq)?;
    execute(
        connection,
        "UPDATE note SET removed_at = ?2, seq = ?3 WHERE row = ?1",
        params![row, at.as_micros(), entry],
    )?;
    Ok(Some(note))
}

fn note(row: &SqlRow<'_>) -> Result<Note, StoreError> {
    Ok(Note {
        id: note_id(row, 0)?,
        thought: thought_id(row, 1)?,
        name: row.get(2).map_err(error)?,
        text_bytes: row.get(3).map_err(error)?,
        created_at: time(row, 4)?,
    })
}

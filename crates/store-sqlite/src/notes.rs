//! The text notes attached to thoughts.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};

use model::{AccountId, Note, NoteId, ThoughtId, Time};
use store::{Notes, StoreError, StoredNote};

use super::database::error;
use super::index::Facet;
use super::row::{blob, damaged, time};
use super::statement::{execute, first, list, value};
use super::thoughts::get;
use super::{SqliteStore, entries};

#[async_trait]
impl Notes for SqliteStore {
    async fn insert_note(
        &self,
        account: AccountId,
        thought: ThoughtId,
        note: StoredNote,
    ) -> Result<Option<Note>, StoreError> {
        self.account(account)
            .await?
            .database
            .write(move |connection| {
                let Some(found) = get(connection, thought)? else { return Ok(None) };
                insert_row(connection, found.row, &note)?;
                let StoredNote { id, name, text, created_at, .. } = note;
                Ok(Some(Note { id, thought, name, text_bytes: text.len() as u64, created_at }))
            })
            .await
    }

    async fn list_notes(&self, account: AccountId, thought: Option<ThoughtId>) -> Result<Vec<Note>, StoreError> {
        self.account(account)
            .await?
            .database
            .read(move |connection| {
                let sql = "SELECT note.id, thought.id, note.name, octet_length(note.text), note.created_at
                           FROM note JOIN thought ON thought.row = note.thought
                           WHERE note.removed_at IS NULL AND (?1 IS NULL OR thought.id = ?1)
                           ORDER BY note.row";
                list(connection, sql, [thought.map(|thought| thought.as_bytes().to_vec())], note)
            })
            .await
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
                    let read = |row: &Row<'_>| Ok((id, row.get(0).map_err(error)?, row.get(1).map_err(error)?));
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

/// Stores a note and its entry in the index over words.
pub(super) fn insert_row(connection: &Connection, thought: i64, note: &StoredNote) -> Result<(), StoreError> {
    let row: i64 = value(connection, "SELECT coalesce(max(row), 0) + 1 FROM note", [])?;
    let facet = if note.removed_at.is_none() { Facet::NOTE } else { Facet::REMOVED };
    let seq = entries::insert(connection, thought, Some(row), facet, note.lexical.words)?;
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
        note.lexical.words,
        note.text,
        note.lexical.text,
    ];
    execute(connection, sql, values).map(drop)
}

fn remove(connection: &Connection, id: NoteId, at: Time) -> Result<Option<Note>, StoreError> {
    let sql = "SELECT note.id, thought.id, note.name, octet_length(note.text), note.created_at,
                      note.row, note.thought, note.seq
               FROM note JOIN thought ON thought.row = note.thought
               WHERE note.id = ?1 AND note.removed_at IS NULL";
    let read = |found: &Row<'_>| -> Result<(Note, i64, i64, i64), StoreError> {
        let number = |column| found.get(column).map_err(error);
        Ok((note(found)?, number(5)?, number(6)?, number(7)?))
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

fn note(row: &Row<'_>) -> Result<Note, StoreError> {
    Ok(Note {
        id: NoteId::from_slice(&blob(row, 0)?).ok_or_else(|| damaged("id", "of another length"))?,
        thought: ThoughtId::from_slice(&blob(row, 1)?).ok_or_else(|| damaged("id", "of another length"))?,
        name: row.get(2).map_err(error)?,
        text_bytes: row.get(3).map_err(error)?,
        created_at: time(row, 4)?,
    })
}

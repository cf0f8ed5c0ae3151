//! The text notes attached to thoughts.

use async_trait::async_trait;
use tokio_postgres::Row as SqlRow;
use uuid::Uuid;

use model::{AccountId, Note, NoteId, ThoughtId, Time};
use store::backend::{NoteRows, Row};
use store::{NoteListing, StoreError, StoredNote};
use text::LexicalForm;

use crate::connection::Connection;
use crate::ends::{self, LockedLog};
use crate::place::PostgresStore;
use crate::row::{Stored, limit, note_id, number, seq, small, text, thought_id, time};
use crate::statement::statements;

macro_rules! note_columns {
    () => {
        "note.id, thought.id, note.name, octet_length(note.text)::bigint, note.created_at"
    };
}

macro_rules! notes_of_thoughts {
    () => {
        " FROM note JOIN thought ON thought.account_id = note.account_id AND thought.row = note.thought
          WHERE note.account_id = $1 AND note.removed_at IS NULL "
    };
}

statements! {
    ROW_OF_THOUGHT, Account: "SELECT thought.row FROM thought WHERE account_id = $1 AND id = $2";
    INSERT, Account: "INSERT INTO note (account_id, row, id, thought, name, created_at, removed_at, seq, words, text,
                                        lexical_text)
                      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    NUMBER, Account: "UPDATE log_end SET note = $2, entry = $3 WHERE account_id = $1";
    LIST, Account: concat!("SELECT ", note_columns!(), notes_of_thoughts!(),
                           "AND note.row > CASE WHEN $3::uuid IS NULL THEN 0 ELSE
                                coalesce((SELECT last.row FROM note AS last WHERE last.account_id = $1 AND last.id = $3),
                                         9223372036854775807) END
                            AND ($2::uuid IS NULL OR thought.id = $2) ORDER BY note.row LIMIT $4");
    GET, Account: concat!("SELECT ", note_columns!(), ", note.row, note.thought", notes_of_thoughts!(), "AND note.id = $2");
    TEXTS, Account: "SELECT note.id, note.name, note.text FROM note
                     WHERE account_id = $1 AND note.id = ANY ($2) AND note.removed_at IS NULL";
    REMOVE, Account: "UPDATE note SET removed_at = $3, seq = $4 WHERE account_id = $1 AND row = $2";
}

#[async_trait]
impl NoteRows for PostgresStore {
    async fn insert_note(
        &self,
        account: AccountId,
        thought: ThoughtId,
        note: StoredNote,
        form: LexicalForm,
    ) -> Result<Option<Note>, StoreError> {
        let mut transaction = self.transaction().await?;
        let mut log = ends::lock_log(&mut transaction, account).await?;
        let found = transaction.first(&ROW_OF_THOUGHT, &[&account.stored(), &thought.stored()]).await?;
        if let Some(found) = &found {
            insert(&mut transaction, account, &mut log, small(found, 0)?, &note, &form).await?;
        }
        transaction.commit_of(|| format!("the note {} of the thought {thought}", note.id)).await?;
        let StoredNote { id, name, text, created_at, .. } = note;
        Ok(found.map(|_| Note { id, thought, name, text_bytes: text.len() as u64, created_at }))
    }

    async fn list_notes(&self, account: AccountId, listing: NoteListing) -> Result<Vec<Note>, StoreError> {
        let (thought, after) = (listing.thought.map(|id| id.stored()), listing.after.map(|id| id.stored()));
        let mut connection = self.database.connection().await?;
        let found =
            connection.query_as_given(&LIST, &[&account.stored(), &thought, &after, &limit(listing.limit)]).await?;
        found.iter().map(note).collect()
    }

    async fn get_note(&self, account: AccountId, id: NoteId) -> Result<Option<Note>, StoreError> {
        self.first(&GET, &[&account.stored(), &id.stored()]).await?.as_ref().map(note).transpose()
    }

    async fn note_texts(
        &self,
        account: AccountId,
        ids: &[NoteId],
    ) -> Result<Vec<(NoteId, String, String)>, StoreError> {
        let ids: Vec<Uuid> = ids.iter().map(Stored::stored).collect();
        let found = self.query(&TEXTS, &[&account.stored(), &ids]).await?;
        found.iter().map(|found| Ok((note_id(found, 0)?, text(found, 1)?, text(found, 2)?))).collect()
    }

    async fn remove_note(&self, account: AccountId, id: NoteId, at: Time) -> Result<Option<Note>, StoreError> {
        let mut transaction = self.transaction().await?;
        let log = ends::lock_log(&mut transaction, account).await?;
        let found = transaction.first(&GET, &[&account.stored(), &id.stored()]).await?;
        if let Some(found) = &found {
            let (row, entry) = (i64::from(small(found, 5)?), log.entry + 1);
            transaction.execute(&REMOVE, &[&account.stored(), &row, &at.as_micros(), &seq(entry)]).await?;
            ends::number_entries(&mut transaction, account, entry).await?;
        }
        transaction.commit_of(|| format!("the removal of the note {id}")).await?;
        found.as_ref().map(note).transpose()
    }
}

/// Stores a note and its entry in the log, which is locked.
pub(crate) async fn insert(
    transaction: &mut Connection,
    account: AccountId,
    log: &mut LockedLog,
    thought: Row,
    note: &StoredNote,
    form: &LexicalForm,
) -> Result<(), StoreError> {
    log.note += 1;
    log.entry += 1;
    let (account, row, thought) = (account.stored(), i64::from(log.note), i64::from(thought));
    let (name, text, form_text) = (note.name.as_bytes(), note.text.as_bytes(), form.text.as_bytes());
    let (created_at, removed_at) = (note.created_at.as_micros(), note.removed_at.map(Time::as_micros));
    transaction
        .execute(
            &INSERT,
            &[
                &account,
                &row,
                &note.id.stored(),
                &thought,
                &name,
                &created_at,
                &removed_at,
                &seq(log.entry),
                &i64::from(form.words),
                &text,
                &form_text,
            ],
        )
        .await?;
    transaction.execute(&NUMBER, &[&account, &row, &seq(log.entry)]).await.map(drop)
}

fn note(found: &SqlRow) -> Result<Note, StoreError> {
    Ok(Note {
        id: note_id(found, 0)?,
        thought: thought_id(found, 1)?,
        name: text(found, 2)?,
        text_bytes: number(found, 3)?,
        created_at: time(found, 4)?,
    })
}

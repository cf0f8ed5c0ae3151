//! Everything out and in again, and copies of the files.

use std::path::Path;

use async_trait::async_trait;
use rusqlite::{Connection, Row};

use model::{AccountId, Key, KeyHash, NoteId, ThoughtId};
use store::{StoreError, StoredNote, StoredThought, Transfer};
use text::LexicalForm;

use super::database::{Database, at_once, error};
use super::registry;
use super::row::{self, ThoughtRow, blob, damaged, optional_time, thought_columns, time};
use super::statement::{execute, list, value};
use super::{SqliteStore, create_private_folder, notes, thoughts};

#[async_trait]
impl Transfer for SqliteStore {
    async fn export(
        &self,
        account: AccountId,
        after: Option<ThoughtId>,
        limit: usize,
    ) -> Result<Vec<StoredThought>, StoreError> {
        self.account(account)
            .await?
            .database
            .read(move |connection| {
                let sql = concat!("SELECT ", thought_columns!(), " FROM thought WHERE row > ?1 ORDER BY row LIMIT ?2");
                at_once(connection, || {
                    let after = match after {
                        Some(id) => thoughts::row_of(connection, id)?.unwrap_or(i64::MAX),
                        None => 0,
                    };
                    let found = list(connection, sql, [after, limit as i64], row::thought)?;
                    found.into_iter().map(|found| stored(connection, found)).collect()
                })
            })
            .await
    }

    async fn export_keys(&self, account: AccountId) -> Result<Vec<(Key, KeyHash)>, StoreError> {
        self.registry
            .read(move |connection| {
                let sql = "SELECT id, account, name, prefix, created_at, last_used_at, revoked_at, hash FROM key
                           WHERE account = ?1 ORDER BY created_at, id";
                list(connection, sql, [account.as_bytes()], |row| {
                    let hash: [u8; 32] = blob(row, 7)?.try_into().map_err(|_| damaged("hash", "of another length"))?;
                    Ok((registry::key(row)?, KeyHash(hash)))
                })
            })
            .await
    }

    async fn import(&self, account: AccountId, thoughts: Vec<StoredThought>) -> Result<usize, StoreError> {
        let file = self.account(account).await?;
        let import_all = move |connection: &Connection| {
            let mut stored = 0;
            for thought in thoughts {
                stored += usize::from(import(connection, &thought)?);
            }
            Ok(stored)
        };
        let stored = file.database.write(import_all).await?;
        self.work.queued();
        Ok(stored)
    }

    async fn backup(&self, folder: &Path) -> Result<(), StoreError> {
        let accounts = folder.join("accounts");
        create_private_folder(&accounts).map_err(StoreError::backend)?;
        make_private(folder).map_err(StoreError::backend)?;
        // The registry first: an account that is made meanwhile is not part of the copy, rather than half of it.
        copy(&self.registry, folder.join("registry.db").as_path()).await?;
        for id in self.list_account_ids().await? {
            let file = self.account(id).await?;
            copy(&file.database, accounts.join(format!("{id}.db")).as_path()).await?;
        }
        Ok(())
    }
}

/// A copy is as private as what it was made from, whoever made its folder.
fn make_private(folder: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

/// Writes the file as it is at one moment, whatever is written meanwhile.
async fn copy(database: &std::sync::Arc<Database>, to: &Path) -> Result<(), StoreError> {
    let to = to.to_owned();
    database
        .read(move |connection| {
            let path = to.to_str().ok_or_else(|| StoreError::backend("the folder's name is not UTF-8"))?;
            // The page-by-page backup of SQLite starts over with every foreign commit; this reads one snapshot.
            connection.pragma_update(None, "query_only", false).map_err(error)?;
            let copied = execute(connection, "VACUUM INTO ?1", [path]).map(drop);
            connection.pragma_update(None, "query_only", true).map_err(error)?;
            copied?;
            std::fs::File::open(&to).and_then(|file| file.sync_all()).map_err(StoreError::backend)
        })
        .await
}

fn stored(connection: &Connection, found: ThoughtRow) -> Result<StoredThought, StoreError> {
    let sql = "SELECT id, name, created_at, removed_at, text, lexical_text, words FROM note
               WHERE thought = ?1 ORDER BY row";
    let note = |row: &Row<'_>| {
        Ok(StoredNote {
            id: NoteId::from_slice(&blob(row, 0)?).ok_or_else(|| damaged("id", "of another length"))?,
            name: row.get(1).map_err(error)?,
            created_at: time(row, 2)?,
            removed_at: optional_time(row, 3)?,
            text: row.get(4).map_err(error)?,
            lexical: LexicalForm { text: row.get(5).map_err(error)?, words: row.get(6).map_err(error)? },
        })
    };
    Ok(StoredThought {
        revisions: thoughts::revisions(connection, found.row)?,
        notes: list(connection, sql, [found.row], note)?,
        thought: found.thought,
    })
}

/// Stores one thought with all that belongs to it; `false` if its id exists.
fn import(connection: &Connection, stored: &StoredThought) -> Result<bool, StoreError> {
    if thoughts::get(connection, stored.thought.id)?.is_some() {
        return Ok(false);
    }
    let row = thoughts::insert_row(connection, thoughts::last(connection)?, &stored.thought)?;
    for revision in &stored.revisions {
        thoughts::insert_revision(connection, row, revision)?;
    }
    for note in &stored.notes {
        let sql = "SELECT count(*) FROM note WHERE id = ?1";
        let taken: i64 = value(connection, sql, [note.id.as_bytes()])?;
        if taken == 0 {
            notes::insert_row(connection, row, note)?;
        }
    }
    Ok(true)
}

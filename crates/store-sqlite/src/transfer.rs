//! Everything out and in again, and copies of the files.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{Connection, Row as SqlRow};

use model::{AccountId, Key, KeyHash, ThoughtId};
use store::backend::{Row, TransferRows};
use store::{Accounts, Backup, StoreError, StoredNote, StoredThought};
use text::LexicalForm;

use crate::database::{Database, at_once, damaged, error};
use crate::folder::{SqliteStore, create_private_folder};
use crate::known_keys::key;
use crate::row::{self, ThoughtRow, blob, note_id, optional_time, thought_columns, time};
use crate::statement::{execute, list, value};
use crate::{notes, revisions, thoughts};

#[async_trait]
impl TransferRows for SqliteStore {
    async fn export(
        &self,
        account: AccountId,
        after: Option<ThoughtId>,
        limit: usize,
    ) -> Result<Vec<StoredThought>, StoreError> {
        let sql = concat!("SELECT ", thought_columns!(), " FROM thought WHERE row > ?1 ORDER BY row LIMIT ?2");
        let read = move |connection: &Connection| {
            at_once(connection, || {
                let after = match after {
                    Some(id) => thoughts::row_of(connection, id)?.unwrap_or(Row::MAX),
                    None => 0,
                };
                let found = list(connection, sql, [i64::from(after), limit as i64], row::thought)?;
                found.into_iter().map(|found| stored(connection, found)).collect()
            })
        };
        self.account(account).await?.database.read(read).await
    }

    async fn export_keys(&self, account: AccountId) -> Result<Vec<(Key, KeyHash)>, StoreError> {
        self.registry
            .read(move |connection| {
                let sql = "SELECT id, account, name, prefix, created_at, last_used_at, revoked_at, hash FROM key
                           WHERE account = ?1 ORDER BY created_at, id";
                list(connection, sql, [account.as_bytes()], |row| {
                    let hash: [u8; 32] = blob(row, 7)?.try_into().map_err(|_| damaged("hash", "of another length"))?;
                    Ok((key(row)?, KeyHash(hash)))
                })
            })
            .await
    }

    async fn import(
        &self,
        account: AccountId,
        thoughts: Vec<(StoredThought, Vec<LexicalForm>)>,
    ) -> Result<usize, StoreError> {
        let file = self.account(account).await?;
        let import_all = move |connection: &Connection| {
            let mut stored = 0;
            for (thought, forms) in &thoughts {
                stored += usize::from(import(connection, thought, forms)?);
            }
            Ok(stored)
        };
        let stored = file.database.write(import_all).await?;
        self.work.queued();
        Ok(stored)
    }

    async fn backup(&self, folder: &Path) -> Result<Backup, StoreError> {
        let accounts = folder.join("accounts");
        create_private_folder(&accounts).map_err(StoreError::backend)?;
        make_private(folder).map_err(StoreError::backend)?;
        // The registry first: an account that is made meanwhile is not part of the copy, rather than half of it.
        copy(&self.registry, folder.join("registry.db").as_path()).await?;
        for account in self.list_accounts().await? {
            let file = self.account(account.id).await?;
            copy(&file.database, accounts.join(format!("{}.db", account.id)).as_path()).await?;
        }
        Ok(Backup::Made)
    }
}

/// A copy is as private as what it was made from, whoever made its folder.
fn make_private(folder: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

/// Writes the file as it is at one moment, whatever is written meanwhile.
async fn copy(database: &Arc<Database>, to: &Path) -> Result<(), StoreError> {
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
    let sql = "SELECT id, name, created_at, removed_at, text FROM note WHERE thought = ?1 ORDER BY row";
    let note = |row: &SqlRow<'_>| {
        Ok(StoredNote {
            id: note_id(row, 0)?,
            name: row.get(1).map_err(error)?,
            created_at: time(row, 2)?,
            removed_at: optional_time(row, 3)?,
            text: row.get(4).map_err(error)?,
        })
    };
    Ok(StoredThought {
        revisions: revisions::of(connection, found.row)?,
        notes: list(connection, sql, [found.row], note)?,
        thought: found.thought,
    })
}

/// Stores one thought with all that belongs to it; `false` if its id exists.
fn import(connection: &Connection, stored: &StoredThought, forms: &[LexicalForm]) -> Result<bool, StoreError> {
    if thoughts::row_of(connection, stored.thought.id)?.is_some() {
        return Ok(false);
    }
    let row = thoughts::insert(connection, thoughts::last(connection)?, &stored.thought)?;
    for revision in &stored.revisions {
        revisions::insert(connection, row, revision)?;
    }
    for (note, form) in stored.notes.iter().zip(forms) {
        let sql = "SELECT count(*) FROM note WHERE id = ?1";
        let taken: i64 = value(connection, sql, [note.id.as_bytes()])?;
        if taken == 0 {
            notes::insert(connection, row, note, form)?;
        }
    }
    Ok(true)
}

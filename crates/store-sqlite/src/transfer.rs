//! Everything out and in again, and copies of the files.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{Connection, OpenFlags};

use model::{AccountId, Key, KeyHash};
use store::backend::{FormedPiece, TransferRows};
use store::{Backup, Piece, PieceId, StoreError};

use crate::database::{Database, at_once, create_folder, damaged, error, io_error, make_file_private, sync_folder};
use crate::folder::SqliteStore;
use crate::known_keys::key;
use crate::pieces;
use crate::row::blob;
use crate::statement::{execute, list, value};

#[async_trait]
impl TransferRows for SqliteStore {
    async fn export(&self, account: AccountId, after: Option<PieceId>) -> Result<Vec<Piece>, StoreError> {
        let read = move |connection: &Connection| at_once(connection, || pieces::after(connection, after));
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

    async fn import(&self, account: AccountId, pieces: Vec<FormedPiece>) -> Result<usize, StoreError> {
        let file = self.account(account).await?;
        let import_all = move |connection: &Connection| {
            let mut stored = 0;
            for piece in &pieces {
                stored += usize::from(pieces::insert(connection, piece)?);
            }
            Ok(stored)
        };
        let stored = file.database.write(import_all).await?;
        self.work.queued(account);
        Ok(stored)
    }

    async fn backup(&self, folder: &Path) -> Result<Backup, StoreError> {
        let copied = self.copy_into(folder).await;
        if copied.is_err() {
            // Without a registry it is no store; what is left of it is of no use to anybody either.
            let _ = std::fs::remove_dir_all(folder.join("accounts"));
            let _ = std::fs::remove_file(folder.join(UNFINISHED));
        }
        copied
    }
}

/// What the registry of a copy is called until everything else is there: a folder without `registry.db` is not taken for a store.
const UNFINISHED: &str = "registry.db.unfinished";

impl SqliteStore {
    async fn copy_into(&self, folder: &Path) -> Result<Backup, StoreError> {
        let accounts = folder.join("accounts");
        create_folder(folder).and_then(|()| create_folder(&accounts)).map_err(io_error)?;
        // The registry first: an account that is made meanwhile is not part of the copy, rather than half of it.
        copy(&self.registry, folder.join(UNFINISHED)).await?;
        let (mut count, mut thoughts, mut left_out) = (0, 0, Vec::new());
        for (account, _) in self.account_files().await? {
            let to = accounts.join(format!("{account}.db"));
            let copied = match self.account(account).await {
                Ok(file) => copy(&file.database, to.clone()).await,
                Err(error) => Err(error),
            };
            match copied {
                Ok(copied) => {
                    count += 1;
                    thoughts += copied;
                }
                // The others are copied all the same; the copy misses this one as the store does.
                Err(error @ StoreError::Corrupt { .. }) => {
                    let _ = std::fs::remove_file(&to);
                    left_out.push((account, error.to_string()));
                }
                Err(error) => return Err(error),
            }
        }
        std::fs::rename(folder.join(UNFINISHED), folder.join("registry.db"))
            .and_then(|()| sync_folder(folder))
            .map_err(io_error)?;
        Ok(Backup::Made { accounts: count, thoughts, left_out })
    }
}

/// Writes the file as it is at one moment, whatever is written meanwhile, and checks what was written; how many thoughts it holds.
async fn copy(database: &Arc<Database>, to: PathBuf) -> Result<u64, StoreError> {
    let write = move |connection: &Connection| {
        let path = to.to_str().ok_or_else(|| StoreError::backend("the folder's name is not UTF-8"))?;
        // The page-by-page backup of SQLite starts over with every foreign commit; this reads one snapshot.
        connection.pragma_update(None, "query_only", false).map_err(error)?;
        let copied = execute(connection, "VACUUM INTO ?1", [path]).map(drop);
        connection.pragma_update(None, "query_only", true).map_err(error)?;
        copied?;
        File::open(&to).and_then(|file| file.sync_all()).map_err(io_error)?;
        check(&to)
    };
    database.read(write).await
}

/// Makes sure that a copy can be read; how many thoughts it holds.
fn check(path: &Path) -> Result<u64, StoreError> {
    make_file_private(path).map_err(io_error)?;
    let copy = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(error)?;
    let verdict: String = value(&copy, "PRAGMA integrity_check(1)", [])?;
    if verdict != "ok" {
        return Err(StoreError::backend(format!("the copy `{}` is not sound: {verdict}", path.display())));
    }
    let tables: i64 = value(&copy, "SELECT count(*) FROM sqlite_schema WHERE name = 'thought'", [])?;
    if tables == 0 { Ok(0) } else { value(&copy, "SELECT count(*) FROM thought", []) }
}

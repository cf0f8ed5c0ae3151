//! The folder as a whole: what it holds, and closing its files.

use std::path::Path;

use async_trait::async_trait;
use rusqlite::Connection;

use model::AccountId;
use store::backend::Keeping;
use store::{Accounts, Stats, StoreError};

use crate::database::at_once;
use crate::folder::SqliteStore;
use crate::jobs::first_new;
use crate::statement::value;

#[async_trait]
impl Keeping for SqliteStore {
    async fn stats(&self) -> Result<Stats, StoreError> {
        let accounts = self.list_accounts().await?;
        let mut stats = Stats { accounts: accounts.len() as u64, ..Stats::default() };
        for account in accounts {
            let counted = self.account(account.id).await?.database.read(count).await?;
            stats.open += counted.open;
            stats.completed += counted.completed;
            stats.archived += counted.archived;
            stats.pending_enrichment += counted.pending_enrichment;
            stats.given_up += counted.given_up;
        }
        let folder = self.folder.clone();
        let bytes = tokio::task::spawn_blocking(move || folder_bytes(&folder)).await.map_err(StoreError::backend)?;
        stats.store_bytes = bytes.map_err(StoreError::backend)?;
        Ok(stats)
    }

    async fn let_go(&self, in_use: &[AccountId]) -> Result<(), StoreError> {
        self.close_all_but(in_use);
        Ok(())
    }

    async fn close(&self) -> Result<(), StoreError> {
        for file in self.opened() {
            file.database.close().await?;
        }
        self.close_all_but(&[]);
        self.known_keys.lock().close();
        self.registry.close().await
    }
}

/// What one account holds.
fn count(connection: &Connection) -> Result<Stats, StoreError> {
    at_once(connection, || {
        let count = |sql| value(connection, sql, []);
        let new = "SELECT count(*) FROM thought WHERE row >= ?1";
        Ok(Stats {
            open: count("SELECT count(*) FROM thought WHERE status = 0")?,
            completed: count("SELECT count(*) FROM thought WHERE status = 1")?,
            archived: count("SELECT count(*) FROM thought WHERE status = 2")?,
            pending_enrichment: count("SELECT count(DISTINCT thought) FROM job WHERE given_up = 0")?
                + value::<u64>(connection, new, [first_new(connection)?])?,
            given_up: count("SELECT count(DISTINCT thought) FROM job WHERE given_up = 1")?,
            ..Stats::default()
        })
    })
}

fn folder_bytes(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // A journal may vanish between being listed and being measured.
        let Ok(metadata) = entry.metadata() else { continue };
        bytes += if metadata.is_dir() { folder_bytes(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}

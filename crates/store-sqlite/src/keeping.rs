//! The folder as a whole: what it holds, and closing its files.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use rustc_hash::FxHashSet;

use model::AccountId;
use store::backend::Keeping;
use store::{Copies, RunningCopy, Stats, StoreError};

use crate::database::io_error;
use crate::folder::SqliteStore;
use crate::statement::value;

#[async_trait]
impl Copies for SqliteStore {
    async fn announce(&self, _copy: &RunningCopy) -> Result<(), StoreError> {
        // Whoever serves a folder says so by a file in it.
        Ok(())
    }

    async fn withdraw(&self, _instance: &str) -> Result<(), StoreError> {
        Ok(())
    }

    async fn copies(&self, _within: Duration) -> Result<Vec<RunningCopy>, StoreError> {
        Ok(Vec::new())
    }
}

#[async_trait]
impl Keeping for SqliteStore {
    async fn stats(&self) -> Result<Stats, StoreError> {
        let accounts = self.registry.read(|connection| value(connection, "SELECT count(*) FROM account", [])).await?;
        let mut stats = Stats { accounts, ..Stats::default() };
        for (_, summary) in self.summaries_of_all().await? {
            stats.open += summary.counts.open;
            stats.completed += summary.counts.completed;
            stats.archived += summary.counts.archived;
            stats.pending_enrichment += summary.counts.pending_enrichment;
            stats.given_up += summary.counts.given_up;
        }
        stats.damaged = self.damaged().len() as u64;
        let folder = self.folder.clone();
        let bytes = tokio::task::spawn_blocking(move || folder_bytes(&folder)).await.map_err(StoreError::backend)?;
        stats.store_bytes = bytes.map_err(io_error)?;
        Ok(stats)
    }

    async fn damaged(&self) -> Result<Vec<(AccountId, String)>, StoreError> {
        Ok(self.damaged())
    }

    async fn check(&self) -> Result<(), StoreError> {
        self.check_in_place()
    }

    async fn let_go(&self, in_use: &[AccountId]) -> Result<(), StoreError> {
        let in_use: FxHashSet<AccountId> = in_use.iter().copied().collect();
        let idle = self.open.take_idle(|account| !in_use.contains(&account));
        self.close_accounts(idle).await?;
        // What was in use when the limit was passed.
        self.close_surplus().await?;
        self.open.all().iter().for_each(|file| file.database.trim_readers());
        self.summaries.store().await
    }

    async fn close(&self) -> Result<(), StoreError> {
        let files = self.open.take_idle(|_| true);
        self.close_accounts(files).await?;
        for file in self.open.all() {
            file.database.close().await?;
        }
        self.open.clear();
        self.summaries.close().await?;
        self.known_keys.lock().close();
        self.registry.close().await
    }
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

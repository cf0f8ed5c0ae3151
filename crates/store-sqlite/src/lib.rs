//! The embedded back end: a registry of accounts and keys, and one SQLite file for each account.
//!
//! Accounts are apart physically: no statement can reach from one to another, each has its own statistics of words, and one
//! is backed up or taken away as a file. Other processes may use the same folder at the same time.

mod account;
mod database;
mod derived;
mod entities;
mod entries;
mod forms;
mod index;
mod jobs;
mod knowledge;
mod lexical;
mod links;
mod meaning;
mod notes;
mod registry;
mod row;
mod schema;
mod sittings;
mod statement;
mod thoughts;
mod transfer;
mod work;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use model::{AccountId, Clock, Time};
use store::{Stats, StoreError, Upkeep};

use self::account::AccountFile;
use self::database::Database;
use self::registry::KnownKeys;
use self::work::Work;

/// How long an account nobody asks for stays open.
const IDLE_MICROS: i64 = 10 * 60 * 1_000_000;

/// A folder of SQLite files.
pub struct SqliteStore {
    folder: PathBuf,
    clock: Arc<dyn Clock>,
    registry: Arc<Database>,
    known_keys: Mutex<KnownKeys>,
    open: Mutex<FxHashMap<AccountId, Opened>>,
    work: Work,
    /// Held while a file is opened, so that a burst of requests for one account opens it once.
    opening: tokio::sync::Mutex<()>,
}

struct Opened {
    file: Arc<AccountFile>,
    last_asked_for: Time,
}

impl SqliteStore {
    /// Opens the folder, creating or migrating it as needed.
    pub fn open(folder: &Path, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        let accounts = folder.join("accounts");
        create_private_folder(&accounts).map_err(|cause| {
            StoreError::backend(format!("cannot create the data folder `{}`: {cause}", folder.display()))
        })?;
        let registry = Database::open(&folder.join("registry.db"), &schema::REGISTRY)?;
        Ok(Self {
            folder: folder.to_owned(),
            clock,
            registry,
            known_keys: Mutex::default(),
            open: Mutex::default(),
            work: Work::default(),
            opening: tokio::sync::Mutex::default(),
        })
    }

    /// The file of an account, opened if it is not.
    async fn account(&self, id: AccountId) -> Result<Arc<AccountFile>, StoreError> {
        if let Some(file) = self.opened_account(id) {
            return Ok(file);
        }
        let _opening = self.opening.lock().await;
        if let Some(file) = self.opened_account(id) {
            return Ok(file);
        }
        let path = self.account_path(id);
        let file =
            tokio::task::spawn_blocking(move || AccountFile::open(&path)).await.map_err(StoreError::backend)??;
        let file = Arc::new(file);
        self.open.lock().insert(id, Opened { file: file.clone(), last_asked_for: self.clock.now() });
        Ok(file)
    }

    fn opened_account(&self, id: AccountId) -> Option<Arc<AccountFile>> {
        let mut open = self.open.lock();
        let opened = open.get_mut(&id)?;
        opened.last_asked_for = self.clock.now();
        Some(opened.file.clone())
    }

    fn account_path(&self, id: AccountId) -> PathBuf {
        self.folder.join("accounts").join(format!("{id}.db"))
    }

    fn opened(&self) -> Vec<Arc<AccountFile>> {
        self.open.lock().values().map(|opened| opened.file.clone()).collect()
    }
}

/// How long entries of one account are listed at a time: a small part of the time between two rounds of upkeep.
const LISTING: Duration = Duration::from_millis(200);

#[async_trait]
impl Upkeep for SqliteStore {
    async fn stats(&self) -> Result<Stats, StoreError> {
        let accounts = self.list_account_ids().await?;
        let mut stats = Stats { accounts: accounts.len() as u64, ..Stats::default() };
        for account in accounts {
            let counts = self.account(account).await?.counts().await?;
            stats.open += counts.open;
            stats.completed += counts.completed;
            stats.archived += counts.archived;
            stats.pending_enrichment += counts.pending_enrichment;
            stats.given_up += counts.given_up;
        }
        let folder = self.folder.clone();
        let bytes = tokio::task::spawn_blocking(move || folder_bytes(&folder)).await.map_err(StoreError::backend)?;
        stats.store_bytes = bytes.map_err(StoreError::backend)?;
        Ok(stats)
    }

    async fn upkeep(&self) -> Result<(), StoreError> {
        for file in self.opened() {
            file.seal_full_blocks().await?;
            let begun = Instant::now();
            while file.list_some().await? && begun.elapsed() < LISTING {}
            file.remove_retired_vectors().await?;
        }
        let idle_since = self.clock.now().as_micros() - IDLE_MICROS;
        self.open.lock().retain(|_, opened| opened.last_asked_for.as_micros() > idle_since);
        Ok(())
    }

    async fn close(&self) -> Result<(), StoreError> {
        for file in self.opened() {
            file.database.close().await?;
        }
        self.open.lock().clear();
        self.known_keys.lock().close();
        self.registry.close().await
    }
}

/// Thoughts are private: on Unix nobody but the owner may look into the folder.
fn create_private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
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

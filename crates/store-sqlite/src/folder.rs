//! A folder of SQLite files: the registry, and the accounts that are open.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use model::{AccountId, Clock};
use store::StoreError;

use crate::account::AccountFile;
use crate::database::Database;
use crate::known_keys::KnownKeys;
use crate::schema;
use crate::work::Work;

/// A folder of SQLite files.
pub(crate) struct SqliteStore {
    pub(crate) folder: PathBuf,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) registry: Arc<Database>,
    pub(crate) known_keys: Mutex<KnownKeys>,
    pub(crate) work: Work,
    open: Mutex<FxHashMap<AccountId, Arc<AccountFile>>>,
    /// Held while a file is opened, so that a burst of requests for one account opens it once.
    opening: tokio::sync::Mutex<()>,
}

impl SqliteStore {
    /// Opens the folder, creating or migrating it as needed.
    pub(crate) async fn open(folder: &Path, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        let folder = folder.to_owned();
        let opened = tokio::task::spawn_blocking(move || Self::open_here(&folder, clock));
        opened.await.map_err(StoreError::backend)?
    }

    fn open_here(folder: &Path, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
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
            work: Work::default(),
            open: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
        })
    }

    /// The file of an account, opened if it is not.
    pub(crate) async fn account(&self, id: AccountId) -> Result<Arc<AccountFile>, StoreError> {
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
        self.open.lock().insert(id, file.clone());
        Ok(file)
    }

    fn opened_account(&self, id: AccountId) -> Option<Arc<AccountFile>> {
        self.open.lock().get(&id).cloned()
    }

    pub(crate) fn account_path(&self, id: AccountId) -> PathBuf {
        self.folder.join("accounts").join(format!("{id}.db"))
    }

    /// The files that are open.
    pub(crate) fn opened(&self) -> Vec<Arc<AccountFile>> {
        self.open.lock().values().cloned().collect()
    }

    /// Closes the files of accounts other than these, each as soon as nobody uses it any more.
    pub(crate) fn close_all_but(&self, in_use: &[AccountId]) {
        self.open.lock().retain(|account, _| in_use.contains(account));
    }
}

/// Thoughts are private: on Unix nobody but the owner may look into the folder.
pub(crate) fn create_private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

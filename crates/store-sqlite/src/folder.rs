//! A folder of SQLite files: the registry, what is known of the accounts, and those that are open.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;
use rustc_hash::FxHashMap;

use model::{AccountId, Clock};
use store::StoreError;
use store::backend::Work;

use crate::account::AccountFile;
use crate::accounts::OpenAccounts;
use crate::database::{Database, Expected, corrupt, create_folder, error, io_error};
use crate::known_keys::KnownKeys;
use crate::row::account_id;
use crate::schema;
use crate::stamp::Stamp;
use crate::statement::{execute, first_value, list};
use crate::summaries::{Summaries, Summary};

/// A folder of SQLite files.
pub(crate) struct SqliteStore {
    pub(crate) folder: PathBuf,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) registry: Arc<Database>,
    pub(crate) known_keys: Arc<Mutex<KnownKeys>>,
    pub(crate) work: Work,
    pub(crate) open: OpenAccounts,
    pub(crate) summaries: Summaries,
    /// The accounts whose files cannot be read, and why.
    damaged: Mutex<FxHashMap<AccountId, String>>,
}

impl SqliteStore {
    /// Opens the folder, creating or migrating it as needed; no more than so many accounts are open at once.
    pub(crate) async fn open(folder: &Path, clock: Arc<dyn Clock>, most_open: usize) -> Result<Self, StoreError> {
        let folder = folder.to_owned();
        let opened = tokio::task::spawn_blocking(move || Self::open_here(&folder, clock, most_open));
        opened.await.map_err(StoreError::backend)?
    }

    fn open_here(folder: &Path, clock: Arc<dyn Clock>, most_open: usize) -> Result<Self, StoreError> {
        let accounts = folder.join("accounts");
        for folder in [folder, &accounts] {
            create_folder(folder).map_err(|cause| match io_error(cause) {
                StoreError::Backend(cause) => {
                    StoreError::backend(format!("cannot create the data folder `{}`: {cause}", folder.display()))
                }
                other => other,
            })?;
        }
        let registry = folder.join("registry.db");
        let expected = if holds_accounts(&accounts) { Expected::Filled } else { Expected::New };
        Ok(Self {
            registry: Database::open(&registry, &schema::REGISTRY, expected)?,
            summaries: Summaries::open(&folder.join("derived.db"))?,
            folder: folder.to_owned(),
            clock,
            known_keys: Arc::default(),
            work: Work::default(),
            open: OpenAccounts::new(most_open),
            damaged: Mutex::default(),
        })
    }

    /// The file of an account, opened if it is not.
    pub(crate) async fn account(&self, id: AccountId) -> Result<Arc<AccountFile>, StoreError> {
        if let Some(file) = self.open.get(id) {
            return Ok(file);
        }
        let opened = self.open.get_or_open(id, self.open_account(id)).await;
        self.note_damage(id, &opened);
        self.close_surplus().await?;
        opened
    }

    /// Closes what is open beyond the limit and not in use.
    pub(crate) async fn close_surplus(&self) -> Result<(), StoreError> {
        let surplus = self.open.take_surplus();
        if surplus.is_empty() { Ok(()) } else { self.close_accounts(surplus).await }
    }

    async fn open_account(&self, id: AccountId) -> Result<AccountFile, StoreError> {
        let (path, registry) = (self.account_path(id), self.registry.clone());
        let open = move || {
            let sql = "SELECT filled FROM account WHERE id = ?1";
            let filled: Option<bool> = registry.read_now(|connection| first_value(connection, sql, [id.as_bytes()]))?;
            let expected = if filled == Some(true) { Expected::Filled } else { Expected::New };
            Ok((AccountFile::open(&path, expected)?, filled))
        };
        let opened = tokio::task::spawn_blocking(open).await.map_err(StoreError::backend)?;
        let (file, filled) = opened?;
        if filled == Some(false) {
            // From now on the file is missed if somebody takes it away.
            let sql = "UPDATE account SET filled = 1 WHERE id = ?1";
            self.registry.write(move |connection| execute(connection, sql, [id.as_bytes()])).await?;
        }
        Ok(file)
    }

    pub(crate) fn account_path(&self, id: AccountId) -> PathBuf {
        self.folder.join("accounts").join(format!("{id}.db"))
    }

    /// Closes files that have been taken out, and notes what they hold: closing one writes to it, and nobody needs to open it
    /// again to see what was seen here.
    pub(crate) async fn close_accounts(&self, files: Vec<(AccountId, Arc<AccountFile>)>) -> Result<(), StoreError> {
        let folder = self.folder.join("accounts");
        let close = move || {
            let mut seen = Vec::with_capacity(files.len());
            for (account, file) in files {
                let summary = file.database.read_now(Summary::read);
                drop(file);
                let stamp = Stamp::of(&folder.join(format!("{account}.db")));
                seen.extend(stamp.zip(summary.ok()).map(|(stamp, summary)| (account, stamp, summary)));
            }
            seen
        };
        for (account, stamp, summary) in tokio::task::spawn_blocking(close).await.map_err(StoreError::backend)? {
            self.summaries.note(account, stamp, summary);
        }
        Ok(())
    }

    /// What each account holds, one after the other. A file that nobody has written to since the last look is not opened, and
    /// one that cannot be read is passed over.
    pub(crate) async fn summaries_of_all(&self) -> Result<Vec<(AccountId, Summary)>, StoreError> {
        self.of_all(|summary| summary, Summary::read).await
    }

    /// One thing about each account, one after the other: from what was last seen in its file, or read from one that is being
    /// written to, where counting everything anew each time would take too long.
    pub(crate) async fn of_all<T: Send + 'static>(
        &self,
        of_summary: fn(Summary) -> T,
        read: fn(&Connection) -> Result<T, StoreError>,
    ) -> Result<Vec<(AccountId, T)>, StoreError> {
        let mut all = Vec::new();
        for (account, stamp) in self.account_files().await? {
            let seen = self.of_one(account, stamp, of_summary, read).await?;
            all.extend(seen.map(|seen| (account, seen)));
        }
        Ok(all)
    }

    /// The same of one account whose file has that stamp; `None` if it cannot be read now.
    pub(crate) async fn of_one<T: Send + 'static>(
        &self,
        account: AccountId,
        stamp: Option<Stamp>,
        of_summary: fn(Summary) -> T,
        read: fn(&Connection) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        if let Some(known) = stamp.and_then(|stamp| self.summaries.known(account, stamp)) {
            self.note_damage(account, &Ok(()));
            return Ok(Some(of_summary(known)));
        }
        let seen = self.look_into(account, stamp, of_summary, read).await;
        self.note_damage(account, &seen);
        match seen {
            Ok(seen) => Ok(Some(seen)),
            // In a moment, or by somebody's hand; the others are none the worse for it.
            Err(StoreError::Corrupt { .. } | StoreError::Busy(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn look_into<T: Send + 'static>(
        &self,
        account: AccountId,
        stamp: Option<Stamp>,
        of_summary: fn(Summary) -> T,
        read: fn(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let file = self.account(account).await?;
        let Some(stamp) = stamp.filter(|stamp| !stamp.is_fresh()) else {
            return file.database.read(read).await;
        };
        let summary = file.database.read(Summary::read).await?;
        self.summaries.note(account, stamp, summary.clone());
        Ok(of_summary(summary))
    }

    /// The accounts that have a file or should have one, by name, with the stamp of what is there.
    pub(crate) async fn account_files(&self) -> Result<Vec<(AccountId, Option<Stamp>)>, StoreError> {
        let folder = self.folder.join("accounts");
        let look = move |connection: &Connection| {
            let sql = "SELECT id, filled FROM account ORDER BY name";
            let mut files = list(connection, sql, [], |row| {
                let account = account_id(row, 0)?;
                let stamp = Stamp::of(&folder.join(format!("{account}.db")));
                Ok((account, stamp, row.get::<_, bool>(1).map_err(error)?))
            })?;
            files.retain(|(_, stamp, filled)| stamp.is_some() || *filled);
            Ok(files.into_iter().map(|(account, stamp, _)| (account, stamp)).collect())
        };
        self.registry.read(look).await
    }

    /// Remembers which accounts cannot be read.
    fn note_damage<T>(&self, account: AccountId, result: &Result<T, StoreError>) {
        let mut damaged = self.damaged.lock();
        match result {
            Err(error @ StoreError::Corrupt { .. }) => drop(damaged.insert(account, error.to_string())),
            Err(_) => {}
            Ok(_) if damaged.is_empty() => {}
            Ok(_) => drop(damaged.remove(&account)),
        }
    }

    /// The accounts that cannot be read, and why.
    pub(crate) fn damaged(&self) -> Vec<(AccountId, String)> {
        let mut damaged: Vec<_> = self.damaged.lock().iter().map(|(id, why)| (*id, why.clone())).collect();
        damaged.sort();
        damaged
    }

    /// Fails if the folder is not where it was opened any more.
    pub(crate) fn check_in_place(&self) -> Result<(), StoreError> {
        match self.registry.is_in_place() {
            true => Ok(()),
            false => Err(corrupt(self.folder.join("registry.db").display().to_string(), "it was moved or removed")),
        }
    }
}

/// Whether a folder holds the file of any account.
fn holds_accounts(accounts: &Path) -> bool {
    let Ok(mut entries) = std::fs::read_dir(accounts) else { return false };
    entries.any(|entry| entry.is_ok_and(|entry| entry.path().extension().is_some_and(|ending| ending == "db")))
}

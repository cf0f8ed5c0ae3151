//! What becomes of a folder whose files are damaged, taken away, locked or too many.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tempfile::TempDir;
use uuid::Uuid;

use model::{Account, AccountId, Author, Category, Clock, SystemClock, Thought, ThoughtId, ThoughtText, Time};
use store::{Backup, Claim, NewThought, Store, StoreError};

/// A folder with its store.
struct Given {
    folder: TempDir,
    store: Arc<dyn Store>,
}

impl Given {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).await.unwrap();
        Self { folder, store }
    }

    /// A registered account with one thought.
    async fn account(&self, name: &str) -> AccountId {
        let id = AccountId::from_uuid(Uuid::now_v7());
        let account = Account { id, name: name.parse().unwrap(), created_at: SystemClock.now() };
        assert!(self.store.insert_account(&account).await.unwrap());
        capture(&self.store, id).await.unwrap();
        id
    }

    fn file(&self, account: AccountId) -> PathBuf {
        self.folder.path().join("accounts").join(format!("{account}.db"))
    }

    /// Ends the store as a service does, and opens it anew.
    async fn reopened(self, meanwhile: impl FnOnce(&Self)) -> Result<Self, StoreError> {
        self.store.close().await.unwrap();
        meanwhile(&self);
        Ok(Self { store: open(self.folder.path()).await?, folder: self.folder })
    }
}

async fn open(folder: &Path) -> Result<Arc<dyn Store>, StoreError> {
    afterthought_store_sqlite::open(folder, Arc::new(SystemClock), 4).await
}

async fn capture(store: &Arc<dyn Store>, account: AccountId) -> Result<Thought, StoreError> {
    let thought = NewThought {
        id: ThoughtId::from_uuid(Uuid::now_v7()),
        raw_text: ThoughtText::new("Ana likes tea").unwrap(),
        category: Category::Observation,
        author: Author::User,
        captured_at: None,
    };
    store.insert(account, thought).await
}

fn is_damage(result: Result<Thought, StoreError>) -> bool {
    matches!(result, Err(StoreError::Corrupt { .. }))
}

#[tokio::test]
async fn an_account_file_that_is_gone_or_empty_is_missed_and_the_others_go_on() {
    let given = Given::new().await;
    let (gone, emptied, whole) =
        (given.account("gone").await, given.account("emptied").await, given.account("whole").await);
    let given = given
        .reopened(|given| {
            std::fs::remove_file(given.file(gone)).unwrap();
            std::fs::write(given.file(emptied), "").unwrap();
        })
        .await
        .unwrap();
    assert!(is_damage(capture(&given.store, gone).await));
    assert!(is_damage(capture(&given.store, emptied).await));
    assert!(!given.file(gone).exists(), "nothing takes its place");
    capture(&given.store, whole).await.unwrap();
    let stats = given.store.stats().await.unwrap();
    assert_eq!((stats.accounts, stats.damaged, stats.open), (3, 2, 2));
    let damaged: Vec<AccountId> =
        given.store.damaged().await.unwrap().into_iter().map(|(account, _)| account).collect();
    assert_eq!(damaged, [gone, emptied]);
    given.store.check().await.unwrap();
}

#[tokio::test]
async fn one_damaged_file_keeps_nobody_else_from_work_copies_and_upkeep() {
    let given = Given::new().await;
    let (damaged, whole) = (given.account("damaged").await, given.account("whole").await);
    let given = given.reopened(|given| std::fs::write(given.file(damaged), [7; 8192]).unwrap()).await.unwrap();
    assert_eq!(given.store.accounts_with_work(SystemClock.now()).await.unwrap(), [whole]);
    given.store.upkeep().await.unwrap();
    let copy = tempfile::tempdir().unwrap();
    let Backup::Made { accounts, thoughts, left_out } = given.store.backup(copy.path()).await.unwrap() else {
        panic!("a folder is copied here")
    };
    assert_eq!((accounts, thoughts, left_out.len()), (1, 1, 1));
    assert!(left_out[0].1.contains(&damaged.to_string()), "{left_out:?}");
    capture(&open(copy.path()).await.unwrap(), whole).await.unwrap();
}

#[tokio::test]
async fn a_registry_that_is_lost_beside_accounts_is_no_first_start() {
    let given = Given::new().await;
    given.account("ana").await;
    let reopened = given.reopened(|given| std::fs::remove_file(given.folder.path().join("registry.db")).unwrap()).await;
    assert!(matches!(reopened.err(), Some(StoreError::Corrupt { .. })));
}

#[tokio::test]
async fn what_was_seen_of_accounts_may_be_lost() {
    let given = Given::new().await;
    let account = given.account("ana").await;
    let spoil = |given: &Given| std::fs::write(given.folder.path().join("derived.db"), "nonsense").unwrap();
    let given = given.reopened(spoil).await.unwrap();
    assert_eq!(given.store.accounts_with_work(SystemClock.now()).await.unwrap(), [account]);
}

#[tokio::test]
async fn work_in_an_account_that_cannot_be_read_is_known_until_it_can_be() {
    let given = Given::new().await;
    let damaged = given.account("damaged").await;
    // So many that the first is closed.
    for number in 0..5 {
        given.account(&format!("whole {number}")).await;
    }
    let known = async || given.store.accounts_known_to_have_work(SystemClock.now()).await.unwrap();
    let file = std::fs::read(given.file(damaged)).unwrap();
    std::fs::write(given.file(damaged), [7; 8192]).unwrap();
    let others = known().await;
    assert!(others.len() == 5 && !others.contains(&damaged));
    std::fs::write(given.file(damaged), file).unwrap();
    assert_eq!(known().await.len(), 6);
}

#[tokio::test]
async fn what_another_process_queues_is_known_after_a_look_at_all() {
    let given = Given::new().await;
    let other = open(given.folder.path()).await.unwrap();
    let account = given.account("ana").await;
    let now = SystemClock.now();
    assert_eq!(other.accounts_known_to_have_work(now).await.unwrap(), [], "no file is looked at");
    other.accounts_with_work(now).await.unwrap();
    assert_eq!(other.accounts_known_to_have_work(now).await.unwrap(), [account]);
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_acknowledged_into_a_folder_that_is_gone() {
    let given = Given::new().await;
    let account = given.account("ana").await;
    std::fs::rename(given.folder.path().join("accounts"), given.folder.path().join("elsewhere")).unwrap();
    assert!(capture(&given.store, account).await.is_err());
    given.store.check().await.unwrap();
    std::fs::remove_file(given.folder.path().join("registry.db")).unwrap();
    assert!(given.store.check().await.is_err());
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_their_owners_alone_whatever_the_folder() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let store = open(folder.path()).await.unwrap();
    let given = Given { folder, store };
    given.account("ana").await;
    let mut open = vec![given.folder.path().to_owned()];
    while let Some(path) = open.pop() {
        let about = std::fs::metadata(&path).unwrap();
        assert_eq!(about.permissions().mode() & 0o077, 0, "{}", path.display());
        if about.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
}

#[tokio::test]
async fn a_copy_that_fails_half_way_is_no_store() {
    let given = Given::new().await;
    let account = given.account("ana").await;
    let copy = tempfile::tempdir().unwrap();
    // In the way of the account's file.
    std::fs::create_dir_all(copy.path().join("accounts").join(format!("{account}.db")).join("full")).unwrap();
    assert!(given.store.backup(copy.path()).await.is_err());
    assert!(!copy.path().join("registry.db").exists() && !copy.path().join("accounts").exists());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn many_accounts_take_the_files_of_a_few() {
    let given = Given::new().await;
    for number in 0..40 {
        given.account(&format!("account {number}")).await;
    }
    let is_ours = |path: &Path| path.starts_with(given.folder.path().join("accounts"));
    let held = || {
        let open = std::fs::read_dir("/proc/self/fd").unwrap();
        open.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok()).filter(|path| is_ours(path)).count()
    };
    assert!(held() <= 5 * (4 + 1), "{} files for 4 accounts", held());
    let stats = given.store.stats().await.unwrap();
    assert_eq!((stats.open, stats.pending_enrichment), (40, 40));
    assert_eq!(given.store.accounts_with_work(SystemClock.now()).await.unwrap().len(), 40);
    assert!(held() <= 5 * (4 + 1), "{} files after a look at all", held());
}

/// Two threads, both of which a lock would keep busy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_foreign_lock_keeps_only_those_waiting_who_ask_for_what_is_locked() {
    let given = Given::new().await;
    let locked = [given.account("one").await, given.account("two").await];
    let free = given.account("free").await;
    let locks = locked.map(|account| Connection::open(given.file(account)).unwrap());
    locks.iter().for_each(|lock| lock.execute_batch("BEGIN IMMEDIATE").unwrap());
    let waiting = locked.map(|account| {
        let store = given.store.clone();
        tokio::spawn(async move { capture(&store, account).await })
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    let begun = Instant::now();
    for _ in 0..20 {
        capture(&given.store, free).await.unwrap();
    }
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(waiting.iter().all(|waiting| !waiting.is_finished()));
    locks.iter().for_each(|lock| lock.execute_batch("ROLLBACK").unwrap());
    for waiting in waiting {
        waiting.await.unwrap().unwrap();
    }
}

/// A clock that is set by hand.
struct SetClock(AtomicI64);

impl Clock for SetClock {
    fn now(&self) -> Time {
        Time::from_micros(self.0.load(Ordering::Relaxed))
    }
}

#[tokio::test]
async fn after_the_clock_steps_back_order_stays_and_work_is_due_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(SetClock(AtomicI64::new(2_000_000)));
    let store = afterthought_store_sqlite::open(folder.path(), clock.clone(), 4).await.unwrap();
    let id = AccountId::from_uuid(Uuid::now_v7());
    let account = Account { id, name: "ana".parse().unwrap(), created_at: clock.now() };
    assert!(store.insert_account(&account).await.unwrap());
    let before = capture(&store, id).await.unwrap();
    clock.0.store(1_000_000, Ordering::Relaxed);
    let after = capture(&store, id).await.unwrap();
    assert!(after.created_at > before.created_at);
    assert_eq!(after.captured_at, clock.now());
    assert_eq!(store.accounts_with_work(clock.now()).await.unwrap(), [id]);
    let claim = Claim { now: clock.now(), leased_until: Time::from_micros(1_500_000), limit: 10, text_bytes: 10_000 };
    assert_eq!(store.claim(id, claim).await.unwrap().len(), 2);
}

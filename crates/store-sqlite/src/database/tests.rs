//! What becomes of writes whose disk is full or that panic, and of those that share a commit with them.

use std::sync::Arc;
use std::sync::mpsc::channel;

use rusqlite::Connection;
use tempfile::TempDir;

use store::StoreError;

use super::{Database, Expected};
use crate::schema;
use crate::statement::{execute, value};

struct Given {
    _folder: TempDir,
    database: Arc<Database>,
}

impl Given {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("account.db");
        Self { database: Database::open(&path, &schema::ACCOUNT, Expected::New).unwrap(), _folder: folder }
    }

    /// Lets the file become no larger than it is, as a disk does that is full.
    async fn fill_disk(&self) {
        self.limit_pages("SELECT page_count FROM pragma_page_count").await;
    }

    async fn free_disk(&self) {
        self.limit_pages("SELECT 1000000").await;
    }

    async fn limit_pages(&self, sql: &'static str) {
        let limit = |connection: &Connection| {
            let pages: i64 = value(connection, sql, [])?;
            value::<i64>(connection, &format!("PRAGMA max_page_count = {pages}"), []).map(drop)
        };
        self.database.write(limit).await.unwrap();
    }

    async fn stored(&self) -> i64 {
        let count = |connection: &Connection| value(connection, "SELECT count(*) FROM segment", []);
        self.database.read(count).await.unwrap()
    }
}

/// Stores a block of a hundred pages.
fn insert(connection: &Connection, number: u32) -> Result<(), StoreError> {
    let sql = "INSERT INTO segment (block, format, bytes) VALUES (?1, 1, zeroblob(204800))";
    execute(connection, sql, [number]).map(drop)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_told_changes_nothing_and_takes_more_once_there_is_room() {
    let given = Given::new();
    given.fill_disk().await;
    let refused = given.database.write(|connection| insert(connection, 1)).await;
    let said = refused.as_ref().unwrap_err().to_string();
    assert!(matches!(refused, Err(StoreError::Full(_))), "{said}");
    assert_eq!(said, "the disk is full and nothing was changed: free some space on it, then do the same again");
    assert_eq!(given.stored().await, 0);
    given.free_disk().await;
    given.database.write(|connection| insert(connection, 1)).await.unwrap();
    assert_eq!(given.stored().await, 1);
}

type Write = Box<dyn FnOnce(&Connection) -> Result<(), StoreError> + Send>;

/// Runs three writes in one commit; how each ended.
async fn together(given: &Given, writes: [Write; 3]) -> Vec<Result<(), StoreError>> {
    let (queued, all_queued) = channel::<()>();
    let (begins, begun) = tokio::sync::oneshot::channel();
    let holds = given.database.clone();
    // Whatever is queued while it waits is committed with it.
    let first = tokio::spawn(async move {
        let wait = move |_: &Connection| {
            let _ = begins.send(());
            let _ = all_queued.recv();
            Ok(())
        };
        holds.write(wait).await
    });
    begun.await.unwrap();
    let mut under_way = Vec::new();
    for write in writes {
        let database = given.database.clone();
        let mut write = Box::pin(async move { database.write(write).await });
        // Polled once, a write is in the queue.
        assert!(is_pending(&mut write).await);
        under_way.push(write);
    }
    drop(queued);
    let _ = first.await.unwrap();
    let mut ended = Vec::new();
    for write in under_way {
        ended.push(write.await);
    }
    ended
}

/// Polls a future once; whether it waits.
async fn is_pending<F: Future>(future: &mut std::pin::Pin<Box<F>>) -> bool {
    std::future::poll_fn(|context| std::task::Poll::Ready(future.as_mut().poll(context).is_pending())).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_in_a_write_harms_none_of_those_that_share_its_commit() {
    let given = Given::new();
    let ended = together(
        &given,
        [
            Box::new(|connection| insert(connection, 1)),
            Box::new(|connection| {
                insert(connection, 2)?;
                panic!("a bug")
            }),
            Box::new(|connection| insert(connection, 3)),
        ],
    )
    .await;
    assert!(ended[0].is_ok() && ended[1].is_err() && ended[2].is_ok(), "{ended:?}");
    assert_eq!(given.stored().await, 2, "nothing of the one that panicked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_in_the_only_write_leaves_nothing_behind() {
    let given = Given::new();
    let panics = |connection: &Connection| -> Result<(), StoreError> {
        insert(connection, 1)?;
        panic!("a bug")
    };
    assert!(given.database.write(panics).await.is_err());
    assert_eq!(given.stored().await, 0);
    given.database.write(|connection| insert(connection, 1)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_shares_a_commit_with_a_write_that_fills_the_disk_is_told_to_try_again() {
    let given = Given::new();
    given.fill_disk().await;
    let ended =
        together(&given, [Box::new(|_| Ok(())), Box::new(|connection| insert(connection, 1)), Box::new(|_| Ok(()))])
            .await;
    assert!(matches!(&ended[1], Err(StoreError::Full(_))), "{ended:?}");
    for others in [&ended[0], &ended[2]] {
        assert!(matches!(others, Err(StoreError::Busy(_))), "{ended:?}");
    }
    assert_eq!(given.stored().await, 0);
}

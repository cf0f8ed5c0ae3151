//! Writes to a file: whoever finds the file free takes what has queued up, runs it in one transaction and commits once.
//!
//! Each write is all or nothing on its own, and is answered only after the commit it is part of. While one caller commits, the
//! others queue up, so that many callers share one wait for the disk and a single caller waits for nobody: handing
//! the write to a thread of its own and back would cost that caller as much as the commit.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::oneshot;

use store::StoreError;

use super::connection::{configure_writer, connect};
use super::error::error;

/// How many writes one commit carries at most, so that the first of them does not wait for an endless queue.
const BATCH_MAX: usize = 512;

/// A commit that takes longer is waited for where it keeps no other task waiting: such is the disk. A quicker one, as on any
/// SSD, is over sooner than the work would have been handed over and the threads behind it woken and put to sleep again; with
/// many callers that handing over took an eighth of the machine.
const QUICK_COMMIT: Duration = Duration::from_millis(2);

/// Runs inside the transaction, as its first write or a later one; what it returns runs after the commit.
type Write = Box<dyn FnOnce(&Connection, Turn) -> Answer + Send>;

/// Where a write stands in its transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    First,
    Later,
}

/// Tells the caller how the write ended, given how the commit did.
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

pub(super) struct Writer(Arc<Shared>);

struct Shared {
    path: PathBuf,
    queue: Mutex<VecDeque<Write>>,
    /// Held by the one who commits; `None` until the next write opens it.
    connection: Mutex<Option<Connection>>,
    /// Whether the last commit was quick; the next one most likely is as well.
    quick: AtomicBool,
}

impl Writer {
    pub(super) fn new(path: &Path, connection: Connection) -> Self {
        let connection = Mutex::new(Some(connection));
        Self(Arc::new(Shared {
            path: path.to_owned(),
            queue: Mutex::default(),
            connection,
            quick: AtomicBool::new(false),
        }))
    }

    /// Queues the write and waits for its commit.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let task: Write = Box::new(move |connection, turn| {
            let result = all_or_nothing(connection, turn, write);
            Box::new(move |committed| {
                // A caller that has gone away does not need the answer; the write stands all the same.
                let _ = reply.send(committed.and(result));
            })
        });
        // From here to the commit nothing is awaited: a queued write always has someone who takes care of it, even if
        // its caller gives up.
        self.0.queue.lock().push_back(task);
        self.0.lead_or_follow();
        answer.await.unwrap_or_else(|_| Err(StoreError::backend("the write ended before its commit")))
    }

    /// Gives up the connection; the next write opens another.
    pub(super) fn close(&self) {
        *self.0.connection.lock() = None;
    }
}

impl Shared {
    /// Does what [`lead`](Self::lead) does, so that a slow disk does not hold up the runtime's other tasks.
    fn lead_or_follow(self: &Arc<Self>) {
        let may_move =
            Handle::try_current().is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread);
        match may_move && !self.quick.load(Ordering::Relaxed) {
            true => tokio::task::block_in_place(|| self.lead()),
            false => self.lead(),
        }
    }

    /// Commits a batch if nobody else is at it, and sees to it that whatever is left is committed too.
    fn lead(self: &Arc<Self>) {
        while !self.queue.lock().is_empty() {
            let Some(mut connection) = self.connection.try_lock() else {
                // Whoever holds it looks at the queue again after letting go.
                return;
            };
            let opened = match connection.take() {
                Some(opened) => Ok(opened),
                None => connect(&self.path).and_then(|opened| configure_writer(&opened).map(|()| opened)),
            };
            match opened {
                Ok(opened) => {
                    let begun = Instant::now();
                    commit_batch(connection.insert(opened), &self.queue);
                    self.quick.store(begun.elapsed() < QUICK_COMMIT, Ordering::Relaxed);
                }
                // Dropping the writes tells their callers.
                Err(_) => self.queue.lock().clear(),
            }
            drop(connection);
            if let Ok(runtime) = Handle::try_current()
                && !self.queue.lock().is_empty()
            {
                // This caller has its answer; the ones who came meanwhile are seen to by a task of their own.
                let shared = self.clone();
                runtime.spawn(async move { shared.lead_or_follow() });
                return;
            }
        }
    }
}

/// Runs what has queued up in one transaction and answers everyone after its commit.
fn commit_batch(connection: &Connection, queue: &Mutex<VecDeque<Write>>) {
    if !connection.is_autocommit() {
        // A write panicked and left its transaction open; its callers have been told.
        let _ = run(connection, "ROLLBACK");
    }
    // Taking the lock at the start means waiting for another process happens here, never in the middle.
    let begun = run(connection, "BEGIN IMMEDIATE");
    let mut answers = Vec::new();
    while answers.len() < BATCH_MAX {
        // Bound to a name, so that the queue is free for others while the write runs.
        let next = queue.lock().pop_front();
        let Some(write) = next else { break };
        let turn = if answers.is_empty() { Turn::First } else { Turn::Later };
        answers.push(write(connection, turn));
    }
    let committed = begun.and_then(|()| run(connection, "COMMIT"));
    if committed.is_err() && !connection.is_autocommit() {
        // Nothing better can be done with a failed roll-back: the next BEGIN reports it.
        let _ = run(connection, "ROLLBACK");
    }
    for answer in answers {
        answer(committed.as_ref().copied().map_err(same_error));
    }
}

/// Runs one write so that its failure leaves nothing behind, whatever else the transaction holds.
fn all_or_nothing<T>(
    connection: &Connection,
    turn: Turn,
    write: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    if connection.is_autocommit() {
        // The transaction did not begin or has been rolled back; the commit's error is what everyone is told.
        return Err(StoreError::backend("the transaction did not begin"));
    }
    // A savepoint makes SQLite copy every page before it is changed. The first write, for a single caller the only one,
    // can be taken back by starting over instead.
    let (begin, keep, take_back) = match turn {
        Turn::First => (None, None, "ROLLBACK; BEGIN IMMEDIATE"),
        Turn::Later => (Some("SAVEPOINT one"), Some("RELEASE one"), "ROLLBACK TO one; RELEASE one"),
    };
    begin.map_or(Ok(()), |sql| run(connection, sql)).map_err(error)?;
    let result = write(connection);
    if connection.is_autocommit() {
        // SQLite has rolled back the whole transaction by itself, as it does when the disk is full.
        return result;
    }
    let ended = match &result {
        Ok(_) => keep.map_or(Ok(()), |sql| run(connection, sql)),
        Err(_) => connection.execute_batch(take_back),
    };
    ended.map_err(error).and(result)
}

fn run(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}

/// The error once more, for the next of the callers that share a commit.
fn same_error(shared: &rusqlite::Error) -> StoreError {
    match shared {
        rusqlite::Error::SqliteFailure(code, message) => error(rusqlite::Error::SqliteFailure(*code, message.clone())),
        other => StoreError::backend(other.to_string()),
    }
}

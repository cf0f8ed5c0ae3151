//! Writes to a file: whoever finds the file free takes what has queued up, runs it in one transaction and commits once.
//!
//! Each write is all or nothing on its own, and is answered only after the commit it is part of. While one caller commits, the
//! others queue up, so that many callers share one wait for the disk and a single caller waits for nobody: handing
//! the write to a thread of its own and back would cost that caller as much as the commit.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::oneshot;

use store::StoreError;

use super::connection::{BUSY_TIMEOUT, configure_writer, connect, wait_for_others};
use super::error::error;
use super::private::Identity;

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
    /// Which file that was when it was opened.
    identity: Option<Identity>,
    queue: Mutex<VecDeque<Write>>,
    /// Held by the one who commits; `None` until the next write opens it.
    connection: Mutex<Option<Connection>>,
    /// Whether the last commit was quick; the next one most likely is as well.
    quick: AtomicBool,
}

impl Writer {
    pub(super) fn new(path: &Path, connection: Connection) -> Result<Self, StoreError> {
        wait_for_others(&connection, Duration::ZERO)?;
        Ok(Self(Arc::new(Shared {
            path: path.to_owned(),
            identity: Identity::of(path),
            queue: Mutex::default(),
            connection: Mutex::new(Some(connection)),
            quick: AtomicBool::new(false),
        })))
    }

    /// Whether the file is still where it was opened.
    pub(super) fn is_in_place(&self) -> bool {
        self.0.is_in_place()
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
                let _ = reply.send(match result {
                    Some(Ok(value)) => committed.map(|()| value),
                    Some(Err(own)) => Err(own),
                    None => {
                        Err(committed.err().unwrap_or_else(|| StoreError::backend("the transaction did not begin")))
                    }
                });
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
    fn is_in_place(&self) -> bool {
        self.identity.is_some() && Identity::of(&self.path) == self.identity
    }

    /// Does what [`lead`](Self::lead) does, so that a slow disk does not hold up the runtime's other tasks.
    fn lead_or_follow(self: &Arc<Self>) {
        let runtime = Handle::try_current();
        // Outside of a runtime nobody else is kept waiting.
        let wait = if runtime.is_ok() { Duration::ZERO } else { BUSY_TIMEOUT };
        let may_move = runtime.is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread);
        match may_move && !self.quick.load(Ordering::Relaxed) {
            true => tokio::task::block_in_place(|| self.lead(wait)),
            false => self.lead(wait),
        }
    }

    /// Commits a batch if nobody else is at it, and sees to it that whatever is left is committed too. Waits so long where
    /// another process writes; if that is not at all, a thread of its own waits instead.
    fn lead(self: &Arc<Self>, wait: Duration) {
        while !self.queue.lock().is_empty() {
            let Some(mut connection) = self.connection.try_lock() else {
                // Whoever holds it looks at the queue again after letting go.
                return;
            };
            let opened = match connection.take() {
                Some(opened) => Ok(opened),
                None => self.reconnect(),
            };
            let opened = match opened {
                Ok(opened) => connection.insert(opened),
                Err(_) => {
                    // Dropping the writes tells their callers.
                    self.queue.lock().clear();
                    continue;
                }
            };
            let begun = begin(opened, wait);
            let is_busy = begun.as_ref().is_err_and(|error| matches!(error, Failed::Driver(error) if is_busy(error)));
            let runtime = Handle::try_current();
            if let (true, true, Ok(runtime)) = (wait.is_zero(), is_busy, &runtime) {
                drop(connection);
                let shared = self.clone();
                runtime.spawn_blocking(move || shared.lead(BUSY_TIMEOUT));
                return;
            }
            let at = Instant::now();
            commit_batch(opened, &self.queue, begun, || self.is_in_place());
            self.quick.store(at.elapsed() < QUICK_COMMIT, Ordering::Relaxed);
            drop(connection);
            if let Ok(runtime) = runtime
                && wait.is_zero()
                && !self.queue.lock().is_empty()
            {
                // This caller has its answer; the ones who came meanwhile are seen to by a task of their own.
                let shared = self.clone();
                runtime.spawn(async move { shared.lead_or_follow() });
                return;
            }
        }
    }

    fn reconnect(&self) -> Result<Connection, StoreError> {
        let connection = connect(&self.path)?;
        configure_writer(&connection)?;
        Ok(connection)
    }
}

/// Why a commit did not count.
#[derive(Debug)]
enum Failed {
    Driver(rusqlite::Error),
    /// One of its writes failed so badly that SQLite took all of them back.
    TakenBack,
    /// It went into a file that nobody will find again.
    Gone,
}

impl Failed {
    /// The error once more, for each of the callers that share a commit.
    fn for_caller(&self) -> StoreError {
        match self {
            Self::Driver(rusqlite::Error::SqliteFailure(code, message)) => {
                error(rusqlite::Error::SqliteFailure(*code, message.clone()))
            }
            Self::Driver(other) => StoreError::backend(other.to_string()),
            Self::TakenBack => StoreError::Busy("another write of the same commit failed".into()),
            Self::Gone => StoreError::backend(
                "its files were moved or removed while it was open: put them back where they were and start again",
            ),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
}

/// Starts a transaction. Taking the lock at the start means waiting for another process happens here, never in the middle.
fn begin(connection: &Connection, wait: Duration) -> Result<(), Failed> {
    if !connection.is_autocommit() {
        // A write panicked and left its transaction open; its callers have been told.
        let _ = run(connection, "ROLLBACK");
    }
    connection.busy_timeout(wait).and_then(|()| run(connection, "BEGIN IMMEDIATE")).map_err(Failed::Driver)
}

/// Runs what has queued up in the transaction that has begun, and answers everyone after its commit.
fn commit_batch(
    connection: &Connection,
    queue: &Mutex<VecDeque<Write>>,
    begun: Result<(), Failed>,
    is_in_place: impl FnOnce() -> bool,
) {
    let mut answers = Vec::new();
    while answers.len() < BATCH_MAX {
        // Bound to a name, so that the queue is free for others while the write runs.
        let next = queue.lock().pop_front();
        let Some(write) = next else { break };
        let turn = if answers.is_empty() { Turn::First } else { Turn::Later };
        answers.push(write(connection, turn));
    }
    let committed = begun.and_then(|()| match connection.is_autocommit() {
        true => Err(Failed::TakenBack),
        false => run(connection, "COMMIT").map_err(Failed::Driver),
    });
    if committed.is_err() && !connection.is_autocommit() {
        // Nothing better can be done with a failed roll-back: the next BEGIN reports it.
        let _ = run(connection, "ROLLBACK");
    }
    // A system keeps a removed file for whoever has it open: what is committed to it is gone with the process.
    let committed = committed.and_then(|()| if is_in_place() { Ok(()) } else { Err(Failed::Gone) });
    for answer in answers {
        answer(committed.as_ref().copied().map_err(Failed::for_caller));
    }
}

/// Runs one write so that its failure leaves nothing behind, whatever else the transaction holds. `None` if there is no
/// transaction any more: then the commit's failure is what is told.
fn all_or_nothing<T>(
    connection: &Connection,
    turn: Turn,
    write: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Option<Result<T, StoreError>> {
    if connection.is_autocommit() {
        return None;
    }
    // A savepoint makes SQLite copy every page before it is changed. The first write, for a single caller the only one,
    // can be taken back by starting over instead.
    let (begin, keep, take_back) = match turn {
        Turn::First => (None, None, "ROLLBACK; BEGIN IMMEDIATE"),
        Turn::Later => (Some("SAVEPOINT one"), Some("RELEASE one"), "ROLLBACK TO one; RELEASE one"),
    };
    if let Err(failed) = begin.map_or(Ok(()), |sql| run(connection, sql)) {
        return Some(Err(error(failed)));
    }
    // Whoever panics loses the own write; those who share the commit do not.
    let result = catch_unwind(AssertUnwindSafe(|| write(connection)))
        .unwrap_or_else(|_| Err(StoreError::backend("a write ended in a panic")));
    if connection.is_autocommit() {
        // SQLite has rolled back the whole transaction by itself, as it does when the disk is full.
        return Some(result);
    }
    let ended = match &result {
        Ok(_) => keep.map_or(Ok(()), |sql| run(connection, sql)),
        Err(_) => connection.execute_batch(take_back),
    };
    if ended.is_err() && !connection.is_autocommit() {
        // What cannot be taken back alone must not be committed with the others.
        let _ = run(connection, "ROLLBACK");
    }
    Some(result.and_then(|value| ended.map(|()| value).map_err(error)))
}

fn run(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}

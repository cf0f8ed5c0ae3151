//! Writes to a file: whoever finds the file free takes what has queued up, runs it in one transaction and commits once.
//!
//! Each write is all or nothing on its own, and is answered only after the commit it is part of. While one caller commits, the
//! others queue up, so that many callers share one wait for the disk and a single caller waits for nobody: handing
//! the write to a thread of its own and back would cost that caller as much as the commit.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::oneshot;

use super::error;
use crate::store::StoreError;

/// How many writes one commit carries at most, so that the first of them does not wait for an endless queue.
const BATCH_MAX: usize = 512;

/// Runs inside the transaction; what it returns runs after the commit.
type Write = Box<dyn FnOnce(&Connection) -> Answer + Send>;

/// Tells the caller how the write ended, given how the commit did.
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

pub(super) struct Writer(Arc<Shared>);

struct Shared {
    path: PathBuf,
    queue: Mutex<VecDeque<Write>>,
    /// Held by the one who commits; `None` until the next write opens it.
    connection: Mutex<Option<Connection>>,
}

impl Writer {
    pub(super) fn new(path: &Path, connection: Connection) -> Self {
        let connection = Mutex::new(Some(connection));
        Self(Arc::new(Shared { path: path.to_owned(), queue: Mutex::default(), connection }))
    }

    /// Queues the write and waits for its commit.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let task: Write = Box::new(move |connection| {
            let result = in_savepoint(connection, write);
            Box::new(move |committed| {
                // A caller that has gone away does not need the answer; the write stands all the same.
                let _ = reply.send(committed.and(result));
            })
        });
        // From here to the commit nothing is awaited: a queued write always has someone who takes care of it, even if
        // its caller gives up.
        self.0.queue.lock().push_back(task);
        blocking(|| self.0.lead());
        answer.await.unwrap_or_else(|_| Err(StoreError::backend("the write ended before its commit")))
    }

    /// Gives up the connection; the next write opens another.
    pub(super) fn close(&self) {
        *self.0.connection.lock() = None;
    }
}

impl Shared {
    /// Commits a batch if nobody else is at it, and sees to it that whatever is left is committed too.
    fn lead(self: &Arc<Self>) {
        while !self.queue.lock().is_empty() {
            let Some(mut connection) = self.connection.try_lock() else {
                // Whoever holds it looks at the queue again after letting go.
                return;
            };
            let opened = match connection.take() {
                Some(opened) => Ok(opened),
                None => super::connect(&self.path).and_then(|opened| super::configure_writer(&opened).map(|()| opened)),
            };
            match opened {
                Ok(opened) => commit_batch(connection.insert(opened), &self.queue),
                // Dropping the writes tells their callers.
                Err(_) => self.queue.lock().clear(),
            }
            drop(connection);
            if let Ok(runtime) = Handle::try_current()
                && !self.queue.lock().is_empty()
            {
                // This caller has its answer; the ones who came meanwhile are seen to by a task of their own.
                let shared = self.clone();
                runtime.spawn(async move { blocking(|| shared.lead()) });
                return;
            }
        }
    }
}

/// Runs what waits for the disk so that the runtime moves other tasks out of its way, where it can.
fn blocking(work: impl FnOnce()) {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
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
        answers.push(write(connection));
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
fn in_savepoint<T>(
    connection: &Connection,
    write: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    if connection.is_autocommit() {
        // The transaction did not begin or has been rolled back; the commit's error is what everyone is told.
        return Err(StoreError::backend("the transaction did not begin"));
    }
    run(connection, "SAVEPOINT one").map_err(error)?;
    let result = write(connection);
    match connection.is_autocommit() {
        // SQLite has rolled back the whole transaction by itself, as it does when the disk is full.
        true => result,
        false => {
            let ended = match &result {
                Ok(_) => run(connection, "RELEASE one"),
                Err(_) => connection.execute_batch("ROLLBACK TO one; RELEASE one"),
            };
            ended.map_err(error).and(result)
        }
    }
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

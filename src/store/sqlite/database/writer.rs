//! The one writer of a file: a thread that takes what has queued up, runs it in one transaction and commits once.
//!
//! Each write is all or nothing on its own, and is answered only after the commit it is part of. The thread ends when it
//! has had nothing to do for a while and starts again when needed, so that a thousand quiet accounts cost no threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::error;
use crate::store::StoreError;

/// How many writes one commit carries at most, so that the first of them does not wait for an endless queue.
const BATCH_MAX: usize = 512;

/// How long the thread waits for work before it ends.
const IDLE: Duration = Duration::from_secs(20);

/// Runs inside the transaction; what it returns runs after the commit.
type Write = Box<dyn FnOnce(&Connection) -> Answer + Send>;

/// Tells the caller how the write ended, given how the commit did.
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

pub(super) struct Writer {
    path: PathBuf,
    state: Arc<Mutex<State>>,
}

enum State {
    /// No thread; the connection may be kept for the next one.
    Resting(Option<Connection>),
    /// A thread that takes writes from the other end.
    Running(Sender<Write>),
}

impl Writer {
    pub(super) fn new(path: &Path, connection: Connection) -> Self {
        Self { path: path.to_owned(), state: Arc::new(Mutex::new(State::Resting(Some(connection)))) }
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
        self.send(task)?;
        answer.await.unwrap_or_else(|_| Err(StoreError::backend("the writer ended before the commit")))
    }

    /// Gives up the connection that a resting writer keeps.
    pub(super) fn close(&self) {
        let mut state = self.state.lock();
        *state = State::Resting(None);
    }

    fn send(&self, task: Write) -> Result<(), StoreError> {
        let mut state = self.state.lock();
        let task = match &*state {
            State::Resting(_) => task,
            State::Running(sender) => match sender.send(task) {
                Ok(()) => return Ok(()),
                // The thread is gone because a write panicked; another one takes over.
                Err(mpsc::SendError(task)) => task,
            },
        };
        let kept = match std::mem::replace(&mut *state, State::Resting(None)) {
            State::Resting(kept) => kept,
            State::Running(_) => None,
        };
        let connection = match kept {
            Some(connection) => connection,
            None => self.connect()?,
        };
        let (sender, receiver) = mpsc::channel();
        sender.send(task).expect("the receiver is in this scope");
        let shared = self.state.clone();
        std::thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn(move || work(connection, &receiver, &shared))
            .map_err(StoreError::backend)?;
        *state = State::Running(sender);
        Ok(())
    }

    fn connect(&self) -> Result<Connection, StoreError> {
        let connection = super::connect(&self.path)?;
        super::configure_writer(&connection)?;
        Ok(connection)
    }
}

/// Takes writes until there have been none for a while or the writer is closed.
fn work(connection: Connection, queue: &Receiver<Write>, state: &Mutex<State>) {
    loop {
        match queue.recv_timeout(IDLE) {
            Ok(first) => commit_batch(&connection, first, queue),
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                // Sending happens under the same lock, so nothing can slip in between the look and the rest.
                let mut state = state.lock();
                match queue.try_recv() {
                    Ok(late) => {
                        drop(state);
                        commit_batch(&connection, late, queue);
                    }
                    Err(_) => {
                        *state = State::Resting(Some(connection));
                        return;
                    }
                }
            }
        }
    }
}

/// Runs what has queued up in one transaction and answers everyone after its commit.
fn commit_batch(connection: &Connection, first: Write, queue: &Receiver<Write>) {
    // Taking the lock at the start means waiting for another process happens here, never in the middle.
    let begun = run(connection, "BEGIN IMMEDIATE");
    let mut answers = Vec::new();
    let mut next = Some(first);
    while let Some(write) = next {
        answers.push(write(connection));
        next = if answers.len() < BATCH_MAX { queue.try_recv().ok() } else { None };
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
    let end = if result.is_ok() { "RELEASE one" } else { "ROLLBACK TO one; RELEASE one" };
    match connection.is_autocommit() {
        // SQLite has rolled back the whole transaction by itself, as it does when the disk is full.
        true => result,
        false => {
            let ended = if result.is_ok() { run(connection, end) } else { connection.execute_batch(end) };
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

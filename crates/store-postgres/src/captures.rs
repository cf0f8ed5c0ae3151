//! Storing new thoughts: those of one account that come while another commits are stored together, by one statement.
//!
//! - One statement numbers the thoughts and stores them, so a capture costs one exchange with the server. It holds only if the time
//!   the thoughts were given is later than that of every thought there is; if not, they are given another under a lock.
//! - Whatever happens to the connection, a thought is stored once or not at all: where the server was lost before it answered, the
//!   thoughts are looked for by their ids under the account's lock, and stored if they are not there.
//! - A capture belongs to a task of its own: its caller may give up, and the write stands all the same.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use tokio::sync::oneshot;
use uuid::Uuid;

use model::{AccountId, Clock, Thought, ThoughtId, Time};
use store::{NewThought, StoreError, decide};

use crate::connection::{Commit, Connection, Inserted};
use crate::database::Database;
use crate::ends::lock_log;
use crate::row::{self, Stored, agent_name, author_number, thought_columns};
use crate::statement::statements;

statements! {
    STORE, Account:
        "WITH numbered AS (
             UPDATE log_end SET row = log_end.row + $2, entry = log_end.entry + $2, open = log_end.open + $2, created_at = $4
             WHERE log_end.account_id = $1 AND log_end.created_at < $3
             RETURNING log_end.account_id, log_end.row - $2 AS row, log_end.entry - $2 AS entry),
         noted AS (
             INSERT INTO work (account_id) SELECT numbered.account_id FROM numbered ON CONFLICT DO NOTHING)
         INSERT INTO thought (account_id, row, id, status, author, agent_name, category, created_at, captured_at, updated_at,
                              revision, seq, raw_text)
         SELECT numbered.account_id, numbered.row + new.place, new.id, 0, new.author, new.agent_name, new.category,
                new.created_at, new.captured_at, new.created_at, 0, numbered.entry + new.place, new.raw_text
         FROM numbered
         CROSS JOIN unnest($5::uuid[], $6::smallint[], $7::bytea[], $8::text[], $9::bigint[], $10::bigint[], $11::bytea[])
                    WITH ORDINALITY
                    AS new (id, author, agent_name, category, created_at, captured_at, raw_text, place)
         RETURNING thought.row";
    THERE, Account: concat!("SELECT ", thought_columns!(), " FROM thought WHERE account_id = $1 AND id = ANY ($2)");
}

/// How many thoughts are stored together at most.
const TOGETHER: usize = 256;

/// How long it is tried to find out what became of a thought.
const PATIENCE: Duration = Duration::from_secs(24);

/// How long to wait before the database is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// The thoughts that wait to be stored.
pub(crate) struct Captures(Arc<Shared>);

struct Shared {
    database: Arc<Database>,
    clock: Arc<dyn Clock>,
    /// By account, as long as somebody stores some of it.
    waiting: Mutex<FxHashMap<AccountId, Vec<Capture>>>,
}

struct Capture {
    new: NewThought,
    reply: oneshot::Sender<Result<Thought, StoreError>>,
}

/// What became of some thoughts that were to be stored together.
enum Outcome {
    Stored(Vec<Thought>),
    /// Nothing was stored: the account is new, or the clock behind.
    Refused,
    /// Nothing was stored: one of them has an id that is taken.
    Taken,
    /// Nothing was stored.
    Failed(StoreError),
    /// The server was lost before it said.
    Unknown,
}

impl Captures {
    pub(crate) fn new(database: Arc<Database>, clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(Shared { database, clock, waiting: Mutex::default() }))
    }

    /// Stores a thought.
    pub(crate) async fn store(&self, account: AccountId, new: NewThought) -> Result<Thought, StoreError> {
        let (reply, answer) = oneshot::channel();
        let id = new.id;
        let leads = {
            let mut waiting = self.0.waiting.lock();
            let leads = !waiting.contains_key(&account);
            waiting.entry(account).or_default().push(Capture { new, reply });
            leads
        };
        if leads {
            let shared = self.0.clone();
            tokio::spawn(async move { shared.store_waiting(account).await });
        }
        answer.await.unwrap_or_else(|_| Err(unsure(id)))
    }
}

impl Shared {
    /// Stores what waits of an account until nothing does.
    async fn store_waiting(&self, account: AccountId) {
        loop {
            let together = {
                let mut waiting = self.waiting.lock();
                let Some(queue) = waiting.get_mut(&account) else { return };
                if queue.is_empty() {
                    waiting.remove(&account);
                    return;
                }
                let count = queue.len().min(TOGETHER);
                queue.drain(..count).collect::<Vec<Capture>>()
            };
            let (new, replies): (Vec<_>, Vec<_>) =
                together.into_iter().map(|capture| (capture.new, capture.reply)).unzip();
            let stored = self.store_together(account, new).await;
            for (reply, stored) in replies.into_iter().zip(stored) {
                // A caller that has gone away does not need the answer.
                let _ = reply.send(stored);
            }
        }
    }

    /// Stores thoughts together; the answer of each.
    async fn store_together(&self, account: AccountId, new: Vec<NewThought>) -> Vec<Result<Thought, StoreError>> {
        let mut connection = match self.database.connection().await {
            Ok(connection) => connection,
            Err(error) => return for_each(&new, || again(&error)),
        };
        match self.try_quickly(&mut connection, account, &new).await {
            Outcome::Stored(thoughts) => return thoughts.into_iter().map(Ok).collect(),
            Outcome::Failed(error) => return for_each(&new, || again(&error)),
            Outcome::Refused => drop(connection),
            Outcome::Taken if new.len() == 1 => return vec![Err(taken(new[0].id))],
            Outcome::Taken => {
                drop(connection);
                // One at a time: whoever has a fresh id is none the worse for it.
                let mut answers = Vec::with_capacity(new.len());
                for new in new {
                    answers.extend(self.store_surely(account, vec![new], false).await);
                }
                return answers;
            }
            Outcome::Unknown => {
                drop(connection);
                return self.store_surely(account, new, true).await;
            }
        }
        self.store_surely(account, new, false).await
    }

    async fn try_quickly(&self, connection: &mut Connection, account: AccountId, new: &[NewThought]) -> Outcome {
        let thoughts = self.decided(new, Time::from_micros(0));
        store(connection, account, thoughts).await
    }

    /// Stores thoughts under the lock of the account, as often as it takes to know what became of them.
    async fn store_surely(
        &self,
        account: AccountId,
        new: Vec<NewThought>,
        mut may_be_there: bool,
    ) -> Vec<Result<Thought, StoreError>> {
        let begun = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let tried = tokio::time::timeout(left, self.try_surely(account, &new, may_be_there)).await;
            match tried {
                Ok(Ok(answers)) => return answers,
                Ok(Err(Outcome::Failed(error))) if !may_be_there => return for_each(&new, || again(&error)),
                // It is still not known what became of the first try.
                Ok(Err(Outcome::Failed(_))) => {}
                // The commit was sent, or may have been.
                Ok(Err(_)) | Err(_) => may_be_there = true,
            }
            if begun.elapsed() >= PATIENCE {
                return new.iter().map(|new| Err(unsure(new.id))).collect();
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn try_surely(
        &self,
        account: AccountId,
        new: &[NewThought],
        may_be_there: bool,
    ) -> Result<Vec<Result<Thought, StoreError>>, Outcome> {
        let mut connection = self.database.connection().await.map_err(Outcome::Failed)?;
        connection.begin();
        let log = lock_log(&mut connection, account).await.map_err(Outcome::Failed)?;
        let ids: Vec<Uuid> = new.iter().map(|new| new.id.stored()).collect();
        let there = connection.query(&THERE, &[&account.stored(), &ids]).await.map_err(Outcome::Failed)?;
        let there = row::thoughts(&there).map_err(Outcome::Failed)?;
        let mut there: FxHashMap<ThoughtId, Thought> =
            there.into_iter().map(|found| (found.thought.id, found.thought)).collect();
        let missing: Vec<NewThought> = new.iter().filter(|new| !there.contains_key(&new.id)).cloned().collect();
        let mut stored: FxHashMap<ThoughtId, Thought> = FxHashMap::default();
        if !missing.is_empty() {
            let decided = self.decided(&missing, Time::from_micros(log.created_at));
            match store(&mut connection, account, decided).await {
                Outcome::Stored(thoughts) => stored.extend(thoughts.into_iter().map(|thought| (thought.id, thought))),
                other => return Err(other),
            }
        }
        match connection.try_commit().await {
            Commit::Done => {}
            Commit::Refused(error) => return Err(Outcome::Failed(error)),
            Commit::Unknown => return Err(Outcome::Unknown),
        }
        let answer = |new: &NewThought| match (stored.remove(&new.id), there.remove(&new.id)) {
            (Some(thought), _) => Ok(thought),
            // What an earlier try of this very call has stored.
            (None, Some(thought)) if may_be_there && thought.raw_text == new.raw_text => Ok(thought),
            _ => Err(taken(new.id)),
        };
        Ok(new.iter().map(answer).collect())
    }

    /// The thoughts as they are stored, each later than the one before.
    fn decided(&self, new: &[NewThought], mut newest: Time) -> Vec<Thought> {
        let mut decided = Vec::with_capacity(new.len());
        for new in new {
            let thought = decide::stored(new.clone(), self.clock.now(), newest);
            newest = thought.created_at;
            decided.push(thought);
        }
        decided
    }
}

async fn store(connection: &mut Connection, account: AccountId, thoughts: Vec<Thought>) -> Outcome {
    let times = thoughts.first().zip(thoughts.last());
    let Some((first, last)) = times.map(|(first, last)| (first.created_at.as_micros(), last.created_at.as_micros()))
    else {
        return Outcome::Stored(thoughts);
    };
    let ids: Vec<Uuid> = thoughts.iter().map(|thought| thought.id.stored()).collect();
    let authors: Vec<i16> = thoughts.iter().map(|thought| author_number(&thought.author)).collect();
    let agents: Vec<Option<&[u8]>> = thoughts.iter().map(|thought| agent_name(&thought.author)).collect();
    let categories: Vec<&str> = thoughts.iter().map(|thought| thought.category.as_str()).collect();
    let created: Vec<i64> = thoughts.iter().map(|thought| thought.created_at.as_micros()).collect();
    let captured: Vec<i64> = thoughts.iter().map(|thought| thought.captured_at.as_micros()).collect();
    let texts: Vec<&[u8]> = thoughts.iter().map(|thought| thought.raw_text.as_str().as_bytes()).collect();
    let (account, count) = (account.stored(), row::limit(thoughts.len()));
    let inserted = connection
        .insert(
            &STORE,
            &[&account, &count, &first, &last, &ids, &authors, &agents, &categories, &created, &captured, &texts],
        )
        .await;
    match inserted {
        Inserted::Done(stored) if stored.len() == thoughts.len() => Outcome::Stored(thoughts),
        Inserted::Done(_) => Outcome::Refused,
        Inserted::Taken => Outcome::Taken,
        Inserted::Failed(error) => Outcome::Failed(error),
        Inserted::Unknown => Outcome::Unknown,
    }
}

fn for_each(new: &[NewThought], error: impl Fn() -> StoreError) -> Vec<Result<Thought, StoreError>> {
    new.iter().map(|_| Err(error())).collect()
}

/// The same error for another of those who share it.
fn again(error: &StoreError) -> StoreError {
    match error {
        StoreError::Busy(cause) => StoreError::Busy(cause.to_string().into()),
        StoreError::Full(cause) => StoreError::Full(cause.to_string().into()),
        other => StoreError::backend(other.to_string()),
    }
}

fn taken(id: ThoughtId) -> StoreError {
    StoreError::backend(format!("there is a thought {id} already"))
}

fn unsure(id: ThoughtId) -> StoreError {
    StoreError::Unsure { what: format!("the thought {id}") }
}

//! Storing new thoughts: those that come while others commit are stored together.
//!
//! - One statement numbers the thoughts of an account and stores them, so a capture costs one exchange with the server. It holds only
//!   if the time the thoughts were given is later than that of every thought there is; if not, they are given another under a lock.
//! - A thought beside which nothing waits is stored as it comes, by itself, which is what one caller sees; those that come meanwhile wait
//!   for each other.
//! - The statements of several accounts are sent at once and committed together, in one order everywhere: copies do not wait for each
//!   other in a circle. Where one of them fails, each account is tried by itself.
//! - Whatever happens to the connection, a thought is stored once or not at all: where the server was lost before it answered, the
//!   thoughts are looked for by their ids under the account's lock, and stored if they are not there.
//! - Whoever brings the first thought stores what waits; when that one gives up, a task goes on, and the write stands all the same.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::timeout;
use uuid::Uuid;

use model::{AccountId, Clock, Thought, ThoughtId, Time};
use store::{NewThought, StoreError, decide};

use crate::connection::{Commit, Connection, Insert, Inserted};
use crate::database::Database;
use crate::ends::lock_log;
use crate::row::{self, Stored, agent_name, author_number, thought_columns};
use crate::statement::statements;

/// Numbers as many thoughts as are counted and notes that there is work, if the first of them is later than any before.
macro_rules! numbered {
    ($count:literal, $first:literal, $last:literal) => {
        concat!(
            "WITH numbered AS (
                 UPDATE log_end SET row = log_end.row + ", $count, ", entry = log_end.entry + ", $count, ",
                                    open = log_end.open + ", $count, ", created_at = ", $last, "
                 WHERE log_end.account_id = $1 AND log_end.created_at < ", $first, "
                 RETURNING log_end.account_id, log_end.row - ", $count, " AS row, log_end.entry - ", $count, " AS entry),
             noted AS (
                 INSERT INTO work (account_id) SELECT numbered.account_id FROM numbered ON CONFLICT DO NOTHING)
             INSERT INTO thought (account_id, row, id, status, author, agent_name, category, created_at, captured_at,
                                  updated_at, revision, seq, raw_text) "
        )
    };
}

statements! {
    STORE, Account: concat!(
        numbered!("$2", "$3", "$4"),
        "SELECT numbered.account_id, numbered.row + new.place, new.id, 0, new.author, new.agent_name, new.category,
                new.created_at, new.captured_at, new.created_at, 0, numbered.entry + new.place, new.raw_text
         FROM numbered
         CROSS JOIN unnest($5::uuid[], $6::smallint[], $7::bytea[], $8::text[], $9::bigint[], $10::bigint[], $11::bytea[])
                    WITH ORDINALITY
                    AS new (id, author, agent_name, category, created_at, captured_at, raw_text, place)"
    );
    // One thought, which is what comes most: no arrays to take apart.
    STORE_ONE, Account: concat!(
        numbered!("1", "$2", "$2"),
        "SELECT numbered.account_id, numbered.row + 1, $3::uuid, 0, $4::smallint, $5::bytea, $6::text, $2, $7::bigint, $2, 0,
                numbered.entry + 1, $8::bytea
         FROM numbered"
    );
    THERE, Account: concat!("SELECT ", thought_columns!(), " FROM thought WHERE account_id = $1 AND id = ANY ($2)");
}

/// How many thoughts are stored together at most.
const TOGETHER: usize = 256;

/// Whoever stores for longer than this makes room for another who does.
const HELD_UP: Duration = Duration::from_millis(100);

/// How long it is tried to find out what became of a thought.
const PATIENCE: Duration = Duration::from_secs(24);

/// How long to wait before the database is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// The thoughts that wait to be stored.
pub(crate) struct Captures(Arc<Shared>);

struct Shared {
    database: Arc<Database>,
    clock: Arc<dyn Clock>,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    /// By account, as long as something of it waits or is being stored.
    captures: FxHashMap<AccountId, Vec<Capture>>,
    /// The accounts of which something waits and nothing is being stored, in the order they came.
    ready: VecDeque<AccountId>,
    /// How many are storing.
    storing: usize,
}

impl Waiting {
    fn push(&mut self, account: AccountId, capture: Capture) {
        let captures = self.captures.entry(account).or_insert_with(|| {
            self.ready.push_back(account);
            Vec::new()
        });
        captures.push(capture);
    }

    /// What is stored together next: thoughts of accounts of which nothing is being stored until they are [`stored`](Self::stored).
    fn take(&mut self) -> Together {
        let (mut together, mut room) = (Vec::new(), TOGETHER);
        while room > 0
            && let Some(account) = self.ready.pop_front()
        {
            let Some(captures) = self.captures.get_mut(&account) else { continue };
            let some: Vec<Capture> = captures.drain(..captures.len().min(room)).collect();
            room -= some.len();
            together.push((account, some));
        }
        // In one order everywhere: two that store thoughts of the same accounts do not wait for each other in a circle.
        together.sort_by_key(|(account, _)| *account);
        together
    }

    fn stored(&mut self, account: AccountId) {
        match self.captures.get(&account) {
            Some(captures) if captures.is_empty() => drop(self.captures.remove(&account)),
            _ => self.ready.push_back(account),
        }
    }
}

struct Capture {
    new: NewThought,
    reply: oneshot::Sender<Result<Thought, StoreError>>,
}

/// What became of some thoughts that were to be stored together.
enum Outcome {
    Stored(Vec<Thought>),
    /// Nothing was stored: the account is new, the clock behind, or those of another account were not stored either.
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
        if self.0.begin_alone(account) {
            let mut storing = Storing(Some(Box::pin(self.0.clone().store_alone(account, new))));
            return poll_fn(|context| storing.poll(context)).await;
        }
        let (reply, mut answer) = oneshot::channel();
        let id = new.id;
        let together = {
            let mut waiting = self.0.waiting.lock();
            waiting.push(account, Capture { new, reply });
            self.0.begin_storing(&mut waiting)
        };
        let is_mine =
            |together: &Together| together.iter().flat_map(|(_, captures)| captures).any(|one| one.new.id == id);
        let mut storing = Storing::<()>(None);
        match together {
            Some(together) if is_mine(&together) => {
                storing.0 = Some(Box::pin(self.0.clone().store_next(together)));
            }
            // So much waits that it is not its turn yet.
            Some(others) => drop(tokio::spawn(self.0.clone().store_next(others))),
            None => {}
        }
        let answered = poll_fn(|context| {
            let _ = storing.poll(context);
            if storing.0.is_none() {
                return Pin::new(&mut answer).poll(context);
            }
            // Whoever stores is woken by that alone: woken by its own answer as well, it would be run a second time for nothing,
            // by another thread most often.
            match answer.try_recv() {
                Ok(stored) => Poll::Ready(Ok(stored)),
                Err(_) => Poll::Pending,
            }
        });
        answered.await.unwrap_or_else(|_| Err(unsure(id)))
    }
}

/// Storing as a caller drives it, if it falls to that one. What is left of it when the caller has its answer or gives up becomes a
/// task: where nobody else captures, none is woken for one thought.
struct Storing<T: Send + 'static>(Option<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T: Send + 'static> Storing<T> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<T> {
        let Some(storing) = &mut self.0 else { return Poll::Pending };
        let stored = ready!(storing.as_mut().poll(context));
        self.0 = None;
        Poll::Ready(stored)
    }
}

impl<T: Send + 'static> Drop for Storing<T> {
    fn drop(&mut self) {
        if let (Some(storing), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(storing);
        }
    }
}

/// Thoughts that are stored together, by account.
type Together = Vec<(AccountId, Vec<Capture>)>;

impl Shared {
    /// Whether one more may store: on half of the connections, so that others have theirs.
    fn has_room(&self, waiting: &Waiting) -> bool {
        waiting.storing < self.database.connections.div_ceil(2)
    }

    /// What to store now, unless nothing waits or as many as may are at it.
    fn begin_storing(&self, waiting: &mut Waiting) -> Option<Together> {
        let may = !waiting.ready.is_empty() && self.has_room(waiting);
        may.then(|| {
            waiting.storing += 1;
            waiting.take()
        })
    }

    /// Whether a thought of an account may be stored at once, by itself: as most are, without taking its place among others.
    fn begin_alone(&self, account: AccountId) -> bool {
        let mut waiting = self.waiting.lock();
        let may = waiting.ready.is_empty() && self.has_room(&waiting) && !waiting.captures.contains_key(&account);
        if may {
            waiting.storing += 1;
            waiting.captures.insert(account, Vec::new());
        }
        may
    }

    /// Stores a thought that [`begin_alone`](Self::begin_alone) has let through. Whatever does not go quickly goes on by itself.
    async fn store_alone(self: Arc<Self>, account: AccountId, new: NewThought) -> Result<Thought, StoreError> {
        let captured_at = new.captured_at;
        let thought = decide::stored(new, self.clock.now(), Time::from_micros(0));
        let inserted = {
            let mut inserting = pin!(self.insert_alone(account, &thought));
            let inserted = timeout(HELD_UP, &mut inserting).await;
            self.waiting.lock().storing -= 1;
            match inserted {
                Ok(inserted) => inserted,
                Err(_) => {
                    self.spawn_storing();
                    inserting.await
                }
            }
        };
        let slower = match inserted {
            Inserted::Done(added) if added == [1] => {
                self.stored(account);
                return Ok(thought);
            }
            Inserted::Failed(error) => {
                self.stored(account);
                return Err(error);
            }
            Inserted::Done(_) => Outcome::Refused,
            Inserted::Taken => Outcome::Taken,
            Inserted::Unknown => Outcome::Unknown,
        };
        self.spawn_storing();
        let Thought { id, raw_text, category, author, .. } = thought;
        let (reply, answer) = oneshot::channel();
        let capture = Capture { new: NewThought { id, raw_text, category, author, captured_at }, reply };
        tokio::spawn(self.store_slowly(account, vec![capture], slower));
        answer.await.unwrap_or_else(|_| Err(unsure(id)))
    }

    async fn insert_alone(&self, account: AccountId, thought: &Thought) -> Inserted {
        let mut connection = match self.database.connection().await {
            Ok(connection) => connection,
            Err(error) => return Inserted::Failed(error),
        };
        let (owner, created, id) = (account.stored(), thought.created_at.as_micros(), thought.id.stored());
        let (author, agent, category) =
            (author_number(&thought.author), agent_name(&thought.author), thought.category.as_str());
        let (captured, text) = (thought.captured_at.as_micros(), thought.raw_text.as_str().as_bytes());
        connection.insert_one(&STORE_ONE, &[&owner, &created, &id, &author, &agent, &category, &captured, &text]).await
    }

    /// Goes on with what waits once nothing of an account is being stored any more.
    fn stored(self: &Arc<Self>, account: AccountId) {
        let together = {
            let mut waiting = self.waiting.lock();
            waiting.stored(account);
            self.begin_storing(&mut waiting)
        };
        if let Some(together) = together {
            tokio::spawn(self.clone().store_next(together));
        }
    }

    /// Stores what waits, by a task.
    fn spawn_storing(self: &Arc<Self>) {
        let together = self.begin_storing(&mut self.waiting.lock());
        if let Some(together) = together {
            tokio::spawn(self.clone().store_next(together));
        }
    }

    /// Stores thoughts together, and leaves what has come meanwhile to a task.
    async fn store_next(self: Arc<Self>, together: Together) {
        let mut storing = pin!(self.store_together(together));
        let is_held_up = timeout(HELD_UP, &mut storing).await.is_err();
        self.waiting.lock().storing -= 1;
        self.spawn_storing();
        if is_held_up {
            // By a lock, mostly, which the others need not wait for.
            storing.await;
            self.spawn_storing();
        }
    }

    /// Stores thoughts of several accounts together. Whatever does not go quickly goes on by itself.
    async fn store_together(self: &Arc<Self>, together: Together) {
        let outcomes = match self.database.connection().await {
            Ok(mut connection) => {
                let decided = together.iter().map(|(account, captures)| {
                    let new = captures.iter().map(|capture| &capture.new);
                    (*account, self.decided(new, Time::from_micros(0)))
                });
                store(&mut connection, decided.collect()).await
            }
            Err(error) => together.iter().map(|_| Outcome::Failed(again(&error))).collect(),
        };
        for ((account, captures), outcome) in together.into_iter().zip(outcomes) {
            match outcome {
                Outcome::Stored(thoughts) => answer(captures, thoughts.into_iter().map(Ok)),
                Outcome::Failed(error) => answer(captures, std::iter::repeat_with(|| Err(again(&error)))),
                slower => {
                    tokio::spawn(self.clone().store_slowly(account, captures, slower));
                    continue;
                }
            }
            self.waiting.lock().stored(account);
        }
    }

    /// Stores thoughts of an account after a first try.
    async fn store_slowly(self: Arc<Self>, account: AccountId, captures: Vec<Capture>, tried: Outcome) {
        let mut new: Vec<NewThought> = captures.iter().map(|capture| capture.new.clone()).collect();
        let may_be_there = matches!(tried, Outcome::Unknown);
        let mut stored = Vec::with_capacity(new.len());
        if matches!(tried, Outcome::Taken) {
            // One at a time: whoever has a fresh id is none the worse for it.
            for new in new.drain(..) {
                stored.extend(self.store_surely(account, vec![new], false).await);
            }
        }
        stored.extend(self.store_surely(account, new, may_be_there).await);
        answer(captures, stored);
        self.waiting.lock().stored(account);
        self.spawn_storing();
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
            let tried = timeout(left, self.try_surely(account, &new, may_be_there)).await;
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
        let missing: Vec<&NewThought> = new.iter().filter(|new| !there.contains_key(&new.id)).collect();
        let mut stored: FxHashMap<ThoughtId, Thought> = FxHashMap::default();
        if !missing.is_empty() {
            let decided = self.decided(missing.iter().copied(), Time::from_micros(log.created_at));
            for outcome in store(&mut connection, vec![(account, decided)]).await {
                match outcome {
                    Outcome::Stored(thoughts) => {
                        stored.extend(thoughts.into_iter().map(|thought| (thought.id, thought)))
                    }
                    other => return Err(other),
                }
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
    fn decided<'a>(&self, new: impl Iterator<Item = &'a NewThought>, mut newest: Time) -> Vec<Thought> {
        let mut decided = Vec::with_capacity(new.size_hint().0);
        for new in new {
            let thought = decide::stored(new.clone(), self.clock.now(), newest);
            newest = thought.created_at;
            decided.push(thought);
        }
        decided
    }
}

/// Stores thoughts of each of these accounts, together; what became of those of each.
async fn store(connection: &mut Connection, decided: Vec<(AccountId, Vec<Thought>)>) -> Vec<Outcome> {
    let inserts: Vec<Insert<'_>> = decided.iter().map(|(account, thoughts)| insert(*account, thoughts)).collect();
    let inserted = connection.insert(&inserts).await;
    drop(inserts);
    let is_shared = decided.len() > 1;
    let each = |outcome: fn() -> Outcome| decided.iter().map(|_| outcome()).collect();
    match inserted {
        Inserted::Done(added) => {
            let outcome = |((_, thoughts), added): ((AccountId, Vec<Thought>), u64)| {
                if added == thoughts.len() as u64 { Outcome::Stored(thoughts) } else { Outcome::Refused }
            };
            decided.into_iter().zip(added).map(outcome).collect()
        }
        // It may be another's fault.
        Inserted::Taken | Inserted::Failed(_) if is_shared => each(|| Outcome::Refused),
        Inserted::Taken => each(|| Outcome::Taken),
        Inserted::Failed(error) => vec![Outcome::Failed(error)],
        Inserted::Unknown => each(|| Outcome::Unknown),
    }
}

fn insert(account: AccountId, thoughts: &[Thought]) -> Insert<'_> {
    fn agent(thought: &Thought) -> Option<&[u8]> {
        agent_name(&thought.author)
    }
    fn text(thought: &Thought) -> &[u8] {
        thought.raw_text.as_str().as_bytes()
    }
    let mut insert = Insert::new(if thoughts.len() == 1 { &STORE_ONE } else { &STORE }).with(account.stored());
    if let [thought] = thoughts {
        let (created, captured) = (thought.created_at.as_micros(), thought.captured_at.as_micros());
        insert = insert.with(created).with(thought.id.stored()).with(author_number(&thought.author));
        return insert.with(agent(thought)).with(thought.category.as_str()).with(captured).with(text(thought));
    }
    let created: Vec<i64> = thoughts.iter().map(|thought| thought.created_at.as_micros()).collect();
    insert = insert.with(row::limit(thoughts.len())).with(created.first().copied()).with(created.last().copied());
    insert
        .with(thoughts.iter().map(|thought| thought.id.stored()).collect::<Vec<Uuid>>())
        .with(thoughts.iter().map(|thought| author_number(&thought.author)).collect::<Vec<i16>>())
        .with(thoughts.iter().map(agent).collect::<Vec<_>>())
        .with(thoughts.iter().map(|thought| thought.category.as_str()).collect::<Vec<_>>())
        .with(created)
        .with(thoughts.iter().map(|thought| thought.captured_at.as_micros()).collect::<Vec<i64>>())
        .with(thoughts.iter().map(text).collect::<Vec<_>>())
}

/// Tells each caller what became of its thought; whoever has gone away does not need it.
fn answer(captures: Vec<Capture>, stored: impl IntoIterator<Item = Result<Thought, StoreError>>) {
    for (capture, stored) in captures.into_iter().zip(stored) {
        let _ = capture.reply.send(stored);
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

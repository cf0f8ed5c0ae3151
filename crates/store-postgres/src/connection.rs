//! A connection out of the pool, and transactions on it.
//!
//! - A connection goes back into the pool only if it is known to be idle. Whatever is given up half way, because it took too long
//!   or nobody waits for it any more, closes its connection, and the server takes back what was not committed.
//! - A transaction begins with its first statement: the two are sent together.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use deadpool_postgres::Object;
use tokio::time::timeout;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use store::StoreError;

use crate::error::{error, is_taken, spoils_connection, tells_what_became};
use crate::statement::Statement;

/// How long the server may take for a statement before it gives up by itself.
pub(crate) const STATEMENT_MS: u64 = 12_000;

/// How long an answer is waited for: a little longer, since a server that hangs does not give up.
const DEADLINE: Duration = Duration::from_millis(STATEMENT_MS + 1_000);

/// What a caller hears of that may have been stored, where it is not known and nobody can tell better.
const THE_CHANGE: &str = "the change";

/// How long a transaction of several accounts waits for a lock, which holds the others up.
const SHARED_LOCK_MS: u64 = 100;

/// The values of a statement.
pub(crate) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A statement that adds rows, with its values.
pub(crate) struct Insert<'a> {
    statement: &'static Statement,
    values: Vec<Box<dyn ToSql + Sync + Send + 'a>>,
}

impl<'a> Insert<'a> {
    pub(crate) fn new(statement: &'static Statement) -> Self {
        Self { statement, values: Vec::new() }
    }

    /// The same with one more value.
    pub(crate) fn with(mut self, value: impl ToSql + Sync + Send + 'a) -> Self {
        self.values.push(Box::new(value));
        self
    }

    fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect()
    }
}

/// A connection.
pub(crate) struct Connection {
    /// There until the end.
    client: Option<Object>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    /// The next statement is the first of a transaction.
    Beginning,
    InTransaction,
    /// Something is under way or has gone wrong.
    Unknown,
}

/// What became of statements that add rows.
#[derive(Debug)]
pub(crate) enum Inserted {
    /// How many rows each of them added.
    Done(Vec<u64>),
    /// A value that may be stored only once is there already; nothing was stored.
    Taken,
    /// Nothing was stored.
    Failed(StoreError),
    /// The connection was lost before the server said what became of it.
    Unknown,
}

/// What became of a commit.
#[derive(Debug)]
pub(crate) enum Commit {
    Done,
    /// The server refused it: nothing of it has taken effect.
    Refused(StoreError),
    /// The connection was lost before the server said what became of it.
    Unknown,
}

impl Connection {
    pub(crate) fn new(client: Object) -> Self {
        Self { client: Some(client), state: State::Idle }
    }

    /// Everything up to [`commit`](Self::commit) takes effect together or not at all.
    pub(crate) fn begin(&mut self) {
        debug_assert_eq!(self.state, State::Idle, "transactions are not nested");
        self.state = State::Beginning;
    }

    /// Ends the transaction. One that has changed nothing is best ended so as well: then the connection is used again.
    pub(crate) async fn commit(&mut self) -> Result<(), StoreError> {
        self.commit_of(|| THE_CHANGE.to_owned()).await
    }

    /// The same; says what may have been stored where that is not known.
    pub(crate) async fn commit_of(&mut self, what: impl FnOnce() -> String) -> Result<(), StoreError> {
        match self.try_commit().await {
            Commit::Done => Ok(()),
            Commit::Refused(error) => Err(error),
            Commit::Unknown => Err(StoreError::Unsure { what: what() }),
        }
    }

    /// Ends the transaction, and tells whether it is known what became of it.
    pub(crate) async fn try_commit(&mut self) -> Commit {
        if self.state == State::Beginning {
            self.state = State::Idle;
            return Commit::Done;
        }
        self.state = State::Unknown;
        match timeout(DEADLINE, self.client().batch_execute("COMMIT")).await {
            Ok(Ok(())) => {
                self.state = State::Idle;
                Commit::Done
            }
            Ok(Err(failed)) if tells_what_became(&failed) => Commit::Refused(error(failed)),
            Ok(Err(_)) | Err(_) => Commit::Unknown,
        }
    }

    /// All rows of a query.
    pub(crate) async fn query(
        &mut self,
        statement: &'static Statement,
        values: Values<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        self.send(statement, values).await?.map_err(error)
    }

    /// All rows of a query that is to be gone about otherwise depending on which of its values are given: planned for these.
    pub(crate) async fn query_as_given(
        &mut self,
        statement: &'static Statement,
        values: Values<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        let before = self.start();
        debug_assert_eq!(before, State::Idle, "transactions are not nested");
        let result = timeout(DEADLINE, async {
            let client = self.client();
            let prepared = client.prepare_cached(statement.sql).await?;
            let (begun, rows, ended) = tokio::join!(
                biased;
                client.batch_execute("BEGIN; SET LOCAL plan_cache_mode = force_custom_plan"),
                client.query(&prepared, values),
                client.batch_execute("COMMIT")
            );
            begun.and(ended).and(rows)
        })
        .await;
        self.ended(before, result)?.map_err(error)
    }

    /// The first row of a query, if there is one.
    pub(crate) async fn first(
        &mut self,
        statement: &'static Statement,
        values: Values<'_>,
    ) -> Result<Option<Row>, StoreError> {
        Ok(self.query(statement, values).await?.into_iter().next())
    }

    /// Runs a statement that changes something; how many rows it changed. Outside of a transaction it is committed with it.
    pub(crate) async fn execute(
        &mut self,
        statement: &'static Statement,
        values: Values<'_>,
    ) -> Result<u64, StoreError> {
        let begins = self.state;
        let (is_sent, result) = self.change(statement, values).await;
        match result {
            Ok(Ok(changed)) => Ok(changed),
            Ok(Err(failed)) if tells_what_became(&failed) => Err(error(failed)),
            _ if is_sent && begins == State::Idle => Err(StoreError::Unsure { what: THE_CHANGE.to_owned() }),
            Ok(Err(failed)) => Err(error(failed)),
            Err(too_long) => Err(too_long),
        }
    }

    /// Runs a statement that changes something; whether it was sent, and what the server said.
    async fn change(
        &mut self,
        statement: &'static Statement,
        values: Values<'_>,
    ) -> (bool, Result<Result<u64, tokio_postgres::Error>, StoreError>) {
        let begins = self.start();
        let mut is_sent = false;
        let result = timeout(DEADLINE, async {
            let client = self.client();
            let prepared = client.prepare_cached(statement.sql).await?;
            is_sent = true;
            match begins {
                State::Beginning => {
                    let (begun, changed) =
                        tokio::join!(biased; client.batch_execute("BEGIN"), client.execute(&prepared, values));
                    begun.and(changed)
                }
                _ => client.execute(&prepared, values).await,
            }
        })
        .await;
        (is_sent, self.ended(begins, result))
    }

    /// Runs statements that add rows: all or none, sent at once. One alone needs no transaction around it.
    pub(crate) async fn insert(&mut self, inserts: &[Insert<'_>]) -> Inserted {
        match inserts {
            [only] => self.insert_one(only.statement, &only.values()).await,
            several => self.insert_together(several).await,
        }
    }

    /// Runs a statement that adds rows.
    pub(crate) async fn insert_one(&mut self, statement: &'static Statement, values: Values<'_>) -> Inserted {
        match self.change(statement, values).await {
            (_, Ok(result)) => inserted(result.map(|added| vec![added])),
            (_, Err(_)) => Inserted::Unknown,
        }
    }

    async fn insert_together(&mut self, inserts: &[Insert<'_>]) -> Inserted {
        let before = self.start();
        debug_assert_eq!(before, State::Idle, "transactions are not nested");
        let begin = format!("BEGIN; SET LOCAL lock_timeout = {SHARED_LOCK_MS}");
        let sent = timeout(DEADLINE, async {
            let client = self.client();
            let mut statements = Vec::with_capacity(inserts.len());
            for insert in inserts {
                let prepared = client.prepare_cached(insert.statement.sql).await?;
                statements.push(async move { client.execute(&prepared, &insert.values()).await });
            }
            Ok(tokio::join!(biased; client.batch_execute(&begin), all(statements), client.batch_execute("COMMIT")))
        });
        match sent.await {
            Ok(Ok((Ok(()), added, committed))) => {
                // A transaction in which a statement has failed is answered as if it were committed, and is not.
                let result = added.into_iter().collect::<Result<Vec<_>, _>>();
                if committed.is_ok() && !result.as_ref().is_err_and(spoils_connection) {
                    self.state = before;
                }
                inserted(result.and_then(|added| committed.map(|()| added)))
            }
            Ok(Err(unprepared)) => Inserted::Failed(error(unprepared)),
            // Without its beginning each statement would stand for itself.
            Ok(Ok((Err(_), ..))) | Err(_) => Inserted::Unknown,
        }
    }

    async fn send(
        &mut self,
        statement: &'static Statement,
        values: Values<'_>,
    ) -> Result<Result<Vec<Row>, tokio_postgres::Error>, StoreError> {
        let begins = self.start();
        let result = timeout(DEADLINE, async {
            let client = self.client();
            let prepared = client.prepare_cached(statement.sql).await?;
            match begins {
                State::Beginning => {
                    let (begun, rows) =
                        tokio::join!(biased; client.batch_execute("BEGIN"), client.query(&prepared, values));
                    begun.and(rows)
                }
                _ => client.query(&prepared, values).await,
            }
        })
        .await;
        self.ended(begins, result)
    }

    /// Runs several statements without values, as a script.
    pub(crate) async fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        let before = self.start();
        let result = self.client().batch_execute(sql).await;
        self.ended(before, Ok(result))?.map_err(error)
    }

    fn start(&mut self) -> State {
        std::mem::replace(&mut self.state, State::Unknown)
    }

    fn ended<T>(
        &mut self,
        before: State,
        result: Result<Result<T, tokio_postgres::Error>, tokio::time::error::Elapsed>,
    ) -> Result<Result<T, tokio_postgres::Error>, StoreError> {
        let result = result.map_err(|_| too_long())?;
        self.state = match (&result, before) {
            (Ok(_), State::Beginning) => State::InTransaction,
            (Ok(_), before) => before,
            (Err(failed), State::Idle) if !spoils_connection(failed) => State::Idle,
            // The transaction is lost, and the connection with it.
            (Err(_), _) => State::Unknown,
        };
        Ok(result)
    }

    fn client(&self) -> &Object {
        self.client.as_ref().expect("a connection has its client until it is dropped")
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(client) = self.client.take()
            && !matches!(self.state, State::Idle | State::Beginning)
        {
            // Closed, rather than given to whoever comes next.
            drop(Object::take(client));
        }
    }
}

fn inserted(result: Result<Vec<u64>, tokio_postgres::Error>) -> Inserted {
    match result {
        Ok(added) => Inserted::Done(added),
        Err(failed) if is_taken(&failed) => Inserted::Taken,
        Err(failed) if tells_what_became(&failed) => Inserted::Failed(error(failed)),
        Err(_) => Inserted::Unknown,
    }
}

/// What all of these give. They are begun one after the other, and none waits for the answer to another.
async fn all<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut begun: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    poll_fn(|context| {
        let mut are_done = true;
        for (future, output) in begun.iter_mut().filter(|(_, output)| output.is_none()) {
            match future.as_mut().poll(context) {
                Poll::Ready(ready) => *output = Some(ready),
                Poll::Pending => are_done = false,
            }
        }
        if are_done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    begun.into_iter().filter_map(|(_, output)| output).collect()
}

fn too_long() -> StoreError {
    StoreError::Busy("the database did not answer in time".into())
}

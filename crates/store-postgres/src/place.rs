//! The back end itself: a database, and what one copy of the service knows.

use std::sync::Arc;

use tokio_postgres::Row as SqlRow;

use model::Clock;
use store::StoreError;
use store::backend::Work;

use crate::captures::Captures;
use crate::connection::{Connection, Values};
use crate::database::Database;
use crate::planner::Planner;
use crate::statement::Statement;
use crate::tally::Tallies;

/// A database as one copy of the service uses it.
pub(crate) struct PostgresStore {
    pub(crate) database: Arc<Database>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) work: Work,
    pub(crate) captures: Captures,
    pub(crate) tallies: Tallies,
    pub(crate) planner: Planner,
}

impl PostgresStore {
    pub(crate) fn new(database: Arc<Database>, clock: Arc<dyn Clock>) -> Self {
        let captures = Captures::new(database.clone(), clock.clone());
        let planner = Planner::new(database.clone());
        Self { database, clock, work: Work::default(), captures, tallies: Tallies::default(), planner }
    }

    /// A connection on which a transaction begins.
    pub(crate) async fn transaction(&self) -> Result<Connection, StoreError> {
        let mut connection = self.database.connection().await?;
        connection.begin();
        Ok(connection)
    }

    /// All rows of a query.
    pub(crate) async fn query(
        &self,
        statement: &'static Statement,
        values: Values<'_>,
    ) -> Result<Vec<SqlRow>, StoreError> {
        self.database.connection().await?.query(statement, values).await
    }

    /// The first row of a query, if there is one.
    pub(crate) async fn first(
        &self,
        statement: &'static Statement,
        values: Values<'_>,
    ) -> Result<Option<SqlRow>, StoreError> {
        self.database.connection().await?.first(statement, values).await
    }

    /// Runs one statement that changes something; how many rows it changed.
    pub(crate) async fn execute(&self, statement: &'static Statement, values: Values<'_>) -> Result<u64, StoreError> {
        self.database.connection().await?.execute(statement, values).await
    }
}

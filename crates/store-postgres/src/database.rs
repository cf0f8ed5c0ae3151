//! The pool of connections to a database.

use std::time::Duration;

use deadpool_postgres::{
    Hook, HookError, Manager, ManagerConfig, Pool, PoolError, QueueMode, RecyclingMethod, Runtime,
};
use tokio_postgres::config::SslMode;

use store::StoreError;

use crate::address::{Address, SchemaName, with_causes};
use crate::connection::{Connection, STATEMENT_MS};
use crate::error::pool_error;
use crate::tls::{Checks, Tls};

/// How long a connection is waited for where all are in use.
const WAIT: Duration = Duration::from_secs(3);

/// How long making a connection may take, over all hosts of an address.
const CREATE: Duration = Duration::from_secs(6);

/// Where everything is kept, and with how many connections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The address of the database.
    pub address: Address,
    /// The schema that holds everything.
    pub schema: SchemaName,
    /// How many connections there are at most.
    pub connections: usize,
}

/// A database.
pub(crate) struct Database {
    pool: Pool,
    pub(crate) schema: SchemaName,
    pub(crate) address: Address,
    pub(crate) connections: usize,
}

impl Database {
    /// Prepares the pool; the first connection is made when it is needed.
    pub(crate) fn new(settings: &Settings) -> Result<Self, StoreError> {
        let Settings { address, schema, connections } = settings;
        let checks = match address.config.get_ssl_mode() {
            SslMode::Disable => &Checks::Nothing,
            _ => &address.checks,
        };
        let manager_config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager =
            Manager::from_config(address.config.clone(), Tls::new(checks, address.identity.as_ref())?, manager_config);
        let session = session(schema);
        let set_up = Hook::async_fn(move |client: &mut deadpool_postgres::ClientWrapper, _| {
            let session = session.clone();
            Box::pin(async move { client.batch_execute(&session).await.map_err(HookError::Backend) })
        });
        let pool = Pool::builder(manager)
            .max_size(*connections)
            // The one used last is warm, here and in the server; the others stay idle.
            .queue_mode(QueueMode::Lifo)
            .wait_timeout(Some(WAIT))
            .create_timeout(Some(CREATE))
            .post_create(set_up)
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(StoreError::backend)?;
        Ok(Self { pool, schema: schema.clone(), address: address.clone(), connections: *connections })
    }

    /// A connection.
    pub(crate) async fn connection(&self) -> Result<Connection, StoreError> {
        self.pool.get().await.map(Connection::new).map_err(pool_error)
    }

    /// The first connection of a program: if there is none to be had, says in one sentence where it was looked for and why not.
    pub(crate) async fn first_connection(&self) -> Result<Connection, StoreError> {
        self.pool.get().await.map(Connection::new).map_err(|failed| {
            let why = match &failed {
                PoolError::Backend(cause) | PoolError::PostCreateHook(HookError::Backend(cause)) => with_causes(cause),
                PoolError::Timeout(_) => "it does not answer".to_owned(),
                other => with_causes(other),
            };
            StoreError::backend(format!("the database at {} cannot be used: {why}", self.address))
        })
    }

    /// Closes all connections.
    pub(crate) fn close(&self) {
        self.pool.close();
    }
}

/// What every connection is told first.
///
/// - A copy that is cut off while it holds a lock loses it: its transaction is idle, or its network silent.
/// - A commit that was acknowledged is on the disk, whatever the database says of others.
/// - A plan is made once, for any account: made for one that the planner takes for empty, as it does with a large new one beside some
///   it knows until the server counts again, it walks through all of it.
/// - What nobody waits for any more ends: a server looks whether its client is there, on systems where it can.
fn session(schema: &SchemaName) -> String {
    format!(
        "SET search_path TO {schema};
         SET statement_timeout = {STATEMENT_MS};
         SET lock_timeout = 8000;
         SET idle_in_transaction_session_timeout = 20000;
         SET tcp_keepalives_idle = 10;
         SET tcp_keepalives_interval = 5;
         SET tcp_keepalives_count = 3;
         SET client_min_messages = error;
         SET default_transaction_isolation TO 'read committed';
         SET plan_cache_mode = force_generic_plan;
         SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
         SELECT set_config('client_connection_check_interval', '2s', false) WHERE version() LIKE '%linux%';"
    )
}

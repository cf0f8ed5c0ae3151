//! Which copies of the service run on a database.
//!
//! Times are the server's: the clocks of the machines that copies run on may differ.

use std::time::Duration;

use async_trait::async_trait;

use store::{Copies, RunningCopy, StoreError};

use crate::error::damaged;
use crate::place::PostgresStore;
use crate::row::{number, text};
use crate::statement::statements;

/// The present moment of the server, in microseconds.
macro_rules! now {
    () => {
        "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
    };
}

statements! {
    ANNOUNCE, Shared: concat!(
        "INSERT INTO copy (instance, origin, process, seen_at) VALUES ($1, $2, $3, ", now!(), ")
         ON CONFLICT (instance) DO UPDATE SET seen_at = excluded.seen_at"
    );
    WITHDRAW, Shared: "DELETE FROM copy WHERE instance = $1";
    COPIES, Shared: concat!("SELECT instance, origin, process FROM copy WHERE seen_at > ", now!(), " - $1
                             ORDER BY seen_at DESC, instance LIMIT 100");
    FORGET, Shared: concat!("DELETE FROM copy WHERE seen_at < ", now!(), " - $1");
}

/// How long one is kept that said nothing: much longer than anybody looks for it.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(3_600);

#[async_trait]
impl Copies for PostgresStore {
    async fn announce(&self, copy: &RunningCopy) -> Result<(), StoreError> {
        let (instance, origin) = (copy.instance.as_bytes(), copy.origin.as_bytes());
        self.execute(&ANNOUNCE, &[&instance, &origin, &i64::from(copy.process)]).await?;
        self.execute(&FORGET, &[&micros(FORGOTTEN_AFTER)]).await.map(drop)
    }

    async fn withdraw(&self, instance: &str) -> Result<(), StoreError> {
        self.execute(&WITHDRAW, &[&instance.as_bytes()]).await.map(drop)
    }

    async fn copies(&self, within: Duration) -> Result<Vec<RunningCopy>, StoreError> {
        let found = self.query(&COPIES, &[&micros(within)]).await?;
        let copy = |found: &tokio_postgres::Row| {
            let process = u32::try_from(number(found, 2)?).map_err(|error| damaged("process", error))?;
            Ok(RunningCopy { instance: text(found, 0)?, origin: text(found, 1)?, process })
        };
        found.iter().map(copy).collect()
    }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

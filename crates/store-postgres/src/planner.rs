//! What the planner knows of tables that grow fast.
//!
//! A server counts the rows of its tables a minute or more after they have grown, and makes the plans that connections keep anew when it
//! has. Until then those made for the first few thoughts of a new database go on, and read all names of an account for each that is looked
//! up. So it is told to count whenever background work has done as much again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use store::StoreError;

use crate::database::Database;
use crate::statement::statements;

/// From how many finished jobs on there is something to count.
const ENOUGH: usize = 256;

statements! {
    COUNTED_FEWER, Shared: "SELECT FROM pg_class AS relation
                            WHERE relation.relnamespace = current_schema()::text::regnamespace
                              AND relation.relname = 'vector' AND relation.reltuples < $1";
    // The tables that background work fills and reads.
    COUNT, AllAccounts: "ANALYZE thought, form, job, model, vector, token, entity, mention, link";
}

/// Has the server count in time.
pub(crate) struct Planner {
    database: Arc<Database>,
    finished: Finished,
}

impl Planner {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database, finished: Finished::default() }
    }

    /// Has the server count if these finished jobs have doubled what was done and it has not yet counted half of it. It would do so by
    /// itself later: whatever goes wrong here is of no account.
    pub(crate) async fn count_when_doubled(&self, finished: usize) {
        if let Some(finished) = self.finished.doubled_by(finished) {
            _ = self.count_unless_counted(finished / 2).await;
        }
    }

    async fn count_unless_counted(&self, enough: usize) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        if connection.first(&COUNTED_FEWER, &[&(enough as f32)]).await?.is_some() {
            connection.execute(&COUNT, &[]).await?;
        }
        Ok(())
    }
}

/// How many jobs this copy has finished.
#[derive(Default)]
struct Finished(AtomicUsize);

impl Finished {
    /// How many there are with some more, if these made them enough or doubled them.
    fn doubled_by(&self, more: usize) -> Option<usize> {
        let before = self.0.fetch_add(more, Ordering::Relaxed);
        let now = before + more;
        (now >= ENOUGH && (before + 1).next_power_of_two() <= now).then_some(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_counted_whenever_it_has_doubled() {
        let finished = Finished::default();
        let told: Vec<usize> = (0..100).filter_map(|_| finished.doubled_by(64)).collect();
        assert_eq!(told, [256, 512, 1024, 2048, 4096]);
        assert_eq!(finished.doubled_by(0), None);
        assert_eq!(finished.doubled_by(60_000), Some(66_400));
    }
}

//! One worker: claims what is due, account by account, and has it worked off.

use std::io;
use std::time::Duration;

use parking_lot::Mutex;
use tracing::warn;

use model::AccountId;
use store::{Claim, StoreError};

use super::batch::{Outcome, work_off};
use super::computer::Computer;
use super::enrichment::Enrichment;
use super::resting::Resting;

/// How many jobs are claimed at once: few enough to be done in a moment, many enough to share a commit.
const BATCH_JOBS: usize = 16;

/// How much text is claimed at once: about a second of work.
const BATCH_TEXT_BYTES: usize = 32_768;

/// How long a claimed job is nobody else's. Ten times what a batch takes, and no longer than whoever takes over after a crash
/// can wait.
const LEASE: Duration = Duration::from_secs(15);

/// The same where the model is behind a network: longer than its calls may take.
const REMOTE_LEASE: Duration = Duration::from_secs(120);

/// One that works on jobs, one batch after the other, computing on a thread of its own.
pub struct Worker {
    pub(super) enrichment: Enrichment,
    computer: Computer,
    /// The accounts whose store failed.
    resting: Mutex<Resting>,
}

/// What became of a look at the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// So many jobs were worked on.
    Worked(usize),
    /// Nothing is due.
    Idle,
    /// Jobs were put back: the embedding model cannot be reached.
    Unavailable,
}

impl Worker {
    /// Starts the thread to compute on.
    pub fn start(enrichment: Enrichment) -> io::Result<Self> {
        Ok(Self { enrichment, computer: Computer::start()?, resting: Mutex::default() })
    }

    /// Works on one batch of every account that has jobs that are due; ends early once `stopping` says so. An account whose
    /// store fails is left alone for a while, and keeps the others from nothing.
    pub async fn round(&self, stopping: &(dyn Fn() -> bool + Sync)) -> Result<Round, StoreError> {
        let clock = &self.enrichment.clock;
        let mut worked = 0;
        for account in self.enrichment.accounts_with_work().await? {
            if stopping() {
                break;
            }
            if self.resting.lock().is_resting(account, clock.now()) {
                continue;
            }
            match self.batch(account, stopping).await {
                Ok(None) => return Ok(Round::Unavailable),
                Ok(Some(claimed)) => {
                    self.resting.lock().wake(account);
                    worked += claimed;
                }
                Err(error) => {
                    let rest = self.resting.lock().put_to_rest(account, clock.now());
                    warn!(account.id = %account, %error, "enrichment of account {account} failed and rests for {rest:?}");
                }
            }
        }
        Ok(if worked == 0 { Round::Idle } else { Round::Worked(worked) })
    }

    /// Works on one batch of an account: on how many jobs, `None` if the embedding model cannot be reached.
    async fn batch(
        &self,
        account: AccountId,
        stopping: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<usize>, StoreError> {
        let Enrichment { store, clock, embedder, .. } = &self.enrichment;
        let now = clock.now();
        let lease = if embedder.is_remote() { REMOTE_LEASE } else { LEASE };
        let claim = Claim { now, leased_until: now.after(lease), limit: BATCH_JOBS, text_bytes: BATCH_TEXT_BYTES };
        let jobs = store.claim(account, claim).await?;
        let claimed = jobs.len();
        let outcome = work_off(&self.enrichment, &self.computer, account, jobs, stopping).await?;
        Ok((outcome != Outcome::Unavailable).then_some(claimed))
    }
}

//! The background path: takes jobs from the queue, derives what follows from texts, and stores it.
//!
//! - Nothing here changes what a person or an agent stored; all it adds can be made again.
//! - Whatever happens to a worker, a job is done once or given up visibly; a text that makes a step fail or panic harms no
//!   other.
//! - Computing happens on threads of its own, at a lower priority than requests.

mod backoff;
mod batch;
mod computer;
mod links;
mod meaning;
mod workers;

use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub use workers::Workers;

use model::{Clock, Time};
use store::{Claim, Store, StoreError};

use self::computer::Computer;
use crate::embed::{EmbedError, Embedder};

/// How many jobs are claimed at once: few enough to be done in a moment, many enough to share a commit.
const BATCH_JOBS: usize = 16;

/// How much text is claimed at once: about a second of work.
const BATCH_TEXT_BYTES: usize = 32_768;

/// How long a claimed job is nobody else's. Ten times what a batch takes, and no longer than whoever takes over after a crash
/// can wait.
const LEASE: Duration = Duration::from_secs(15);

/// The same where the model is behind a network: longer than its calls may take.
const REMOTE_LEASE: Duration = Duration::from_secs(120);

/// What is needed to derive what follows from texts.
#[derive(Clone)]
pub struct Enrichment {
    store: Arc<dyn Store>,
    embedder: Arc<dyn Embedder>,
    clock: Arc<dyn Clock>,
    /// The middle of the model's vectors, once it has been asked.
    centre: Arc<OnceLock<Arc<[f32]>>>,
}

impl Enrichment {
    /// Works on the jobs of a store.
    pub fn new(store: Arc<dyn Store>, embedder: Arc<dyn Embedder>, clock: Arc<dyn Clock>) -> Self {
        Self { store, embedder, clock, centre: Arc::default() }
    }

    /// The middle of the model's vectors.
    fn centre(&self) -> Result<Arc<[f32]>, EmbedError> {
        if let Some(centre) = self.centre.get() {
            return Ok(centre.clone());
        }
        let centre: Arc<[f32]> = self.embedder.centre()?.into();
        Ok(self.centre.get_or_init(|| centre).clone())
    }

    fn now(&self) -> Time {
        self.clock.now()
    }
}

/// One that works on jobs, one batch after the other, computing on a thread of its own.
pub struct Worker {
    enrichment: Enrichment,
    computer: Computer,
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
        Ok(Self { enrichment, computer: Computer::start()? })
    }

    /// Works on one batch of every account that has jobs that are due; ends early once `stopping` says so.
    pub async fn round(&self, stopping: &(dyn Fn() -> bool + Sync)) -> Result<Round, StoreError> {
        let Enrichment { store, clock, embedder, .. } = &self.enrichment;
        let mut worked = 0;
        for account in store.accounts_with_work(clock.now()).await? {
            if stopping() {
                break;
            }
            let now = clock.now();
            let lease = if embedder.is_remote() { REMOTE_LEASE } else { LEASE };
            let leased_until = now.after(lease);
            let claim = Claim { now, leased_until, limit: BATCH_JOBS, text_bytes: BATCH_TEXT_BYTES };
            let jobs = store.claim(account, claim).await?;
            let claimed = jobs.len();
            if batch::work_off(self, account, jobs, stopping).await? == batch::Outcome::Unavailable {
                return Ok(Round::Unavailable);
            }
            worked += claimed;
        }
        Ok(if worked == 0 { Round::Idle } else { Round::Worked(worked) })
    }
}

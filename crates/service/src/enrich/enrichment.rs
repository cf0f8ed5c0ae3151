//! What every part of the background path works with.

use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use tokio::sync::Mutex;

use encoder::{Judge, Matter};
use model::{AccountId, Clock, Time};
use store::{Store, StoreError};

use crate::embed::{EmbedError, Embedder};

/// What is needed to derive what follows from texts.
#[derive(Clone)]
pub struct Enrichment {
    pub(super) store: Arc<dyn Store>,
    pub(super) embedder: Arc<dyn Embedder>,
    pub(super) clock: Arc<dyn Clock>,
    /// Tells whether a later text says what has become of what an earlier one says.
    pub(super) replacing: Arc<LazyLock<Judge>>,
    /// The middle of the model's vectors, once it has been asked.
    centre: Arc<OnceLock<Arc<[f32]>>>,
    /// When all accounts were last looked at.
    looked_at_all: Arc<Mutex<Option<Time>>>,
}

/// How often all accounts are looked at for what other processes have queued: whoever has many accounts at rest pays for this
/// look alone.
const LOOK_AT_ALL_EVERY: Duration = Duration::from_secs(15);

impl Enrichment {
    /// Works on the jobs of a store.
    pub fn new(store: Arc<dyn Store>, embedder: Arc<dyn Embedder>, clock: Arc<dyn Clock>) -> Self {
        let replacing = Arc::new(LazyLock::new((|| Judge::of(Matter::Replaces)) as fn() -> Judge));
        Self { store, embedder, clock, replacing, centre: Arc::default(), looked_at_all: Arc::default() }
    }

    /// The accounts to work on: those known to have jobs that are due, and every so often, for all workers together, whichever
    /// have some.
    pub(super) async fn accounts_with_work(&self) -> Result<Vec<AccountId>, StoreError> {
        let now = self.clock.now();
        // Whoever finds another one looking need not wait for that.
        if let Ok(mut looked) = self.looked_at_all.try_lock() {
            // Also after a clock was set back.
            let is_recent = looked.is_some_and(|at| (at..at.after(LOOK_AT_ALL_EVERY)).contains(&now));
            if !is_recent {
                let all = self.store.accounts_with_work(now).await?;
                *looked = Some(now);
                return Ok(all);
            }
        }
        self.store.accounts_known_to_have_work(now).await
    }

    /// The middle of the model's vectors.
    pub(super) fn centre(&self) -> Result<Arc<[f32]>, EmbedError> {
        if let Some(centre) = self.centre.get() {
            return Ok(centre.clone());
        }
        let centre: Arc<[f32]> = self.embedder.centre()?.into();
        Ok(self.centre.get_or_init(|| centre).clone())
    }

    pub(super) fn now(&self) -> Time {
        self.clock.now()
    }
}

//! What is held in memory of one account.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use model::Time;

use crate::backend::LogEnd;
use crate::error::StoreError;
use crate::follow::Followed;
use crate::meaning::{Set, VectorSource};
use crate::models::Model;
use crate::source::Source;
use crate::words::Index;

/// An account somebody has asked for.
pub(super) struct Loaded {
    pub(super) source: Source,
    /// Read when the first search by words needs it.
    words: Followed<Index>,
    /// The vectors by the number of their model, read when the first search by meaning needs them.
    meaning: Mutex<FxHashMap<i64, Arc<Followed<Set>>>>,
    last_asked_for: AtomicI64,
}

impl Loaded {
    pub(super) fn new(source: Source) -> Self {
        let words = Followed::new(&source);
        Self { source, words, meaning: Mutex::default(), last_asked_for: AtomicI64::default() }
    }

    pub(super) fn note_use(&self, now: Time) {
        self.last_asked_for.store(now.as_micros(), Ordering::Relaxed);
    }

    pub(super) fn is_used_since(&self, micros: i64) -> bool {
        self.last_asked_for.load(Ordering::Relaxed) > micros
    }

    pub(super) fn last_asked_for(&self) -> i64 {
        self.last_asked_for.load(Ordering::Relaxed)
    }

    /// How much it takes in memory, by estimate.
    pub(super) fn bytes(&self) -> u64 {
        let sets: Vec<Arc<Followed<Set>>> = self.meaning.lock().values().cloned().collect();
        self.words.now().bytes() + sets.iter().map(|set| set.now().bytes()).sum::<u64>()
    }

    /// Where the log of the account ends.
    pub(super) async fn end(&self) -> Result<LogEnd, StoreError> {
        self.source.last().await
    }

    /// Calls `use_index` with an index over words that has seen everything up to `end`.
    pub(super) async fn with_words<T: Send + 'static>(
        &self,
        end: LogEnd,
        use_index: impl FnOnce(&Index) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        self.words.at(&self.source, end, use_index).await
    }

    /// The index over words as far as it has been read, if anybody has asked for it.
    pub(super) fn words_in_use(&self) -> Option<&Followed<Index>> {
        Some(&self.words).filter(|words| words.now().seen().next > 0)
    }

    /// Calls `use_set` with the vectors of the model as of everything up to `end`.
    pub(super) async fn with_vectors<T: Send + 'static>(
        &self,
        model: Model,
        end: LogEnd,
        use_set: impl FnOnce(&Set) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let source = VectorSource { source: self.source.clone(), model };
        let set = {
            let mut sets = self.meaning.lock();
            sets.entry(source.model.number).or_insert_with(|| Arc::new(Followed::new(&source))).clone()
        };
        set.at(&source, end, use_set).await
    }

    /// Lets go of the vectors of a model.
    pub(super) fn forget_vectors(&self, model: i64) {
        self.meaning.lock().remove(&model);
    }
}

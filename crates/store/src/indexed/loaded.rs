//! What is held in memory of one account.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use model::{Thought, ThoughtId, Time};

use crate::backend::{FormedThought, LogEnd, Row};
use crate::error::StoreError;
use crate::follow::Followed;
use crate::meaning::{Set, VectorSource};
use crate::models::Model;
use crate::source::Source;
use crate::words::Index;

/// How many rows are remembered.
const ROWS_MAX: usize = 4_096;

/// An account somebody has asked for.
pub(super) struct Loaded {
    pub(super) source: Source,
    /// Read when the first search by words needs it.
    words: Followed<Index>,
    /// The vectors by the number of their model, read when the first search by meaning needs them.
    meaning: Mutex<FxHashMap<i64, Arc<Followed<Set>>>>,
    /// The rows of thoughts that were read lately: one search asks for the same ones again and again.
    rows: Mutex<FxHashMap<ThoughtId, Row>>,
    last_asked_for: AtomicI64,
}

impl Loaded {
    pub(super) fn new(source: Source) -> Self {
        let words = Followed::new(&source);
        Self { source, words, meaning: Mutex::default(), rows: Mutex::default(), last_asked_for: AtomicI64::default() }
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

    /// What a query is to see at least.
    pub(super) async fn as_of(&self, known: Option<LogEnd>) -> Result<LogEnd, StoreError> {
        match known {
            Some(end) => Ok(end),
            None => self.end().await,
        }
    }

    /// Where the log of the account ends.
    pub(super) async fn end(&self) -> Result<LogEnd, StoreError> {
        self.source.last().await
    }

    /// The thoughts of these rows that exist, in no particular order.
    pub(super) async fn read(&self, rows: &[Row]) -> Result<FxHashMap<Row, Thought>, StoreError> {
        let read = self.source.backend.read(self.source.account, rows).await?;
        self.remember(read.iter().map(|(row, thought)| (thought.id, *row)));
        Ok(read.into_iter().collect())
    }

    /// The same of stretches of rows, in their order and with their lexical forms.
    pub(super) async fn read_formed(&self, stretches: &[(Row, Row)]) -> Result<Vec<FormedThought>, StoreError> {
        let read = self.source.backend.read_formed(self.source.account, stretches).await?;
        self.remember(read.iter().map(|read| (read.thought.id, read.row)));
        Ok(read)
    }

    /// The rows of these thoughts that exist, in no particular order. A thought has its row for good.
    pub(super) async fn rows_of(&self, ids: &[ThoughtId]) -> Result<Vec<(ThoughtId, Row)>, StoreError> {
        let (mut found, mut unknown) = (Vec::with_capacity(ids.len()), Vec::new());
        {
            let known = self.rows.lock();
            for id in ids {
                match known.get(id) {
                    Some(row) => found.push((*id, *row)),
                    None => unknown.push(*id),
                }
            }
        }
        let read = self.source.backend.rows_of(self.source.account, &unknown).await?;
        self.remember(read.iter().copied());
        found.extend(read);
        Ok(found)
    }

    fn remember(&self, rows: impl Iterator<Item = (ThoughtId, Row)>) {
        let mut known = self.rows.lock();
        if known.len() > ROWS_MAX {
            known.clear();
        }
        known.extend(rows);
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
        let source = VectorSource { source: self.source.clone(), model, words: self.words.clone() };
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

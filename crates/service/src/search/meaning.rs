//! Compares a query by meaning, for as long as a caller can wait.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tracing::warn;

use encoder::Matter;
use model::{AccountId, Thought, ThoughtId};
use store::backend::LogEnd;
use store::{Closeness, SemanticHits, SemanticQuery, Store, StoreError};
use vectors::{WeightedToken, likeness};

use super::request::Search;
use crate::embed::{BuiltIn, EmbedError, Embedded, Embedder};

/// How long a search waits for the meaning of its query; after that it goes on without.
const WAIT_MAX: Duration = Duration::from_secs(1);

/// How long a model that could not be reached is left alone.
const REST: Duration = Duration::from_secs(5);

/// How many queries are turned into vectors at once; more would only take longer each.
const AT_ONCE: usize = 4;

/// How much of a query the tokens of a text that has nothing to do with it typically hold.
const LIKENESS_TYPICAL: f64 = 0.2;

/// What tokens say of how close a text is, beside the whole: short texts gain by up to 0.7, long ones lose from there on.
const TOKENS_WEIGHT: f64 = 0.5;

/// Turns queries into vectors of the model that serves an account.
#[derive(Clone)]
pub struct QueryEmbedder(Arc<Inner>);

struct Inner {
    embedder: Arc<dyn Embedder>,
    /// Answers for accounts whose vectors it made, whatever makes new ones.
    built_in: Arc<BuiltIn>,
    permits: Arc<Semaphore>,
    unreachable_since: Mutex<Option<Instant>>,
}

impl QueryEmbedder {
    /// Uses `embedder`, and the built-in model where the vectors are still of that one.
    pub fn new(embedder: Arc<dyn Embedder>, built_in: Arc<BuiltIn>) -> Self {
        let permits = Arc::new(Semaphore::new(AT_ONCE));
        Self(Arc::new(Inner { embedder, built_in, permits, unreachable_since: Mutex::default() }))
    }

    /// Leaves a model that takes too long alone for a while, so that not every search waits for it.
    fn rest(&self) {
        *self.0.unreachable_since.lock() = Some(Instant::now());
    }

    /// The meaning of a text, where the vectors of the model `serving` answer.
    async fn meaning(&self, serving: &str, text: &str) -> Option<Meaning> {
        for model in self.models_for(serving) {
            let name = model.model_id().to_owned();
            if let Some(Embedded { vector, tokens }) = self.embed(model, text).await {
                return Some(Meaning { model: name, vector, tokens });
            }
        }
        None
    }

    /// How surely each of the texts answers a question, as logarithms of odds, up to the first that are `enough`; `None` if that takes
    /// too long. All are read at the same time, as far as not too many others read.
    pub(super) async fn judge(&self, question: &str, texts: Vec<String>, enough: f32) -> Option<Vec<f32>> {
        let question: Arc<str> = question.into();
        let read = |text| tokio::spawn(self.clone().odds(Matter::Answers, question.clone(), text));
        let mut readings: Vec<JoinHandle<Option<f32>>> = texts.into_iter().map(read).collect();
        let judging = async {
            let mut odds = Vec::new();
            for reading in &mut readings {
                odds.push(reading.await.ok()??);
                if odds.last().is_some_and(|last| *last >= enough) {
                    break;
                }
            }
            Some(odds)
        };
        let odds = tokio::time::timeout(WAIT_MAX, judging).await;
        // Whatever still waits for its turn is not needed.
        readings.iter().for_each(JoinHandle::abort);
        odds.ok()?
    }

    /// How surely a later text says what has become of what an earlier one says, as the logarithm of the odds; `None` if that takes too long.
    pub(super) async fn judge_change(&self, earlier: &str, later: String) -> Option<f32> {
        tokio::time::timeout(WAIT_MAX, self.clone().odds(Matter::Replaces, earlier.into(), later)).await.ok()?
    }

    async fn odds(self, matter: Matter, first: Arc<str>, second: String) -> Option<f32> {
        let permit = self.0.permits.clone().acquire_owned().await.ok()?;
        let reading = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            self.0.built_in.judge(matter).odds(&first, &second)
        });
        // What it panicked with may quote a text, which no log may hold.
        reading.await.inspect_err(|_| warn!("a hit could not be read")).ok()
    }

    /// The models to ask for vectors to compare with, in turn: the one that serves, then the one whose vectors are being made,
    /// for an endpoint that does not have the former any more.
    fn models_for(&self, serving: &str) -> Vec<Arc<dyn Embedder>> {
        let Inner { embedder, built_in, .. } = &*self.0;
        if embedder.model_id() == serving {
            return vec![embedder.clone()];
        }
        if built_in.model_id() == serving {
            return vec![built_in.clone()];
        }
        embedder.sibling(serving).into_iter().chain([embedder.clone()]).collect()
    }

    /// The vector of a query; `None` if the model is out of reach.
    async fn embed(&self, model: Arc<dyn Embedder>, text: &str) -> Option<Embedded> {
        let Inner { permits, unreachable_since, embedder, .. } = &*self.0;
        let is_current = model.model_id() == embedder.model_id();
        let is_resting = unreachable_since.lock().is_some_and(|since| since.elapsed() < REST);
        if is_resting && model.is_remote() {
            return None;
        }
        let permit = permits.clone().acquire_owned().await.ok()?;
        let text = text.to_owned();
        let embedded = tokio::task::spawn_blocking(move || {
            // Held until the work is done, also when nobody waits for it any more.
            let _permit = permit;
            model.read(&[&text])
        });
        match embedded.await {
            Ok(Ok(read)) => read.into_iter().next(),
            Ok(Err(EmbedError::Refused(_))) => None,
            // An endpoint that has dropped its old model may well have the new one.
            Ok(Err(EmbedError::Unavailable(_))) if !is_current => None,
            Ok(Err(error @ EmbedError::Unavailable(_))) => {
                self.rest();
                warn!(%error, "searches go on without comparing meanings");
                None
            }
            Err(_) => {
                warn!("a query could not be compared by meaning");
                None
            }
        }
    }
}

/// A query as a vector of a model.
#[derive(Debug, Clone)]
pub(super) struct Meaning {
    model: String,
    vector: Vec<f32>,
    tokens: Vec<WeightedToken>,
}

/// The meaning of the query, as the account's vectors can be compared with it; `None` if it cannot be had in time.
pub(super) async fn of_query(
    store: &dyn Store,
    embedder: &QueryEmbedder,
    account: AccountId,
    text: &str,
) -> Result<Option<Meaning>, StoreError> {
    // A store that takes long says nothing of the model.
    let Ok(serving) = tokio::time::timeout(WAIT_MAX, store.serving_model(account)).await else { return Ok(None) };
    let Some(serving) = serving? else { return Ok(None) };
    let meaning = tokio::time::timeout(WAIT_MAX, embedder.meaning(&serving, text)).await;
    Ok(meaning.unwrap_or_else(|_| {
        embedder.rest();
        None
    }))
}

/// What comparing by meaning brought.
#[derive(Debug, Clone, Default)]
pub(super) struct Compared {
    /// The thoughts that are closest.
    pub(super) closest: Vec<Thought>,
    /// How close each thought is that was compared, from 0 for one that has nothing to do with the query to 1 for the same text.
    pub(super) closeness: BTreeMap<ThoughtId, f64>,
    /// What each token of the query says of it; none if the model does not tell them.
    pub(super) weights: Vec<f64>,
    /// How much of each token each of those thoughts holds that has tokens.
    pub(super) held: BTreeMap<ThoughtId, Vec<f32>>,
}

/// The thoughts closest in meaning, and how close they and those in `also` are; `None` if that takes too long, as it may
/// where an account's vectors have to be read first.
pub(super) async fn compare(
    store: &dyn Store,
    account: AccountId,
    search: &Search<'_>,
    as_of: LogEnd,
    meaning: &Meaning,
    also: Vec<ThoughtId>,
    limit: usize,
) -> Result<Option<Compared>, StoreError> {
    let Meaning { model, vector, tokens } = meaning.clone();
    let (visible, among, as_of) = (search.visible, search.among().cloned(), Some(as_of));
    let query = SemanticQuery { model, vector, tokens, visible, among, limit, also, as_of };
    match tokio::time::timeout(WAIT_MAX, store.search_semantic(account, query)).await {
        Ok(found) => Ok(Some(compared(&meaning.tokens, found?))),
        Err(_) => Ok(None),
    }
}

/// Turns cosines and likenesses, which sit in narrow bands, into how far each is on the way from an unrelated text to the same text,
/// and takes both together. A thought without tokens is as close as it is as a whole.
fn compared(tokens: &[WeightedToken], found: SemanticHits) -> Compared {
    let far =
        |value: f32, typical: f64| ((f64::from(value) - typical) / (1.0 - typical).max(f64::EPSILON)).clamp(0.0, 1.0);
    let typical_cosine = f64::from(found.typical_cosine);
    let closeness = |close: &Closeness| {
        let whole = far(close.cosine, typical_cosine);
        let by_tokens = close.held.as_ref().map_or(whole, |held| far(likeness(tokens, held), LIKENESS_TYPICAL));
        (1.0 - TOKENS_WEIGHT) * whole + TOKENS_WEIGHT * by_tokens
    };
    let hits = found.hits.iter().map(|hit| (hit.thought.id, &hit.closeness));
    let all: Vec<(ThoughtId, &Closeness)> = hits.chain(found.also.iter().map(|(id, close)| (*id, close))).collect();
    Compared {
        closeness: all.iter().map(|(id, close)| (*id, closeness(close))).collect(),
        weights: tokens.iter().map(|token| f64::from(token.weight)).collect(),
        held: all.iter().filter_map(|(id, close)| Some((*id, close.held.clone()?))).collect(),
        closest: found.hits.into_iter().map(|hit| hit.thought).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::BUILT_IN_MODEL;

    /// An endpoint with models by name, of which it has kept one.
    struct Endpoint {
        model: &'static str,
        kept: &'static str,
    }

    impl Embedder for Endpoint {
        fn model_id(&self) -> &str {
            self.model
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            match self.model == self.kept {
                true => Ok(texts.iter().map(|_| vec![1.0]).collect()),
                false => Err(EmbedError::Unavailable("it answered 404".to_owned())),
            }
        }

        fn texts_at_once(&self) -> usize {
            1
        }

        fn sibling(&self, _: &str) -> Option<Arc<dyn Embedder>> {
            Some(Arc::new(Self { model: "old", kept: self.kept }))
        }

        fn is_remote(&self) -> bool {
            true
        }
    }

    async fn model_asked(serving: &str, kept: &'static str) -> Option<String> {
        let endpoint = Arc::new(Endpoint { model: "new", kept });
        let embedder = QueryEmbedder::new(endpoint, Arc::default());
        // Twice, as the first failure might keep the second one from being tried.
        embedder.meaning(serving, "tea").await;
        embedder.meaning(serving, "tea").await.map(|meaning| meaning.model)
    }

    #[tokio::test]
    async fn the_serving_model_is_asked_while_the_endpoint_has_it() {
        assert_eq!(model_asked("old", "old").await.as_deref(), Some("old"));
        assert_eq!(model_asked("new", "new").await.as_deref(), Some("new"));
    }

    #[tokio::test]
    async fn the_new_model_is_asked_where_the_old_one_is_gone() {
        assert_eq!(model_asked("old", "new").await.as_deref(), Some("new"));
    }

    #[tokio::test]
    async fn the_built_in_model_answers_for_its_own_vectors() {
        assert_eq!(model_asked(BUILT_IN_MODEL, "new").await.as_deref(), Some(BUILT_IN_MODEL));
    }
}

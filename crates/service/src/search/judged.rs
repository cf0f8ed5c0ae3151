//! Reads the query beside the best hits: what is about the same thing does not always answer it.

use std::collections::BTreeMap;

use model::ThoughtId;

use super::fuse::Ranked;
use super::meaning::QueryEmbedder;

/// How many of the best are read at most, which takes some milliseconds each, and from which odds on the next is not read any more.
const READ: usize = 2;
const ENOUGH: f32 = 1.0;

/// Longer texts are not read: only their beginning could be.
const READ_BYTES_MAX: usize = 500;

/// What the surest answer gains before one that surely is none.
const WEIGHT: f64 = 0.15;

/// Logarithms of odds beyond this are all alike.
const SURE: f64 = 4.0;

/// How surely thoughts answer the query, as logarithms of odds.
#[derive(Debug, Clone, Default)]
pub(super) struct Judged(BTreeMap<ThoughtId, f64>);

impl Judged {
    /// Reads the best of `ranked`; none if that takes too long, or the query is in a language the model has not learned.
    pub(super) async fn of(embedder: &QueryEmbedder, query: &str, ranked: &[Ranked<'_>]) -> Self {
        if !text::may_be_in_english(query) {
            return Self::default();
        }
        // What an attached note says is not in the text.
        let is_readable =
            |hit: &&Ranked<'_>| hit.notes.is_empty() && hit.thought.raw_text.as_str().len() <= READ_BYTES_MAX;
        let best: Vec<_> = ranked.iter().take(READ).filter(is_readable).map(|hit| hit.thought).collect();
        let texts = best.iter().map(|thought| thought.raw_text.as_str().to_owned()).collect();
        let odds = embedder.judge(query, texts, ENOUGH).await.unwrap_or_default();
        Self(best.iter().map(|thought| thought.id).zip(odds.into_iter().map(f64::from)).collect())
    }

    /// What speaks for a thought by what it says: nothing for the least of those that were read, and for all others.
    pub(super) fn fit(&self, id: ThoughtId) -> f64 {
        let share = |odds: f64| odds.clamp(-SURE, SURE) / (2.0 * SURE);
        let least = self.0.values().copied().fold(f64::MAX, f64::min);
        self.0.get(&id).map_or(0.0, |odds| WEIGHT * (share(*odds) - share(least)))
    }

    /// How surely any of the best answers; `None` unless the very best was read.
    pub(super) fn highest(&self, best: ThoughtId) -> Option<f64> {
        self.0.contains_key(&best).then(|| self.0.values().copied().fold(f64::MIN, f64::max))
    }

    #[cfg(test)]
    pub(super) fn with(odds: impl IntoIterator<Item = (ThoughtId, f64)>) -> Self {
        Self(odds.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fuse::tests::thought;

    #[test]
    fn what_answers_gains_on_what_does_not_and_on_what_was_not_read() {
        let [answer, miss, other] = [1, 2, 3].map(|number| thought(number).id);
        let judged = Judged::with([(answer, 6.0), (miss, -6.0)]);
        assert!((judged.fit(answer) - WEIGHT).abs() < 1e-9);
        assert_eq!((judged.fit(miss), judged.fit(other)), (0.0, 0.0));
        assert_eq!((judged.highest(miss), judged.highest(other)), (Some(6.0), None));
    }

    #[test]
    fn where_nothing_was_read_nothing_changes() {
        let id = thought(1).id;
        assert_eq!((Judged::default().fit(id), Judged::default().highest(id)), (0.0, None));
    }
}

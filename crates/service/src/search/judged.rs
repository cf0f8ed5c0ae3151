//! Reads the query beside the best hits: what is about the same thing does not always answer it.

use std::collections::BTreeMap;

use model::{Thought, ThoughtId};

use super::alike::may_be_state;
use super::meaning::QueryEmbedder;
use super::replaced::time;

/// How many of the best are read at most, which takes some milliseconds each.
const READ: usize = 2;

/// What is at least so sure answers: the next counts for nothing, unless it was said later.
const ANSWERS: f64 = 1.0;

/// How much less sure a later answer may be than an earlier one, and how much of what speaks for that one speaks for it at least.
const LESS_SURE: f64 = 3.0;
const AS_GOOD: f64 = 0.7;

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
    /// Reads the best of some that are ranked; none if that takes too long, or the query is in a language the model has not learned.
    pub(super) async fn of(embedder: &QueryEmbedder, query: &str, ranked: Vec<&Thought>) -> Self {
        if !text::may_be_in_english(query) {
            return Self::default();
        }
        let is_short = |thought: &&Thought| thought.raw_text.as_str().len() <= READ_BYTES_MAX;
        let best: Vec<&Thought> = ranked.into_iter().take(READ).filter(is_short).collect();
        let texts = best.iter().map(|thought| thought.raw_text.as_str().to_owned()).collect();
        let is_next_later = best.is_sorted_by_key(|thought| time(thought));
        let enough = if is_next_later { f32::INFINITY } else { ANSWERS as f32 };
        let odds = embedder.judge(query, texts, enough).await.unwrap_or_default();
        Self(best.iter().map(|thought| thought.id).zip(odds.into_iter().map(f64::from)).collect())
    }

    /// What speaks for a thought by what it says: nothing for the least of those that were read, and for all others.
    pub(super) fn fit(&self, id: ThoughtId) -> f64 {
        let share = |odds: f64| odds.clamp(-SURE, SURE) / (2.0 * SURE);
        let least = self.0.values().copied().fold(f64::MAX, f64::min);
        self.0.get(&id).map_or(0.0, |odds| WEIGHT * (share(*odds) - share(least)))
    }

    /// Lets the later of two that answer come first: what was said later stands.
    pub(super) fn settle<'a>(
        &self,
        sums: &mut BTreeMap<ThoughtId, f64>,
        found: impl Fn(&ThoughtId) -> Option<&'a Thought>,
    ) {
        let answers = self.0.iter().filter(|(_, odds)| **odds >= ANSWERS);
        let mut answers: Vec<(&Thought, f64)> = answers.filter_map(|(id, odds)| Some((found(id)?, *odds))).collect();
        answers.retain(|(thought, _)| may_be_state(thought));
        answers.sort_by_key(|(thought, _)| time(thought));
        for pair in answers.windows(2) {
            let [(earlier, earlier_odds), (later, later_odds)] = [pair[0], pair[1]];
            let (before, after) = (sums[&earlier.id], sums[&later.id]);
            if (AS_GOOD * before..before).contains(&after) && later_odds >= earlier_odds - LESS_SURE {
                sums.insert(later.id, before);
                sums.insert(earlier.id, after);
            }
        }
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
    use model::Time;

    use super::*;
    use crate::search::fuse::tests::{saying, thought};

    #[test]
    fn what_answers_gains_on_what_does_not_and_on_what_was_not_read() {
        let [answer, miss, other] = [1, 2, 3].map(|number| thought(number).id);
        let judged = Judged::with([(answer, 6.0), (miss, -6.0)]);
        assert!((judged.fit(answer) - WEIGHT).abs() < 1e-9);
        assert_eq!((judged.fit(miss), judged.fit(other)), (0.0, 0.0));
        assert_eq!((judged.highest(miss), judged.highest(other)), (Some(6.0), None));
    }

    #[test]
    fn the_later_of_two_answers_comes_first() {
        let settled = |texts: [&str; 2], odds: [f64; 2]| {
            let mut thoughts = [saying(1, texts[0]), saying(2, texts[1])];
            thoughts[1].captured_at = Time::from_micros(1);
            let ids = [thoughts[0].id, thoughts[1].id];
            let mut sums: BTreeMap<_, _> = ids.into_iter().zip([0.9, 0.8]).collect();
            Judged::with(ids.into_iter().zip(odds))
                .settle(&mut sums, |id| thoughts.iter().find(|thought| thought.id == *id));
            ids.map(|id| sums[&id])
        };
        let doctors = ["Their doctor is Dr Wieser", "Dr Ortner sees them now"];
        assert_eq!(settled(doctors, [3.0, 2.5]), [0.8, 0.9]);
        assert_eq!(settled(doctors, [3.0, 0.5]), [0.9, 0.8], "the later one is no answer");
        assert_eq!(settled(doctors, [5.0, 1.5]), [0.9, 0.8], "the later one answers less surely");
        assert_eq!(settled(["Ana: Wieser is good", "Rui: Ortner too"], [3.0, 3.0]), [0.9, 0.8], "turns are no states");
    }

    #[test]
    fn where_nothing_was_read_nothing_changes() {
        let id = thought(1).id;
        assert_eq!((Judged::default().fit(id), Judged::default().highest(id)), (0.0, None));
    }
}

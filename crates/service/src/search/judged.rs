//! Reads the query beside the best hits: what is about the same thing does not always answer it. And reads those beside each other: of two that
//! answer, one often says what has become of the other.

use std::collections::BTreeMap;

use model::{Thought, ThoughtId};

use super::alike::may_be_state;
use super::meaning::QueryEmbedder;
use super::replaced::time;

/// How many of the best are read, which takes some milliseconds each.
const READ: usize = 2;

/// What is at least so sure answers: the next counts for nothing, unless it was said later.
const ANSWERS: f64 = 1.0;

/// Longer texts are not read: only their beginning could be.
const READ_BYTES_MAX: usize = 500;

/// What the surest answer gains before one that surely is none.
const WEIGHT: f64 = 0.15;

/// Logarithms of odds beyond this are all alike.
const SURE: f64 = 4.0;

/// The later of two best hits comes first where its share of what speaks for the earlier, so much of it, and the odds that it answers and that it says what
/// has become of the earlier come to enough: a regression over the 816 questions of eight people's memories.
const SHARE_WEIGHT: f64 = 16.0;
const ENOUGH: f64 = 9.0;

/// That it answers counts up to these odds: the wording of an earlier state is mostly the plainer one.
const PLAINLY: f64 = 3.0;

/// What was read of the best hits.
#[derive(Debug, Clone, Default)]
pub(super) struct Judged {
    /// How surely they answer the query, as logarithms of odds.
    answers: BTreeMap<ThoughtId, f64>,
    /// Where the second of two was captured later.
    change: Option<Change>,
}

/// How surely a later thought says what has become of what an earlier one says, as the logarithm of the odds.
#[derive(Debug, Clone, Copy)]
struct Change {
    earlier: ThoughtId,
    later: ThoughtId,
    odds: f64,
}

impl Judged {
    /// Reads the best of some that are ranked; none if that takes too long, or the query is in a language the model has not learned.
    pub(super) async fn of(embedder: &QueryEmbedder, query: &str, ranked: Vec<&Thought>) -> Self {
        if !text::may_be_in_english(query) {
            return Self::default();
        }
        let is_short = |thought: &&Thought| thought.raw_text.as_str().len() <= READ_BYTES_MAX;
        let best: Vec<&Thought> = ranked.into_iter().take(READ).filter(is_short).collect();
        let texts = best.iter().map(|thought| thought.raw_text.as_str().to_owned()).collect();
        let enough = if is_in_order(&best) { f32::INFINITY } else { ANSWERS as f32 };
        let change = async {
            let [earlier, later] = states(&best)?;
            let (before, after) = (earlier.raw_text.as_str(), later.raw_text.as_str().to_owned());
            let odds = embedder.judge_change(before, after).await?;
            Some(Change { earlier: earlier.id, later: later.id, odds: odds.into() })
        };
        let (odds, change) = tokio::join!(embedder.judge(query, texts, enough), change);
        let odds = odds.unwrap_or_default().into_iter().map(f64::from);
        Self { answers: best.iter().map(|thought| thought.id).zip(odds).collect(), change }
    }

    /// What speaks for a thought by what it says: nothing for the least of those that were read, and for all others.
    pub(super) fn fit(&self, id: ThoughtId) -> f64 {
        let share = |odds: f64| odds.clamp(-SURE, SURE) / (2.0 * SURE);
        let least = self.answers.values().copied().fold(f64::MAX, f64::min);
        self.answers.get(&id).map_or(0.0, |odds| WEIGHT * (share(*odds) - share(least)))
    }

    /// Lets the later of the two that were read come first, where it says what has become of the earlier: what was said later stands.
    pub(super) fn settle(&self, sums: &mut BTreeMap<ThoughtId, f64>) {
        let Some(Change { earlier, later, odds }) = self.change else { return };
        let (Some(&before), Some(&after), Some(answers)) =
            (sums.get(&earlier), sums.get(&later), self.answers.get(&later))
        else {
            return;
        };
        if after < before && SHARE_WEIGHT * after / before + odds + answers.min(PLAINLY) >= ENOUGH {
            sums.insert(later, before);
            sums.insert(earlier, after);
        }
    }

    /// How surely any of the best answers; `None` unless the very best was read.
    pub(super) fn highest(&self, best: ThoughtId) -> Option<f64> {
        self.answers.contains_key(&best).then(|| self.answers.values().copied().fold(f64::MIN, f64::max))
    }

    #[cfg(test)]
    pub(super) fn with(odds: impl IntoIterator<Item = (ThoughtId, f64)>) -> Self {
        Self { answers: odds.into_iter().collect(), change: None }
    }
}

/// Whether what comes next was captured later.
fn is_in_order(best: &[&Thought]) -> bool {
    best.is_sorted_by_key(|thought| time(thought))
}

/// Two thoughts of which the second may say what has become of the first, in the language the model has learned.
fn states<'a>(best: &[&'a Thought]) -> Option<[&'a Thought; READ]> {
    let may_be = |thought: &&Thought| may_be_state(thought) && text::may_be_in_english(thought.raw_text.as_str());
    let pair = <[&Thought; READ]>::try_from(best).ok()?;
    (is_in_order(best) && pair.iter().all(may_be)).then_some(pair)
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
    fn the_later_of_two_comes_first_where_it_says_what_has_become_of_the_earlier() {
        let settled = |answers: f64, odds: f64, share: f64| {
            let [earlier, later] = [1, 2].map(|number| thought(number).id);
            let mut sums: BTreeMap<_, _> = [(earlier, 0.8), (later, 0.8 * share)].into();
            let change = Some(Change { earlier, later, odds });
            Judged { change, ..Judged::with([(earlier, 3.0), (later, answers)]) }.settle(&mut sums);
            sums[&later] > sums[&earlier]
        };
        assert!(settled(2.5, 3.0, 0.8));
        assert!(settled(-1.0, 3.0, 0.8), "other words for it read a little worse");
        assert!(!settled(-6.0, 1.0, 0.8), "the later one is no answer");
        assert!(!settled(2.5, -9.0, 0.8), "it is another thing");
        assert!(!settled(2.5, 3.0, 0.2), "hardly anything speaks for it");
    }

    #[test]
    fn only_states_are_read_beside_each_other_the_earlier_first() {
        let are_read = |texts: [&str; 2], times: [i64; 2]| {
            let mut thoughts = [saying(1, texts[0]), saying(2, texts[1])];
            thoughts.iter_mut().zip(times).for_each(|(thought, time)| thought.captured_at = Time::from_micros(time));
            states(&thoughts.each_ref()).is_some()
        };
        let doctors = ["Their doctor is Dr Wieser", "Dr Ortner sees them now"];
        assert!(are_read(doctors, [1, 2]));
        assert!(!are_read(doctors, [2, 1]), "the later one is first as it is");
        assert!(!are_read(["Ana: Wieser is good", "Rui: Ortner too"], [1, 2]), "turns are no states");
        assert!(!are_read(
            [doctors[0], "Jetzt sind sie bei der Frau Doktor Ortner, und das schon seit dem Mai"],
            [1, 2]
        ));
        assert!(states(&[&saying(1, doctors[0])]).is_none());
    }

    #[test]
    fn where_nothing_was_read_nothing_changes() {
        let id = thought(1).id;
        assert_eq!((Judged::default().fit(id), Judged::default().highest(id)), (0.0, None));
    }
}

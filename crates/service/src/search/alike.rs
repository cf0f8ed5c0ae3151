//! Puts the later of two thoughts first that say like things and answer a query about equally well, and the earlier where an earlier
//! state is meant.
//!
//! Such a pair is often a state and what has become of it, told without a word of change, and as often two facts of a kind: a visa here
//! and a visa there. Nothing is said to be replaced, and where the query holds a word that is the earlier one's alone, that one stays.

use std::collections::{BTreeMap, BTreeSet};

use model::{Thought, ThoughtId};
use store::Linked;

use super::meaning::Compared;
use super::replaced::time;

/// How strong a link between such thoughts is at least.
const WEIGHT_MIN: f32 = 0.6;

/// How much of what speaks for the earlier speaks for the later at least.
const AS_GOOD: f64 = 0.75;

/// The other way round, where an earlier state is meant.
const AS_GOOD_BEFORE: f64 = 0.7;

/// How much less the later holds of a word of the query at most, by what it means, and of all of them as they are written.
const LACKING_MAX: f32 = 0.2;
const WORDS_LACKING_MAX: f64 = 0.2;

/// The pairs of thoughts that are alike.
#[derive(Debug, Clone, Default)]
pub(super) struct Alike(BTreeSet<[ThoughtId; 2]>);

impl Alike {
    pub(super) fn of(linked: &[Linked]) -> Self {
        let alike = linked.iter().filter(|linked| !linked.replaces && linked.weight >= WEIGHT_MIN);
        Self(alike.map(|linked| [linked.with.min(linked.thought.id), linked.with.max(linked.thought.id)]).collect())
    }

    /// Lets the later of two change places with the earlier, which is as good by what speaks for it `unread`: reading cannot tell a
    /// state from what has become of it.
    ///
    /// `found` gives a thought and the share of the query's words that it holds.
    pub(super) fn settle<'a>(
        &self,
        sums: &mut BTreeMap<ThoughtId, f64>,
        mut unread: BTreeMap<ThoughtId, f64>,
        found: impl Fn(&ThoughtId) -> Option<(&'a Thought, f64)>,
        compared: &Compared,
    ) {
        let words = |thought: &Thought| found(&thought.id).map_or(0.0, |(_, words)| words);
        for [earlier, later] in self.states(|id| found(id).map(|(thought, _)| thought)) {
            let is_as_good = unread[&later.id] >= AS_GOOD * unread[&earlier.id]
                && words(earlier) - words(later) < WORDS_LACKING_MAX
                && holds_as_much(later.id, earlier.id, compared);
            for sums in [&mut *sums, &mut unread].into_iter().filter(|_| is_as_good) {
                put_first(sums, later.id, earlier.id);
            }
        }
    }

    /// Lets the earlier of two change places with the later, which is not much better: where an earlier state is meant, the later one
    /// often has more of the query's words.
    pub(super) fn settle_before<'a>(
        &self,
        sums: &mut BTreeMap<ThoughtId, f64>,
        found: impl Fn(&ThoughtId) -> Option<&'a Thought>,
    ) {
        for [earlier, later] in self.states(found) {
            if sums[&earlier.id] >= AS_GOOD_BEFORE * sums[&later.id] {
                put_first(sums, earlier.id, later.id);
            }
        }
    }

    /// The pairs of which each may tell how something is, the earlier of a pair first. The earliest pair first: the later of one may be the
    /// earlier of another.
    fn states<'a>(&self, found: impl Fn(&ThoughtId) -> Option<&'a Thought>) -> Vec<[&'a Thought; 2]> {
        let mut pairs: Vec<[&Thought; 2]> =
            self.0.iter().filter_map(|[one, other]| Some([found(one)?, found(other)?])).collect();
        pairs.retain(|pair| pair.iter().all(|thought| may_be_state(thought)));
        pairs.iter_mut().for_each(|pair| pair.sort_by_key(|thought| time(thought)));
        pairs.sort_by_key(|[earlier, later]| (time(later), time(earlier)));
        pairs
    }
}

/// Gives one thought the better of two sums and another the worse.
fn put_first(sums: &mut BTreeMap<ThoughtId, f64>, first: ThoughtId, second: ThoughtId) {
    let (one, other) = (sums[&first], sums[&second]);
    sums.insert(first, one.max(other));
    sums.insert(second, one.min(other));
}

/// Whether a thought may tell how something is: what is said in a conversation does not, and neither do long texts.
pub(super) fn may_be_state(thought: &Thought) -> bool {
    let text = thought.raw_text.as_str();
    text.len() <= STATE_BYTES_MAX && annotate::speaker(text).is_none()
}

/// A longer text is about more than one thing.
const STATE_BYTES_MAX: usize = 500;

/// Whether a thought holds about as much of each word of the query as another.
fn holds_as_much(id: ThoughtId, other: ThoughtId, compared: &Compared) -> bool {
    let (Some(held), Some(by_other)) = (compared.held.get(&id), compared.held.get(&other)) else { return false };
    held.iter().zip(by_other).all(|(held, by_other)| by_other - held < LACKING_MAX)
}

#[cfg(test)]
mod tests {
    use model::Time;

    use super::*;
    use crate::search::fuse::tests::saying;

    /// Two thoughts that are alike, the second captured later.
    fn pair(texts: [&str; 2]) -> (Alike, [Thought; 2]) {
        let mut thoughts = [saying(1, texts[0]), saying(2, texts[1])];
        thoughts[1].captured_at = Time::from_micros(1);
        let linked = Linked { with: thoughts[1].id, thought: thoughts[0].clone(), weight: 0.7, replaces: false };
        (Alike::of(&[linked]), thoughts)
    }

    /// What is left of two sums, where the second thought was captured later and they hold so much of each word, and of words as they are
    /// written.
    fn settled_by(texts: [&str; 2], sums: [f64; 2], held: [[f32; 2]; 2], words: [f64; 2]) -> [f64; 2] {
        let (alike, thoughts) = pair(texts);
        let found = |id: &ThoughtId| {
            thoughts
                .iter()
                .find(|thought| thought.id == *id)
                .map(|thought| (thought, words[usize::from(thought.id == thoughts[1].id)]))
        };
        let ids = [thoughts[0].id, thoughts[1].id];
        let held = ids.into_iter().zip(held.map(Vec::from)).collect();
        let mut by_id: BTreeMap<_, _> = ids.into_iter().zip(sums).collect();
        let compared = Compared { held, ..Compared::default() };
        let unread = by_id.clone();
        alike.settle(&mut by_id, unread, found, &compared);
        ids.map(|id| by_id[&id])
    }

    fn settled(texts: [&str; 2], sums: [f64; 2], held: [[f32; 2]; 2]) -> [f64; 2] {
        settled_by(texts, sums, held, [0.5, 0.5])
    }

    const SWIMMING: [&str; 2] = ["Mia swims on Tuesdays at the old pool", "Mia swims at the lido"];
    const AS_MUCH: [[f32; 2]; 2] = [[0.8, 0.6], [0.8, 0.5]];

    #[test]
    fn the_later_of_two_that_answer_about_equally_well_comes_first() {
        assert_eq!(settled(SWIMMING, [0.9, 0.8], AS_MUCH), [0.8, 0.9]);
        assert_eq!(settled(SWIMMING, [0.8, 0.9], AS_MUCH), [0.8, 0.9]);
    }

    #[test]
    fn the_earlier_comes_first_where_an_earlier_state_is_meant() {
        let settled = |sums: [f64; 2]| {
            let (alike, thoughts) = pair(SWIMMING);
            let ids = thoughts.each_ref().map(|thought| thought.id);
            let mut by_id: BTreeMap<_, _> = ids.into_iter().zip(sums).collect();
            alike.settle_before(&mut by_id, |id| thoughts.iter().find(|thought| thought.id == *id));
            ids.map(|id| by_id[&id])
        };
        assert_eq!(settled([0.7, 0.9]), [0.9, 0.7]);
        assert_eq!(settled([0.9, 0.7]), [0.9, 0.7]);
        assert_eq!(settled([0.5, 0.9]), [0.5, 0.9], "the later one answers much better");
    }

    #[test]
    fn what_answers_much_better_stays_first() {
        assert_eq!(settled(SWIMMING, [0.9, 0.6], AS_MUCH), [0.9, 0.6]);
    }

    #[test]
    fn what_alone_holds_a_word_of_the_query_stays_first() {
        assert_eq!(settled(SWIMMING, [0.9, 0.8], [[0.8, 0.9], [0.8, 0.5]]), [0.9, 0.8]);
        assert_eq!(settled_by(SWIMMING, [0.9, 0.8], AS_MUCH, [1.0, 0.5]), [0.9, 0.8]);
    }

    #[test]
    fn turns_of_a_conversation_keep_their_places() {
        assert_eq!(settled(["Ana: I swim on Tuesdays", "Ana: I swim a lot"], [0.9, 0.8], AS_MUCH), [0.9, 0.8]);
    }
}

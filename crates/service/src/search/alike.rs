//! Puts the later of two thoughts first that say like things and answer a query about equally well.
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
        let mut pairs: Vec<[(&Thought, f64); 2]> =
            self.0.iter().filter_map(|[one, other]| Some([found(one)?, found(other)?])).collect();
        pairs.retain(|pair| pair.iter().all(|(thought, _)| may_be_state(thought)));
        pairs.iter_mut().for_each(|pair| pair.sort_by_key(|(thought, _)| time(thought)));
        // The earliest first: the later of one pair may be the earlier of another.
        pairs.sort_by_key(|[(earlier, _), (later, _)]| (time(later), time(earlier)));
        for [(earlier, earlier_words), (later, later_words)] in pairs {
            let is_as_good = unread[&later.id] >= AS_GOOD * unread[&earlier.id]
                && earlier_words - later_words < WORDS_LACKING_MAX
                && holds_as_much(later.id, earlier.id, compared);
            for sums in [&mut *sums, &mut unread].into_iter().filter(|_| is_as_good) {
                let (before, after) = (sums[&earlier.id], sums[&later.id]);
                sums.insert(later.id, before.max(after));
                sums.insert(earlier.id, before.min(after));
            }
        }
    }
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

    /// What is left of two sums, where the second thought was captured later and they hold so much of each word, and of words as they are
    /// written.
    fn settled_by(texts: [&str; 2], sums: [f64; 2], held: [[f32; 2]; 2], words: [f64; 2]) -> [f64; 2] {
        let mut thoughts = [saying(1, texts[0]), saying(2, texts[1])];
        thoughts[1].captured_at = Time::from_micros(1);
        let found = |id: &ThoughtId| {
            thoughts
                .iter()
                .find(|thought| thought.id == *id)
                .map(|thought| (thought, words[usize::from(thought.id == thoughts[1].id)]))
        };
        let ids = [thoughts[0].id, thoughts[1].id];
        let held = ids.into_iter().zip(held.map(Vec::from)).collect();
        let linked = Linked { with: ids[1], thought: thoughts[0].clone(), weight: 0.7, replaces: false };
        let mut by_id: BTreeMap<_, _> = ids.into_iter().zip(sums).collect();
        let compared = Compared { held, ..Compared::default() };
        let unread = by_id.clone();
        Alike::of(&[linked]).settle(&mut by_id, unread, found, &compared);
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

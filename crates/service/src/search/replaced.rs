//! Which thoughts say what has become of what others say, and what that does to a ranking.

use std::collections::BTreeMap;

use model::{Status, Thought, ThoughtId, Time};
use store::Linked;

/// What the state that is meant has at least of the other, mostly the new of the old: whoever finds the old one asks for the new one.
const INHERITED: f64 = 0.8;

/// What is left of the other state, of what it or the one that is meant has.
const LEFT: f64 = 0.9;

/// The thoughts that are replaced, each by the latest open one of those that may be seen and replace it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Replaced(BTreeMap<ThoughtId, Thought>);

impl Replaced {
    pub(crate) fn of(linked: &[Linked]) -> Self {
        let mut replaced: BTreeMap<ThoughtId, Thought> = BTreeMap::new();
        for Linked { with, thought, .. } in
            linked.iter().filter(|linked| linked.replaces && linked.thought.status == Status::Open)
        {
            let latest = replaced.entry(*with).or_insert_with(|| thought.clone());
            if time(latest) < time(thought) {
                *latest = thought.clone();
            }
        }
        Self(replaced)
    }

    /// Passes over those that replace others and are not wanted.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(&Thought) -> bool) {
        self.0.retain(|_, thought| is_wanted(thought));
    }

    /// Those that replace others.
    pub(super) fn replacing(&self) -> impl Iterator<Item = &Thought> {
        self.0.values()
    }

    /// What replaces a thought.
    pub(crate) fn by(&self, id: ThoughtId) -> Option<ThoughtId> {
        self.0.get(&id).map(|thought| thought.id)
    }

    /// Puts what replaces a thought before it, in the place it had, unless the older one `stood` when it is asked about.
    pub(super) fn settle(&self, sums: &mut BTreeMap<ThoughtId, f64>, stood: impl Fn(&ThoughtId, &Thought) -> bool) {
        // The earliest first: what replaces one may be replaced itself.
        let mut pairs: Vec<(ThoughtId, &Thought)> =
            self.0.iter().filter(|(id, thought)| !stood(id, thought)).map(|(id, thought)| (*id, thought)).collect();
        pairs.sort_by_key(|(id, thought)| (time(thought), *id));
        for (older, newer) in pairs {
            put_before(sums, newer.id, older);
        }
    }

    /// Puts what was replaced before what stands in its place: who asks how things were is rarely after what they have become.
    pub(super) fn settle_before(&self, sums: &mut BTreeMap<ThoughtId, f64>) {
        for (older, newer) in self.0.iter().filter(|(_, newer)| !self.0.contains_key(&newer.id)) {
            put_before(sums, *older, newer.id);
        }
    }
}

/// Gives one state of something a share of what the other has, if both were found, and leaves that one less.
fn put_before(sums: &mut BTreeMap<ThoughtId, f64>, meant: ThoughtId, other: ThoughtId) {
    let (Some(ahead), Some(behind)) = (sums.get(&meant).copied(), sums.get(&other).copied()) else { return };
    let ahead = ahead.max(INHERITED * behind);
    sums.insert(meant, ahead);
    sums.insert(other, LEFT * behind.min(ahead));
}

/// When a thought was captured; ids decide between equals.
pub(super) fn time(thought: &Thought) -> (Time, Time, ThoughtId) {
    (thought.captured_at, thought.created_at, thought.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fuse::tests::thought;

    fn linked(older: u128, newer: u128) -> Linked {
        let mut newer = thought(newer);
        newer.captured_at = Time::from_micros(newer.id.as_bytes()[15].into());
        Linked { with: thought(older).id, thought: newer, weight: 0.5, replaces: true }
    }

    fn settled_by(settle: impl Fn(&mut BTreeMap<ThoughtId, f64>), sums: [f64; 3]) -> [f64; 3] {
        let ids = [1, 2, 3].map(|number| thought(number).id);
        let mut by_id = ids.into_iter().zip(sums).collect();
        settle(&mut by_id);
        ids.map(|id| by_id[&id])
    }

    fn settled(linked: &[Linked], sums: [f64; 3]) -> [f64; 3] {
        settled_by(|sums| Replaced::of(linked).settle(sums, |_, _| false), sums)
    }

    #[test]
    fn what_replaces_a_thought_takes_its_place() {
        let [older, newer, other] = settled(&[linked(1, 2)], [1.0, 0.2, 0.75]);
        assert!(newer > other && other > older, "{older} {newer} {other}");
    }

    #[test]
    fn the_last_of_several_comes_first() {
        for sums in [[1.0, 0.5, 0.1], [0.1, 0.5, 1.0], [0.5, 1.0, 0.1]] {
            let [first, second, third] = settled(&[linked(1, 2), linked(2, 3), linked(1, 3)], sums);
            assert!(third > second && third > first, "{first} {second} {third}");
        }
    }

    #[test]
    fn what_stood_when_it_is_asked_about_keeps_its_place() {
        let replaced = Replaced::of(&[linked(1, 2), linked(2, 3)]);
        let stood = |id: &ThoughtId, _: &Thought| *id == thought(2).id;
        let [first, second, third] = settled_by(|sums| replaced.settle(sums, stood), [1.0, 0.7, 0.6]);
        assert!(second > first && third == 0.6, "{first} {second} {third}");
    }

    #[test]
    fn who_asks_how_things_were_finds_the_state_before_the_last() {
        let linked = [linked(1, 2), linked(2, 3), linked(1, 3)];
        for sums in [[0.1, 0.5, 1.0], [0.1, 0.9, 0.5]] {
            let [_, second, third] = settled_by(|sums| Replaced::of(&linked).settle_before(sums), sums);
            assert!(second > third, "{second} {third}");
        }
    }

    #[test]
    fn a_thought_is_replaced_by_the_latest() {
        let replaced = Replaced::of(&[linked(1, 3), linked(1, 2)]);
        assert_eq!(replaced.by(thought(1).id), Some(thought(3).id));
        assert_eq!(replaced.by(thought(3).id), None);
    }
}

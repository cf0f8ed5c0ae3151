//! What the neighbours of a thought say about it: those stored just before and after it in the same sitting.

use std::collections::BTreeMap;

use model::{Thought, ThoughtId};
use store::{Beside, Sittings};

use super::candidate::{Candidate, bests, weighed};
use crate::search::lists::Lists;

/// What is left of a neighbour's words and of its meaning, by the steps between them.
const WORDS_BESIDE: [f64; 2] = [0.6, 0.5];
const MEANING_BESIDE: [f64; 2] = [0.25, 0.15];

/// What a thought that borrows words has at most of the one beside it that holds all of them.
const BORROWED: f64 = 0.95;

/// How many of the best by words and meaning tell whether neighbours belong together, and the share of the account that is
/// at most.
const TELLING_BEST: usize = 32;
const TELLING_SHARE: u64 = 8;

/// In an account of fewer thoughts, the best are neighbours anyway.
const TELLING_POPULATION: u64 = 64;

/// Whether what was stored one after the other belongs together, 0 to 1: the best by words and meaning are beside each other
/// more often than by chance, twice as often for 1.
///
/// In a conversation they are. In thoughts noted at random, or imported in no order, they are not, and neighbours have
/// nothing to say.
pub(super) fn kinship(candidates: &BTreeMap<ThoughtId, Candidate<'_>>, lists: &Lists) -> f64 {
    let Sittings { pairs, population, .. } = &lists.sittings;
    if *population < TELLING_POPULATION {
        return 1.0;
    }
    let (best_words, best_meaning) = bests(candidates, Candidate::own_words, Candidate::own_meaning);
    let mut best: Vec<(f64, ThoughtId)> = candidates
        .values()
        .map(|candidate| {
            let sum = weighed(candidate.own_words() / best_words, candidate.own_meaning() / best_meaning);
            (sum, candidate.thought.id)
        })
        .collect();
    best.sort_by(|(a, first), (b, second)| b.total_cmp(a).then_with(|| first.cmp(second)));
    best.truncate(TELLING_BEST.min((population / TELLING_SHARE) as usize));
    let is_best = |id: ThoughtId| best.iter().any(|(_, best)| *best == id);
    let neighbours: Vec<ThoughtId> = pairs
        .iter()
        .flat_map(Beside::both_ways)
        .filter(|(from, _)| lists.in_context.contains(from) && is_best(*from))
        .map(|(_, to)| to)
        .collect();
    let found = neighbours.iter().filter(|to| is_best(**to)).count() as f64;
    let by_chance = neighbours.len() as f64 * best.len() as f64 / *population as f64;
    // Half a neighbour more on either side keeps a single one from meaning much.
    ((found + 0.5) / (by_chance + 0.5) - 1.0).clamp(0.0, 1.0)
}

/// Admits the turns of a conversation beside a turn of somebody else that was found: `Rui: Three years now!` says nothing
/// without what it answers. Other thoughts that have nothing to say for themselves are not found by their neighbours: what is
/// stored one after the other may be about anything.
pub(super) fn admit_turns<'a>(candidates: &mut BTreeMap<ThoughtId, Candidate<'a>>, sittings: &'a Sittings) {
    let turns: BTreeMap<ThoughtId, (&Thought, String)> = sittings
        .thoughts
        .iter()
        .filter_map(|thought| Some((thought.id, (thought, annotate::speaker(thought.raw_text.as_str())?))))
        .collect();
    let ways = sittings.pairs.iter().flat_map(Beside::both_ways);
    let is_found = |(from, to): &(ThoughtId, ThoughtId)| candidates.contains_key(from) && !candidates.contains_key(to);
    let answer = |(from, to): (ThoughtId, ThoughtId)| {
        let ((_, speaker), (thought, other)) = (turns.get(&from)?, turns.get(&to)?);
        (speaker != other).then_some(*thought)
    };
    let admitted: Vec<&Thought> = ways.filter(is_found).filter_map(answer).collect();
    for thought in admitted {
        candidates.insert(thought.id, Candidate::of(thought));
    }
}

/// Adds what the neighbours in the sitting say; as they say it themselves, so that nothing is passed on twice.
///
/// The words of a question are spread over turns that answer each other: a term counts if the thought or one beside it
/// holds it, and once however many do. Meaning adds up.
pub(super) fn add_neighbours(candidates: &mut BTreeMap<ThoughtId, Candidate<'_>>, sittings: &Sittings, kinship: f64) {
    let mut together = sittings.held.clone();
    for pair in &sittings.pairs {
        let left =
            |by_steps: [f64; 2]| kinship * by_steps.get(usize::from(pair.steps) - 1).copied().unwrap_or_default();
        let (words_left, meaning_left) = (left(WORDS_BESIDE) as f32, left(MEANING_BESIDE));
        for (from, to) in pair.both_ways() {
            if let (Some(said), Some(together)) = (sittings.held.get(&from), together.get_mut(&to)) {
                together.iter_mut().zip(said).for_each(|(most, said)| *most = most.max(words_left * said));
            }
            let Some(meaning) = candidates.get(&from).map(Candidate::own_meaning) else { continue };
            if let Some(to) = candidates.get_mut(&to) {
                to.beside_meaning += meaning_left * meaning;
            }
        }
    }
    let sum = |held: &[f32]| held.iter().copied().map(f64::from).sum::<f64>();
    // What borrows from a thought that holds the whole query is not ahead of it.
    let mut limits: BTreeMap<ThoughtId, f64> = BTreeMap::new();
    for (from, to) in sittings.pairs.iter().flat_map(Beside::both_ways) {
        let whole = sittings.held.get(&from).filter(|held| held.len() > 1 && held.iter().all(|held| *held > 0.0));
        if let Some(whole) = whole {
            let limit = limits.entry(to).or_insert(f64::MAX);
            *limit = limit.min(BORROWED * sum(whole));
        }
    }
    for (id, held) in together {
        if let Some(candidate) = candidates.get_mut(&id) {
            let own = sittings.held.get(&id).map_or(0.0, |held| sum(held));
            let limit = limits.get(&id).copied().unwrap_or(f64::MAX).max(own);
            candidate.together = Some(sum(&held).min(limit));
        }
    }
}

//! Brings the signals' lists together into one ranking: a pure function of its arguments.

mod candidate;
mod certainty;
mod context;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use annotate::Tense;
use model::{NoteId, Thought, ThoughtId};
use store::LexicalHit;

use self::candidate::{CLOSENESS_MIN, Candidate, GRAPH_WEIGHT, Weights};
use self::certainty::{certainty, evidence};
use self::context::{add_neighbours, admit_turns, kinship};
use super::lists::Lists;
use super::preferences::{Age, Preferences, fit};
use super::signals::Signal;

/// A thought with its place in the ranking.
#[derive(Debug, Clone)]
pub(super) struct Ranked<'a> {
    pub(super) thought: &'a Thought,
    /// How surely it answers the query.
    pub(super) score: f64,
    /// How much speaks for it, of all that speaks for the best.
    pub(super) strength: f64,
    pub(super) matched_by: Vec<Signal>,
    pub(super) notes: Vec<NoteId>,
    pub(super) superseded_by: Option<ThoughtId>,
}

/// A thought is about the query a little more surely when its own text says so than when an attached file does.
const NOTE_WEIGHT: f64 = 0.8;

/// What a note says by itself, beside a text that is as good by its words and its meaning.
const NOTE_ALONE: f64 = 0.95;

/// Ranks what was found: best first, of equals the latest, then by id.
///
/// Words and meaning count as shares of the best in the list, each with a part of what the neighbours in the sitting have,
/// and are added up by weight; connections, the time and what comes of reading the best add a little, a turn of somebody
/// else loses a little. The score says how much of the best hit's certainty a thought has, so that a query nothing answers has
/// low scores throughout, and the order of the scores is the order of the hits.
pub(super) fn fuse<'a>(lists: &'a Lists, preferences: &Preferences<'_>) -> Vec<Ranked<'a>> {
    let candidates = gather(lists);
    let weights = Weights::of(&candidates);
    let is_spoken = is_somebody_meant(&candidates, preferences);
    let age = Age::of(candidates.values().map(|candidate| candidate.thought), preferences.tense);
    let sum = |candidate: &Candidate<'_>| {
        let own = match candidate.meaning {
            // Attached notes have no vectors: what one holds is told by its words alone.
            Some(_) => weights.both(candidate).max(NOTE_ALONE * weights.note(candidate)),
            // A thought that has just been stored has no vector yet; its words are all there is.
            None => weights.words(candidate),
        };
        let connected = GRAPH_WEIGHT * candidate.graph.unwrap_or_default();
        let of_age = age.as_ref().map_or(0.0, |age| age.fit(candidate.thought));
        (own + connected + of_age + fit(candidate.thought, preferences, is_spoken)).max(0.0)
    };
    let mut unread: BTreeMap<ThoughtId, f64> = candidates.iter().map(|(id, candidate)| (*id, sum(candidate))).collect();
    let mut sums: BTreeMap<ThoughtId, f64> =
        unread.iter().map(|(id, sum)| (*id, sum + lists.judged.fit(*id))).collect();
    let found = |id: &ThoughtId| candidates.get(id).map(|found| found.thought);
    if preferences.tense == Some(Tense::Before) {
        lists.alike.settle_before(&mut sums, found);
        lists.replaced.settle_before(&mut sums);
    } else {
        // Who asks for a time does not care what came later.
        let until = preferences.moments.iter().map(|moments| moments.end).max();
        let was_said = |thought: &Thought| until.is_some_and(|until| thought.captured_at < until);
        let stood = |older: &ThoughtId, newer: &Thought| found(older).is_some_and(was_said) && !was_said(newer);
        [&mut sums, &mut unread].into_iter().for_each(|sums| lists.replaced.settle(sums, stood));
        if let Some(compared) = lists.compared.as_ref().filter(|_| preferences.moments.is_empty()) {
            let with_words = |id: &ThoughtId| candidates.get(id).map(|found| (found.thought, found.own_words()));
            lists.alike.settle(&mut sums, unread, with_words, compared);
            lists.judged.settle(&mut sums);
        }
    }
    let highest = sums.values().copied().fold(f64::MIN_POSITIVE, f64::max);
    let evidence = evidence(&candidates);
    let certainty = certainty(&candidates, &sums, lists);
    let mut ranked: Vec<Ranked<'_>> = candidates
        .into_values()
        .zip(sums.into_values())
        .map(|(candidate, sum)| Ranked {
            thought: candidate.thought,
            score: (certainty * sum / highest).clamp(0.0, 1.0),
            strength: evidence * sum / highest,
            matched_by: candidate.matched_by(),
            notes: candidate.notes,
            superseded_by: lists.replaced.by(candidate.thought.id),
        })
        .collect();
    // Of two that say it equally well, what was said later stands.
    let time = |ranked: &Ranked<'_>| Reverse((ranked.thought.captured_at, ranked.thought.created_at));
    ranked.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then_with(|| time(a).cmp(&time(b))).then_with(|| a.thought.id.cmp(&b.thought.id))
    });
    ranked
}

/// Whether the query means somebody who speaks in one of the candidates.
fn is_somebody_meant(candidates: &BTreeMap<ThoughtId, Candidate<'_>>, preferences: &Preferences<'_>) -> bool {
    let Some(meant) = preferences.meant else { return false };
    let speakers = candidates.values().filter_map(|candidate| annotate::speaker(candidate.thought.raw_text.as_str()));
    speakers.into_iter().any(|speaker| meant.names(&speaker))
}

/// Brings together what is said about each thought.
fn gather(lists: &Lists) -> BTreeMap<ThoughtId, Candidate<'_>> {
    let mut candidates: BTreeMap<ThoughtId, Candidate<'_>> = BTreeMap::new();
    for LexicalHit { thought, text_score, notes } in &lists.lexical {
        let candidate = candidates.entry(thought.id).or_insert_with(|| Candidate::of(thought));
        candidate.text = text_score.map(f64::from);
        candidate.note = notes.first().map(|(_, score)| NOTE_WEIGHT * f64::from(*score));
        candidate.notes = notes.iter().map(|(id, _)| *id).collect();
    }
    let linked = lists.graph.iter().map(|(thought, _)| thought).chain(lists.replaced.replacing());
    for thought in linked.chain(&lists.captured) {
        candidates.entry(thought.id).or_insert_with(|| Candidate::of(thought));
    }
    // Whoever is beside a good hit and holds words of the query is found by them, however many others hold more.
    for thought in &lists.sittings.thoughts {
        let held: f32 = lists.sittings.held.get(&thought.id).into_iter().flatten().sum();
        if held > 0.0 {
            let candidate = candidates.entry(thought.id).or_insert_with(|| Candidate::of(thought));
            candidate.text = candidate.text.or(Some(f64::from(held)));
        }
    }
    let closeness = lists.compared.as_ref().map(|compared| &compared.closeness);
    let closeness = |thought: &Thought| closeness.and_then(|closeness| closeness.get(&thought.id)).copied();
    let is_close = |thought: &&Thought| closeness(thought).is_some_and(|closeness| closeness >= CLOSENESS_MIN);
    let closest = lists.compared.iter().flat_map(|compared| &compared.closest);
    for thought in closest.chain(&lists.sittings.thoughts).filter(is_close) {
        candidates.entry(thought.id).or_insert_with(|| Candidate::of(thought));
    }
    let set_meaning = |candidates: &mut BTreeMap<ThoughtId, Candidate<'_>>| {
        candidates.values_mut().for_each(|candidate| candidate.meaning = closeness(candidate.thought));
    };
    set_meaning(&mut candidates);
    let kinship = kinship(&candidates, lists);

    if kinship > 0.0 {
        admit_turns(&mut candidates, &lists.sittings);
        set_meaning(&mut candidates);
    }
    for (thought, strength) in &lists.graph {
        if let Some(candidate) = candidates.get_mut(&thought.id) {
            // Several connections say more than one.
            candidate.graph = Some(1.0 - (1.0 - candidate.graph.unwrap_or_default()) * (1.0 - strength));
        }
    }
    add_neighbours(&mut candidates, &lists.sittings, kinship);
    candidates
}

#[cfg(test)]
pub(super) mod tests;

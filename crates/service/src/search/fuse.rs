//! Brings the signals' lists together into one ranking: a pure function of its arguments.

mod context;

use std::collections::BTreeMap;

use annotate::{Asked, Meant, Moments};
use model::{NoteId, Thought, ThoughtId, Time};
use store::{LexicalHit, Sittings};

use super::meaning::Compared;
use context::{add_neighbours, admit_turns, kinship};

/// A way by which a thought can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// It means something close to the query.
    Semantic,
    /// Words of the query stand in its text.
    Lexical,
    /// It mentions what the query mentions, or is linked with a good hit.
    Graph,
    /// Words of the query stand in a note attached to it.
    Note,
}

impl Signal {
    /// The word used in every interface.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Semantic => "semantic",
            Self::Lexical => "lexical",
            Self::Graph => "graph",
            Self::Note => "note",
        }
    }
}

/// What each signal found. No list needs to be in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    /// By words, as shares of the query.
    pub(super) lexical: Vec<LexicalHit>,
    /// By meaning; `None` if the query was not compared by meaning.
    pub(super) compared: Option<Compared>,
    /// By connections, with the strength from 0 to 1.
    pub(super) graph: Vec<(Thought, f64)>,
    /// By the time the query names.
    pub(super) captured: Vec<Thought>,
    /// The best, whose neighbours were looked at.
    pub(super) in_context: Vec<ThoughtId>,
    /// What was said just before and after them.
    pub(super) sittings: Sittings,
}

/// What the query says about the thoughts it is after, beside words and meaning.
#[derive(Debug, Clone, Default)]
pub(super) struct Wish<'a> {
    /// Whose turns are meant.
    pub(super) meant: Option<&'a Meant>,
    /// The times that are meant; empty for any.
    pub(super) moments: &'a [Moments],
    /// What the query asks for, and that thoughts which only ask are worth less; `None` if that is not looked at.
    pub(super) answers: Option<Answers>,
}

/// What an answer looks like.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Answers {
    /// What it tells, if the query says so.
    pub(super) tell: Option<Asked>,
}

/// A thought with its place in the ranking.
#[derive(Debug, Clone)]
pub(super) struct Ranked<'a> {
    pub(super) thought: &'a Thought,
    pub(super) score: f64,
    pub(super) matched_by: Vec<Signal>,
    pub(super) notes: Vec<NoteId>,
}

/// A thought is about the query a little more surely when its own text says so than when an attached file does.
const NOTE_WEIGHT: f64 = 0.8;

/// What meaning says beside words: between 0.5 and 0.6 every set is within a point of its best.
const MEANING_WEIGHT: f64 = 0.55;

/// What connections add to both: they bring thoughts in and break ties, and do not overrule the query's own words.
const GRAPH_WEIGHT: f64 = 0.1;

/// What is taken off a turn of somebody the query does not mean.
const OTHER_SPEAKER: f64 = 0.35;

/// What a thought gains that tells a time, a number or a name where the query asks for one.
const TELLING_WEIGHT: f64 = 0.15;

/// What is taken off a thought that ends in a question: it is rarely the answer to another one.
const ASKING: f64 = 0.05;

/// What a thought of the time the query names gains.
const TIME_WEIGHT: f64 = 0.4;

/// The best of a list counts as fully matching only if it is at least this certain; noise is not blown up.
const BEST_MIN: f64 = 0.3;

/// Closeness in meaning below this is no match: every text is a little closer to a query than some other.
const CLOSENESS_MIN: f64 = 0.1;

/// How sure a text that holds every word of the query once makes us: 1 − e^−2, 86 %.
const CERTAINTY: f64 = 2.0;

/// What the signals say about one thought.
#[derive(Debug, Clone)]
struct Candidate<'a> {
    thought: &'a Thought,
    text: Option<f64>,
    note: Option<f64>,
    notes: Vec<NoteId>,
    meaning: Option<f64>,
    graph: Option<f64>,
    /// The share of the query that its text and its neighbours' hold together.
    together: Option<f64>,
    /// What its neighbours' meaning adds.
    beside_meaning: f64,
}

impl<'a> Candidate<'a> {
    fn of(thought: &'a Thought) -> Self {
        let (text, note, notes, meaning, graph) = (None, None, Vec::new(), None, None);
        Self { thought, text, note, notes, meaning, graph, together: None, beside_meaning: 0.0 }
    }

    /// The share of the query its text and its best note hold, without its neighbours.
    fn own_words(&self) -> f64 {
        self.text.unwrap_or_default() + self.note.unwrap_or_default()
    }

    fn own_meaning(&self) -> f64 {
        self.meaning.unwrap_or_default()
    }

    fn words(&self) -> f64 {
        self.together.or(self.text).unwrap_or_default() + self.note.unwrap_or_default()
    }

    fn closeness(&self) -> f64 {
        self.own_meaning() + self.beside_meaning
    }

    /// Either of the signals being right is enough: the chance that not all of them are wrong.
    fn certainty(&self) -> f64 {
        let words = 1.0 - (-CERTAINTY * self.own_words()).exp();
        let connected = GRAPH_WEIGHT * self.graph.unwrap_or_default();
        1.0 - (1.0 - words) * (1.0 - self.own_meaning()) * (1.0 - connected)
    }

    fn is_close(&self) -> bool {
        self.own_meaning() >= CLOSENESS_MIN
    }

    fn matched_by(&self) -> Vec<Signal> {
        let has_own = self.text.is_some() || self.note.is_some() || self.is_close();
        let signals = [
            (Signal::Semantic, self.is_close()),
            (Signal::Lexical, self.text.is_some()),
            // What nothing else speaks for is of the time the query names.
            (Signal::Graph, self.graph.is_some() || !has_own),
            (Signal::Note, !self.notes.is_empty()),
        ];
        signals.into_iter().filter(|(_, matched)| *matched).map(|(signal, _)| signal).collect()
    }
}

/// Ranks what was found: best first, ties by id.
///
/// Words and meaning count as shares of the best in the list, each with a part of what the neighbours in the sitting have,
/// and are added up by weight; connections and the time add a little, a turn of somebody else loses a little. The score says
/// how much of the best hit's certainty a thought has, so that a query nothing answers has low scores throughout.
pub(super) fn fuse<'a>(lists: &'a Lists, wish: &Wish<'_>) -> Vec<Ranked<'a>> {
    let candidates = gather(lists);
    let (best_words, best_closeness) = bests(&candidates, Candidate::words, Candidate::closeness);
    let is_spoken = is_somebody_meant(&candidates, wish);
    let sum = |candidate: &Candidate<'_>| {
        let words = candidate.words() / best_words;
        let own = match candidate.meaning {
            Some(_) => weighed(words, candidate.closeness() / best_closeness),
            // A thought that has just been stored has no vector yet; its words are all there is.
            None => words,
        };
        let connected = GRAPH_WEIGHT * candidate.graph.unwrap_or_default();
        (own + connected + fit(candidate.thought, wish, is_spoken)).max(0.0)
    };
    let sums: Vec<f64> = candidates.values().map(sum).collect();
    let highest = sums.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let certainty = candidates.values().map(Candidate::certainty).fold(0.0, f64::max);
    let mut ranked: Vec<Ranked<'_>> = candidates
        .into_values()
        .zip(sums)
        .map(|(candidate, sum)| Ranked {
            thought: candidate.thought,
            score: (certainty * sum / highest).clamp(0.0, 1.0),
            matched_by: candidate.matched_by(),
            notes: candidate.notes,
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.thought.id.cmp(&b.thought.id)));
    ranked
}

/// Words and meaning, each as a share of the best, in one number.
fn weighed(words: f64, meaning: f64) -> f64 {
    MEANING_WEIGHT * meaning + (1.0 - MEANING_WEIGHT) * words
}

/// The most of two things that any candidate has.
fn bests<'a>(
    candidates: &BTreeMap<ThoughtId, Candidate<'a>>,
    words: fn(&Candidate<'a>) -> f64,
    meaning: fn(&Candidate<'a>) -> f64,
) -> (f64, f64) {
    let best = |part: fn(&Candidate<'a>) -> f64| candidates.values().map(part).fold(BEST_MIN, f64::max);
    (best(words), best(meaning))
}

/// What speaks for or against a thought beside what it says.
fn fit(thought: &Thought, wish: &Wish<'_>, is_spoken: bool) -> f64 {
    let text = thought.raw_text.as_str();
    let mut fit = TIME_WEIGHT * nearness(thought.captured_at, wish.moments);
    if let Some(Answers { tell }) = wish.answers {
        fit += TELLING_WEIGHT * f64::from(u8::from(tell.is_some_and(|asked| asked.is_told_in(text))));
        fit -= ASKING * f64::from(u8::from(annotate::is_question(text)));
    }
    let is_other = |speaker: String| wish.meant.is_some_and(|meant| !meant.names(&speaker));
    if is_spoken && annotate::speaker(text).is_some_and(is_other) {
        fit -= OTHER_SPEAKER;
    }
    fit
}

/// Whether the query means somebody who speaks in one of the candidates.
fn is_somebody_meant(candidates: &BTreeMap<ThoughtId, Candidate<'_>>, wish: &Wish<'_>) -> bool {
    let Some(meant) = wish.meant else { return false };
    let speakers = candidates.values().filter_map(|candidate| annotate::speaker(candidate.thought.raw_text.as_str()));
    speakers.into_iter().any(|speaker| meant.names(&speaker))
}

/// How near a moment is to one of the times: 1 within it, less and less after it, since what happened is told later.
fn nearness(at: Time, moments: &[Moments]) -> f64 {
    const DAY: f64 = 86_400_000_000.0;
    let near = |moments: &Moments| {
        let length = (moments.end.as_micros() - moments.start.as_micros()) as f64 / DAY;
        let early = (moments.start.as_micros().saturating_sub(at.as_micros())) as f64 / DAY;
        let late = (at.as_micros().saturating_sub(moments.end.as_micros())) as f64 / DAY;
        // A day either way is a time zone.
        if early > 1.0 {
            return 0.0;
        }
        // A whole year tells little apart.
        let weight = if length > 100.0 { 0.5 } else { 1.0 };
        weight * (-late.max(0.0) / (7.0 + length.min(60.0) / 2.0)).exp()
    };
    moments.iter().map(near).fold(0.0, f64::max)
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
    for thought in lists.graph.iter().map(|(thought, _)| thought).chain(&lists.captured) {
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
mod tests;

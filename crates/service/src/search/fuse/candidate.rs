//! What the signals say about one thought, by weight.

use std::collections::BTreeMap;

use model::{NoteId, Thought, ThoughtId};

use crate::search::signals::Signal;

/// What meaning says beside words in a conversation or in long texts, which do not care between 0.55 and 0.75.
const MEANING_WEIGHT: f64 = 0.75;

/// The same in short notes: of a person's few hundred, a word that happens to be rare would outrank what the query means.
const MEANING_WEIGHT_OF_NOTES: f64 = 0.9;

/// A longer text is no short note.
const NOTE_BYTES_MAX: usize = 400;

/// What connections add to both: they bring thoughts in and break ties, and do not overrule the query's own words.
pub(super) const GRAPH_WEIGHT: f64 = 0.1;

/// The best of a list counts as fully matching only if it is at least this certain; noise is not blown up.
const BEST_MIN: f64 = 0.3;

/// The same for words in short notes: one that holds half of the query holds half of it, however little others hold.
const BEST_WORDS_MIN_OF_NOTES: f64 = 1.0;

/// Closeness in meaning below this is no match: every text is a little closer to a query than some other.
pub(super) const CLOSENESS_MIN: f64 = 0.1;

/// How sure a text that holds every word of the query once makes us: 1 − e^−2, 86 %.
const CERTAINTY: f64 = 2.0;

/// What the signals say about one thought.
#[derive(Debug, Clone)]
pub(super) struct Candidate<'a> {
    pub(super) thought: &'a Thought,
    pub(super) text: Option<f64>,
    pub(super) note: Option<f64>,
    pub(super) notes: Vec<NoteId>,
    pub(super) meaning: Option<f64>,
    pub(super) graph: Option<f64>,
    /// The share of the query that its text and its neighbours' hold together.
    pub(super) together: Option<f64>,
    /// What its neighbours' meaning adds.
    pub(super) beside_meaning: f64,
}

impl<'a> Candidate<'a> {
    pub(super) fn of(thought: &'a Thought) -> Self {
        let (text, note, notes, meaning, graph) = (None, None, Vec::new(), None, None);
        Self { thought, text, note, notes, meaning, graph, together: None, beside_meaning: 0.0 }
    }

    /// The share of the query its text and its best note hold, without its neighbours.
    pub(super) fn own_words(&self) -> f64 {
        self.text.unwrap_or_default() + self.note.unwrap_or_default()
    }

    pub(super) fn own_meaning(&self) -> f64 {
        self.meaning.unwrap_or_default()
    }

    pub(super) fn words(&self) -> f64 {
        self.together.or(self.text).unwrap_or_default() + self.note.unwrap_or_default()
    }

    pub(super) fn closeness(&self) -> f64 {
        self.own_meaning() + self.beside_meaning
    }

    /// Either of the signals being right is enough: the chance that not all of them are wrong.
    pub(super) fn certainty(&self) -> f64 {
        let words = by_words(self.own_words());
        let connected = GRAPH_WEIGHT * self.graph.unwrap_or_default();
        1.0 - (1.0 - words) * (1.0 - self.own_meaning()) * (1.0 - connected)
    }

    /// How sure its best note makes us.
    pub(super) fn note_certainty(&self) -> f64 {
        by_words(self.note.unwrap_or_default())
    }

    pub(super) fn is_close(&self) -> bool {
        self.own_meaning() >= CLOSENESS_MIN
    }

    pub(super) fn matched_by(&self) -> Vec<Signal> {
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

/// How sure it makes us to hold that share of the query's words.
fn by_words(share: f64) -> f64 {
    1.0 - (-CERTAINTY * share).exp()
}

/// What words and meaning weigh, by how many of the candidates are short notes rather than turns of a conversation or long texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    meaning: f64,
    /// The most words any candidate holds, and what holding all of them takes beside meaning.
    best_words: f64,
    whole_words: f64,
    best_closeness: f64,
}

impl Weights {
    pub(super) fn of(candidates: &BTreeMap<ThoughtId, Candidate<'_>>) -> Self {
        let is_note = |candidate: &&Candidate<'_>| {
            let text = candidate.thought.raw_text.as_str();
            text.len() <= NOTE_BYTES_MAX && annotate::speaker(text).is_none()
        };
        let notes = candidates.values().filter(is_note).count() as f64 / candidates.len().max(1) as f64;
        let between = |usual: f64, of_notes: f64| usual + notes * (of_notes - usual);
        let (best_words, best_closeness) = bests(candidates, Candidate::words, Candidate::closeness);
        let whole_words = best_words.max(between(BEST_MIN, BEST_WORDS_MIN_OF_NOTES));
        // What has no vector yet stands beside what is told by its meaning; where nothing is, all are alike.
        let is_compared = candidates.values().any(|candidate| candidate.meaning.is_some());
        Self {
            meaning: between(MEANING_WEIGHT, MEANING_WEIGHT_OF_NOTES),
            best_words: if is_compared { best_words } else { whole_words },
            whole_words,
            best_closeness,
        }
    }

    /// What a candidate holds of the words of the query, as a share of the best.
    pub(super) fn words(&self, candidate: &Candidate<'_>) -> f64 {
        candidate.words() / self.best_words
    }

    /// The same of its best note.
    pub(super) fn note(&self, candidate: &Candidate<'_>) -> f64 {
        candidate.note.unwrap_or_default() / self.best_words
    }

    /// Words and meaning, each as a share of the best, in one number.
    pub(super) fn both(&self, candidate: &Candidate<'_>) -> f64 {
        let closeness = candidate.closeness() / self.best_closeness;
        self.meaning * closeness + (1.0 - self.meaning) * candidate.words() / self.whole_words
    }
}

/// Words and meaning, each as a share of the best, in one number.
pub(super) fn weighed(words: f64, meaning: f64) -> f64 {
    MEANING_WEIGHT * meaning + (1.0 - MEANING_WEIGHT) * words
}

/// The most of two things that any candidate has.
pub(super) fn bests<'a>(
    candidates: &BTreeMap<ThoughtId, Candidate<'a>>,
    words: fn(&Candidate<'a>) -> f64,
    meaning: fn(&Candidate<'a>) -> f64,
) -> (f64, f64) {
    let best = |part: fn(&Candidate<'a>) -> f64| candidates.values().map(part).fold(BEST_MIN, f64::max);
    (best(words), best(meaning))
}

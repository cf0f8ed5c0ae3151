//! Brings the signals' lists together into one ranking: a pure function of its arguments.

use std::collections::BTreeMap;

use crate::model::{NoteId, Thought, ThoughtId};
use crate::store::LexicalHit;

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

/// What each signal found, as shares of certainty from 0 to 1. No list needs to be in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    pub(super) lexical: Vec<LexicalHit>,
    /// `None` if the query was not compared by meaning.
    pub(super) semantic: Option<Vec<(Thought, f64)>>,
    pub(super) graph: Vec<(Thought, f64)>,
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

/// What meaning says beside words. On conversations, diaries and abstracts 0.6 found more than 0.5, and adding up
/// normalised scores more than any fusion of ranks.
const MEANING_WEIGHT: f64 = 0.6;

/// What connections add to both: they bring thoughts in and break ties, and do not overrule the query's own words.
const GRAPH_WEIGHT: f64 = 0.2;

/// The best of a list counts as fully matching only if it is at least this certain; noise is not blown up.
const BEST_MIN: f64 = 0.3;

/// Closeness in meaning below this is no match: every text is a little closer to a query than some other.
const CLOSENESS_MIN: f64 = 0.1;

/// What the signals say about one thought.
#[derive(Debug, Clone)]
struct Candidate<'a> {
    thought: &'a Thought,
    text: Option<f64>,
    note: Option<f64>,
    notes: Vec<NoteId>,
    meaning: Option<f64>,
    graph: Option<f64>,
}

impl<'a> Candidate<'a> {
    fn of(thought: &'a Thought) -> Self {
        Self { thought, text: None, note: None, notes: Vec::new(), meaning: None, graph: None }
    }

    /// Either being right is enough, and both together are surer than one: the chance that not both are wrong.
    fn words(&self) -> f64 {
        1.0 - (1.0 - self.text.unwrap_or_default()) * (1.0 - self.note.unwrap_or_default())
    }

    fn certainty(&self) -> f64 {
        let connected = GRAPH_WEIGHT * self.graph.unwrap_or_default();
        1.0 - (1.0 - self.words()) * (1.0 - self.meaning.unwrap_or_default()) * (1.0 - connected)
    }
}

/// Ranks what was found: best first, ties by id.
///
/// The order is that of the weighted sum; the score says how much of the best hit's certainty a thought has, so that a
/// query nothing answers has low scores throughout.
pub(super) fn fuse(lists: &Lists) -> Vec<Ranked<'_>> {
    let candidates = gather(lists);
    let best = |part: fn(&Candidate<'_>) -> f64| candidates.values().map(part).fold(BEST_MIN, f64::max);
    let (best_words, best_meaning) =
        (best(|candidate| candidate.words()), best(|candidate| candidate.meaning.unwrap_or_default()));
    let sum = |candidate: &Candidate<'_>| {
        let words = candidate.words() / best_words;
        let own = match candidate.meaning {
            Some(meaning) => MEANING_WEIGHT * meaning / best_meaning + (1.0 - MEANING_WEIGHT) * words,
            // A thought that has just been stored has no vector yet; its words are all there is.
            None => words,
        };
        own + GRAPH_WEIGHT * candidate.graph.unwrap_or_default()
    };
    let highest = candidates.values().map(sum).fold(f64::MIN_POSITIVE, f64::max);
    let certainty = candidates.values().map(Candidate::certainty).fold(0.0, f64::max);
    let mut ranked: Vec<Ranked<'_>> = candidates
        .values()
        .map(|candidate| Ranked {
            thought: candidate.thought,
            score: (certainty * sum(candidate) / highest).clamp(0.0, 1.0),
            matched_by: matched_by(candidate),
            notes: candidate.notes.clone(),
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.thought.id.cmp(&b.thought.id)));
    ranked
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
    for (thought, closeness) in lists.semantic.iter().flatten() {
        if *closeness >= CLOSENESS_MIN {
            candidates.entry(thought.id).or_insert_with(|| Candidate::of(thought));
        }
        if let Some(candidate) = candidates.get_mut(&thought.id) {
            candidate.meaning = Some(*closeness);
        }
    }
    for (thought, strength) in &lists.graph {
        let candidate = candidates.entry(thought.id).or_insert_with(|| Candidate::of(thought));
        candidate.graph = Some(candidate.graph.map_or(*strength, |before| before.max(*strength)));
    }
    candidates
}

fn matched_by(candidate: &Candidate<'_>) -> Vec<Signal> {
    let signals = [
        (Signal::Semantic, candidate.meaning.is_some_and(|closeness| closeness >= CLOSENESS_MIN)),
        (Signal::Lexical, candidate.text.is_some()),
        (Signal::Graph, candidate.graph.is_some()),
        (Signal::Note, !candidate.notes.is_empty()),
    ];
    signals.into_iter().filter(|(_, matched)| *matched).map(|(signal, _)| signal).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::model::{Author, Category, Status, ThoughtText, Time};

    fn thought(number: u128) -> Thought {
        Thought {
            id: ThoughtId::from_uuid(Uuid::from_u128(number)),
            raw_text: ThoughtText::new("tea").unwrap(),
            status: Status::Open,
            category: Category::Fact,
            author: Author::User,
            created_at: Time::from_micros(0),
            captured_at: Time::from_micros(0),
            updated_at: Time::from_micros(0),
            revision: 0,
        }
    }

    fn hit(number: u128, text: Option<f32>, note: Option<f32>) -> LexicalHit {
        let notes = note.map(|score| (NoteId::from_uuid(Uuid::from_u128(number)), score)).into_iter().collect();
        LexicalHit { thought: thought(number), text_score: text, notes }
    }

    fn order(ranked: &[Ranked<'_>]) -> Vec<ThoughtId> {
        ranked.iter().map(|ranked| ranked.thought.id).collect()
    }

    fn ids(numbers: &[u128]) -> Vec<ThoughtId> {
        numbers.iter().map(|number| ThoughtId::from_uuid(Uuid::from_u128(*number))).collect()
    }

    #[test]
    fn a_match_in_text_and_note_beats_either_alone() {
        let lexical = vec![hit(1, Some(0.5), None), hit(2, None, Some(0.5)), hit(3, Some(0.5), Some(0.5))];
        let lists = Lists { lexical, ..Lists::default() };
        assert_eq!(order(&fuse(&lists)), ids(&[3, 1, 2]));
    }

    #[test]
    fn words_alone_keep_their_certainty() {
        let lexical = vec![hit(1, Some(0.8), None), hit(2, Some(0.4), None)];
        let lists = Lists { lexical, ..Lists::default() };
        let scores: Vec<f64> = fuse(&lists).iter().map(|ranked| ranked.score).collect();
        assert!((scores[0] - 0.8).abs() < 1e-6 && (scores[1] - 0.4).abs() < 1e-6, "{scores:?}");
    }

    #[test]
    fn a_match_in_words_and_meaning_beats_either_alone() {
        let lexical = vec![hit(1, Some(0.6), None), hit(3, Some(0.6), None)];
        let semantic = Some(vec![(thought(1), 0.0), (thought(2), 0.5), (thought(3), 0.5)]);
        let lists = Lists { lexical, semantic, ..Lists::default() };
        let ranked = fuse(&lists);
        assert_eq!(order(&ranked), ids(&[3, 2, 1]));
        assert_eq!(ranked[0].matched_by, [Signal::Semantic, Signal::Lexical]);
        assert_eq!(ranked[2].matched_by, [Signal::Lexical]);
    }

    #[test]
    fn a_thought_without_a_vector_counts_by_its_words() {
        let lexical = vec![hit(1, Some(0.8), None), hit(2, Some(0.3), None)];
        let lists = Lists { lexical, semantic: Some(vec![(thought(2), 0.6)]), ..Lists::default() };
        assert_eq!(order(&fuse(&lists)), ids(&[1, 2]));
    }

    #[test]
    fn a_little_closeness_does_not_beat_the_words_of_the_query() {
        let lists = Lists {
            lexical: vec![hit(1, Some(0.7), None)],
            semantic: Some(vec![(thought(2), 0.12)]),
            ..Lists::default()
        };
        assert_eq!(order(&fuse(&lists)), ids(&[1, 2]));
    }

    #[test]
    fn what_nothing_answers_has_low_scores() {
        let lists = Lists { semantic: Some(vec![(thought(1), 0.12), (thought(2), 0.05)]), ..Lists::default() };
        let ranked = fuse(&lists);
        assert_eq!(order(&ranked), ids(&[1]));
        assert!(ranked[0].score < 0.2);
    }

    fn any_lists() -> impl Strategy<Value = Lists> {
        let part = || prop::option::of(0.0..1.0_f32);
        let lexical = prop::collection::btree_map(0..12_u128, (part(), part()), 0..8);
        let list = || prop::collection::btree_map(0..12_u128, 0.0..1.0_f64, 0..8);
        (lexical, prop::option::of(list()), list()).prop_map(|(lexical, semantic, graph)| Lists {
            lexical: lexical.into_iter().map(|(number, (text, note))| hit(number, text, note)).collect(),
            semantic: semantic.map(|list| list.into_iter().map(|(number, share)| (thought(number), share)).collect()),
            graph: graph.into_iter().map(|(number, share)| (thought(number), share)).collect(),
        })
    }

    fn reversed(mut lists: Lists) -> Lists {
        lists.lexical.reverse();
        lists.semantic.iter_mut().for_each(|list| list.reverse());
        lists.graph.reverse();
        lists
    }

    proptest! {
        #[test]
        fn the_ranking_does_not_depend_on_the_order_of_the_lists(lists in any_lists()) {
            let reversed = reversed(lists.clone());
            prop_assert_eq!(order(&fuse(&lists)), order(&fuse(&reversed)));
        }

        #[test]
        fn scores_are_in_order_and_between_zero_and_one(lists in any_lists()) {
            let scores: Vec<f64> = fuse(&lists).iter().map(|ranked| ranked.score).collect();
            prop_assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)));
            prop_assert!(scores.is_sorted_by(|a, b| a >= b));
        }

        #[test]
        fn every_hit_says_what_found_it(lists in any_lists()) {
            let compared = lists.semantic.is_some();
            for ranked in fuse(&lists) {
                prop_assert!(compared || !ranked.matched_by.contains(&Signal::Semantic));
            }
        }
    }
}

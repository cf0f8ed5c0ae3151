//! Brings the signals' lists together into one ranking: a pure function of its arguments.

use crate::model::{NoteId, Thought};
use crate::store::LexicalHit;

/// A way by which a thought can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// Words of the query stand in its text.
    Lexical,
    /// Words of the query stand in a note attached to it.
    Note,
}

impl Signal {
    /// The word used in every interface.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lexical => "lexical",
            Self::Note => "note",
        }
    }
}

/// A thought with its place in the ranking.
#[derive(Debug, Clone)]
pub(super) struct Ranked {
    pub(super) thought: Thought,
    pub(super) score: f64,
    pub(super) matched_by: Vec<Signal>,
    pub(super) notes: Vec<NoteId>,
}

/// A thought is about the query a little more surely when its own text says so than when an attached file does.
const NOTE_WEIGHT: f64 = 0.8;

/// Ranks the hits: best first, ties by id.
pub(super) fn fuse(hits: Vec<LexicalHit>) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = hits.into_iter().map(rank).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.thought.id.cmp(&b.thought.id)));
    ranked
}

fn rank(hit: LexicalHit) -> Ranked {
    let text = hit.text_score.map_or(0.0, f64::from);
    let note = hit.notes.first().map_or(0.0, |(_, score)| NOTE_WEIGHT * f64::from(*score));
    let signals = [(Signal::Lexical, hit.text_score.is_some()), (Signal::Note, !hit.notes.is_empty())];
    Ranked {
        thought: hit.thought,
        // Either being right is enough, and both together are surer than one: the chance that not both are wrong.
        score: (1.0 - (1.0 - text) * (1.0 - note)).clamp(0.0, 1.0),
        matched_by: signals.into_iter().filter(|(_, matched)| *matched).map(|(signal, _)| signal).collect(),
        notes: hit.notes.into_iter().map(|(id, _)| id).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::model::{Author, Category, Status, ThoughtId, ThoughtText, Time};

    fn hit(number: u128, text: Option<f32>, note: Option<f32>) -> LexicalHit {
        let thought = Thought {
            id: ThoughtId::from_uuid(Uuid::from_u128(number)),
            raw_text: ThoughtText::new("tea").unwrap(),
            status: Status::Open,
            category: Category::Fact,
            author: Author::User,
            created_at: Time::from_micros(0),
            captured_at: Time::from_micros(0),
            updated_at: Time::from_micros(0),
            revision: 0,
        };
        let notes = note.map(|score| (NoteId::from_uuid(Uuid::from_u128(number)), score)).into_iter().collect();
        LexicalHit { thought, text_score: text, notes }
    }

    fn order(ranked: &[Ranked]) -> Vec<ThoughtId> {
        ranked.iter().map(|ranked| ranked.thought.id).collect()
    }

    #[test]
    fn a_match_in_text_and_note_beats_either_alone() {
        let ranked = fuse(vec![hit(1, Some(0.5), None), hit(2, None, Some(0.5)), hit(3, Some(0.5), Some(0.5))]);
        let numbers = [3, 1, 2].map(|number| ThoughtId::from_uuid(Uuid::from_u128(number)));
        assert_eq!(order(&ranked), numbers);
    }

    proptest! {
        #[test]
        fn the_ranking_does_not_depend_on_the_order_of_the_hits(scores in prop::collection::vec((0u8..4, 0u8..4), 0..12)) {
            let hits: Vec<_> = scores
                .iter()
                .enumerate()
                .map(|(index, (text, note))| {
                    let part = |value: u8| (value > 0).then(|| f32::from(value) / 4.0);
                    hit(index as u128, part(*text), part(*note))
                })
                .collect();
            let reversed = hits.iter().rev().cloned().collect();
            prop_assert_eq!(order(&fuse(hits)), order(&fuse(reversed)));
        }
    }
}

//! Which thoughts may be linked with one, what speaks for each, and how many links there may be.

use std::collections::BTreeMap;

use model::Thought;

use crate::backend::{GroupRow, Row};
use crate::contract::Relative;
use crate::meaning::Close;

/// How many of the links that lead to a thought are shown; those it was given itself are few.
pub(crate) const INCOMING_SHOWN: usize = 8;

/// How many links lead to a thought at most; the weakest give way. More than are shown: whoever is not shown here still
/// shows this one.
pub const INCOMING_MAX: usize = 64;

/// How many thoughts after a changed one are linked again, each by what was stored before it. Where more have come after, the
/// changed one is compared with them instead: to link a million thoughts again takes hours.
pub const AGAIN_MAX: Row = 10_000;

/// How many of the thoughts closest in meaning are looked at.
pub(crate) const CLOSEST: usize = 12;

/// How many of the newest thoughts that mention an entity are looked at.
pub(crate) const MENTIONING: usize = 32;

/// How many thoughts are compared with all others at once: as many as the kernels multiply together. More would shut out for longer
/// whoever has new vectors to take in.
pub(crate) const COMPARED_AT_ONCE: usize = 16;

/// An entity in more thoughts than this share of the account joins nothing in particular.
const COMMON_SHARE: f64 = 0.05;

/// In an account of few thoughts, an entity in fewer than this is not common.
const COMMON_MIN: f64 = 12.0;

/// How many of the thoughts stored before are looked at.
const PRECEDING: Row = 3;

/// The first row that is not looked at when a thought is linked: its own, for what came later finds this one.
pub(crate) fn looked_at_before(row: Row, thought: &Thought, last: Row) -> Row {
    if thought.revision > 0 && last.saturating_sub(row) > AGAIN_MAX { Row::MAX } else { row }
}

/// In more thoughts than this an entity joins nothing in particular.
pub(crate) fn common(population: Row) -> u64 {
    (f64::from(population) * COMMON_SHARE).max(COMMON_MIN) as u64
}

/// What speaks for linking a thought with others, by their rows.
pub(crate) type Candidates = BTreeMap<Row, (Option<f32>, Vec<u64>)>;

/// What may be linked with the thought at a row: what is close in meaning, what shares an entity, what came just before.
pub(crate) fn candidates(row: Row, close: &[Close], groups: &[GroupRow]) -> Candidates {
    let mut candidates = Candidates::new();
    for close in close {
        candidates.entry(close.thought).or_default().0 = Some(close.cosine);
    }
    for group in groups {
        for row in &group.newest {
            candidates.entry(*row).or_default().1.push(group.thoughts);
        }
    }
    for row in row.saturating_sub(PRECEDING).max(1)..row {
        candidates.entry(row).or_default();
    }
    candidates.remove(&row);
    candidates
}

/// What speaks for linking a thought with another. Not its state: that may change at any time, and whoever reads links looks
/// at it.
pub(crate) fn relative(thought: &Thought, other: &Thought, (cosine, shared): (Option<f32>, Vec<u64>)) -> Relative {
    let apart = thought.captured_at.as_micros().abs_diff(other.captured_at.as_micros());
    Relative {
        thought: other.id,
        text: other.raw_text.clone(),
        is_later: (other.captured_at, other.created_at) > (thought.captured_at, thought.created_at),
        cosine,
        shared,
        apart_seconds: apart / 1_000_000,
        same_source: thought.author == other.author,
    }
}

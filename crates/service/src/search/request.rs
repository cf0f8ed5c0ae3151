//! What a caller asks of a search.

use model::{Mode, Time};
use store::{Among, Visible};

use super::signals::Signals;

/// What to look for, and among which thoughts.
#[derive(Debug, Clone)]
pub struct Search<'a> {
    /// The query, as typed.
    pub text: &'a str,
    /// Which thoughts may be seen.
    pub visible: Visible,
    /// Whether a person looks through the hits, and among which.
    pub looking: Option<Looking<'a>>,
    /// Which signals to use.
    pub mode: Mode,
    /// How many hits at most.
    pub limit: usize,
    /// The lowest score a hit may have.
    pub threshold: f64,
    /// The present moment, from which the query counts.
    pub now: Time,
    /// What to go by.
    pub signals: Signals,
}

/// A person looks through the hits page by page: however many are asked for, the order of those before them stays.
#[derive(Debug, Clone, Copy)]
pub struct Looking<'a> {
    /// The thoughts that are wanted; `None` for all.
    pub among: Option<&'a Among>,
    /// How far to look.
    pub depth: Depth,
}

/// How far a person looks. Comparing ten times as many candidates takes ten times as long: only whoever pages on waits for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// At the best, [`NEAR_MAX`](super::NEAR_MAX) at most.
    Near,
    /// At all there is to see, [`LOOKED_THROUGH_MAX`](super::LOOKED_THROUGH_MAX) at most.
    Far,
}

impl Search<'_> {
    /// The thoughts to look among; `None` for all.
    pub(super) fn among(&self) -> Option<&Among> {
        self.looking.and_then(|looking| looking.among)
    }
}

//! What a caller asks of a search.

use model::{Mode, Time};
use store::{Filter, Visible};

use super::signals::Signals;

/// What to look for, and among which thoughts.
#[derive(Debug, Clone)]
pub struct Search<'a> {
    /// The query, as typed.
    pub text: &'a str,
    /// Which thoughts may be seen.
    pub visible: Visible,
    /// Which of them are wanted; `None` for all.
    pub filter: Option<&'a Filter>,
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

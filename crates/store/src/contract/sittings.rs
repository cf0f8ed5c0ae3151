//! What was said just before and after.

use std::collections::BTreeMap;

use model::{Thought, ThoughtId};

use super::lexical::Terms;
use super::visible::Visible;
use crate::backend::LogEnd;

/// A look at what was said around some thoughts.
#[derive(Debug, Clone)]
pub struct SittingsQuery {
    /// The thoughts.
    pub ids: Vec<ThoughtId>,
    /// How many steps before and after.
    pub steps: u8,
    /// Which thoughts may be seen.
    pub visible: Visible,
    /// What is looked for in their words.
    pub terms: Terms,
    /// What it is to see at least, if that is known already; else everything stored before it is asked.
    pub as_of: Option<LogEnd>,
}

/// What was said just before and after some thoughts.
#[derive(Debug, Clone, Default)]
pub struct Sittings {
    /// The thoughts themselves and those around them, in the order they were stored.
    pub thoughts: Vec<Thought>,
    /// How much of the query each of them holds, by term.
    pub held: BTreeMap<ThoughtId, Vec<f32>>,
    /// Which of them are beside each other, each pair once.
    pub pairs: Vec<Beside>,
    /// How many thoughts the account has, about.
    pub population: u64,
}

/// Two thoughts of one sitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beside {
    /// The one stored first.
    pub earlier: ThoughtId,
    /// The other.
    pub later: ThoughtId,
    /// How many steps are between them; 1 for the very next.
    pub steps: u8,
}

impl Beside {
    /// From the one to the other, and back.
    pub fn both_ways(&self) -> [(ThoughtId, ThoughtId); 2] {
        [(self.earlier, self.later), (self.later, self.earlier)]
    }
}

//! What a retrieval asks for.

use super::{Invalid, ThoughtId, Time};

/// The most results one retrieval returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopK(usize);

impl TopK {
    /// The largest allowed value.
    pub const MAX: usize = 100;
    /// What a retrieval without the argument returns at most.
    pub const DEFAULT: Self = Self(10);

    /// Checks the range.
    pub fn new(value: f64) -> Result<Self, Invalid> {
        let whole = value.fract() == 0.0;
        if !whole || !(1.0..=Self::MAX as f64).contains(&value) {
            return Err(Invalid::new(format!("`top_k` is a whole number from 1 to {}", Self::MAX)));
        }
        Ok(Self(value as usize))
    }

    /// The number.
    pub const fn get(self) -> usize {
        self.0
    }
}

/// The lowest score a result may have: 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold(f64);

impl Threshold {
    /// Checks the range.
    pub fn new(value: f64) -> Result<Self, Invalid> {
        if !(0.0..=1.0).contains(&value) {
            return Err(Invalid::new("`threshold` is a number from 0 to 1"));
        }
        Ok(Self(value))
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// The order of the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Newest first.
    CreatedAt,
    /// Best match first.
    Relevance,
}

/// Which signals a search uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Only signals that need no model.
    Fast,
    /// All of them.
    Full,
}

/// How much of each thought is returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// A snippet around the best match.
    Snippet,
    /// The whole text and what is known about it.
    Full,
}

/// Whose thoughts are looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthorFilter {
    /// The human user's.
    User,
    /// The agents'.
    Agent,
    /// Everyone's.
    All,
}

impl AuthorFilter {
    /// Whether thoughts of the human user pass.
    pub const fn admits_user(self) -> bool {
        matches!(self, Self::User | Self::All)
    }

    /// Whether thoughts of agents pass.
    pub const fn admits_agents(self) -> bool {
        matches!(self, Self::Agent | Self::All)
    }
}

/// Where a page of the browse order ended: what follows is strictly older.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// When the last thought of the page was created.
    pub created_at: Time,
    /// That thought; without it, everything created at that very time is skipped too.
    pub id: Option<ThoughtId>,
}

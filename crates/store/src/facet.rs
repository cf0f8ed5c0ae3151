//! What filters look at, in one number: a back end stores it and hands it out with each entry of the log.
//!
//! The numbers are part of every stored log: they never change.

use model::{Author, Status, Thought};

use crate::contract::Visible;

/// What filters look at: status and author of a thought; a note is filtered by its thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facet(u8);

impl Facet {
    /// A note that is attached.
    pub const NOTE: Self = Self(6);
    /// A note that has been removed.
    pub const REMOVED: Self = Self(7);
    /// An entry that has been replaced, or a number nobody has any more.
    pub(crate) const DEAD: Self = Self(8);

    /// The facet of a thought.
    pub fn of(thought: &Thought) -> Self {
        Self::with(thought.status, matches!(thought.author, Author::Agent { .. }))
    }

    /// The facet of thoughts with that status, of an agent or of the human user.
    pub const fn with(status: Status, of_agent: bool) -> Self {
        Self(status_number(status) * 2 + of_agent as u8)
    }

    /// The facets of the thoughts that may be seen.
    pub(crate) fn admitted(visible: Visible) -> Vec<Self> {
        let authors = [(false, visible.author.admits_user()), (true, visible.author.admits_agents())];
        let admitted = authors.into_iter().filter(|(_, admitted)| *admitted);
        admitted.map(|(of_agent, _)| Self::with(visible.status, of_agent)).collect()
    }

    /// The facets of thoughts that are not archived.
    pub(crate) const NOT_ARCHIVED: [Self; 4] = [
        Self::with(Status::Open, false),
        Self::with(Status::Open, true),
        Self::with(Status::Completed, false),
        Self::with(Status::Completed, true),
    ];

    /// The facets of thoughts: three states times two kinds of authors.
    pub(crate) const OF_THOUGHTS: [Self; 6] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// How many there are, [`DEAD`](Self::DEAD) included.
    pub(crate) const COUNT: usize = 9;

    /// Reads back a stored number.
    pub fn from_number(number: u8) -> Option<Self> {
        (number <= Self::REMOVED.0).then_some(Self(number))
    }

    /// The number to store.
    pub const fn number(self) -> u8 {
        self.0
    }

    pub(crate) const fn is_searched(self) -> bool {
        self.0 <= Self::NOTE.0
    }
}

/// The number a status is stored as.
pub const fn status_number(status: Status) -> u8 {
    match status {
        Status::Open => 0,
        Status::Completed => 1,
        Status::Archived => 2,
    }
}

/// Reads back what [`status_number`] gave.
pub fn status_of(number: u8) -> Option<Status> {
    Status::ALL.into_iter().find(|status| status_number(*status) == number)
}

//! Which thoughts a question is about.

use model::{Author, AuthorFilter, Status, Thought};

/// Which thoughts may be seen.
#[derive(Debug, Clone, Copy)]
pub struct Visible {
    /// The status they have.
    pub status: Status,
    /// Whose they are.
    pub author: AuthorFilter,
}

impl Visible {
    /// What is open.
    #[must_use]
    pub const fn open(author: AuthorFilter) -> Self {
        Self { status: Status::Open, author }
    }

    /// Whether the thought is one of them.
    #[must_use]
    pub fn admits(self, thought: &Thought) -> bool {
        let author_admitted = match thought.author {
            Author::User => self.author.admits_user(),
            Author::Agent { .. } => self.author.admits_agents(),
        };
        author_admitted && thought.status == self.status
    }
}

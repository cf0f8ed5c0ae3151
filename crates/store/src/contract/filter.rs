//! Which thoughts a person wants to see.

use annotate::entities::EntityKey;
use model::{Author, Category, Status, Thought, Time};

/// Which thoughts a person wants to see; what is not said admits all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The status they have.
    pub status: Option<Status>,
    /// Whose they are.
    pub whose: Whose,
    /// What kind of thoughts they are.
    pub category: Option<Category>,
    /// What they mention, under any of its names.
    pub entity: Option<EntityKey>,
    /// The first moment they may be about.
    pub from: Option<Time>,
    /// The first moment they may not be about any more.
    pub to: Option<Time>,
}

/// Whose thoughts a person wants to see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Whose {
    /// Everybody's.
    #[default]
    Everybodys,
    /// The person's own.
    Users,
    /// Those of agents.
    Agents,
    /// Those of one agent.
    Agent(String),
}

impl Filter {
    /// Whether it admits a thought, as far as the thought itself tells: what it mentions it does not.
    #[must_use]
    pub fn admits(&self, thought: &Thought) -> bool {
        let by = match (&self.whose, &thought.author) {
            (Whose::Everybodys, _) | (Whose::Users, Author::User) | (Whose::Agents, Author::Agent { .. }) => true,
            (Whose::Agent(wanted), Author::Agent { name }) => wanted == name,
            _ => false,
        };
        by && self.status.is_none_or(|status| status == thought.status)
            && self.category.is_none_or(|category| category == thought.category)
            && self.from.is_none_or(|from| thought.captured_at >= from)
            && self.to.is_none_or(|to| thought.captured_at < to)
    }
}

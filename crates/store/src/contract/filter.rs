//! Which thoughts a person wants to see.

use std::sync::Arc;

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

/// The thoughts of an account that a filter admits, looked up once for all the questions of a search.
#[derive(Debug, Clone)]
pub struct Among {
    filter: Filter,
    /// A bit for each row.
    rows: Arc<[u64]>,
}

impl Among {
    /// The thoughts at these rows, which the filter admits.
    pub fn new(filter: Filter, rows: &[u32]) -> Self {
        let mut bits = vec![0_u64; rows.iter().max().map_or(0, |last| *last as usize / 64 + 1)];
        rows.iter().for_each(|row| bits[*row as usize / 64] |= 1 << (row % 64));
        Self { filter, rows: bits.into() }
    }

    /// What they were chosen by.
    #[must_use]
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Whether the thought at a row is one of them.
    pub(crate) fn contains(&self, row: u32) -> bool {
        self.rows.get(row as usize / 64).is_some_and(|bits| bits & (1 << (row % 64)) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_rows_it_was_given_are_among_them() {
        let among = Among::new(Filter::default(), &[0, 63, 64, 200]);
        let found: Vec<u32> = (0..1_000).filter(|row| among.contains(*row)).collect();
        assert_eq!(found, [0, 63, 64, 200]);
        assert!(!Among::new(Filter::default(), &[]).contains(0));
    }
}

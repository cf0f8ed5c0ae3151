//! What counts and duplicates are told from, kept in memory from the first time somebody asks: twelve and sixteen bytes a thought.
//!
//! Going through a hundred thousand thoughts takes a tenth of a second; an open page asks again after every change. So a back end
//! hands over all of them once, and then what its log says has changed since the mark it was last at.

use std::hash::{BuildHasher, RandomState};

use rustc_hash::FxHashMap;

use model::Category;

use super::log::Row;
use crate::contract::{Census, ChangeMark};

/// A day, in microseconds.
const DAY_MICROS: i64 = 86_400_000_000;

/// What is known of the thoughts of an account.
#[derive(Default)]
pub struct Tally {
    facts: Followed<Facts>,
    texts: Followed<Option<TextHash>>,
    agents: Agents,
    hashers: [RandomState; 2],
}

/// What a thought counts as, row by row as it is stored.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'a> {
    /// Its status, by number.
    pub status: i64,
    /// Its category, by name.
    pub category: &'a str,
    /// The time it is about, in microseconds.
    pub captured_at: i64,
    /// The agent's name; `None` for the person.
    pub agent_name: Option<&'a str>,
}

/// A value that no back end writes: which column, and what was there.
pub type Unexpected = (&'static str, String);

/// Something of each thought, in the order of rows, as it was at a mark.
struct Followed<T> {
    seen: Option<ChangeMark>,
    all: Vec<T>,
}

impl<T> Default for Followed<T> {
    fn default() -> Self {
        Self { seen: None, all: Vec::new() }
    }
}

/// What a thought counts as.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts {
    /// `None` for a number that no row has.
    status: Option<u8>,
    category: u8,
    /// The number of the agent; 0 for the person.
    agent: u32,
    day: i32,
}

/// Stands for a text. Nobody can choose two texts with the same one, and by chance there are none.
pub type TextHash = [u64; 2];

/// The names of agents, each with a number from 1 on.
#[derive(Default)]
struct Agents {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

impl Agents {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.names.push(name.to_owned());
        let number = u32::try_from(self.names.len()).expect("there are no more agents than thoughts");
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

impl<T: Clone + Default> Followed<T> {
    fn take(&mut self, mark: ChangeMark, found: Vec<(Row, T)>) -> Result<(), Unexpected> {
        // Rows are dense; a damaged store may say otherwise, and room is not made for what is not there.
        let rows = self.all.len().max(1);
        let new = found.iter().filter(|(row, _)| *row as usize >= rows).count();
        if let Some((row, _)) = found.iter().find(|(row, _)| *row as usize >= rows + new) {
            return Err(("row", row.to_string()));
        }
        self.all.resize(rows + new, T::default());
        for (row, one) in found {
            self.all[row as usize] = one;
        }
        self.seen = Some(mark);
        Ok(())
    }
}

impl Tally {
    /// The mark at which all thoughts have been counted; `None` before the first time.
    pub fn counted_at(&self) -> Option<ChangeMark> {
        self.facts.seen
    }

    /// The mark at which all texts have been compared; `None` before the first time.
    pub fn compared_at(&self) -> Option<ChangeMark> {
        self.texts.seen
    }

    /// What a thought counts as, for [`count`](Self::count).
    pub fn facts(&mut self, counted: Counted<'_>) -> Result<Facts, Unexpected> {
        let Counted { status, category, captured_at, agent_name } = counted;
        let is_known = |status: &u8| usize::from(*status) < Census::default().status.len();
        let known_status = u8::try_from(status).ok().filter(is_known);
        let known = Category::ALL.iter().position(|known| known.as_str() == category);
        Ok(Facts {
            status: Some(known_status.ok_or_else(|| ("status", status.to_string()))?),
            category: known.ok_or_else(|| ("category", category.to_owned()))? as u8,
            agent: agent_name.map_or(0, |name| self.agents.number(name)),
            day: i32::try_from(captured_at.div_euclid(DAY_MICROS))
                .expect("64 bits of microseconds are 27 bits of days"),
        })
    }

    /// Takes in all thoughts, or those that have changed since the mark before: from now on it is at this one.
    pub fn count(&mut self, mark: ChangeMark, found: Vec<(Row, Facts)>) -> Result<(), Unexpected> {
        self.facts.take(mark, found)
    }

    /// What stands for a text, for [`compare`](Self::compare); white space around it does not matter.
    pub fn text_hash(&self, text: &str) -> TextHash {
        self.hashers.each_ref().map(|hasher| hasher.hash_one(text.trim()))
    }

    /// Takes in the texts of all thoughts, or of those that have changed since the mark before; `None` for an archived one.
    pub fn compare(&mut self, mark: ChangeMark, found: Vec<(Row, Option<TextHash>)>) -> Result<(), Unexpected> {
        self.texts.take(mark, found)
    }

    /// The thoughts by everything that they themselves tell.
    pub fn census(&self) -> Census {
        let mut census = Census::default();
        let mut days: FxHashMap<i32, u64> = FxHashMap::default();
        let mut by_agent = vec![0; self.agents.names.len() + 1];
        for Facts { status, category, agent, day } in &self.facts.all {
            let Some(status) = status else { continue };
            census.status[usize::from(*status)] += 1;
            census.categories[usize::from(*category)] += 1;
            by_agent[*agent as usize] += 1;
            *days.entry(*day).or_default() += 1;
        }
        census.users = by_agent[0];
        let counted = self.agents.names.iter().cloned().zip(by_agent.into_iter().skip(1));
        census.agents = counted.filter(|(_, count)| *count > 0).collect();
        census.agents.sort_unstable_by(|(name, count), (other, more)| more.cmp(count).then_with(|| name.cmp(other)));
        census.days = days.into_iter().map(|(day, count)| (i64::from(day), count)).collect();
        census.days.sort_unstable();
        census
    }

    /// The rows of thoughts with the same text, in the order of storing, that with the oldest first. Archived ones are left out.
    pub fn duplicates(&self) -> Vec<Vec<Row>> {
        let hashed = self.texts.all.iter().zip(0..).filter_map(|(hash, row)| Some(((*hash)?, row)));
        let mut hashed: Vec<(TextHash, Row)> = hashed.collect();
        hashed.sort_unstable();
        let same = hashed.chunk_by(|(hash, _), (other, _)| hash == other).filter(|same| same.len() > 1);
        let mut groups: Vec<Vec<Row>> = same.map(|same| same.iter().map(|(_, row)| *row).collect()).collect();
        groups.sort_unstable();
        groups
    }
}

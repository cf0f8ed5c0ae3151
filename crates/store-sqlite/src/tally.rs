//! What counts and duplicates are told from, kept in memory from the first time somebody asks: twelve and sixteen bytes a thought.
//!
//! Going through a hundred thousand thoughts takes a tenth of a second; an open page asks again after every change. So only what
//! the log says has changed is read again, in the transaction that is asked in: the tally is never behind it.

use std::hash::{BuildHasher, RandomState};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row as SqlRow, params};
use rustc_hash::FxHashMap;

use model::Category;
use store::backend::Row;
use store::{Census, ChangeMark, StoreError, status_number};

use crate::database::{damaged, error};
use crate::statement::{list, value};
use crate::thoughts;

/// Where the log of an account stands.
pub(crate) fn mark(connection: &Connection) -> Result<ChangeMark, StoreError> {
    let last = thoughts::last(connection)?;
    let vector = value(connection, "SELECT coalesce(max(seq), 0) FROM vector", [])?;
    Ok(ChangeMark { row: last.row, entry: last.entry, vector })
}

/// The thoughts that have changed since a mark, given as row, entry and vector.
macro_rules! changed_rows {
    () => {
        "SELECT row FROM thought WHERE row > ?1
         UNION SELECT thought FROM lexical WHERE seq > ?2
         UNION SELECT thought FROM vector WHERE seq > ?3"
    };
}
pub(crate) use changed_rows;

/// A day, in microseconds.
const DAY_MICROS: i64 = 86_400_000_000;

/// What is known of the thoughts of an account.
#[derive(Default)]
pub(crate) struct Tally {
    facts: Followed<Facts>,
    texts: Followed<Option<TextHash>>,
    agents: Agents,
    hashers: [RandomState; 2],
}

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
#[derive(Clone, Copy, Default)]
struct Facts {
    /// `None` for a number that no row has.
    status: Option<u8>,
    category: u8,
    /// The number of the agent; 0 for the person.
    agent: u32,
    day: i32,
}

/// Stands for a text. Nobody can choose two texts with the same one, and by chance there are none.
type TextHash = [u64; 2];

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
    /// Reads again what has changed; `all` reads every thought and `changed` those of [`changed_rows`], row first.
    fn follow(
        &mut self,
        connection: &Connection,
        [all, changed]: [&str; 2],
        mut read: impl FnMut(&SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<(), StoreError> {
        let mark = mark(connection)?;
        let mut read = |found: &SqlRow<'_>| Ok((found.get::<_, Row>(0).map_err(error)? as usize, read(found)?));
        let found: Vec<(usize, T)> = match self.seen {
            Some(seen) if seen == mark => return Ok(()),
            Some(seen) => list(connection, changed, params![seen.row, seen.entry, seen.vector], &mut read)?,
            None => list(connection, all, [], &mut read)?,
        };
        // Rows are dense; a damaged file may say otherwise, and room is not made for what is not there.
        let rows = self.all.len().max(1);
        let new = found.iter().filter(|(row, _)| *row >= rows).count();
        if let Some((row, _)) = found.iter().find(|(row, _)| *row >= rows + new) {
            return Err(damaged("row", row));
        }
        self.all.resize(rows + new, T::default());
        for (row, one) in found {
            self.all[row] = one;
        }
        self.seen = Some(mark);
        Ok(())
    }
}

impl Tally {
    /// Counts the thoughts, by everything that the thoughts themselves tell.
    pub(crate) fn census(&mut self, connection: &Connection) -> Result<Census, StoreError> {
        const COLUMNS: [&str; 2] = [
            "SELECT row, status, category, captured_at, agent_name FROM thought INDEXED BY thought_listed",
            concat!(
                "SELECT row, status, category, captured_at, agent_name FROM thought WHERE row IN (",
                changed_rows!(),
                ")"
            ),
        ];
        let Self { facts, agents, .. } = self;
        facts.follow(connection, COLUMNS, |row| read_facts(row, agents))?;
        let mut census = Census::default();
        let mut days: FxHashMap<i32, u64> = FxHashMap::default();
        let mut by_agent = vec![0; agents.names.len() + 1];
        for Facts { status, category, agent, day } in &facts.all {
            let Some(status) = status else { continue };
            census.status[usize::from(*status)] += 1;
            census.categories[usize::from(*category)] += 1;
            by_agent[*agent as usize] += 1;
            *days.entry(*day).or_default() += 1;
        }
        census.users = by_agent[0];
        let counted = agents.names.iter().cloned().zip(by_agent.into_iter().skip(1));
        census.agents = counted.filter(|(_, count)| *count > 0).collect();
        census.agents.sort_unstable_by(|(name, count), (other, more)| more.cmp(count).then_with(|| name.cmp(other)));
        census.days = days.into_iter().map(|(day, count)| (i64::from(day), count)).collect();
        census.days.sort_unstable();
        Ok(census)
    }

    /// The rows of thoughts with the same text, in the order of storing, that with the oldest first. Archived ones are left out.
    pub(crate) fn duplicates(&mut self, connection: &Connection) -> Result<Vec<Vec<Row>>, StoreError> {
        const COLUMNS: [&str; 2] = [
            "SELECT row, status, raw_text FROM thought",
            concat!("SELECT row, status, raw_text FROM thought WHERE row IN (", changed_rows!(), ")"),
        ];
        let Self { texts, hashers, .. } = self;
        texts.follow(connection, COLUMNS, |row| {
            if row.get::<_, u8>(1).map_err(error)? == status_number(model::Status::Archived) {
                return Ok(None);
            }
            let text = text(row, 2, "raw_text")?.unwrap_or_default().trim();
            Ok(Some(hashers.each_ref().map(|hasher| hasher.hash_one(text))))
        })?;
        let hashed = texts.all.iter().zip(0..).filter_map(|(hash, row)| Some(((*hash)?, row)));
        let mut hashed: Vec<(TextHash, Row)> = hashed.collect();
        hashed.sort_unstable();
        let same = hashed.chunk_by(|(hash, _), (other, _)| hash == other).filter(|same| same.len() > 1);
        let mut groups: Vec<Vec<Row>> = same.map(|same| same.iter().map(|(_, row)| *row).collect()).collect();
        groups.sort_unstable();
        Ok(groups)
    }
}

fn read_facts(row: &SqlRow<'_>, agents: &mut Agents) -> Result<Facts, StoreError> {
    let status: u8 = row.get(1).map_err(error)?;
    if usize::from(status) >= Census::default().status.len() {
        return Err(damaged("status", status));
    }
    let category = text(row, 2, "category")?.unwrap_or_default();
    let known = Category::ALL.iter().position(|known| known.as_str() == category);
    let captured_at: i64 = row.get(3).map_err(error)?;
    Ok(Facts {
        status: Some(status),
        category: known.ok_or_else(|| damaged("category", category))? as u8,
        agent: text(row, 4, "agent_name")?.map_or(0, |name| agents.number(name)),
        day: i32::try_from(captured_at.div_euclid(DAY_MICROS)).expect("64 bits of microseconds are 27 bits of days"),
    })
}

/// A text read in place: one of its own for each of a hundred thousand rows would take as long as the rest.
fn text<'row>(row: &'row SqlRow<'_>, column: usize, name: &'static str) -> Result<Option<&'row str>, StoreError> {
    match row.get_ref(column).map_err(error)? {
        ValueRef::Null => Ok(None),
        value => value.as_str().map(Some).map_err(|cause| damaged(name, cause)),
    }
}

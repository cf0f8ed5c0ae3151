//! Links between thoughts: stored, bounded, and the thoughts that may be linked.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use model::{Status, Thought, ThoughtId};
use store::{Relative, Relatives, StoreError};

use super::account::AccountFile;
use super::database::error;
use super::meaning::{Close, LazySets, Model};
use super::row::{ThoughtRow, damaged, status_number};
use super::statement::{execute, list, value};
use super::thoughts::{by_row, get, row_of};
use super::{entities, meaning};

/// How many of the links that lead to a thought are shown; those it was given itself are few.
const INCOMING_SHOWN: usize = 8;

/// How many links lead to a thought at most; the weakest give way. More than are shown: whoever is not shown here still
/// shows this one.
const INCOMING_MAX: usize = 64;

/// How many of the thoughts closest in meaning are looked at.
const CLOSEST: usize = 12;

/// The facets of open and completed thoughts of either kind of author.
const NOT_ARCHIVED: [u8; 4] = [0, 1, 2, 3];

/// How many of the newest thoughts that mention an entity are looked at.
const MENTIONING: usize = 32;

/// An entity in more thoughts than this share of the account joins nothing in particular.
const COMMON_SHARE: f64 = 0.05;

/// In an account of few thoughts, an entity in fewer than this is not common.
const COMMON_MIN: f64 = 12.0;

/// How many of the thoughts stored before are looked at.
const PRECEDING: i64 = 3;

/// Stores the links of a thought in place of those it had.
pub(super) fn store(connection: &Connection, row: i64, linked: &[(ThoughtId, f32)]) -> Result<(), StoreError> {
    execute(connection, "DELETE FROM link WHERE thought = ?1", [row])?;
    for (id, weight) in linked {
        let other = row_of(connection, *id)?;
        let Some(other) = other.filter(|other| *other != row) else { continue };
        let sql = "INSERT OR REPLACE INTO link (thought, other, weight) VALUES (?1, ?2, ?3)";
        let values = params![row, other, f64::from(*weight)];
        execute(connection, sql, values)?;
        let sql = "DELETE FROM link WHERE other = ?1 AND thought IN (
                       SELECT thought FROM link WHERE other = ?1 ORDER BY weight DESC, thought LIMIT -1 OFFSET ?2)";
        let values = params![other, INCOMING_MAX as i64];
        execute(connection, sql, values)?;
    }
    Ok(())
}

/// Takes away the links of a thought in both directions.
pub(super) fn clear(connection: &Connection, row: i64) -> Result<(), StoreError> {
    for sql in ["DELETE FROM link WHERE thought = ?1", "DELETE FROM link WHERE other = ?1"] {
        execute(connection, sql, [row])?;
    }
    Ok(())
}

/// The thoughts linked with one, strongest first, archived ones left out.
pub(super) fn linked(connection: &Connection, row: i64) -> Result<Vec<(i64, ThoughtId, f32)>, StoreError> {
    let sql = "SELECT thought.row, thought.id, max(both.weight)
               FROM (SELECT other, weight FROM link WHERE thought = ?1
                     UNION ALL SELECT * FROM (SELECT thought, weight FROM link WHERE other = ?1
                                              ORDER BY weight DESC, thought LIMIT ?3)) AS both
               JOIN thought ON thought.row = both.other
               WHERE thought.status <> ?2
               GROUP BY thought.row
               ORDER BY max(both.weight) DESC, thought.id";
    let params = params![row, status_number(Status::Archived), INCOMING_SHOWN as i64];
    list(connection, sql, params, |found| {
        let id =
            ThoughtId::from_slice(&super::row::blob(found, 1)?).ok_or_else(|| damaged("id", "of another length"))?;
        let weight: f64 = found.get(2).map_err(error)?;
        Ok((found.get(0).map_err(error)?, id, weight as f32))
    })
}

/// How many thoughts are compared with all others at once. More would not be faster, and would shut out for longer whoever has
/// new vectors to take in.
const COMPARED_AT_ONCE: usize = 4;

impl AccountFile {
    /// For each of these thoughts, those that may be linked with it, and what speaks for it.
    pub(super) async fn relatives(&self, ids: Vec<ThoughtId>, model: String) -> Result<Vec<Relatives>, StoreError> {
        let sets = self.sets.clone();
        self.database
            .read(move |connection| {
                let population = highest_row(connection)?;
                let model = meaning::latest_model(connection, &model)?;
                let mut relatives = Vec::with_capacity(ids.len());
                for ids in ids.chunks(COMPARED_AT_ONCE) {
                    let found = ids.iter().map(|id| get(connection, *id)).collect::<Result<Vec<_>, _>>()?;
                    let rows: Vec<Option<i64>> =
                        found.iter().map(|found| found.as_ref().map(|found| found.row)).collect();
                    let close = closest(connection, &sets, model.as_ref(), &rows)?;
                    for (found, (close, typical_cosine)) in found.into_iter().zip(close) {
                        let candidates = match found {
                            Some(found) => candidates(connection, &found, &close, population)?,
                            None => Vec::new(),
                        };
                        relatives.push(Relatives { candidates, typical_cosine, population });
                    }
                }
                Ok(relatives)
            })
            .await
    }
}

/// For each thought, those closest in meaning, and the typical cosine; nothing for one without a vector.
fn closest(
    connection: &Connection,
    sets: &LazySets,
    model: Option<&Model>,
    rows: &[Option<i64>],
) -> Result<Vec<(Vec<Close>, f32)>, StoreError> {
    let mut closest = vec![(Vec::new(), 0.0); rows.len()];
    let Some(model) = model else { return Ok(closest) };
    let mut openings = Vec::with_capacity(rows.len());
    for (place, row) in rows.iter().enumerate() {
        let opening = row.map_or(Ok(None), |row| meaning::opening(connection, model, row))?;
        openings.extend(opening.map(|opening| (place, opening)));
    }
    let (places, openings): (Vec<usize>, Vec<Vec<f32>>) = openings.into_iter().unzip();
    meaning::with_current(sets, connection, model, |set| {
        let vectors: Vec<&[f32]> = openings.iter().map(Vec::as_slice).collect();
        let found = set.search(&vectors, CLOSEST + 1, &NOT_ARCHIVED);
        for ((place, opening), close) in places.into_iter().zip(&openings).zip(found) {
            closest[place] = (close, set.typical_cosine(opening));
        }
    })?;
    Ok(closest)
}

/// What may be linked with a thought: what is close in meaning, what shares an entity, what came just before.
fn candidates(
    connection: &Connection,
    found: &ThoughtRow,
    close: &[Close],
    population: u64,
) -> Result<Vec<Relative>, StoreError> {
    let mut candidates: BTreeMap<i64, (Option<f32>, Vec<u64>)> = BTreeMap::new();
    for close in close {
        candidates.entry(i64::from(close.thought)).or_default().0 = Some(close.cosine);
    }
    let common = (population as f64 * COMMON_SHARE).max(COMMON_MIN) as u64;
    for group in entities::groups_of(connection, found.row)? {
        if group.thoughts > common {
            continue;
        }
        for row in entities::thoughts_of(connection, &group, MENTIONING + 1)? {
            candidates.entry(row).or_default().1.push(group.thoughts);
        }
    }
    for row in (found.row - PRECEDING).max(1)..found.row {
        candidates.entry(row).or_default();
    }
    candidates.remove(&found.row);
    let mut relatives = Vec::with_capacity(candidates.len());
    for (row, (cosine, shared)) in candidates {
        let other = by_row(connection, row)?.filter(|other| other.status != Status::Archived);
        relatives.extend(other.map(|other| relative(&found.thought, &other, cosine, shared)));
    }
    Ok(relatives)
}

fn relative(thought: &Thought, other: &Thought, cosine: Option<f32>, shared: Vec<u64>) -> Relative {
    let apart = thought.captured_at.as_micros().abs_diff(other.captured_at.as_micros());
    Relative {
        thought: other.id,
        cosine,
        shared,
        apart_seconds: apart / 1_000_000,
        same_source: thought.author == other.author,
    }
}

/// How many thoughts there are: rows are numbered without gaps.
pub(super) fn highest_row(connection: &Connection) -> Result<u64, StoreError> {
    value(connection, "SELECT coalesce(max(row), 0) FROM thought", [])
}

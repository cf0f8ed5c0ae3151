//! Thoughts that have the same text.
//!
//! An index over texts would cost every capture; a hundred thousand texts are read and hashed in less time than a person notices.

use std::hash::{Hash, Hasher};

use rusqlite::Connection;
use rustc_hash::{FxHashMap, FxHasher};

use store::backend::Row;
use store::{DUPLICATES_SHOWN, DuplicateGroup, Duplicates, StoreError};

use crate::database::{damaged, error};
use crate::statement::each;
use crate::thoughts;

pub(crate) fn page(connection: &Connection, skip: usize, limit: usize) -> Result<Duplicates, StoreError> {
    let groups = groups(connection)?;
    let mut duplicates = Duplicates { total: groups.len() as u64, ..Duplicates::default() };
    for rows in groups.into_iter().skip(skip).take(limit) {
        let mut shown = Vec::new();
        for row in rows.iter().take(DUPLICATES_SHOWN) {
            shown.extend(thoughts::by_row(connection, *row)?);
        }
        let more = (rows.len() - shown.len()) as u64;
        duplicates.groups.push(DuplicateGroup { thoughts: shown, more });
    }
    Ok(duplicates)
}

/// The rows of thoughts with the same text, in the order of storing, that with the oldest first.
fn groups(connection: &Connection) -> Result<Vec<Vec<Row>>, StoreError> {
    let mut by_hash: FxHashMap<(u64, usize), Vec<Row>> = FxHashMap::default();
    let sql = "SELECT row, raw_text FROM thought WHERE status <> 2 ORDER BY row";
    each(connection, sql, [], |found| {
        let text = found.get_ref(1).map_err(error)?.as_str().map_err(|cause| damaged("raw_text", cause))?.trim();
        let mut hasher = FxHasher::default();
        text.hash(&mut hasher);
        by_hash.entry((hasher.finish(), text.len())).or_default().push(found.get(0).map_err(error)?);
        Ok(())
    })?;
    let mut groups = Vec::new();
    for rows in by_hash.into_values().filter(|rows| rows.len() > 1) {
        groups.extend(really_same(connection, rows)?);
    }
    groups.sort_unstable();
    Ok(groups)
}

/// Tells apart what only hashes the same.
fn really_same(connection: &Connection, rows: Vec<Row>) -> Result<Vec<Vec<Row>>, StoreError> {
    let mut by_text: Vec<(String, Vec<Row>)> = Vec::new();
    for row in rows {
        let Some(thought) = thoughts::by_row(connection, row)? else { continue };
        let text = thought.raw_text.as_str().trim();
        match by_text.iter_mut().find(|(known, _)| known == text) {
            Some((_, same)) => same.push(row),
            None => by_text.push((text.to_owned(), vec![row])),
        }
    }
    Ok(by_text.into_iter().map(|(_, same)| same).filter(|same| same.len() > 1).collect())
}

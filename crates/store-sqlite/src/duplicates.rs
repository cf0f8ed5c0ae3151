//! Thoughts that have the same text.

use rusqlite::Connection;

use store::backend::Row;
use store::{DUPLICATES_SHOWN, DuplicateGroup, Duplicates, StoreError};

use crate::thoughts;

/// A page of the groups, each given by its rows.
pub(crate) fn page(
    connection: &Connection,
    groups: Vec<Vec<Row>>,
    skip: usize,
    limit: usize,
) -> Result<Duplicates, StoreError> {
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

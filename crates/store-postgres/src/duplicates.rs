//! Thoughts that have the same text.

use model::{AccountId, Thought};
use store::backend::Row;
use store::{DUPLICATES_SHOWN, DuplicateGroup, Duplicates, StoreError};

use crate::connection::Connection;
use crate::looked_up;

/// A page of the groups, each given by its rows.
pub(crate) async fn page(
    connection: &mut Connection,
    account: AccountId,
    groups: Vec<Vec<Row>>,
    skip: usize,
    limit: usize,
) -> Result<Duplicates, StoreError> {
    let mut duplicates = Duplicates { total: groups.len() as u64, ..Duplicates::default() };
    let shown: Vec<Vec<Row>> = groups.into_iter().skip(skip).take(limit).collect();
    let wanted: Vec<Row> = shown.iter().flat_map(|rows| rows.iter().take(DUPLICATES_SHOWN)).copied().collect();
    let mut thoughts = looked_up::thoughts(connection, account, &wanted).await?;
    for rows in shown {
        let shown: Vec<Thought> = rows.iter().filter_map(|row| thoughts.remove(row)).collect();
        let more = (rows.len() - shown.len()) as u64;
        duplicates.groups.push(DuplicateGroup { thoughts: shown, more });
    }
    Ok(duplicates)
}

//! Thoughts that have the same text.
//!
//! An index over texts would cost every capture, and hashing all texts of an account in the database takes less time than a person
//! notices. Only texts that hash the same come over, to be told apart without the white space at their ends.

use rustc_hash::FxHashMap;

use model::{AccountId, Thought};
use store::backend::Row;
use store::{DUPLICATES_SHOWN, DuplicateGroup, Duplicates, StoreError};

use crate::connection::Connection;
use crate::row::{self, Stored, rows, small, text, thought_columns};
use crate::statement::statements;

statements! {
    // Cut off is what both this and the program take for white space; the rest is told apart by the program.
    CANDIDATES, Account:
        "SELECT thought.row, thought.raw_text FROM thought
         WHERE thought.account_id = $1 AND thought.row IN (
             SELECT unnest(same.rows) FROM (
                 SELECT array_agg(other.row) AS rows FROM thought AS other
                 WHERE other.account_id = $1 AND other.status <> 2
                 GROUP BY sha256(btrim(other.raw_text, '\\x090a0b0c0d20c285a0e19a80e281828384868788898aa8a9af9fe3'::bytea))
                 HAVING count(*) > 1) AS same)
         ORDER BY thought.row";
    READ, Account: concat!("SELECT ", thought_columns!(), " FROM thought WHERE account_id = $1 AND thought.row = ANY ($2)");
}

pub(crate) async fn page(
    connection: &mut Connection,
    account: AccountId,
    skip: usize,
    limit: usize,
) -> Result<Duplicates, StoreError> {
    let mut by_text: FxHashMap<String, Vec<Row>> = FxHashMap::default();
    for found in connection.query(&CANDIDATES, &[&account.stored()]).await? {
        let text = text(&found, 1)?;
        by_text.entry(text.trim().to_owned()).or_default().push(small(&found, 0)?);
    }
    let mut groups: Vec<Vec<Row>> = by_text.into_values().filter(|rows| rows.len() > 1).collect();
    groups.sort_unstable();
    let mut duplicates = Duplicates { total: groups.len() as u64, ..Duplicates::default() };
    let shown: Vec<Vec<Row>> = groups.into_iter().skip(skip).take(limit).collect();
    let wanted: Vec<Row> = shown.iter().flat_map(|rows| rows.iter().take(DUPLICATES_SHOWN)).copied().collect();
    let found = connection.query(&READ, &[&account.stored(), &rows(&wanted)]).await?;
    let mut thoughts: FxHashMap<Row, Thought> =
        row::thoughts(&found)?.into_iter().map(|found| (found.row, found.thought)).collect();
    for rows in shown {
        let shown: Vec<Thought> = rows.iter().filter_map(|row| thoughts.remove(row)).collect();
        let more = (rows.len() - shown.len()) as u64;
        duplicates.groups.push(DuplicateGroup { thoughts: shown, more });
    }
    Ok(duplicates)
}

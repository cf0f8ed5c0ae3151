//! Thoughts looked up by their rows or ids, one by one.
//!
//! `row = ANY (…)` leaves it to the planner how: an account it takes for empty, as it does with a large new one beside some it knows
//! until the server counts again, it walks through.

use rustc_hash::FxHashMap;
use uuid::Uuid;

use model::{AccountId, Thought, ThoughtId};
use store::StoreError;
use store::backend::{FormedThought, Row};

use crate::connection::Connection;
use crate::row::{self, Stored, THOUGHT_COLUMNS, rows, small, thought_columns, thought_id};
use crate::statement::statements;

/// The thought of each wanted row.
macro_rules! of_each_row {
    () => {
        concat!(
            " FROM unnest($2::bigint[]) AS wanted (row) CROSS JOIN LATERAL (
                  SELECT ",
            thought_columns!(),
            " FROM thought
                  WHERE thought.account_id = $1 AND thought.row = wanted.row LIMIT 1) AS found"
        )
    };
}

statements! {
    READ, Account: concat!("SELECT found.*", of_each_row!());
    READ_FORMED, Account: concat!(
        "SELECT found.*, formed.words, formed.text, CASE WHEN formed.words IS NULL THEN found.raw_text END", of_each_row!(), "
         LEFT JOIN LATERAL (
             SELECT form.words, form.text FROM form WHERE form.account_id = $1 AND form.thought = wanted.row LIMIT 1) AS formed
             ON true"
    );
    ROWS_OF, Account: "SELECT wanted.id, found.row FROM unnest($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
                           SELECT thought.row FROM thought
                           WHERE thought.account_id = $1 AND thought.id = wanted.id LIMIT 1) AS found";
}

/// The thoughts of these rows, of those that there are.
pub(crate) async fn thoughts(
    connection: &mut Connection,
    account: AccountId,
    wanted: &[Row],
) -> Result<FxHashMap<Row, Thought>, StoreError> {
    if wanted.is_empty() {
        return Ok(FxHashMap::default());
    }
    let found = connection.query(&READ, &[&account.stored(), &rows(wanted)]).await?;
    Ok(row::thoughts(&found)?.into_iter().map(|found| (found.row, found.thought)).collect())
}

/// The same with their lexical forms.
pub(crate) async fn formed(
    connection: &mut Connection,
    account: AccountId,
    wanted: &[Row],
) -> Result<FxHashMap<Row, FormedThought>, StoreError> {
    if wanted.is_empty() {
        return Ok(FxHashMap::default());
    }
    let found = connection.query(&READ_FORMED, &[&account.stored(), &rows(wanted)]).await?;
    let formed = |found| {
        let form = row::form(found, THOUGHT_COLUMNS)?;
        let found = row::thought(found)?;
        Ok((found.row, FormedThought { row: found.row, thought: found.thought, form }))
    };
    found.iter().map(formed).collect()
}

/// The rows of these thoughts, of those that there are.
pub(crate) async fn rows_of(
    connection: &mut Connection,
    account: AccountId,
    thoughts: impl IntoIterator<Item = ThoughtId>,
) -> Result<FxHashMap<ThoughtId, Row>, StoreError> {
    let ids: Vec<Uuid> = thoughts.into_iter().map(|thought| thought.stored()).collect();
    if ids.is_empty() {
        return Ok(FxHashMap::default());
    }
    let found = connection.query(&ROWS_OF, &[&account.stored(), &ids]).await?;
    found.iter().map(|found| Ok((thought_id(found, 0)?, small(found, 1)?))).collect()
}

//! The revisions of thoughts.

use tokio_postgres::Row as SqlRow;

use model::{AccountId, Revision, RevisionKind, ThoughtId};
use store::StoreError;
use store::backend::Row;

use crate::connection::Connection;
use crate::error::damaged;
use crate::row::{Stored, get, limit, optional_text, small, status, status_number, text, time};
use crate::statement::statements;

macro_rules! revision_columns {
    () => {
        "revision.number, revision.at, revision.kind, revision.by, revision.text_before, revision.text_after,
         revision.status_before, revision.status_after"
    };
}

statements! {
    INSERT, Account: "INSERT INTO revision (account_id, thought, number, at, kind, by, text_before, text_after,
                                            status_before, status_after)
                      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    KINDS, Account: "SELECT revision.number, revision.kind FROM revision
                     JOIN thought ON thought.account_id = revision.account_id AND thought.row = revision.thought
                     WHERE revision.account_id = $1 AND thought.id = $2 ORDER BY revision.number";
    GET, Account: concat!("SELECT ", revision_columns!(), " FROM revision
                           JOIN thought ON thought.account_id = revision.account_id AND thought.row = revision.thought
                           WHERE revision.account_id = $1 AND thought.id = $2 AND revision.number = $3");
    AFTER, Account: concat!("SELECT ", revision_columns!(), " FROM revision
                             WHERE account_id = $1 AND revision.thought = $2 AND revision.number > $3
                             ORDER BY revision.number LIMIT $4");
}

pub(crate) async fn insert(
    connection: &mut Connection,
    account: AccountId,
    row: Row,
    revision: &Revision,
) -> Result<(), StoreError> {
    let (text_before, text_after) =
        revision.text.as_ref().map(|(before, after)| (before.as_bytes(), after.as_bytes())).unzip();
    let (status_before, status_after) =
        revision.status.map(|(before, after)| (status_number(before), status_number(after))).unzip();
    let (row, number, at) = (i64::from(row), i64::from(revision.number), revision.at.as_micros());
    let (kind, by) = (revision.kind.as_str(), revision.by.as_bytes());
    connection
        .execute(
            &INSERT,
            &[
                &account.stored(),
                &row,
                &number,
                &at,
                &kind,
                &by,
                &text_before,
                &text_after,
                &status_before,
                &status_after,
            ],
        )
        .await
        .map(drop)
}

/// The number and the kind of each revision of a thought, oldest first.
pub(crate) async fn kinds(
    connection: &mut Connection,
    account: AccountId,
    id: ThoughtId,
) -> Result<Vec<(u32, RevisionKind)>, StoreError> {
    let found = connection.query(&KINDS, &[&account.stored(), &id.stored()]).await?;
    found.iter().map(|found| Ok((small(found, 0)?, kind(found, 1)?))).collect()
}

/// One revision of a thought.
pub(crate) async fn get_one(
    connection: &mut Connection,
    account: AccountId,
    id: ThoughtId,
    number: u32,
) -> Result<Option<Revision>, StoreError> {
    let found = connection.first(&GET, &[&account.stored(), &id.stored(), &i64::from(number)]).await?;
    found.as_ref().map(revision).transpose()
}

/// The revisions of the thought at that row after the one of that number, oldest first.
pub(crate) async fn after(
    connection: &mut Connection,
    account: AccountId,
    row: Row,
    number: u32,
    most: usize,
) -> Result<Vec<Revision>, StoreError> {
    let values = (account.stored(), i64::from(row), i64::from(number), limit(most));
    let found = connection.query(&AFTER, &[&values.0, &values.1, &values.2, &values.3]).await?;
    found.iter().map(revision).collect()
}

fn revision(found: &SqlRow) -> Result<Revision, StoreError> {
    let statuses: (Option<i16>, Option<i16>) = (get(found, 6)?, get(found, 7)?);
    Ok(Revision {
        number: small(found, 0)?,
        at: time(found, 1)?,
        kind: kind(found, 2)?,
        by: text(found, 3)?,
        text: optional_text(found, 4)?.zip(optional_text(found, 5)?),
        status: match statuses.0.zip(statuses.1) {
            Some((before, after)) => Some((status(before)?, status(after)?)),
            None => None,
        },
    })
}

fn kind(found: &SqlRow, column: usize) -> Result<RevisionKind, StoreError> {
    let kind: String = get(found, column)?;
    RevisionKind::parse(&kind).ok_or_else(|| damaged("kind", &kind))
}

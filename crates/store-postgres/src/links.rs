//! Links between thoughts.

use std::collections::{BTreeMap, BTreeSet};

use tokio_postgres::Row as SqlRow;

use model::{AccountId, ThoughtId};
use store::backend::{LinkKind, LinkRow, Row};
use store::links::INCOMING_MAX;
use store::{Link, Replaces, StoreError};

use crate::connection::Connection;
use crate::error::damaged;
use crate::looked_up;
use crate::row::{Stored, facet, get, limit, rows, small, thought_id};
use crate::statement::statements;

/// The links thoughts were given, and the strongest of those that lead to each. Seen from its other end, a link says the opposite.
macro_rules! select_both_ways {
    ($own:literal, $incoming:literal) => {
        concat!(
            "SELECT wanted.row, end_of.row, end_of.id, end_of.facet, both_ways.weight, both_ways.replaces
             FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (row, place)
             CROSS JOIN LATERAL (
                 (SELECT own.other, own.weight, own.replaces::integer AS replaces, false AS incoming FROM link AS own
                  WHERE own.account_id = $1 AND own.thought = wanted.row", $own, " OFFSET 0)
                 UNION ALL
                 (SELECT incoming.thought, incoming.weight, (3 - incoming.replaces) % 3, true FROM link AS incoming
                  WHERE incoming.account_id = $1 AND incoming.other = wanted.row", $incoming, "
                  ORDER BY incoming.replaces = 1 DESC, incoming.weight DESC, incoming.thought LIMIT $3)) AS both_ways
             CROSS JOIN LATERAL (
                 SELECT thought.row, thought.id, 2 * thought.status + thought.author AS facet FROM thought
                 WHERE thought.account_id = $1 AND thought.row = both_ways.other LIMIT 1) AS end_of
             ORDER BY wanted.place, both_ways.incoming, end_of.row"
        )
    };
}

statements! {
    FORGET_ALL, Account: "DELETE FROM link WHERE account_id = $1 AND thought = ANY ($2)";
    FORGET, Account: "DELETE FROM link WHERE account_id = $1 AND thought = $2";
    FORGET_TO, Account: "DELETE FROM link WHERE account_id = $1 AND other = $2";
    INSERT, Account: "INSERT INTO link (account_id, thought, other, weight, replaces)
                      SELECT $1, new.thought, new.other, new.weight, new.replaces
                      FROM unnest($2::bigint[], $3::bigint[], $4::real[], $5::smallint[])
                           AS new (thought, other, weight, replaces)";
    // Looked for first: there are hardly ever any, and an index holds what leads to a thought.
    WEAKEST, Account:
        "SELECT ranked.thought, ranked.other FROM (
             SELECT incoming.other, incoming.thought,
                    row_number() OVER (PARTITION BY incoming.other ORDER BY incoming.weight DESC, incoming.thought) AS place
             FROM link AS incoming WHERE incoming.account_id = $1 AND incoming.other = ANY ($2)) AS ranked
         WHERE ranked.place > $3";
    FORGET_ONE_BY_ONE, Account: "DELETE FROM link USING unnest($2::bigint[], $3::bigint[]) AS weak (thought, other)
                                 WHERE link.account_id = $1 AND link.thought = weak.thought AND link.other = weak.other";
    OF, Account: select_both_ways!("", "");
    REPLACING, Account: select_both_ways!(" AND own.replaces = 2", " AND incoming.replaces = 1");
}

/// What `replaces` says: the thought replaces the other, the other replaces it, or neither does.
const NEITHER: i16 = 0;
const fn number(replaces: Replaces) -> i16 {
    match replaces {
        Replaces::Other => 1,
        Replaces::This => 2,
    }
}

/// Reads back what [`number`] wrote.
fn replaces(number: i32) -> Result<Option<Replaces>, StoreError> {
    match number {
        0 => Ok(None),
        1 => Ok(Some(Replaces::Other)),
        2 => Ok(Some(Replaces::This)),
        _ => Err(damaged("replaces", number)),
    }
}

/// Stores the links of thoughts in place of those they had, each thought once.
pub(crate) async fn store(
    transaction: &mut Connection,
    account: AccountId,
    thoughts: &[(Row, &[Link])],
) -> Result<(), StoreError> {
    let owner = account.stored();
    let all: Vec<i64> = thoughts.iter().map(|(row, _)| i64::from(*row)).collect();
    transaction.execute(&FORGET_ALL, &[&owner, &all]).await?;
    let ids: BTreeSet<ThoughtId> = thoughts.iter().flat_map(|(_, links)| links.iter()).map(|link| link.other).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let row_of = looked_up::rows_of(transaction, account, ids).await?;
    // Of two links to one thought the later counts.
    let mut strength: BTreeMap<(Row, Row), (f32, i16)> = BTreeMap::new();
    for (row, link) in thoughts.iter().flat_map(|(row, links)| links.iter().map(move |link| (row, link))) {
        if let Some(other) = row_of.get(&link.other).filter(|other| *other != row) {
            strength.insert((*row, *other), (link.weight, link.replaces.map_or(NEITHER, number)));
        }
    }
    let from: Vec<i64> = strength.keys().map(|(row, _)| i64::from(*row)).collect();
    let to: Vec<i64> = strength.keys().map(|(_, other)| i64::from(*other)).collect();
    let weights: Vec<f32> = strength.values().map(|(weight, _)| *weight).collect();
    let replaces: Vec<i16> = strength.values().map(|(_, replaces)| *replaces).collect();
    transaction.execute(&INSERT, &[&owner, &from, &to, &weights, &replaces]).await?;
    let others: Vec<i64> = to.into_iter().collect::<BTreeSet<i64>>().into_iter().collect();
    let weakest = transaction.query(&WEAKEST, &[&owner, &others, &limit(INCOMING_MAX)]).await?;
    if weakest.is_empty() {
        return Ok(());
    }
    let both = |found: &SqlRow| Ok((get::<i64>(found, 0)?, get::<i64>(found, 1)?));
    let (from, to): (Vec<i64>, Vec<i64>) =
        weakest.iter().map(both).collect::<Result<Vec<_>, StoreError>>()?.into_iter().unzip();
    transaction.execute(&FORGET_ONE_BY_ONE, &[&owner, &from, &to]).await.map(drop)
}

/// Takes away the links of a thought in both directions.
pub(crate) async fn clear(transaction: &mut Connection, account: AccountId, row: Row) -> Result<(), StoreError> {
    for statement in [&FORGET, &FORGET_TO] {
        transaction.execute(statement, &[&account.stored(), &i64::from(row)]).await?;
    }
    Ok(())
}

/// The links of that kind each thought was given, and the strongest of those that lead to it.
pub(crate) async fn of(
    connection: &mut Connection,
    account: AccountId,
    wanted: &[Row],
    kind: LinkKind,
    incoming: usize,
) -> Result<Vec<LinkRow>, StoreError> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let statement = match kind {
        LinkKind::Any => &OF,
        LinkKind::Replacing => &REPLACING,
    };
    let found = connection.query(statement, &[&account.stored(), &rows(wanted), &limit(incoming)]).await?;
    let link = |found: &SqlRow| {
        Ok(LinkRow {
            with: small(found, 0)?,
            row: small(found, 1)?,
            id: thought_id(found, 2)?,
            facet: facet(found, 3)?,
            weight: get(found, 4)?,
            replaces: replaces(get(found, 5)?)?,
        })
    };
    found.iter().map(link).collect()
}

//! Links between thoughts.

use rusqlite::{Connection, Row as SqlRow, params};

use store::backend::{LinkKind, LinkRow, Row};
use store::links::INCOMING_MAX;
use store::{Facet, Link, Replaces, StoreError};

use crate::database::{damaged, error};
use crate::row::thought_id;
use crate::statement::{execute, list};
use crate::thoughts::row_of;

/// What `replaces` says: the thought replaces the other, the other replaces it, or neither does.
const NEITHER: u8 = 0;
const fn number(replaces: Replaces) -> u8 {
    match replaces {
        Replaces::Other => 1,
        Replaces::This => 2,
    }
}

/// Reads back what [`number`] wrote.
fn replaces(number: u8) -> Result<Option<Replaces>, StoreError> {
    match number {
        NEITHER => Ok(None),
        1 => Ok(Some(Replaces::Other)),
        2 => Ok(Some(Replaces::This)),
        _ => Err(damaged("replaces", number)),
    }
}

/// Stores the links of a thought in place of those it had.
pub(crate) fn store(connection: &Connection, row: Row, links: &[Link]) -> Result<(), StoreError> {
    execute(connection, "DELETE FROM link WHERE thought = ?1", [row])?;
    for link in links {
        let other = row_of(connection, link.other)?;
        let Some(other) = other.filter(|other| *other != row) else { continue };
        let sql = "INSERT OR REPLACE INTO link (thought, other, weight, replaces) VALUES (?1, ?2, ?3, ?4)";
        let replaces = link.replaces.map_or(NEITHER, number);
        execute(connection, sql, params![row, other, f64::from(link.weight), replaces])?;
        let sql = "DELETE FROM link WHERE other = ?1 AND thought IN (
                       SELECT thought FROM link WHERE other = ?1 ORDER BY weight DESC, thought LIMIT -1 OFFSET ?2)";
        execute(connection, sql, params![other, INCOMING_MAX as i64])?;
    }
    Ok(())
}

/// Takes away the links of a thought in both directions.
pub(crate) fn clear(connection: &Connection, row: Row) -> Result<(), StoreError> {
    for sql in ["DELETE FROM link WHERE thought = ?1", "DELETE FROM link WHERE other = ?1"] {
        execute(connection, sql, [row])?;
    }
    Ok(())
}

/// The links a thought was given, and the strongest of those that lead to it. Seen from its other end, a link says the opposite.
macro_rules! select_both_ways {
    ($own:literal, $incoming:literal) => {
        concat!(
            "SELECT thought.row, thought.id, 2 * thought.status + thought.author, both.weight, both.replaces
             FROM (SELECT other, weight, replaces FROM link WHERE thought = ?1",
            $own,
            "
                   UNION ALL SELECT * FROM (SELECT thought, weight, (3 - replaces) % 3 FROM link WHERE other = ?1",
            $incoming,
            "
                                            ORDER BY replaces = 1 DESC, weight DESC, thought LIMIT ?2)) AS both
             JOIN thought ON thought.row = both.other"
        )
    };
}

/// The links of that kind a thought was given, and the strongest of those that lead to it.
pub(crate) fn of(
    connection: &Connection,
    with: Row,
    kind: LinkKind,
    incoming: usize,
) -> Result<Vec<LinkRow>, StoreError> {
    let sql = match kind {
        LinkKind::Any => select_both_ways!("", ""),
        LinkKind::Replacing => select_both_ways!(" AND replaces = 2", " AND replaces = 1"),
    };
    list(connection, sql, params![with, incoming as i64], |found: &SqlRow<'_>| {
        let facet: u8 = found.get(2).map_err(error)?;
        let weight: f64 = found.get(3).map_err(error)?;
        Ok(LinkRow {
            with,
            row: found.get(0).map_err(error)?,
            id: thought_id(found, 1)?,
            facet: Facet::from_number(facet).ok_or_else(|| damaged("facet", facet))?,
            weight: weight as f32,
            replaces: replaces(found.get(4).map_err(error)?)?,
        })
    })
}

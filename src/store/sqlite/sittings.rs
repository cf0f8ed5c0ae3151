//! Thoughts by when they were captured: what was said just before and after, and what was said within a time.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::account::AccountFile;
use super::database::at_once;
use super::index::Facet;
use super::knowledge::admitted;
use super::links::highest_row;
use super::registry::list;
use super::row::{self, status_number, thought_columns};
use super::thoughts::{author_numbers, facet, row_of};
use crate::model::{Thought, ThoughtId};
use crate::store::{Beside, CapturedQuery, Sittings, StoreError, Visible};

/// The longest pause within a sitting: an hour.
const PAUSE_MICROS_MAX: u64 = 3_600_000_000;

impl AccountFile {
    /// The neighbours of each thought in its sitting.
    pub(super) async fn sittings(
        &self,
        ids: Vec<ThoughtId>,
        steps: u8,
        visible: Visible,
    ) -> Result<Sittings, StoreError> {
        self.database
            .read(move |connection| {
                let mut rows = BTreeMap::new();
                let population = at_once(connection, || {
                    for id in ids {
                        if let Some(row) = row_of(connection, id)? {
                            read_around(connection, row, i64::from(steps), &mut rows)?;
                        }
                    }
                    highest_row(connection)
                })?;
                let sittings = neighbours(rows, steps, &admitted(visible.status, visible.author));
                Ok(Sittings { population, ..sittings })
            })
            .await
    }

    /// The thoughts captured within a time, the latest first.
    pub(super) async fn captured_within(&self, query: CapturedQuery) -> Result<Vec<Thought>, StoreError> {
        let given = concat!(
            "SELECT ",
            thought_columns!(),
            " FROM thought WHERE status = ?1 AND author = ?2 AND captured_at >= ?3 AND captured_at < ?4
                AND captured_at <> created_at
              ORDER BY captured_at DESC, row DESC LIMIT ?5"
        );
        let of_storing = concat!(
            "SELECT ",
            thought_columns!(),
            " FROM thought WHERE status = ?1 AND author = ?2 AND created_at >= ?3 AND created_at < ?4
                AND captured_at = created_at
              ORDER BY created_at DESC LIMIT ?5"
        );
        self.database
            .read(move |connection| {
                let mut found = Vec::new();
                for author in author_numbers(query.visible.author) {
                    let (start, end) = (query.start.as_micros(), query.end.as_micros());
                    for sql in [given, of_storing] {
                        let status = status_number(query.visible.status);
                        let params = params![status, author, start, end, query.limit as i64];
                        found.extend(list(connection, sql, params, row::thought)?);
                    }
                }
                found.sort_by_key(|found| std::cmp::Reverse((found.thought.captured_at, found.row)));
                found.truncate(query.limit);
                Ok(found.into_iter().map(|found| found.thought).collect())
            })
            .await
    }
}

/// Reads the rows up to so many before and after one that have not been read.
fn read_around(
    connection: &Connection,
    row: i64,
    steps: i64,
    rows: &mut BTreeMap<i64, Thought>,
) -> Result<(), StoreError> {
    let sql = concat!("SELECT ", thought_columns!(), " FROM thought WHERE row BETWEEN ?1 AND ?2");
    let is_unread = |near: &i64| !rows.contains_key(near);
    let Some(first) = (row - steps..=row + steps).find(is_unread) else { return Ok(()) };
    let last = (first..=row + steps).rev().find(is_unread).unwrap_or(first);
    for found in list(connection, sql, [first, last], row::thought)? {
        rows.insert(found.row, found.thought);
    }
    Ok(())
}

/// The pairs of visible thoughts that are at most so many steps apart in one sitting.
fn neighbours(rows: BTreeMap<i64, Thought>, steps: u8, facets: &[Facet]) -> Sittings {
    let is_visible = |thought: &Thought| facets.contains(&facet(thought));
    let mut sittings = Sittings::default();
    for (row, thought) in rows.iter().filter(|(_, thought)| is_visible(thought)) {
        let mut last = thought;
        for apart in 1..=steps {
            let Some(next) = rows.get(&(row + i64::from(apart))).filter(|next| is_one_sitting(last, next)) else {
                break;
            };
            if is_visible(next) {
                sittings.pairs.push(Beside { earlier: thought.id, later: next.id, steps: apart });
            }
            last = next;
        }
    }
    sittings.thoughts = rows.into_values().filter(is_visible).collect();
    sittings
}

/// Whether two thoughts stored one after the other are of the same source and about the same time.
fn is_one_sitting(one: &Thought, other: &Thought) -> bool {
    let pause = one.captured_at.as_micros().abs_diff(other.captured_at.as_micros());
    pause <= PAUSE_MICROS_MAX && one.author == other.author
}

//! Thoughts by when they were captured: what was said just before and after, and what was said within a time.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, params};

use model::Thought;
use store::Seek;
use store::{Beside, CapturedQuery, Sittings, SittingsQuery, StoreError};

use super::account::AccountFile;
use super::database::at_once;
use super::forms::{self, form_columns};
use super::index::Facet;
use super::knowledge::admitted;
use super::links::highest_row;
use super::row::{self, status_number, thought_columns};
use super::statement::list;
use super::thoughts::{author_numbers, facet, row_of};

/// The longest pause within a sitting: an hour.
const PAUSE_MICROS_MAX: u64 = 3_600_000_000;

impl AccountFile {
    /// The neighbours of each thought in its sitting.
    pub(super) async fn sittings(&self, query: SittingsQuery) -> Result<Sittings, StoreError> {
        self.database
            .read(move |connection| {
                let mut rows = BTreeMap::new();
                let mut seek = query.terms.seek();
                let population = at_once(connection, || {
                    for id in &query.ids {
                        if let Some(row) = row_of(connection, *id)? {
                            read_around(connection, row, query.steps, &mut seek, &mut rows)?;
                        }
                    }
                    highest_row(connection)
                })?;
                let sittings = neighbours(rows, query.steps, &admitted(query.visible));
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

/// A thought with how much of the query it holds, by term.
struct Read {
    thought: Thought,
    held: Vec<f32>,
}

/// Reads the rows around one that have not been read.
fn read_around(
    connection: &Connection,
    row: i64,
    steps: u8,
    seek: &mut Seek<'_>,
    rows: &mut BTreeMap<i64, Read>,
) -> Result<(), StoreError> {
    let sql = concat!(
        "SELECT ",
        thought_columns!(),
        ", ",
        form_columns!(),
        " FROM thought LEFT JOIN form ON form.thought = row WHERE row BETWEEN ?1 AND ?2"
    );
    let steps = i64::from(steps);
    let is_unread = |near: &i64| !rows.contains_key(near);
    let Some(first) = (row - steps..=row + steps).find(is_unread) else { return Ok(()) };
    let last = (first..=row + steps).rev().find(is_unread).unwrap_or(first);
    let read = |row: &Row<'_>| {
        let form = forms::read(row, row::THOUGHT_COLUMNS)?;
        Ok((row::thought(row)?, seek.held(&form.text, form.words)))
    };
    for (found, held) in list(connection, sql, [first, last], read)? {
        rows.insert(found.row, Read { thought: found.thought, held });
    }
    Ok(())
}

/// The pairs of visible thoughts that are at most so many steps apart in one sitting.
fn neighbours(rows: BTreeMap<i64, Read>, steps: u8, facets: &[Facet]) -> Sittings {
    let is_visible = |thought: &Thought| facets.contains(&facet(thought));
    let mut sittings = Sittings::default();
    for (row, Read { thought, .. }) in rows.iter().filter(|(_, read)| is_visible(&read.thought)) {
        let mut last = thought;
        for apart in 1..=steps {
            let next = rows.get(&(row + i64::from(apart))).map(|read| &read.thought);
            let Some(next) = next.filter(|next| is_one_sitting(last, next)) else { break };
            if is_visible(next) {
                sittings.pairs.push(Beside { earlier: thought.id, later: next.id, steps: apart });
            }
            last = next;
        }
    }
    for Read { thought, held } in rows.into_values().filter(|read| is_visible(&read.thought)) {
        sittings.held.insert(thought.id, held);
        sittings.thoughts.push(thought);
    }
    sittings
}

/// Whether two thoughts stored one after the other are of the same source and about the same time.
fn is_one_sitting(one: &Thought, other: &Thought) -> bool {
    let pause = one.captured_at.as_micros().abs_diff(other.captured_at.as_micros());
    pause <= PAUSE_MICROS_MAX && one.author == other.author
}

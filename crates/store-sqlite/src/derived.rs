//! What is derived from a text: stored when a job is finished, gone when the text changes.

use rusqlite::{Connection, params};

use store::{Derived, Finished, Step, StoreError, Ticket};

use super::statement::execute;
use super::{entities, links, meaning, thoughts};

/// Stores what a job brought and ends its step; `false` if the job is not there any more, and nothing is stored.
pub(super) fn finish(connection: &Connection, finished: &Finished) -> Result<bool, StoreError> {
    let Some(row) = thoughts::row_of(connection, finished.ticket.thought)? else { return Ok(false) };
    if !end_step(connection, row, finished.ticket)? {
        return Ok(false);
    }
    match &finished.derived {
        Derived::Enriched(enriched) => {
            meaning::store(connection, row, &enriched.embedding)?;
            entities::store(connection, row, &enriched.mentions)?;
            let sql = "UPDATE thought SET category = ?2 WHERE row = ?1";
            let values = params![row, enriched.category.as_str()];
            execute(connection, sql, values)?;
        }
        Derived::Linked(linked) => {
            links::store(connection, row, linked)?;
            meaning::switch_when_complete(connection)?;
        }
    }
    Ok(true)
}

/// Takes away everything that was derived from the text of a thought.
pub(super) fn clear(connection: &Connection, row: i64) -> Result<(), StoreError> {
    meaning::clear(connection, row)?;
    entities::clear(connection, row)?;
    links::clear(connection, row)
}

/// Turns the job into that of the next step, or ends it; whether it was there.
fn end_step(connection: &Connection, row: i64, ticket: Ticket) -> Result<bool, StoreError> {
    let sql = match ticket.step {
        // Due at once, and before texts that have not been looked at.
        Step::Enrich => {
            "UPDATE job SET step = 'link', leased = 0, attempts = 0, due_at = 0
             WHERE thought = ?1 AND step = ?2 AND version = ?3"
        }
        Step::Link => "DELETE FROM job WHERE thought = ?1 AND step = ?2 AND version = ?3",
    };
    let values = params![row, ticket.step.as_str(), ticket.version];
    let ended = execute(connection, sql, values)?;
    Ok(ended == 1)
}

//! The queue of background work in one account: which jobs are due, leased, put off, given up.

use rusqlite::{Connection, params};

use model::{Thought, ThoughtId, Time};
use store::backend::Row;
use store::{Claim, Enrichment, Job, Rebuild, Step, StoreError, Ticket};

use crate::database::{damaged, error};
use crate::statement::{execute, first, first_value, list, value};
use crate::thoughts;

/// How soon a job is worked off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// Somebody has just stored the text.
    Fresh = 0,
    /// Everything is made anew; it can wait.
    Rebuild = 1,
}

/// Leases what is due: a job whose worker has gone, alone, else the urgent ones, else the others.
pub(crate) fn claim(connection: &Connection, claim: Claim) -> Result<Vec<Job>, StoreError> {
    let mut due = select_due(connection, true, Urgency::Fresh, claim.now, 1)?;
    if due.is_empty() {
        due = select_due(connection, true, Urgency::Rebuild, claim.now, 1)?;
    }
    if due.is_empty() {
        due = select_due(connection, false, Urgency::Fresh, claim.now, claim.limit)?;
        if due.len() < claim.limit && queue_new(connection, claim.now, claim.limit - due.len())? {
            due = select_due(connection, false, Urgency::Fresh, claim.now, claim.limit)?;
        }
    }
    if due.is_empty() {
        due = select_due(connection, false, Urgency::Rebuild, claim.now, claim.limit)?;
    }
    let mut jobs = Vec::with_capacity(due.len());
    let mut text_bytes = 0;
    for (row, step) in due {
        if text_bytes >= claim.text_bytes {
            break;
        }
        let job = lease(connection, row, step, claim)?;
        text_bytes += job.as_ref().map_or(0, |job| job.thought.raw_text.as_str().len());
        jobs.extend(job);
    }
    Ok(jobs)
}

fn select_due(
    connection: &Connection,
    leased: bool,
    urgency: Urgency,
    now: Time,
    limit: usize,
) -> Result<Vec<(Row, Step)>, StoreError> {
    let sql = "SELECT thought, step FROM job
               WHERE given_up = 0 AND leased = ?1 AND urgency = ?2 AND due_at <= ?3
               ORDER BY due_at, thought LIMIT ?4";
    let params = params![leased, urgency as u8, now.as_micros(), limit as i64];
    list(connection, sql, params, |row| {
        let step: String = row.get(1).map_err(error)?;
        Ok((row.get(0).map_err(error)?, Step::parse(&step).ok_or_else(|| damaged("step", &step))?))
    })
}

/// Takes the job if it is still due.
fn lease(connection: &Connection, row: Row, step: Step, claim: Claim) -> Result<Option<Job>, StoreError> {
    let sql = "UPDATE job SET leased = 1, due_at = ?4, attempts = attempts + 1
               WHERE thought = ?1 AND step = ?2 AND given_up = 0 AND due_at <= ?3
               RETURNING version, attempts";
    let params = params![row, step.as_str(), claim.now.as_micros(), claim.leased_until.as_micros()];
    let leased: Option<(u64, u32)> =
        first(connection, sql, params, |row| Ok((row.get(0).map_err(error)?, row.get(1).map_err(error)?)))?;
    let Some((version, attempts)) = leased else { return Ok(None) };
    let job = |thought: Thought| Job { ticket: Ticket { thought: thought.id, step, version }, thought, attempts };
    Ok(thoughts::by_row(connection, row)?.map(job))
}

/// Changes the job a ticket names, if it is still there.
pub(crate) fn settle(connection: &Connection, sql: &str, ticket: Ticket, at: Time) -> Result<(), StoreError> {
    let Some(row) = thoughts::row_of(connection, ticket.thought)? else { return Ok(()) };
    let params = params![row, ticket.step.as_str(), ticket.version, at.as_micros()];
    execute(connection, sql, params).map(drop)
}

/// Queues a thought whose text has changed.
pub(crate) fn queue(connection: &Connection, row: Row, version: u64, at: Time) -> Result<(), StoreError> {
    forget(connection, row)?;
    if row >= first_new(connection)? {
        return Ok(());
    }
    let sql = "INSERT INTO job (thought, step, version, urgency, due_at, leased, attempts, given_up)
               VALUES (?1, ?2, ?3, ?4, ?5, 0, 0, 0)";
    let values = params![row, Step::Enrich.as_str(), version, Urgency::Fresh as u8, at.as_micros()];
    execute(connection, sql, values).map(drop)
}

/// Forgets what was queued for an earlier text of a thought.
fn forget(connection: &Connection, row: Row) -> Result<(), StoreError> {
    execute(connection, "DELETE FROM job WHERE thought = ?1", [row]).map(drop)
}

/// How far the work on a thought is.
pub(crate) fn enrichment_of(connection: &Connection, id: ThoughtId) -> Result<Option<Enrichment>, StoreError> {
    let Some(row) = thoughts::row_of(connection, id)? else { return Ok(None) };
    if row >= first_new(connection)? {
        return Ok(Some(Enrichment::Pending));
    }
    let given_up: Option<bool> = value(connection, "SELECT max(given_up) FROM job WHERE thought = ?1", [row])?;
    Ok(Some(match given_up {
        None => Enrichment::Done,
        Some(false) => Enrichment::Pending,
        Some(true) => Enrichment::GivenUp,
    }))
}

/// Makes what was given up due again.
pub(crate) fn try_again(connection: &Connection, id: ThoughtId, now: Time) -> Result<(), StoreError> {
    let Some(row) = thoughts::row_of(connection, id)? else { return Ok(()) };
    let sql = "UPDATE job SET given_up = 0, leased = 0, attempts = 0, urgency = ?3, due_at = ?2
               WHERE thought = ?1 AND given_up = 1";
    execute(connection, sql, params![row, now.as_micros(), Urgency::Fresh as u8]).map(drop)
}

/// The subject of `queued` that stands for thoughts as they come.
const NEW: &str = "new";

/// The first thought that is due without having a row in `job`.
pub(crate) fn first_new(connection: &Connection) -> Result<Row, StoreError> {
    Ok(next_of(connection, NEW)?.unwrap_or(1))
}

/// Whether work on any thought is due or under way.
pub(crate) fn any_unfinished(connection: &Connection) -> Result<bool, StoreError> {
    let queued: bool = value(connection, "SELECT EXISTS (SELECT 1 FROM job WHERE given_up = 0)", [])?;
    Ok(queued || first_new(connection)? <= thoughts::last(connection)?.row)
}

/// Gives the next new thoughts rows of their own, to be leased; whether there were any.
fn queue_new(connection: &Connection, now: Time, limit: usize) -> Result<bool, StoreError> {
    let first = first_new(connection)?;
    let end = thoughts::last(connection)?.row.min(first.saturating_add(limit as Row) - 1) + 1;
    if end == first {
        return Ok(false);
    }
    let sql = "INSERT INTO job (thought, step, version, urgency, due_at, leased, attempts, given_up)
               SELECT row, ?3, seq, ?4, min(created_at, ?5), 0, 0, 0 FROM thought WHERE row >= ?1 AND row < ?2";
    let values = params![first, end, Step::Enrich.as_str(), Urgency::Fresh as u8, now.as_micros()];
    execute(connection, sql, values)?;
    set_next(connection, NEW, end)?;
    Ok(true)
}

fn next_of(connection: &Connection, subject: &str) -> Result<Option<Row>, StoreError> {
    first_value(connection, "SELECT next FROM queued WHERE subject = ?1", [subject])
}

fn set_next(connection: &Connection, subject: &str, next: Row) -> Result<(), StoreError> {
    let sql = "INSERT INTO queued (subject, next) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET next = excluded.next";
    execute(connection, sql, params![subject, next]).map(drop)
}

/// Queues the next thoughts of a rebuild and notes how far it is; whether there are more.
pub(crate) fn queue_rebuild(
    connection: &Connection,
    rebuild: &Rebuild,
    now: Time,
    limit: usize,
) -> Result<bool, StoreError> {
    let subject = match rebuild {
        Rebuild::Everything => "everything".to_owned(),
        Rebuild::Missing { model } => format!("missing {model}"),
    };
    let first = next_of(connection, &subject)?.unwrap_or(1);
    // What is new is queued as it is.
    let all = first_new(connection)?;
    let end = all.min(first.saturating_add(limit as Row));
    match rebuild {
        Rebuild::Everything => {
            // Whatever is under way on the same text is as good as what would be queued here.
            let sql = "DELETE FROM job WHERE thought >= ?1 AND thought < ?2 AND (given_up = 1 OR step <> ?3)";
            execute(connection, sql, params![first, end, Step::Enrich.as_str()])?;
            let sql = "INSERT INTO job (thought, step, version, urgency, due_at, leased, attempts, given_up)
                       SELECT row, ?3, seq, ?4, ?5, 0, 0, 0 FROM thought WHERE row >= ?1 AND row < ?2
                       ON CONFLICT DO NOTHING";
            let values = params![first, end, Step::Enrich.as_str(), Urgency::Rebuild as u8, now.as_micros()];
            execute(connection, sql, values)?;
        }
        Rebuild::Missing { model } => {
            let sql = "INSERT INTO job (thought, step, version, urgency, due_at, leased, attempts, given_up)
                       SELECT row, ?3, seq, ?4, ?5, 0, 0, 0 FROM thought
                       WHERE row >= ?1 AND row < ?2
                         AND NOT EXISTS (SELECT 1 FROM job WHERE job.thought = thought.row)
                         AND NOT EXISTS (SELECT 1 FROM vector JOIN model ON model.number = vector.model
                                         WHERE vector.thought = thought.row AND model.name = ?6)";
            let values = params![first, end, Step::Enrich.as_str(), Urgency::Rebuild as u8, now.as_micros(), model];
            execute(connection, sql, values)?;
        }
    }
    if end < all {
        set_next(connection, &subject, end)?;
        return Ok(true);
    }
    execute(connection, "DELETE FROM queued WHERE subject = ?1", [subject])?;
    Ok(false)
}

/// When the next job is due.
pub(crate) fn next_due(connection: &Connection) -> Result<Option<Time>, StoreError> {
    // One look-up in the index for each of its leading values.
    let sql = "SELECT min(due_at) FROM (
                   SELECT min(due_at) AS due_at FROM job WHERE given_up = 0 AND leased = 0 AND urgency = 0
                   UNION ALL SELECT min(due_at) FROM job WHERE given_up = 0 AND leased = 0 AND urgency = 1
                   UNION ALL SELECT min(due_at) FROM job WHERE given_up = 0 AND leased = 1 AND urgency = 0
                   UNION ALL SELECT min(due_at) FROM job WHERE given_up = 0 AND leased = 1 AND urgency = 1)";
    let due: Option<i64> = value(connection, sql, [])?;
    // What is new is due at once, whatever the clock said when it was stored.
    let any_new = first_new(connection)? <= thoughts::last(connection)?.row;
    Ok(due.into_iter().chain(any_new.then_some(0)).min().map(Time::from_micros))
}

//! The queue of background work in one account: which jobs are due, leased, put off, given up.

use rusqlite::{Connection, params};

use model::{Thought, ThoughtId, Time};
use store::backend::Row;
use store::links::AGAIN_MAX;
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

/// Added to the number of a job that is to be done again: whatever was begun before is finished in vain.
const AGAIN: i64 = 1 << 40;

/// How many thoughts are queued at once to be linked again.
const AGAIN_AT_ONCE: Row = 256;

/// Leases what is due: a job whose worker has gone, alone, else the urgent ones, else the others, else what has to be linked
/// again.
pub(crate) fn claim(connection: &Connection, claim: Claim) -> Result<Vec<Job>, StoreError> {
    let mut due = abandoned(connection, claim.now)?;
    if due.is_empty() {
        due = select_due(connection, claim)?;
    }
    if due.is_empty() && queue_again(connection)? {
        due = select_due(connection, claim)?;
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

/// A job whose lease ran out, if there is one.
fn abandoned(connection: &Connection, now: Time) -> Result<Vec<(Row, Step)>, StoreError> {
    for urgency in [Urgency::Fresh, Urgency::Rebuild] {
        let mut due = select_enriching(connection, true, urgency, now, 1)?;
        let first = in_line(connection, urgency, 1)?.pop();
        let linking = first.filter(|job| job.step == Step::Link && job.leased && job.due_at <= now);
        due.extend(linking.map(|job| (job.row, job.step)));
        if !due.is_empty() {
            due.truncate(1);
            return Ok(due);
        }
    }
    Ok(Vec::new())
}

/// The urgent jobs, else the others.
fn select_due(connection: &Connection, claim: Claim) -> Result<Vec<(Row, Step)>, StoreError> {
    let mut due = linking(connection, Urgency::Fresh, claim)?;
    let room = claim.limit - due.len();
    let mut enriching = select_enriching(connection, false, Urgency::Fresh, claim.now, room)?;
    if enriching.len() < room && queue_new(connection, claim.now, room - enriching.len())? {
        enriching = select_enriching(connection, false, Urgency::Fresh, claim.now, room)?;
    }
    due.extend(enriching);
    if !due.is_empty() {
        return Ok(due);
    }
    due = linking(connection, Urgency::Rebuild, claim)?;
    due.extend(select_enriching(connection, false, Urgency::Rebuild, claim.now, claim.limit - due.len())?);
    Ok(due)
}

/// A job, as it stands among the others.
struct InLine {
    row: Row,
    step: Step,
    leased: bool,
    due_at: Time,
}

/// The first jobs that are neither done nor given up, by the order of their thoughts; less urgent ones up to the first urgent one.
fn in_line(connection: &Connection, urgency: Urgency, limit: usize) -> Result<Vec<InLine>, StoreError> {
    let sql = "SELECT thought, step, leased, due_at FROM job
               WHERE given_up = 0 AND urgency = ?1
                 AND (?1 = 0 OR thought < coalesce((SELECT min(thought) FROM job WHERE given_up = 0 AND urgency = 0), ?3))
               ORDER BY thought LIMIT ?2";
    list(connection, sql, params![urgency as u8, limit as i64, i64::MAX], |row| {
        Ok(InLine {
            row: row.get(0).map_err(error)?,
            step: step(&row.get::<_, String>(1).map_err(error)?)?,
            leased: row.get(2).map_err(error)?,
            due_at: Time::from_micros(row.get(3).map_err(error)?),
        })
    })
}

/// What may be linked: the thoughts one after the other before which everything is done.
fn linking(connection: &Connection, urgency: Urgency, claim: Claim) -> Result<Vec<(Row, Step)>, StoreError> {
    let mut due: Vec<(Row, Step)> = Vec::new();
    for job in in_line(connection, urgency, claim.limit)? {
        let follows = due.last().is_none_or(|(last, _)| last + 1 == job.row);
        if job.step != Step::Link || job.leased || job.due_at > claim.now || !follows {
            break;
        }
        due.push((job.row, job.step));
    }
    Ok(due)
}

fn select_enriching(
    connection: &Connection,
    leased: bool,
    urgency: Urgency,
    now: Time,
    limit: usize,
) -> Result<Vec<(Row, Step)>, StoreError> {
    let sql = "SELECT thought FROM job
               WHERE given_up = 0 AND step = 'enrich' AND leased = ?1 AND urgency = ?2 AND due_at <= ?3
               ORDER BY due_at, thought LIMIT ?4";
    let params = params![leased, urgency as u8, now.as_micros(), limit as i64];
    list(connection, sql, params, |row| Ok((row.get(0).map_err(error)?, Step::Enrich)))
}

fn step(word: &str) -> Result<Step, StoreError> {
    Step::parse(word).ok_or_else(|| damaged("step", word))
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
    execute(connection, sql, values)?;
    link_again_after(connection, row)
}

/// Has the thoughts after one linked again, since what is derived from it changes.
fn link_again_after(connection: &Connection, row: Row) -> Result<(), StoreError> {
    let later = first_new(connection)?.saturating_sub(row + 1);
    if later == 0 || later > AGAIN_MAX {
        return Ok(());
    }
    let first = next_of(connection, LINKED_AGAIN)?.map_or(row + 1, |first| first.min(row + 1));
    set_next(connection, LINKED_AGAIN, first)
}

/// Queues the next thoughts that are to be linked again; whether there were any.
fn queue_again(connection: &Connection) -> Result<bool, StoreError> {
    let Some(first) = next_of(connection, LINKED_AGAIN)? else { return Ok(false) };
    let all = first_new(connection)?;
    let end = all.min(first.saturating_add(AGAIN_AT_ONCE));
    if end < all {
        set_next(connection, LINKED_AGAIN, end)?;
    } else {
        execute(connection, "DELETE FROM queued WHERE subject = ?1", [LINKED_AGAIN])?;
    }
    // Whoever is at it has read what has changed since.
    let sql = "UPDATE job SET version = version + ?3, leased = 0, due_at = 0
               WHERE thought >= ?1 AND thought < ?2 AND step = 'link' AND leased = 1 AND given_up = 0";
    execute(connection, sql, params![first, end, AGAIN])?;
    let sql = "INSERT INTO job (thought, step, version, urgency, due_at, leased, attempts, given_up)
               SELECT row, 'link', seq, ?3, 0, 0, 0, 0 FROM thought
               WHERE row >= ?1 AND row < ?2 AND NOT EXISTS (SELECT 1 FROM job WHERE job.thought = thought.row)";
    execute(connection, sql, params![first, end, Urgency::Rebuild as u8])?;
    Ok(first < end)
}

/// Ends the linking of a thought; whether it was there. What is linked before something less urgent is linked again after it.
pub(crate) fn end_linking(connection: &Connection, row: Row, version: u64) -> Result<bool, StoreError> {
    let sql = "UPDATE job SET urgency = ?3, version = version + ?4, leased = 0, attempts = 0, due_at = 0
               WHERE thought = ?1 AND step = 'link' AND version = ?2 AND urgency = ?5
                 AND EXISTS (SELECT 1 FROM job AS other WHERE other.given_up = 0 AND other.urgency = ?3 AND other.thought < ?1)";
    let values = params![row, version, Urgency::Rebuild as u8, AGAIN, Urgency::Fresh as u8];
    if execute(connection, sql, values)? == 1 {
        return Ok(true);
    }
    let sql = "DELETE FROM job WHERE thought = ?1 AND step = 'link' AND version = ?2";
    Ok(execute(connection, sql, params![row, version])? == 1)
}

/// Whether the job of a ticket is still there.
pub(crate) fn is_queued(connection: &Connection, row: Row, ticket: Ticket) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM job WHERE thought = ?1 AND step = ?2 AND version = ?3 AND given_up = 0)";
    value(connection, sql, params![row, ticket.step.as_str(), ticket.version])
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
    match execute(connection, sql, params![row, now.as_micros(), Urgency::Fresh as u8])? {
        0 => Ok(()),
        _ => link_again_after(connection, row),
    }
}

/// The subject of `queued` that stands for thoughts as they come.
const NEW: &str = "new";

/// The one that stands for thoughts to be linked again.
const LINKED_AGAIN: &str = "linked again";

/// The first thought that is due without having a row in `job`.
pub(crate) fn first_new(connection: &Connection) -> Result<Row, StoreError> {
    Ok(next_of(connection, NEW)?.unwrap_or(1))
}

/// How many thoughts are still to be worked on.
pub(crate) fn pending(connection: &Connection) -> Result<u64, StoreError> {
    let new = first_new(connection)?;
    let first = next_of(connection, LINKED_AGAIN)?.map_or(new, |again| again.min(new));
    let sql = "SELECT count(DISTINCT thought) FROM job WHERE given_up = 0 AND thought < ?1";
    let queued: u64 = value(connection, sql, [first])?;
    Ok(queued + u64::from((thoughts::last(connection)?.row + 1).saturating_sub(first)))
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
            // What has been linked by its vectors without those before it is linked again.
            let sql = "INSERT INTO job (thought, step, version, urgency, due_at, leased, attempts, given_up)
                       SELECT row, 'link', seq, ?3, 0, 0, 0, 0 FROM thought
                       WHERE row >= ?1 AND row < ?2
                         AND row > (SELECT min(thought) FROM job WHERE given_up = 0 AND urgency = ?3 AND step = 'enrich')
                         AND NOT EXISTS (SELECT 1 FROM job WHERE job.thought = thought.row)";
            execute(connection, sql, params![first, end, Urgency::Rebuild as u8])?;
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
    let sql = "SELECT min((SELECT min(due_at) FROM job
                           WHERE given_up = 0 AND step = kind.step AND leased = kind.leased AND urgency = kind.urgency))
               FROM (SELECT step.column1 AS step, leased.column1 AS leased, urgency.column1 AS urgency
                     FROM (VALUES ('enrich'), ('link')) AS step, (VALUES (0), (1)) AS leased, (VALUES (0), (1)) AS urgency)
                    AS kind";
    let due: Option<i64> = value(connection, sql, [])?;
    // What is new is due at once, whatever the clock said when it was stored.
    let any_new = first_new(connection)? <= thoughts::last(connection)?.row;
    let any_again = next_of(connection, LINKED_AGAIN)?.is_some();
    Ok(due.into_iter().chain((any_new || any_again).then_some(0)).min().map(Time::from_micros))
}

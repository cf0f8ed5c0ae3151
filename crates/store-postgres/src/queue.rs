//! The queue of background work in one account: which jobs are due, leased, put off, given up. Whoever changes it holds the account's
//! row of `derived_end`.

use rustc_hash::FxHashMap;
use tokio_postgres::Row as SqlRow;

use model::{AccountId, Time};
use store::backend::Row;
use store::links::AGAIN_MAX;
use store::{Claim, Job, Rebuild, Step, StoreError, Ticket};

use crate::connection::Connection;
use crate::ends::{self, LockedDerived};
use crate::error::damaged;
use crate::looked_up;
use crate::row::{Stored, get, limit, number, seq, small};
use crate::statement::statements;

/// How long the text of each job is. Looked up one by one: an account the planner takes for empty it would walk through for each.
macro_rules! lengths {
    () => {
        " CROSS JOIN LATERAL (
              SELECT octet_length(thought.raw_text)::bigint AS bytes FROM thought
              WHERE thought.account_id = $1 AND thought.row = due.thought LIMIT 1) AS long"
    };
}

/// The thoughts from one row up to another, looked up one by one for the same reason.
macro_rules! thoughts_from_to {
    () => {
        " FROM generate_series($2::bigint, $3::bigint - 1) AS next (row) CROSS JOIN LATERAL (
              SELECT thought.row, thought.seq, thought.created_at FROM thought
              WHERE thought.account_id = $1 AND thought.row = next.row LIMIT 1) AS found"
    };
}

statements! {
    ENRICHING, Account: concat!(
        "SELECT due.thought, long.bytes FROM (
             SELECT job.thought, job.due_at FROM job
             WHERE job.account_id = $1 AND NOT job.given_up AND job.step = 'enrich'
               AND job.leased = $2 AND job.urgency = $3 AND job.due_at <= $4
             ORDER BY job.due_at, job.thought LIMIT $5) AS due",
        lengths!(),
        " ORDER BY due.due_at, due.thought"
    );
    // Less urgent ones up to the first urgent one.
    IN_LINE, Account: concat!(
        "SELECT due.thought, long.bytes, due.step, due.leased, due.due_at FROM (
             SELECT job.thought, job.step, job.leased, job.due_at FROM job
             WHERE job.account_id = $1 AND NOT job.given_up AND job.urgency = $2
               AND ($2 = 0 OR job.thought < coalesce(
                        (SELECT min(urgent.thought) FROM job AS urgent
                         WHERE urgent.account_id = $1 AND NOT urgent.given_up AND urgent.urgency = 0), job.thought + 1))
             ORDER BY job.thought LIMIT $3) AS due",
        lengths!(),
        " ORDER BY due.thought"
    );
    LEASE, Account: "UPDATE job SET leased = true, due_at = $4, attempts = job.attempts + 1
                     FROM unnest($5::bigint[], $2::text[]) AS due (thought, step)
                     WHERE job.account_id = $1 AND job.thought = due.thought AND job.step = due.step
                       AND NOT job.given_up AND job.due_at <= $3
                     RETURNING job.thought, job.step, job.version, job.attempts";
    FORGET, Account: "DELETE FROM job WHERE account_id = $1 AND thought = $2";
    INSERT, Account: "INSERT INTO job (account_id, thought, step, version, urgency, due_at, leased, attempts, given_up)
                      VALUES ($1, $2, $3, $4, $5, $6, false, 0, false)";
    LAST, Account: "SELECT log_end.row FROM log_end WHERE account_id = $1";
    QUEUE_NEW, Account: concat!(
        "INSERT INTO job (account_id, thought, step, version, urgency, due_at, leased, attempts, given_up)
         SELECT $1, found.row, $4, found.seq, $5, least(found.created_at, $6), false, 0, false",
        thoughts_from_to!()
    );
    SET_NEW, Account: "UPDATE derived_end SET next_new = $2 WHERE account_id = $1";
    NEXT_OF, Account: "SELECT queued.next FROM queued WHERE account_id = $1 AND subject = $2";
    SET_NEXT, Account: "INSERT INTO queued (account_id, subject, next) VALUES ($1, $2, $3)
                        ON CONFLICT (account_id, subject) DO UPDATE SET next = excluded.next";
    END_REBUILD, Account: "DELETE FROM queued WHERE account_id = $1 AND subject = $2";
    CLEAR_FOR_REBUILD, Account: "DELETE FROM job WHERE account_id = $1 AND thought >= $2 AND thought < $3
                                 AND (given_up OR step <> $4)";
    QUEUE_EVERYTHING, Account: concat!(
        "INSERT INTO job (account_id, thought, step, version, urgency, due_at, leased, attempts, given_up)
         SELECT $1, found.row, $4, found.seq, $5, $6, false, 0, false",
        thoughts_from_to!(),
        " ON CONFLICT DO NOTHING"
    );
    QUEUE_MISSING, Account: concat!(
        "INSERT INTO job (account_id, thought, step, version, urgency, due_at, leased, attempts, given_up)
         SELECT $1, found.row, $4, found.seq, $5, $6, false, 0, false",
        thoughts_from_to!(),
        " WHERE NOT EXISTS (SELECT 1 FROM job AS other WHERE other.account_id = $1 AND other.thought = found.row)
            AND NOT EXISTS (SELECT 1 FROM vector
                            JOIN model ON model.account_id = vector.account_id AND model.number = vector.model
                            WHERE vector.account_id = $1 AND vector.thought = found.row AND model.name = $7)"
    );
    // What has been linked by its vectors without those before it is linked again.
    QUEUE_LINKED, Account: concat!(
        "INSERT INTO job (account_id, thought, step, version, urgency, due_at, leased, attempts, given_up)
         SELECT $1, found.row, 'link', found.seq, $4, 0, false, 0, false",
        thoughts_from_to!(),
        " WHERE found.row > (SELECT min(missing.thought) FROM job AS missing
                             WHERE missing.account_id = $1 AND NOT missing.given_up AND missing.urgency = $4
                               AND missing.step = 'enrich')
            AND NOT EXISTS (SELECT 1 FROM job AS other WHERE other.account_id = $1 AND other.thought = found.row)"
    );
    // Whoever is at it has read what has changed since.
    END_BEGUN, Account: "UPDATE job SET version = job.version + $4, leased = false, due_at = 0
                         WHERE account_id = $1 AND thought >= $2 AND thought < $3
                           AND step = 'link' AND leased AND NOT given_up";
    QUEUE_AGAIN, Account: concat!(
        "INSERT INTO job (account_id, thought, step, version, urgency, due_at, leased, attempts, given_up)
         SELECT $1, found.row, 'link', found.seq, $4, 0, false, 0, false",
        thoughts_from_to!(),
        " WHERE NOT EXISTS (SELECT 1 FROM job AS other WHERE other.account_id = $1 AND other.thought = found.row)"
    );
    // What is linked before something less urgent is linked again after it.
    LINKED_TOO_EARLY, Account:
        "UPDATE job SET urgency = $4, version = job.version + $5, leased = false, attempts = 0, due_at = 0
         FROM unnest($2::bigint[], $3::bigint[]) AS done (thought, version)
         WHERE job.account_id = $1 AND job.thought = done.thought AND job.step = 'link' AND job.version = done.version
           AND job.urgency = $6
           AND EXISTS (SELECT 1 FROM job AS other WHERE other.account_id = $1 AND NOT other.given_up
                         AND other.urgency = $4 AND other.thought < job.thought)
         RETURNING job.thought";
    LINKED, Account:
        "DELETE FROM job USING unnest($2::bigint[], $3::bigint[]) AS done (thought, version)
         WHERE job.account_id = $1 AND job.thought = done.thought AND job.step = 'link' AND job.version = done.version
         RETURNING job.thought";
    ANY_UNFINISHED, Account: "SELECT EXISTS (SELECT 1 FROM job WHERE account_id = $1 AND NOT given_up)";
    FORGET_WORK, Account:
        "DELETE FROM work WHERE work.account_id = $1
           AND NOT EXISTS (SELECT 1 FROM job WHERE job.account_id = $1 AND NOT job.given_up)
           AND NOT EXISTS (SELECT 1 FROM log_end JOIN derived_end ON derived_end.account_id = log_end.account_id
                           WHERE log_end.account_id = $1 AND log_end.row >= derived_end.next_new)
           AND NOT EXISTS (SELECT 1 FROM queued WHERE queued.account_id = $1 AND queued.subject = 'linked again'::bytea)";
}

/// How soon a job is worked off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Urgency {
    /// Somebody has just stored the text.
    Fresh = 0,
    /// Everything is made anew; it can wait.
    Rebuild = 1,
}

/// Added to the number of a job that is to be done again: whatever was begun before is finished in vain.
const AGAIN: i64 = 1 << 40;

/// How many thoughts are queued at once to be linked again.
const AGAIN_AT_ONCE: Row = 256;

/// The subject of `queued` that stands for thoughts to be linked again; the statements name it as well.
const LINKED_AGAIN: &[u8] = b"linked again";

/// A job that is due, and how long its text is.
struct Due {
    row: Row,
    step: Step,
    text_bytes: u64,
}

/// A job, as it stands among the others.
struct InLine {
    due: Due,
    leased: bool,
    due_at: Time,
}

/// Leases what is due: a job whose worker has gone, alone, else the urgent ones, else the others, else what has to be linked
/// again.
pub(crate) async fn claim(
    transaction: &mut Connection,
    account: AccountId,
    claim: Claim,
) -> Result<Vec<Job>, StoreError> {
    let derived = ends::lock_derived(transaction, account).await?;
    let mut due = abandoned(transaction, account, claim.now).await?;
    if due.is_empty() {
        due = select_due(transaction, account, derived, claim).await?;
    }
    if due.is_empty() && queue_again(transaction, account, derived.next_new).await? {
        due = select_due(transaction, account, derived, claim).await?;
    }
    let mut text_bytes = 0;
    due.retain(|due| {
        let has_room = text_bytes < claim.text_bytes as u64;
        text_bytes += due.text_bytes;
        has_room
    });
    if due.is_empty() {
        return Ok(Vec::new());
    }
    lease(transaction, account, &due, claim).await
}

/// A job whose lease ran out, if there is one.
async fn abandoned(transaction: &mut Connection, account: AccountId, now: Time) -> Result<Vec<Due>, StoreError> {
    for urgency in [Urgency::Fresh, Urgency::Rebuild] {
        let mut due = select_enriching(transaction, account, true, urgency, now, 1).await?;
        if due.is_empty() {
            let first = in_line(transaction, account, urgency, 1).await?.pop();
            let linking = first.filter(|job| job.due.step == Step::Link && job.leased && job.due_at <= now);
            due.extend(linking.map(|job| job.due));
        }
        if !due.is_empty() {
            return Ok(due);
        }
    }
    Ok(Vec::new())
}

/// The urgent jobs, else the others.
async fn select_due(
    transaction: &mut Connection,
    account: AccountId,
    derived: LockedDerived,
    claim: Claim,
) -> Result<Vec<Due>, StoreError> {
    let mut due = linking(transaction, account, Urgency::Fresh, claim).await?;
    let room = claim.limit - due.len();
    let mut enriching = select_enriching(transaction, account, false, Urgency::Fresh, claim.now, room).await?;
    let missing = room - enriching.len();
    if missing > 0 && queue_new(transaction, account, derived, claim.now, missing).await? {
        enriching = select_enriching(transaction, account, false, Urgency::Fresh, claim.now, room).await?;
    }
    due.extend(enriching);
    if !due.is_empty() {
        return Ok(due);
    }
    due = linking(transaction, account, Urgency::Rebuild, claim).await?;
    let room = claim.limit - due.len();
    due.extend(select_enriching(transaction, account, false, Urgency::Rebuild, claim.now, room).await?);
    Ok(due)
}

/// What may be linked: the thoughts one after the other before which everything is done.
async fn linking(
    transaction: &mut Connection,
    account: AccountId,
    urgency: Urgency,
    claim: Claim,
) -> Result<Vec<Due>, StoreError> {
    let mut due: Vec<Due> = Vec::new();
    for job in in_line(transaction, account, urgency, claim.limit).await? {
        let follows = due.last().is_none_or(|last| last.row + 1 == job.due.row);
        if job.due.step != Step::Link || job.leased || job.due_at > claim.now || !follows {
            break;
        }
        due.push(job.due);
    }
    Ok(due)
}

/// The first jobs that are neither done nor given up, by the order of their thoughts.
async fn in_line(
    transaction: &mut Connection,
    account: AccountId,
    urgency: Urgency,
    most: usize,
) -> Result<Vec<InLine>, StoreError> {
    let found = transaction.query(&IN_LINE, &[&account.stored(), &(urgency as i16), &limit(most)]).await?;
    let job = |found: &SqlRow| {
        let step = step(&get::<String>(found, 2)?)?;
        let due = Due { row: small(found, 0)?, step, text_bytes: number(found, 1)? };
        Ok(InLine { due, leased: get(found, 3)?, due_at: Time::from_micros(get(found, 4)?) })
    };
    found.iter().map(job).collect()
}

async fn select_enriching(
    transaction: &mut Connection,
    account: AccountId,
    leased: bool,
    urgency: Urgency,
    now: Time,
    most: usize,
) -> Result<Vec<Due>, StoreError> {
    let found = transaction
        .query(&ENRICHING, &[&account.stored(), &leased, &(urgency as i16), &now.as_micros(), &limit(most)])
        .await?;
    let due = |found: &SqlRow| Ok(Due { row: small(found, 0)?, step: Step::Enrich, text_bytes: number(found, 1)? });
    found.iter().map(due).collect()
}

/// Has the thoughts after one linked again, since what is derived from it changes.
pub(crate) async fn link_again_after(
    transaction: &mut Connection,
    account: AccountId,
    next_new: Row,
    row: Row,
) -> Result<(), StoreError> {
    let later = next_new.saturating_sub(row + 1);
    if later == 0 || later > AGAIN_MAX {
        return Ok(());
    }
    let owner = account.stored();
    let first = match transaction.first(&NEXT_OF, &[&owner, &LINKED_AGAIN]).await? {
        Some(found) => small(&found, 0)?.min(row + 1),
        None => row + 1,
    };
    transaction.execute(&SET_NEXT, &[&owner, &LINKED_AGAIN, &i64::from(first)]).await.map(drop)
}

/// Queues the next thoughts that are to be linked again; whether there were any.
async fn queue_again(transaction: &mut Connection, account: AccountId, all: Row) -> Result<bool, StoreError> {
    let owner = account.stored();
    let Some(found) = transaction.first(&NEXT_OF, &[&owner, &LINKED_AGAIN]).await? else { return Ok(false) };
    let first: Row = small(&found, 0)?;
    let end = all.min(first.saturating_add(AGAIN_AT_ONCE));
    let (from, to, urgency) = (i64::from(first), i64::from(end), Urgency::Rebuild as i16);
    if end < all {
        transaction.execute(&SET_NEXT, &[&owner, &LINKED_AGAIN, &to]).await?;
    } else {
        transaction.execute(&END_REBUILD, &[&owner, &LINKED_AGAIN]).await?;
    }
    transaction.execute(&END_BEGUN, &[&owner, &from, &to, &AGAIN]).await?;
    transaction.execute(&QUEUE_AGAIN, &[&owner, &from, &to, &urgency]).await?;
    Ok(first < end)
}

/// Ends the linking of thoughts, each by its row and the number of its job; those that were there.
pub(crate) async fn end_linking(
    transaction: &mut Connection,
    account: AccountId,
    rows: &[i64],
    versions: &[i64],
) -> Result<Vec<SqlRow>, StoreError> {
    let owner = account.stored();
    let (rebuild, fresh) = (Urgency::Rebuild as i16, Urgency::Fresh as i16);
    let mut ended = transaction.query(&LINKED_TOO_EARLY, &[&owner, &rows, &versions, &rebuild, &AGAIN, &fresh]).await?;
    ended.extend(transaction.query(&LINKED, &[&owner, &rows, &versions]).await?);
    Ok(ended)
}

async fn lease(
    transaction: &mut Connection,
    account: AccountId,
    due: &[Due],
    claim: Claim,
) -> Result<Vec<Job>, StoreError> {
    let rows: Vec<i64> = due.iter().map(|due| i64::from(due.row)).collect();
    let steps: Vec<&str> = due.iter().map(|due| due.step.as_str()).collect();
    let (now, until) = (claim.now.as_micros(), claim.leased_until.as_micros());
    let found = transaction.query(&LEASE, &[&account.stored(), &steps, &now, &until, &rows]).await?;
    let mut leased: FxHashMap<(Row, String), (u64, u32)> = FxHashMap::default();
    for found in &found {
        leased.insert((small(found, 0)?, get(found, 1)?), (number(found, 2)?, small(found, 3)?));
    }
    let rows: Vec<Row> = due.iter().map(|due| due.row).collect();
    let thoughts = looked_up::thoughts(transaction, account, &rows).await?;
    let job = |due: &Due| {
        let (version, attempts) = leased.remove(&(due.row, due.step.as_str().to_owned()))?;
        let thought = thoughts.get(&due.row)?.clone();
        Some(Job { ticket: Ticket { thought: thought.id, step: due.step, version }, thought, attempts })
    };
    Ok(due.iter().filter_map(job).collect())
}

/// Gives the next new thoughts jobs of their own, to be leased; whether there were any.
async fn queue_new(
    transaction: &mut Connection,
    account: AccountId,
    derived: LockedDerived,
    now: Time,
    most: usize,
) -> Result<bool, StoreError> {
    let Some(last) = transaction.first(&LAST, &[&account.stored()]).await? else { return Ok(false) };
    let first = derived.next_new;
    let end = small(&last, 0)?.min(first.saturating_add(most as Row) - 1) + 1;
    if end <= first {
        return Ok(false);
    }
    let (step, urgency) = (Step::Enrich.as_str(), Urgency::Fresh as i16);
    let (first, end) = (i64::from(first), i64::from(end));
    transaction.execute(&QUEUE_NEW, &[&account.stored(), &first, &end, &step, &urgency, &now.as_micros()]).await?;
    transaction.execute(&SET_NEW, &[&account.stored(), &end]).await?;
    Ok(true)
}

/// Queues a thought whose text has changed; `next_new` is the first that is due without a job.
pub(crate) async fn queue(
    transaction: &mut Connection,
    account: AccountId,
    next_new: Row,
    row: Row,
    version: u64,
    at: Time,
) -> Result<(), StoreError> {
    let owner = account.stored();
    transaction.execute(&FORGET, &[&owner, &i64::from(row)]).await?;
    if row < next_new {
        let (step, urgency) = (Step::Enrich.as_str(), Urgency::Fresh as i16);
        let values = (i64::from(row), seq(version), at.as_micros());
        transaction.execute(&INSERT, &[&owner, &values.0, &step, &values.1, &urgency, &values.2]).await?;
        link_again_after(transaction, account, next_new, row).await?;
    }
    ends::note_work(transaction, account).await
}

/// Queues the next thoughts of a rebuild and notes how far it is; whether there are more.
pub(crate) async fn queue_rebuild(
    transaction: &mut Connection,
    account: AccountId,
    rebuild: &Rebuild,
    now: Time,
    most: usize,
) -> Result<bool, StoreError> {
    let subject = match rebuild {
        Rebuild::Everything => "everything".to_owned(),
        Rebuild::Missing { model } => format!("missing {model}"),
    };
    let (owner, subject) = (account.stored(), subject.as_bytes());
    let derived = ends::lock_derived(transaction, account).await?;
    let first = match transaction.first(&NEXT_OF, &[&owner, &subject]).await? {
        Some(found) => small(&found, 0)?,
        None => 1,
    };
    // What is new is queued as it is.
    let all = derived.next_new;
    let end = all.min(first.saturating_add(most as Row));
    let (from, to, step, urgency) = (i64::from(first), i64::from(end), Step::Enrich.as_str(), Urgency::Rebuild as i16);
    match rebuild {
        Rebuild::Everything => {
            // Whatever is under way on the same text is as good as what would be queued here.
            transaction.execute(&CLEAR_FOR_REBUILD, &[&owner, &from, &to, &step]).await?;
            let values = now.as_micros();
            transaction.execute(&QUEUE_EVERYTHING, &[&owner, &from, &to, &step, &urgency, &values]).await?;
        }
        Rebuild::Missing { model } => {
            let values = (now.as_micros(), model.as_bytes());
            transaction.execute(&QUEUE_MISSING, &[&owner, &from, &to, &step, &urgency, &values.0, &values.1]).await?;
            transaction.execute(&QUEUE_LINKED, &[&owner, &from, &to, &urgency]).await?;
        }
    }
    ends::note_work(transaction, account).await?;
    if end < all {
        transaction.execute(&SET_NEXT, &[&owner, &subject, &to]).await?;
        return Ok(true);
    }
    transaction.execute(&END_REBUILD, &[&owner, &subject]).await?;
    Ok(false)
}

/// Whether work on any thought is due or under way.
pub(crate) async fn any_unfinished(
    transaction: &mut Connection,
    account: AccountId,
    next_new: Row,
) -> Result<bool, StoreError> {
    let queued = transaction.first(&ANY_UNFINISHED, &[&account.stored()]).await?;
    if queued.map(|found| get(&found, 0)).transpose()?.unwrap_or(false) {
        return Ok(true);
    }
    let last = transaction.first(&LAST, &[&account.stored()]).await?;
    Ok(last.map(|found| small(&found, 0)).transpose()?.is_some_and(|last| next_new <= last))
}

/// Takes the account from those that have work, unless it has some.
pub(crate) async fn forget_work(transaction: &mut Connection, account: AccountId) -> Result<(), StoreError> {
    // Under both locks nobody queues anything: what is not seen here is not there.
    ends::lock_log(transaction, account).await?;
    ends::lock_derived(transaction, account).await?;
    transaction.execute(&FORGET_WORK, &[&account.stored()]).await.map(drop)
}

fn step(word: &str) -> Result<Step, StoreError> {
    Step::parse(word).ok_or_else(|| damaged("step", word))
}

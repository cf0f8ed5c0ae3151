//! Meaning: the vectors of one account's texts as the file keeps them, and which model's answer.
//!
//! The table `vector` is a log: new vectors of a text come first, then the old ones go. What is in memory is derived from it,
//! one set for each model somebody asks for.

mod sample;
mod set;
mod space;

use std::sync::Arc;

use parking_lot::RwLock;
use rusqlite::{Connection, Row, params};
use rustc_hash::FxHashMap;

pub(super) use set::{Close, Set};

use store::{Embedding, StoreError};
use vectors::{pack, unpack};

use super::account::AccountFile;
use super::database::error;
use super::entries::{self, Reading, Seen};
use super::jobs::any_unfinished;
use super::row::{blob, damaged};
use super::statement::{each, execute, first, first_value, list, value};

/// The vectors of an account by the number of their model.
pub(super) type LazySets = Arc<RwLock<FxHashMap<i64, Set>>>;

/// A model as the file knows it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    number: i64,
    pub(super) name: String,
    /// What the vectors of unrelated texts have in common; they are stored by their difference from it.
    centre: Vec<f32>,
    state: u8,
}

/// Its vectors are being made and do not answer yet.
const BUILDING: u8 = 0;
/// Its vectors answer searches.
const SERVING: u8 = 1;
/// Another model has taken its place, and its vectors are being removed.
const RETIRED: u8 = 2;

/// The model whose vectors answer searches, if any.
pub(super) fn serving(connection: &Connection) -> Result<Option<Model>, StoreError> {
    let sql = "SELECT number, name, centre, state FROM model WHERE state = ?1";
    select_model(connection, sql, [SERVING])
}

/// The model of that name and length of vectors, if any text has its vectors.
pub(super) fn get_model(connection: &Connection, name: &str, dimensions: usize) -> Result<Option<Model>, StoreError> {
    let sql = "SELECT number, name, centre, state FROM model WHERE name = ?1 AND dimensions = ?2";
    select_model(connection, sql, params![name, dimensions as i64])
}

/// The model of that name with the latest vectors.
pub(super) fn latest_model(connection: &Connection, name: &str) -> Result<Option<Model>, StoreError> {
    let sql = "SELECT number, name, centre, state FROM model WHERE name = ?1 ORDER BY number DESC LIMIT 1";
    select_model(connection, sql, [name])
}

fn select_model(
    connection: &Connection,
    sql: &str,
    params: impl rusqlite::Params,
) -> Result<Option<Model>, StoreError> {
    first(connection, sql, params, |row| {
        let centre = blob(row, 2)?;
        let (values, _) = centre.as_chunks::<4>();
        Ok(Model {
            number: row.get(0).map_err(error)?,
            name: row.get(1).map_err(error)?,
            centre: values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            state: row.get(3).map_err(error)?,
        })
    })
}

/// Stores the vectors of a text in place of those it had of the same model.
pub(super) fn store(connection: &Connection, row: i64, embedding: &Embedding) -> Result<(), StoreError> {
    let model = match get_model(connection, &embedding.model, embedding.centre.len())? {
        Some(model) => model,
        None => insert_model(connection, embedding)?,
    };
    if model.state == RETIRED {
        let sql = "UPDATE model SET state = ?2 WHERE number = ?1";
        execute(connection, sql, params![model.number, BUILDING])?;
    }
    let mut vectors = Vec::new();
    embedding.parts.iter().for_each(|part| pack(part, &model.centre, &mut vectors));
    replace(connection, model.number, row, &vectors)
}

fn insert_model(connection: &Connection, embedding: &Embedding) -> Result<Model, StoreError> {
    // The first model of an account has nobody to wait for.
    let state = if serving(connection)?.is_some() { BUILDING } else { SERVING };
    let centre: Vec<u8> = embedding.centre.iter().flat_map(|value| value.to_le_bytes()).collect();
    let sql = "INSERT INTO model (name, dimensions, centre, state) VALUES (?1, ?2, ?3, ?4)";
    let values = params![embedding.model, embedding.centre.len() as i64, centre, state];
    execute(connection, sql, values)?;
    let (name, centre) = (embedding.model.clone(), embedding.centre.to_vec());
    Ok(Model { number: connection.last_insert_rowid(), name, centre, state })
}

/// Takes the vectors of a text away, of whichever model.
pub(super) fn clear(connection: &Connection, row: i64) -> Result<(), StoreError> {
    let sql = "SELECT DISTINCT model FROM vector WHERE thought = ?1";
    for model in list(connection, sql, [row], |found| found.get::<_, i64>(0).map_err(error))? {
        replace(connection, model, row, &[])?;
    }
    Ok(())
}

/// Adds an entry and then takes away those it replaces.
fn replace(connection: &Connection, model: i64, row: i64, parts: &[u8]) -> Result<(), StoreError> {
    let sql = "INSERT INTO vector (model, thought, parts) VALUES (?1, ?2, ?3)";
    execute(connection, sql, params![model, row, parts])?;
    let seq = connection.last_insert_rowid();
    let sql = "DELETE FROM vector WHERE thought = ?1 AND model = ?2 AND seq < ?3";
    execute(connection, sql, params![row, model, seq]).map(drop)
}

/// The vector of the opening of a text, if it has one.
pub(super) fn opening(connection: &Connection, model: &Model, row: i64) -> Result<Option<Vec<f32>>, StoreError> {
    let sql = "SELECT parts FROM vector WHERE thought = ?1 AND model = ?2 ORDER BY seq DESC LIMIT 1";
    let bytes: Option<Vec<u8>> = first_value(connection, sql, params![row, model.number])?;
    let opening = bytes.as_deref().and_then(|bytes| unpack(bytes, model.centre.len()).next());
    Ok(opening.map(|opening| opening.to_vector(&model.centre)))
}

/// Lets a model answer as soon as no text waits for its vectors any more.
pub(super) fn switch_when_complete(connection: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT number FROM model WHERE state = ?1 ORDER BY number DESC LIMIT 1";
    let building: Option<i64> = first_value(connection, sql, [BUILDING])?;
    let Some(building) = building else { return Ok(()) };
    if any_unfinished(connection)? {
        return Ok(());
    }
    // The queue is empty; what is missing now was given up or has never been queued.
    let sql = "SELECT (SELECT count(*) FROM thought) - (SELECT count(*) FROM vector WHERE model = ?1)
                    - (SELECT count(*) FROM job WHERE given_up = 1)";
    let missing: i64 = value(connection, sql, [building])?;
    if missing > 0 {
        return Ok(());
    }
    let sql = "UPDATE model SET state = CASE WHEN number = ?1 THEN ?2 ELSE ?3 END";
    execute(connection, sql, params![building, SERVING, RETIRED]).map(drop)
}

/// How many vectors of a retired model are removed at once: a few milliseconds of the writer's time.
const REMOVED_AT_ONCE: usize = 500;

impl AccountFile {
    /// Removes the vectors of models that answer no more.
    pub(super) async fn remove_retired_vectors(&self) -> Result<(), StoreError> {
        let sql = "SELECT number FROM model WHERE state = ?1";
        let read = |row: &Row<'_>| row.get::<_, i64>(0).map_err(error);
        let retired: Vec<i64> = self.database.read(move |connection| list(connection, sql, [RETIRED], read)).await?;
        for model in retired {
            self.sets.write().remove(&model);
            while self.database.write(move |connection| remove_retired(connection, model)).await? {}
        }
        Ok(())
    }
}

/// Removes some vectors of a model, unless it is in use again; whether there may be others.
fn remove_retired(connection: &Connection, model: i64) -> Result<bool, StoreError> {
    let sql = "DELETE FROM vector WHERE seq IN (
                   SELECT seq FROM vector
                   WHERE model = (SELECT number FROM model WHERE number = ?1 AND state = ?2) LIMIT ?3)";
    let removed = execute(connection, sql, params![model, RETIRED, REMOVED_AT_ONCE as i64])?;
    if removed == REMOVED_AT_ONCE {
        return Ok(true);
    }
    execute(connection, "DELETE FROM model WHERE number = ?1 AND state = ?2", params![model, RETIRED])?;
    Ok(false)
}

/// Calls `use_set` with the vectors of the model as of everything committed before the call.
pub(super) fn with_current<T>(
    shared: &RwLock<FxHashMap<i64, Set>>,
    connection: &Connection,
    model: &Model,
    use_set: impl FnOnce(&Set) -> T,
) -> Result<T, StoreError> {
    let last: i64 = value(connection, "SELECT coalesce(max(seq), 0) FROM vector", [])?;
    let last_facet = entries::last(connection)?;
    let is_current = |set: &Set| set.next > last && set.next_facet > last_facet;
    {
        let sets = shared.read();
        if let Some(set) = sets.get(&model.number).filter(|set| is_current(set)) {
            return Ok(use_set(set));
        }
    }
    let mut sets = shared.write();
    // Left out on an error, the vectors are read anew by the next search.
    let mut taken = sets.remove(&model.number).unwrap_or_else(|| Set::new(model.centre.clone()));
    if !is_current(&taken) {
        let is_fresh = taken.next == 0;
        follow(connection, model, &mut taken)?;
        follow_facets(connection, &mut taken)?;
        taken.settle();
        if is_fresh {
            taken.shrink();
        }
        taken.next = taken.next.max(last + 1);
        taken.next_facet = taken.next_facet.max(last_facet + 1);
    }
    Ok(use_set(sets.entry(model.number).insert_entry(taken).into_mut()))
}

/// Takes in the vectors that have not been seen.
fn follow(connection: &Connection, model: &Model, set: &mut Set) -> Result<(), StoreError> {
    let sql = "SELECT seq, thought, parts FROM vector WHERE seq >= ?1 AND model = ?2 ORDER BY seq";
    let first = set.next;
    each(connection, sql, params![first, model.number], |row| {
        let bytes = row.get_ref(2).map_err(error)?;
        let bytes = bytes.as_blob().map_err(|_| damaged("parts", "not bytes"))?;
        set.put(row.get(1).map_err(error)?, unpack(bytes, model.centre.len()));
        set.next = row.get::<_, i64>(0).map_err(error)? + 1;
        Ok(())
    })
}

/// Takes in what filters look at: it changes with the entries of the index over words.
fn follow_facets(connection: &Connection, set: &mut Set) -> Result<(), StoreError> {
    let seen = Seen { next: set.next_facet, next_thought: set.next_thought() };
    entries::follow(connection, seen, i64::MAX, Reading::Facet, |entry, _| {
        if entry.note.is_none() {
            set.set_facet(entry.thought, entry.facet.number());
        }
    })
}

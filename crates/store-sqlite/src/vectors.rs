//! The vectors of texts as the file keeps them, and the models that made them.
//!
//! The table `vector` is a log: new vectors of a text come first, then the old ones go.

use rusqlite::{Connection, params};

use store::StoreError;
use store::backend::{Row, VectorRow};
use store::models::{self, Model, ModelState, Progress};

use crate::database::{damaged, error};
use crate::queue::any_unfinished;
use crate::row::blob;
use crate::statement::{execute, first_value, list, value};

/// The models, oldest first.
pub(crate) fn models(connection: &Connection) -> Result<Vec<Model>, StoreError> {
    let sql = "SELECT number, name, centre, state FROM model ORDER BY number";
    list(connection, sql, [], |row| {
        let state: u8 = row.get(3).map_err(error)?;
        let centre = blob(row, 2)?;
        let (values, _) = centre.as_chunks::<4>();
        Ok(Model {
            number: row.get(0).map_err(error)?,
            name: row.get(1).map_err(error)?,
            centre: values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            state: ModelState::from_number(state).ok_or_else(|| damaged("state", state))?,
        })
    })
}

/// The name of the model whose vectors answer.
pub(crate) fn serving(connection: &Connection) -> Result<Option<String>, StoreError> {
    first_value(connection, "SELECT name FROM model WHERE state = ?1", [ModelState::Serving.number()])
}

/// Stores the vectors of a text in place of those it had of the same model.
pub(crate) fn store(connection: &Connection, row: Row, vectors: &VectorRow) -> Result<(), StoreError> {
    let models = models(connection)?;
    let known = models::named(&models, &vectors.model, vectors.centre.len());
    let state = models::with_a_vector(&models, known);
    let model = match known {
        Some(known) if known.state == state => known.number,
        Some(known) => {
            let sql = "UPDATE model SET state = ?2 WHERE number = ?1";
            execute(connection, sql, params![known.number, state.number()])?;
            known.number
        }
        None => insert_model(connection, vectors, state)?,
    };
    replace(connection, model, row, &vectors.parts, &vectors.tokens)
}

fn insert_model(connection: &Connection, vectors: &VectorRow, state: ModelState) -> Result<i64, StoreError> {
    let centre: Vec<u8> = vectors.centre.iter().flat_map(|value| value.to_le_bytes()).collect();
    let sql = "INSERT INTO model (name, dimensions, centre, state) VALUES (?1, ?2, ?3, ?4)";
    execute(connection, sql, params![vectors.model, vectors.centre.len() as i64, centre, state.number()])?;
    Ok(connection.last_insert_rowid())
}

/// Takes the vectors of a text away, of whichever model.
pub(crate) fn clear(connection: &Connection, row: Row) -> Result<(), StoreError> {
    let sql = "SELECT DISTINCT model FROM vector WHERE thought = ?1";
    for model in list(connection, sql, [row], |found| found.get::<_, i64>(0).map_err(error))? {
        replace(connection, model, row, &[], &[])?;
    }
    Ok(())
}

/// Adds an entry and then takes away those it replaces.
fn replace(connection: &Connection, model: i64, row: Row, parts: &[u8], tokens: &[u8]) -> Result<(), StoreError> {
    let sql = "INSERT INTO vector (model, thought, parts) VALUES (?1, ?2, ?3)";
    execute(connection, sql, params![model, row, parts])?;
    let seq = connection.last_insert_rowid();
    if !tokens.is_empty() {
        execute(connection, "INSERT INTO token (vector, parts) VALUES (?1, ?2)", params![seq, tokens])?;
    }
    let sql = "DELETE FROM token
               WHERE vector IN (SELECT seq FROM vector WHERE thought = ?1 AND model = ?2 AND seq < ?3)";
    execute(connection, sql, params![row, model, seq])?;
    let sql = "DELETE FROM vector WHERE thought = ?1 AND model = ?2 AND seq < ?3";
    execute(connection, sql, params![row, model, seq]).map(drop)
}

/// The packed vectors of a text by that model.
pub(crate) fn of(connection: &Connection, model: i64, row: Row) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT parts FROM vector WHERE thought = ?1 AND model = ?2 ORDER BY seq DESC LIMIT 1";
    first_value(connection, sql, params![row, model])
}

/// The packed tokens of a text by that model.
pub(crate) fn tokens_of(connection: &Connection, model: i64, row: Row) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT token.parts FROM vector JOIN token ON token.vector = vector.seq
               WHERE vector.thought = ?1 AND vector.model = ?2 ORDER BY vector.seq DESC LIMIT 1";
    first_value(connection, sql, params![row, model])
}

/// Lets a model answer as soon as no text waits for its vectors any more.
pub(crate) fn switch_when_complete(connection: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT number FROM model WHERE state = ?1 ORDER BY number DESC LIMIT 1";
    let building: Option<i64> = first_value(connection, sql, [ModelState::Building.number()])?;
    let Some(building) = building else { return Ok(()) };
    if any_unfinished(connection)? {
        return Ok(());
    }
    let progress = Progress {
        thoughts: value(connection, "SELECT count(*) FROM thought", [])?,
        with_vectors: value(connection, "SELECT count(*) FROM vector WHERE model = ?1", [building])?,
        given_up: value(connection, "SELECT count(*) FROM job WHERE given_up = 1", [])?,
    };
    if !progress.is_complete() {
        return Ok(());
    }
    let sql = "UPDATE model SET state = CASE WHEN number = ?1 THEN ?2 ELSE ?3 END";
    let values = params![building, ModelState::Serving.number(), ModelState::Retired.number()];
    execute(connection, sql, values).map(drop)
}

/// How many vectors of a retired model are removed at once: a few milliseconds of the writer's time.
const REMOVED_AT_ONCE: usize = 500;

/// Removes some vectors of a model, unless it is in use again; whether there may be others.
pub(crate) fn remove_retired(connection: &Connection, model: i64) -> Result<bool, StoreError> {
    let retired = ModelState::Retired.number();
    let some = "(SELECT seq FROM vector
                 WHERE model = (SELECT number FROM model WHERE number = ?1 AND state = ?2) ORDER BY seq LIMIT ?3)";
    let values = params![model, retired, REMOVED_AT_ONCE as i64];
    execute(connection, &format!("DELETE FROM token WHERE vector IN {some}"), values)?;
    let removed = execute(connection, &format!("DELETE FROM vector WHERE seq IN {some}"), values)?;
    if removed == REMOVED_AT_ONCE {
        return Ok(true);
    }
    execute(connection, "DELETE FROM model WHERE number = ?1 AND state = ?2", params![model, retired])?;
    Ok(false)
}

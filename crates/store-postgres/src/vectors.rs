//! The vectors of texts as the database keeps them, and the models that made them.
//!
//! The table `vector` is a log: new vectors of a text come first, then the old ones go. Whoever changes it holds the account's row of
//! `derived_end`.

use model::AccountId;
use store::StoreError;
use store::backend::{Row, VectorRow};
use store::models::{self, Model, ModelState, Progress};

use crate::connection::Connection;
use crate::error::damaged;
use crate::queue::any_unfinished;
use crate::row::{Stored, get, number, seq, text};
use crate::statement::statements;

statements! {
    MODELS, Account: "SELECT number, name, centre, state FROM model WHERE account_id = $1 ORDER BY number";
    SET_STATE, Account: "UPDATE model SET state = $3 WHERE account_id = $1 AND number = $2";
    INSERT_MODEL, Account: "INSERT INTO model (account_id, number, name, dimensions, centre, state)
                            VALUES ($1, $2, $3, $4, $5, $6)";
    MODELS_OF, Account: "SELECT DISTINCT model FROM vector WHERE account_id = $1 AND thought = $2";
    INSERT, Account: "INSERT INTO vector (account_id, seq, model, thought, parts)
                      SELECT $1, new.seq, $2, new.thought, new.parts
                      FROM unnest($3::bigint[], $4::bigint[], $5::bytea[]) AS new (seq, thought, parts)";
    INSERT_TOKENS, Account: "INSERT INTO token (account_id, vector, parts)
                             SELECT $1, new.vector, new.parts FROM unnest($2::bigint[], $3::bytea[]) AS new (vector, parts)";
    REMOVE_TOKENS, Account: "DELETE FROM token WHERE token.account_id = $1 AND token.vector IN (
                                 SELECT vector.seq FROM vector
                                 WHERE vector.account_id = $1 AND vector.thought = ANY ($2) AND vector.model = $3
                                   AND vector.seq < $4)";
    REMOVE, Account: "DELETE FROM vector WHERE account_id = $1 AND thought = ANY ($2) AND model = $3 AND seq < $4";
    BUILDING, Account: "SELECT number FROM model WHERE account_id = $1 AND state = $2 ORDER BY number DESC LIMIT 1";
    PROGRESS, Account:
        "SELECT coalesce((SELECT log_end.row FROM log_end WHERE log_end.account_id = $1), 0),
                (SELECT count(*) FROM vector WHERE vector.account_id = $1 AND vector.model = $2),
                (SELECT count(*) FROM job WHERE job.account_id = $1 AND job.given_up)";
    SWITCH, Account: "UPDATE model SET state = CASE WHEN number = $2 THEN $3::smallint ELSE $4::smallint END
                      WHERE account_id = $1";
    RETIRED, Account: "SELECT vector.seq FROM vector
                       JOIN model ON model.account_id = vector.account_id AND model.number = vector.model
                       WHERE vector.account_id = $1 AND vector.model = $2 AND model.state = $3
                       ORDER BY vector.seq LIMIT $4";
    REMOVE_TOKENS_AT, Account: "DELETE FROM token WHERE account_id = $1 AND vector = ANY ($2)";
    REMOVE_AT, Account: "DELETE FROM vector WHERE account_id = $1 AND seq = ANY ($2)";
    REMOVE_MODEL, Account: "DELETE FROM model WHERE account_id = $1 AND number = $2 AND state = $3";
}

/// The models, oldest first.
pub(crate) async fn models(connection: &mut Connection, account: AccountId) -> Result<Vec<Model>, StoreError> {
    let mut models = Vec::new();
    for found in connection.query(&MODELS, &[&account.stored()]).await? {
        let state: i16 = get(&found, 3)?;
        let centre: Vec<u8> = get(&found, 2)?;
        let (values, _) = centre.as_chunks::<4>();
        let known = u8::try_from(state).ok().and_then(ModelState::from_number);
        models.push(Model {
            number: get(&found, 0)?,
            name: text(&found, 1)?,
            centre: values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            state: known.ok_or_else(|| damaged("state", state))?,
        });
    }
    Ok(models)
}

/// Stores the vectors of texts in place of those they had of the same model; `last` is the highest number of a vector, before and after.
/// No text comes twice.
pub(crate) async fn store(
    transaction: &mut Connection,
    account: AccountId,
    last: &mut u64,
    vectors: &[(Row, &VectorRow)],
) -> Result<(), StoreError> {
    let mut rest: Vec<(Row, &VectorRow)> = vectors.to_vec();
    while let Some((_, first)) = rest.first() {
        let (name, dimensions) = (first.model.clone(), first.centre.len());
        let is_same = |vectors: &VectorRow| vectors.model == name && vectors.centre.len() == dimensions;
        let (same, others): (Vec<_>, Vec<_>) = rest.iter().partition(|(_, vectors)| is_same(vectors));
        let model = model_of(transaction, account, first).await?;
        let entries: Vec<(Row, &[u8], &[u8])> =
            same.iter().map(|(row, vectors)| (*row, vectors.parts.as_slice(), vectors.tokens.as_slice())).collect();
        replace(transaction, account, model, last, &entries).await?;
        rest = others;
    }
    Ok(())
}

/// The number of the model that made the vectors, which is in use from now on.
async fn model_of(transaction: &mut Connection, account: AccountId, vectors: &VectorRow) -> Result<i64, StoreError> {
    let models = models(transaction, account).await?;
    let known = models::named(&models, &vectors.model, vectors.centre.len());
    let state = models::with_a_vector(&models, known);
    let stored = i16::from(state.number());
    match known {
        Some(known) if known.state == state => Ok(known.number),
        Some(known) => {
            transaction.execute(&SET_STATE, &[&account.stored(), &known.number, &stored]).await?;
            Ok(known.number)
        }
        None => {
            let number = models.iter().map(|model| model.number).max().unwrap_or(0) + 1;
            let centre: Vec<u8> = vectors.centre.iter().flat_map(|value| value.to_le_bytes()).collect();
            let (name, dimensions) = (vectors.model.as_bytes(), vectors.centre.len() as i64);
            transaction
                .execute(&INSERT_MODEL, &[&account.stored(), &number, &name, &dimensions, &centre, &stored])
                .await?;
            Ok(number)
        }
    }
}

/// Takes the vectors of a text away, of whichever model.
pub(crate) async fn clear(
    transaction: &mut Connection,
    account: AccountId,
    last: &mut u64,
    row: Row,
) -> Result<(), StoreError> {
    for found in transaction.query(&MODELS_OF, &[&account.stored(), &i64::from(row)]).await? {
        replace(transaction, account, get(&found, 0)?, last, &[(row, &[], &[])]).await?;
    }
    Ok(())
}

/// Adds entries and then takes away those they replace.
async fn replace(
    transaction: &mut Connection,
    account: AccountId,
    model: i64,
    last: &mut u64,
    entries: &[(Row, &[u8], &[u8])],
) -> Result<(), StoreError> {
    let owner = account.stored();
    let first = seq(*last + 1);
    let numbers: Vec<i64> = (first..).take(entries.len()).collect();
    let rows: Vec<i64> = entries.iter().map(|(row, _, _)| i64::from(*row)).collect();
    let parts: Vec<&[u8]> = entries.iter().map(|(_, parts, _)| *parts).collect();
    transaction.execute(&INSERT, &[&owner, &model, &numbers, &rows, &parts]).await?;
    let with_tokens = numbers.iter().zip(entries).filter(|(_, (_, _, tokens))| !tokens.is_empty());
    let (of, tokens): (Vec<i64>, Vec<&[u8]>) = with_tokens.map(|(number, (_, _, tokens))| (*number, *tokens)).unzip();
    if !of.is_empty() {
        transaction.execute(&INSERT_TOKENS, &[&owner, &of, &tokens]).await?;
    }
    transaction.execute(&REMOVE_TOKENS, &[&owner, &rows, &model, &first]).await?;
    transaction.execute(&REMOVE, &[&owner, &rows, &model, &first]).await?;
    *last += entries.len() as u64;
    Ok(())
}

/// Lets a model answer as soon as no text waits for its vectors any more.
pub(crate) async fn switch_when_complete(
    transaction: &mut Connection,
    account: AccountId,
    next_new: Row,
) -> Result<(), StoreError> {
    let owner = account.stored();
    let building = i16::from(ModelState::Building.number());
    let Some(found) = transaction.first(&BUILDING, &[&owner, &building]).await? else { return Ok(()) };
    if any_unfinished(transaction, account, next_new).await? {
        return Ok(());
    }
    let model: i64 = get(&found, 0)?;
    let Some(found) = transaction.first(&PROGRESS, &[&owner, &model]).await? else { return Ok(()) };
    let progress =
        Progress { thoughts: number(&found, 0)?, with_vectors: number(&found, 1)?, given_up: number(&found, 2)? };
    if !progress.is_complete() {
        return Ok(());
    }
    let [serving, retired] = [ModelState::Serving, ModelState::Retired].map(|state| i16::from(state.number()));
    transaction.execute(&SWITCH, &[&owner, &model, &serving, &retired]).await.map(drop)
}

/// How many vectors of a retired model are removed at once.
const REMOVED_AT_ONCE: i64 = 500;

/// Removes some vectors of a model, unless it is in use again; whether there may be others.
pub(crate) async fn remove_retired(
    transaction: &mut Connection,
    account: AccountId,
    model: i64,
) -> Result<bool, StoreError> {
    let (owner, retired) = (account.stored(), i16::from(ModelState::Retired.number()));
    let found = transaction.query(&RETIRED, &[&owner, &model, &retired, &REMOVED_AT_ONCE]).await?;
    let some: Vec<i64> = found.iter().map(|found| get(found, 0)).collect::<Result<_, _>>()?;
    transaction.execute(&REMOVE_TOKENS_AT, &[&owner, &some]).await?;
    transaction.execute(&REMOVE_AT, &[&owner, &some]).await?;
    if some.len() as i64 == REMOVED_AT_ONCE {
        return Ok(true);
    }
    transaction.execute(&REMOVE_MODEL, &[&owner, &model, &retired]).await?;
    Ok(false)
}

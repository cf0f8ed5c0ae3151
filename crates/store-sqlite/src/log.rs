//! The logs of an account, and the rows they name.

use async_trait::async_trait;
use rusqlite::{Connection, Row as SqlRow, params};

use model::{AccountId, NoteId, Thought, ThoughtId};
use store::StoreError;
use store::backend::{FormedThought, Log, LogEnd, Logged, Reading, Row, Seen, VectorPage};

use crate::database::{at_once, damaged, error};
use crate::folder::SqliteStore;
use crate::forms::{self, form_columns};
use crate::row::{self, THOUGHT_COLUMNS, note_id, thought_columns};
use crate::statement::{first, list, value};
use crate::{entries, thoughts};

/// How many vectors are handed over at once.
const VECTORS_AT_ONCE: usize = 8_192;

#[async_trait]
impl Log for SqliteStore {
    async fn last(&self, account: AccountId) -> Result<LogEnd, StoreError> {
        // Three look-ups at the ends of tables.
        let last = |connection: &Connection| {
            at_once(connection, || {
                let last = thoughts::last(connection)?;
                let vector = value(connection, "SELECT coalesce(max(seq), 0) FROM vector", [])?;
                Ok(LogEnd { entry: last.entry, vector, row: last.row })
            })
        };
        self.account(account).await?.database.look_up(last).await
    }

    async fn follow(
        &self,
        account: AccountId,
        seen: Seen,
        end: u64,
        reading: Reading,
    ) -> Result<Vec<Logged>, StoreError> {
        let file = self.account(account).await?;
        file.database.read(move |connection| entries::follow(connection, seen, end, reading)).await
    }

    async fn follow_vectors(&self, account: AccountId, model: i64, next: u64) -> Result<VectorPage, StoreError> {
        let file = self.account(account).await?;
        file.database.read(move |connection| follow_vectors(connection, model, next)).await
    }

    async fn read(&self, account: AccountId, rows: &[Row]) -> Result<Vec<(Row, Thought)>, StoreError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let rows = rows.to_vec();
        let read = move |connection: &Connection| {
            at_once(connection, || {
                let mut found = Vec::with_capacity(rows.len());
                for row in rows {
                    found.extend(thoughts::by_row(connection, row)?.map(|thought| (row, thought)));
                }
                Ok(found)
            })
        };
        self.account(account).await?.database.read(read).await
    }

    async fn read_formed(
        &self,
        account: AccountId,
        stretches: &[(Row, Row)],
    ) -> Result<Vec<FormedThought>, StoreError> {
        if stretches.is_empty() {
            return Ok(Vec::new());
        }
        let stretches = stretches.to_vec();
        let sql = concat!(
            "SELECT ",
            thought_columns!(),
            ", ",
            form_columns!(),
            " FROM thought LEFT JOIN form ON form.thought = row WHERE row BETWEEN ?1 AND ?2"
        );
        let read = |found: &SqlRow<'_>| {
            let form = forms::read(found, THOUGHT_COLUMNS)?;
            let found = row::thought(found)?;
            Ok(FormedThought { row: found.row, thought: found.thought, form })
        };
        let read_all = move |connection: &Connection| {
            at_once(connection, || {
                let mut found = Vec::new();
                for (first, last) in stretches {
                    found.extend(list(connection, sql, [first, last], read)?);
                }
                Ok(found)
            })
        };
        self.account(account).await?.database.read(read_all).await
    }

    async fn rows_of(&self, account: AccountId, ids: &[ThoughtId]) -> Result<Vec<(ThoughtId, Row)>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids = ids.to_vec();
        let read = move |connection: &Connection| {
            at_once(connection, || {
                let mut found = Vec::with_capacity(ids.len());
                for id in ids {
                    found.extend(thoughts::row_of(connection, id)?.map(|row| (id, row)));
                }
                Ok(found)
            })
        };
        self.account(account).await?.database.read(read).await
    }

    async fn note_ids(&self, account: AccountId, rows: &[Row]) -> Result<Vec<(Row, NoteId)>, StoreError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let rows = rows.to_vec();
        let sql = "SELECT id FROM note WHERE row = ?1 AND removed_at IS NULL";
        let read = move |connection: &Connection| {
            at_once(connection, || {
                let mut found = Vec::with_capacity(rows.len());
                for row in rows {
                    found.extend(first(connection, sql, [row], |found| Ok((row, note_id(found, 0)?)))?);
                }
                Ok(found)
            })
        };
        self.account(account).await?.database.read(read).await
    }
}

fn follow_vectors(connection: &Connection, model: i64, next: u64) -> Result<VectorPage, StoreError> {
    let sql = "SELECT seq, thought, parts FROM vector WHERE seq >= ?1 AND model = ?2 ORDER BY seq";
    let mut page = VectorPage::default();
    let mut select = connection.prepare_cached(sql).map_err(error)?;
    let mut rows = select.query(params![next, model]).map_err(error)?;
    while let Some(row) = rows.next().map_err(error)?.filter(|_| page.entries.len() < VECTORS_AT_ONCE) {
        let bytes = row.get_ref(2).map_err(error)?;
        let bytes = bytes.as_blob().map_err(|_| damaged("parts", "not bytes"))?;
        page.entries.push((row.get(0).map_err(error)?, row.get(1).map_err(error)?, bytes.len()));
        page.bytes.extend_from_slice(bytes);
    }
    Ok(page)
}

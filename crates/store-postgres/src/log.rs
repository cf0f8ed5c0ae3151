//! The logs of an account, and the rows they name.

use async_trait::async_trait;
use tokio_postgres::Row as SqlRow;

use model::{AccountId, NoteId, Thought, ThoughtId};
use store::StoreError;
use store::backend::{Entry, FormedThought, Log, LogEnd, Logged, Reading, Row, Seen, StoredForm, VectorPage};

use crate::error::damaged;
use crate::looked_up;
use crate::place::PostgresStore;
use crate::row::{self, Stored, facet, get, limit, note_id, number, rows, seq, small, text};
use crate::statement::statements;

statements! {
    LAST, Account: "SELECT coalesce((SELECT log_end.entry FROM log_end WHERE log_end.account_id = $1), 0),
                           coalesce((SELECT derived_end.vector FROM derived_end WHERE derived_end.account_id = $1), 0),
                           coalesce((SELECT log_end.row FROM log_end WHERE log_end.account_id = $1), 0)";
    FOLLOW_FACETS, Account:
        "(SELECT thought.seq, thought.row, NULL::bigint, 2 * thought.status + thought.author
          FROM thought WHERE thought.account_id = $1 AND thought.seq >= $2 AND thought.seq < $3
          ORDER BY thought.seq LIMIT $4)
         UNION ALL
         (SELECT note.seq, note.thought, note.row, CASE WHEN note.removed_at IS NULL THEN 6 ELSE 7 END
          FROM note WHERE note.account_id = $1 AND note.seq >= $2 AND note.seq < $3 ORDER BY note.seq LIMIT $4)
         ORDER BY 1 LIMIT $4";
    FOLLOW_WORDS, Account:
        "(SELECT thought.seq, thought.row, NULL::bigint, 2 * thought.status + thought.author, form.words
          FROM thought LEFT JOIN form ON form.account_id = thought.account_id AND form.thought = thought.row
          WHERE thought.account_id = $1 AND thought.seq >= $2 AND thought.seq < $3 ORDER BY thought.seq LIMIT $4)
         UNION ALL
         (SELECT note.seq, note.thought, note.row, CASE WHEN note.removed_at IS NULL THEN 6 ELSE 7 END,
                 CASE WHEN note.removed_at IS NULL THEN note.words ELSE 0 END
          FROM note WHERE note.account_id = $1 AND note.seq >= $2 AND note.seq < $3 ORDER BY note.seq LIMIT $4)
         ORDER BY 1 LIMIT $4";
    // No more once what was read is long enough: what an entry is long is known without reading it.
    FOLLOW_TEXTS, Account:
        "SELECT page.seq, page.thought, page.note, page.facet, page.words, page.form, page.text FROM (
             SELECT logged.*, sum(logged.bytes) OVER (ORDER BY logged.seq) - logged.bytes AS before FROM (
                 (SELECT thought.seq, thought.row AS thought, NULL::bigint AS note,
                         2 * thought.status + thought.author AS facet, form.words, form.text AS form,
                         CASE WHEN form.thought IS NULL THEN thought.raw_text END AS text,
                         octet_length(thought.raw_text) AS bytes
                  FROM thought LEFT JOIN form ON form.account_id = thought.account_id AND form.thought = thought.row
                  WHERE thought.account_id = $1 AND thought.seq >= $2 AND thought.seq < $3
                  ORDER BY thought.seq LIMIT $4)
                 UNION ALL
                 (SELECT note.seq, note.thought, note.row, CASE WHEN note.removed_at IS NULL THEN 6 ELSE 7 END,
                         CASE WHEN note.removed_at IS NULL THEN note.words ELSE 0 END, note.lexical_text, NULL,
                         octet_length(note.lexical_text)
                  FROM note WHERE note.account_id = $1 AND note.seq >= $2 AND note.seq < $3
                  ORDER BY note.seq LIMIT $4)
                 ORDER BY 1 LIMIT $4) AS logged) AS page
         WHERE page.before < $5 ORDER BY page.seq";
    TEXTS, Account: "SELECT thought.row, thought.raw_text FROM thought WHERE account_id = $1 AND thought.row = ANY ($2)";
    FOLLOW_VECTORS, Account: "SELECT vector.seq, vector.thought, vector.parts FROM vector
                              WHERE account_id = $1 AND vector.model = $2 AND vector.seq >= $3
                              ORDER BY vector.seq LIMIT $4";
    NOTE_IDS, Account: "SELECT note.row, note.id FROM note
                        WHERE account_id = $1 AND note.row = ANY ($2) AND note.removed_at IS NULL";
}

/// How many entries are handed over at once: a block of an index.
const FOLLOWED_AT_ONCE: i64 = 65_536;

/// How many with their texts.
const TEXTS_AT_ONCE: i64 = 16_384;

/// No more are handed over at once when their texts are this long together.
const FOLLOWED_BYTES: i64 = 4 * 1024 * 1024;

/// How many vectors are handed over at once.
const VECTORS_AT_ONCE: usize = 8_192;

#[async_trait]
impl Log for PostgresStore {
    async fn last(&self, account: AccountId) -> Result<LogEnd, StoreError> {
        let found = self.first(&LAST, &[&account.stored()]).await?;
        let found = found.ok_or_else(|| damaged("log_end", "no row"))?;
        Ok(LogEnd { entry: number(&found, 0)?, vector: number(&found, 1)?, row: small(&found, 2)? })
    }

    async fn follow(
        &self,
        account: AccountId,
        seen: Seen,
        end: u64,
        reading: Reading,
    ) -> Result<Vec<Logged>, StoreError> {
        let (owner, next, end) = (account.stored(), seq(seen.next), seq(end));
        match reading {
            Reading::Facet => {
                let found = self.query(&FOLLOW_FACETS, &[&owner, &next, &end, &FOLLOWED_AT_ONCE]).await?;
                let unread = |found: &SqlRow| Ok(Logged { entry: entry(found)?, form: StoredForm::Unread });
                found.iter().map(unread).collect()
            }
            Reading::Words => {
                let found = self.query(&FOLLOW_WORDS, &[&owner, &next, &end, &FOLLOWED_AT_ONCE]).await?;
                self.counted(account, &found).await
            }
            Reading::Text => {
                let values = (TEXTS_AT_ONCE, FOLLOWED_BYTES);
                let found = self.query(&FOLLOW_TEXTS, &[&owner, &next, &end, &values.0, &values.1]).await?;
                found.iter().map(|found| Ok(Logged { entry: entry(found)?, form: row::form(found, 4)? })).collect()
            }
        }
    }

    async fn follow_vectors(&self, account: AccountId, model: i64, next: u64) -> Result<VectorPage, StoreError> {
        let values = (seq(next), limit(VECTORS_AT_ONCE));
        let found = self.query(&FOLLOW_VECTORS, &[&account.stored(), &model, &values.0, &values.1]).await?;
        let mut page = VectorPage::default();
        for found in &found {
            let parts: &[u8] = found.try_get(2).map_err(|error| damaged("parts", error))?;
            page.entries.push((number(found, 0)?, small(found, 1)?, parts.len()));
            page.bytes.extend_from_slice(parts);
        }
        Ok(page)
    }

    async fn read(&self, account: AccountId, wanted: &[Row]) -> Result<Vec<(Row, Thought)>, StoreError> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let found = looked_up::thoughts(&mut self.database.connection().await?, account, wanted).await?;
        Ok(found.into_iter().collect())
    }

    async fn read_formed(
        &self,
        account: AccountId,
        stretches: &[(Row, Row)],
    ) -> Result<Vec<FormedThought>, StoreError> {
        if stretches.is_empty() {
            return Ok(Vec::new());
        }
        let wanted: Vec<Row> = stretches.iter().flat_map(|(first, last)| *first..=*last).collect();
        let mut found = looked_up::formed(&mut self.database.connection().await?, account, &wanted).await?;
        Ok(wanted.iter().filter_map(|row| found.remove(row)).collect())
    }

    async fn rows_of(&self, account: AccountId, ids: &[ThoughtId]) -> Result<Vec<(ThoughtId, Row)>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids = ids.iter().copied();
        let found = looked_up::rows_of(&mut self.database.connection().await?, account, ids).await?;
        Ok(found.into_iter().collect())
    }

    async fn note_ids(&self, account: AccountId, wanted: &[Row]) -> Result<Vec<(Row, NoteId)>, StoreError> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.query(&NOTE_IDS, &[&account.stored(), &rows(wanted)]).await?;
        found.iter().map(|found| Ok((small(found, 0)?, note_id(found, 1)?))).collect()
    }
}

impl PostgresStore {
    /// Entries with the number of their words; the text where that has not been stored.
    async fn counted(&self, account: AccountId, found: &[SqlRow]) -> Result<Vec<Logged>, StoreError> {
        let mut logged = Vec::with_capacity(found.len());
        let mut unmade: Vec<Row> = Vec::new();
        for found in found {
            let entry = entry(found)?;
            let form = match get::<Option<i64>>(found, 4)? {
                Some(_) => StoredForm::Counted(small(found, 4)?),
                None => {
                    unmade.push(entry.thought);
                    StoredForm::Unread
                }
            };
            logged.push(Logged { entry, form });
        }
        if unmade.is_empty() {
            return Ok(logged);
        }
        let found = self.query(&TEXTS, &[&account.stored(), &rows(&unmade)]).await?;
        let texts = found.iter().map(|found| Ok((small(found, 0)?, text(found, 1)?)));
        let mut texts: rustc_hash::FxHashMap<Row, String> = texts.collect::<Result<_, StoreError>>()?;
        for logged in logged.iter_mut().filter(|logged| logged.form == StoredForm::Unread) {
            logged.form = StoredForm::Unmade(texts.remove(&logged.entry.thought).unwrap_or_default());
        }
        Ok(logged)
    }
}

fn entry(found: &SqlRow) -> Result<Entry, StoreError> {
    let note = match get::<Option<i64>>(found, 2)? {
        Some(_) => Some(small(found, 2)?),
        None => None,
    };
    Ok(Entry { seq: number(found, 0)?, thought: small(found, 1)?, note, facet: facet(found, 3)? })
}

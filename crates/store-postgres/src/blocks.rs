//! Blocks of bytes, and the lexical forms that are stored late.

use async_trait::async_trait;

use model::AccountId;
use store::StoreError;
use store::backend::{Blocks, Entry, Logged, Row, Unformed};
use text::LexicalForm;

use crate::ends;
use crate::place::PostgresStore;
use crate::row::{self, Stored, facet, get, number, small};
use crate::statement::statements;

statements! {
    GET_BLOCK, Account: "SELECT segment.bytes FROM segment WHERE account_id = $1 AND block = $2 AND format = $3";
    PUT_BLOCK, Account: "INSERT INTO segment (account_id, block, format, bytes) VALUES ($1, $2, $3, $4)
                         ON CONFLICT (account_id, block) DO UPDATE SET format = excluded.format, bytes = excluded.bytes";
    FORMED, Account: "SELECT coalesce((SELECT derived_end.formed FROM derived_end WHERE derived_end.account_id = $1), 1),
                             coalesce((SELECT log_end.row FROM log_end WHERE log_end.account_id = $1), 0)";
    UNFORMED, Account:
        "SELECT page.seq, page.row, page.facet, page.words, page.form, page.text FROM (
             SELECT near.*, sum(near.bytes) OVER (ORDER BY near.row) - near.bytes AS before FROM (
                 SELECT thought.seq, thought.row, 2 * thought.status + thought.author AS facet, form.words, form.text AS form,
                        CASE WHEN form.thought IS NULL THEN thought.raw_text END AS text,
                        octet_length(thought.raw_text) AS bytes
                 FROM thought LEFT JOIN form ON form.account_id = thought.account_id AND form.thought = thought.row
                 WHERE thought.account_id = $1 AND thought.row >= $2 ORDER BY thought.row LIMIT $3) AS near) AS page
         WHERE page.before < $4 ORDER BY page.row";
    // A form that is there is that of a newer text.
    PUT_FORMS, Account: "INSERT INTO form (account_id, thought, words, text)
                         SELECT $1, new.thought, new.words, new.text
                         FROM unnest($2::bigint[], $3::bigint[], $4::bytea[]) AS new (thought, words, text)
                         ON CONFLICT DO NOTHING";
    SET_FORMED, Account: "UPDATE derived_end SET formed = greatest(derived_end.formed, $2) WHERE account_id = $1";
}

/// How many thoughts get their forms at once.
const FORMED_AT_ONCE: i64 = 1_000;

/// No more at once when their texts are this long together.
const FORMED_BYTES: i64 = 1024 * 1024;

#[async_trait]
impl Blocks for PostgresStore {
    async fn get_block(&self, account: AccountId, block: u32, format: u32) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.first(&GET_BLOCK, &[&account.stored(), &i64::from(block), &i64::from(format)]).await?;
        found.map(|found| get(&found, 0)).transpose()
    }

    async fn put_block(&self, account: AccountId, block: u32, format: u32, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.execute(&PUT_BLOCK, &[&account.stored(), &i64::from(block), &i64::from(format), &bytes]).await.map(drop)
    }

    async fn unformed(&self, account: AccountId) -> Result<Unformed, StoreError> {
        let mut connection = self.database.connection().await?;
        let Some(found) = connection.first(&FORMED, &[&account.stored()]).await? else {
            return Ok(Unformed::default());
        };
        let (mut next, last): (Row, Row) = (small(&found, 0)?, small(&found, 1)?);
        if next > last {
            return Ok(Unformed { next, ..Unformed::default() });
        }
        let values = (i64::from(next), FORMED_AT_ONCE, FORMED_BYTES);
        let found = connection.query(&UNFORMED, &[&account.stored(), &values.0, &values.1, &values.2]).await?;
        let mut thoughts = Vec::with_capacity(found.len());
        for found in &found {
            let entry =
                Entry { seq: number(found, 0)?, thought: small(found, 1)?, note: None, facet: facet(found, 2)? };
            next = entry.thought + 1;
            thoughts.push(Logged { entry, form: row::form(found, 3)? });
        }
        Ok(Unformed { thoughts, next, more: next <= last })
    }

    async fn put_forms(
        &self,
        account: AccountId,
        forms: Vec<(Entry, LexicalForm)>,
        next: Row,
    ) -> Result<(), StoreError> {
        let rows: Vec<i64> = forms.iter().map(|(entry, _)| i64::from(entry.thought)).collect();
        let words: Vec<i64> = forms.iter().map(|(_, form)| i64::from(form.words)).collect();
        let texts: Vec<&[u8]> = forms.iter().map(|(_, form)| form.text.as_bytes()).collect();
        let mut transaction = self.transaction().await?;
        ends::lock_derived(&mut transaction, account).await?;
        transaction.execute(&PUT_FORMS, &[&account.stored(), &rows, &words, &texts]).await?;
        transaction.execute(&SET_FORMED, &[&account.stored(), &i64::from(next)]).await?;
        transaction.commit().await
    }
}

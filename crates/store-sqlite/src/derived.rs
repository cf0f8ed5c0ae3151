//! What is derived from texts: stored when a job is finished, gone when the text changes, read for searches and links.

use async_trait::async_trait;
use rusqlite::{Connection, params};

use annotate::entities::{EntityKey, EntityKind};
use model::AccountId;
use store::backend::{DerivedRow, DerivedRows, FinishedRow, GroupRow, GroupsOf, LinkKind, LinkRow, NameRow, Row};
use store::models::Model;
use store::{Mentioned, MetName, Step, StoreError, Ticket};

use crate::database::at_once;
use crate::folder::SqliteStore;
use crate::statement::execute;
use crate::{entities, links, queue, thoughts, vectors};

#[async_trait]
impl DerivedRows for SqliteStore {
    async fn finish(&self, account: AccountId, finished: Vec<FinishedRow>) -> Result<usize, StoreError> {
        self.account(account)
            .await?
            .database
            .write(move |connection| {
                let mut counted = 0;
                for finished in &finished {
                    counted += usize::from(finish(connection, finished)?);
                }
                vectors::switch_when_complete(connection)?;
                Ok(counted)
            })
            .await
    }

    async fn models(&self, account: AccountId) -> Result<Vec<Model>, StoreError> {
        // A table of one row, mostly.
        self.account(account).await?.database.look_up(vectors::models).await
    }

    async fn vectors_of(
        &self,
        account: AccountId,
        model: i64,
        rows: &[Row],
    ) -> Result<Vec<(Row, Vec<u8>)>, StoreError> {
        let read = self.of_each(account, rows, move |connection, row| vectors::of(connection, model, row)).await?;
        Ok(read.into_iter().filter_map(|(row, parts)| Some((row, parts?))).collect())
    }

    async fn tokens_of(&self, account: AccountId, model: i64, rows: &[Row]) -> Result<Vec<(Row, Vec<u8>)>, StoreError> {
        let read =
            self.of_each(account, rows, move |connection, row| vectors::tokens_of(connection, model, row)).await?;
        Ok(read.into_iter().filter_map(|(row, tokens)| Some((row, tokens?))).collect())
    }

    async fn remove_retired(&self, account: AccountId, model: i64) -> Result<bool, StoreError> {
        let file = self.account(account).await?;
        file.database.write(move |connection| vectors::remove_retired(connection, model)).await
    }

    async fn known_names(
        &self,
        account: AccountId,
        words: &[String],
        limit: usize,
    ) -> Result<Vec<NameRow>, StoreError> {
        self.of_words(account, words, move |connection, word| entities::known_names(connection, word, limit)).await
    }

    async fn names_before(
        &self,
        account: AccountId,
        row: Row,
        words: &[String],
        limit: usize,
    ) -> Result<Vec<MetName>, StoreError> {
        self.of_words(account, words, move |connection, word| entities::names_before(connection, row, word, limit))
            .await
    }

    async fn mention(&self, account: AccountId, mentioned: Vec<Mentioned>) -> Result<(), StoreError> {
        let store = move |connection: &Connection| {
            mentioned.iter().try_for_each(|Mentioned { ticket, mentions }| {
                let Some(row) = thoughts::row_of(connection, ticket.thought)? else { return Ok(()) };
                match queue::is_queued(connection, row, *ticket)? {
                    true => entities::store_changed(connection, row, mentions),
                    false => Ok(()),
                }
            })
        };
        self.account(account).await?.database.write(store).await
    }

    async fn groups(&self, account: AccountId, keys: &[EntityKey], limit: usize) -> Result<Vec<GroupRow>, StoreError> {
        let keys = keys.to_vec();
        let read = move |connection: &Connection| at_once(connection, || entities::groups(connection, &keys, limit));
        self.account(account).await?.database.read(read).await
    }

    async fn groups_of(
        &self,
        account: AccountId,
        rows: &[GroupsOf],
        limit: usize,
    ) -> Result<Vec<(Row, Vec<GroupRow>)>, StoreError> {
        let rows = rows.to_vec();
        let read = move |connection: &Connection| {
            let of_one = |of: GroupsOf| Ok((of.row, entities::groups_of(connection, of, limit)?));
            at_once(connection, || rows.into_iter().map(of_one).collect())
        };
        self.account(account).await?.database.read(read).await
    }

    async fn entities_of(
        &self,
        account: AccountId,
        rows: &[Row],
    ) -> Result<Vec<(Row, Vec<(String, EntityKind)>)>, StoreError> {
        self.of_each(account, rows, entities::shown).await
    }

    async fn links_of(
        &self,
        account: AccountId,
        rows: &[Row],
        kind: LinkKind,
        incoming: usize,
    ) -> Result<Vec<LinkRow>, StoreError> {
        let read =
            self.of_each(account, rows, move |connection, row| links::of(connection, row, kind, incoming)).await?;
        Ok(read.into_iter().flat_map(|(_, links)| links).collect())
    }
}

impl SqliteStore {
    /// What `read` finds for each of these thoughts, on one snapshot.
    async fn of_each<T: Send + 'static>(
        &self,
        account: AccountId,
        rows: &[Row],
        read: impl Fn(&Connection, Row) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<Vec<(Row, T)>, StoreError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let rows = rows.to_vec();
        let read_all = move |connection: &Connection| {
            at_once(connection, || rows.into_iter().map(|row| Ok((row, read(connection, row)?))).collect())
        };
        self.account(account).await?.database.read(read_all).await
    }

    /// What `read` finds for these words together, on one snapshot.
    async fn of_words<T: Send + 'static>(
        &self,
        account: AccountId,
        words: &[String],
        read: impl Fn(&Connection, &str) -> Result<Vec<T>, StoreError> + Send + 'static,
    ) -> Result<Vec<T>, StoreError> {
        let words = words.to_vec();
        let read_all = move |connection: &Connection| {
            at_once(connection, || {
                let found: Vec<Vec<T>> = words.iter().map(|word| read(connection, word)).collect::<Result<_, _>>()?;
                Ok(found.into_iter().flatten().collect())
            })
        };
        self.account(account).await?.database.read(read_all).await
    }
}

/// Stores what a job brought and ends its step; `false` if the job is not there any more, and nothing is stored.
fn finish(connection: &Connection, finished: &FinishedRow) -> Result<bool, StoreError> {
    let Some(row) = thoughts::row_of(connection, finished.ticket.thought)? else { return Ok(false) };
    if !end_step(connection, row, finished.ticket)? {
        return Ok(false);
    }
    match &finished.derived {
        DerivedRow::Enriched { vectors, mentions, category } => {
            vectors::store(connection, row, vectors)?;
            entities::store(connection, row, mentions)?;
            let sql = "UPDATE thought SET category = ?2 WHERE row = ?1";
            execute(connection, sql, params![row, category.as_str()])?;
        }
        DerivedRow::Linked(linked) => links::store(connection, row, linked)?,
    }
    Ok(true)
}

/// Takes away everything that was derived from the text of a thought.
pub(crate) fn clear(connection: &Connection, row: Row) -> Result<(), StoreError> {
    vectors::clear(connection, row)?;
    entities::clear(connection, row)?;
    links::clear(connection, row)
}

/// Turns the job into that of the next step, or ends it; whether it was there.
fn end_step(connection: &Connection, row: Row, ticket: Ticket) -> Result<bool, StoreError> {
    match ticket.step {
        // Due at once, and before texts that have not been looked at.
        Step::Enrich => {
            let sql = "UPDATE job SET step = 'link', leased = 0, attempts = 0, due_at = 0
                       WHERE thought = ?1 AND step = 'enrich' AND version = ?2";
            Ok(execute(connection, sql, params![row, ticket.version])? == 1)
        }
        Step::Link => queue::end_linking(connection, row, ticket.version),
    }
}

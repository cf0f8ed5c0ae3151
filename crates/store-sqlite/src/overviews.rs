//! An account as a person looks at it: lists by filters, counts and changes.
//!
//! Whatever is filtered walks `thought_listed`, which holds everything that filters look at: a filter that admits next to nothing
//! passes over a hundred thousand thoughts in some ten milliseconds, and no text is read for it.

use async_trait::async_trait;
use parking_lot::Mutex;
use rusqlite::{Connection, named_params, params};

use annotate::entities::EntityKey;
use model::{AccountId, Category, Cursor, Thought, ThoughtId};
use store::backend::{Row, Tally};
use store::{
    Among, Census, ChangeMark, Changes, Duplicates, EntityListing, EntityPage, EntityView, Filter, Focus, Graph,
    Overviews, StoreError, Whose, status_number,
};

use crate::database::{at_once, error};
use crate::folder::SqliteStore;
use crate::row::thought_id;
use crate::statement::{list, value};
use crate::tally::{changed_rows, mark};
use crate::{duplicates, entity_views, graph, queue, tally, thoughts};

#[async_trait]
impl Overviews for SqliteStore {
    async fn list_filtered(
        &self,
        account: AccountId,
        filter: &Filter,
        before: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Thought>, StoreError> {
        let filter = filter.clone();
        let file = self.account(account).await?;
        file.database.read(move |connection| list_filtered(connection, &filter, before, limit)).await
    }

    async fn among(&self, account: AccountId, filter: &Filter) -> Result<Among, StoreError> {
        let filter = filter.clone();
        let file = self.account(account).await?;
        let read =
            move |connection: &Connection| Ok(Among::new(filter.clone(), &rows(connection, &filter, None, None)?));
        file.database.read(read).await
    }

    async fn mentioning(
        &self,
        account: AccountId,
        entity: &EntityKey,
        ids: &[ThoughtId],
    ) -> Result<Vec<ThoughtId>, StoreError> {
        let (entity, ids) = (entity.clone(), ids.to_vec());
        let file = self.account(account).await?;
        file.database.read(move |connection| entity_views::mentioning(connection, &entity, ids)).await
    }

    async fn census(&self, account: AccountId) -> Result<Census, StoreError> {
        let file = self.account(account).await?;
        let known = file.tally.clone();
        file.database.read(move |connection| at_once(connection, || census(connection, &known))).await
    }

    async fn list_entities(&self, account: AccountId, listing: &EntityListing) -> Result<EntityPage, StoreError> {
        let listing = listing.clone();
        let file = self.account(account).await?;
        file.database.read(move |connection| entity_views::page(connection, &listing)).await
    }

    async fn entity(&self, account: AccountId, key: &EntityKey) -> Result<Option<EntityView>, StoreError> {
        let key = key.clone();
        self.account(account).await?.database.read(move |connection| entity_views::view(connection, &key)).await
    }

    async fn entities_of_thought(
        &self,
        account: AccountId,
        id: ThoughtId,
    ) -> Result<Vec<(EntityKey, String)>, StoreError> {
        let read = move |connection: &Connection| match thoughts::row_of(connection, id)? {
            Some(row) => entity_views::of_thought(connection, row),
            None => Ok(Vec::new()),
        };
        self.account(account).await?.database.read(read).await
    }

    async fn graph(&self, account: AccountId, focus: &Focus, limit: usize) -> Result<Graph, StoreError> {
        let focus = focus.clone();
        self.account(account).await?.database.read(move |connection| graph::read(connection, &focus, limit)).await
    }

    async fn duplicates(&self, account: AccountId, skip: usize, limit: usize) -> Result<Duplicates, StoreError> {
        let file = self.account(account).await?;
        let known = file.tally.clone();
        let read = move |connection: &Connection| {
            at_once(connection, || {
                let groups = tally::duplicates(connection, &mut known.lock())?;
                duplicates::page(connection, groups, skip, limit)
            })
        };
        file.database.read(read).await
    }

    async fn changes(
        &self,
        account: AccountId,
        since: Option<ChangeMark>,
        limit: usize,
    ) -> Result<Changes, StoreError> {
        self.account(account).await?.database.read(move |connection| changes(connection, since, limit)).await
    }
}

fn list_filtered(
    connection: &Connection,
    filter: &Filter,
    before: Option<Cursor>,
    limit: usize,
) -> Result<Vec<Thought>, StoreError> {
    let rows = rows(connection, filter, before, Some(limit))?;
    let mut page = Vec::with_capacity(rows.len());
    for row in rows {
        page.extend(thoughts::by_row(connection, row)?);
    }
    Ok(page)
}

/// The rows of the thoughts that a filter admits, newest first.
fn rows(
    connection: &Connection,
    filter: &Filter,
    before: Option<Cursor>,
    limit: Option<usize>,
) -> Result<Vec<Row>, StoreError> {
    macro_rules! filtered {
        ($condition:literal) => {
            concat!(
                "SELECT row FROM thought INDEXED BY thought_listed
                 WHERE (created_at, id) < (:before, :before_id)
                   AND (:status IS NULL OR status = :status)
                   AND (:author IS NULL OR author = :author)
                   AND (:agent IS NULL OR agent_name = :agent)
                   AND (:category IS NULL OR category = :category)
                   AND captured_at >= :from AND captured_at < :to",
                $condition,
                " ORDER BY created_at DESC, id DESC LIMIT :limit"
            )
        };
    }
    let (author, agent) = match &filter.whose {
        Whose::Everybodys => (None, None),
        Whose::Users => (Some(0_u8), None),
        Whose::Agents => (Some(1), None),
        Whose::Agent(name) => (Some(1), Some(name.as_str())),
    };
    let full = match &filter.entity {
        Some(key) => match entity_views::full(connection, key)? {
            Some(full) => Some(full),
            None => return Ok(Vec::new()),
        },
        None => None,
    };
    let common = named_params! {
        ":before": before.map_or(i64::MAX, |cursor| cursor.created_at.as_micros()),
        ":before_id": before.and_then(|cursor| cursor.id).map(|id| id.as_bytes().to_vec()).unwrap_or_default(),
        ":status": filter.status.map(status_number),
        ":author": author,
        ":agent": agent,
        ":category": filter.category.map(Category::as_str),
        ":from": filter.from.map_or(i64::MIN, |from| from.as_micros()),
        ":to": filter.to.map_or(i64::MAX, |to| to.as_micros()),
        ":limit": limit.map_or(-1, |limit| limit as i64),
    };
    let read = |row: &rusqlite::Row<'_>| row.get::<_, Row>(0).map_err(error);
    match full {
        None => list(connection, filtered!(""), common, read),
        Some(full) => {
            let sql = filtered!(
                " AND row IN (SELECT mention.thought FROM mention JOIN entity ON entity.row = mention.entity
                              WHERE entity.row = :full OR entity.stands_for = :full)"
            );
            let with_entity: Vec<(&str, &dyn rusqlite::ToSql)> =
                common.iter().copied().chain([(":full", &full as &dyn rusqlite::ToSql)]).collect();
            list(connection, sql, with_entity.as_slice(), read)
        }
    }
}

fn census(connection: &Connection, known: &Mutex<Tally>) -> Result<Census, StoreError> {
    let mut census = tally::census(connection, &mut known.lock())?;
    census.notes = value(connection, "SELECT count(*) FROM note WHERE removed_at IS NULL", [])?;
    census.entities = value(connection, "SELECT count(*) FROM entity WHERE stands_for IS NULL AND kind <> 'date'", [])?;
    census.pending = queue::pending(connection)?;
    census.given_up = value(connection, "SELECT count(DISTINCT thought) FROM job WHERE given_up = 1", [])?;
    Ok(census)
}

fn changes(connection: &Connection, since: Option<ChangeMark>, limit: usize) -> Result<Changes, StoreError> {
    let mark = mark(connection)?;
    let Some(since) = since.filter(|since| *since != mark) else {
        return Ok(Changes { mark, thoughts: Vec::new(), more: false });
    };
    let sql = concat!("SELECT id FROM thought WHERE row IN (", changed_rows!(), ") ORDER BY row LIMIT ?4");
    let values = params![since.row, since.entry, since.vector, limit as i64 + 1];
    let mut changed = list(connection, sql, values, |row| thought_id(row, 0))?;
    let more = changed.len() > limit;
    changed.truncate(limit);
    Ok(Changes { mark, thoughts: changed, more })
}

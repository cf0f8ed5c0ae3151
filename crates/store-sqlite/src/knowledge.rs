//! Answers from what has been derived: by meaning, by entity, by link.

use std::collections::BTreeMap;

use async_trait::async_trait;
use rusqlite::Connection;
use rustc_hash::FxHashMap;

use model::{AccountId, ThoughtId};
use store::{
    Connections, EntityHit, EntityQuery, Knowledge, KnownName, Linked, Relatives, SemanticHit, SemanticHits,
    SemanticQuery, StoreError, Visible,
};

use super::account::AccountFile;
use super::database::at_once;
use super::index::Facet;
use super::meaning::Close;
use super::row::status_number;
use super::thoughts::{author_numbers, facet};
use super::{SqliteStore, entities, links, meaning, thoughts};

/// How many thoughts of one entity a query looks at: the newest.
const MENTIONING_MAX: usize = 500;

#[async_trait]
impl Knowledge for SqliteStore {
    async fn serving_model(&self, account: AccountId) -> Result<Option<String>, StoreError> {
        let file = self.account(account).await?;
        // One look-up in a table of one row.
        file.database.read_here(|connection| Ok(meaning::serving(connection)?.map(|model| model.name)))
    }

    async fn search_semantic(&self, account: AccountId, query: SemanticQuery) -> Result<SemanticHits, StoreError> {
        self.account(account).await?.search_semantic(query).await
    }

    async fn known_names(&self, account: AccountId, words: Vec<String>) -> Result<Vec<KnownName>, StoreError> {
        let file = self.account(account).await?;
        file.database.read(move |connection| at_once(connection, || entities::known_names(connection, &words))).await
    }

    async fn search_entities(&self, account: AccountId, query: EntityQuery) -> Result<Vec<EntityHit>, StoreError> {
        self.account(account).await?.search_entities(query).await
    }

    async fn connections(&self, account: AccountId, ids: &[ThoughtId]) -> Result<Vec<Connections>, StoreError> {
        let ids = ids.to_vec();
        self.account(account)
            .await?
            .database
            .read(move |connection| {
                at_once(connection, || {
                    let mut all = Vec::with_capacity(ids.len());
                    for (row, thought) in rows_of(connection, &ids)? {
                        let entities = entities::shown(connection, row)?;
                        let linked = links::linked(connection, row)?;
                        let links = linked.into_iter().map(|(_, other, weight)| (other, weight)).collect();
                        all.push(Connections { thought, entities, links });
                    }
                    Ok(all)
                })
            })
            .await
    }

    async fn linked(&self, account: AccountId, ids: &[ThoughtId], visible: Visible) -> Result<Vec<Linked>, StoreError> {
        let ids = ids.to_vec();
        let facets = admitted(visible);
        self.account(account)
            .await?
            .database
            .read(move |connection| {
                at_once(connection, || {
                    let mut all = Vec::new();
                    for (row, with) in rows_of(connection, &ids)? {
                        for (other, _, weight) in links::linked(connection, row)? {
                            let thought = thoughts::by_row(connection, other)?;
                            let thought = thought.filter(|thought| facets.contains(&facet(thought)));
                            all.extend(thought.map(|thought| Linked { with, thought, weight }));
                        }
                    }
                    Ok(all)
                })
            })
            .await
    }

    async fn relatives(
        &self,
        account: AccountId,
        thoughts: Vec<ThoughtId>,
        model: &str,
    ) -> Result<Vec<Relatives>, StoreError> {
        self.account(account).await?.relatives(thoughts, model.to_owned()).await
    }
}

/// The thoughts that exist, by their rows.
fn rows_of(connection: &Connection, ids: &[ThoughtId]) -> Result<BTreeMap<i64, ThoughtId>, StoreError> {
    let mut rows = BTreeMap::new();
    for id in ids {
        rows.extend(thoughts::row_of(connection, *id)?.map(|row| (row, *id)));
    }
    Ok(rows)
}

/// The facets a filter lets in.
pub(super) fn admitted(visible: Visible) -> Vec<Facet> {
    let status = status_number(visible.status);
    author_numbers(visible.author).into_iter().map(|author| Facet::of(status, author)).collect()
}

impl AccountFile {
    async fn search_semantic(&self, query: SemanticQuery) -> Result<SemanticHits, StoreError> {
        let sets = self.sets.clone();
        self.database
            .read(move |connection| {
                let model = meaning::get_model(connection, &query.model, query.vector.len())?;
                let Some(model) = model else { return Ok(SemanticHits::default()) };
                let facets = admitted(query.visible);
                let numbers: Vec<u8> = facets.iter().map(|facet| facet.number()).collect();
                let also = at_once(connection, || rows_of(connection, &query.also))?;
                let rows: Vec<i64> = also.keys().copied().collect();
                let (close, compared, typical_cosine) = meaning::with_current(&sets, connection, &model, |set| {
                    let closest = set.search(&[&query.vector], query.limit, &numbers).pop();
                    let compared = set.compare(&query.vector, &rows);
                    (closest.unwrap_or_default(), compared, set.typical_cosine(&query.vector))
                })?;
                let id = |close: Close| Some((*also.get(&i64::from(close.thought))?, close.cosine));
                let also = compared.into_iter().filter_map(id).collect();
                at_once(connection, || {
                    let mut hits = Vec::with_capacity(close.len());
                    for close in close {
                        // What changed between ranking and reading may not fit the filter any more.
                        let thought = thoughts::by_row(connection, i64::from(close.thought))?;
                        let thought = thought.filter(|thought| facets.contains(&facet(thought)));
                        hits.extend(thought.map(|thought| SemanticHit { thought, cosine: close.cosine }));
                    }
                    Ok(SemanticHits { hits, also, typical_cosine })
                })
            })
            .await
    }

    async fn search_entities(&self, query: EntityQuery) -> Result<Vec<EntityHit>, StoreError> {
        self.database
            .read(move |connection| {
                at_once(connection, || {
                    let facets = admitted(query.visible);
                    let population = links::highest_row(connection)?;
                    let mut shared: FxHashMap<i64, Vec<u64>> = FxHashMap::default();
                    let mut seen = Vec::new();
                    for key in &query.keys {
                        let Some(entity) = entities::row_of(connection, key)? else { continue };
                        let group = entities::group(connection, entity)?;
                        if seen.contains(&group.entities) {
                            continue;
                        }
                        for row in entities::thoughts_of(connection, &group, MENTIONING_MAX)? {
                            shared.entry(row).or_default().push(group.thoughts);
                        }
                        seen.push(group.entities);
                    }
                    let mut ranked: Vec<(i64, Vec<u64>)> = shared.into_iter().collect();
                    let rarest = |counts: &[u64]| counts.iter().copied().min().unwrap_or(u64::MAX);
                    ranked.sort_by_key(|(row, counts)| {
                        (std::cmp::Reverse(counts.len()), rarest(counts), std::cmp::Reverse(*row))
                    });
                    let mut hits = Vec::new();
                    for (row, shared) in ranked {
                        if hits.len() == query.limit {
                            break;
                        }
                        let thought =
                            thoughts::by_row(connection, row)?.filter(|thought| facets.contains(&facet(thought)));
                        hits.extend(thought.map(|thought| EntityHit { thought, shared, population }));
                    }
                    Ok(hits)
                })
            })
            .await
    }
}

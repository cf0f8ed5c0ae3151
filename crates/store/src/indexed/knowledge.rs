//! Answers from what has been derived: by meaning in memory, by entity and link from the rows.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use rustc_hash::FxHashMap;

use model::{AccountId, ThoughtId};
use vectors::kernel::Kernel;
use vectors::{WeightedToken, held, pack, pack_tokens, unpack};

use super::loaded::Loaded;
use super::store::IndexedStore;
use crate::apart::{apart, computed};
use crate::backend::{DerivedRow, FinishedRow, GroupRow, GroupsOf, LinkKind, LinkRow, LogEnd, Row, VectorRow};
use crate::contract::{
    Closeness, Connections, Derived, Embedding, Enriched, EntityHit, EntityQuery, Finished, Knowledge, KnownName,
    KnownNames, Link, Linked, Mentioned, MetName, Relatives, Replaces, SemanticHit, SemanticHits, SemanticQuery,
    Visible,
};
use crate::error::StoreError;
use crate::facet::Facet;
use crate::links::{
    CLOSEST, COMPARED_AT_ONCE, INCOMING_SHOWN, MENTIONING, candidates, common, looked_at_before, relative,
};
use crate::meaning::{Close, Set};
use crate::models::{self, Model};
use crate::source::Source;

/// How many thoughts of one entity a query looks at: the newest.
const MENTIONING_MAX: usize = 500;

/// How many more thoughts are read at least where some of those before were not visible.
const READ_AT_LEAST: usize = 16;

/// How many names that begin with the same word are offered.
pub const NAMES_PER_WORD_MAX: usize = 32;

#[async_trait]
impl Knowledge for IndexedStore {
    async fn finish(&self, account: AccountId, finished: Vec<Finished>) -> Result<usize, StoreError> {
        let rows = self.rows(account);
        let models = rows.models(account).await?;
        let packed = computed(move || finished.into_iter().map(|finished| as_row(finished, &models)).collect());
        rows.finish(account, packed.await?).await
    }

    async fn serving_model(&self, account: AccountId) -> Result<Option<String>, StoreError> {
        Ok(models::serving(self.rows(account).models(account).await?).map(|model| model.name))
    }

    async fn search_semantic(&self, account: AccountId, query: SemanticQuery) -> Result<SemanticHits, StoreError> {
        apart(search_semantic(self.account(account), query)).await
    }

    async fn known_names(&self, account: AccountId, words: Vec<String>) -> Result<KnownNames, StoreError> {
        apart(known_names(self.account(account), words)).await
    }

    async fn names_before(
        &self,
        account: AccountId,
        thought: ThoughtId,
        words: Vec<String>,
    ) -> Result<Vec<MetName>, StoreError> {
        apart(names_before(self.account(account), thought, words)).await
    }

    async fn mention(&self, account: AccountId, mentioned: Vec<Mentioned>) -> Result<(), StoreError> {
        self.rows(account).mention(account, mentioned).await
    }

    async fn search_entities(&self, account: AccountId, query: EntityQuery) -> Result<Vec<EntityHit>, StoreError> {
        apart(search_entities(self.account(account), query)).await
    }

    async fn connections(&self, account: AccountId, ids: &[ThoughtId]) -> Result<Vec<Connections>, StoreError> {
        apart(connections(self.account(account), ids.to_vec())).await
    }

    async fn linked(&self, account: AccountId, ids: &[ThoughtId], visible: Visible) -> Result<Vec<Linked>, StoreError> {
        apart(linked(self.account(account), ids.to_vec(), visible, LinkKind::Any)).await
    }

    async fn replacing(
        &self,
        account: AccountId,
        ids: &[ThoughtId],
        visible: Visible,
    ) -> Result<Vec<Linked>, StoreError> {
        apart(linked(self.account(account), ids.to_vec(), visible, LinkKind::Replacing)).await
    }

    async fn relatives(
        &self,
        account: AccountId,
        thoughts: Vec<ThoughtId>,
        model: &str,
    ) -> Result<Vec<Relatives>, StoreError> {
        apart(relatives(self.account(account), thoughts, model.to_owned())).await
    }
}

async fn search_semantic(loaded: Arc<Loaded>, query: SemanticQuery) -> Result<SemanticHits, StoreError> {
    let Source { backend, account } = &loaded.source;
    let SemanticQuery { model, vector, tokens, visible, among, limit, also, as_of } = query;
    let (models, also, end) = tokio::try_join!(backend.models(*account), loaded.rows_of(&also), loaded.as_of(as_of))?;
    let Some(model) = models::named(&models, &model, vector.len()) else { return Ok(SemanticHits::default()) };
    let ids: FxHashMap<Row, ThoughtId> = also.into_iter().map(|(id, row)| (row, id)).collect();
    let rows: Vec<Row> = ids.keys().copied().collect();
    let compare = move |set: &Set| {
        let close = set.search(&vector, limit, &Facet::admitted(visible), among.as_ref());
        (close, set.compare(&vector, &rows), set.typical_cosine(&vector))
    };
    let (close, compared, typical_cosine) = loaded.with_vectors(model.clone(), end, compare).await?;
    let all: Vec<Row> = close.iter().chain(&compared).map(|close| close.thought).collect();
    let rows: Vec<Row> = close.iter().map(|close| close.thought).collect();
    let (held, mut thoughts) = tokio::try_join!(held_by(&loaded, model.number, tokens, all), loaded.read(&rows))?;
    let closeness = |close: &Close| Closeness { cosine: close.cosine, held: held.get(&close.thought).cloned() };
    let hit = |close: Close| {
        // What changed between ranking and reading may not fit the filter any more.
        let thought = thoughts.remove(&close.thought).filter(|thought| visible.admits(thought))?;
        Some(SemanticHit { thought, closeness: closeness(&close) })
    };
    let hits = close.into_iter().filter_map(hit).collect();
    let also = compared.iter().map(|close| (ids[&close.thought], closeness(close))).collect();
    Ok(SemanticHits { hits, also, typical_cosine })
}

/// How much of each of the query's tokens each of these thoughts holds that has tokens.
async fn held_by(
    loaded: &Loaded,
    model: i64,
    query: Vec<WeightedToken>,
    mut rows: Vec<Row>,
) -> Result<FxHashMap<Row, Vec<f32>>, StoreError> {
    if query.is_empty() {
        return Ok(FxHashMap::default());
    }
    let Source { backend, account } = &loaded.source;
    rows.sort_unstable();
    rows.dedup();
    let packed = backend.tokens_of(*account, model, &rows).await?;
    let compare = move || {
        let kernel = Kernel::detect();
        let held = |(row, tokens): (Row, Vec<u8>)| Some((row, held(kernel, &query, &tokens)?));
        packed.into_iter().filter_map(held).collect()
    };
    computed(compare).await
}

async fn known_names(loaded: Arc<Loaded>, words: Vec<String>) -> Result<KnownNames, StoreError> {
    let Source { backend, account } = &loaded.source;
    let (names, as_of) = tokio::try_join!(backend.known_names(*account, &words, NAMES_PER_WORD_MAX), loaded.end())?;
    let population = u64::from(as_of.row);
    let known = names.into_iter().map(|name| KnownName {
        folded: name.folded,
        name: name.name,
        kind: name.kind,
        thoughts: name.thoughts,
        population,
    });
    Ok(KnownNames { names: known.collect(), as_of })
}

async fn names_before(loaded: Arc<Loaded>, thought: ThoughtId, words: Vec<String>) -> Result<Vec<MetName>, StoreError> {
    let Source { backend, account } = &loaded.source;
    let Some((_, row)) = loaded.rows_of(&[thought]).await?.pop() else { return Ok(Vec::new()) };
    backend.names_before(*account, row, &words, NAMES_PER_WORD_MAX).await
}

async fn search_entities(loaded: Arc<Loaded>, query: EntityQuery) -> Result<Vec<EntityHit>, StoreError> {
    let Source { backend, account } = &loaded.source;
    let groups = backend.groups(*account, &query.keys, MENTIONING_MAX).await?;
    let mut hits = Vec::new();
    let is_wanted = |row: Row| query.among.as_ref().is_none_or(|among| among.contains(row));
    let mut ranked = rank_mentions(groups).into_iter().filter(|(row, _)| is_wanted(*row));
    // Some may not be visible; then the next are looked at.
    while hits.len() < query.limit {
        let missing = (query.limit - hits.len()).max(READ_AT_LEAST);
        let some: Vec<(Row, Vec<u64>)> = ranked.by_ref().take(missing).collect();
        if some.is_empty() {
            break;
        }
        let read: Vec<Row> = some.iter().map(|(row, _)| *row).collect();
        let mut thoughts = loaded.read(&read).await?;
        hits.extend(some.into_iter().filter_map(|(row, shared)| {
            let thought = thoughts.remove(&row).filter(|thought| query.visible.admits(thought))?;
            Some(EntityHit { thought, shared })
        }));
    }
    hits.truncate(query.limit);
    Ok(hits)
}

async fn connections(loaded: Arc<Loaded>, ids: Vec<ThoughtId>) -> Result<Vec<Connections>, StoreError> {
    let Source { backend, account } = &loaded.source;
    let found = loaded.rows_of(&ids).await?;
    let thoughts: Vec<Row> = found.iter().map(|(_, row)| *row).collect();
    let (entities, links) = tokio::try_join!(
        backend.entities_of(*account, &thoughts),
        backend.links_of(*account, &thoughts, LinkKind::Any, INCOMING_SHOWN)
    )?;
    let mut entities: FxHashMap<Row, _> = entities.into_iter().collect();
    let mut links = links_by_thought(links, |facet| Facet::NOT_ARCHIVED.contains(&facet));
    let connections = |(thought, row): (ThoughtId, Row)| {
        let links = links.remove(&row).unwrap_or_default();
        let links = links.into_iter();
        let links = links.map(|LinkRow { id: other, weight, replaces, .. }| Link { other, weight, replaces }).collect();
        Connections { thought, entities: entities.remove(&row).unwrap_or_default(), links }
    };
    Ok(found.into_iter().map(connections).collect())
}

/// The visible thoughts linked with these by links of that kind.
async fn linked(
    loaded: Arc<Loaded>,
    ids: Vec<ThoughtId>,
    visible: Visible,
    kind: LinkKind,
) -> Result<Vec<Linked>, StoreError> {
    let Source { backend, account } = &loaded.source;
    let found = loaded.rows_of(&ids).await?;
    let thoughts: Vec<Row> = found.iter().map(|(_, row)| *row).collect();
    let admitted = Facet::admitted(visible);
    let links = backend.links_of(*account, &thoughts, kind, INCOMING_SHOWN).await?;
    let mut links = links_by_thought(links, |facet| admitted.contains(&facet) && Facet::NOT_ARCHIVED.contains(&facet));
    let mut others: Vec<Row> = links.values().flatten().map(|link| link.row).collect();
    others.sort_unstable();
    others.dedup();
    let thoughts = loaded.read(&others).await?;
    let mut all = Vec::new();
    for (with, row) in found {
        for LinkRow { row: other, weight, replaces, .. } in links.remove(&row).unwrap_or_default() {
            let thought = thoughts.get(&other).filter(|thought| visible.admits(thought)).cloned();
            let replaces = replaces == Some(Replaces::This);
            all.extend(thought.map(|thought| Linked { with, thought, weight, replaces }));
        }
    }
    Ok(all)
}

async fn relatives(loaded: Arc<Loaded>, thoughts: Vec<ThoughtId>, model: String) -> Result<Vec<Relatives>, StoreError> {
    let Source { backend, account } = &loaded.source;
    let end = loaded.end().await?;
    let row_of: FxHashMap<ThoughtId, Row> = loaded.rows_of(&thoughts).await?.into_iter().collect();
    let known: Vec<Row> = row_of.values().copied().collect();
    let linked = loaded.read(&known).await?;
    let before: FxHashMap<Row, Row> =
        linked.iter().map(|(row, thought)| (*row, looked_at_before(*row, thought, end.row))).collect();
    let models = backend.models(*account).await?;
    // Of one name, the one with the latest vectors.
    let model = models.into_iter().rev().find(|known| known.name == model);
    let mut close = match model {
        Some(model) => closest(&loaded, model, end, &before).await?,
        None => FxHashMap::default(),
    };
    // A thought is one of those that mention what it mentions.
    let groups_of = |(row, before): (&Row, &Row)| {
        let until = (*before).min(end.row).max(*row);
        GroupsOf { row: *row, until, common: common(until) }
    };
    let asked: Vec<GroupsOf> = before.iter().map(groups_of).collect();
    let groups: FxHashMap<Row, Vec<GroupRow>> =
        backend.groups_of(*account, &asked, MENTIONING + 1).await?.into_iter().collect();
    let mut found = Vec::with_capacity(thoughts.len());
    for id in &thoughts {
        let Some(row) = row_of.get(id).copied() else {
            found.push(None);
            continue;
        };
        let (close, typical_cosine) = close.remove(&row).unwrap_or_default();
        let shared = groups.get(&row).map(Vec::as_slice).unwrap_or_default();
        found.push(Some((row, candidates(row, &close, shared), typical_cosine)));
    }
    let mut read: Vec<Row> = found.iter().flatten().flat_map(|(_, candidates, _)| candidates.keys()).copied().collect();
    read.sort_unstable();
    read.dedup();
    let read = loaded.read(&read).await?;
    let weigh = |found: Option<(Row, crate::links::Candidates, f32)>| {
        let Some((row, candidates, typical_cosine)) = found else { return Relatives::default() };
        let thought = linked.get(&row);
        let related = candidates
            .into_iter()
            .filter_map(|(other, evidence)| Some(relative(thought?, read.get(&other)?, evidence)));
        let population = before.get(&row).map_or(row, |before| (*before).min(end.row));
        Relatives { candidates: related.collect(), typical_cosine, population: population.into() }
    };
    Ok(found.into_iter().map(weigh).collect())
}

/// What a job brought, in the form it is stored in.
fn as_row(Finished { ticket, derived }: Finished, models: &[Model]) -> FinishedRow {
    let derived = match derived {
        Derived::Enriched(Enriched { embedding, mentions, category }) => {
            DerivedRow::Enriched { vectors: packed(embedding, models), mentions, category }
        }
        Derived::Linked(linked) => DerivedRow::Linked(linked),
    };
    FinishedRow { ticket, derived }
}

/// Packs vectors around the centre that those before them were packed around.
fn packed(embedding: Embedding, models: &[Model]) -> VectorRow {
    let Embedding { model, centre, parts, tokens } = embedding;
    let known = models::named(models, &model, centre.len());
    let centre = known.map_or(centre, |known| Arc::from(known.centre.as_slice()));
    let mut bytes = Vec::new();
    parts.iter().for_each(|part| pack(part, &centre, &mut bytes));
    let mut packed_tokens = Vec::new();
    pack_tokens(&tokens, &mut packed_tokens);
    VectorRow { model, centre, parts: bytes, tokens: packed_tokens }
}

/// The thoughts that mention the groups, each with the counts of those it mentions: most and rarest first, then the newest.
fn rank_mentions(groups: Vec<GroupRow>) -> Vec<(Row, Vec<u64>)> {
    let mut shared: FxHashMap<Row, Vec<u64>> = FxHashMap::default();
    for group in groups {
        for row in group.newest {
            shared.entry(row).or_default().push(group.thoughts);
        }
    }
    let mut ranked: Vec<(Row, Vec<u64>)> = shared.into_iter().collect();
    let rarest = |counts: &[u64]| counts.iter().copied().min().unwrap_or(u64::MAX);
    ranked.sort_by_key(|(row, counts)| (Reverse(counts.len()), rarest(counts), Reverse(*row)));
    ranked
}

/// The links of each thought whose other end is admitted, strongest first, ties by id; two thoughts that were given each other once,
/// as strongly as the stronger, and one replaces the other if either link says so.
fn links_by_thought(links: Vec<LinkRow>, admitted: impl Fn(Facet) -> bool) -> FxHashMap<Row, Vec<LinkRow>> {
    let mut strongest: BTreeMap<(Row, Row), LinkRow> = BTreeMap::new();
    for link in links.into_iter().filter(|link| admitted(link.facet)) {
        let known = strongest.entry((link.with, link.row)).or_insert_with(|| link.clone());
        known.weight = known.weight.max(link.weight);
        // What replaces a thought matters more than what it replaces.
        if known.replaces.is_none() || link.replaces == Some(Replaces::This) {
            known.replaces = link.replaces.or(known.replaces);
        }
    }
    let mut by_thought: FxHashMap<Row, Vec<LinkRow>> = FxHashMap::default();
    for link in strongest.into_values() {
        by_thought.entry(link.with).or_default().push(link);
    }
    for links in by_thought.values_mut() {
        links.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.id.cmp(&b.id)));
    }
    by_thought
}

/// For each thought with a vector, those closest in meaning that lie before the row beside it, and the typical cosine.
async fn closest(
    loaded: &Loaded,
    model: Model,
    end: LogEnd,
    before: &FxHashMap<Row, Row>,
) -> Result<FxHashMap<Row, (Vec<Close>, f32)>, StoreError> {
    let Source { backend, account } = &loaded.source;
    let rows: Vec<Row> = before.keys().copied().collect();
    let vectors = backend.vectors_of(*account, model.number, &rows).await?;
    let opening = |(row, bytes): (Row, Vec<u8>)| {
        let opening = unpack(&bytes, model.centre.len()).next()?;
        Some((row, before.get(&row).copied()?, opening.to_vector(&model.centre)))
    };
    let openings: Vec<(Row, Row, Vec<f32>)> = vectors.into_iter().filter_map(opening).collect();
    let mut closest = FxHashMap::default();
    for openings in openings.chunks(COMPARED_AT_ONCE) {
        let openings = openings.to_vec();
        let compare = move |set: &Set| {
            let vectors: Vec<(&[f32], Row)> =
                openings.iter().map(|(_, before, opening)| (opening.as_slice(), *before)).collect();
            let found = set.closest_before(&vectors, CLOSEST + 1);
            openings.iter().map(|(row, ..)| *row).zip(found).collect::<Vec<_>>()
        };
        closest.extend(loaded.with_vectors(model.clone(), end, compare).await?);
    }
    Ok(closest)
}

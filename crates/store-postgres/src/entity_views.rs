//! Entities as a person looks at them: under their full names, by how often they occur, with what is around them.

use rustc_hash::{FxHashMap, FxHashSet};
use tokio_postgres::Row as SqlRow;
use uuid::Uuid;

use annotate::entities::{EntityKey, EntityKind};
use model::{AccountId, ThoughtId};
use store::backend::Row;
use store::{EntityListing, EntityPage, EntityView, KnownEntity, StoreError};

use crate::connection::Connection;
use crate::entities::kind;
use crate::row::{self, Stored, get, number, rows, small, text, thought_id};
use crate::statement::statements;

/// How many neighbours of an entity are told.
const NEIGHBOURS: usize = 30;

/// How many of its latest thoughts are looked at for them: enough to tell, whatever the size of the account.
const LOOKED_AT: usize = 2_000;

/// The columns [`known`] reads, of full names called `entity`.
macro_rules! known_columns {
    () => {
        "entity.kind, entity.folded, entity.name,
         (entity.thoughts + coalesce((SELECT sum(short.thoughts) FROM entity AS short
                                      WHERE short.account_id = $1 AND short.stands_for = entity.row), 0))::bigint AS occurs,
         entity.row"
    };
}

/// The entities of a page.
macro_rules! matching {
    () => {
        " FROM entity WHERE entity.account_id = $1 AND entity.stands_for IS NULL
            AND CASE WHEN $2::text IS NULL THEN entity.kind <> 'date' ELSE entity.kind = $2 END
            AND ($3::bytea IS NULL OR position($3 IN entity.folded) > 0
                 OR EXISTS (SELECT 1 FROM entity AS part
                            WHERE part.account_id = $1 AND part.stands_for = entity.row AND position($3 IN part.folded) > 0))"
    };
}

statements! {
    FULL, Account: "SELECT coalesce(entity.stands_for, entity.row) FROM entity
                    WHERE account_id = $1 AND entity.kind = $2 AND sha256(entity.folded) = sha256($3)";
    BY_ROWS, Account: concat!("SELECT ", known_columns!(), " FROM entity
                               WHERE entity.account_id = $1 AND entity.row = ANY ($2)");
    TOP, Account: concat!("SELECT ", known_columns!(), " FROM entity
                           WHERE entity.account_id = $1 AND entity.stands_for IS NULL AND entity.kind <> 'date'
                           ORDER BY occurs DESC, entity.folded, entity.kind LIMIT $2");
    PAGE, Account: concat!("SELECT ", known_columns!(), matching!(),
                           " ORDER BY occurs DESC, entity.folded, entity.kind LIMIT $4 OFFSET $5");
    COUNT, Account: concat!("SELECT count(*)", matching!());
    SHORT_NAMES, Account: "SELECT entity.name FROM entity WHERE account_id = $1 AND stands_for = $2 ORDER BY name";
    // The latest thoughts that mention each entity under any of its names.
    THOUGHTS_OF, Account:
        "SELECT wanted.full_row, found.thought FROM unnest($2::bigint[]) AS wanted (full_row)
         CROSS JOIN LATERAL (
             SELECT DISTINCT latest.thought FROM (
                 SELECT entity.row FROM entity WHERE entity.account_id = $1 AND entity.row = wanted.full_row
                 UNION ALL
                 SELECT short.row FROM entity AS short
                 WHERE short.account_id = $1 AND short.stands_for = wanted.full_row) AS name
             CROSS JOIN LATERAL (
                 SELECT mention.thought FROM mention WHERE mention.account_id = $1 AND mention.entity = name.row
                 ORDER BY mention.thought DESC LIMIT $3) AS latest
             ORDER BY latest.thought DESC LIMIT $3) AS found";
    MENTIONED, Account:
        "SELECT DISTINCT mention.thought, coalesce(entity.stands_for, entity.row)
         FROM mention JOIN entity ON entity.account_id = mention.account_id AND entity.row = mention.entity
         WHERE mention.account_id = $1 AND mention.thought = ANY ($2) AND entity.kind <> 'date' ORDER BY 1, 2";
    OF_THOUGHT, Account:
        "SELECT DISTINCT full_name.kind, full_name.folded, full_name.name
         FROM thought
         JOIN mention ON mention.account_id = thought.account_id AND mention.thought = thought.row
         JOIN entity ON entity.account_id = mention.account_id AND entity.row = mention.entity
         JOIN entity AS full_name ON full_name.account_id = mention.account_id
                                 AND full_name.row = coalesce(entity.stands_for, entity.row)
         WHERE thought.account_id = $1 AND thought.id = $2
         ORDER BY full_name.name, full_name.kind";
    MENTIONING, Account:
        "SELECT DISTINCT thought.id FROM thought
         JOIN mention ON mention.account_id = thought.account_id AND mention.thought = thought.row
         JOIN entity ON entity.account_id = mention.account_id AND entity.row = mention.entity
         WHERE thought.account_id = $1 AND thought.id = ANY ($2) AND (entity.row = $3 OR entity.stands_for = $3)";
}

fn known(found: &SqlRow) -> Result<(i64, KnownEntity), StoreError> {
    let key = EntityKey { kind: kind(found, 0)?, folded: text(found, 1)? };
    Ok((get(found, 4)?, KnownEntity { key, name: text(found, 2)?, thoughts: number(found, 3)? }))
}

/// The row of the full name of an entity.
pub(crate) async fn full(
    connection: &mut Connection,
    account: AccountId,
    key: &EntityKey,
) -> Result<Option<i64>, StoreError> {
    let (kind, folded) = (key.kind.as_str(), key.folded.as_bytes());
    let found = connection.first(&FULL, &[&account.stored(), &kind, &folded]).await?;
    found.map(|found| get(&found, 0)).transpose()
}

/// The entities whose full names are at these rows.
pub(crate) async fn by_rows(
    connection: &mut Connection,
    account: AccountId,
    wanted: &[i64],
) -> Result<FxHashMap<i64, KnownEntity>, StoreError> {
    if wanted.is_empty() {
        return Ok(FxHashMap::default());
    }
    connection.query(&BY_ROWS, &[&account.stored(), &wanted]).await?.iter().map(known).collect()
}

/// The entities of most thoughts with the rows of their full names, dates aside.
pub(crate) async fn top(
    connection: &mut Connection,
    account: AccountId,
    limit: usize,
) -> Result<Vec<(i64, KnownEntity)>, StoreError> {
    connection.query(&TOP, &[&account.stored(), &row::limit(limit)]).await?.iter().map(known).collect()
}

pub(crate) async fn page(
    connection: &mut Connection,
    account: AccountId,
    listing: &EntityListing,
) -> Result<EntityPage, StoreError> {
    let (kind, part) = (listing.kind.map(EntityKind::as_str), listing.part.as_ref().map(String::as_bytes));
    let (limit, skip) = (row::limit(listing.limit), row::limit(listing.skip));
    let found = connection.query(&PAGE, &[&account.stored(), &kind, &part, &limit, &skip]).await?;
    let entities = found.iter().map(|found| Ok(known(found)?.1)).collect::<Result<_, StoreError>>()?;
    let total = connection.first(&COUNT, &[&account.stored(), &kind, &part]).await?;
    Ok(EntityPage { entities, total: total.map_or(Ok(0), |found| number(&found, 0))? })
}

pub(crate) async fn view(
    connection: &mut Connection,
    account: AccountId,
    key: &EntityKey,
) -> Result<Option<EntityView>, StoreError> {
    let Some(full) = full(connection, account, key).await? else { return Ok(None) };
    let Some(entity) = by_rows(connection, account, &[full]).await?.remove(&full) else { return Ok(None) };
    let also = connection.query(&SHORT_NAMES, &[&account.stored(), &full]).await?;
    let also = also.iter().map(|found| text(found, 0)).collect::<Result<_, _>>()?;
    let thoughts = thoughts_of(connection, account, &[full], LOOKED_AT).await?.remove(&full).unwrap_or_default();
    let mut together: FxHashMap<i64, u64> = FxHashMap::default();
    for other in mentioned(connection, account, &thoughts).await?.into_values().flatten() {
        if other != full {
            *together.entry(other).or_default() += 1;
        }
    }
    let frequent = most_frequent(together, NEIGHBOURS * 2);
    let rows: Vec<i64> = frequent.iter().map(|(row, _)| *row).collect();
    let mut others = by_rows(connection, account, &rows).await?;
    let named = frequent.into_iter().filter_map(|(row, count)| Some((others.remove(&row)?, count)));
    let mut neighbours: Vec<(KnownEntity, u64)> = named.collect();
    neighbours.sort_by(|(entity, count), (other, others)| others.cmp(count).then_with(|| entity.key.cmp(&other.key)));
    neighbours.truncate(NEIGHBOURS);
    Ok(Some(EntityView { entity, also, neighbours }))
}

/// The entries with the highest counts, of equals the lowest rows.
pub(crate) fn most_frequent(counts: FxHashMap<i64, u64>, limit: usize) -> Vec<(i64, u64)> {
    let mut counts: Vec<(i64, u64)> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|(row, count)| (std::cmp::Reverse(*count), *row));
    counts.truncate(limit);
    counts
}

/// The rows of the latest thoughts that mention each of these entities, latest first.
pub(crate) async fn thoughts_of(
    connection: &mut Connection,
    account: AccountId,
    full: &[i64],
    limit: usize,
) -> Result<FxHashMap<i64, Vec<Row>>, StoreError> {
    let mut of: FxHashMap<i64, Vec<Row>> = FxHashMap::default();
    if full.is_empty() {
        return Ok(of);
    }
    for found in connection.query(&THOUGHTS_OF, &[&account.stored(), &full, &row::limit(limit)]).await? {
        of.entry(get(&found, 0)?).or_default().push(small(&found, 1)?);
    }
    of.values_mut().for_each(|rows| rows.sort_unstable_by(|row, other| other.cmp(row)));
    Ok(of)
}

/// For each of these thoughts, the rows of the full names of what it mentions, dates aside.
pub(crate) async fn mentioned(
    connection: &mut Connection,
    account: AccountId,
    wanted: &[Row],
) -> Result<FxHashMap<Row, Vec<i64>>, StoreError> {
    let mut of: FxHashMap<Row, Vec<i64>> = FxHashMap::default();
    if wanted.is_empty() {
        return Ok(of);
    }
    for found in connection.query(&MENTIONED, &[&account.stored(), &rows(wanted)]).await? {
        of.entry(small(&found, 0)?).or_default().push(get(&found, 1)?);
    }
    Ok(of)
}

/// What a thought mentions, under the full names, in their order.
pub(crate) async fn of_thought(
    connection: &mut Connection,
    account: AccountId,
    id: ThoughtId,
) -> Result<Vec<(EntityKey, String)>, StoreError> {
    let found = connection.query(&OF_THOUGHT, &[&account.stored(), &id.stored()]).await?;
    let named = |found: &SqlRow| Ok((EntityKey { kind: kind(found, 0)?, folded: text(found, 1)? }, text(found, 2)?));
    found.iter().map(named).collect()
}

/// Those of the thoughts that mention an entity.
pub(crate) async fn mentioning(
    connection: &mut Connection,
    account: AccountId,
    key: &EntityKey,
    ids: &[ThoughtId],
) -> Result<Vec<ThoughtId>, StoreError> {
    let Some(full) = full(connection, account, key).await? else { return Ok(Vec::new()) };
    let asked: Vec<Uuid> = ids.iter().map(Stored::stored).collect();
    let found = connection.query(&MENTIONING, &[&account.stored(), &asked, &full]).await?;
    let mentioning: FxHashSet<ThoughtId> = found.iter().map(|found| thought_id(found, 0)).collect::<Result<_, _>>()?;
    Ok(ids.iter().copied().filter(|id| mentioning.contains(id)).collect())
}

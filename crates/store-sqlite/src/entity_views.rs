//! Entities as a person looks at them: under their full names, by how often they occur, with what is around them.

use rusqlite::{Connection, Row as SqlRow, params};
use rustc_hash::{FxHashMap, FxHashSet};

use annotate::entities::{EntityKey, EntityKind};
use model::ThoughtId;
use store::backend::Row;
use store::{EntityListing, EntityPage, EntityView, KnownEntity, StoreError};

use crate::database::error;
use crate::entities::parse_kind;
use crate::statement::{first, first_value, list, value};
use crate::thoughts;

/// How many neighbours of an entity are told.
const NEIGHBOURS: usize = 30;

/// How many of its latest thoughts are looked at for them: enough to tell, whatever the size of the account.
const LOOKED_AT: usize = 2_000;

/// The columns [`known`] reads, of full names called `entity`.
macro_rules! known_columns {
    () => {
        "entity.kind, entity.folded, entity.name,
         entity.thoughts + coalesce((SELECT sum(short.thoughts) FROM entity AS short
                                     WHERE short.stands_for = entity.row), 0) AS occurs,
         entity.row"
    };
}

fn known(row: &SqlRow<'_>) -> Result<(i64, KnownEntity), StoreError> {
    let kind = parse_kind(&row.get::<_, String>(0).map_err(error)?)?;
    let key = EntityKey { kind, folded: row.get(1).map_err(error)? };
    let entity = KnownEntity { key, name: row.get(2).map_err(error)?, thoughts: row.get(3).map_err(error)? };
    Ok((row.get(4).map_err(error)?, entity))
}

/// The row of the full name of an entity.
pub(crate) fn full(connection: &Connection, key: &EntityKey) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT coalesce(stands_for, row) FROM entity WHERE kind = ?1 AND folded = ?2";
    first_value(connection, sql, params![key.kind.as_str(), key.folded])
}

/// The entity whose full name is at that row.
pub(crate) fn by_row(connection: &Connection, row: i64) -> Result<Option<KnownEntity>, StoreError> {
    let sql = concat!("SELECT ", known_columns!(), " FROM entity WHERE entity.row = ?1");
    Ok(first(connection, sql, [row], known)?.map(|(_, entity)| entity))
}

/// The entities of most thoughts with the rows of their full names, dates aside.
pub(crate) fn top(connection: &Connection, limit: usize) -> Result<Vec<(i64, KnownEntity)>, StoreError> {
    let sql = concat!(
        "SELECT ",
        known_columns!(),
        " FROM entity WHERE entity.stands_for IS NULL AND entity.kind <> 'date'
          ORDER BY occurs DESC, entity.folded, entity.kind LIMIT ?1"
    );
    list(connection, sql, [limit as i64], known)
}

pub(crate) fn page(connection: &Connection, listing: &EntityListing) -> Result<EntityPage, StoreError> {
    macro_rules! matching {
        () => {
            " FROM entity WHERE entity.stands_for IS NULL
                AND CASE WHEN ?1 IS NULL THEN entity.kind <> 'date' ELSE entity.kind = ?1 END
                AND (?2 IS NULL OR instr(entity.folded, ?2) > 0
                     OR EXISTS (SELECT 1 FROM entity AS short
                                WHERE short.stands_for = entity.row AND instr(short.folded, ?2) > 0))"
        };
    }
    let (kind, part) = (listing.kind.map(EntityKind::as_str), listing.part.as_deref());
    let sql = concat!(
        "SELECT ",
        known_columns!(),
        matching!(),
        " ORDER BY occurs DESC, entity.folded, entity.kind LIMIT ?3 OFFSET ?4"
    );
    let entities = list(connection, sql, params![kind, part, listing.limit as i64, listing.skip as i64], known)?;
    let total = value(connection, concat!("SELECT count(*)", matching!()), params![kind, part])?;
    Ok(EntityPage { entities: entities.into_iter().map(|(_, entity)| entity).collect(), total })
}

pub(crate) fn view(connection: &Connection, key: &EntityKey) -> Result<Option<EntityView>, StoreError> {
    let Some(full) = full(connection, key)? else { return Ok(None) };
    let Some(entity) = by_row(connection, full)? else { return Ok(None) };
    let sql = "SELECT name FROM entity WHERE stands_for = ?1 ORDER BY name";
    let also = list(connection, sql, [full], |row| row.get(0).map_err(error))?;
    let mut together: FxHashMap<i64, u64> = FxHashMap::default();
    for thought in thoughts_of(connection, full, LOOKED_AT)? {
        for other in mentioned(connection, thought)?.into_iter().filter(|other| *other != full) {
            *together.entry(other).or_default() += 1;
        }
    }
    let mut neighbours = Vec::new();
    for (row, count) in most_frequent(together, NEIGHBOURS * 2) {
        neighbours.extend(by_row(connection, row)?.map(|entity| (entity, count)));
    }
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

/// The rows of the latest thoughts that mention an entity, latest first.
pub(crate) fn thoughts_of(connection: &Connection, full: i64, limit: usize) -> Result<Vec<Row>, StoreError> {
    let sql = "SELECT row FROM entity WHERE row = ?1 UNION ALL SELECT row FROM entity WHERE stands_for = ?1";
    let names: Vec<i64> = list(connection, sql, [full], |row| row.get(0).map_err(error))?;
    let sql = "SELECT thought FROM mention WHERE entity = ?1 ORDER BY thought DESC LIMIT ?2";
    let mut rows: Vec<Row> = Vec::new();
    for name in names {
        rows.extend(list(connection, sql, params![name, limit as i64], |row| row.get::<_, Row>(0).map_err(error))?);
    }
    rows.sort_unstable_by(|row, other| other.cmp(row));
    rows.dedup();
    rows.truncate(limit);
    Ok(rows)
}

/// The rows of the full names of what a thought mentions, dates aside.
pub(crate) fn mentioned(connection: &Connection, row: Row) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT DISTINCT coalesce(entity.stands_for, entity.row)
               FROM mention JOIN entity ON entity.row = mention.entity
               WHERE mention.thought = ?1 AND entity.kind <> 'date' ORDER BY 1";
    list(connection, sql, [row], |found| found.get(0).map_err(error))
}

/// What a thought mentions, under the full names, in their order.
pub(crate) fn of_thought(connection: &Connection, row: Row) -> Result<Vec<(EntityKey, String)>, StoreError> {
    let sql = "SELECT DISTINCT full.kind, full.folded, full.name
               FROM mention
               JOIN entity ON entity.row = mention.entity
               JOIN entity AS full ON full.row = coalesce(entity.stands_for, entity.row)
               WHERE mention.thought = ?1
               ORDER BY full.name, full.kind";
    list(connection, sql, [row], |found| {
        let kind = parse_kind(&found.get::<_, String>(0).map_err(error)?)?;
        Ok((EntityKey { kind, folded: found.get(1).map_err(error)? }, found.get(2).map_err(error)?))
    })
}

/// Those of the thoughts that mention an entity.
pub(crate) fn mentioning(
    connection: &Connection,
    key: &EntityKey,
    mut ids: Vec<ThoughtId>,
) -> Result<Vec<ThoughtId>, StoreError> {
    let Some(full) = full(connection, key)? else { return Ok(Vec::new()) };
    let sql = "SELECT EXISTS (SELECT 1 FROM mention JOIN entity ON entity.row = mention.entity
                              WHERE mention.thought = ?1 AND (entity.row = ?2 OR entity.stands_for = ?2))";
    let mut mentioning: FxHashSet<ThoughtId> = FxHashSet::default();
    for id in &ids {
        let Some(row) = thoughts::row_of(connection, *id)? else { continue };
        if value::<bool>(connection, sql, params![row, full])? {
            mentioning.insert(*id);
        }
    }
    ids.retain(|id| mentioning.contains(id));
    Ok(ids)
}

//! The entities of an account, and which thoughts mention them.
//!
//! An entity is there as long as a thought mentions it. Which names are one is decided inside the transaction that stores the
//! mentions, so that two workers cannot decide on different grounds.

use std::collections::BTreeSet;

use rusqlite::{Connection, Row as SqlRow, params};

use annotate::entities::{Entity, EntityKey, EntityKind, Mention, NameGroup, regroup, resolve};
use store::StoreError;
use store::backend::{GroupRow, NameRow, Row};

use crate::database::{damaged, error};
use crate::statement::{execute, first, first_value, list};

/// Stores what a thought mentions in place of what it mentioned before.
pub(crate) fn store(connection: &Connection, row: Row, mentions: &[Mention]) -> Result<(), StoreError> {
    clear(connection, row)?;
    let mut known = Vec::new();
    for group in NameGroup::all_of(mentions) {
        known.extend(named(connection, &group)?);
    }
    let resolved = resolve(mentions, &known);
    upsert(connection, &resolved.changed)?;
    for key in resolved.keys.iter().collect::<BTreeSet<_>>() {
        let entity = row_of(connection, key)?.ok_or_else(|| damaged("entity", "missing"))?;
        execute(connection, "INSERT INTO mention (thought, entity) VALUES (?1, ?2)", params![row, entity])?;
        execute(connection, "UPDATE entity SET thoughts = thoughts + 1 WHERE row = ?1", [entity])?;
    }
    Ok(())
}

/// Takes away what a thought mentions, and the entities nobody mentions any more.
pub(crate) fn clear(connection: &Connection, row: Row) -> Result<(), StoreError> {
    let sql = "SELECT entity FROM mention WHERE thought = ?1";
    let mentioned: Vec<i64> = list(connection, sql, [row], |found| found.get(0).map_err(error))?;
    if mentioned.is_empty() {
        return Ok(());
    }
    execute(connection, "DELETE FROM mention WHERE thought = ?1", [row])?;
    for entity in mentioned {
        execute(connection, "UPDATE entity SET thoughts = thoughts - 1 WHERE row = ?1", [entity])?;
        let sql = "DELETE FROM entity WHERE row = ?1 AND thoughts = 0 RETURNING kind, folded";
        let gone = first(connection, sql, [entity], |row| {
            let kind = parse_kind(&row.get::<_, String>(0).map_err(error)?)?;
            Ok(EntityKey { kind, folded: row.get(1).map_err(error)? })
        })?;
        let Some(gone) = gone else { continue };
        // A short name may have lost the full one it stood for, or the second one that made it doubtful.
        upsert(connection, &regroup(named(connection, &NameGroup::of(&gone))?))?;
    }
    Ok(())
}

/// The entities of a group.
fn named(connection: &Connection, group: &NameGroup) -> Result<Vec<Entity>, StoreError> {
    macro_rules! entities_where {
        ($condition:literal) => {
            concat!(
                "SELECT entity.kind, entity.folded, entity.name, full.folded
                 FROM entity LEFT JOIN entity AS full ON full.row = entity.stands_for
                 WHERE ",
                $condition
            )
        };
    }
    let (sql, kind, name) = match group {
        NameGroup::Beginning(kind, first) => (entities_where!("entity.first = ?2 AND entity.kind = ?1"), kind, first),
        NameGroup::Alone(key) => (entities_where!("entity.kind = ?1 AND entity.folded = ?2"), &key.kind, &key.folded),
    };
    list(connection, sql, params![kind.as_str(), name], |row| {
        let kind = parse_kind(&row.get::<_, String>(0).map_err(error)?)?;
        let full: Option<String> = row.get(3).map_err(error)?;
        Ok(Entity {
            key: EntityKey { kind, folded: row.get(1).map_err(error)? },
            name: row.get(2).map_err(error)?,
            // Only names of one kind stand for each other.
            stands_for: full.map(|folded| EntityKey { kind, folded }),
        })
    })
}

/// The names that begin with the word, those of most thoughts first.
pub(crate) fn known_names(connection: &Connection, word: &str, limit: usize) -> Result<Vec<NameRow>, StoreError> {
    let sql = "SELECT folded, name, kind, thoughts FROM entity
               WHERE first = ?1 AND kind IN ('person', 'organisation', 'place', 'product', 'work')
               ORDER BY thoughts DESC, folded, kind LIMIT ?2";
    list(connection, sql, params![word, limit as i64], |row| {
        Ok(NameRow {
            folded: row.get(0).map_err(error)?,
            name: row.get(1).map_err(error)?,
            kind: parse_kind(&row.get::<_, String>(2).map_err(error)?)?,
            thoughts: row.get(3).map_err(error)?,
        })
    })
}

/// The groups of these entities, each once.
pub(crate) fn groups(connection: &Connection, keys: &[EntityKey], limit: usize) -> Result<Vec<GroupRow>, StoreError> {
    let mut seen = BTreeSet::new();
    let mut groups = Vec::new();
    for key in keys {
        let sql = "SELECT coalesce(stands_for, row) FROM entity WHERE kind = ?1 AND folded = ?2";
        let full: Option<i64> = first_value(connection, sql, params![key.kind.as_str(), key.folded])?;
        if let Some(full) = full.filter(|full| seen.insert(*full)) {
            groups.push(group(connection, full, u64::MAX, limit)?);
        }
    }
    Ok(groups)
}

/// The groups a thought mentions, each once, that are in no more than `common` thoughts. Dates are left out: a weekday joins
/// nothing, and closeness in time counts by itself.
pub(crate) fn groups_of(
    connection: &Connection,
    row: Row,
    common: u64,
    limit: usize,
) -> Result<Vec<GroupRow>, StoreError> {
    let sql = "SELECT DISTINCT coalesce(entity.stands_for, entity.row)
               FROM mention JOIN entity ON entity.row = mention.entity
               WHERE mention.thought = ?1 AND entity.kind <> 'date' ORDER BY 1";
    let full: Vec<i64> = list(connection, sql, [row], |found| found.get(0).map_err(error))?;
    let groups = full.into_iter().map(|entity| group(connection, entity, common, limit));
    groups.filter(|group| !group.as_ref().is_ok_and(|group| group.thoughts > common)).collect()
}

/// The group of a full name, with the newest of its thoughts unless it is in more than `common`.
fn group(connection: &Connection, full: i64, common: u64, limit: usize) -> Result<GroupRow, StoreError> {
    let sql = "SELECT row, thoughts FROM entity WHERE row = ?1
               UNION ALL SELECT row, thoughts FROM entity WHERE stands_for = ?1";
    let read = |row: &SqlRow<'_>| Ok((row.get::<_, i64>(0).map_err(error)?, row.get::<_, u64>(1).map_err(error)?));
    let entities = list(connection, sql, [full], read)?;
    let thoughts = entities.iter().map(|(_, thoughts)| thoughts).sum();
    let mut newest: BTreeSet<Row> = BTreeSet::new();
    if thoughts <= common {
        let sql = "SELECT thought FROM mention WHERE entity = ?1 ORDER BY thought DESC LIMIT ?2";
        for (entity, _) in entities {
            newest.extend(list(connection, sql, params![entity, limit as i64], |row| {
                row.get::<_, Row>(0).map_err(error)
            })?);
        }
    }
    Ok(GroupRow { thoughts, newest: newest.into_iter().rev().take(limit).collect() })
}

/// What a thought mentions, under the full names, in the order of their names.
pub(crate) fn shown(connection: &Connection, row: Row) -> Result<Vec<(String, EntityKind)>, StoreError> {
    let sql = "SELECT DISTINCT full.name, full.kind
               FROM mention
               JOIN entity ON entity.row = mention.entity
               JOIN entity AS full ON full.row = coalesce(entity.stands_for, entity.row)
               WHERE mention.thought = ?1
               ORDER BY full.name, full.kind";
    list(connection, sql, [row], |row| {
        Ok((row.get(0).map_err(error)?, parse_kind(&row.get::<_, String>(1).map_err(error)?)?))
    })
}

/// The row of an entity.
fn row_of(connection: &Connection, key: &EntityKey) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT row FROM entity WHERE kind = ?1 AND folded = ?2";
    first_value(connection, sql, params![key.kind.as_str(), key.folded])
}

/// Stores entities as they were resolved; all of them first, since one may stand for another.
fn upsert(connection: &Connection, entities: &[Entity]) -> Result<(), StoreError> {
    for Entity { key, name, .. } in entities {
        let sql = "INSERT INTO entity (kind, folded, first, name, thoughts) VALUES (?1, ?2, ?3, ?4, 0)
                   ON CONFLICT (kind, folded) DO UPDATE SET name = excluded.name";
        execute(connection, sql, params![key.kind.as_str(), key.folded, key.first_word(), name])?;
    }
    for Entity { key, stands_for, .. } in entities {
        let full = match stands_for {
            Some(full) => row_of(connection, full)?,
            None => None,
        };
        let sql = "UPDATE entity SET stands_for = ?3 WHERE kind = ?1 AND folded = ?2";
        execute(connection, sql, params![key.kind.as_str(), key.folded, full])?;
    }
    Ok(())
}

pub(crate) fn parse_kind(word: &str) -> Result<EntityKind, StoreError> {
    EntityKind::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or_else(|| damaged("kind", word))
}

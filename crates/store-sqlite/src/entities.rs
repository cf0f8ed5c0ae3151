//! The entities of an account, and which thoughts mention them.
//!
//! An entity is there as long as a thought mentions it. Which names are one is decided inside the transaction that stores the
//! mentions, so that two workers cannot decide on different grounds.

use std::collections::BTreeSet;

use rusqlite::{Connection, Row as SqlRow, params};

use annotate::entities::{Entity, EntityKey, EntityKind, Mention, NameGroup, one_with, regroup, resolve};
use store::backend::{GroupRow, GroupsOf, NameRow, Row};
use store::{MetName, StoreError};

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

/// The same, with nothing written where it mentions what it did.
pub(crate) fn store_changed(connection: &Connection, row: Row, mentions: &[Mention]) -> Result<(), StoreError> {
    let sql = "SELECT entity.kind, entity.folded FROM mention JOIN entity ON entity.row = mention.entity
               WHERE mention.thought = ?1";
    let stored = list(connection, sql, [row], |found| {
        let kind = parse_kind(&found.get::<_, String>(0).map_err(error)?)?;
        Ok(EntityKey { kind, folded: found.get(1).map_err(error)? })
    })?;
    let stored: BTreeSet<EntityKey> = stored.into_iter().collect();
    if stored == mentions.iter().map(EntityKey::of).collect() {
        return Ok(());
    }
    store(connection, row, mentions)
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

/// The names that begin with the word and are mentioned before a row, those met first, first.
pub(crate) fn names_before(
    connection: &Connection,
    row: Row,
    word: &str,
    limit: usize,
) -> Result<Vec<MetName>, StoreError> {
    let sql = "SELECT folded, name, kind FROM (
                   SELECT folded, name, kind,
                          (SELECT min(mention.thought) FROM mention WHERE mention.entity = entity.row) AS met
                   FROM entity
                   WHERE first = ?1 AND kind IN ('person', 'organisation', 'place', 'product', 'work'))
               WHERE met < ?2 ORDER BY met, folded, kind LIMIT ?3";
    list(connection, sql, params![word, row, limit as i64], |row| {
        Ok(MetName {
            folded: row.get(0).map_err(error)?,
            name: row.get(1).map_err(error)?,
            kind: parse_kind(&row.get::<_, String>(2).map_err(error)?)?,
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
            let sql = "SELECT row, thoughts FROM entity WHERE row = ?1
                       UNION ALL SELECT row, thoughts FROM entity WHERE stands_for = ?1";
            let read = |row: &SqlRow<'_>| {
                Ok(Counted { row: row.get(0).map_err(error)?, thoughts: row.get(1).map_err(error)? })
            };
            let entities = list(connection, sql, [full], read)?;
            groups.push(group(connection, &entities, Row::MAX, u64::MAX, limit)?);
        }
    }
    Ok(groups)
}

/// The groups a thought mentions, as they were up to a row, each once, that are in no more than a number of thoughts. Dates are
/// left out: a weekday joins nothing, and closeness in time counts by itself.
pub(crate) fn groups_of(
    connection: &Connection,
    GroupsOf { row, until, common }: GroupsOf,
    limit: usize,
) -> Result<Vec<GroupRow>, StoreError> {
    // By their names: the numbers of entities depend on which was stored first.
    let sql = "SELECT entity.kind, entity.folded FROM mention JOIN entity ON entity.row = mention.entity
               WHERE mention.thought = ?1 AND entity.kind <> 'date' ORDER BY entity.kind, entity.folded";
    let keys = list(connection, sql, [row], |found| {
        let kind = parse_kind(&found.get::<_, String>(0).map_err(error)?)?;
        Ok(EntityKey { kind, folded: found.get(1).map_err(error)? })
    })?;
    let mut seen: BTreeSet<EntityKey> = BTreeSet::new();
    let mut groups = Vec::new();
    for key in keys {
        if seen.contains(&key) {
            continue;
        }
        let (keys, counted) = met(connection, &NameGroup::of(&key), until)?;
        let one = one_with(&key, &keys);
        let entities: Vec<Counted> =
            keys.iter().zip(counted).filter(|(key, _)| one.contains(key)).map(|(_, counted)| counted).collect();
        seen.extend(one.into_iter().cloned());
        let group = group(connection, &entities, until, common, limit)?;
        groups.extend((group.thoughts <= common).then_some(group));
    }
    Ok(groups)
}

/// An entity by its number, and in how many thoughts it is.
struct Counted {
    row: i64,
    thoughts: u64,
}

/// The entities of a group that were mentioned up to a row, and beside them their counts up to there.
fn met(connection: &Connection, group: &NameGroup, until: Row) -> Result<(Vec<EntityKey>, Vec<Counted>), StoreError> {
    macro_rules! met_where {
        ($condition:literal) => {
            concat!(
                "SELECT folded, row, thoughts - (SELECT count(*) FROM mention
                                                 WHERE mention.entity = entity.row AND mention.thought > ?3) AS met
                 FROM entity WHERE ",
                $condition,
                " AND met > 0"
            )
        };
    }
    let (sql, kind, name) = match group {
        NameGroup::Beginning(kind, first) => (met_where!("first = ?2 AND kind = ?1"), kind, first),
        NameGroup::Alone(key) => (met_where!("kind = ?1 AND folded = ?2"), &key.kind, &key.folded),
    };
    let found = list(connection, sql, params![kind.as_str(), name, until], |row| {
        let key = EntityKey { kind: *kind, folded: row.get(0).map_err(error)? };
        Ok((key, Counted { row: row.get(1).map_err(error)?, thoughts: row.get(2).map_err(error)? }))
    })?;
    Ok(found.into_iter().unzip())
}

/// A group of entities with the counts of their thoughts, and the newest of these up to a row unless it is in more than
/// `common`.
fn group(
    connection: &Connection,
    entities: &[Counted],
    until: Row,
    common: u64,
    limit: usize,
) -> Result<GroupRow, StoreError> {
    let thoughts = entities.iter().map(|entity| entity.thoughts).sum();
    let mut newest: BTreeSet<Row> = BTreeSet::new();
    if thoughts <= common {
        let sql = "SELECT thought FROM mention WHERE entity = ?1 AND thought <= ?3 ORDER BY thought DESC LIMIT ?2";
        for Counted { row, .. } in entities {
            newest.extend(list(connection, sql, params![row, limit as i64, until], |row| {
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

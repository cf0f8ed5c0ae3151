//! The entities of an account, and which thoughts mention them.
//!
//! An entity is there as long as a thought mentions it. Which names are one is decided by `text::entities`, inside the
//! transaction that stores the mentions, so that two workers cannot decide on different grounds.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rusqlite::{Connection, Row, params};

use annotate::entities::{Entity, EntityKey, EntityKind, Mention, SeenEntities, regroup, resolve};
use store::{KnownName, StoreError};

use super::database::error;
use super::links;
use super::row::damaged;
use super::statement::{execute, first, first_value, list};

/// How many names that begin with the same word are offered.
const NAMES_PER_WORD_MAX: usize = 32;

/// Stores what a thought mentions in place of what it mentioned before.
pub(super) fn store(connection: &Connection, row: i64, mentions: &[Mention]) -> Result<(), StoreError> {
    clear(connection, row)?;
    let seen = Seen { connection, failure: RefCell::default() };
    let resolved = resolve(mentions, &seen);
    seen.finish()?;
    upsert(connection, &resolved.changed)?;
    for key in resolved.keys.iter().collect::<BTreeSet<_>>() {
        let entity = row_of(connection, key)?.ok_or_else(|| damaged("entity", "missing"))?;
        execute(connection, "INSERT INTO mention (thought, entity) VALUES (?1, ?2)", params![row, entity])?;
        execute(connection, "UPDATE entity SET thoughts = thoughts + 1 WHERE row = ?1", [entity])?;
    }
    Ok(())
}

/// Takes away what a thought mentions, and the entities nobody mentions any more.
pub(super) fn clear(connection: &Connection, row: i64) -> Result<(), StoreError> {
    let sql = "SELECT entity FROM mention WHERE thought = ?1";
    let mentioned: Vec<i64> = list(connection, sql, [row], |found| found.get(0).map_err(error))?;
    if mentioned.is_empty() {
        return Ok(());
    }
    execute(connection, "DELETE FROM mention WHERE thought = ?1", [row])?;
    for entity in mentioned {
        execute(connection, "UPDATE entity SET thoughts = thoughts - 1 WHERE row = ?1", [entity])?;
        let sql = "DELETE FROM entity WHERE row = ?1 AND thoughts = 0 RETURNING kind, first";
        let gone: Option<(String, String)> =
            first(connection, sql, [entity], |row| Ok((row.get(0).map_err(error)?, row.get(1).map_err(error)?)))?;
        let Some((kind, first)) = gone else { continue };
        // A short name may have lost the full one it stood for, or the second one that made it doubtful.
        let seen = Seen { connection, failure: RefCell::default() };
        let changed = regroup(parse_kind(&kind)?, &first, &seen);
        seen.finish()?;
        upsert(connection, &changed)?;
    }
    Ok(())
}

/// The names the account knows that begin with one of the words, those of most thoughts first.
pub(super) fn known_names(connection: &Connection, words: &[String]) -> Result<Vec<KnownName>, StoreError> {
    let sql = "SELECT folded, name, kind, thoughts FROM entity
               WHERE first = ?1 AND kind IN ('person', 'organisation', 'place', 'product', 'work')
               ORDER BY thoughts DESC, folded, kind LIMIT ?2";
    let population = links::highest_row(connection)?;
    let mut names = Vec::new();
    for word in words {
        let read = |row: &Row<'_>| {
            Ok(KnownName {
                folded: row.get(0).map_err(error)?,
                name: row.get(1).map_err(error)?,
                kind: parse_kind(&row.get::<_, String>(2).map_err(error)?)?,
                thoughts: row.get(3).map_err(error)?,
                population,
            })
        };
        names.extend(list(connection, sql, params![word, NAMES_PER_WORD_MAX as i64], read)?);
    }
    Ok(names)
}

/// An entity with the short names that stand for it.
pub(super) struct Group {
    /// The rows of its entities.
    pub(super) entities: Vec<i64>,
    /// In how many thoughts they are; one that mentions two of them counts twice.
    pub(super) thoughts: u64,
}

/// The group of the entity at that row.
pub(super) fn group(connection: &Connection, entity: i64) -> Result<Group, StoreError> {
    let sql = "SELECT row, thoughts FROM entity
               WHERE row = (SELECT coalesce(stands_for, row) FROM entity WHERE row = ?1)
               UNION ALL
               SELECT row, thoughts FROM entity
               WHERE stands_for = (SELECT coalesce(stands_for, row) FROM entity WHERE row = ?1)";
    let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0).map_err(error)?, row.get::<_, u64>(1).map_err(error)?));
    let rows = list(connection, sql, [entity], read)?;
    let thoughts = rows.iter().map(|(_, thoughts)| thoughts).sum();
    Ok(Group { entities: rows.into_iter().map(|(row, _)| row).collect(), thoughts })
}

/// The groups a thought mentions, each once. Dates are left out: a weekday joins nothing, and closeness in time counts by
/// itself.
pub(super) fn groups_of(connection: &Connection, row: i64) -> Result<Vec<Group>, StoreError> {
    let sql = "SELECT DISTINCT coalesce(entity.stands_for, entity.row)
               FROM mention JOIN entity ON entity.row = mention.entity
               WHERE mention.thought = ?1 AND entity.kind <> 'date' ORDER BY 1";
    let full: Vec<i64> = list(connection, sql, [row], |found| found.get(0).map_err(error))?;
    full.into_iter().map(|entity| group(connection, entity)).collect()
}

/// The rows of the newest thoughts that mention an entity of the group.
pub(super) fn thoughts_of(connection: &Connection, group: &Group, limit: usize) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT thought FROM mention WHERE entity = ?1 ORDER BY thought DESC LIMIT ?2";
    let mut thoughts = BTreeSet::new();
    for entity in &group.entities {
        thoughts
            .extend(list(connection, sql, params![entity, limit as i64], |row| row.get::<_, i64>(0).map_err(error))?);
    }
    Ok(thoughts.into_iter().rev().take(limit).collect())
}

/// What a thought mentions, under the full names, in the order of their names.
pub(super) fn shown(connection: &Connection, row: i64) -> Result<Vec<(String, EntityKind)>, StoreError> {
    let sql = "SELECT DISTINCT full.name, full.kind
               FROM mention
               JOIN entity ON entity.row = mention.entity
               JOIN entity AS full ON full.row = coalesce(entity.stands_for, entity.row)
               WHERE mention.thought = ?1
               ORDER BY full.name, full.kind";
    list(connection, sql, [row], |found| {
        Ok((found.get(0).map_err(error)?, parse_kind(&found.get::<_, String>(1).map_err(error)?)?))
    })
}

/// The row of an entity.
pub(super) fn row_of(connection: &Connection, key: &EntityKey) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT row FROM entity WHERE kind = ?1 AND folded = ?2";
    let params = params![key.kind.as_str(), key.folded];
    first_value(connection, sql, params)
}

/// Stores entities as the resolver left them; all of them first, since one may stand for another.
fn upsert(connection: &Connection, entities: &[Entity]) -> Result<(), StoreError> {
    for Entity { key, name, .. } in entities {
        let sql = "INSERT INTO entity (kind, folded, first, name, thoughts) VALUES (?1, ?2, ?3, ?4, 0)
                   ON CONFLICT (kind, folded) DO UPDATE SET name = excluded.name";
        let first = key.folded.split(' ').next().unwrap_or_default();
        execute(connection, sql, params![key.kind.as_str(), key.folded, first, name])?;
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

fn parse_kind(word: &str) -> Result<EntityKind, StoreError> {
    EntityKind::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or_else(|| damaged("kind", word))
}

/// Answers the resolver from the file.
struct Seen<'a> {
    connection: &'a Connection,
    /// The resolver cannot hear of failures; they are kept for whoever asked it.
    failure: RefCell<Option<StoreError>>,
}

impl Seen<'_> {
    fn select(&self, condition: &str, params: impl rusqlite::Params) -> Vec<Entity> {
        let sql = format!(
            "SELECT entity.kind, entity.folded, entity.name, full.folded
             FROM entity LEFT JOIN entity AS full ON full.row = entity.stands_for
             WHERE {condition}"
        );
        let read = |row: &Row<'_>| {
            let kind = parse_kind(&row.get::<_, String>(0).map_err(error)?)?;
            let full: Option<String> = row.get(3).map_err(error)?;
            Ok(Entity {
                key: EntityKey { kind, folded: row.get(1).map_err(error)? },
                name: row.get(2).map_err(error)?,
                // Only names of one kind stand for each other.
                stands_for: full.map(|folded| EntityKey { kind, folded }),
            })
        };
        list(self.connection, &sql, params, read).unwrap_or_else(|failure| {
            *self.failure.borrow_mut() = Some(failure);
            Vec::new()
        })
    }

    fn finish(self) -> Result<(), StoreError> {
        self.failure.into_inner().map_or(Ok(()), Err)
    }
}

impl SeenEntities for Seen<'_> {
    fn by_name(&self, key: &EntityKey) -> Option<Entity> {
        let condition = "entity.kind = ?1 AND entity.folded = ?2";
        self.select(condition, params![key.kind.as_str(), key.folded]).pop()
    }

    fn by_first_token(&self, kind: EntityKind, first: &str) -> Vec<Entity> {
        self.select("entity.first = ?2 AND entity.kind = ?1", params![kind.as_str(), first])
    }
}

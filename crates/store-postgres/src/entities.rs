//! The entities of an account, and which thoughts mention them.
//!
//! An entity is there as long as a thought mentions it. Which names are one is decided inside the transaction that stores the
//! mentions and holds the account's row of `derived_end`, so that two workers cannot decide on different grounds.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use tokio_postgres::Row as SqlRow;

use annotate::entities::{Entity, EntityKey, EntityKind, Mention, NameGroup, one_with, regroup, resolve};
use model::AccountId;
use store::backend::{GroupRow, GroupsOf, NameRow, Row};
use store::{MetName, StoreError};

use crate::connection::Connection;
use crate::error::damaged;
use crate::row::{self, Stored, get, number, rows, small, text};
use crate::statement::statements;

/// The names that are one of those wanted, or begin like it. Looked up one by one, here and below: taken together, a planner that knows
/// little of the table would hash all of its names.
macro_rules! wanted_names {
    () => {
        "CROSS JOIN LATERAL (
             (SELECT entity.* FROM entity
              WHERE wanted.begins AND entity.account_id = $1 AND sha256(entity.first) = sha256(wanted.name)
                AND entity.kind = wanted.kind OFFSET 0)
             UNION ALL
             (SELECT alone.* FROM entity AS alone
              WHERE NOT wanted.begins AND alone.account_id = $1 AND alone.kind = wanted.kind
                AND sha256(alone.folded) = sha256(wanted.name) LIMIT 1)) AS name"
    };
}

statements! {
    MENTIONED_BY, Account: "SELECT mention.entity FROM mention WHERE account_id = $1 AND thought = $2 ORDER BY 1";
    MENTIONING, Account: "SELECT DISTINCT mention.thought FROM mention WHERE account_id = $1 AND thought = ANY ($2)";
    FORGET_MENTIONS, Account: "DELETE FROM mention WHERE account_id = $1 AND thought = $2";
    COUNT_DOWN, Account: "UPDATE entity SET thoughts = entity.thoughts - 1 WHERE account_id = $1 AND row = ANY ($2)";
    FORGET_UNUSED, Account: "DELETE FROM entity WHERE account_id = $1 AND row = ANY ($2) AND thoughts = 0
                             RETURNING kind, folded, row";
    NAMED, Account: concat!(
        "SELECT name.kind, name.folded, name.name, full_name.folded
         FROM unnest($2::text[], $3::bytea[], $4::boolean[]) WITH ORDINALITY AS wanted (kind, name, begins, place)
         ", wanted_names!(), "
         LEFT JOIN entity AS full_name ON full_name.account_id = $1 AND full_name.row = name.stands_for
         ORDER BY wanted.place, name.row"
    );
    LAST, Account: "SELECT coalesce(max(entity.row), 0) FROM entity WHERE account_id = $1";
    UPSERT, Account:
        "INSERT INTO entity (account_id, row, kind, folded, first, name, thoughts)
         SELECT $1, $2 + new.place, new.kind, new.folded, new.first, new.name, 0
         FROM unnest($3::text[], $4::bytea[], $5::bytea[], $6::bytea[]) WITH ORDINALITY
              AS new (kind, folded, first, name, place)
         ON CONFLICT (account_id, kind, sha256(folded)) DO UPDATE SET name = excluded.name";
    STAND_FOR, Account: "UPDATE entity SET stands_for = new.full_row
                         FROM unnest($2::bigint[], $3::bigint[]) AS new (row, full_row)
                         WHERE entity.account_id = $1 AND entity.row = new.row
                           AND entity.stands_for IS DISTINCT FROM new.full_row";
    ROWS, Account:
        "SELECT found.row, wanted.place FROM unnest($2::text[], $3::bytea[]) WITH ORDINALITY AS wanted (kind, folded, place)
         CROSS JOIN LATERAL (
             SELECT entity.row FROM entity
             WHERE entity.account_id = $1 AND entity.kind = wanted.kind AND sha256(entity.folded) = sha256(wanted.folded)
             LIMIT 1) AS found";
    MENTION, Account: "INSERT INTO mention (account_id, thought, entity)
                       SELECT $1, new.thought, new.entity
                       FROM unnest($2::bigint[], $3::bigint[]) AS new (thought, entity)";
    COUNT_UP, Account: "UPDATE entity SET thoughts = entity.thoughts + new.thoughts
                        FROM unnest($2::bigint[], $3::bigint[]) AS new (row, thoughts)
                        WHERE entity.account_id = $1 AND entity.row = new.row";
    KNOWN_NAMES, Account:
        "SELECT found.folded, found.name, found.kind, found.thoughts
         FROM unnest($2::bytea[]) WITH ORDINALITY AS word (first, place)
         CROSS JOIN LATERAL (
             SELECT named.* FROM (
                 SELECT entity.folded, entity.name, entity.kind, entity.thoughts FROM entity
                 WHERE account_id = $1 AND sha256(entity.first) = sha256(word.first) OFFSET 0) AS named
             WHERE named.kind IN ('person', 'organisation', 'place', 'product', 'work')
             ORDER BY named.thoughts DESC, named.folded, named.kind LIMIT $3) AS found
         ORDER BY word.place, found.thoughts DESC, found.folded, found.kind";
    STORED, Account:
        "SELECT mention.thought, name.kind, name.folded FROM mention
         CROSS JOIN LATERAL (
             SELECT entity.kind, entity.folded FROM entity
             WHERE entity.account_id = $1 AND entity.row = mention.entity LIMIT 1) AS name
         WHERE mention.account_id = $1 AND mention.thought = ANY ($2)
         ORDER BY mention.thought, name.kind, name.folded";
    // With the counts of thoughts up to a row.
    MET, Account: concat!(
        "SELECT wanted.place, name.folded, name.row,
                name.thoughts - (SELECT count(*) FROM mention AS later
                                 WHERE later.account_id = $1 AND later.entity = name.row AND later.thought > wanted.until)
         FROM unnest($2::text[], $3::bytea[], $4::boolean[], $5::bigint[]) WITH ORDINALITY
              AS wanted (kind, name, begins, until, place)
         ", wanted_names!()
    );
    NAMES_BEFORE, Account:
        "SELECT found.folded, found.name, found.kind
         FROM unnest($2::bytea[]) WITH ORDINALITY AS word (first, place)
         CROSS JOIN LATERAL (
             SELECT named.* FROM (
                 SELECT entity.folded, entity.name, entity.kind, (
                     SELECT mention.thought FROM mention
                     WHERE mention.account_id = $1 AND mention.entity = entity.row ORDER BY mention.thought LIMIT 1) AS met
                 FROM entity
                 WHERE entity.account_id = $1 AND sha256(entity.first) = sha256(word.first)
                   AND entity.kind IN ('person', 'organisation', 'place', 'product', 'work') OFFSET 0) AS named
             WHERE named.met < $4
             ORDER BY named.met, named.folded, named.kind LIMIT $3) AS found
         ORDER BY word.place, found.met, found.folded, found.kind";
    NEWEST_UNTIL, Account:
        "SELECT name.place, found.thought
         FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS name (entity, until, place)
         CROSS JOIN LATERAL (
             SELECT mention.thought FROM mention
             WHERE account_id = $1 AND mention.entity = name.entity AND mention.thought <= name.until
             ORDER BY mention.thought DESC LIMIT $5) AS found";
    // The names of an entity are itself and those that stand for it.
    GROUPS, Account:
        "SELECT wanted.place, found.full_row, name.thoughts, ARRAY (
             SELECT mention.thought FROM mention WHERE mention.account_id = $1 AND mention.entity = name.row
             ORDER BY mention.thought DESC LIMIT $4)
         FROM unnest($2::text[], $3::bytea[]) WITH ORDINALITY AS wanted (kind, folded, place)
         CROSS JOIN LATERAL (
             SELECT coalesce(entity.stands_for, entity.row) AS full_row FROM entity
             WHERE entity.account_id = $1 AND entity.kind = wanted.kind AND sha256(entity.folded) = sha256(wanted.folded)
             LIMIT 1) AS found
         CROSS JOIN LATERAL (
             SELECT full_name.row, full_name.thoughts FROM entity AS full_name
             WHERE full_name.account_id = $1 AND full_name.row = found.full_row
             UNION ALL
             SELECT short.row, short.thoughts FROM entity AS short
             WHERE short.account_id = $1 AND short.stands_for = found.full_row) AS name
         ORDER BY wanted.place";
    SHOWN, Account:
        "SELECT DISTINCT mention.thought, shown.name, shown.kind FROM mention
         CROSS JOIN LATERAL (
             SELECT coalesce(entity.stands_for, entity.row) AS full_row FROM entity
             WHERE entity.account_id = $1 AND entity.row = mention.entity LIMIT 1) AS mentioned
         CROSS JOIN LATERAL (
             SELECT full_name.name, full_name.kind FROM entity AS full_name
             WHERE full_name.account_id = $1 AND full_name.row = mentioned.full_row LIMIT 1) AS shown
         WHERE mention.account_id = $1 AND mention.thought = ANY ($2)
         ORDER BY 1, 2, 3";
}

/// Stores what thoughts mention in place of what they mentioned before, each once. They are resolved one after the other, as if each had
/// been stored before the next; what comes of it is read and written for all of them together.
pub(crate) async fn store(
    transaction: &mut Connection,
    account: AccountId,
    thoughts: &[(Row, &[Mention])],
) -> Result<(), StoreError> {
    let owner = account.stored();
    let all: Vec<i64> = thoughts.iter().map(|(row, _)| i64::from(*row)).collect();
    for found in transaction.query(&MENTIONING, &[&owner, &all]).await? {
        clear(transaction, account, small(&found, 0)?).await?;
    }
    let groups: BTreeSet<NameGroup> = thoughts.iter().flat_map(|(_, mentions)| NameGroup::all_of(mentions)).collect();
    if groups.is_empty() {
        return Ok(());
    }
    let groups: Vec<NameGroup> = groups.into_iter().collect();
    let mut known: BTreeMap<NameGroup, Vec<Entity>> = BTreeMap::new();
    for entity in named(transaction, account, &groups).await? {
        known.entry(NameGroup::of(&entity.key)).or_default().push(entity);
    }
    let mut changed: BTreeMap<EntityKey, Entity> = BTreeMap::new();
    let mut order: Vec<EntityKey> = Vec::new();
    let mut mentioned: Vec<(Row, BTreeSet<EntityKey>)> = Vec::with_capacity(thoughts.len());
    for (row, mentions) in thoughts {
        let of_groups = NameGroup::all_of(mentions);
        let before: Vec<Entity> = of_groups.iter().filter_map(|group| known.get(group)).flatten().cloned().collect();
        let resolved = resolve(mentions, &before);
        for entity in resolved.changed {
            let group = known.entry(NameGroup::of(&entity.key)).or_default();
            match group.iter_mut().find(|known| known.key == entity.key) {
                Some(known) => *known = entity.clone(),
                None => group.push(entity.clone()),
            }
            if !changed.contains_key(&entity.key) {
                order.push(entity.key.clone());
            }
            changed.insert(entity.key.clone(), entity);
        }
        mentioned.push((*row, resolved.keys.into_iter().collect()));
    }
    let in_order: Vec<Entity> = order.iter().filter_map(|key| changed.remove(key)).collect();
    upsert(transaction, account, &in_order).await?;
    let keys: BTreeSet<&EntityKey> = mentioned.iter().flat_map(|(_, keys)| keys).collect();
    let row_of = rows_of(transaction, account, keys).await?;
    let (mut of, mut entities): (Vec<i64>, Vec<i64>) = Default::default();
    let mut counts: BTreeMap<i64, i64> = BTreeMap::new();
    for (row, keys) in &mentioned {
        for key in keys {
            let entity = *row_of.get(key).ok_or_else(|| damaged("entity", "missing"))?;
            of.push(i64::from(*row));
            entities.push(entity);
            *counts.entry(entity).or_default() += 1;
        }
    }
    transaction.execute(&MENTION, &[&owner, &of, &entities]).await?;
    let (counted, counts): (Vec<i64>, Vec<i64>) = counts.into_iter().unzip();
    transaction.execute(&COUNT_UP, &[&owner, &counted, &counts]).await.map(drop)
}

/// The rows of entities, of those that there are.
async fn rows_of<'a>(
    transaction: &mut Connection,
    account: AccountId,
    keys: impl IntoIterator<Item = &'a EntityKey>,
) -> Result<BTreeMap<&'a EntityKey, i64>, StoreError> {
    let keys: Vec<&EntityKey> = keys.into_iter().collect();
    let (kinds, folded): (Vec<&str>, Vec<&[u8]>) =
        keys.iter().map(|key| (key.kind.as_str(), key.folded.as_bytes())).unzip();
    let mut rows = BTreeMap::new();
    for found in transaction.query(&ROWS, &[&account.stored(), &kinds, &folded]).await? {
        let place = usize::try_from(get::<i64>(&found, 1)? - 1).ok().and_then(|place| keys.get(place));
        rows.insert(*place.ok_or_else(|| damaged("place", "out of range"))?, get(&found, 0)?);
    }
    Ok(rows)
}

/// Takes away what a thought mentions, and the entities nobody mentions any more.
pub(crate) async fn clear(transaction: &mut Connection, account: AccountId, row: Row) -> Result<(), StoreError> {
    let (owner, row) = (account.stored(), i64::from(row));
    let mentioned = transaction.query(&MENTIONED_BY, &[&owner, &row]).await?;
    if mentioned.is_empty() {
        return Ok(());
    }
    let mentioned: Vec<i64> = mentioned.iter().map(|found| get(found, 0)).collect::<Result<_, _>>()?;
    transaction.execute(&FORGET_MENTIONS, &[&owner, &row]).await?;
    for entity in mentioned {
        let one = vec![entity];
        transaction.execute(&COUNT_DOWN, &[&owner, &one]).await?;
        let Some(gone) = transaction.first(&FORGET_UNUSED, &[&owner, &one]).await? else { continue };
        let gone = EntityKey { kind: kind(&gone, 0)?, folded: text(&gone, 1)? };
        // A short name may have lost the full one it stood for, or the second one that made it doubtful.
        let group = named(transaction, account, &[NameGroup::of(&gone)]).await?;
        upsert(transaction, account, &regroup(group)).await?;
    }
    Ok(())
}

/// Groups as columns: their kinds, their names, and whether these begin the names of their entities.
fn group_columns(groups: &[NameGroup]) -> (Vec<&str>, Vec<&[u8]>, Vec<bool>) {
    let (mut kinds, mut names, mut begins): (Vec<&str>, Vec<&[u8]>, Vec<bool>) = Default::default();
    for group in groups {
        let (kind, name, is_beginning) = match group {
            NameGroup::Beginning(kind, first) => (kind, first, true),
            NameGroup::Alone(key) => (&key.kind, &key.folded, false),
        };
        kinds.push(kind.as_str());
        names.push(name.as_bytes());
        begins.push(is_beginning);
    }
    (kinds, names, begins)
}

/// The entities of groups.
async fn named(
    transaction: &mut Connection,
    account: AccountId,
    groups: &[NameGroup],
) -> Result<Vec<Entity>, StoreError> {
    let (kinds, names, begins) = group_columns(groups);
    let found = transaction.query(&NAMED, &[&account.stored(), &kinds, &names, &begins]).await?;
    let entity = |found: &SqlRow| {
        let kind = kind(found, 0)?;
        let full = row::optional_text(found, 3)?;
        Ok(Entity {
            key: EntityKey { kind, folded: text(found, 1)? },
            name: text(found, 2)?,
            // Only names of one kind stand for each other.
            stands_for: full.map(|folded| EntityKey { kind, folded }),
        })
    };
    found.iter().map(entity).collect()
}

/// Stores entities as they were resolved; all of them first, since one may stand for another.
async fn upsert(transaction: &mut Connection, account: AccountId, entities: &[Entity]) -> Result<(), StoreError> {
    if entities.is_empty() {
        return Ok(());
    }
    let owner = account.stored();
    let Some(last) = transaction.first(&LAST, &[&owner]).await? else { return Ok(()) };
    let last: i64 = get(&last, 0)?;
    let kinds: Vec<&str> = entities.iter().map(|entity| entity.key.kind.as_str()).collect();
    let folded: Vec<&[u8]> = entities.iter().map(|entity| entity.key.folded.as_bytes()).collect();
    let first: Vec<&[u8]> = entities.iter().map(|entity| entity.key.first_word().as_bytes()).collect();
    let names: Vec<&[u8]> = entities.iter().map(|entity| entity.name.as_bytes()).collect();
    transaction.execute(&UPSERT, &[&owner, &last, &kinds, &folded, &first, &names]).await?;
    let full_names = entities.iter().filter_map(|entity| entity.stands_for.as_ref());
    let keys: BTreeSet<&EntityKey> = entities.iter().map(|entity| &entity.key).chain(full_names).collect();
    let row_of = rows_of(transaction, account, keys).await?;
    let (mut of, mut full): (Vec<i64>, Vec<Option<i64>>) = Default::default();
    for entity in entities {
        of.push(*row_of.get(&entity.key).ok_or_else(|| damaged("entity", "missing"))?);
        full.push(entity.stands_for.as_ref().and_then(|key| row_of.get(key).copied()));
    }
    transaction.execute(&STAND_FOR, &[&owner, &of, &full]).await.map(drop)
}

/// The names that begin with each of the words, those of most thoughts first.
pub(crate) async fn known_names(
    connection: &mut Connection,
    account: AccountId,
    words: &[String],
    limit: usize,
) -> Result<Vec<NameRow>, StoreError> {
    let words: Vec<&[u8]> = words.iter().map(String::as_bytes).collect();
    let found = connection.query(&KNOWN_NAMES, &[&account.stored(), &words, &row::limit(limit)]).await?;
    let name = |found: &SqlRow| {
        Ok(NameRow {
            folded: text(found, 0)?,
            name: text(found, 1)?,
            kind: kind(found, 2)?,
            thoughts: number(found, 3)?,
        })
    };
    found.iter().map(name).collect()
}

/// The groups of these entities, each once.
pub(crate) async fn groups(
    connection: &mut Connection,
    account: AccountId,
    keys: &[EntityKey],
    limit: usize,
) -> Result<Vec<GroupRow>, StoreError> {
    let (kinds, folded): (Vec<&str>, Vec<&[u8]>) =
        keys.iter().map(|key| (key.kind.as_str(), key.folded.as_bytes())).unzip();
    let mut groups: Vec<Group> = Vec::new();
    for found in connection.query(&GROUPS, &[&account.stored(), &kinds, &folded, &row::limit(limit)]).await? {
        let (place, full): (i64, i64) = (get(&found, 0)?, get(&found, 1)?);
        let at = groups.iter().position(|group| group.full == full).unwrap_or(groups.len());
        if at == groups.len() {
            groups.push(Group { place, full, thoughts: 0, newest: BTreeSet::new() });
        }
        let group = &mut groups[at];
        // The same entity may be asked for by another of its names.
        if group.place == place {
            group.thoughts += number(&found, 2)?;
            let newest: Vec<i64> = get(&found, 3)?;
            for row in newest {
                group.newest.insert(Row::try_from(row).map_err(|_| damaged("thought", row))?);
            }
        }
    }
    let newest = |group: Group| group.newest.into_iter().rev().take(limit).collect();
    Ok(groups.into_iter().map(|group| GroupRow { thoughts: group.thoughts, newest: newest(group) }).collect())
}

/// The names of an entity, taken together.
struct Group {
    /// By which of the names asked for it was found.
    place: i64,
    /// The full name.
    full: i64,
    thoughts: u64,
    newest: BTreeSet<Row>,
}

/// For each thought the groups it mentions, as they were up to a row, each once, that are in no more than a number of thoughts. Dates
/// are left out: a weekday joins nothing, and closeness in time counts by itself.
pub(crate) async fn groups_of(
    connection: &mut Connection,
    account: AccountId,
    wanted: &[GroupsOf],
    limit: usize,
) -> Result<Vec<(Row, Vec<GroupRow>)>, StoreError> {
    let of_thoughts: Vec<Row> = wanted.iter().map(|of| of.row).collect();
    let mentioned = stored(connection, account, &of_thoughts).await?;
    let mut asked: Vec<(GroupsOf, &EntityKey)> = Vec::new();
    for of in wanted {
        let keys = mentioned.get(&of.row).into_iter().flatten();
        asked.extend(keys.filter(|key| key.kind != EntityKind::Date).map(|key| (*of, key)));
    }
    let known = met(connection, account, &asked).await?;
    // Each group once for a thought.
    let mut groups: Vec<(Row, u64)> = Vec::new();
    let (mut entities, mut until, mut places): (Vec<i64>, Vec<i64>, Vec<i64>) = Default::default();
    let mut seen: BTreeSet<(Row, &EntityKey)> = BTreeSet::new();
    for ((of, key), Met { keys, counted }) in asked.iter().zip(&known) {
        if seen.contains(&(of.row, *key)) {
            continue;
        }
        let one = one_with(key, keys);
        let members: Vec<(i64, u64)> =
            keys.iter().zip(counted).filter(|(key, _)| one.contains(key)).map(|(_, counted)| *counted).collect();
        seen.extend(one.into_iter().map(|key| (of.row, key)));
        let thoughts = members.iter().map(|(_, thoughts)| thoughts).sum();
        if thoughts > of.common {
            continue;
        }
        for (entity, _) in &members {
            entities.push(*entity);
            until.push(i64::from(of.until));
            places.push(groups.len() as i64);
        }
        groups.push((of.row, thoughts));
    }
    let mut newest: Vec<BTreeSet<Row>> = vec![BTreeSet::new(); groups.len()];
    if !entities.is_empty() {
        let values = (account.stored(), row::limit(limit));
        for found in connection.query(&NEWEST_UNTIL, &[&values.0, &entities, &until, &places, &values.1]).await? {
            let place = usize::try_from(get::<i64>(&found, 0)?).ok().and_then(|place| newest.get_mut(place));
            place.ok_or_else(|| damaged("place", "out of range"))?.insert(small(&found, 1)?);
        }
    }
    let mut of: FxHashMap<Row, Vec<GroupRow>> = FxHashMap::default();
    for ((row, thoughts), newest) in groups.into_iter().zip(newest) {
        let newest = newest.into_iter().rev().take(limit).collect();
        of.entry(row).or_default().push(GroupRow { thoughts, newest });
    }
    Ok(of_thoughts.into_iter().map(|row| (row, of.remove(&row).unwrap_or_default())).collect())
}

/// The entities of a group that were mentioned up to a row.
#[derive(Default, Clone)]
struct Met {
    keys: Vec<EntityKey>,
    /// Beside each its number, and in how many thoughts up to that row it is.
    counted: Vec<(i64, u64)>,
}

/// For each name, the entities of its group that were mentioned up to the row.
async fn met(
    connection: &mut Connection,
    account: AccountId,
    asked: &[(GroupsOf, &EntityKey)],
) -> Result<Vec<Met>, StoreError> {
    let mut known = vec![Met::default(); asked.len()];
    if asked.is_empty() {
        return Ok(known);
    }
    let groups: Vec<NameGroup> = asked.iter().map(|(_, key)| NameGroup::of(key)).collect();
    let until: Vec<i64> = asked.iter().map(|(of, _)| i64::from(of.until)).collect();
    let (kinds, names, begins) = group_columns(&groups);
    for found in connection.query(&MET, &[&account.stored(), &kinds, &names, &begins, &until]).await? {
        let place = usize::try_from(get::<i64>(&found, 0)? - 1).ok().filter(|place| *place < asked.len());
        let place = place.ok_or_else(|| damaged("place", "out of range"))?;
        let thoughts = u64::try_from(get::<i64>(&found, 3)?).unwrap_or(0);
        if thoughts > 0 {
            known[place].keys.push(EntityKey { kind: asked[place].1.kind, folded: text(&found, 1)? });
            known[place].counted.push((get(&found, 2)?, thoughts));
        }
    }
    Ok(known)
}

/// What each thought mentions, by kind and name; those that mention nothing are left out.
async fn stored(
    connection: &mut Connection,
    account: AccountId,
    thoughts: &[Row],
) -> Result<BTreeMap<Row, Vec<EntityKey>>, StoreError> {
    let mut stored: BTreeMap<Row, Vec<EntityKey>> = BTreeMap::new();
    if thoughts.is_empty() {
        return Ok(stored);
    }
    for found in connection.query(&STORED, &[&account.stored(), &rows(thoughts)]).await? {
        let key = EntityKey { kind: kind(&found, 1)?, folded: text(&found, 2)? };
        stored.entry(small(&found, 0)?).or_default().push(key);
    }
    Ok(stored)
}

/// As [`store()`], with nothing written for a thought that mentions what it did.
pub(crate) async fn store_changed(
    transaction: &mut Connection,
    account: AccountId,
    thoughts: &[(Row, &[Mention])],
) -> Result<(), StoreError> {
    let all: Vec<Row> = thoughts.iter().map(|(row, _)| *row).collect();
    let before = stored(transaction, account, &all).await?;
    let changed = |(row, mentions): &&(Row, &[Mention])| {
        let stored: BTreeSet<EntityKey> = before.get(row).into_iter().flatten().cloned().collect();
        stored != mentions.iter().map(EntityKey::of).collect()
    };
    let changed: Vec<(Row, &[Mention])> = thoughts.iter().filter(changed).copied().collect();
    match changed.is_empty() {
        true => Ok(()),
        false => store(transaction, account, &changed).await,
    }
}

/// The names that begin with each of the words and are mentioned before a row, those met first, first.
pub(crate) async fn names_before(
    connection: &mut Connection,
    account: AccountId,
    row: Row,
    words: &[String],
    limit: usize,
) -> Result<Vec<MetName>, StoreError> {
    let words: Vec<&[u8]> = words.iter().map(String::as_bytes).collect();
    let values = (account.stored(), row::limit(limit), i64::from(row));
    let found = connection.query(&NAMES_BEFORE, &[&values.0, &words, &values.1, &values.2]).await?;
    let name = |found: &SqlRow| Ok(MetName { folded: text(found, 0)?, name: text(found, 1)?, kind: kind(found, 2)? });
    found.iter().map(name).collect()
}

/// What each thought mentions, under the full names, in the order of their names.
pub(crate) async fn shown(
    connection: &mut Connection,
    account: AccountId,
    wanted: &[Row],
) -> Result<Vec<(Row, Vec<(String, EntityKind)>)>, StoreError> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut of: FxHashMap<Row, Vec<(String, EntityKind)>> = FxHashMap::default();
    for found in connection.query(&SHOWN, &[&account.stored(), &rows(wanted)]).await? {
        of.entry(small(&found, 0)?).or_default().push((text(&found, 1)?, kind(&found, 2)?));
    }
    Ok(wanted.iter().map(|row| (*row, of.remove(row).unwrap_or_default())).collect())
}

pub(crate) fn kind(found: &SqlRow, column: usize) -> Result<EntityKind, StoreError> {
    let word: String = get(found, column)?;
    EntityKind::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or_else(|| damaged("kind", word))
}

//! A picture of what belongs together: a bounded number of entities and thoughts, the same every time.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rusqlite::Connection;
use rustc_hash::FxHashMap;

use annotate::entities::EntityKey;
use model::{Status, Thought, ThoughtId};
use store::backend::Row;
use store::{Focus, Graph, KnownEntity, StoreError};

use crate::database::error;
use crate::entity_views::{by_row, full, mentioned, most_frequent, thoughts_of, top};
use crate::statement::{list, value};
use crate::thoughts;

/// Of how many of its latest thoughts each entity of the whole picture is made: enough for the best to be among them.
const LATEST: usize = 200;

/// How many further thoughts each entity of a thought brings into the picture of that thought.
const FURTHER: usize = 10;

/// What is in a picture, in the order in which it came in.
#[derive(Default)]
struct Picture {
    entities: Vec<(i64, KnownEntity)>,
    thoughts: Vec<(Row, Thought)>,
    /// How much there would be.
    of: u64,
}

pub(crate) fn read(connection: &Connection, focus: &Focus, limit: usize) -> Result<Graph, StoreError> {
    let picture = match focus {
        Focus::Everything => everything(connection, limit)?,
        Focus::Entity(key) => around_entity(connection, key, limit)?,
        Focus::Thought(id) => around_thought(connection, *id, limit)?,
    };
    connect(connection, picture)
}

fn everything(connection: &Connection, limit: usize) -> Result<Picture, StoreError> {
    let entities = top(connection, limit / 3)?;
    let mut joins: FxHashMap<i64, u64> = FxHashMap::default();
    for (row, _) in &entities {
        for thought in thoughts_of(connection, *row, LATEST)? {
            *joins.entry(i64::from(thought)).or_default() += 1;
        }
    }
    // Those that join most entities first, of equals the latest.
    let mut joining: Vec<(u64, i64)> = joins.into_iter().map(|(row, count)| (count, row)).collect();
    joining.sort_unstable_by_key(|found| Reverse(*found));
    let mut picture = Picture { entities, ..Picture::default() };
    let room = limit - picture.entities.len();
    for (_, row) in joining {
        if picture.thoughts.len() == room {
            break;
        }
        picture.add_thought(connection, Row::try_from(row).unwrap_or(Row::MAX))?;
    }
    let sql = "SELECT (SELECT count(*) FROM entity WHERE stands_for IS NULL AND kind <> 'date')
                    + (SELECT count(*) FROM thought WHERE status = 0) + (SELECT count(*) FROM thought WHERE status = 1)";
    picture.of = value(connection, sql, [])?;
    Ok(picture)
}

fn around_entity(connection: &Connection, key: &EntityKey, limit: usize) -> Result<Picture, StoreError> {
    let mut picture = Picture::default();
    let Some(centre) = full(connection, key)? else { return Ok(picture) };
    picture.add_entity(connection, centre)?;
    for row in thoughts_of(connection, centre, LATEST)? {
        // Half of the room is for what they mention.
        if picture.thoughts.len() < limit / 2 {
            picture.add_thought(connection, row)?;
        }
    }
    let others = picture.mentioned_besides(connection)?;
    let occurs = picture.entities.first().map_or(0, |(_, entity)| entity.thoughts);
    picture.of = 1 + occurs.max(picture.thoughts.len() as u64) + others.len() as u64;
    for (row, _) in most_frequent(others, limit.saturating_sub(picture.len())) {
        picture.add_entity(connection, row)?;
    }
    Ok(picture)
}

fn around_thought(connection: &Connection, id: ThoughtId, limit: usize) -> Result<Picture, StoreError> {
    let mut picture = Picture::default();
    let Some(centre) = thoughts::row_of(connection, id)? else { return Ok(picture) };
    // Whatever became of it, it is what was asked for.
    picture.thoughts.extend(thoughts::by_row(connection, centre)?.map(|thought| (centre, thought)));
    let sql = "SELECT other, weight FROM link WHERE thought = ?1
               UNION SELECT thought, weight FROM link WHERE other = ?1 ORDER BY 2 DESC, 1";
    let linked: Vec<Row> = list(connection, sql, [centre], |row| row.get(0).map_err(error))?;
    let own = mentioned(connection, centre)?;
    let mut further: Vec<Row> = linked;
    for entity in &own {
        further.extend(thoughts_of(connection, *entity, FURTHER)?);
    }
    let mut known = BTreeSet::from([centre]);
    further.retain(|row| known.insert(*row));
    for entity in own.iter().take(limit / 3) {
        picture.add_entity(connection, *entity)?;
    }
    let of_thoughts = further.len() as u64 + 1;
    for row in further {
        if picture.len() < limit * 2 / 3 {
            picture.add_thought(connection, row)?;
        }
    }
    let others = picture.mentioned_besides(connection)?;
    picture.of = (of_thoughts + own.len() as u64 + others.len() as u64).max(picture.len() as u64);
    for (row, _) in most_frequent(others, limit.saturating_sub(picture.len())) {
        picture.add_entity(connection, row)?;
    }
    Ok(picture)
}

impl Picture {
    fn len(&self) -> usize {
        self.entities.len() + self.thoughts.len()
    }

    fn add_entity(&mut self, connection: &Connection, row: i64) -> Result<(), StoreError> {
        self.entities.extend(by_row(connection, row)?.map(|entity| (row, entity)));
        Ok(())
    }

    /// Adds a thought unless it is archived.
    fn add_thought(&mut self, connection: &Connection, row: Row) -> Result<(), StoreError> {
        let thought = thoughts::by_row(connection, row)?.filter(|thought| thought.status != Status::Archived);
        self.thoughts.extend(thought.map(|thought| (row, thought)));
        Ok(())
    }

    /// What the thoughts mention beyond the entities that are there, and how many of them do.
    fn mentioned_besides(&self, connection: &Connection) -> Result<FxHashMap<i64, u64>, StoreError> {
        let mut counts: FxHashMap<i64, u64> = FxHashMap::default();
        for (row, _) in &self.thoughts {
            for entity in mentioned(connection, *row)? {
                *counts.entry(entity).or_default() += 1;
            }
        }
        counts.retain(|entity, _| !self.entities.iter().any(|(known, _)| known == entity));
        Ok(counts)
    }
}

/// Adds what leads from one to another within the picture.
fn connect(connection: &Connection, picture: Picture) -> Result<Graph, StoreError> {
    let entities: FxHashMap<i64, &EntityKey> = picture.entities.iter().map(|(row, known)| (*row, &known.key)).collect();
    let rows: FxHashMap<Row, ThoughtId> = picture.thoughts.iter().map(|(row, thought)| (*row, thought.id)).collect();
    let (mut mentions, mut links) = (Vec::new(), Vec::new());
    let sql = "SELECT other, weight FROM link WHERE thought = ?1 ORDER BY other";
    for (row, thought) in &picture.thoughts {
        let mentioned = mentioned(connection, *row)?;
        mentions.extend(mentioned.iter().filter_map(|entity| Some((thought.id, (*entities.get(entity)?).clone()))));
        let linked = list(connection, sql, [row], |found| {
            Ok((found.get::<_, Row>(0).map_err(error)?, found.get::<_, f64>(1).map_err(error)?))
        })?;
        let linked = linked.into_iter().filter_map(|(other, weight)| Some((*rows.get(&other)?, weight)));
        links.extend(linked.map(|(other, weight)| (thought.id, other, weight as f32)));
    }
    // A pair may be linked from both ends: the stronger counts.
    links.sort_by(|a: &(ThoughtId, ThoughtId, f32), b| pair(a).cmp(&pair(b)).then(b.2.total_cmp(&a.2)));
    links.dedup_by(|a, b| pair(a) == pair(b));
    Ok(Graph {
        entities: picture.entities.into_iter().map(|(_, entity)| entity).collect(),
        thoughts: picture.thoughts.into_iter().map(|(_, thought)| thought).collect(),
        mentions,
        links,
        of: picture.of,
    })
}

fn pair((one, other, _): &(ThoughtId, ThoughtId, f32)) -> (ThoughtId, ThoughtId) {
    (*one.min(other), *one.max(other))
}

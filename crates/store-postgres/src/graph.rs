//! A picture of what belongs together: a bounded number of entities and thoughts, the same every time.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use annotate::entities::EntityKey;
use model::{AccountId, Status, Thought, ThoughtId};
use store::backend::Row;
use store::{Focus, Graph, KnownEntity, StoreError};

use crate::connection::Connection;
use crate::entity_views::{by_rows, full, mentioned, most_frequent, thoughts_of, top};
use crate::looked_up;
use crate::row::{Stored, get, number, rows, small};
use crate::statement::statements;

statements! {
    COUNT, Account: "SELECT (SELECT count(*) FROM entity
                             WHERE entity.account_id = $1 AND entity.stands_for IS NULL AND entity.kind <> 'date')
                          + coalesce((SELECT log_end.open + log_end.completed FROM log_end WHERE log_end.account_id = $1), 0)";
    ROW_OF, Account: "SELECT thought.row FROM thought WHERE account_id = $1 AND id = $2";
    LINKED, Account: "SELECT own.other, own.weight FROM link AS own WHERE own.account_id = $1 AND own.thought = $2
                      UNION SELECT incoming.thought, incoming.weight FROM link AS incoming
                      WHERE incoming.account_id = $1 AND incoming.other = $2 ORDER BY 2 DESC, 1";
    LINKS, Account: "SELECT link.thought, link.other, link.weight FROM link
                     WHERE account_id = $1 AND link.thought = ANY ($2) ORDER BY link.thought, link.other";
}

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

pub(crate) async fn read(
    connection: &mut Connection,
    account: AccountId,
    focus: &Focus,
    limit: usize,
) -> Result<Graph, StoreError> {
    let picture = match focus {
        Focus::Everything => everything(connection, account, limit).await?,
        Focus::Entity(key) => around_entity(connection, account, key, limit).await?,
        Focus::Thought(id) => around_thought(connection, account, *id, limit).await?,
    };
    connect(connection, account, picture).await
}

async fn everything(connection: &mut Connection, account: AccountId, limit: usize) -> Result<Picture, StoreError> {
    let entities = top(connection, account, limit / 3).await?;
    let full: Vec<i64> = entities.iter().map(|(row, _)| *row).collect();
    let mut joins: FxHashMap<Row, u64> = FxHashMap::default();
    for row in thoughts_of(connection, account, &full, LATEST).await?.into_values().flatten() {
        *joins.entry(row).or_default() += 1;
    }
    // Those that join most entities first, of equals the latest.
    let mut joining: Vec<(u64, Row)> = joins.into_iter().map(|(row, count)| (count, row)).collect();
    joining.sort_unstable_by_key(|found| Reverse(*found));
    let mut picture = Picture { entities, ..Picture::default() };
    let room = limit - picture.entities.len();
    let joining: Vec<Row> = joining.into_iter().map(|(_, row)| row).collect();
    picture.add_thoughts(connection, account, &joining, room).await?;
    let count = connection.first(&COUNT, &[&account.stored()]).await?;
    picture.of = count.map_or(Ok(0), |found| number(&found, 0))?;
    Ok(picture)
}

async fn around_entity(
    connection: &mut Connection,
    account: AccountId,
    key: &EntityKey,
    limit: usize,
) -> Result<Picture, StoreError> {
    let mut picture = Picture::default();
    let Some(centre) = full(connection, account, key).await? else { return Ok(picture) };
    picture.add_entities(connection, account, &[centre]).await?;
    let latest = thoughts_of(connection, account, &[centre], LATEST).await?.remove(&centre).unwrap_or_default();
    // Half of the room is for what they mention.
    picture.add_thoughts(connection, account, &latest, limit / 2).await?;
    let others = picture.mentioned_besides(connection, account).await?;
    let occurs = picture.entities.first().map_or(0, |(_, entity)| entity.thoughts);
    picture.of = 1 + occurs.max(picture.thoughts.len() as u64) + others.len() as u64;
    picture.add_most_frequent(connection, account, others, limit).await?;
    Ok(picture)
}

async fn around_thought(
    connection: &mut Connection,
    account: AccountId,
    id: ThoughtId,
    limit: usize,
) -> Result<Picture, StoreError> {
    let mut picture = Picture::default();
    let Some(found) = connection.first(&ROW_OF, &[&account.stored(), &id.stored()]).await? else {
        return Ok(picture);
    };
    let centre = small(&found, 0)?;
    // Whatever became of it, it is what was asked for.
    picture.thoughts = looked_up::thoughts(connection, account, &[centre]).await?.into_iter().collect();
    let linked = connection.query(&LINKED, &[&account.stored(), &i64::from(centre)]).await?;
    let mut further: Vec<Row> = linked.iter().map(|found| small(found, 0)).collect::<Result<_, _>>()?;
    let own = mentioned(connection, account, &[centre]).await?.remove(&centre).unwrap_or_default();
    let mut of_entities = thoughts_of(connection, account, &own, FURTHER).await?;
    for entity in &own {
        further.extend(of_entities.remove(entity).unwrap_or_default());
    }
    let mut known = BTreeSet::from([centre]);
    further.retain(|row| known.insert(*row));
    picture.add_entities(connection, account, &own[..own.len().min(limit / 3)]).await?;
    let of_thoughts = further.len() as u64 + 1;
    let most = picture.thoughts.len() + (limit * 2 / 3).saturating_sub(picture.len());
    picture.add_thoughts(connection, account, &further, most).await?;
    let others = picture.mentioned_besides(connection, account).await?;
    picture.of = (of_thoughts + own.len() as u64 + others.len() as u64).max(picture.len() as u64);
    picture.add_most_frequent(connection, account, others, limit).await?;
    Ok(picture)
}

impl Picture {
    fn len(&self) -> usize {
        self.entities.len() + self.thoughts.len()
    }

    async fn add_entities(
        &mut self,
        connection: &mut Connection,
        account: AccountId,
        wanted: &[i64],
    ) -> Result<(), StoreError> {
        let mut known = by_rows(connection, account, wanted).await?;
        self.entities.extend(wanted.iter().filter_map(|row| Some((*row, known.remove(row)?))));
        Ok(())
    }

    async fn add_most_frequent(
        &mut self,
        connection: &mut Connection,
        account: AccountId,
        others: FxHashMap<i64, u64>,
        limit: usize,
    ) -> Result<(), StoreError> {
        let room = limit.saturating_sub(self.len());
        let frequent: Vec<i64> = most_frequent(others, room).into_iter().map(|(row, _)| row).collect();
        self.add_entities(connection, account, &frequent).await
    }

    /// Adds thoughts that are not archived, in their order, until there are so many.
    async fn add_thoughts(
        &mut self,
        connection: &mut Connection,
        account: AccountId,
        wanted: &[Row],
        most: usize,
    ) -> Result<(), StoreError> {
        let mut rest = wanted;
        while self.thoughts.len() < most && !rest.is_empty() {
            let (some, others) = rest.split_at(rest.len().min(most - self.thoughts.len()));
            let mut found = looked_up::thoughts(connection, account, some).await?;
            found.retain(|_, thought| thought.status != Status::Archived);
            self.thoughts.extend(some.iter().filter_map(|row| Some((*row, found.remove(row)?))));
            rest = others;
        }
        Ok(())
    }

    /// What the thoughts mention beyond the entities that are there, and how many of them do.
    async fn mentioned_besides(
        &self,
        connection: &mut Connection,
        account: AccountId,
    ) -> Result<FxHashMap<i64, u64>, StoreError> {
        let wanted: Vec<Row> = self.thoughts.iter().map(|(row, _)| *row).collect();
        let mut counts: FxHashMap<i64, u64> = FxHashMap::default();
        for entity in mentioned(connection, account, &wanted).await?.into_values().flatten() {
            *counts.entry(entity).or_default() += 1;
        }
        counts.retain(|entity, _| !self.entities.iter().any(|(known, _)| known == entity));
        Ok(counts)
    }
}

/// Adds what leads from one to another within the picture.
async fn connect(connection: &mut Connection, account: AccountId, picture: Picture) -> Result<Graph, StoreError> {
    let entities: FxHashMap<i64, &EntityKey> = picture.entities.iter().map(|(row, known)| (*row, &known.key)).collect();
    let ids: FxHashMap<Row, ThoughtId> = picture.thoughts.iter().map(|(row, thought)| (*row, thought.id)).collect();
    let wanted: Vec<Row> = picture.thoughts.iter().map(|(row, _)| *row).collect();
    let of = mentioned(connection, account, &wanted).await?;
    let mut mentions = Vec::new();
    for (row, thought) in &picture.thoughts {
        let mentioned = of.get(row).map(Vec::as_slice).unwrap_or_default();
        mentions.extend(mentioned.iter().filter_map(|entity| Some((thought.id, (*entities.get(entity)?).clone()))));
    }
    let mut links = Vec::new();
    for found in connection.query(&LINKS, &[&account.stored(), &rows(&wanted)]).await? {
        if let (Some(one), Some(other)) = (ids.get(&small(&found, 0)?), ids.get(&small(&found, 1)?)) {
            links.push((*one, *other, get::<f32>(&found, 2)?));
        }
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

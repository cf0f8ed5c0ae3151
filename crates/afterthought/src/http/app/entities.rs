//! Entities and the graph of what belongs together.

use hyper::StatusCode;
use serde_json::{Value, json};

use annotate::entities::{EntityKey, EntityKind};
use model::{Thought, ThoughtId};
use service::memory::GRAPH_NODES_MAX;
use store::{EntityListing, Focus, Graph, KnownEntity};

use super::asked::Asked;
use super::endpoint::AppEndpoint;
use super::fault::Fault;
use super::query::Query;
use crate::http::reply::{self, Reply};

/// How many entities a page has, and at most.
const PAGE: usize = 50;
const PAGE_MAX: usize = 200;

/// How much of a thought stands beside its node.
const LABEL_CHARS: usize = 80;

impl AppEndpoint {
    pub(super) async fn list_entities(&self, asked: &Asked) -> Result<Reply, Fault> {
        let query = asked.query(&["q", "kind", "cursor", "limit"])?;
        let (skip, limit) = (skipped(&query)?, query.limit(PAGE, PAGE_MAX)?);
        let listing = EntityListing {
            part: query.get("q").map(text::fold),
            kind: query.get("kind").map(kind).transpose()?,
            skip,
            limit,
        };
        let page = self.memory.entities(&asked.caller, &listing).await?;
        let answer = json!({
            "entities": page.entities.iter().map(shape).collect::<Vec<_>>(),
            "next_cursor": next(skip, page.entities.len(), page.total),
            "total": page.total,
        });
        Ok(reply::json(StatusCode::OK, answer.to_string()))
    }

    pub(super) async fn entity(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        let key = entity_key(id).map_err(|_| Fault::Absent("entity"))?;
        let view = self.memory.entity(&asked.caller, &key).await?.ok_or(Fault::Absent("entity"))?;
        let mut entity = shape(&view.entity);
        entity["also"] = json!(view.also);
        let neighbours = view.neighbours.iter().map(|(neighbour, together)| {
            let mut neighbour = shape(neighbour);
            neighbour["together"] = json!(together);
            neighbour
        });
        let answer = json!({ "entity": entity, "neighbours": neighbours.collect::<Vec<_>>() });
        Ok(reply::json(StatusCode::OK, answer.to_string()))
    }

    pub(super) async fn graph(&self, asked: &Asked) -> Result<Reply, Fault> {
        let query = asked.query(&["entity", "thought", "limit"])?;
        let limit = query.limit(GRAPH_NODES_MAX, GRAPH_NODES_MAX)?;
        let focus = match (query.get("entity"), query.read::<ThoughtId>("thought")?) {
            (None, None) => Focus::Everything,
            (Some(id), None) => Focus::Entity(entity_key(id)?),
            (None, Some(id)) => Focus::Thought(id),
            (Some(_), Some(_)) => return Err(Fault::Unreadable("give `entity` or `thought`, not both".to_owned())),
        };
        let graph = self.memory.graph(&asked.caller, &focus, limit).await?;
        match (&focus, graph.entities.is_empty() && graph.thoughts.is_empty()) {
            (Focus::Entity(_), true) => Err(Fault::Absent("entity")),
            (Focus::Thought(_), true) => Err(Fault::Absent("thought")),
            _ => Ok(reply::json(StatusCode::OK, picture(&graph).to_string())),
        }
    }
}

fn picture(graph: &Graph) -> Value {
    let entities = graph.entities.iter().map(|entity| {
        let mut node = shape(entity);
        node["type"] = json!("entity");
        node["label"] = node["name"].take();
        node
    });
    let thoughts = graph.thoughts.iter().map(|thought| {
        json!({
            "id": thought.id.to_string(),
            "type": "thought",
            "label": label(thought),
            "category": thought.category.as_str(),
            "status": thought.status.as_str(),
        })
    });
    let mentions = graph.mentions.iter().map(
        |(thought, entity)| json!({ "from": thought.to_string(), "to": entity_id(entity), "type": "mention", "weight": 1.0 }),
    );
    let links = graph.links.iter().map(|(one, other, weight)| {
        json!({ "from": one.to_string(), "to": other.to_string(), "type": "link", "weight": weight })
    });
    json!({
        "nodes": entities.chain(thoughts).collect::<Vec<_>>(),
        "edges": mentions.chain(links).collect::<Vec<_>>(),
        "showing": graph.entities.len() + graph.thoughts.len(),
        "of": graph.of,
    })
}

fn label(thought: &Thought) -> String {
    thought.raw_text.as_str().split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LABEL_CHARS).collect()
}

/// An entity.
pub(super) fn shape(entity: &KnownEntity) -> Value {
    json!({
        "id": entity_id(&entity.key),
        "name": entity.name,
        "kind": kind_of(&entity.key),
        "thoughts": entity.thoughts,
    })
}

/// What the page calls an entity: its kind and its folded name.
pub(super) fn entity_id(key: &EntityKey) -> String {
    format!("{}:{}", kind_of(key), key.folded)
}

/// The word for what an entity is.
pub(super) fn kind_of(key: &EntityKey) -> &'static str {
    key.kind.as_str()
}

/// Reads back what [`entity_id`] wrote.
pub(super) fn entity_key(id: &str) -> Result<EntityKey, Fault> {
    let (word, folded) = id.split_once(':').ok_or_else(no_entity)?;
    Ok(EntityKey { kind: kind(word)?, folded: folded.to_owned() })
}

fn no_entity() -> Fault {
    Fault::Unreadable("an entity is called by its kind and its name, such as person:ana".to_owned())
}

fn kind(word: &str) -> Result<EntityKind, Fault> {
    EntityKind::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or_else(no_entity)
}

/// How many have been on the pages before.
pub(super) fn skipped(query: &Query) -> Result<usize, Fault> {
    Ok(query.read::<u32>("cursor")?.unwrap_or(0) as usize)
}

/// Where the next page begins; `None` if there is none.
pub(super) fn next(skipped: usize, shown: usize, total: u64) -> Option<String> {
    let next = skipped + shown;
    (shown > 0 && (next as u64) < total).then(|| next.to_string())
}

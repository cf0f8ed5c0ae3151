//! Lists and searches of thoughts, by filters.

use hyper::StatusCode;
use serde_json::{Value, json};

use model::{Category, Cursor, Order, Status, Time};
use service::memory::{Found, Look, Place};
use service::search::Signal;
use store::{Filter, Whose};

use super::asked::Asked;
use super::endpoint::AppEndpoint;
use super::entities::entity_key;
use super::fault::Fault;
use super::query::Query;
use super::shapes;
use crate::http::reply::{self, Reply};

/// How many thoughts a page has, and at most.
const PAGE: usize = 30;
const PAGE_MAX: usize = 100;

/// What the address of a list may say.
pub(super) const NAMES: &[&str] = &["status", "author", "category", "entity", "from", "to", "q", "cursor", "limit"];

impl AppEndpoint {
    pub(super) async fn list(&self, asked: &Asked) -> Result<Reply, Fault> {
        let query = asked.query(NAMES)?;
        let look = Look {
            query: query.get("q").map(str::to_owned),
            filter: filter(&query)?,
            after: query.get("cursor").map(cursor).transpose()?,
            limit: query.limit(PAGE, PAGE_MAX)?,
        };
        let looked = self.memory.look(&asked.caller, &look).await?;
        let answer = json!({
            "thoughts": looked.thoughts.iter().map(found).collect::<Vec<_>>(),
            "order": match looked.order {
                Order::Relevance => "relevance",
                Order::CreatedAt => "created_at",
            },
            "next_cursor": looked.next.map(written),
        });
        Ok(reply::json(StatusCode::OK, answer.to_string()))
    }
}

pub(super) fn filter(query: &Query) -> Result<Filter, Fault> {
    let status = match query.get("status") {
        None => Some(Status::Open),
        Some("all") => None,
        Some(_) => query.read::<Status>("status")?,
    };
    let whose = match query.get("author") {
        None | Some("all") => Whose::Everybodys,
        Some("user") => Whose::Users,
        Some("agents") => Whose::Agents,
        Some(other) => match other.strip_prefix("agent:") {
            Some(name) => Whose::Agent(name.to_owned()),
            None => return Err(Fault::Unreadable("`author` is all, user, agents or agent:NAME".to_owned())),
        },
    };
    Ok(Filter {
        status,
        whose,
        category: query.read::<Category>("category")?,
        // What is no entity is mentioned by nothing, and a list of nothing is no mistake.
        entity: query.get("entity").map(entity_key).transpose()?,
        from: query.read::<Time>("from")?,
        to: query.read::<Time>("to")?,
    })
}

fn found(found: &Found) -> Value {
    let mut shape = shapes::shortened(&found.thought, &found.snippet);
    if let Some(relevance) = &found.relevance {
        let why = relevance.matched_by.iter().map(|signal| match signal {
            Signal::Lexical => "words",
            Signal::Semantic => "meaning",
            Signal::Graph => "connections",
            Signal::Note => "note",
        });
        shape["why"] = why.collect();
        shape["score"] = json!(relevance.score);
        let notes = relevance.notes.iter().map(|note| json!({ "name": note.name, "snippet": note.snippet }));
        shape["notes"] = notes.collect();
    }
    if let Some(later) = found.superseded_by {
        shape["superseded_by"] = json!(later.to_string());
    }
    shape
}

/// Where a page ended, as the page hands it back.
pub(super) fn written(place: Place) -> String {
    match place {
        Place::Listed(Cursor { created_at, id }) => {
            format!("{}.{}", created_at.as_micros(), id.map(|id| id.to_string()).unwrap_or_default())
        }
        Place::Best(count) => count.to_string(),
    }
}

pub(super) fn cursor(text: &str) -> Result<Place, Fault> {
    let read = || {
        let Some((micros, id)) = text.split_once('.') else {
            return text.parse::<u32>().ok().map(|it| it as usize).map(Place::Best);
        };
        let id = if id.is_empty() { None } else { Some(id.parse().ok()?) };
        Some(Place::Listed(Cursor { created_at: Time::from_micros(micros.parse().ok()?), id }))
    };
    read().ok_or_else(|| Fault::Unreadable("`cursor` is the `next_cursor` of the page before".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::entities::kind_of;
    use super::*;

    #[test]
    fn a_cursor_is_read_back_as_it_was_written() {
        let id = "0197c1a2-7b3c-7def-8123-456789abcdef".parse().unwrap();
        let listed = [Some(id), None].map(|id| Place::Listed(Cursor { created_at: Time::from_micros(-5), id }));
        for place in listed.into_iter().chain([Place::Best(30)]) {
            assert_eq!(cursor(&written(place)).unwrap(), place);
        }
        for text in ["", "x", "-5", "5.x", ".", "x."] {
            assert!(cursor(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_filter_is_read() {
        let text = "status=all&author=agent%3Amy+laptop&category=task&entity=person%3Aana&from=2026-01-01T00:00:00Z";
        let filter = filter(&Query::parse(text, NAMES).unwrap()).unwrap();
        assert_eq!((filter.status, filter.whose), (None, Whose::Agent("my laptop".into())));
        assert_eq!((filter.category, filter.entity.map(|key| kind_of(&key))), (Some(Category::Task), Some("person")));
        assert!(filter.from.is_some() && filter.to.is_none());
    }
}

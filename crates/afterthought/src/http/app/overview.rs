//! The memory as a whole: counts, the values of filters, duplicates.

use hyper::StatusCode;
use serde_json::{Value, json};

use model::{Category, Status, Time};
use service::search;
use store::{Census, EntityListing};

use super::asked::Asked;
use super::endpoint::AppEndpoint;
use super::entities::{next, shape, skipped};
use super::fault::Fault;
use super::shapes;
use crate::http::reply::{self, Reply};

/// How many groups of duplicates a page has, and at most.
const GROUPS: usize = 20;
const GROUPS_MAX: usize = 50;

/// How many entities can be chosen from a list; the others are found by their names.
const ENTITIES_OFFERED: usize = 100;

/// A day, in microseconds.
const DAY_MICROS: i64 = 86_400_000_000;

/// How many months are told: a century.
const MONTHS_MAX: usize = 1_200;

impl AppEndpoint {
    pub(super) async fn census(&self, asked: &Asked) -> Result<Reply, Fault> {
        let census = self.memory.census(&asked.caller).await?;
        let user = (census.users > 0).then(|| json!({ "author": "user", "thoughts": census.users }));
        let agents = census.agents.iter();
        let agents = agents.map(|(name, count)| json!({ "author": "agent", "agent_name": name, "thoughts": count }));
        let answer = json!({
            "total": census.status.iter().sum::<u64>(),
            "status": counted(Status::ALL.map(Status::as_str).into_iter().zip(census.status)),
            "authors": user.into_iter().chain(agents).collect::<Vec<_>>(),
            "categories": counted(Category::ALL.map(Category::as_str).into_iter().zip(census.categories)),
            "months": months(&census),
            "notes": census.notes,
            "entities": census.entities,
            "pending": census.pending,
            "given_up": census.given_up,
        });
        Ok(reply::json(StatusCode::OK, answer.to_string()))
    }

    pub(super) async fn facets(&self, asked: &Asked) -> Result<Reply, Fault> {
        let census = self.memory.census(&asked.caller).await?;
        let listing = EntityListing { limit: ENTITIES_OFFERED, ..EntityListing::default() };
        let page = self.memory.entities(&asked.caller, &listing).await?;
        let answer = json!({
            "agents": census.agents.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "categories": Category::ALL.map(Category::as_str),
            "entities": page.entities.iter().map(shape).collect::<Vec<_>>(),
            "more_entities": page.total > page.entities.len() as u64,
        });
        Ok(reply::json(StatusCode::OK, answer.to_string()))
    }

    pub(super) async fn duplicates(&self, asked: &Asked) -> Result<Reply, Fault> {
        let query = asked.query(&["cursor", "limit"])?;
        let (skip, limit) = (skipped(&query)?, query.limit(GROUPS, GROUPS_MAX)?);
        let found = self.memory.duplicates(&asked.caller, skip, limit).await?;
        let groups = found.groups.iter().map(|group| {
            let thoughts = group.thoughts.iter();
            let thoughts =
                thoughts.map(|thought| shapes::shortened(thought, &search::opening(thought.raw_text.as_str())));
            json!({ "thoughts": thoughts.collect::<Vec<_>>(), "more": group.more })
        });
        let answer = json!({
            "groups": groups.collect::<Vec<_>>(),
            "next_cursor": next(skip, found.groups.len(), found.total),
            "total": found.total,
        });
        Ok(reply::json(StatusCode::OK, answer.to_string()))
    }
}

fn counted<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> Value {
    Value::Object(counts.map(|(name, count)| (name.to_owned(), json!(count))).collect())
}

/// The days put together to months, the earliest first; of very many the latest.
fn months(census: &Census) -> Vec<Value> {
    let mut months: Vec<(String, u64)> = Vec::new();
    for (day, count) in &census.days {
        // A time begins with its year and its month.
        let month = Time::from_micros(day.saturating_mul(DAY_MICROS)).to_string().chars().take(7).collect();
        match months.last_mut().filter(|(last, _)| *last == month) {
            Some((_, thoughts)) => *thoughts += count,
            None => months.push((month, *count)),
        }
    }
    let first = months.len().saturating_sub(MONTHS_MAX);
    months[first..].iter().map(|(month, thoughts)| json!({ "month": month, "thoughts": thoughts })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_put_together_to_months() {
        let census = Census { days: vec![(-1, 2), (0, 1), (30, 4), (31, 8)], ..Census::default() };
        let expected = [("1969-12", 2), ("1970-01", 5), ("1970-02", 8)];
        assert_eq!(months(&census), expected.map(|(month, thoughts)| json!({ "month": month, "thoughts": thoughts })));
    }
}

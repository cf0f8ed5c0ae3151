//! What became of a thought, change by change.

use hyper::StatusCode;
use serde_json::{Value, json};

use service::memory::HistoricChange;

use super::asked::Asked;
use super::endpoint::AppEndpoint;
use super::fault::Fault;
use super::ids::thought_id;
use super::shapes;
use crate::http::reply::{self, Reply};

/// How many changes are shown at a time, and at most.
const CHANGES_SHOWN: usize = 20;
const CHANGES_MAX: usize = 50;

impl AppEndpoint {
    pub(super) async fn history(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        let query = asked.query(&["before", "limit"])?;
        let (before, limit) = (query.read::<u32>("before")?, query.limit(CHANGES_SHOWN, CHANGES_MAX)?);
        let history = self.memory.history(&asked.caller, thought_id(id)?, before, limit).await?;
        let revisions: Vec<Value> = history.changes.iter().map(change).collect();
        Ok(reply::json(StatusCode::OK, json!({ "revisions": revisions, "more": history.more }).to_string()))
    }
}

fn change(change: &HistoricChange) -> Value {
    let status = change.status.map(|(before, after)| json!({ "before": before.as_str(), "after": after.as_str() }));
    json!({
        "number": change.number,
        "at": change.at,
        "kind": change.kind.as_str(),
        "by": change.by,
        "status": status,
        "difference": change.difference.as_deref().map(shapes::difference),
    })
}

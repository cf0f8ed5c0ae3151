//! One thought: capturing it, changing it, and what is around it.

use hyper::StatusCode;
use serde::Deserialize;
use serde_json::json;

use model::{Status, ThoughtText, Time};
use service::memory::{Attribution, Capture, Edit, Edited};
use service::search;
use store::{Enrichment, Link, Replaces};

use super::asked::Asked;
use super::endpoint::AppEndpoint;
use super::entities::{entity_id, kind_of};
use super::fault::Fault;
use super::ids::thought_id;
use super::shapes;
use crate::http::reply::{self, Reply};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewThought {
    raw_text: String,
    captured_at: Option<Time>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditRequest {
    request: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewText {
    raw_text: String,
    revision: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewStatus {
    status: String,
}

impl AppEndpoint {
    pub(super) async fn capture(&self, asked: &Asked) -> Result<Reply, Fault> {
        let NewThought { raw_text, captured_at } = asked.json().await?;
        // Whoever sits at the page is the person, whatever they signed in with.
        let capture = Capture { raw_text: ThoughtText::new(raw_text)?, captured_at, attribution: Attribution::User };
        let thought = self.memory.capture(&asked.caller, capture).await?;
        Ok(reply::json(StatusCode::CREATED, json!({ "thought": shapes::whole(&thought) }).to_string()))
    }

    /// A thought with everything around it.
    pub(super) async fn thought(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        let id = thought_id(id)?;
        let around = self.memory.surroundings(&asked.caller, id).await?;
        let entities = around.entities.iter();
        let entities = entities.map(|(key, name)| json!({ "id": entity_id(key), "name": name, "kind": kind_of(key) }));
        let linked = around.linked.iter().map(|(thought, link)| {
            let snippet = search::opening(thought.raw_text.as_str());
            json!({ "thought": shapes::shortened(thought, &snippet), "weight": link.weight, "as": linked_as(link) })
        });
        let mut answer = self.notes_of(asked, id, None).await?;
        answer["thought"] = shapes::whole(&around.thought);
        answer["can_undo"] = json!(around.travel.undo);
        answer["can_redo"] = json!(around.travel.redo);
        answer["enrichment"] = json!(enrichment(around.enrichment));
        answer["entities"] = entities.collect();
        answer["linked"] = linked.collect();
        Ok(reply::json(StatusCode::OK, answer.to_string()))
    }

    /// Has the background work on a thought tried again.
    pub(super) async fn retry(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        let state = self.memory.retry_enrichment(&asked.caller, thought_id(id)?).await?;
        Ok(reply::json(StatusCode::OK, json!({ "enrichment": enrichment(state) }).to_string()))
    }

    pub(super) async fn edit(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        let EditRequest { request } = asked.json().await?;
        let edit = Edit { request: Some(request), ..Edit::default() };
        let edited = self.memory.edit(&asked.caller, thought_id(id)?, edit).await?;
        self.edited(asked, &edited).await
    }

    pub(super) async fn reword(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        let NewText { raw_text, revision } = asked.json().await?;
        let edit = Edit { raw_text: Some(ThoughtText::new(raw_text)?), based_on: revision, ..Edit::default() };
        let edited = self.memory.edit(&asked.caller, thought_id(id)?, edit).await?;
        self.edited(asked, &edited).await
    }

    pub(super) async fn set_status(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        let NewStatus { status } = asked.json().await?;
        let status: Status = status.parse()?;
        let edited = self.memory.set_status(&asked.caller, thought_id(id)?, status).await?;
        self.edited(asked, &edited).await
    }

    pub(super) async fn undo(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        let edited = self.memory.undo(&asked.caller, thought_id(id)?).await?;
        self.edited(asked, &edited).await
    }

    pub(super) async fn redo(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        let edited = self.memory.redo(&asked.caller, thought_id(id)?).await?;
        self.edited(asked, &edited).await
    }

    async fn edited(&self, asked: &Asked, edited: &Edited) -> Result<Reply, Fault> {
        let can = self.memory.can_travel(&asked.caller, edited.thought.id).await?;
        let mut answer = shapes::edited(edited);
        answer["can_undo"] = json!(can.undo);
        answer["can_redo"] = json!(can.redo);
        Ok(reply::json(StatusCode::OK, answer.to_string()))
    }
}

/// What the other thought is to the one that is shown.
fn linked_as(link: &Link) -> &'static str {
    match link.replaces {
        Some(Replaces::This) => "replacement",
        Some(Replaces::Other) => "replaced",
        None => "related",
    }
}

fn enrichment(state: Enrichment) -> &'static str {
    match state {
        Enrichment::Done => "done",
        Enrichment::Pending => "pending",
        Enrichment::GivenUp => "given_up",
    }
}

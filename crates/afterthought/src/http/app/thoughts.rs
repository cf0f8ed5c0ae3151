//! Capturing and changing thoughts.

use hyper::StatusCode;
use serde::Deserialize;
use serde_json::json;

use model::{Status, ThoughtId, ThoughtText, Time};
use service::memory::{Attribution, Capture, Edit, Edited};

use super::asked::Asked;
use super::endpoint::AppEndpoint;
use super::fault::Fault;
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

/// The id of a thought as it stands in an address; what is no id is no thought's.
pub(super) fn thought_id(text: &str) -> Result<ThoughtId, Fault> {
    text.parse().map_err(|_| Fault::Absent("thought"))
}

//! A thought as the tools show it.

use schemars::JsonSchema;
use serde::Serialize;

use model::{self, Author, ThoughtId, Time};

use super::reply::displayed;

/// A thought with its whole text.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Thought<'a> {
    #[serde(serialize_with = "displayed")]
    #[schemars(with = "String")]
    id: ThoughtId,
    raw_text: &'a str,
    status: Status,
    category: &'static str,
    author: AuthorKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_name: Option<&'a str>,
    #[schemars(with = "String")]
    created_at: Time,
    #[schemars(with = "String")]
    captured_at: Time,
    #[schemars(with = "String")]
    updated_at: Time,
}

impl<'a> From<&'a model::Thought> for Thought<'a> {
    fn from(thought: &'a model::Thought) -> Self {
        let (author, agent_name) = author(&thought.author);
        Self {
            id: thought.id,
            raw_text: thought.raw_text.as_str(),
            status: thought.status.into(),
            category: thought.category.as_str(),
            author,
            agent_name,
            created_at: thought.created_at,
            captured_at: thought.captured_at,
            updated_at: thought.updated_at,
        }
    }
}

/// Where a thought is in its life.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Open,
    Completed,
    Archived,
}

impl From<model::Status> for Status {
    fn from(status: model::Status) -> Self {
        match status {
            model::Status::Open => Self::Open,
            model::Status::Completed => Self::Completed,
            model::Status::Archived => Self::Archived,
        }
    }
}

/// Whether a thought is the human user's or an agent's.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum AuthorKind {
    User,
    Agent,
}

/// Whose memory it is, and the agent's name where it is an agent's.
pub(super) fn author(author: &Author) -> (AuthorKind, Option<&str>) {
    match author {
        Author::User => (AuthorKind::User, None),
        Author::Agent { name } => (AuthorKind::Agent, Some(name)),
    }
}

//! `edit_thought`: changes the text or the status of a thought.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use model::{Caller, Invalid, ThoughtId, ThoughtText};
use service::memory::{Changed, Edit, Excerpt, Memory};

use super::definition::{Definition, Hints};
use super::delete::thought_id;
use super::reply::write;
use super::schema;
use super::thought::{Status, Thought};
use super::tool::Tool;
use crate::mcp::error::ToolError;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The id of the thought
    thought_id: String,
    /// A plain instruction
    edit_request: Option<String>,
    /// The whole new text, taken as it is
    raw_text: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Reply<'a> {
    thought: Thought<'a>,
    previous_status: Status,
    changed: Vec<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_model: Option<bool>,
    changes: Vec<ChangedPlace>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChangedPlace {
    before: String,
    after: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Part {
    Text,
    Status,
}

pub(super) fn definition() -> Definition {
    Definition {
        name: Tool::Edit.name(),
        title: "Edit a thought",
        description: "Change a thought's text or status. edit_request is for states and clear changes (\"mark as done\", \
                      \"undo\", \"set Deadline to May\"), raw_text for all else. What is unclear is refused, with the current \
                      text.",
        input_schema: schema::input::<Args>(),
        output_schema: schema::output::<Reply<'_>>(),
        annotations: Hints {
            read_only_hint: false,
            destructive_hint: true,
            idempotent_hint: false,
            open_world_hint: false,
        },
        meta: None,
    }
}

pub(super) async fn call(memory: &Memory, caller: &Caller, args: Args) -> Result<String, ToolError> {
    let (id, edit) = args.try_into()?;
    let edited = memory.edit(caller, id, edit).await?;
    Ok(write(&Reply {
        thought: (&edited.thought).into(),
        previous_status: edited.previous_status.into(),
        changed: edited.changed.into_iter().map(Part::from).collect(),
        by_model: edited.by_model.then_some(true),
        changes: edited.changes.into_iter().map(ChangedPlace::from).collect(),
    }))
}

impl TryFrom<Args> for (ThoughtId, Edit) {
    type Error = Invalid;

    fn try_from(args: Args) -> Result<Self, Invalid> {
        let id = thought_id(&args.thought_id)?;
        let raw_text = args.raw_text.map(ThoughtText::new).transpose();
        let raw_text = raw_text.map_err(|invalid| Invalid::new(format!("`raw_text`: {invalid}")))?;
        Ok((id, Edit { request: args.edit_request, raw_text, based_on: None }))
    }
}

impl From<Changed> for Part {
    fn from(changed: Changed) -> Self {
        match changed {
            Changed::Text => Self::Text,
            Changed::Status => Self::Status,
        }
    }
}

impl From<Excerpt> for ChangedPlace {
    fn from(Excerpt { before, after }: Excerpt) -> Self {
        Self { before, after }
    }
}

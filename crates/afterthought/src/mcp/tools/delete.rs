//! `delete_thought`: archives a thought.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use model::{Caller, Invalid, ThoughtId};
use service::memory::Memory;

use super::definition::{Definition, Hints};
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
}

#[derive(Debug, Serialize, JsonSchema)]
struct Reply<'a> {
    thought: Thought<'a>,
    previous_status: Status,
}

pub(super) fn definition() -> Definition {
    Definition {
        name: Tool::Delete.name(),
        title: "Delete a thought",
        description: "Archive a thought that is wrong or unwanted: retrieval leaves it out. Reversible: edit_thought with \
                      \"restore\". For a finished task use edit_thought with \"mark as done\" instead.",
        input_schema: schema::input::<Args>(),
        output_schema: schema::output::<Reply<'_>>(),
        annotations: Hints {
            read_only_hint: false,
            destructive_hint: true,
            idempotent_hint: true,
            open_world_hint: false,
        },
        meta: None,
    }
}

pub(super) async fn call(memory: &Memory, caller: &Caller, args: Args) -> Result<String, ToolError> {
    let deleted = memory.delete(caller, thought_id(&args.thought_id)?).await?;
    Ok(write(&Reply { thought: (&deleted.thought).into(), previous_status: deleted.previous_status.into() }))
}

/// Reads the argument `thought_id`.
pub(super) fn thought_id(text: &str) -> Result<ThoughtId, Invalid> {
    text.parse().map_err(|invalid| Invalid::new(format!("`thought_id`: {invalid}")))
}

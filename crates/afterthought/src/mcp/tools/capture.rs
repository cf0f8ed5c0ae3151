//! `capture_thought`: stores a text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use model::{Caller, Invalid, ThoughtText, Time};
use service::memory::{Attribution, Capture, Memory};

use super::definition::{Definition, Hints, Meta};
use super::reply::write;
use super::schema;
use super::thought::Thought;
use super::tool::Tool;
use crate::mcp::error::ToolError;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The text, at most 65536 bytes
    raw: String,
    /// ISO-8601 time the thought is about, if not now
    captured_at: Option<String>,
    /// true if the user asked you to remember it for them; else it is stored as yours
    as_user: Option<bool>,
    /// Rarely needed: the first 10 characters of another API key, to store it as that agent's
    author: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Reply<'a> {
    thought: Thought<'a>,
}

pub(super) fn definition() -> Definition {
    Definition {
        name: Tool::Capture.name(),
        title: "Capture a thought",
        description: "Remember something for later conversations: a fact, preference, decision, task or idea. One \
                      a call, worded to be understood on its own. If a fact changed, search and edit the old one.",
        input_schema: schema::input::<Args>(),
        output_schema: schema::output::<Reply<'_>>(),
        annotations: Hints {
            read_only_hint: false,
            destructive_hint: false,
            idempotent_hint: false,
            open_world_hint: false,
        },
        meta: Some(Meta::ALWAYS_LOAD),
    }
}

pub(super) async fn call(memory: &Memory, caller: &Caller, args: Args) -> Result<String, ToolError> {
    let thought = memory.capture(caller, args.try_into()?).await?;
    Ok(write(&Reply { thought: (&thought).into() }))
}

impl TryFrom<Args> for Capture {
    type Error = Invalid;

    fn try_from(args: Args) -> Result<Self, Invalid> {
        let attribution = match (args.as_user.unwrap_or(false), args.author) {
            (true, Some(_)) => {
                return Err(Invalid::new(
                    "`as_user` and `author` contradict each other: a thought is either the user's or an agent's, give \
                     only one of them",
                ));
            }
            (true, None) => Attribution::User,
            (false, Some(prefix)) => Attribution::KeyPrefix(prefix),
            (false, None) => Attribution::Caller,
        };
        let captured_at = args.captured_at.map(|time| time.parse::<Time>()).transpose();
        Ok(Self {
            raw_text: ThoughtText::new(args.raw).map_err(|invalid| Invalid::new(format!("`raw`: {invalid}")))?,
            captured_at: captured_at.map_err(|error| Invalid::new(format!("`captured_at`: {error}")))?,
            attribution,
        })
    }
}

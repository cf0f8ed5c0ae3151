//! The four tools: their names, what a client is told about them, and the way to their files.
//!
//! A tool file parses, calls the rules and answers; it decides nothing. The list's order and text never change while the
//! program runs, so it is made once.

mod arguments;
mod capture;
mod delete;
mod edit;
mod retrieve;
mod schema;
mod thought;

use std::sync::LazyLock;

use schemars::Schema;
use serde::Serialize;
use serde_json::value::RawValue;

use model::Caller;
use service::memory::Memory;

use super::error::{Fault, ToolError};
use super::generation::{Generation, Params};
use super::lifecycle::CACHING;
use super::message::{is_object, string};

/// A tool, named by what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tool {
    /// `capture_thought`
    Capture,
    /// `retrieve_thoughts`
    Retrieve,
    /// `edit_thought`
    Edit,
    /// `delete_thought`
    Delete,
}

impl Tool {
    /// Every tool, in the order of the list.
    pub const ALL: [Self; 4] = [Self::Capture, Self::Retrieve, Self::Edit, Self::Delete];

    /// The name clients call it by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture_thought",
            Self::Retrieve => "retrieve_thoughts",
            Self::Edit => "edit_thought",
            Self::Delete => "delete_thought",
        }
    }

    /// What it does, as it follows "the service could not".
    pub(super) const fn action(self) -> &'static str {
        match self {
            Self::Capture => "store the thought",
            Self::Retrieve => "look for thoughts",
            Self::Edit => "change the thought",
            Self::Delete => "archive the thought",
        }
    }

    fn definition(self) -> &'static Definition {
        &definitions()[self as usize]
    }
}

/// What a client is told about a tool.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// What it is called by.
    pub name: &'static str,
    /// What people see.
    pub title: &'static str,
    /// When and how to use it, for a model that has never seen the service.
    pub description: &'static str,
    /// The arguments it takes.
    pub input_schema: Schema,
    /// The object it answers with.
    pub output_schema: Schema,
    /// What calling it can do.
    pub annotations: Hints,
}

/// What calling a tool can do.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hints {
    read_only_hint: bool,
    destructive_hint: bool,
    idempotent_hint: bool,
    open_world_hint: bool,
}

/// What clients are told about each tool, in the order of [`Tool::ALL`].
pub fn definitions() -> &'static [Definition; 4] {
    static DEFINITIONS: LazyLock<[Definition; 4]> = LazyLock::new(|| {
        Tool::ALL.map(|tool| match tool {
            Tool::Capture => capture::definition(),
            Tool::Retrieve => retrieve::definition(),
            Tool::Edit => edit::definition(),
            Tool::Delete => delete::definition(),
        })
    });
    &DEFINITIONS
}

/// The members of the answer to `tools/list`.
pub(super) fn list(generation: Generation) -> &'static str {
    static LISTS: LazyLock<[String; 2]> = LazyLock::new(|| {
        let tools = serde_json::to_string(definitions()).expect("definitions are plain JSON");
        [format!(r#""tools":{tools}"#), format!(r#""tools":{tools},{CACHING}"#)]
    });
    match generation {
        Generation::Handshake => &LISTS[0],
        Generation::Stateless => &LISTS[1],
    }
}

/// A tool with the arguments it is called with.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) tool: Tool,
    arguments: Option<&'a RawValue>,
}

impl<'a> Call<'a> {
    /// Reads which tool is called. The arguments are the tool's own to read.
    pub(super) fn of(params: &Params<'a>) -> Result<Self, Fault> {
        let Some(name) = params.name.and_then(string) else {
            return Err(Fault::invalid_params("`params.name` must be a string: the name of a tool"));
        };
        let Some(tool) = Tool::ALL.into_iter().find(|tool| tool.name() == name) else {
            return Err(Fault::unknown_tool(&name));
        };
        if !params.arguments.is_none_or(|arguments| is_object(arguments.get())) {
            return Err(Fault::invalid_params("`params.arguments` must be an object"));
        }
        Ok(Self { tool, arguments: params.arguments })
    }

    /// Calls the tool; the answer is one JSON object.
    pub(super) async fn run(self, memory: &Memory, caller: &Caller) -> Result<String, ToolError> {
        let json = self.arguments.map_or("{}", RawValue::get);
        match self.tool {
            Tool::Capture => capture::call(memory, caller, arguments::read(self.tool, json)?).await,
            Tool::Retrieve => retrieve::call(memory, caller, arguments::read(self.tool, json)?).await,
            Tool::Edit => edit::call(memory, caller, arguments::read(self.tool, json)?).await,
            Tool::Delete => delete::call(memory, caller, arguments::read(self.tool, json)?).await,
        }
    }
}

/// Writes what a tool answers with.
fn write(reply: &impl Serialize) -> String {
    serde_json::to_string(reply).expect("replies are plain JSON with text keys")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_model_reads_all_tools_in_under_1800_tokens() {
        for generation in [Generation::Handshake, Generation::Stateless] {
            let list = format!("{{{}}}", list(generation));
            let counts = [tiktoken_rs::o200k_base(), tiktoken_rs::cl100k_base()]
                .map(|encoding| encoding.unwrap().encode_ordinary(&list).len());
            assert!(counts.into_iter().all(|count| count <= 1_800), "{counts:?}");
        }
    }

    #[test]
    fn schemas_are_plain_closed_objects_without_references() {
        for definition in definitions() {
            for schema in [&definition.input_schema, &definition.output_schema] {
                let text = serde_json::to_string(schema).unwrap();
                assert_eq!(schema.get("type"), Some(&Value::from("object")), "{text}");
                assert_eq!(schema.get("additionalProperties"), Some(&Value::from(false)), "{text}");
                for word in ["$ref", "$defs", "$schema", "anyOf", "oneOf", "\"title\"", "\"format\""] {
                    assert!(!text.contains(word), "{word} in {text}");
                }
            }
        }
    }

    #[test]
    fn every_argument_is_described() {
        for definition in definitions() {
            let properties = definition.input_schema.get("properties").and_then(Value::as_object).unwrap();
            for (name, property) in properties {
                assert!(property["description"].is_string(), "{}: {name}", definition.name);
                assert!(property["type"].is_string(), "{}: {name}", definition.name);
            }
        }
    }

    #[test]
    fn the_list_is_in_the_order_of_the_tools() {
        let names = definitions().each_ref().map(|definition| definition.name);
        assert_eq!(names, Tool::ALL.map(Tool::name));
    }
}

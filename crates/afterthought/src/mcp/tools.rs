//! The four tools: which one is called, and the way to its file.
//!
//! A tool file parses, calls the rules and answers; it decides nothing.

mod arguments;
mod capture;
mod catalogue;
mod definition;
mod delete;
mod edit;
#[cfg(test)]
mod fuzz;
mod reply;
mod retrieve;
mod room;
mod schema;
mod thought;
mod tool;

use serde_json::value::RawValue;

pub use catalogue::definitions;
pub(super) use catalogue::list;
pub use definition::Definition;
pub use tool::Tool;

use model::Caller;
use service::memory::Memory;

use super::error::{Fault, ToolError};
use super::message::{is_object, string};
use super::params::Params;

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

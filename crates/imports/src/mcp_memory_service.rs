//! The export of mcp-memory-service: one object with its memories in an array.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::draft::Draft;
use crate::elements::{Outcome, elements};
use crate::ids;
use crate::kind::Kind;
use crate::record::{Event, Sink};
use crate::source::{Member, ReadError, Source};
use crate::times;

#[derive(Deserialize)]
struct Memory {
    content: String,
    content_hash: Option<String>,
    tags: Option<Value>,
    created_at: Option<Value>,
    created_at_iso: Option<String>,
    memory_type: Option<String>,
    metadata: Option<Value>,
}

pub(crate) fn read(source: &mut Source, sink: Sink<'_>) -> Result<(), ReadError> {
    let members = source.members(|member| member.name.ends_with(".json"));
    let [member] = members.as_slice() else {
        let shown = source.shown();
        return Err(ReadError::NotThis(format!("`{shown}` is not one JSON file: give the file that was exported")));
    };
    let mut told = 0;
    let outcome = elements(source.reader(member)?, &["memories"], |_, number, element| {
        told = number;
        events(element, member, number).into_iter().all(&mut *sink)
    })?;
    match outcome {
        Outcome::Damaged(reason) if told == 0 => {
            Err(ReadError::NotThis(format!("`{}` has no `memories`: {reason}", member.name)))
        }
        Outcome::Damaged(reason) => {
            sink(Event::Broken { place: format!("{}, after record {told}", member.name), reason });
            Ok(())
        }
        Outcome::Whole => Ok(()),
    }
}

fn events(element: &RawValue, member: &Member, number: usize) -> Vec<Event> {
    let place = || format!("{}, record {number}", member.name);
    let memory: Memory = match serde_json::from_str(element.get()) {
        Ok(memory) => memory,
        Err(error) => return vec![Event::Broken { place: place(), reason: error.to_string() }],
    };
    let given = memory.created_at_iso.as_deref().and_then(times::written);
    let captured_at = times::time(memory.created_at.as_ref()).or(given).unwrap_or(member.modified);
    let identity = memory.content_hash.as_deref().filter(|hash| !hash.is_empty()).unwrap_or(&memory.content);
    let id = ids::kept_or_derived(Kind::McpMemoryService, identity);
    let tags = tags(memory.tags.as_ref());
    let mut events = Draft { tags, ..Draft::new(id, memory.content, captured_at) }.events(place);
    if memory.memory_type.is_some_and(|kind| !kind.is_empty()) {
        events.push(Event::NotKept("type of a memory"));
    }
    if memory.metadata.as_ref().and_then(Value::as_object).is_some_and(|metadata| !metadata.is_empty()) {
        events.push(Event::NotKept("metadata of a memory"));
    }
    events
}

/// Tags in an array, or in a text with commas between them.
pub(crate) fn tags(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(tags)) => tags.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(tags)) => tags.split(',').map(|tag| tag.trim().to_owned()).collect(),
        _ => Vec::new(),
    }
}

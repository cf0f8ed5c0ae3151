//! OpenMemory's archive and mem0's array.
//!
//! The archive says everything twice: `memories.jsonl.gz` with names in place, and `memories.json` with ids that point elsewhere.
//! The first is read where it is there.

use std::collections::HashMap;

use model::Status;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::draft::Draft;
use crate::elements::{Outcome, WHOLE, elements};
use crate::ids;
use crate::kind::Kind;
use crate::lines::lines;
use crate::mcp_memory_service::tags;
use crate::record::{Event, Sink};
use crate::source::{Member, ReadError, Source};
use crate::times;

#[derive(Deserialize)]
struct Memory {
    id: Option<Value>,
    #[serde(alias = "memory")]
    content: String,
    created_at: Option<Value>,
    state: Option<String>,
    app: Option<String>,
    app_id: Option<String>,
    agent_id: Option<String>,
    categories: Option<Value>,
    category_ids: Option<Vec<String>>,
    metadata: Option<Value>,
}

/// The names that ids in `memories.json` stand for.
#[derive(Default)]
struct Names(HashMap<String, String>);

#[derive(Deserialize)]
struct Named {
    id: String,
    name: String,
}

pub(crate) fn read(source: &mut Source, sink: Sink<'_>) -> Result<(), ReadError> {
    let named = |name: &'static str| move |member: &Member| member.file_name() == name;
    if let Some(member) = source.members(named("memories.jsonl.gz")).into_iter().next() {
        return read_lines(source, &member, sink);
    }
    let is_single = source.is_single();
    let members = source.members(|member| is_single || named("memories.json")(member));
    let Some(member) = members.into_iter().next() else {
        let shown = source.shown();
        return Err(ReadError::NotThis(format!(
            "there is no `memories.json` in `{shown}`: give the archive of OpenMemory"
        )));
    };
    read_array(source, &member, sink)
}

fn read_lines(source: &mut Source, member: &Member, sink: Sink<'_>) -> Result<(), ReadError> {
    let names = Names::default();
    lines(source.unzipped(member)?, |number, line| {
        let place = || format!("{}, line {number}", member.name);
        let events = match line {
            Some(line) => events(line, &names, member, place),
            None => vec![Event::Broken { place: place(), reason: "it cannot be unpacked, or is no text".to_owned() }],
        };
        match events.into_iter().all(&mut *sink) {
            true => Ok(()),
            false => Err(ReadError::Ended),
        }
    })
}

fn read_array(source: &mut Source, member: &Member, sink: Sink<'_>) -> Result<(), ReadError> {
    let mut names = Names::default();
    let name = |_: &str, _, element: &RawValue| {
        if let Ok(Named { id, name }) = serde_json::from_str(element.get()) {
            names.0.insert(id, name);
        }
        true
    };
    elements(source.reader(member)?, &["apps", "categories"], name)?;
    let mut told = 0;
    let outcome = elements(source.reader(member)?, &["memories", "results"], |key, number, element| {
        told = number;
        let place = || match key {
            WHOLE => format!("{}, record {number}", member.name),
            key => format!("{}, record {number} of `{key}`", member.name),
        };
        events(element.get(), &names, member, place).into_iter().all(&mut *sink)
    })?;
    match outcome {
        Outcome::Damaged(reason) if told == 0 => {
            Err(ReadError::NotThis(format!("`{}` is no export of OpenMemory or mem0: {reason}", member.name)))
        }
        Outcome::Damaged(reason) => {
            sink(Event::Broken { place: format!("{}, after record {told}", member.name), reason });
            Ok(())
        }
        Outcome::Whole => Ok(()),
    }
}

fn events(element: &str, names: &Names, member: &Member, place: impl Fn() -> String) -> Vec<Event> {
    let memory: Memory = match serde_json::from_str(element) {
        Ok(memory) => memory,
        Err(error) => return vec![Event::Broken { place: place(), reason: error.to_string() }],
    };
    let id = match &memory.id {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => memory.content.clone(),
    };
    let name_of = |id: &String| names.0.get(id).cloned();
    let mut labels = tags(memory.categories.as_ref());
    labels.extend(memory.category_ids.iter().flatten().filter_map(name_of));
    let agent = memory.app.or(memory.app_id.as_ref().and_then(name_of)).or(memory.agent_id);
    let status = match memory.state.as_deref() {
        Some("archived" | "deleted") => Status::Archived,
        _ => Status::Open,
    };
    let captured_at = times::time(memory.created_at.as_ref()).unwrap_or(member.modified);
    let draft = Draft::new(ids::kept_or_derived(Kind::OpenMemory, &id), memory.content, captured_at);
    let mut events = Draft { tags: labels, agent, status, ..draft }.events(place);
    if memory.metadata.as_ref().and_then(Value::as_object).is_some_and(|metadata| !metadata.is_empty()) {
        events.push(Event::NotKept("metadata of a memory"));
    }
    events
}

//! The archive of one's data at Claude: its memory, statement by statement, and projects with their documents as notes.

use std::collections::BTreeMap;

use model::Time;
use serde::Deserialize;
use serde_json::Value;

use crate::draft::Draft;
use crate::elements::{Outcome, document, elements};
use crate::ids;
use crate::kind::Kind;
use crate::prose::statements;
use crate::record::{Event, Sink};
use crate::source::{Member, ReadError, Source};
use crate::times;

#[derive(Deserialize)]
struct Memories {
    conversations_memory: Option<String>,
    #[serde(default)]
    project_memories: BTreeMap<String, String>,
    #[serde(default)]
    memory_files: Vec<MemoryFile>,
}

#[derive(Deserialize)]
struct MemoryFile {
    #[serde(alias = "name", alias = "filename")]
    path: Option<String>,
    #[serde(alias = "text")]
    content: Option<String>,
    #[serde(alias = "updated_at")]
    created_at: Option<Value>,
}

#[derive(Deserialize)]
struct Project {
    uuid: String,
    #[serde(default)]
    name: String,
    description: Option<String>,
    prompt_template: Option<String>,
    created_at: Option<Value>,
    #[serde(default)]
    docs: Vec<Document>,
}

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    filename: String,
    #[serde(default)]
    content: String,
}

pub(crate) fn read(source: &mut Source, sink: Sink<'_>) -> Result<(), ReadError> {
    let memories = source.members(|member| member.file_name() == "memories.json" || member.is_in("memories"));
    let projects = source.members(|member| member.file_name() == "projects.json" || member.is_in("projects"));
    let conversations = source.members(|member| member.file_name() == "conversations.json");
    if memories.is_empty() && projects.is_empty() && conversations.is_empty() {
        let shown = source.shown();
        return Err(ReadError::NotThis(format!(
            "there is no `memories.json` in `{shown}`: give the archive that Claude sent"
        )));
    }
    for member in &memories {
        each(source, member, sink, |element, place| match serde_json::from_str::<Memories>(element) {
            Ok(memories) => memories.events(member.modified, place),
            Err(error) => vec![Event::Broken { place: place.to_owned(), reason: error.to_string() }],
        })?;
    }
    for member in &projects {
        each(source, member, sink, |element, place| match serde_json::from_str::<Project>(element) {
            Ok(project) => project.events(member.modified, place),
            Err(error) => vec![Event::Broken { place: place.to_owned(), reason: error.to_string() }],
        })?;
    }
    for member in &conversations {
        each(source, member, sink, |_, _| vec![Event::LeftOut("conversation")])?;
    }
    Ok(())
}

/// The elements of an array, or the one object that a file is.
fn each(
    source: &mut Source,
    member: &Member,
    sink: Sink<'_>,
    mut events: impl FnMut(&str, &str) -> Vec<Event>,
) -> Result<(), ReadError> {
    if member.is_in("memories") || member.is_in("projects") {
        let told = match document::<Box<serde_json::value::RawValue>>(source.reader(member)?) {
            Ok(element) => events(element.get(), &member.name),
            Err(reason) => vec![Event::Broken { place: member.name.clone(), reason }],
        };
        return match told.into_iter().all(sink) {
            true => Ok(()),
            false => Err(ReadError::Ended),
        };
    }
    let mut told = 0;
    let outcome = elements(source.reader(member)?, &[], |_, number, element| {
        told = number;
        events(element.get(), &format!("{}, record {number}", member.name)).into_iter().all(&mut *sink)
    })?;
    if let Outcome::Damaged(reason) = outcome {
        sink(Event::Broken { place: format!("{}, after record {told}", member.name), reason });
    }
    Ok(())
}

impl Memories {
    fn events(self, at: Time, place: &str) -> Vec<Event> {
        let mut drafts: Vec<Draft> = Vec::new();
        let mut take = |of: &str, prose: &str, at: Time| {
            drafts.extend(statements(prose).into_iter().map(|statement| {
                let id = ids::derived(Kind::Claude, &[of, &statement]);
                Draft { repeats: true, ..Draft::new(id, statement, at) }
            }));
        };
        take("", self.conversations_memory.as_deref().unwrap_or_default(), at);
        for (project, prose) in &self.project_memories {
            take(project, prose, at);
        }
        for file in &self.memory_files {
            let at = times::time(file.created_at.as_ref()).unwrap_or(at);
            take(file.path.as_deref().unwrap_or_default(), file.content.as_deref().unwrap_or_default(), at);
        }
        drafts.into_iter().flat_map(|draft| draft.events(|| place.to_owned())).collect()
    }
}

impl Project {
    fn events(self, fallback: Time, place: &str) -> Vec<Event> {
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let (description, instructions) = (given(self.description), given(self.prompt_template));
        if description.is_none() && instructions.is_none() && self.docs.is_empty() {
            return vec![Event::LeftOut("empty project")];
        }
        let text = format!("{}\n\n{}", self.name, description.unwrap_or_default());
        let mut notes: Vec<(String, String)> = Vec::new();
        notes.extend(instructions.map(|text| ("instructions.md".to_owned(), text)));
        notes.extend(self.docs.into_iter().map(|document| (document.filename, document.content)));
        let at = times::time(self.created_at.as_ref()).unwrap_or(fallback);
        let draft = Draft::new(ids::kept_or_derived(Kind::Claude, &self.uuid), text, at);
        Draft { notes, ..draft }.events(|| place.to_owned())
    }
}

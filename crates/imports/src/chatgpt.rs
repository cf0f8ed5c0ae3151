//! The archive of one's data at ChatGPT: what it was told to remember, out of the conversations.
//!
//! There is no list of what is remembered. It is found where the assistant wrote to its memory (messages to `bio`) and where that memory
//! was shown to it (`model_editable_context`); the same text is the same record, however often it comes.

use std::collections::HashMap;

use model::Time;
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
struct Conversation {
    create_time: Option<Value>,
    #[serde(default)]
    mapping: HashMap<String, Node>,
}

#[derive(Deserialize)]
struct Node {
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    recipient: Option<String>,
    create_time: Option<Value>,
    content: Option<Value>,
}

/// An entry of a file of memories, which some exports have.
#[derive(Deserialize)]
struct Saved {
    #[serde(alias = "memory", alias = "text")]
    content: String,
    #[serde(alias = "created_timestamp", alias = "created")]
    created_at: Option<Value>,
}

pub(crate) fn read(source: &mut Source, sink: Sink<'_>) -> Result<(), ReadError> {
    let is_saved = |member: &Member| matches!(member.file_name(), "memory.json" | "memories.json");
    let is_conversations =
        |member: &Member| member.file_name().starts_with("conversations") && member.file_name().ends_with(".json");
    let saved = source.members(is_saved);
    let conversations = source.members(is_conversations);
    if saved.is_empty() && conversations.is_empty() {
        let shown = source.shown();
        return Err(ReadError::NotThis(format!(
            "there is no `conversations.json` in `{shown}`: give the archive that ChatGPT sent"
        )));
    }
    for member in &saved {
        each(source, member, sink, |element, number| {
            let place = || format!("{}, record {number}", member.name);
            match serde_json::from_str::<Saved>(element.get()) {
                Ok(saved) => {
                    let at = times::time(saved.created_at.as_ref()).unwrap_or(member.modified);
                    remembered(&saved.content, at).map_or_else(Vec::new, |draft| draft.events(place))
                }
                Err(error) => vec![Event::Broken { place: place(), reason: error.to_string() }],
            }
        })?;
    }
    for member in &conversations {
        each(source, member, sink, |element, number| {
            let place = || format!("{}, conversation {number}", member.name);
            match serde_json::from_str::<Conversation>(element.get()) {
                Ok(conversation) => {
                    let drafts = conversation.remembered(member.modified).into_iter();
                    let mut events: Vec<Event> = drafts
                        .flat_map(|draft| draft.map_or_else(|| vec![FORGOTTEN], |draft| draft.events(place)))
                        .collect();
                    events.push(Event::LeftOut("conversation"));
                    events
                }
                Err(error) => vec![Event::Broken { place: place(), reason: error.to_string() }],
            }
        })?;
    }
    Ok(())
}

const FORGOTTEN: Event = Event::LeftOut("request to forget something");

fn each(
    source: &mut Source,
    member: &Member,
    sink: Sink<'_>,
    mut events: impl FnMut(&RawValue, usize) -> Vec<Event>,
) -> Result<(), ReadError> {
    let mut told = 0;
    let outcome = elements(source.reader(member)?, &["memories"], |_, number, element| {
        told = number;
        events(element, number).into_iter().all(&mut *sink)
    })?;
    if let Outcome::Damaged(reason) = outcome {
        sink(Event::Broken { place: format!("{}, after record {told}", member.name), reason });
    }
    Ok(())
}

impl Conversation {
    /// What was remembered in it, oldest first; `None` for what was to be forgotten.
    fn remembered(self, fallback: Time) -> Vec<Option<Draft>> {
        let begun = times::time(self.create_time.as_ref()).unwrap_or(fallback);
        let messages = self.mapping.into_values().filter_map(|node| node.message);
        let mut found: Vec<(Time, Vec<Option<Draft>>)> = messages
            .filter_map(|message| {
                let at = times::time(message.create_time.as_ref()).unwrap_or(begun);
                let content = message.content?;
                if message.recipient.as_deref() == Some("bio") {
                    return Some((at, vec![remembered(&text_of(&content)?, at)]));
                }
                let context = content.get("model_set_context").and_then(Value::as_str)?;
                Some((at, shown(context).into_iter().map(|(day, text)| remembered(&text, day.unwrap_or(at))).collect()))
            })
            .collect();
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().flat_map(|(_, drafts)| drafts).collect()
    }
}

fn text_of(content: &Value) -> Option<String> {
    let parts = content.get("parts").and_then(Value::as_array).map(|parts| {
        let texts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
        texts.join("\n")
    });
    parts
        .or_else(|| content.get("text").and_then(Value::as_str).map(str::to_owned))
        .filter(|text| !text.trim().is_empty())
}

/// The thought, identified by its text; `None` if it says to forget something.
fn remembered(text: &str, at: Time) -> Option<Draft> {
    let text = text.trim();
    let first = text.split_whitespace().next().unwrap_or_default();
    if text.is_empty() || first.eq_ignore_ascii_case("forget") {
        return None;
    }
    Some(Draft { repeats: true, ..Draft::new(ids::derived(Kind::ChatGpt, &[text]), text, at) })
}

/// The entries of the memory as the assistant is shown it: `1. [2026-01-15]. Ana drinks tea.`
fn shown(context: &str) -> Vec<(Option<Time>, String)> {
    let mut entries: Vec<(Option<Time>, String)> = Vec::new();
    for line in context.lines() {
        match entry(line) {
            Some((day, text)) => entries.push((day, text.to_owned())),
            None => {
                if let Some((_, text)) = entries.last_mut().filter(|_| !line.trim().is_empty()) {
                    text.push('\n');
                    text.push_str(line);
                }
            }
        }
    }
    entries
}

fn entry(line: &str) -> Option<(Option<Time>, &str)> {
    let line = line.trim();
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let rest = line[digits..].strip_prefix(". ").filter(|_| digits > 0)?;
    let Some((day, text)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return Some((None, rest));
    };
    Some((times::written(day), text.trim_start_matches(['.', ' '])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_as_it_was_shown_is_taken_apart() {
        let context = "\n1. [2026-01-15]. Ana drinks tea.\nEvery day.\n\n2. Has a cat\n\n3. [soon]. Sails";
        let entries = shown(context);
        let texts: Vec<&str> = entries.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["Ana drinks tea.\nEvery day.", "Has a cat", "Sails"]);
        assert_eq!(entries[0].0, "2026-01-15".parse().ok());
        assert_eq!((entries[1].0, entries[2].0), (None, None));
    }

    #[test]
    fn what_is_to_be_forgotten_is_not_remembered() {
        assert!(remembered("Forget that Ana drinks tea", Time::from_micros(0)).is_none());
        assert!(remembered("Forgetful people need lists", Time::from_micros(0)).is_some());
    }
}

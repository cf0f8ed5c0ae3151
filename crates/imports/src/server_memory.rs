//! The knowledge graph of the reference server: a line for each entity with its observations, and for each relation.

use serde::Deserialize;

use crate::draft::Draft;
use crate::ids;
use crate::kind::Kind;
use crate::lines::lines;
use crate::record::{Event, Sink};
use crate::source::{Member, ReadError, Source};

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    #[serde(rename_all = "camelCase")]
    Entity {
        name: String,
        #[serde(default)]
        entity_type: String,
        #[serde(default)]
        observations: Vec<String>,
    },
    #[serde(rename_all = "camelCase")]
    Relation { from: String, to: String, relation_type: String },
}

pub(crate) fn read(source: &mut Source, sink: Sink<'_>) -> Result<(), ReadError> {
    let is_single = source.is_single();
    let is_graph = |member: &Member| is_single || matches!(member.file_name(), "memory.jsonl" | "memory.json");
    let Some(member) = source.members(is_graph).into_iter().next() else {
        let shown = source.shown();
        return Err(ReadError::NotThis(format!("there is no `memory.jsonl` in `{shown}`: give that file")));
    };
    let mut understood = 0;
    let mut broken = Vec::new();
    lines(source.reader(&member)?, |number, line| {
        let place = || format!("{}, line {number}", member.name);
        let line = line.ok_or_else(|| "it is no text, or longer than 16 MiB".to_owned());
        match line.and_then(|line| serde_json::from_str::<Line>(line).map_err(|error| error.to_string())) {
            Ok(line) => {
                understood += 1;
                for event in broken.drain(..).chain(events(line, &member, place)) {
                    if !sink(event) {
                        return Err(ReadError::Ended);
                    }
                }
            }
            Err(reason) => broken.push(Event::Broken { place: place(), reason }),
        }
        // What has nothing in it that is understood is something else; a few broken lines at the beginning are not.
        match understood == 0 && broken.len() > 100 {
            true => Err(not_this(&member)),
            false => Ok(()),
        }
    })?;
    if understood == 0 && !broken.is_empty() {
        return Err(not_this(&member));
    }
    match broken.into_iter().all(sink) {
        true => Ok(()),
        false => Err(ReadError::Ended),
    }
}

fn not_this(member: &Member) -> ReadError {
    let name = &member.name;
    ReadError::NotThis(format!("`{name}` has no entity and no relation on a line: give the file of server-memory"))
}

fn events(line: Line, member: &Member, place: impl Fn() -> String) -> Vec<Event> {
    let draft = |parts: &[&str], text: String| {
        Draft::new(ids::derived(Kind::ServerMemory, parts), text, member.modified).events(&place)
    };
    match line {
        Line::Relation { from, to, relation_type } => {
            draft(&["relation", &from, &relation_type, &to], format!("{from} {relation_type} {to}"))
        }
        Line::Entity { name, entity_type, observations } if observations.is_empty() => {
            draft(&["entity", &name], format!("{name}: {entity_type}"))
        }
        Line::Entity { name, entity_type, observations } => {
            let texts = observations.iter();
            let mut events: Vec<Event> = texts
                .flat_map(|observation| match observation.trim().is_empty() {
                    true => vec![Event::LeftOut("empty observation")],
                    false => draft(&["observation", &name, observation], format!("{name}: {observation}")),
                })
                .collect();
            if !entity_type.trim().is_empty() {
                events.push(Event::NotKept("type of an entity"));
            }
            events
        }
    }
}

//! Making a thought of a text of any length, with its tags.

use model::{NOTE_BYTES_MAX, NoteText, Status, TEXT_BYTES_MAX, ThoughtId, ThoughtText, Time};

use crate::ids;
use crate::record::{Event, Note, Record};

/// How much of a text that is too long becomes the thought.
const OPENING_BYTES: usize = 2000;

/// The longest name of a note, in characters.
const NAME_CHARS_MAX: usize = 255;

/// A record in the making.
pub(crate) struct Draft {
    pub(crate) id: ThoughtId,
    pub(crate) text: String,
    pub(crate) tags: Vec<String>,
    pub(crate) captured_at: Time,
    pub(crate) agent: Option<String>,
    pub(crate) status: Status,
    /// Names and texts.
    pub(crate) notes: Vec<(String, String)>,
    pub(crate) repeats: bool,
}

impl Draft {
    /// An open thought without anything but its text.
    pub(crate) fn new(id: ThoughtId, text: impl Into<String>, captured_at: Time) -> Self {
        Self {
            id,
            text: text.into(),
            tags: Vec::new(),
            captured_at,
            agent: None,
            status: Status::Open,
            notes: Vec::new(),
            repeats: false,
        }
    }

    /// What is to be told of it: the record, and what it had to leave out.
    pub(crate) fn events(mut self, place: impl Fn() -> String) -> Vec<Event> {
        let mut events = Vec::new();
        let words = tags(&self.tags);
        if self.text.trim().len() + words.len() + 1 > TEXT_BYTES_MAX {
            let opening = opening(&self.text, OPENING_BYTES).to_owned();
            let whole = std::mem::replace(&mut self.text, opening);
            self.notes.insert(0, ("whole text.txt".to_owned(), whole));
        }
        if !words.is_empty() && !self.text.trim().is_empty() {
            let room = TEXT_BYTES_MAX - self.text.trim().len().min(TEXT_BYTES_MAX);
            self.text = format!("{}\n{}", self.text.trim_end(), opening(&words, room.saturating_sub(1)));
        }
        let Ok(text) = ThoughtText::new(self.text.trim()) else {
            let reason = "it has no text".to_owned();
            return vec![Event::Broken { place: place(), reason }];
        };
        let mut notes: Vec<Note> = Vec::new();
        for (name, text) in self.notes {
            let name = name_of_note(&name, &notes);
            if text.len() > NOTE_BYTES_MAX {
                events.push(Event::LeftOut("text over 1 MiB"));
                continue;
            }
            match NoteText::from_bytes(text.into_bytes()) {
                Ok(text) => notes.push(Note { id: ids::note(self.id, &name), name, text }),
                Err(_) => events.push(Event::LeftOut("empty text")),
            }
        }
        let agent = self.agent.as_deref().map(agent_name).filter(|name| !name.is_empty());
        let Self { id, captured_at, status, repeats, .. } = self;
        let record = Record { id, text, captured_at, agent, status, notes, repeats };
        events.insert(0, Event::Record(Box::new(record)));
        events
    }
}

/// The name of an agent as the name of a key may be.
fn agent_name(name: &str) -> String {
    let plain: String = name.chars().filter(|character| !character.is_control()).take(100).collect();
    plain.trim().to_owned()
}

/// A name that a terminal shows and no other note of the thought has.
fn name_of_note(name: &str, others: &[Note]) -> String {
    let plain: String = name.chars().filter(|character| !character.is_control()).collect();
    let skip = plain.chars().count().saturating_sub(NAME_CHARS_MAX - 8);
    let plain: String = plain.chars().skip(skip).collect();
    let plain = if plain.trim().is_empty() { "text".to_owned() } else { plain };
    let is_free = |name: &String| others.iter().all(|other| other.name != *name);
    let numbered = (2..).map(|number| format!("{plain} ({number})"));
    std::iter::once(plain.clone()).chain(numbered).find(is_free).unwrap_or(plain)
}

/// Tags as words: `#tea #green-tea`.
fn tags(tags: &[String]) -> String {
    let mut words: Vec<String> = Vec::new();
    for tag in tags {
        let tag: Vec<&str> = tag.trim().trim_start_matches('#').split_whitespace().collect();
        let word = format!("#{}", tag.join("-"));
        if word.len() > 1 && !words.contains(&word) {
            words.push(word);
        }
    }
    words.join(" ")
}

/// At most so many bytes from the beginning, up to the end of a word where there is one.
pub(crate) fn opening(text: &str, bytes: usize) -> &str {
    let text = text.trim();
    if text.len() <= bytes {
        return text;
    }
    let cut = &text[..text.floor_char_boundary(bytes)];
    cut.rsplit_once(char::is_whitespace).map_or(cut, |(whole, _)| whole).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(draft: Draft) -> (Record, Vec<Event>) {
        let mut events = draft.events(|| "here".to_owned());
        let Event::Record(record) = events.remove(0) else { panic!("{events:?}") };
        (*record, events)
    }

    fn draft(text: &str) -> Draft {
        Draft::new(ids::derived(crate::Kind::Claude, &[text]), text, Time::from_micros(0))
    }

    #[test]
    fn tags_stand_at_the_end() {
        let tags = ["green tea", "#hot", "hot", " "].map(str::to_owned).to_vec();
        let (record, _) = made(Draft { tags, ..draft("Ana likes sencha ") });
        assert_eq!(record.text.as_str(), "Ana likes sencha\n#green-tea #hot");
    }

    #[test]
    fn a_text_that_is_too_long_is_kept_whole_beside_its_opening() {
        let long = "tea and ".repeat(9000);
        let (record, events) = made(Draft { tags: vec!["hot".into()], ..draft(&long) });
        assert!(record.text.as_str().len() < 2100 && record.text.as_str().ends_with("\n#hot"));
        assert_eq!(record.notes[0].text.as_str(), long);
        assert!(events.is_empty());
        let (record, events) = made(draft(&"tea and ".repeat(1 << 18)));
        assert!(record.notes.is_empty() && matches!(events[..], [Event::LeftOut("text over 1 MiB")]));
    }

    #[test]
    fn a_text_of_nothing_is_broken() {
        let events = Draft { tags: vec!["tag".into()], ..draft(" \n") }.events(|| "memories.json, record 3".to_owned());
        assert!(matches!(&events[..], [Event::Broken { place, .. }] if place == "memories.json, record 3"));
    }

    #[test]
    fn notes_of_one_name_are_told_apart() {
        let notes = vec![("a.md".into(), "one".into()), ("a.md".into(), "two".into()), ("\n".into(), "three".into())];
        let (record, _) = made(Draft { notes, ..draft("tea") });
        let names: Vec<&str> = record.notes.iter().map(|note| note.name.as_str()).collect();
        assert_eq!(names, ["a.md", "a.md (2)", "text"]);
        assert_ne!(record.notes[0].id, record.notes[1].id);
    }
}

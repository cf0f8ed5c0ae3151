//! What is found in a source.

use model::{NoteId, NoteText, Status, ThoughtId, ThoughtText, Time};

/// Who is told what was found, in order; `false` ends the reading.
pub type Sink<'a> = &'a mut dyn FnMut(Event) -> bool;

/// Something that was found.
#[derive(Debug)]
pub enum Event {
    /// A thought.
    Record(Box<Record>),
    /// Something that becomes no thought or no note; what it is, in the singular.
    LeftOut(&'static str),
    /// A part of a record that has no place in a thought; what it is, in the singular.
    NotKept(&'static str),
    /// A record that cannot be read.
    Broken {
        /// The file, and where in it.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// A thought to be, with what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The id it has there, or one that follows from what identifies it there.
    pub id: ThoughtId,
    /// Its text.
    pub text: ThoughtText,
    /// The time it is about.
    pub captured_at: Time,
    /// The agent it is from, where the source says so.
    pub agent: Option<String>,
    /// Where it is in its life.
    pub status: Status,
    /// Texts that belong to it.
    pub notes: Vec<Note>,
    /// Whether the source says the same several times by its nature, so that a repetition is nothing to tell.
    pub repeats: bool,
}

/// A text that belongs to a thought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Follows from the thought and the name.
    pub id: NoteId,
    /// The name of its file.
    pub name: String,
    /// The text.
    pub text: NoteText,
}

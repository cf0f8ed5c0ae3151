//! What a search answers with.

use model::{Thought, ThoughtId};

use super::signals::Signal;

/// A thought the query is about.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The thought.
    pub thought: Thought,
    /// How well it answers the query: 0 to 1, comparable between queries.
    pub score: f64,
    /// The signals that brought it in.
    pub matched_by: Vec<Signal>,
    /// The notes that matched, best first.
    pub notes: Vec<NoteMatch>,
    /// The best place of the text.
    pub snippet: String,
    /// The later thought that says what has become of this one, if there is one the asker may see.
    pub superseded_by: Option<ThoughtId>,
}

/// A note that holds words of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteMatch {
    /// The name of the note.
    pub name: String,
    /// Its best place.
    pub snippet: String,
}

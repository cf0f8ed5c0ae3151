//! Ids as they stand in addresses; what is no id is nothing's.

use model::{NoteId, ThoughtId};

use super::fault::Fault;

/// The id of a thought.
pub(super) fn thought_id(text: &str) -> Result<ThoughtId, Fault> {
    text.parse().map_err(|_| Fault::Absent("thought"))
}

/// The id of a note.
pub(super) fn note_id(text: &str) -> Result<NoteId, Fault> {
    text.parse().map_err(|_| Fault::Absent("note"))
}

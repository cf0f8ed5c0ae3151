//! Notes: text files attached to thoughts.

use hyper::StatusCode;
use serde_json::{Value, json};

use model::{NOTE_BYTES_MAX, NewNote, Note, NoteId, NoteText, ThoughtId};
use store::NoteListing;

use super::asked::Asked;
use super::endpoint::AppEndpoint;
use super::fault::Fault;
use super::ids::{note_id, thought_id};
use crate::http::reply::{self, Reply};

/// How many notes of a thought are listed at a time.
const NOTES_SHOWN: usize = 100;

/// The longest name of a file.
const NAME_CHARS_MAX: usize = 255;

impl AppEndpoint {
    /// Attaches what the body holds, under the name in the address.
    pub(super) async fn attach_note(&self, asked: &Asked, thought: &str) -> Result<Reply, Fault> {
        let thought = thought_id(thought)?;
        let query = asked.query(&["name"])?;
        let name = note_name(query.get("name").unwrap_or_default())?;
        let bytes = asked.body.bytes(NOTE_BYTES_MAX).await?;
        let note = NewNote { name, text: NoteText::from_bytes(bytes.into())? };
        let attached = self.memory.attach_note(asked.caller.account, thought, note).await?;
        let note = attached.ok_or(Fault::Absent("thought"))?;
        Ok(reply::json(StatusCode::CREATED, json!({ "note": shape(&note) }).to_string()))
    }

    pub(super) async fn list_notes(&self, asked: &Asked, thought: &str) -> Result<Reply, Fault> {
        let thought = thought_id(thought)?;
        let after = asked.query(&["after"])?.read::<NoteId>("after")?;
        self.memory.thought(&asked.caller, thought).await?;
        Ok(reply::json(StatusCode::OK, self.notes_of(asked, thought, after).await?.to_string()))
    }

    /// A page of the notes of a thought.
    pub(super) async fn notes_of(
        &self,
        asked: &Asked,
        thought: ThoughtId,
        after: Option<NoteId>,
    ) -> Result<Value, Fault> {
        let listing = NoteListing { thought: Some(thought), after, limit: NOTES_SHOWN + 1 };
        Ok(page(&self.memory.list_notes(asked.caller.account, listing).await?))
    }

    pub(super) async fn read_note(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        let read = self.memory.read_note(asked.caller.account, note_id(id)?).await?;
        let (note, text) = read.ok_or(Fault::Absent("note"))?;
        let mut about = shape(&note);
        about["thought"] = json!(note.thought.to_string());
        Ok(reply::json(StatusCode::OK, json!({ "note": about, "text": text }).to_string()))
    }

    pub(super) async fn remove_note(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        let removed = self.memory.remove_note(asked.caller.account, note_id(id)?).await?;
        removed.ok_or(Fault::Absent("note"))?;
        Ok(reply::empty(StatusCode::NO_CONTENT))
    }
}

/// The name of a file without what may lie before it.
fn note_name(name: &str) -> Result<String, Fault> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    match !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX && !name.chars().any(char::is_control) {
        true => Ok(name.to_owned()),
        false => Err(Fault::Unreadable(format!("`name` is a file's name of 1 to {NAME_CHARS_MAX} characters"))),
    }
}

/// A page of notes, of which one more was asked for than is shown.
fn page(notes: &[Note]) -> Value {
    let shown: Vec<_> = notes.iter().take(NOTES_SHOWN).map(shape).collect();
    json!({ "notes": shown, "more_notes": notes.len() > NOTES_SHOWN })
}

fn shape(note: &Note) -> Value {
    json!({
        "id": note.id.to_string(),
        "name": note.name,
        "bytes": note.text_bytes,
        "created_at": note.created_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_called_like_its_file() {
        for (name, expected) in [("plan.md", "plan.md"), ("C:\\x\\plan.md", "plan.md"), ("../../etc/passwd", "passwd")]
        {
            assert_eq!(note_name(name).unwrap(), expected);
        }
        for name in ["", " ", "a/", "a\nb", &"x".repeat(256)] {
            assert!(note_name(name).is_err(), "{name}");
        }
    }
}

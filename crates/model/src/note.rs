//! A note: a text file attached to a thought.

use super::{Invalid, NoteId, ThoughtId, Time};

/// The largest note, in bytes.
pub const NOTE_BYTES_MAX: usize = 1_048_576;

/// A note as it is listed: everything but its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Identifies the note.
    pub id: NoteId,
    /// The thought it is attached to.
    pub thought: ThoughtId,
    /// The name of the file it came from.
    pub name: String,
    /// How long its text is.
    pub text_bytes: u64,
    /// When it was attached.
    pub created_at: Time,
}

/// A note to attach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNote {
    /// The name of the file it comes from.
    pub name: String,
    /// Its text.
    pub text: NoteText,
}

/// The text of a note: UTF-8 of at most 1 MiB that is text, not binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteText(String);

impl NoteText {
    /// Checks that the bytes are text of an acceptable size.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Invalid> {
        if bytes.len() > NOTE_BYTES_MAX {
            return Err(Invalid::new(format!(
                "the file has {} bytes, a note at most {NOTE_BYTES_MAX}: split it into smaller files",
                bytes.len()
            )));
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| Invalid::new("the file is not UTF-8 text: convert it to UTF-8 and attach it again"))?;
        // Valid UTF-8 all the same, but no text file holds it: what does is binary.
        if text.contains('\0') {
            return Err(Invalid::new("the file is binary, not text: it contains NUL bytes"));
        }
        if text.trim().is_empty() {
            return Err(Invalid::new("the file is empty: a note has at least one character"));
        }
        Ok(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_up_to_the_limit_is_a_note() {
        assert!(NoteText::from_bytes(vec![b'x'; NOTE_BYTES_MAX]).is_ok());
        assert!(NoteText::from_bytes(vec![b'x'; NOTE_BYTES_MAX + 1]).is_err());
    }

    #[test]
    fn what_is_not_text_is_refused() {
        for bytes in [&b"\xff\xfe"[..], b"\0", b"", b"  \n"] {
            assert!(NoteText::from_bytes(bytes.to_vec()).is_err(), "{bytes:?}");
        }
    }
}

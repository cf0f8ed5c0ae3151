//! A thought: the short text a person or an agent asked to keep.

use std::fmt;
use std::str::FromStr;

use super::{Invalid, ThoughtId, Time};

/// The longest text of a thought, in bytes.
pub const TEXT_BYTES_MAX: usize = 65_536;

/// A stored thought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought {
    /// Identifies the thought; never changes.
    pub id: ThoughtId,
    /// The text, byte for byte as it was given.
    pub raw_text: ThoughtText,
    /// Where the thought is in its life.
    pub status: Status,
    /// What kind of thought it is.
    pub category: Category,
    /// Whose memory it is.
    pub author: Author,
    /// When the service stored it: never changes, and strictly increases within an account.
    pub created_at: Time,
    /// The time the memory is about.
    pub captured_at: Time,
    /// When text or status last changed.
    pub updated_at: Time,
    /// How many revisions the thought has; an update names the number it was based on.
    pub revision: u32,
}

/// The text of a thought: 1 to 65,536 bytes once trimmed, kept verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThoughtText(String);

impl ThoughtText {
    /// Checks the length of the trimmed text and keeps all of it.
    pub fn new(text: impl Into<String>) -> Result<Self, Invalid> {
        let text = text.into();
        let bytes = text.trim().len();
        if bytes == 0 {
            return Err(Invalid::new("the text is empty: give at least one character that is not white space"));
        }
        if bytes > TEXT_BYTES_MAX {
            return Err(Invalid::new(format!(
                "the text has {bytes} bytes, at most {TEXT_BYTES_MAX} are allowed: split it into several thoughts"
            )));
        }
        Ok(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, taken out.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// Where a thought is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Current: what a search looks through.
    Open,
    /// Done.
    Completed,
    /// Softly removed; can be restored.
    Archived,
}

impl Status {
    /// Every status, in the order of a thought's life.
    pub const ALL: [Self; 3] = [Self::Open, Self::Completed, Self::Archived];

    /// The word used in every interface.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Completed => "completed",
            Self::Archived => "archived",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Status {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == text)
            .ok_or_else(|| Invalid::new(format!("`{text}` is not a status: expected open, completed or archived")))
    }
}

/// Whose memory a thought is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Author {
    /// The human user's.
    User,
    /// An agent's, under the name its key had at capture.
    Agent {
        /// The name of the key.
        name: String,
    },
}

/// What kind of thought it is. Kinds never restrict what can be done with a thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Category {
    /// Something to do.
    Task,
    /// Something to consider.
    Idea,
    /// Something noticed; also what a thought is before anything more is known about it.
    Observation,
    /// Something that holds.
    Fact,
}

impl Category {
    /// Every category.
    pub const ALL: [Self; 4] = [Self::Task, Self::Idea, Self::Observation, Self::Fact];

    /// The word used in every interface.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Idea => "idea",
            Self::Observation => "observation",
            Self::Fact => "fact",
        }
    }
}

impl FromStr for Category {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        Self::ALL.into_iter().find(|category| category.as_str() == text).ok_or_else(|| {
            Invalid::new(format!("`{text}` is not a category: expected task, idea, observation or fact"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_with_its_white_space() {
        assert_eq!(ThoughtText::new("  tea \n").unwrap().as_str(), "  tea \n");
    }

    #[test]
    fn a_blank_text_is_refused() {
        for text in ["", " ", "\n\t\u{2003}"] {
            assert!(ThoughtText::new(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_longest_text_is_accepted_and_one_byte_more_is_not() {
        assert!(ThoughtText::new("x".repeat(TEXT_BYTES_MAX) + "\n").is_ok());
        assert!(ThoughtText::new("x".repeat(TEXT_BYTES_MAX + 1)).is_err());
    }
}

//! What is put to the adviser.

use model::Status;

/// A thought and what is asked of it.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The text of the thought.
    pub text: &'a str,
    /// Its status.
    pub status: Status,
    /// What is asked, in plain language.
    pub request: &'a str,
}

//! What is wrong with a value from outside.

/// Why a value given from outside is not acceptable: one sentence that says what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(pub String);

impl Invalid {
    /// Wraps the sentence that is shown to the caller.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

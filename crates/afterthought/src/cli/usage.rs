//! What was typed and makes no sense, beyond what the argument parser sees.

/// What was typed makes no sense; the sentence says what does.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Usage(pub(super) String);

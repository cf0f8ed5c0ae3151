//! Why a job was not done, as a decision about it.

use crate::embed::EmbedError;

/// What becomes of a job that was not done.
#[derive(Debug, Clone)]
pub(super) enum Failure {
    /// It may be done another time.
    Retry(String),
    /// It was not to blame.
    Unavailable(String),
}

impl From<EmbedError> for Failure {
    fn from(error: EmbedError) -> Self {
        match error {
            EmbedError::Unavailable(reason) => Self::Unavailable(reason),
            refused @ EmbedError::Refused(_) => Self::Retry(refused.to_string()),
        }
    }
}

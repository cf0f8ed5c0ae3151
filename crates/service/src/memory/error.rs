//! Why something was not done.

use model::Invalid;
use store::StoreError;

/// Why something was not done. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// What was asked is not possible; the sentence says why and what is.
    #[error("{0}")]
    Refused(String),
    /// The store failed; asking again may help only if it says so.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Invalid> for MemoryError {
    fn from(invalid: Invalid) -> Self {
        Self::Refused(invalid.0)
    }
}

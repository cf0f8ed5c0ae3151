//! Why something was not done.

use model::Invalid;
use store::StoreError;

use super::refusal::Refusal;

/// Why something was not done. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// What was asked is not possible; asking for something else is.
    #[error("what was asked is not possible")]
    Refused(Refusal),
    /// The store failed; asking again may help only if it says so.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Refusal> for MemoryError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Invalid> for MemoryError {
    fn from(invalid: Invalid) -> Self {
        Self::Refused(Refusal::Invalid(invalid))
    }
}

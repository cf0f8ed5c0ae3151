//! What can go wrong in a store, by what the caller can do about it.

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A failure of the store; unless it is [`Unsure`](Self::Unsure), nothing of the failed call has taken effect.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The same call may succeed in a moment.
    #[error("the store is busy, try again in a moment")]
    Busy(#[source] Cause),
    /// The store was written by a later version of the program.
    #[error(
        "{store} was made by a newer version of afterthought (its format is {found}, this version knows up to {known}): \
         run that version or a later one"
    )]
    Newer {
        /// The store, as its users call it.
        store: String,
        /// The format it has.
        found: i64,
        /// The latest format this program knows.
        known: i64,
    },
    /// What is stored cannot be what this program wrote.
    #[error("`{place}` is damaged ({reason}): {remedy}")]
    Corrupt {
        /// The file or table.
        place: String,
        /// What is wrong with it.
        reason: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// The disk has no room for it.
    #[error("the disk is full and nothing was changed: free some space on it, then do the same again")]
    Full(#[source] Cause),
    /// The store was lost sight of before it told whether the call has taken effect.
    #[error(
        "the store was lost sight of before it told whether {what} was stored: it may have been, so look for it before \
         doing the same again"
    )]
    Unsure {
        /// What was to be stored, by its id where it has one.
        what: String,
    },
    /// Anything else: a permission is missing, the disk or the driver failed.
    #[error("the store failed: {0}")]
    Backend(#[source] Cause),
}

impl StoreError {
    /// Wraps a cause for which the caller can do nothing but report it.
    pub fn backend(cause: impl Into<Cause>) -> Self {
        Self::Backend(cause.into())
    }
}

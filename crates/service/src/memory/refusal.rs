//! What the rules refuse to do, and why.
//!
//! A refusal has no sentence of its own: whoever asked on behalf of a person or an agent words it, with the names by which
//! that one knows what was asked.

use model::{Invalid, ThoughtId, ThoughtText};

use crate::adviser::AdviceError;

/// Something that was asked and is not possible, by what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The account has no such thought, or it is another account's; which of them is not told.
    NoSuchThought(ThoughtId),
    /// The beginning of a key is too short to tell keys apart.
    KeyPrefixTooShort {
        /// How many characters it has at least.
        chars_min: usize,
    },
    /// The beginning of a key is that of several active keys of the account.
    KeyPrefixAmbiguous {
        /// As much of it as can be compared.
        prefix: String,
        /// How many characters can be compared at most.
        chars_max: usize,
    },
    /// The beginning of a key is that of no active key of the account.
    KeyPrefixUnknown {
        /// As much of it as can be compared.
        prefix: String,
    },
    /// A search is for too long a text.
    QueryTooLong {
        /// The longest query, in bytes.
        bytes_max: usize,
    },
    /// A search is to go on where a page of browsing ended, or the other way round.
    CursorWithSearch,
    /// An edit holds neither a request nor a text.
    NothingToChange,
    /// The request of an edit is too long.
    RequestTooLong {
        /// The longest request, in bytes.
        bytes_max: usize,
    },
    /// The request of an edit changes the text that the edit also replaces.
    TextChangedTwice,
    /// The request of an edit is not to be carried out.
    RequestRefused {
        /// What the rules have against it.
        by_rules: edits::Refusal,
        /// Why the adviser did not help, if it was asked.
        by_adviser: Option<AdviceError>,
        /// The text as it is.
        text: ThoughtText,
    },
    /// No change of the thought is left to take back.
    NothingToUndo,
    /// The last change of the thought was not an undo.
    NothingToRedo,
    /// Others change the thought at the same time, again and again.
    Contended,
    /// The text that an edit would make of the thought cannot be stored.
    Invalid(Invalid),
}

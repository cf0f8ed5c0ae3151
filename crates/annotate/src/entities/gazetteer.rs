//! The names of an account, by which its texts are read.

use std::collections::HashMap;
use std::hash::BuildHasher;

use super::kind::EntityKind;
use super::tokens::{phrase, tokens};

/// Names known from elsewhere in the account.
///
/// It is asked up to five times for every word of a text, so it answers from memory; names of more than five words are
/// not asked for.
pub trait Gazetteer {
    /// The display name and kind of what the account knows as `folded`, if anything. `folded` is the
    /// [`known_key`] of a name.
    fn known(&self, folded: &str) -> Option<(String, EntityKind)>;
}

/// Longest name the account is asked for, in words.
pub(super) const MOST_KNOWN_WORDS: usize = 5;

/// A gazetteer without names.
#[derive(Debug, Clone, Copy, Default)]
pub struct NothingKnown;

impl Gazetteer for NothingKnown {
    fn known(&self, _folded: &str) -> Option<(String, EntityKind)> {
        None
    }
}

impl<S: BuildHasher> Gazetteer for HashMap<String, (String, EntityKind), S> {
    fn known(&self, folded: &str) -> Option<(String, EntityKind)> {
        self.get(folded).cloned()
    }
}

/// The form in which a [`Gazetteer`] is asked for `name`: its folded words, parted by single spaces.
#[must_use]
pub fn known_key(name: &str) -> String {
    phrase(&tokens(name))
}

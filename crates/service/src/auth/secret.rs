//! The secret itself: `aft_` and random base62 characters.

use std::fmt;

use model::{KeyHash, KeyPrefix};

use super::random;

/// A key in clear. It prints only where it is asked to: never through `Debug`, so never into a log by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

const MARK: &str = "aft_";

impl Secret {
    /// A fresh secret from the system's random source.
    pub(super) fn mint() -> Result<Self, getrandom::Error> {
        random::mint(MARK).map(Self)
    }

    /// The hash of a token, if it has the form of a key.
    pub(super) fn hash_of(token: &str) -> Option<KeyHash> {
        random::hash(MARK, token).map(KeyHash)
    }

    pub(super) fn hash(&self) -> KeyHash {
        Self::hash_of(&self.0).expect("a minted secret has the form of a key")
    }

    pub(super) fn prefix(&self) -> KeyPrefix {
        KeyPrefix::of(&self.0)
    }

    /// The key in clear, for its owner.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minted_secret_is_a_key_nobody_had_before() {
        let (one, other) = (Secret::mint().unwrap(), Secret::mint().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.reveal().len(), MARK.len() + 40);
        assert_eq!(one.prefix().as_str(), &one.reveal()[..10]);
    }

    #[test]
    fn a_secret_does_not_print_itself() {
        let secret = Secret::mint().unwrap();
        assert!(!format!("{secret:?}").contains(&secret.reveal()[4..]));
    }

    #[test]
    fn what_has_not_the_form_of_a_key_is_not_looked_up() {
        let long = format!("aft_{}", "a".repeat(500));
        for token in ["", "aft_", "aft_short", "bearer", "aft_ä", long.as_str(), &"x".repeat(44)] {
            assert_eq!(Secret::hash_of(token), None, "{token}");
        }
    }
}

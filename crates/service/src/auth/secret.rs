//! The secret itself: `aft_` and random base62 characters.

use std::fmt;

use sha2::{Digest, Sha256};

use model::{KeyHash, KeyPrefix};

/// A key in clear. It prints only where it is asked to: never through `Debug`, so never into a log by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

const MARK: &str = "aft_";

/// 62^40 keys: 238 random bits.
const RANDOM_CHARS: usize = 40;

/// The fewest random characters a key can have to be looked up at all.
const RANDOM_CHARS_MIN: usize = 32;

/// No key is longer; a longer token is not worth hashing.
const CHARS_MAX: usize = 200;

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

impl Secret {
    /// A fresh secret from the system's random source.
    pub(super) fn mint() -> Result<Self, getrandom::Error> {
        let mut secret = String::with_capacity(MARK.len() + RANDOM_CHARS);
        secret.push_str(MARK);
        let mut bytes = [0_u8; 64];
        while secret.len() < MARK.len() + RANDOM_CHARS {
            getrandom::fill(&mut bytes)?;
            // Bytes beyond the last whole multiple of 62 would make some characters likelier than others.
            let fair = bytes.iter().filter(|byte| **byte < 248).map(|byte| BASE62[usize::from(byte % 62)]);
            let missing = MARK.len() + RANDOM_CHARS - secret.len();
            secret.extend(fair.take(missing).map(char::from));
        }
        Ok(Self(secret))
    }

    /// The hash of a token, if it has the form of a key.
    pub(super) fn hash_of(token: &str) -> Option<KeyHash> {
        let random = token.strip_prefix(MARK)?;
        let formed = (RANDOM_CHARS_MIN..=CHARS_MAX).contains(&random.len())
            && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
        formed.then(|| KeyHash(Sha256::digest(token.as_bytes()).into()))
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
        assert_eq!(one.reveal().len(), MARK.len() + RANDOM_CHARS);
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

//! Random characters behind a mark, and the hash that stands for them.

use sha2::{Digest, Sha256};

/// 62^40 tokens: 238 random bits.
const RANDOM_CHARS: usize = 40;

/// The fewest random characters a token can have to be looked up at all.
const RANDOM_CHARS_MIN: usize = 32;

/// No token is longer; a longer one is not worth hashing.
const CHARS_MAX: usize = 200;

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A fresh token from the system's random source.
pub(super) fn mint(mark: &str) -> Result<String, getrandom::Error> {
    let mut token = String::with_capacity(mark.len() + RANDOM_CHARS);
    token.push_str(mark);
    let mut bytes = [0_u8; 64];
    while token.len() < mark.len() + RANDOM_CHARS {
        getrandom::fill(&mut bytes)?;
        // Bytes beyond the last whole multiple of 62 would make some characters likelier than others.
        let fair = bytes.iter().filter(|byte| **byte < 248).map(|byte| BASE62[usize::from(byte % 62)]);
        let missing = mark.len() + RANDOM_CHARS - token.len();
        token.extend(fair.take(missing).map(char::from));
    }
    Ok(token)
}

/// The SHA-256 of a token, if it has the form of one with that mark.
pub(super) fn hash(mark: &str, token: &str) -> Option<[u8; 32]> {
    let random = token.strip_prefix(mark)?;
    let formed = (RANDOM_CHARS_MIN..=CHARS_MAX).contains(&random.len())
        && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
    formed.then(|| Sha256::digest(token.as_bytes()).into())
}

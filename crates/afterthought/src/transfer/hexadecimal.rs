//! How the hash of a key is written: in hexadecimal digits.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

use model::KeyHash;

pub(super) fn serialize<S: Serializer>(hash: &KeyHash, serializer: S) -> Result<S::Ok, S::Error> {
    let digits = hash.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let text: String = digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect();
    serializer.serialize_str(&text)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<KeyHash, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    hash(&text).ok_or_else(|| D::Error::custom("`sha256` has 64 hexadecimal digits"))
}

fn hash(text: &str) -> Option<KeyHash> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    let digits: [u8; 64] = digits.try_into().ok()?;
    Some(KeyHash(std::array::from_fn(|at| digits[2 * at] << 4 | digits[2 * at + 1])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_64_hexadecimal_digits_are_a_hash() {
        assert_eq!(hash(&"a5".repeat(32)), Some(KeyHash([0xa5; 32])));
        for text in ["", "a5", &"g".repeat(64), &"0".repeat(63), &"0".repeat(65), &"é".repeat(32)] {
            assert_eq!(hash(text), None, "{text}");
        }
    }
}

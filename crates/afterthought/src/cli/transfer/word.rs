//! How values without a JSON form of their own are written: as the words they print as.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

pub(super) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// The hash of a key in hexadecimal digits.
pub(super) mod hexadecimal {
    use super::{Cow, Deserialize, Deserializer, Error, Serializer};
    use model::KeyHash;

    pub(crate) fn serialize<S: Serializer>(hash: &KeyHash, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = hash.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let text: String = digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect();
        serializer.serialize_str(&text)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<KeyHash, D::Error> {
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
}

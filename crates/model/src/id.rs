//! Identifiers, one type per thing they identify.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use super::Invalid;

macro_rules! identifier {
    // A macro because the four types must stay alike and must not be interchangeable.
    ($(#[$doc:meta])* $name:ident, $noun:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps a UUID that came from an [`IdSource`](super::IdSource) or from the store.
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The sixteen bytes, as stored.
            pub const fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }

            /// Reads back what [`as_bytes`](Self::as_bytes) wrote.
            pub fn from_slice(bytes: &[u8]) -> Option<Self> {
                Uuid::from_slice(bytes).ok().map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl FromStr for $name {
            type Err = Invalid;

            fn from_str(text: &str) -> Result<Self, Invalid> {
                // Only the hyphenated form: it is the one the service prints, and a looser reading would let one
                // id be written in several ways.
                let hyphenated = text.len() == 36;
                match Uuid::try_parse(text) {
                    Ok(uuid) if hyphenated => Ok(Self(uuid)),
                    _ => Err(Invalid::new(format!(
                        concat!("`{}` is not a ", $noun, " id: expected a UUID such as 0197c1a2-7b3c-7def-8123-456789abcdef"),
                        text.chars().take(60).collect::<String>()
                    ))),
                }
            }
        }
    };
}

identifier!(
    /// Identifies a thought.
    ThoughtId,
    "thought"
);
identifier!(
    /// Identifies an account: one human user.
    AccountId,
    "account"
);
identifier!(
    /// Identifies an API key, never secret.
    KeyId,
    "key"
);
identifier!(
    /// Identifies a note attached to a thought.
    NoteId,
    "note"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_back_as_it_was_printed() {
        let id = ThoughtId::from_uuid(Uuid::now_v7());
        assert_eq!(id.to_string().parse::<ThoughtId>(), Ok(id));
    }

    #[test]
    fn other_spellings_of_a_uuid_are_refused() {
        for text in ["", "abc", "0197c1a27b3c7def8123456789abcdef", "{0197c1a2-7b3c-7def-8123-456789abcdef}"] {
            assert!(text.parse::<ThoughtId>().is_err(), "{text}");
        }
    }
}

//! Accounts, the keys that open them, and the caller a key stands for.

use std::fmt;
use std::str::FromStr;

use super::{AccountId, Invalid, KeyId, Time};

/// One human user. Every thought, note and key belongs to exactly one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Identifies the account.
    pub id: AccountId,
    /// Unique among accounts.
    pub name: AccountName,
    /// When it was made.
    pub created_at: Time,
}

/// An API key as it is stored: everything but the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Identifies the key.
    pub id: KeyId,
    /// The account it opens.
    pub account: AccountId,
    /// The name agents' thoughts are attributed to.
    pub name: KeyName,
    /// The first characters of the secret; unique among keys, so that a key can be named without showing it.
    pub prefix: KeyPrefix,
    /// When it was made.
    pub created_at: Time,
    /// When it was last used, to within some seconds.
    pub last_used_at: Option<Time>,
    /// When it was revoked; a revoked key opens nothing.
    pub revoked_at: Option<Time>,
}

/// The SHA-256 of a key. The secret has over 190 random bits, so a slow hash would add cost and no safety.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

impl fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyHash(…)")
    }
}

/// Who is asking: what the key or the session of a request stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The account whose thoughts the caller may see and change.
    pub account: AccountId,
    /// The key that was shown; `None` for the owner of the account, who has signed in without one.
    pub key: Option<KeyId>,
    /// The name of the key, or [`KeyName::owner`].
    pub key_name: KeyName,
}

macro_rules! name {
    // A macro because both kinds of names follow one rule and must not be interchangeable.
    ($(#[$doc:meta])* $name:ident, $noun:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The name.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = Invalid;

            fn from_str(text: &str) -> Result<Self, Invalid> {
                let text = text.trim();
                let length = text.chars().count();
                if length == 0 || length > NAME_CHARS_MAX || text.chars().any(char::is_control) {
                    return Err(Invalid::new(format!(
                        concat!("the name of ", $noun, " has 1 to {} characters and no line breaks"),
                        NAME_CHARS_MAX
                    )));
                }
                Ok(Self(text.to_owned()))
            }
        }
    };
}

const NAME_CHARS_MAX: usize = 100;

name!(
    /// The name of an account.
    AccountName,
    "an account"
);
name!(
    /// The name of a key.
    KeyName,
    "a key"
);

impl KeyName {
    /// What the owner of an account is called where a key's name stands otherwise.
    pub fn owner() -> Self {
        Self("owner".to_owned())
    }
}

/// The first ten characters of a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyPrefix(String);

impl KeyPrefix {
    /// How many characters of a key are its prefix.
    pub const CHARS: usize = 10;
    /// The fewest characters by which a key of the account can be named.
    pub const CHARS_MIN: usize = 8;

    /// The prefix of a whole key.
    pub fn of(secret: &str) -> Self {
        Self(secret.chars().take(Self::CHARS).collect())
    }

    /// The prefix.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

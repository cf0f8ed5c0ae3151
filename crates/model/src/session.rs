//! A person who is signed in to the app.

use std::fmt;

use super::{Account, Caller, Key, KeyName, Time};

/// A person who is signed in to the app: as the owner of an account, or as whoever holds one of its keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The account whose thoughts the person may see and change.
    pub account: Account,
    /// The key it was started with; `None` for the owner.
    pub key: Option<Key>,
    /// When it was started.
    pub created_at: Time,
    /// When it was last used, to within some seconds.
    pub last_used_at: Time,
}

impl Session {
    /// Who is asking in it.
    #[must_use]
    pub fn caller(&self) -> Caller {
        let (key, key_name) = match &self.key {
            Some(key) => (Some(key.id), key.name.clone()),
            None => (None, KeyName::owner()),
        };
        Caller { account: self.account.id, key, key_name }
    }

    /// Whether it is the owner's, who may make and revoke keys.
    #[must_use]
    pub fn is_owners(&self) -> bool {
        self.key.is_none()
    }
}

/// The SHA-256 of the token of a session or of a link. Tokens are as random as keys.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}

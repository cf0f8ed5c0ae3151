//! The tokens of sessions and links, told apart from keys and from each other by their marks.

use std::fmt;

use model::TokenHash;

use super::random;

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Signing in, once.
    Link,
    /// Being signed in.
    Session,
}

impl Purpose {
    const fn mark(self) -> &'static str {
        match self {
            Self::Link => "afl_",
            Self::Session => "afs_",
        }
    }

    /// A fresh token from the system's random source.
    pub(super) fn mint(self) -> Result<Token, getrandom::Error> {
        random::mint(self.mark()).map(Token)
    }

    /// The hash of a token, if it has the form of one for this purpose.
    pub(super) fn hash_of(self, token: &str) -> Option<TokenHash> {
        random::hash(self.mark(), token).map(TokenHash)
    }
}

/// A token in clear. It prints only where it is asked to: never through `Debug`, so never into a log by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The token in clear, for whoever it was made for.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::super::secret::Secret;
    use super::*;

    #[test]
    fn a_token_is_good_for_one_purpose() {
        let (link, session) = (Purpose::Link.mint().unwrap(), Purpose::Session.mint().unwrap());
        assert!(Purpose::Link.hash_of(link.reveal()).is_some() && Purpose::Session.hash_of(session.reveal()).is_some());
        assert_eq!(Purpose::Link.hash_of(session.reveal()), None);
        assert_eq!(Purpose::Session.hash_of(link.reveal()), None);
        assert!(Secret::hash_of(session.reveal()).is_none() && Secret::hash_of(link.reveal()).is_none());
        assert_eq!(Purpose::Session.hash_of(Secret::mint().unwrap().reveal()), None);
    }

    #[test]
    fn a_token_does_not_print_itself() {
        let token = Purpose::Session.mint().unwrap();
        assert!(!format!("{token:?}").contains(&token.reveal()[4..]));
    }
}

//! Storing a thought, and whose it is.

use model::{AccountId, Author, Caller, Category, Key, KeyPrefix, Thought, ThoughtId, ThoughtText, Time};
use store::NewThought;

use super::error::MemoryError;
use super::handle::Memory;
use super::refusal::Refusal;

/// A thought to capture.
#[derive(Debug, Clone)]
pub struct Capture {
    /// The text.
    pub raw_text: ThoughtText,
    /// The time it is about; now if not given.
    pub captured_at: Option<Time>,
    /// Whose memory it is.
    pub attribution: Attribution,
}

/// Whose memory a captured thought is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attribution {
    /// The agent's whose key was used.
    Caller,
    /// The human user's.
    User,
    /// The agent's whose key starts like this.
    KeyPrefix(String),
}

impl Memory {
    /// Stores a thought; when it returns, the thought is durable and found by its words.
    pub async fn capture(&self, caller: &Caller, capture: Capture) -> Result<Thought, MemoryError> {
        let author = match capture.attribution {
            Attribution::User => Author::User,
            Attribution::Caller => Author::Agent { name: caller.key_name.to_string() },
            Attribution::KeyPrefix(prefix) => {
                let key = self.key_by_prefix(caller.account, &prefix).await?;
                Author::Agent { name: key.name.to_string() }
            }
        };
        let thought = NewThought {
            id: ThoughtId::from_uuid(self.ids.fresh()),
            raw_text: capture.raw_text,
            category: Category::Observation,
            author,
            captured_at: capture.captured_at,
        };
        Ok(self.store.insert(caller.account, thought).await?)
    }

    async fn key_by_prefix(&self, account: AccountId, prefix: &str) -> Result<Key, MemoryError> {
        if prefix.chars().count() < KeyPrefix::CHARS_MIN {
            return Err(Refusal::KeyPrefixTooShort { chars_min: KeyPrefix::CHARS_MIN }.into());
        }
        let keys = self.store.list_keys(Some(account)).await?;
        // A caller may know more of the key than its prefix; what follows the prefix cannot be compared, as only its hash is
        // stored, so it is left aside.
        let prefix: String = prefix.chars().take(KeyPrefix::CHARS).collect();
        let mut matching =
            keys.into_iter().filter(|key| key.revoked_at.is_none() && key.prefix.as_str().starts_with(&prefix));
        match (matching.next(), matching.next()) {
            (Some(key), None) => Ok(key),
            (Some(_), Some(_)) => Err(Refusal::KeyPrefixAmbiguous { prefix, chars_max: KeyPrefix::CHARS }.into()),
            (None, _) => Err(Refusal::KeyPrefixUnknown { prefix }.into()),
        }
    }
}

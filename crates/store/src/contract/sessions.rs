//! Sessions of the app, and the links that start them.

use async_trait::async_trait;

use model::{AccountId, KeyId, Session, Time, TokenHash};

use crate::error::StoreError;

/// Who is signed in to the app. Of tokens only their hashes are stored.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Stores a link for the owner of an account. Beyond a bounded number of them the oldest of the account goes.
    async fn insert_link(&self, link: &NewLink) -> Result<(), StoreError>;

    /// Uses a link up and stores the owner's session it starts, both or neither. `false`, and nothing has changed, if there is no
    /// such link or it has expired when the session is created.
    async fn redeem_link(&self, link: &TokenHash, session: TokenHash, created_at: Time) -> Result<bool, StoreError>;

    /// Stores the session of a key; `false` if there is no such key or it has been revoked. Beyond a bounded number of sessions of
    /// that key the one that was used least recently ends.
    async fn insert_session(&self, session: TokenHash, key: KeyId, created_at: Time) -> Result<bool, StoreError>;

    /// The session with that hash, unless its key has been revoked. Sees what other processes committed before the call.
    async fn get_session(&self, hash: &TokenHash) -> Result<Option<Session>, StoreError>;

    /// Ends a session.
    async fn end_session(&self, hash: &TokenHash) -> Result<(), StoreError>;

    /// Ends the owner's sessions of an account and takes back its links; how many of both there were.
    async fn end_owners_sessions(&self, account: AccountId) -> Result<usize, StoreError>;

    /// Notes when sessions were last used; never moves a time back, and never brings one back.
    async fn record_session_uses(&self, uses: &[(TokenHash, Time)]) -> Result<(), StoreError>;

    /// Forgets the sessions that have not been used since a time, and the links that have expired by another.
    async fn forget_stale_sessions(&self, unused_since: Time, now: Time) -> Result<(), StoreError>;
}

/// A link to store.
#[derive(Debug, Clone, Copy)]
pub struct NewLink {
    /// What stands for its token.
    pub hash: TokenHash,
    /// The account whose owner it lets in.
    pub account: AccountId,
    /// The first moment at which it is of no use any more.
    pub expires_at: Time,
}

/// The most links of one account that are kept, and the most sessions of one key or one owner.
pub const SESSIONS_MAX: usize = 100;

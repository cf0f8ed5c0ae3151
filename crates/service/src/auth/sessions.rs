//! Who is signed in to the app: starting, checking and ending sessions.
//!
//! A token exists in clear only in the hand of its owner, as keys do.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use model::{AccountId, Clock, KeyId, Session, Time, TokenHash};
use store::{NewLink, Store, StoreError};

use super::token::{Purpose, Token};

/// How long a link is good for.
pub const LINK_LIFETIME: Duration = Duration::from_secs(15 * 60);

/// How long a session may be unused before it ends.
pub const SESSION_UNUSED_MAX: Duration = Duration::from_secs(12 * 60 * 60);

/// Starts, checks and ends sessions.
#[derive(Clone)]
pub struct Sessions {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    /// Last uses not yet stored.
    uses: Arc<Mutex<FxHashMap<TokenHash, Time>>>,
}

/// Whether a look at a session counts as a use of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// A person did something.
    Use,
    /// A page that nobody may be sitting at follows along.
    Watch,
}

impl Sessions {
    /// Works on the sessions of a store.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, uses: Arc::default() }
    }

    /// Makes a link with which the owner of an account signs in. The token is returned here and never again.
    pub async fn create_link(&self, account: AccountId) -> Result<Token, StoreError> {
        let token = Purpose::Link.mint().map_err(StoreError::backend)?;
        let hash = hash_of_minted(Purpose::Link, &token);
        let expires_at = self.clock.now().after(LINK_LIFETIME);
        self.store.insert_link(&NewLink { hash, account, expires_at }).await?;
        Ok(token)
    }

    /// Uses a link up and starts the owner's session; `None` if the link is unknown, used up or expired.
    pub async fn sign_in_with_link(&self, link: &str) -> Result<Option<(Token, Session)>, StoreError> {
        let Some(link) = Purpose::Link.hash_of(link) else { return Ok(None) };
        let token = Purpose::Session.mint().map_err(StoreError::backend)?;
        let hash = hash_of_minted(Purpose::Session, &token);
        match self.store.redeem_link(&link, hash, self.clock.now()).await? {
            true => self.started(token, hash).await,
            false => Ok(None),
        }
    }

    /// Starts a session of a key; `None` if it has been revoked.
    pub async fn sign_in_with_key(&self, key: KeyId) -> Result<Option<(Token, Session)>, StoreError> {
        let token = Purpose::Session.mint().map_err(StoreError::backend)?;
        let hash = hash_of_minted(Purpose::Session, &token);
        match self.store.insert_session(hash, key, self.clock.now()).await? {
            true => self.started(token, hash).await,
            false => Ok(None),
        }
    }

    async fn started(&self, token: Token, hash: TokenHash) -> Result<Option<(Token, Session)>, StoreError> {
        Ok(self.store.get_session(&hash).await?.map(|session| (token, session)))
    }

    /// The session of a token; `None` if it is unknown, has ended or is no session's at all. Sees what other processes ended before
    /// the call.
    pub async fn verify(&self, token: &str, look: Look) -> Result<Option<Session>, StoreError> {
        let Some(hash) = Purpose::Session.hash_of(token) else { return Ok(None) };
        let Some(session) = self.store.get_session(&hash).await? else { return Ok(None) };
        let now = self.clock.now();
        let mut uses = self.uses.lock();
        let last_used_at = uses.get(&hash).map_or(session.last_used_at, |noted| session.last_used_at.max(*noted));
        if last_used_at.after(SESSION_UNUSED_MAX) <= now {
            return Ok(None);
        }
        if look == Look::Use {
            uses.insert(hash, now);
        }
        Ok(Some(Session { last_used_at, ..session }))
    }

    /// Ends a session.
    pub async fn sign_out(&self, token: &str) -> Result<(), StoreError> {
        let Some(hash) = Purpose::Session.hash_of(token) else { return Ok(()) };
        self.uses.lock().remove(&hash);
        self.store.end_session(&hash).await
    }

    /// Ends the owner's sessions of an account and takes back its links; how many of both there were.
    pub async fn end_owners(&self, account: AccountId) -> Result<usize, StoreError> {
        self.store.end_owners_sessions(account).await
    }

    /// Stores the last uses noted since the previous call, and forgets what has ended by itself.
    pub async fn store_uses(&self) -> Result<(), StoreError> {
        let uses: Vec<(TokenHash, Time)> = self.uses.lock().drain().collect();
        if !uses.is_empty() {
            self.store.record_session_uses(&uses).await?;
        }
        let now = self.clock.now();
        let unused = i64::try_from(SESSION_UNUSED_MAX.as_micros()).unwrap_or(i64::MAX);
        let unused_since = Time::from_micros(now.as_micros().saturating_sub(unused));
        self.store.forget_stale_sessions(unused_since, now).await
    }
}

fn hash_of_minted(purpose: Purpose, token: &Token) -> TokenHash {
    purpose.hash_of(token.reveal()).expect("a minted token has the form of its purpose")
}

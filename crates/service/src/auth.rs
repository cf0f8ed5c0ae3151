//! Accounts, API keys and sessions of the app: mint, hash, verify.
//!
//! A secret exists in clear only in the hand of its owner: it is shown once when minted, and the store sees its hash alone.

mod random;
mod secret;
mod sessions;
mod token;

use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

pub use secret::Secret;
pub use sessions::{LINK_LIFETIME, Look, SESSION_UNUSED_MAX, Sessions};
pub use token::Token;

use model::{Account, AccountId, AccountName, Caller, Clock, IdSource, Key, KeyId, KeyName, KeyPrefix, Time};
use store::{NewKey, Store, StoreError};

/// Makes accounts and keys, and tells which caller a key stands for.
#[derive(Clone)]
pub struct Keyring {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    /// Last uses not yet stored: a request notes its own here and goes on, so that no request waits for a disk.
    uses: Arc<Mutex<FxHashMap<KeyId, Time>>>,
}

/// Why accounts or keys were not made, found or changed.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// The name is taken.
    #[error("there is already an account `{0}`: choose another name")]
    AccountExists(AccountName),
    /// No account has that name.
    #[error("no account `{0}`: see `afterthought account list`")]
    NoAccount(String),
    /// No key, or more than one, starts like that.
    #[error("{0}")]
    NoSuchKey(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Keyring {
    /// Works on the accounts and keys of a store.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, ids: Arc<dyn IdSource>) -> Self {
        Self { store, clock, ids, uses: Arc::default() }
    }

    /// Makes an account.
    pub async fn create_account(&self, name: AccountName) -> Result<Account, AuthError> {
        let account = Account { id: AccountId::from_uuid(self.ids.fresh()), name, created_at: self.clock.now() };
        match self.store.insert_account(&account).await? {
            true => Ok(account),
            false => Err(AuthError::AccountExists(account.name)),
        }
    }

    /// All accounts, by name.
    pub async fn list_accounts(&self) -> Result<Vec<Account>, AuthError> {
        Ok(self.store.list_accounts().await?)
    }

    /// The account of that name.
    pub async fn account(&self, name: &AccountName) -> Result<Account, AuthError> {
        self.store.get_account(name).await?.ok_or_else(|| AuthError::NoAccount(name.to_string()))
    }

    /// Makes a key for an account. The secret is returned here and never again.
    pub async fn create_key(&self, account: AccountId, name: KeyName) -> Result<(Secret, Key), AuthError> {
        loop {
            let secret = Secret::mint().map_err(StoreError::backend)?;
            let new = NewKey {
                id: KeyId::from_uuid(self.ids.fresh()),
                account,
                name: name.clone(),
                prefix: secret.prefix(),
                hash: secret.hash(),
                created_at: self.clock.now(),
                revoked_at: None,
            };
            // Two keys in 57 billion share a prefix; a fresh secret settles it.
            if self.store.insert_key(&new).await? {
                let NewKey { id, account, name, prefix, created_at, .. } = new;
                return Ok((
                    secret,
                    Key { id, account, name, prefix, created_at, last_used_at: None, revoked_at: None },
                ));
            }
        }
    }

    /// The keys of one account or of all, oldest first, revoked ones included.
    pub async fn list_keys(&self, account: Option<AccountId>) -> Result<Vec<Key>, AuthError> {
        Ok(self.store.list_keys(account).await?)
    }

    /// Revokes the one key that starts like `prefix`, for good.
    pub async fn revoke_key(&self, prefix: &str) -> Result<Key, AuthError> {
        if prefix.chars().count() < KeyPrefix::CHARS_MIN {
            return Err(AuthError::NoSuchKey(format!(
                "`{prefix}` is too short: give at least {} characters of the key, as `afterthought key list` shows them",
                KeyPrefix::CHARS_MIN
            )));
        }
        let shown: String = prefix.chars().take(KeyPrefix::CHARS).collect();
        let mut keys = self.store.list_keys(None).await?;
        keys.retain(|key| key.prefix.as_str().starts_with(&shown));
        let [key] = keys.as_slice() else {
            let count = if keys.is_empty() { "no key starts" } else { "several keys start" };
            return Err(AuthError::NoSuchKey(format!("{count} with `{shown}`: see `afterthought key list`")));
        };
        self.store.revoke_key(key.id, self.clock.now()).await?;
        Ok(key.clone())
    }

    /// Revokes a key of an account, for good; `None` if the account has no such key.
    pub async fn revoke_key_of(&self, account: AccountId, id: KeyId) -> Result<Option<Key>, StoreError> {
        if !self.store.list_keys(Some(account)).await?.iter().any(|key| key.id == id) {
            return Ok(None);
        }
        self.store.revoke_key(id, self.clock.now()).await?;
        Ok(self.store.list_keys(Some(account)).await?.into_iter().find(|key| key.id == id))
    }

    /// Who a token stands for; `None` if it is unknown, revoked or no key at all. Sees keys made or revoked by other
    /// processes before the call.
    pub async fn verify(&self, token: &str) -> Result<Option<Caller>, StoreError> {
        let Some(hash) = Secret::hash_of(token) else { return Ok(None) };
        let Some(key) = self.store.get_key(&hash).await? else { return Ok(None) };
        if key.revoked_at.is_some() {
            return Ok(None);
        }
        self.uses.lock().insert(key.id, self.clock.now());
        Ok(Some(Caller { account: key.account, key: Some(key.id), key_name: key.name }))
    }

    /// Stores the last uses noted since the previous call.
    pub async fn store_uses(&self) -> Result<(), StoreError> {
        let uses: Vec<(KeyId, Time)> = self.uses.lock().drain().collect();
        match uses.is_empty() {
            true => Ok(()),
            false => self.store.record_key_uses(&uses).await,
        }
    }
}

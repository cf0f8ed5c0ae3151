//! Accounts and their keys.

use async_trait::async_trait;

use model::{Account, AccountId, AccountName, Key, KeyHash, KeyId, KeyName, KeyPrefix, Time};

use crate::error::StoreError;

/// The accounts.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Stores an account; `false` if its id or name is taken.
    async fn insert_account(&self, account: &Account) -> Result<bool, StoreError>;

    /// The account of that name.
    async fn get_account(&self, name: &AccountName) -> Result<Option<Account>, StoreError>;

    /// All accounts, by name.
    async fn list_accounts(&self) -> Result<Vec<Account>, StoreError>;
}

/// The API keys.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Stores a key; `false` if its prefix is taken, so that the caller can mint another.
    async fn insert_key(&self, key: &NewKey) -> Result<bool, StoreError>;

    /// The key with that hash, revoked or not. Sees what other processes committed before the call.
    async fn get_key(&self, hash: &KeyHash) -> Result<Option<Key>, StoreError>;

    /// The keys of one account or of all, oldest first, revoked ones included.
    async fn list_keys(&self, account: Option<AccountId>) -> Result<Vec<Key>, StoreError>;

    /// Revokes a key for good; one that was revoked before keeps its time.
    async fn revoke_key(&self, id: KeyId, at: Time) -> Result<(), StoreError>;

    /// Notes when keys were last used; never moves a time back.
    async fn record_key_uses(&self, uses: &[(KeyId, Time)]) -> Result<(), StoreError>;
}

/// A key to store.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// Identifies the key.
    pub id: KeyId,
    /// The account it opens.
    pub account: AccountId,
    /// Its name.
    pub name: KeyName,
    /// Its first characters.
    pub prefix: KeyPrefix,
    /// What stands for the secret.
    pub hash: KeyHash,
    /// When it was made.
    pub created_at: Time,
    /// When it was revoked; only for keys that come from an export.
    pub revoked_at: Option<Time>,
}

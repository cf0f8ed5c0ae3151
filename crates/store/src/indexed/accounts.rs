//! Accounts and keys are the back end's alone.

use async_trait::async_trait;

use model::{Account, AccountId, AccountName, Key, KeyHash, KeyId, Time};

use super::store::IndexedStore;
use crate::contract::{Accounts, Keys, NewKey};
use crate::error::StoreError;

#[async_trait]
impl Accounts for IndexedStore {
    async fn insert_account(&self, account: &Account) -> Result<bool, StoreError> {
        self.backend.insert_account(account).await
    }

    async fn get_account(&self, name: &AccountName) -> Result<Option<Account>, StoreError> {
        self.backend.get_account(name).await
    }

    async fn list_accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.backend.list_accounts().await
    }
}

#[async_trait]
impl Keys for IndexedStore {
    async fn insert_key(&self, key: &NewKey) -> Result<bool, StoreError> {
        self.backend.insert_key(key).await
    }

    async fn get_key(&self, hash: &KeyHash) -> Result<Option<Key>, StoreError> {
        self.backend.get_key(hash).await
    }

    async fn list_keys(&self, account: Option<AccountId>) -> Result<Vec<Key>, StoreError> {
        self.backend.list_keys(account).await
    }

    async fn revoke_key(&self, id: KeyId, at: Time) -> Result<(), StoreError> {
        self.backend.revoke_key(id, at).await
    }

    async fn record_key_uses(&self, uses: &[(KeyId, Time)]) -> Result<(), StoreError> {
        self.backend.record_key_uses(uses).await
    }
}

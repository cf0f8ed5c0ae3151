//! Accounts, keys, sessions and copies are the back end's alone.

use std::time::Duration;

use async_trait::async_trait;

use model::{Account, AccountId, AccountName, Key, KeyHash, KeyId, Session, Time, TokenHash};

use super::store::IndexedStore;
use crate::contract::{Accounts, Copies, Keys, NewKey, NewLink, RunningCopy, Sessions};
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

#[async_trait]
impl Copies for IndexedStore {
    async fn announce(&self, copy: &RunningCopy) -> Result<(), StoreError> {
        self.backend.announce(copy).await
    }

    async fn withdraw(&self, instance: &str) -> Result<(), StoreError> {
        self.backend.withdraw(instance).await
    }

    async fn copies(&self, within: Duration) -> Result<Vec<RunningCopy>, StoreError> {
        self.backend.copies(within).await
    }
}

#[async_trait]
impl Sessions for IndexedStore {
    async fn insert_link(&self, link: &NewLink) -> Result<(), StoreError> {
        self.backend.insert_link(link).await
    }

    async fn redeem_link(&self, link: &TokenHash, session: TokenHash, created_at: Time) -> Result<bool, StoreError> {
        self.backend.redeem_link(link, session, created_at).await
    }

    async fn insert_session(&self, session: TokenHash, key: KeyId, created_at: Time) -> Result<bool, StoreError> {
        self.backend.insert_session(session, key, created_at).await
    }

    async fn get_session(&self, hash: &TokenHash) -> Result<Option<Session>, StoreError> {
        self.backend.get_session(hash).await
    }

    async fn end_session(&self, hash: &TokenHash) -> Result<(), StoreError> {
        self.backend.end_session(hash).await
    }

    async fn end_owners_sessions(&self, account: AccountId) -> Result<usize, StoreError> {
        self.backend.end_owners_sessions(account).await
    }

    async fn record_session_uses(&self, uses: &[(TokenHash, Time)]) -> Result<(), StoreError> {
        self.backend.record_session_uses(uses).await
    }

    async fn forget_stale_sessions(&self, unused_since: Time, now: Time) -> Result<(), StoreError> {
        self.backend.forget_stale_sessions(unused_since, now).await
    }
}

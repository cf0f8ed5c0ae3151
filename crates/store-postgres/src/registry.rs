//! Accounts and keys.

use async_trait::async_trait;
use uuid::Uuid;

use model::{Account, AccountId, AccountName, Key, KeyHash, KeyId, Time};
use store::{Accounts, Keys, NewKey, StoreError};

use crate::place::PostgresStore;
use crate::row::{self, Stored};
use crate::statement::statements;

statements! {
    INSERT_ACCOUNT, Shared: "INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    GET_ACCOUNT, Shared: "SELECT id, name, created_at FROM account WHERE name = $1";
    LIST_ACCOUNTS, Shared: "SELECT id, name, created_at FROM account ORDER BY name";
    INSERT_KEY, Shared: "INSERT INTO key (hash, id, account_id, name, prefix, created_at, revoked_at)
                         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
    GET_KEY, Shared: "SELECT id, account_id, name, prefix, created_at, last_used_at, revoked_at FROM key WHERE hash = $1";
    LIST_KEYS, Shared: "SELECT id, account_id, name, prefix, created_at, last_used_at, revoked_at FROM key
                        WHERE $1::uuid IS NULL OR account_id = $1 ORDER BY created_at, id";
    REVOKE_KEY, Shared: "UPDATE key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
    RECORD_KEY_USES, Shared: "UPDATE key SET last_used_at = greatest(used.at, key.last_used_at)
                              FROM unnest($1::uuid[], $2::bigint[]) AS used (id, at) WHERE key.id = used.id";
}

#[async_trait]
impl Accounts for PostgresStore {
    async fn insert_account(&self, account: &Account) -> Result<bool, StoreError> {
        let (name, created_at) = (account.name.as_str().as_bytes(), account.created_at.as_micros());
        let inserted = self.execute(&INSERT_ACCOUNT, &[&account.id.stored(), &name, &created_at]).await?;
        Ok(inserted == 1)
    }

    async fn get_account(&self, name: &AccountName) -> Result<Option<Account>, StoreError> {
        let found = self.first(&GET_ACCOUNT, &[&name.as_str().as_bytes()]).await?;
        found.as_ref().map(row::account).transpose()
    }

    async fn list_accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.query(&LIST_ACCOUNTS, &[]).await?.iter().map(row::account).collect()
    }
}

#[async_trait]
impl Keys for PostgresStore {
    async fn insert_key(&self, key: &NewKey) -> Result<bool, StoreError> {
        let hash: &[u8] = &key.hash.0;
        let (name, prefix) = (key.name.as_str().as_bytes(), key.prefix.as_str().as_bytes());
        let (created_at, revoked_at) = (key.created_at.as_micros(), key.revoked_at.map(Time::as_micros));
        let (id, account) = (key.id.stored(), key.account.stored());
        let inserted =
            self.execute(&INSERT_KEY, &[&hash, &id, &account, &name, &prefix, &created_at, &revoked_at]).await?;
        Ok(inserted == 1)
    }

    async fn get_key(&self, hash: &KeyHash) -> Result<Option<Key>, StoreError> {
        let hash: &[u8] = &hash.0;
        self.first(&GET_KEY, &[&hash]).await?.as_ref().map(row::key).transpose()
    }

    async fn list_keys(&self, account: Option<AccountId>) -> Result<Vec<Key>, StoreError> {
        let account = account.map(|account| account.stored());
        self.query(&LIST_KEYS, &[&account]).await?.iter().map(row::key).collect()
    }

    async fn revoke_key(&self, id: KeyId, at: Time) -> Result<(), StoreError> {
        self.execute(&REVOKE_KEY, &[&id.stored(), &at.as_micros()]).await.map(drop)
    }

    async fn record_key_uses(&self, uses: &[(KeyId, Time)]) -> Result<(), StoreError> {
        // In one order everywhere: two copies that note the same keys do not wait for each other in a circle.
        let mut uses = uses.to_vec();
        uses.sort();
        let ids: Vec<Uuid> = uses.iter().map(|(id, _)| id.stored()).collect();
        let times: Vec<i64> = uses.iter().map(|(_, at)| at.as_micros()).collect();
        self.execute(&RECORD_KEY_USES, &[&ids, &times]).await.map(drop)
    }
}

//! Accounts and keys.

use std::time::Duration;

use async_trait::async_trait;
use rusqlite::{Row as SqlRow, params};

use model::{Account, AccountId, AccountName, Key, KeyHash, KeyId, Time};
use store::{Accounts, Keys, NewKey, StoreError};

use crate::database::{damaged, error};
use crate::folder::SqliteStore;
use crate::known_keys::key;
use crate::row::{account_id, time};
use crate::statement::{execute, list};

/// How long a look at the registry waits where another process is in the way.
const PATIENCE: Duration = Duration::from_secs(5);

#[async_trait]
impl Accounts for SqliteStore {
    async fn insert_account(&self, account: &Account) -> Result<bool, StoreError> {
        let account = account.clone();
        self.registry
            .write(move |connection| {
                let sql = "INSERT INTO account (id, name, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
                let values = params![account.id.as_bytes(), account.name.as_str(), account.created_at.as_micros()];
                execute(connection, sql, values)
            })
            .await
            .map(|inserted| inserted == 1)
    }

    async fn get_account(&self, name: &AccountName) -> Result<Option<Account>, StoreError> {
        let name = name.clone();
        let sql = "SELECT id, name, created_at FROM account WHERE name = ?1";
        let found = self.registry.read(move |connection| list(connection, sql, [name.as_str()], account)).await?;
        Ok(found.into_iter().next())
    }

    async fn list_accounts(&self) -> Result<Vec<Account>, StoreError> {
        let sql = "SELECT id, name, created_at FROM account ORDER BY name";
        self.registry.read(move |connection| list(connection, sql, [], account)).await
    }
}

/// Reads id, name and time of an account, in this order.
pub(crate) fn account(row: &SqlRow<'_>) -> Result<Account, StoreError> {
    let name: String = row.get(1).map_err(error)?;
    Ok(Account {
        id: account_id(row, 0)?,
        name: name.parse().map_err(|_| damaged("name", &name))?,
        created_at: time(row, 2)?,
    })
}

#[async_trait]
impl Keys for SqliteStore {
    async fn insert_key(&self, key: &NewKey) -> Result<bool, StoreError> {
        let key = key.clone();
        self.registry
            .write(move |connection| {
                let sql = "INSERT INTO key (hash, id, account, name, prefix, created_at, revoked_at)
                           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING";
                let values = params![
                    key.hash.0,
                    key.id.as_bytes(),
                    key.account.as_bytes(),
                    key.name.as_str(),
                    key.prefix.as_str(),
                    key.created_at.as_micros(),
                    key.revoked_at.map(Time::as_micros),
                ];
                execute(connection, sql, values)
            })
            .await
            .map(|inserted| inserted == 1)
    }

    async fn get_key(&self, hash: &KeyHash) -> Result<Option<Key>, StoreError> {
        // A few microseconds at most: handing it to another thread would cost more than it takes.
        match self.known_keys.lock().get(&self.registry, hash, Duration::ZERO) {
            Err(StoreError::Busy(_)) => {}
            looked_up => return looked_up,
        }
        let (known, registry, hash) = (self.known_keys.clone(), self.registry.clone(), *hash);
        let get = move || known.lock().get(&registry, &hash, PATIENCE);
        tokio::task::spawn_blocking(get).await.map_err(StoreError::backend)?
    }

    async fn list_keys(&self, account: Option<AccountId>) -> Result<Vec<Key>, StoreError> {
        self.registry
            .read(move |connection| {
                macro_rules! keys {
                    ($condition:literal) => {
                        concat!(
                            "SELECT id, account, name, prefix, created_at, last_used_at, revoked_at FROM key ",
                            $condition,
                            " ORDER BY created_at, id"
                        )
                    };
                }
                match account {
                    Some(account) => list(connection, keys!("WHERE account = ?1"), [account.as_bytes()], key),
                    None => list(connection, keys!(""), [], key),
                }
            })
            .await
    }

    async fn revoke_key(&self, id: KeyId, at: Time) -> Result<(), StoreError> {
        self.registry
            .write(move |connection| {
                let sql = "UPDATE key SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
                execute(connection, sql, params![id.as_bytes(), at.as_micros()]).map(drop)
            })
            .await
    }

    async fn record_key_uses(&self, uses: &[(KeyId, Time)]) -> Result<(), StoreError> {
        let uses = uses.to_vec();
        self.registry
            .write(move |connection| {
                let sql = "UPDATE key SET last_used_at = max(?2, coalesce(last_used_at, 0)) WHERE id = ?1";
                uses.iter()
                    .try_for_each(|(id, at)| execute(connection, sql, params![id.as_bytes(), at.as_micros()]).map(drop))
            })
            .await
    }
}

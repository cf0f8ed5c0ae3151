//! Accounts and keys.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use rustc_hash::FxHashMap;

use model::{Account, AccountId, AccountName, Key, KeyHash, KeyId, KeyName, KeyPrefix, Time};
use store::{Accounts, Keys, NewKey, StoreError};

use super::SqliteStore;
use super::database::{Database, error};
use super::row::{blob, damaged, optional_time, time};
use super::statement::{execute, list, value};

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

fn account(row: &Row<'_>) -> Result<Account, StoreError> {
    let name: String = row.get(1).map_err(error)?;
    Ok(Account {
        id: AccountId::from_slice(&blob(row, 0)?).ok_or_else(|| damaged("id", "of another length"))?,
        name: name.parse().map_err(|_| damaged("name", &name))?,
        created_at: time(row, 2)?,
    })
}

impl SqliteStore {
    pub(super) async fn list_account_ids(&self) -> Result<Vec<AccountId>, StoreError> {
        Ok(self.list_accounts().await?.into_iter().map(|account| account.id).collect())
    }
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
        self.known_keys.lock().get(&self.registry, hash)
    }

    async fn list_keys(&self, account: Option<AccountId>) -> Result<Vec<Key>, StoreError> {
        self.registry
            .read(move |connection| {
                let sql = "SELECT id, account, name, prefix, created_at, last_used_at, revoked_at FROM key
                           WHERE ?1 IS NULL OR account = ?1 ORDER BY created_at, id";
                list(connection, sql, [account.map(|account| account.as_bytes().to_vec())], key)
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

/// The keys that were asked for, as the registry has them: remembered until anybody writes to it.
#[derive(Default)]
pub(super) struct KnownKeys {
    /// The one connection that asks for the registry's version: its numbers mean nothing to others.
    connection: Option<Connection>,
    version: i64,
    keys: FxHashMap<KeyHash, Key>,
}

impl KnownKeys {
    fn get(&mut self, registry: &Database, hash: &KeyHash) -> Result<Option<Key>, StoreError> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            closed => closed.insert(registry.connect()?),
        };
        // Another number as soon as another connection, of this process or of another one, has committed.
        let version = value(connection, "PRAGMA data_version", [])?;
        if version != self.version {
            self.keys.clear();
            self.version = version;
        }
        if let Some(known) = self.keys.get(hash) {
            return Ok(Some(known.clone()));
        }
        let sql = "SELECT id, account, name, prefix, created_at, last_used_at, revoked_at FROM key WHERE hash = ?1";
        let found = list(connection, sql, [hash.0], key)?.pop();
        // Those nobody has are not remembered: whoever tries keys at random must not fill the memory.
        self.keys.extend(found.clone().map(|found| (*hash, found)));
        Ok(found)
    }

    pub(super) fn close(&mut self) {
        *self = Self::default();
    }
}

/// Reads id, account, name, prefix and the three times of a key, in this order.
pub(super) fn key(row: &Row<'_>) -> Result<Key, StoreError> {
    let name: String = row.get(2).map_err(error)?;
    Ok(Key {
        id: KeyId::from_slice(&blob(row, 0)?).ok_or_else(|| damaged("id", "of another length"))?,
        account: AccountId::from_slice(&blob(row, 1)?).ok_or_else(|| damaged("account", "of another length"))?,
        name: name.parse::<KeyName>().map_err(|_| damaged("name", &name))?,
        prefix: KeyPrefix::of(&row.get::<_, String>(3).map_err(error)?),
        created_at: time(row, 4)?,
        last_used_at: optional_time(row, 5)?,
        revoked_at: optional_time(row, 6)?,
    })
}

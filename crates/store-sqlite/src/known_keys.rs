//! Keys as they are stored, and those that were asked for lately.

use std::time::Duration;

use rusqlite::{Connection, Row as SqlRow};
use rustc_hash::FxHashMap;

use model::{Key, KeyHash, KeyId, KeyName, KeyPrefix};
use store::StoreError;

use crate::database::{Database, damaged, error};
use crate::row::{account_id, blob, optional_time, time};
use crate::statement::{list, value};

/// The keys that were asked for, as the registry has them: remembered until anybody writes to it.
#[derive(Default)]
pub(crate) struct KnownKeys {
    /// The one connection that asks for the registry's version: its numbers mean nothing to others.
    connection: Option<Connection>,
    version: i64,
    keys: FxHashMap<KeyHash, Key>,
}

impl KnownKeys {
    /// The key with that hash; waits so long where another process is in the way.
    pub(crate) fn get(
        &mut self,
        registry: &Database,
        hash: &KeyHash,
        wait: Duration,
    ) -> Result<Option<Key>, StoreError> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            closed => closed.insert(registry.connect()?),
        };
        connection.busy_timeout(wait).map_err(error)?;
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

    pub(crate) fn close(&mut self) {
        *self = Self::default();
    }
}

/// Reads id, account, name, prefix and the three times of a key, in this order.
pub(crate) fn key(row: &SqlRow<'_>) -> Result<Key, StoreError> {
    let name: String = row.get(2).map_err(error)?;
    Ok(Key {
        id: KeyId::from_slice(&blob(row, 0)?).ok_or_else(|| damaged("id", "of another length"))?,
        account: account_id(row, 1)?,
        name: name.parse::<KeyName>().map_err(|_| damaged("name", &name))?,
        prefix: KeyPrefix::of(&row.get::<_, String>(3).map_err(error)?),
        created_at: time(row, 4)?,
        last_used_at: optional_time(row, 5)?,
        revoked_at: optional_time(row, 6)?,
    })
}

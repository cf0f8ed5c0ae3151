//! Sessions of the app and the links that start them, in the registry.

use async_trait::async_trait;
use rusqlite::{Connection, params};

use model::{AccountId, KeyId, Session, Time, TokenHash};
use store::{NewLink, SESSIONS_MAX, Sessions, StoreError};

use crate::database::error;
use crate::folder::SqliteStore;
use crate::known_keys::key;
use crate::registry::account;
use crate::row::{blob, time};
use crate::statement::{execute, first, list};

#[async_trait]
impl Sessions for SqliteStore {
    async fn insert_link(&self, link: &NewLink) -> Result<(), StoreError> {
        let link = *link;
        self.registry
            .write(move |connection| {
                let sql = "INSERT INTO sign_in_link (hash, account, expires_at) VALUES (?1, ?2, ?3)";
                execute(connection, sql, params![link.hash.0, link.account.as_bytes(), link.expires_at.as_micros()])?;
                let sql = "DELETE FROM sign_in_link WHERE hash IN (
                               SELECT hash FROM sign_in_link WHERE account = ?1
                               ORDER BY expires_at DESC, hash LIMIT -1 OFFSET ?2)";
                execute(connection, sql, params![link.account.as_bytes(), SESSIONS_MAX as i64]).map(drop)
            })
            .await
    }

    async fn redeem_link(&self, link: &TokenHash, session: TokenHash, created_at: Time) -> Result<bool, StoreError> {
        let link = *link;
        let sql = "SELECT account FROM sign_in_link WHERE hash = ?1 AND expires_at > ?2";
        let values = (link.0, created_at.as_micros());
        let account_of = move |connection: &Connection| first(connection, sql, values, |row| blob(row, 0));
        // Whoever tries tokens at random does not make the service write.
        if self.registry.look_up(account_of).await?.is_none() {
            return Ok(false);
        }
        self.registry
            .write(move |connection| {
                let Some(account) = account_of(connection)? else { return Ok(false) };
                execute(connection, "DELETE FROM sign_in_link WHERE hash = ?1", [link.0])?;
                start(connection, session, &account, None, created_at)?;
                Ok(true)
            })
            .await
    }

    async fn insert_session(&self, session: TokenHash, key: KeyId, created_at: Time) -> Result<bool, StoreError> {
        self.registry
            .write(move |connection| {
                let sql = "SELECT account FROM key WHERE id = ?1 AND revoked_at IS NULL";
                let found = first(connection, sql, [key.as_bytes()], |row| blob(row, 0))?;
                let Some(account) = found else { return Ok(false) };
                start(connection, session, &account, Some(key), created_at)?;
                Ok(true)
            })
            .await
    }

    async fn get_session(&self, hash: &TokenHash) -> Result<Option<Session>, StoreError> {
        let hash = *hash;
        self.registry.look_up(move |connection| get(connection, hash)).await
    }

    async fn end_session(&self, hash: &TokenHash) -> Result<(), StoreError> {
        let hash = *hash;
        let sql = "DELETE FROM session WHERE hash = ?1";
        self.registry.write(move |connection| execute(connection, sql, [hash.0]).map(drop)).await
    }

    async fn end_owners_sessions(&self, account: AccountId) -> Result<usize, StoreError> {
        self.registry
            .write(move |connection| {
                let sql = "DELETE FROM session WHERE account = ?1 AND key IS NULL";
                let sessions = execute(connection, sql, [account.as_bytes()])?;
                let sql = "DELETE FROM sign_in_link WHERE account = ?1";
                Ok(sessions + execute(connection, sql, [account.as_bytes()])?)
            })
            .await
    }

    async fn record_session_uses(&self, uses: &[(TokenHash, Time)]) -> Result<(), StoreError> {
        let uses = uses.to_vec();
        self.registry
            .write(move |connection| {
                let sql = "UPDATE session SET last_used_at = max(?2, last_used_at) WHERE hash = ?1";
                uses.iter()
                    .try_for_each(|(hash, at)| execute(connection, sql, params![hash.0, at.as_micros()]).map(drop))
            })
            .await
    }

    async fn forget_stale_sessions(&self, unused_since: Time, now: Time) -> Result<(), StoreError> {
        let (unused_since, now) = (unused_since.as_micros(), now.as_micros());
        let stale = "SELECT hash FROM session WHERE last_used_at < ?1
                     UNION ALL SELECT hash FROM sign_in_link WHERE expires_at <= ?2 LIMIT 1";
        let look = move |connection: &Connection| first(connection, stale, [unused_since, now], |row| blob(row, 0));
        // Most of the time there is nothing to forget, and nothing is written.
        if self.registry.read(look).await?.is_none() {
            return Ok(());
        }
        self.registry
            .write(move |connection| {
                execute(connection, "DELETE FROM session WHERE last_used_at < ?1", [unused_since])?;
                execute(connection, "DELETE FROM sign_in_link WHERE expires_at <= ?1", [now]).map(drop)
            })
            .await
    }
}

/// Stores a session, and ends the one of the same key or owner that was used least recently if there are too many.
fn start(
    connection: &Connection,
    session: TokenHash,
    account: &[u8],
    key: Option<KeyId>,
    created_at: Time,
) -> Result<(), StoreError> {
    let key = key.map(|key| key.as_bytes().to_vec());
    let sql = "INSERT INTO session (hash, account, key, created_at, last_used_at) VALUES (?1, ?2, ?3, ?4, ?4)";
    execute(connection, sql, params![session.0, account, key, created_at.as_micros()])?;
    let sql = "DELETE FROM session WHERE hash IN (
                   SELECT hash FROM session WHERE account = ?1 AND key IS ?2
                   ORDER BY last_used_at DESC, hash LIMIT -1 OFFSET ?3)";
    execute(connection, sql, params![account, key, SESSIONS_MAX as i64]).map(drop)
}

fn get(connection: &Connection, hash: TokenHash) -> Result<Option<Session>, StoreError> {
    let sql = "SELECT key, created_at, last_used_at, account FROM session WHERE hash = ?1";
    let stored = first(connection, sql, [hash.0], |row| {
        let key: Option<Vec<u8>> = row.get(0).map_err(error)?;
        Ok((key, time(row, 1)?, time(row, 2)?, blob(row, 3)?))
    })?;
    let Some((key_id, created_at, last_used_at, account_id)) = stored else { return Ok(None) };
    let sql = "SELECT id, name, created_at FROM account WHERE id = ?1";
    let Some(account) = first(connection, sql, [account_id], account)? else { return Ok(None) };
    let Some(key_id) = key_id else { return Ok(Some(Session { account, key: None, created_at, last_used_at })) };
    let sql = "SELECT id, account, name, prefix, created_at, last_used_at, revoked_at FROM key WHERE id = ?1";
    let key = list(connection, sql, [key_id], key)?.pop().filter(|key| key.revoked_at.is_none());
    Ok(key.map(|key| Session { account, key: Some(key), created_at, last_used_at }))
}

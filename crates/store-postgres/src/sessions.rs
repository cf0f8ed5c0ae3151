//! Sessions of the app and the links that start them.

use async_trait::async_trait;
use uuid::Uuid;

use model::{AccountId, KeyId, Session, Time, TokenHash};
use store::{NewLink, SESSIONS_MAX, Sessions, StoreError};

use crate::connection::Connection;
use crate::place::PostgresStore;
use crate::row::{self, Stored, get, time};
use crate::statement::statements;

statements! {
    INSERT_LINK, Shared: "INSERT INTO sign_in_link (hash, account_id, expires_at) VALUES ($1, $2, $3)";
    FORGET_LINKS, Shared: "DELETE FROM sign_in_link WHERE hash IN (
                               SELECT hash FROM sign_in_link WHERE account_id = $1
                               ORDER BY expires_at DESC, hash OFFSET $2)";
    USE_LINK, Shared: "DELETE FROM sign_in_link WHERE hash = $1 AND expires_at > $2 RETURNING account_id";
    ACCOUNT_OF_KEY, Shared: "SELECT account_id FROM key WHERE id = $1 AND revoked_at IS NULL FOR SHARE";
    INSERT_SESSION, Shared: "INSERT INTO session (hash, account_id, key, created_at, last_used_at)
                             VALUES ($1, $2, $3, $4, $4)";
    FORGET_SESSIONS, Shared: "DELETE FROM session WHERE hash IN (
                                  SELECT hash FROM session WHERE account_id = $1 AND key IS NOT DISTINCT FROM $2
                                  ORDER BY last_used_at DESC, hash OFFSET $3)";
    GET_SESSION, Shared: "SELECT key.id, key.account_id, key.name, key.prefix, key.created_at, key.last_used_at,
                                 key.revoked_at, session.key, session.created_at, session.last_used_at,
                                 account.id, account.name, account.created_at
                          FROM session
                          JOIN account ON account.id = session.account_id
                          LEFT JOIN key ON key.id = session.key
                          WHERE session.hash = $1";
    END_SESSION, Shared: "DELETE FROM session WHERE hash = $1";
    END_OWNERS_SESSIONS, Shared: "DELETE FROM session WHERE account_id = $1 AND key IS NULL";
    END_LINKS, Shared: "DELETE FROM sign_in_link WHERE account_id = $1";
    RECORD_SESSION_USES, Shared: "UPDATE session SET last_used_at = greatest(used.at, session.last_used_at)
                                  FROM unnest($1::bytea[], $2::bigint[]) AS used (hash, at)
                                  WHERE session.hash = used.hash";
    FORGET_STALE_SESSIONS, Shared: "DELETE FROM session WHERE last_used_at < $1";
    FORGET_EXPIRED_LINKS, Shared: "DELETE FROM sign_in_link WHERE expires_at <= $1";
}

/// The most of a kind that are kept.
const KEPT: i64 = SESSIONS_MAX as i64;

#[async_trait]
impl Sessions for PostgresStore {
    async fn insert_link(&self, link: &NewLink) -> Result<(), StoreError> {
        let hash: &[u8] = &link.hash.0;
        let account = link.account.stored();
        let mut transaction = self.transaction().await?;
        transaction.execute(&INSERT_LINK, &[&hash, &account, &link.expires_at.as_micros()]).await?;
        transaction.execute(&FORGET_LINKS, &[&account, &KEPT]).await?;
        transaction.commit().await
    }

    async fn redeem_link(&self, link: &TokenHash, session: TokenHash, created_at: Time) -> Result<bool, StoreError> {
        let hash: &[u8] = &link.0;
        let mut transaction = self.transaction().await?;
        let used = transaction.first(&USE_LINK, &[&hash, &created_at.as_micros()]).await?;
        if let Some(used) = &used {
            start(&mut transaction, session, get(used, 0)?, None, created_at).await?;
        }
        transaction.commit().await?;
        Ok(used.is_some())
    }

    async fn insert_session(&self, session: TokenHash, key: KeyId, created_at: Time) -> Result<bool, StoreError> {
        let mut transaction = self.transaction().await?;
        let account = transaction.first(&ACCOUNT_OF_KEY, &[&key.stored()]).await?;
        if let Some(account) = &account {
            start(&mut transaction, session, get(account, 0)?, Some(key.stored()), created_at).await?;
        }
        transaction.commit().await?;
        Ok(account.is_some())
    }

    async fn get_session(&self, hash: &TokenHash) -> Result<Option<Session>, StoreError> {
        let hash: &[u8] = &hash.0;
        let Some(found) = self.first(&GET_SESSION, &[&hash]).await? else { return Ok(None) };
        let (created_at, last_used_at) = (time(&found, 8)?, time(&found, 9)?);
        let name = row::text(&found, 11)?;
        let account = model::Account {
            id: row::account_id(&found, 10)?,
            name: name.parse().map_err(|_| crate::error::damaged("name", &name))?,
            created_at: time(&found, 12)?,
        };
        let key = match get::<Option<Uuid>>(&found, 7)? {
            None => None,
            Some(_) if get::<Option<Uuid>>(&found, 0)?.is_none() => return Ok(None),
            Some(_) => Some(row::key(&found)?),
        };
        let is_over = key.as_ref().is_some_and(|key| key.revoked_at.is_some());
        Ok((!is_over).then_some(Session { account, key, created_at, last_used_at }))
    }

    async fn end_session(&self, hash: &TokenHash) -> Result<(), StoreError> {
        let hash: &[u8] = &hash.0;
        self.execute(&END_SESSION, &[&hash]).await.map(drop)
    }

    async fn end_owners_sessions(&self, account: AccountId) -> Result<usize, StoreError> {
        let mut transaction = self.transaction().await?;
        let sessions = transaction.execute(&END_OWNERS_SESSIONS, &[&account.stored()]).await?;
        let links = transaction.execute(&END_LINKS, &[&account.stored()]).await?;
        transaction.commit().await?;
        Ok((sessions + links) as usize)
    }

    async fn record_session_uses(&self, uses: &[(TokenHash, Time)]) -> Result<(), StoreError> {
        let mut uses: Vec<(&[u8], i64)> = uses.iter().map(|(hash, at)| (&hash.0[..], at.as_micros())).collect();
        uses.sort();
        let (hashes, times): (Vec<&[u8]>, Vec<i64>) = uses.into_iter().unzip();
        self.execute(&RECORD_SESSION_USES, &[&hashes, &times]).await.map(drop)
    }

    async fn forget_stale_sessions(&self, unused_since: Time, now: Time) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection.execute(&FORGET_STALE_SESSIONS, &[&unused_since.as_micros()]).await?;
        connection.execute(&FORGET_EXPIRED_LINKS, &[&now.as_micros()]).await.map(drop)
    }
}

/// Stores a session, and ends the one of the same key or owner that was used least recently if there are too many.
async fn start(
    transaction: &mut Connection,
    session: TokenHash,
    account: Uuid,
    key: Option<Uuid>,
    created_at: Time,
) -> Result<(), StoreError> {
    let hash: &[u8] = &session.0;
    transaction.execute(&INSERT_SESSION, &[&hash, &account, &key, &created_at.as_micros()]).await?;
    transaction.execute(&FORGET_SESSIONS, &[&account, &key, &KEPT]).await.map(drop)
}

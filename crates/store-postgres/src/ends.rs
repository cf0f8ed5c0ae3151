//! Where the logs of an account stand, and the locks that go with it.
//!
//! Whoever numbers entries holds the account's row of `log_end` until its commit, whoever numbers vectors or touches the queue that of
//! `derived_end`; who needs both takes them in this order. So numbers are in the order of commits, and two writers of an account never
//! decide on different grounds.

use model::AccountId;
use store::StoreError;
use store::backend::Row;

use crate::connection::Connection;
use crate::error::damaged;
use crate::row::{Stored, get, number, small};
use crate::statement::statements;

statements! {
    LOCK_LOG, Account: "SELECT log_end.row, log_end.note, log_end.entry, log_end.created_at
                        FROM log_end WHERE account_id = $1 FOR UPDATE";
    MAKE_LOG, Account: "INSERT INTO log_end (account_id, row, note, entry, created_at, open, completed, archived)
                        VALUES ($1, 0, 0, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING";
    LOCK_DERIVED, Account: "SELECT derived_end.vector, derived_end.next_new
                            FROM derived_end WHERE account_id = $1 FOR UPDATE";
    MAKE_DERIVED, Account: "INSERT INTO derived_end (account_id, vector, next_new, formed)
                            VALUES ($1, 0, 1, 1) ON CONFLICT DO NOTHING";
    NUMBER_ENTRIES, Account: "UPDATE log_end SET entry = $2 WHERE account_id = $1";
    NUMBER_VECTORS, Account: "UPDATE derived_end SET vector = $2 WHERE account_id = $1";
    NOTE_WORK, Account: "INSERT INTO work (account_id) VALUES ($1) ON CONFLICT DO NOTHING";
}

/// Where the log of an account stands; nobody else numbers until the transaction ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LockedLog {
    pub(crate) row: Row,
    pub(crate) note: Row,
    pub(crate) entry: u64,
    pub(crate) created_at: i64,
}

/// Where what is derived stands; nobody else changes it until the transaction ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LockedDerived {
    pub(crate) vector: u64,
    /// The first thought that is due without having a job.
    pub(crate) next_new: Row,
}

pub(crate) async fn lock_log(connection: &mut Connection, account: AccountId) -> Result<LockedLog, StoreError> {
    let account = account.stored();
    let found = match connection.first(&LOCK_LOG, &[&account]).await? {
        Some(found) => Some(found),
        None => {
            connection.execute(&MAKE_LOG, &[&account]).await?;
            connection.first(&LOCK_LOG, &[&account]).await?
        }
    };
    let found = found.ok_or_else(|| damaged("log_end", "missing"))?;
    Ok(LockedLog {
        row: small(&found, 0)?,
        note: small(&found, 1)?,
        entry: number(&found, 2)?,
        created_at: get(&found, 3)?,
    })
}

pub(crate) async fn lock_derived(connection: &mut Connection, account: AccountId) -> Result<LockedDerived, StoreError> {
    let account = account.stored();
    let found = match connection.first(&LOCK_DERIVED, &[&account]).await? {
        Some(found) => Some(found),
        None => {
            connection.execute(&MAKE_DERIVED, &[&account]).await?;
            connection.first(&LOCK_DERIVED, &[&account]).await?
        }
    };
    let found = found.ok_or_else(|| damaged("derived_end", "missing"))?;
    Ok(LockedDerived { vector: number(&found, 0)?, next_new: small(&found, 1)? })
}

/// Notes that entries up to this number have been given; the log must be locked.
pub(crate) async fn number_entries(
    connection: &mut Connection,
    account: AccountId,
    entry: u64,
) -> Result<(), StoreError> {
    connection.execute(&NUMBER_ENTRIES, &[&account.stored(), &crate::row::seq(entry)]).await.map(drop)
}

/// Notes that vectors up to this number have been stored; what is derived must be locked.
pub(crate) async fn number_vectors(
    connection: &mut Connection,
    account: AccountId,
    vector: u64,
) -> Result<(), StoreError> {
    connection.execute(&NUMBER_VECTORS, &[&account.stored(), &crate::row::seq(vector)]).await.map(drop)
}

/// Notes that the account has work.
pub(crate) async fn note_work(connection: &mut Connection, account: AccountId) -> Result<(), StoreError> {
    connection.execute(&NOTE_WORK, &[&account.stored()]).await.map(drop)
}

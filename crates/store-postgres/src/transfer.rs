//! Everything out and in again.

use std::path::Path;

use async_trait::async_trait;

use model::{AccountId, Key, KeyHash};
use store::backend::{FormedPiece, TransferRows};
use store::{Backup, Piece, PieceId, StoreError};

use crate::error::damaged;
use crate::pieces;
use crate::place::PostgresStore;
use crate::row::{self, Stored, get};
use crate::statement::statements;

statements! {
    KEYS, Shared: "SELECT id, account_id, name, prefix, created_at, last_used_at, revoked_at, hash FROM key
                   WHERE account_id = $1 ORDER BY created_at, id";
}

#[async_trait]
impl TransferRows for PostgresStore {
    async fn export(&self, account: AccountId, after: Option<PieceId>) -> Result<Vec<Piece>, StoreError> {
        pieces::after(&mut self.database.connection().await?, account, after).await
    }

    async fn export_keys(&self, account: AccountId) -> Result<Vec<(Key, KeyHash)>, StoreError> {
        let found = self.query(&KEYS, &[&account.stored()]).await?;
        let keys = found.iter().map(|found| {
            let hash: Vec<u8> = get(found, 7)?;
            let hash: [u8; 32] = hash.try_into().map_err(|_| damaged("hash", "of another length"))?;
            Ok((row::key(found)?, KeyHash(hash)))
        });
        keys.collect()
    }

    async fn import(&self, account: AccountId, pieces: Vec<FormedPiece>) -> Result<usize, StoreError> {
        let mut transaction = self.transaction().await?;
        let stored = pieces::insert(&mut transaction, account, &pieces).await?;
        transaction.commit().await?;
        self.work.queued(account);
        Ok(stored)
    }

    async fn backup(&self, _folder: &Path) -> Result<Backup, StoreError> {
        let (schema, address) = (&self.database.schema, &self.database.address);
        Ok(Backup::Elsewhere(format!(
            "copies of a PostgreSQL database are made by its own tools while everything runs: \
             `pg_dump --format=custom --schema={schema} --file=FILE {address}` writes one, `pg_restore` reads it back"
        )))
    }
}

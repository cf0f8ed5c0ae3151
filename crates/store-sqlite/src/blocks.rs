//! Blocks of bytes, and the lexical forms that are stored late.

use async_trait::async_trait;
use rusqlite::params;

use model::AccountId;
use store::StoreError;
use store::backend::{Blocks, Entry, Row, Unformed};
use text::LexicalForm;

use crate::entries;
use crate::folder::SqliteStore;
use crate::statement::{execute, first_value};

#[async_trait]
impl Blocks for SqliteStore {
    async fn get_block(&self, account: AccountId, block: u32, format: u32) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT bytes FROM segment WHERE block = ?1 AND format = ?2";
        let file = self.account(account).await?;
        file.database.read(move |connection| first_value(connection, sql, [block, format])).await
    }

    async fn put_block(&self, account: AccountId, block: u32, format: u32, bytes: Vec<u8>) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO segment (block, format, bytes) VALUES (?1, ?2, ?3)";
        let file = self.account(account).await?;
        let put = file.database.write(move |connection| execute(connection, sql, params![block, format, bytes]));
        put.await.map(drop)
    }

    async fn unformed(&self, account: AccountId) -> Result<Unformed, StoreError> {
        self.account(account).await?.database.read(entries::unlisted).await
    }

    async fn put_forms(
        &self,
        account: AccountId,
        forms: Vec<(Entry, LexicalForm)>,
        next: Row,
    ) -> Result<(), StoreError> {
        self.account(account).await?.database.write(move |connection| entries::list(connection, &forms, next)).await
    }
}

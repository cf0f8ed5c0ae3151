//! What is kept so that it need not be made again: blocks of bytes, and the lexical forms of texts.

use async_trait::async_trait;

use model::AccountId;
use text::LexicalForm;

use super::log::{Entry, Logged, Row};
use crate::error::StoreError;

/// Bytes that a back end keeps and does not look into. All of them can be lost: they are made again from the texts.
#[async_trait]
pub trait Blocks: Send + Sync {
    /// The bytes of a block, if they were stored in that format.
    async fn get_block(&self, account: AccountId, block: u32, format: u32) -> Result<Option<Vec<u8>>, StoreError>;

    /// Stores the bytes of a block in place of those it had.
    async fn put_block(&self, account: AccountId, block: u32, format: u32, bytes: Vec<u8>) -> Result<(), StoreError>;

    /// The next thoughts, in the order of their rows, whose lexical form may not have been stored: as many as are formed well
    /// at once, none if there are none.
    async fn unformed(&self, account: AccountId) -> Result<Unformed, StoreError>;

    /// Stores the forms of the thoughts that [`unformed`](Self::unformed) gave; one that has got another text since keeps the
    /// form of that.
    async fn put_forms(
        &self,
        account: AccountId,
        forms: Vec<(Entry, LexicalForm)>,
        next: Row,
    ) -> Result<(), StoreError>;
}

/// Thoughts whose lexical form may not have been stored.
#[derive(Debug, Clone, Default)]
pub struct Unformed {
    /// Their entries.
    pub thoughts: Vec<Logged>,
    /// The first row after them.
    pub next: Row,
    /// Whether there are more.
    pub more: bool,
}

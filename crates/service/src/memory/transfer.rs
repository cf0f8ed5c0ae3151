//! Everything of an account out and in again, piece by piece.

use model::AccountId;
use store::{Piece, PieceId, StoreError};

use super::handle::Memory;

impl Memory {
    /// The next pieces of the account; none only at the end.
    pub async fn export(&self, account: AccountId, after: Option<PieceId>) -> Result<Vec<Piece>, StoreError> {
        self.store.export(account, after).await
    }

    /// Takes pieces in as they were exported and leaves what exists as it is; how many thoughts were stored.
    pub async fn import(&self, account: AccountId, pieces: Vec<Piece>) -> Result<usize, StoreError> {
        if pieces.is_empty() { Ok(0) } else { self.store.import(account, pieces).await }
    }
}

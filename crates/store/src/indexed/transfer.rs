//! Everything out and in again: the back end's, with the words the core makes of notes.

use std::path::Path;

use async_trait::async_trait;

use model::{AccountId, Key, KeyHash, ThoughtId};

use super::store::IndexedStore;
use crate::apart::computed;
use crate::backend::FormedPiece;
use crate::contract::{Backup, Piece, PieceId, Transfer};
use crate::error::StoreError;

#[async_trait]
impl Transfer for IndexedStore {
    async fn export(&self, account: AccountId, after: Option<PieceId>) -> Result<Vec<Piece>, StoreError> {
        self.rows(account).export(account, after).await
    }

    async fn export_keys(&self, account: AccountId) -> Result<Vec<(Key, KeyHash)>, StoreError> {
        self.backend.export_keys(account).await
    }

    async fn existing(&self, account: AccountId, ids: &[ThoughtId]) -> Result<Vec<ThoughtId>, StoreError> {
        let found = self.rows(account).rows_of(account, ids).await?;
        Ok(found.into_iter().map(|(id, _)| id).collect())
    }

    async fn import(&self, account: AccountId, pieces: Vec<Piece>) -> Result<usize, StoreError> {
        let form = |piece: Piece| {
            let form = match &piece {
                Piece::Note(_, note) => Some(text::lexical_form(&note.text)),
                Piece::Thought(_) | Piece::Revision(..) => None,
            };
            FormedPiece { piece, form }
        };
        let formed = computed(move || pieces.into_iter().map(form).collect()).await?;
        self.rows(account).import(account, formed).await
    }

    async fn backup(&self, folder: &Path) -> Result<Backup, StoreError> {
        self.backend.backup(folder).await
    }
}

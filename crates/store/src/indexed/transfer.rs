//! Everything out and in again: the back end's, with the words the core makes of notes.

use std::path::Path;

use async_trait::async_trait;

use model::{AccountId, Key, KeyHash, ThoughtId};

use super::store::IndexedStore;
use crate::apart::computed;
use crate::contract::{Backup, StoredThought, Transfer};
use crate::error::StoreError;

#[async_trait]
impl Transfer for IndexedStore {
    async fn export(
        &self,
        account: AccountId,
        after: Option<ThoughtId>,
        limit: usize,
    ) -> Result<Vec<StoredThought>, StoreError> {
        self.rows(account).export(account, after, limit).await
    }

    async fn export_keys(&self, account: AccountId) -> Result<Vec<(Key, KeyHash)>, StoreError> {
        self.backend.export_keys(account).await
    }

    async fn import(&self, account: AccountId, thoughts: Vec<StoredThought>) -> Result<usize, StoreError> {
        let form = |stored: StoredThought| {
            let forms = stored.notes.iter().map(|note| text::lexical_form(&note.text)).collect();
            (stored, forms)
        };
        let formed = computed(move || thoughts.into_iter().map(form).collect()).await?;
        self.rows(account).import(account, formed).await
    }

    async fn backup(&self, folder: &Path) -> Result<Backup, StoreError> {
        self.backend.backup(folder).await
    }
}

//! Notes: kept by the back end, with the words the core makes of them.

use async_trait::async_trait;

use model::{AccountId, Note, NoteId, ThoughtId, Time};

use super::store::IndexedStore;
use super::thoughts::formed;
use crate::contract::{NoteListing, Notes, StoredNote};
use crate::error::StoreError;

#[async_trait]
impl Notes for IndexedStore {
    async fn insert_note(
        &self,
        account: AccountId,
        thought: ThoughtId,
        note: StoredNote,
    ) -> Result<Option<Note>, StoreError> {
        let form = formed(note.text.clone()).await?;
        self.rows(account).insert_note(account, thought, note, form).await
    }

    async fn list_notes(&self, account: AccountId, listing: NoteListing) -> Result<Vec<Note>, StoreError> {
        self.rows(account).list_notes(account, listing).await
    }

    async fn get_note(&self, account: AccountId, id: NoteId) -> Result<Option<Note>, StoreError> {
        self.rows(account).get_note(account, id).await
    }

    async fn note_texts(
        &self,
        account: AccountId,
        ids: &[NoteId],
    ) -> Result<Vec<(NoteId, String, String)>, StoreError> {
        self.rows(account).note_texts(account, ids).await
    }

    async fn remove_note(&self, account: AccountId, id: NoteId, at: Time) -> Result<Option<Note>, StoreError> {
        self.rows(account).remove_note(account, id, at).await
    }
}

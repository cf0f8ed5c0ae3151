//! The notes of thoughts: attaching, listing, reading and taking away.

use model::{AccountId, NewNote, Note, NoteId, ThoughtId};
use store::{NoteListing, StoreError, StoredNote};

use super::handle::Memory;

impl Memory {
    /// Attaches a text note to a thought.
    pub async fn attach_note(
        &self,
        account: AccountId,
        thought: ThoughtId,
        note: NewNote,
    ) -> Result<Option<Note>, StoreError> {
        let note = StoredNote {
            id: NoteId::from_uuid(self.ids.fresh()),
            name: note.name,
            text: note.text.as_str().to_owned(),
            created_at: self.clock.now(),
            removed_at: None,
        };
        self.store.insert_note(account, thought, note).await
    }

    /// A page of the notes of one thought or of all, oldest first.
    pub async fn list_notes(&self, account: AccountId, listing: NoteListing) -> Result<Vec<Note>, StoreError> {
        self.store.list_notes(account, listing).await
    }

    /// A note with its text.
    pub async fn read_note(&self, account: AccountId, id: NoteId) -> Result<Option<(Note, String)>, StoreError> {
        let Some(note) = self.store.get_note(account, id).await? else { return Ok(None) };
        let text = self.store.note_texts(account, &[id]).await?.pop();
        Ok(text.map(|(_, _, text)| (note, text)))
    }

    /// Takes a note away from its thought.
    pub async fn remove_note(&self, account: AccountId, id: NoteId) -> Result<Option<Note>, StoreError> {
        self.store.remove_note(account, id, self.clock.now()).await
    }
}

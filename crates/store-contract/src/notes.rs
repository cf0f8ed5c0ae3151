//! The text notes attached to thoughts.

use uuid::Uuid;

use model::{NoteId, Status, ThoughtId, Time};
use store::{NoteListing, StoredNote};

use super::given::Given;

pub(super) fn note(name: &str, text: &str) -> StoredNote {
    StoredNote {
        id: NoteId::from_uuid(Uuid::now_v7()),
        name: name.into(),
        text: text.into(),
        created_at: Time::from_micros(5),
        removed_at: None,
    }
}

async fn attach(given: &Given, thought: ThoughtId, note: StoredNote) -> NoteId {
    given.store.insert_note(given.account, thought, note).await.unwrap().expect("the thought exists").id
}

pub(crate) async fn a_note_is_found_by_its_words(given: &Given) {
    let garden = given.a_thought("garden plan").await;
    let other = given.a_thought("kitchen plan").await;
    assert_eq!(given.search("hibiscus").await, []);
    let id = attach(given, garden.id, note("plants.txt", "hibiscus and fern")).await;
    assert_eq!(given.search("hibiscus").await, [garden.id]);
    assert_eq!(given.search("kitchen").await, [other.id]);
    let texts = given.store.note_texts(given.account, &[id]).await.unwrap();
    assert_eq!(texts, [(id, "plants.txt".to_owned(), "hibiscus and fern".to_owned())]);
    let about = given.store.get_note(given.account, id).await.unwrap().unwrap();
    assert_eq!((about.thought, about.name.as_str(), about.text_bytes), (garden.id, "plants.txt", 17));
    assert_eq!(given.store.get_note(given.other_account, id).await.unwrap(), None);
    assert_eq!(given.store.note_texts(given.other_account, &[id]).await.unwrap(), []);
}

pub(crate) async fn a_removed_note_is_not_found_and_not_listed(given: &Given) {
    let garden = given.a_thought("garden plan").await;
    let id = attach(given, garden.id, note("plants.txt", "hibiscus")).await;
    assert_eq!(given.search("hibiscus").await, [garden.id]);
    let removed = given.store.remove_note(given.account, id, Time::from_micros(9)).await.unwrap();
    assert_eq!(removed.map(|note| note.id), Some(id));
    assert_eq!(given.search("hibiscus").await, []);
    assert_eq!(given.store.list_notes(given.account, listing(None)).await.unwrap(), []);
    assert_eq!(given.store.get_note(given.account, id).await.unwrap(), None);
    assert_eq!(given.store.remove_note(given.account, id, Time::from_micros(9)).await.unwrap(), None);
}

pub(crate) async fn a_note_of_an_archived_thought_is_not_found(given: &Given) {
    let garden = given.a_thought("garden plan").await;
    attach(given, garden.id, note("plants.txt", "hibiscus")).await;
    let archived = given.with_status(&garden, Status::Archived).await;
    assert_eq!(given.search("hibiscus").await, []);
    given.with_status(&archived, Status::Open).await;
    assert_eq!(given.search("hibiscus").await, [garden.id]);
}

pub(crate) async fn a_note_needs_its_thought(given: &Given) {
    let garden = given.a_thought("garden plan").await;
    let nobody = ThoughtId::from_uuid(Uuid::now_v7());
    assert_eq!(given.store.insert_note(given.account, nobody, note("a", "b")).await.unwrap(), None);
    assert_eq!(given.store.insert_note(given.other_account, garden.id, note("a", "b")).await.unwrap(), None);
}

pub(crate) async fn notes_are_listed_by_thought(given: &Given) {
    let garden = given.a_thought("garden plan").await;
    let kitchen = given.a_thought("kitchen plan").await;
    let plants = attach(given, garden.id, note("plants.txt", "hibiscus")).await;
    let pans = attach(given, kitchen.id, note("pans.txt", "cast iron")).await;
    let listed = async |thought| {
        let notes = given.store.list_notes(given.account, listing(thought)).await.unwrap();
        notes.into_iter().map(|note| note.id).collect::<Vec<_>>()
    };
    assert_eq!(listed(None).await, [plants, pans]);
    assert_eq!(listed(Some(kitchen.id)).await, [pans]);
    let page = async |after| {
        let listing = NoteListing { after, limit: 1, ..listing(None) };
        given
            .store
            .list_notes(given.account, listing)
            .await
            .unwrap()
            .into_iter()
            .map(|note| note.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (page(None).await, page(Some(plants)).await, page(Some(pans)).await),
        (vec![plants], vec![pans], vec![])
    );
    assert_eq!(given.store.list_notes(given.other_account, listing(None)).await.unwrap(), []);
}

fn listing(thought: Option<ThoughtId>) -> NoteListing {
    NoteListing { thought, after: None, limit: 100 }
}

//! Everything out and in again, copies, and counts.

use std::sync::Arc;

use model::{Author, KeyHash, Status, Thought, Time};
use store::{Backup, Piece, Stats, Store, Updated};

use super::accounts::key;
use super::given::{Given, agent, change, new};
use super::notes::note;

/// A little of everything.
async fn a_full_store(given: &Given) {
    given.an_account(given.account, "ana").await;
    let thought = given.a_thought("Ana lives in Lisbon").await;
    let update = change(&thought, Some("Ana lives in Porto"), Some(Status::Completed));
    assert!(matches!(given.store.update(given.account, thought.id, update).await.unwrap(), Updated::Done(_)));
    let theirs = given.store.insert(given.account, new("tea", agent("laptop"))).await.unwrap();
    let kept = note("kept.txt", "hibiscus");
    let removed = note("removed.txt", "fern");
    let gone = removed.id;
    for note in [kept, removed] {
        given.store.insert_note(given.account, theirs.id, note).await.unwrap();
    }
    given.store.remove_note(given.account, gone, Time::from_micros(9)).await.unwrap();
}

/// All pieces of the account, however they are cut into pages.
async fn everything(store: &Arc<dyn Store>, given: &Given) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    loop {
        let page = store.export(given.account, all.last().map(Piece::id)).await.unwrap();
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

fn thoughts(pieces: &[Piece]) -> Vec<&Thought> {
    pieces.iter().filter_map(|piece| if let Piece::Thought(thought) = piece { Some(thought) } else { None }).collect()
}

pub(crate) async fn what_is_exported_is_imported_the_same(given: &Given) {
    a_full_store(given).await;
    let exported = everything(&given.store, given).await;
    assert_eq!((exported.len(), thoughts(&exported).len()), (5, 2), "{exported:?}");
    let fresh = given.elsewhere().await;
    assert_eq!(fresh.store.import(given.account, exported.clone()).await.unwrap(), 2);
    assert_eq!(everything(&fresh.store, given).await, exported);
    let late = fresh.store.insert(given.account, new("late", Author::User)).await.unwrap();
    assert!(thoughts(&exported).iter().all(|thought| thought.created_at < late.created_at));
}

pub(crate) async fn importing_twice_stores_nothing_twice(given: &Given) {
    a_full_store(given).await;
    let exported = everything(&given.store, given).await;
    assert_eq!(given.store.import(given.account, exported.clone()).await.unwrap(), 0);
    assert_eq!(everything(&given.store, given).await, exported);
}

pub(crate) async fn an_export_goes_on_after_any_of_its_pieces(given: &Given) {
    a_full_store(given).await;
    let exported = everything(&given.store, given).await;
    for (index, piece) in exported.iter().enumerate() {
        assert_eq!(given.store.export(given.account, Some(piece.id())).await.unwrap(), exported[index + 1..]);
    }
}

pub(crate) async fn an_import_that_broke_off_anywhere_goes_on(given: &Given) {
    a_full_store(given).await;
    let exported = everything(&given.store, given).await;
    for index in 0..exported.len() {
        let fresh = given.elsewhere().await;
        let before = fresh.store.import(given.account, exported[..index].to_vec()).await.unwrap();
        let rest = fresh.store.import(given.account, exported.clone()).await.unwrap();
        assert_eq!(before + rest, 2);
        assert_eq!(everything(&fresh.store, given).await, exported);
    }
}

pub(crate) async fn an_import_adds_nothing_to_the_history_of_a_thought_that_is_here(given: &Given) {
    let here = given.a_thought("Ana lives in Lisbon").await;
    let elsewhere = given.elsewhere().await;
    elsewhere.store.import(given.account, everything(&given.store, given).await).await.unwrap();
    for text in ["Ana lives in Porto", "Ana lives in Faro"] {
        let thought = elsewhere.store.get(given.account, here.id).await.unwrap().unwrap();
        elsewhere.store.update(given.account, here.id, change(&thought, Some(text), None)).await.unwrap();
    }
    given.with_status(&here, Status::Completed).await;
    let before = everything(&given.store, given).await;
    let theirs = everything(&elsewhere.store, given).await;
    assert_eq!((before.len(), theirs.len()), (2, 3));
    given.store.import(given.account, theirs).await.unwrap();
    assert_eq!(everything(&given.store, given).await, before);
}

pub(crate) async fn a_long_history_is_exported_in_many_pages(given: &Given) {
    let mut thought = given.a_thought("tea").await;
    for number in 0..60 {
        let text = format!("{number} {}", "tea ".repeat(16_000));
        let updated = given.store.update(given.account, thought.id, change(&thought, Some(&text), None)).await.unwrap();
        let Updated::Done(updated) = updated else { panic!("nobody else changes it") };
        thought = *updated;
    }
    let first = given.store.export(given.account, None).await.unwrap();
    assert!(first.len() < 40, "{} pieces of 128 KiB at once", first.len());
    let all = everything(&given.store, given).await;
    let numbers: Vec<u32> = all
        .iter()
        .filter_map(|piece| if let Piece::Revision(_, revision) = piece { Some(revision.number) } else { None })
        .collect();
    assert_eq!(numbers, (1..=60).collect::<Vec<u32>>());
}

pub(crate) async fn keys_are_exported_with_what_stands_for_their_secrets(given: &Given) {
    given.an_account(given.account, "ana").await;
    given.an_account(given.other_account, "ben").await;
    for (account, secret, hash) in [(given.account, "aft_AAAAAA", 1), (given.other_account, "aft_BBBBBB", 2)] {
        assert!(given.store.insert_key(&key(account, secret, hash)).await.unwrap());
    }
    let [listed] = given.store.list_keys(Some(given.account)).await.unwrap().try_into().unwrap();
    assert_eq!(given.store.export_keys(given.account).await.unwrap(), [(listed, KeyHash([1; 32]))]);
}

pub(crate) async fn a_backup_is_a_store_of_its_own(given: &Given) {
    a_full_store(given).await;
    let folder = tempfile::tempdir().unwrap();
    let made = given.store.backup(folder.path()).await.unwrap();
    if let Backup::Elsewhere(how) = made {
        assert!(!how.is_empty(), "whoever cannot copy says who can");
        return;
    }
    given.a_thought("after the copy").await;
    let copy = given.under_test.open_copy(folder.path()).await;
    assert_eq!(thoughts(&everything(&copy, given).await).len(), 2);
    assert_eq!(copy.list_accounts().await.unwrap(), given.store.list_accounts().await.unwrap());
    assert_eq!(thoughts(&everything(&given.store, given).await).len(), 3);
}

pub(crate) async fn counts_are_told(given: &Given) {
    a_full_store(given).await;
    let stats = given.store.stats().await.unwrap();
    assert!(stats.store_bytes > 0);
    let expected = Stats { accounts: 1, open: 1, completed: 1, pending_enrichment: 2, ..Stats::default() };
    assert_eq!(Stats { store_bytes: 0, held_bytes: 0, ..stats }, expected);
}

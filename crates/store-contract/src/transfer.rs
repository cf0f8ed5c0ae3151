//! Everything out and in again, copies, and counts.

use std::sync::Arc;

use model::{Author, KeyHash, Status, Time};
use store::{Backup, Stats, Store, StoredThought, Updated};

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

async fn everything(store: &Arc<dyn Store>, given: &Given) -> Vec<StoredThought> {
    let first = store.export(given.account, None, 1).await.unwrap();
    let after = first.last().map(|stored| stored.thought.id);
    [first, store.export(given.account, after, 100).await.unwrap()].concat()
}

pub(crate) async fn what_is_exported_is_imported_the_same(given: &Given) {
    a_full_store(given).await;
    let exported = everything(&given.store, given).await;
    assert_eq!(exported.len(), 2);
    let fresh = given.elsewhere().await;
    assert_eq!(fresh.store.import(given.account, exported.clone()).await.unwrap(), 2);
    assert_eq!(everything(&fresh.store, given).await, exported);
    let late = fresh.store.insert(given.account, new("late", Author::User)).await.unwrap();
    assert!(exported.iter().all(|stored| stored.thought.created_at < late.created_at));
}

pub(crate) async fn importing_twice_stores_nothing_twice(given: &Given) {
    a_full_store(given).await;
    let exported = everything(&given.store, given).await;
    assert_eq!(given.store.import(given.account, exported.clone()).await.unwrap(), 0);
    assert_eq!(everything(&given.store, given).await, exported);
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
    assert_eq!(everything(&copy, given).await.len(), 2);
    assert_eq!(copy.list_accounts().await.unwrap(), given.store.list_accounts().await.unwrap());
    assert_eq!(everything(&given.store, given).await.len(), 3);
}

pub(crate) async fn counts_are_told(given: &Given) {
    a_full_store(given).await;
    let stats = given.store.stats().await.unwrap();
    assert!(stats.store_bytes > 0);
    let expected = Stats { accounts: 1, open: 1, completed: 1, pending_enrichment: 2, ..Stats::default() };
    assert_eq!(Stats { store_bytes: 0, ..stats }, expected);
}

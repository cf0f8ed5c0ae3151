//! Accounts and keys.

use uuid::Uuid;

use model::{AccountId, Key, KeyHash, KeyId, KeyPrefix, Time};
use store::{NewKey, Store};

use super::given::Given;

pub(super) fn key(account: AccountId, secret: &str, hash: u8) -> NewKey {
    NewKey {
        id: KeyId::from_uuid(Uuid::now_v7()),
        account,
        name: "laptop".parse().unwrap(),
        prefix: KeyPrefix::of(secret),
        hash: KeyHash([hash; 32]),
        created_at: Time::from_micros(1),
        revoked_at: None,
    }
}

async fn stored(store: &dyn Store, hash: u8) -> Option<Key> {
    store.get_key(&KeyHash([hash; 32])).await.unwrap()
}

pub(crate) async fn an_account_name_is_taken_only_once(given: &Given) {
    let account = given.an_account(given.account, "ana").await;
    let again = model::Account { id: given.other_account, ..account.clone() };
    assert!(!given.store.insert_account(&again).await.unwrap());
    assert_eq!(given.store.list_accounts().await.unwrap(), std::slice::from_ref(&account));
    assert_eq!(given.store.get_account(&account.name).await.unwrap(), Some(account));
}

pub(crate) async fn a_key_is_found_by_its_hash_alone(given: &Given) {
    given.an_account(given.account, "ana").await;
    assert!(given.store.insert_key(&key(given.account, "aft_AAAAAA", 1)).await.unwrap());
    assert_eq!(stored(given.store.as_ref(), 1).await.unwrap().account, given.account);
    assert_eq!(stored(given.store.as_ref(), 2).await, None);
}

pub(crate) async fn a_taken_prefix_is_reported(given: &Given) {
    given.an_account(given.account, "ana").await;
    assert!(given.store.insert_key(&key(given.account, "aft_AAAAAA", 1)).await.unwrap());
    assert!(!given.store.insert_key(&key(given.account, "aft_AAAAAA", 2)).await.unwrap());
    assert_eq!(given.store.list_keys(None).await.unwrap().len(), 1);
}

pub(crate) async fn a_revoked_key_keeps_its_first_time(given: &Given) {
    given.an_account(given.account, "ana").await;
    let key = key(given.account, "aft_AAAAAA", 1);
    given.store.insert_key(&key).await.unwrap();
    for micros in [5, 9] {
        given.store.revoke_key(key.id, Time::from_micros(micros)).await.unwrap();
    }
    assert_eq!(stored(given.store.as_ref(), 1).await.unwrap().revoked_at, Some(Time::from_micros(5)));
}

pub(crate) async fn the_last_use_never_moves_back(given: &Given) {
    given.an_account(given.account, "ana").await;
    let key = key(given.account, "aft_AAAAAA", 1);
    given.store.insert_key(&key).await.unwrap();
    for micros in [9, 5] {
        given.store.record_key_uses(&[(key.id, Time::from_micros(micros))]).await.unwrap();
    }
    assert_eq!(stored(given.store.as_ref(), 1).await.unwrap().last_used_at, Some(Time::from_micros(9)));
}

pub(crate) async fn a_failed_write_takes_nothing_else_with_it(given: &Given) {
    given.an_account(given.account, "ana").await;
    // Every other key names an account that does not exist; all are written at once, so that they share commits.
    let inserts = (0..40_u8).map(|number| {
        let account = if number % 2 == 0 { given.account } else { given.other_account };
        let (store, key) = (given.store.clone(), key(account, &format!("aft_{number:06}"), number));
        tokio::spawn(async move { store.insert_key(&key).await.is_ok() })
    });
    for (number, insert) in inserts.collect::<Vec<_>>().into_iter().enumerate() {
        assert_eq!(insert.await.unwrap(), number % 2 == 0);
    }
    assert_eq!(given.store.list_keys(None).await.unwrap().len(), 20);
}

pub(crate) async fn another_process_sees_keys_at_once(given: &Given) {
    given.an_account(given.account, "ana").await;
    let other = given.another_process().await;
    assert_eq!(stored(other.as_ref(), 1).await, None);
    let key = key(given.account, "aft_AAAAAA", 1);
    given.store.insert_key(&key).await.unwrap();
    assert_eq!(stored(other.as_ref(), 1).await.unwrap().revoked_at, None);
    given.store.revoke_key(key.id, Time::from_micros(7)).await.unwrap();
    assert_eq!(stored(other.as_ref(), 1).await.unwrap().revoked_at, Some(Time::from_micros(7)));
}

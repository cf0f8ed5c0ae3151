//! Sessions of the app and the links that start them.

use model::{Session, Time, TokenHash};
use store::{NewLink, SESSIONS_MAX, Store};

use super::accounts::key;
use super::given::Given;

fn token(number: u8) -> TokenHash {
    TokenHash([number; 32])
}

fn at(micros: i64) -> Time {
    Time::from_micros(micros)
}

async fn session(store: &dyn Store, number: u8) -> Option<Session> {
    store.get_session(&token(number)).await.unwrap()
}

/// Stores a link of the account that expires at 100.
async fn a_link(given: &Given, number: u8) {
    let link = NewLink { hash: token(number), account: given.account, expires_at: at(100) };
    given.store.insert_link(&link).await.unwrap();
}

pub(crate) async fn a_link_starts_one_session_of_the_owner(given: &Given) {
    let account = given.an_account(given.account, "ana").await;
    a_link(given, 1).await;
    assert!(!given.store.redeem_link(&token(2), token(10), at(5)).await.unwrap());
    assert!(given.store.redeem_link(&token(1), token(11), at(5)).await.unwrap());
    assert!(!given.store.redeem_link(&token(1), token(12), at(6)).await.unwrap());
    let expected = Session { account, key: None, created_at: at(5), last_used_at: at(5) };
    assert_eq!(session(given.store.as_ref(), 11).await, Some(expected));
    assert_eq!(session(given.store.as_ref(), 10).await, None);
    assert_eq!(session(given.store.as_ref(), 12).await, None);
}

pub(crate) async fn of_many_who_use_a_link_at_once_one_gets_in(given: &Given) {
    given.an_account(given.account, "ana").await;
    a_link(given, 1).await;
    let uses = (0..20).map(|number| {
        let store = given.store.clone();
        tokio::spawn(async move { store.redeem_link(&token(1), token(100 + number), at(5)).await.unwrap() })
    });
    let mut let_in = 0;
    for one in uses.collect::<Vec<_>>() {
        let_in += usize::from(one.await.unwrap());
    }
    assert_eq!(let_in, 1);
}

pub(crate) async fn an_expired_link_lets_nobody_in(given: &Given) {
    given.an_account(given.account, "ana").await;
    a_link(given, 1).await;
    assert!(!given.store.redeem_link(&token(1), token(10), at(100)).await.unwrap());
    assert!(given.store.redeem_link(&token(1), token(10), at(99)).await.unwrap());
}

pub(crate) async fn a_newer_link_leaves_older_ones_valid(given: &Given) {
    given.an_account(given.account, "ana").await;
    for number in [1, 2] {
        a_link(given, number).await;
    }
    for number in [1, 2] {
        assert!(given.store.redeem_link(&token(number), token(10 + number), at(5)).await.unwrap());
    }
}

pub(crate) async fn a_keys_session_ends_with_the_key_in_every_process(given: &Given) {
    given.an_account(given.account, "ana").await;
    let key = key(given.account, "aft_AAAAAA", 1);
    given.store.insert_key(&key).await.unwrap();
    assert!(given.store.insert_session(token(1), key.id, at(5)).await.unwrap());
    let other = given.another_process().await;
    let found = session(other.as_ref(), 1).await.unwrap();
    assert_eq!((found.account.id, found.key.unwrap().id), (given.account, key.id));
    given.store.revoke_key(key.id, at(7)).await.unwrap();
    assert_eq!(session(other.as_ref(), 1).await, None);
    assert!(!given.store.insert_session(token(2), key.id, at(8)).await.unwrap());
}

pub(crate) async fn signing_out_ends_that_session_alone(given: &Given) {
    given.an_account(given.account, "ana").await;
    for number in [1, 2] {
        a_link(given, number).await;
        assert!(given.store.redeem_link(&token(number), token(10 + number), at(5)).await.unwrap());
    }
    given.store.end_session(&token(11)).await.unwrap();
    assert_eq!(session(given.store.as_ref(), 11).await, None);
    assert!(session(given.store.as_ref(), 12).await.is_some());
}

pub(crate) async fn all_of_an_owners_sessions_and_links_end_at_once(given: &Given) {
    given.an_account(given.account, "ana").await;
    given.an_account(given.other_account, "eve").await;
    let key = key(given.account, "aft_AAAAAA", 1);
    given.store.insert_key(&key).await.unwrap();
    given.store.insert_session(token(1), key.id, at(5)).await.unwrap();
    for number in [2, 3] {
        a_link(given, number).await;
    }
    let others = NewLink { hash: token(4), account: given.other_account, expires_at: at(100) };
    given.store.insert_link(&others).await.unwrap();
    assert!(given.store.redeem_link(&token(2), token(12), at(5)).await.unwrap());
    assert_eq!(given.store.end_owners_sessions(given.account).await.unwrap(), 2);
    assert_eq!(session(given.store.as_ref(), 12).await, None);
    assert!(!given.store.redeem_link(&token(3), token(13), at(5)).await.unwrap());
    assert!(session(given.store.as_ref(), 1).await.is_some(), "a key's session is its own");
    assert!(given.store.redeem_link(&token(4), token(14), at(5)).await.unwrap(), "and so is another account's link");
}

pub(crate) async fn a_use_is_noted_and_brings_nothing_back(given: &Given) {
    given.an_account(given.account, "ana").await;
    a_link(given, 1).await;
    assert!(given.store.redeem_link(&token(1), token(11), at(5)).await.unwrap());
    for micros in [9, 7] {
        given.store.record_session_uses(&[(token(11), at(micros)), (token(12), at(micros))]).await.unwrap();
    }
    assert_eq!(session(given.store.as_ref(), 11).await.unwrap().last_used_at, at(9));
    assert_eq!(session(given.store.as_ref(), 12).await, None);
}

pub(crate) async fn what_is_out_of_date_is_forgotten(given: &Given) {
    given.an_account(given.account, "ana").await;
    for number in [1, 2, 3] {
        a_link(given, number).await;
    }
    assert!(given.store.redeem_link(&token(1), token(11), at(5)).await.unwrap());
    assert!(given.store.redeem_link(&token(2), token(12), at(9)).await.unwrap());
    given.store.forget_stale_sessions(at(9), at(100)).await.unwrap();
    assert_eq!(session(given.store.as_ref(), 11).await, None);
    assert!(session(given.store.as_ref(), 12).await.is_some());
    assert!(!given.store.redeem_link(&token(3), token(13), at(5)).await.unwrap());
}

pub(crate) async fn the_sessions_of_a_key_are_bounded(given: &Given) {
    given.an_account(given.account, "ana").await;
    let key = key(given.account, "aft_AAAAAA", 1);
    given.store.insert_key(&key).await.unwrap();
    let most = u8::try_from(SESSIONS_MAX).unwrap();
    for number in 0..=most {
        given.store.insert_session(token(number), key.id, at(i64::from(number))).await.unwrap();
    }
    assert_eq!(session(given.store.as_ref(), 0).await, None);
    assert!(session(given.store.as_ref(), 1).await.is_some() && session(given.store.as_ref(), most).await.is_some());
}

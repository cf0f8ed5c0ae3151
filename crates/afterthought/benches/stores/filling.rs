//! The same contents for both stores: thoughts with vectors, entities and links, made up.

use uuid::Uuid;

use afterthought::app::App;
use afterthought::stores::Location;
use model::{Account, AccountId, Caller, Clock, KeyName, SystemClock};
use store::Store;

use super::Sizes;
use super::contents::stored;
use super::corpus::Corpus;
use super::derived::derive;
use super::multiplied::{Folder, Multiplied};
use super::settled::settle;

/// The thoughts of the account between the large one and the others.
pub(crate) const ENOUGH: usize = 10_000;

/// The first of the accounts that hold nothing at the beginning.
pub(crate) const FRESH: usize = 1_000_000_000;

/// How many thoughts are imported in one commit.
const AT_ONCE: usize = 10_000;

/// Whoever owns the account of that number.
pub(crate) fn owner(number: usize) -> Caller {
    let account = AccountId::from_uuid(Uuid::from_u128(number as u128 + 1));
    Caller { account, key: None, key_name: KeyName::owner() }
}

/// No more than so many thoughts of an account and so many accounts are stored one by one and the rest is multiplied.
const ONE_BY_ONE: usize = 100_000;
const ACCOUNTS_ONE_BY_ONE: usize = 100;

/// The large account, the one of ten thousand, and the others. The larger part is multiplied: by the server, and in the files of a folder.
pub(crate) async fn fill(location: &Location, address: &str, sizes: &Sizes) {
    let (large, accounts) = (sizes.large.min(ONE_BY_ONE), sizes.accounts.min(ACCOUNTS_ONE_BY_ONE));
    fill_one_by_one(location, large, accounts, sizes.each).await;
    let copied = |number: usize| (owner(2 + number % accounts).account, owner(2 + number).account);
    let copied: Vec<_> = (accounts..sizes.accounts).map(copied).collect();
    let times = sizes.large / large;
    match location {
        Location::Embedded(folder) => {
            let app = App::open(location).await.unwrap();
            for (_, account) in &copied {
                make(app.store.as_ref(), *account, format!("account {account}")).await;
            }
            app.store.close().await.unwrap();
            let folder = Folder(folder);
            folder.copy(&copied);
            if times > 1 {
                folder.enlarge(owner(0).account, times);
            }
        }
        _ => {
            let database = Multiplied::connect(address).await;
            database.copy(&copied).await;
            if times > 1 {
                database.enlarge(owner(0).account, times).await;
            }
            database.settle().await;
        }
    }
    let app = App::open(location).await.unwrap();
    settle(app.store.as_ref(), owner(0).account).await;
    app.store.close().await.unwrap();
}

async fn make(store: &dyn Store, account: AccountId, name: String) {
    let made = Account { id: account, name: name.parse().unwrap(), created_at: SystemClock.now() };
    assert!(store.insert_account(&made).await.unwrap());
}

async fn fill_one_by_one(location: &Location, large: usize, accounts: usize, each: usize) {
    let app = App::open(location).await.unwrap();
    let others = std::iter::repeat_n(each, accounts);
    for (number, thoughts) in [large, ENOUGH].into_iter().chain(others).enumerate() {
        let account = owner(number).account;
        make(app.store.as_ref(), account, format!("account {number}")).await;
        import(app.store.as_ref(), account, thoughts).await;
        derive(app.store.as_ref(), account).await;
        settle(app.store.as_ref(), account).await;
    }
    app.store.close().await.unwrap();
}

async fn import(store: &dyn Store, account: AccountId, thoughts: usize) {
    let mut corpus = Corpus::new(account.as_bytes().iter().map(|byte| u64::from(*byte)).sum());
    for first in (0..thoughts).step_by(AT_ONCE) {
        let some = (first..thoughts.min(first + AT_ONCE)).map(|number| stored(&corpus.text(), number as i64));
        store.import(account, some.collect()).await.unwrap();
    }
}

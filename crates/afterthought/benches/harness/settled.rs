//! An account as it is some time after it was filled.

use std::time::{Duration, Instant};

use model::{AccountId, AuthorFilter};
use store::{LexicalQuery, Store, Visible};

/// Has the forms and full blocks of an account stored, as a running service would have after a while.
pub(crate) async fn settle(store: &dyn Store, account: AccountId) {
    let terms = text::query_terms("anything");
    let query = LexicalQuery { terms, visible: Visible::open(AuthorFilter::All), among: None, limit: 1, as_of: None };
    store.search(account, &query).await.unwrap();
    let begun = Instant::now();
    loop {
        let round = Instant::now();
        store.upkeep().await.unwrap();
        // A round that had something to store takes a fifth of a second.
        if round.elapsed() < Duration::from_millis(150) || begun.elapsed() > Duration::from_secs(600) {
            return;
        }
    }
}

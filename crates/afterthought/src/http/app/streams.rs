//! Room for a bounded number of pages that follow the changes of an account. Where all of it is taken, the page that has followed for
//! longest makes way: more often than not nobody is behind it any more, and a page that is open comes back by itself.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use tokio::sync::Notify;

use model::AccountId;

/// How many pages of one account may follow at once.
const STREAMS_MAX: usize = 32;

/// The pages that follow, by account, the longest first.
#[derive(Clone, Default)]
pub(super) struct Streams(Arc<Mutex<FxHashMap<AccountId, VecDeque<Arc<Notify>>>>>);

/// The place of one page, given back when it is dropped.
pub(super) struct Place {
    pub(super) account: AccountId,
    dismissal: Arc<Notify>,
    streams: Streams,
}

impl Streams {
    pub(super) fn take(&self, account: AccountId) -> Place {
        let dismissal = Arc::new(Notify::new());
        let mut taken = self.0.lock();
        let pages = taken.entry(account).or_default();
        if pages.len() >= STREAMS_MAX {
            // It hears of it even if it does not listen yet.
            pages.pop_front().iter().for_each(|longest| longest.notify_one());
        }
        pages.push_back(dismissal.clone());
        drop(taken);
        Place { account, dismissal, streams: self.clone() }
    }
}

impl Place {
    /// Waits until it has to make way.
    pub(super) async fn dismissed(&self) {
        self.dismissal.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.streams.0.lock();
        let Some(pages) = taken.get_mut(&self.account) else { return };
        pages.retain(|page| !Arc::ptr_eq(page, &self.dismissal));
        if pages.is_empty() {
            taken.remove(&self.account);
        }
    }
}

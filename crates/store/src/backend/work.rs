//! Which accounts have work as far as this process knows, and the signal that there is some.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use tokio::sync::watch;

use model::AccountId;

/// What this process has queued, and where it knows of work; a back end holds one.
pub struct Work {
    /// Counts what was queued.
    queued: watch::Sender<u64>,
    known: Mutex<Known>,
}

/// The accounts that have work, unless somebody else has done it since.
#[derive(Default)]
struct Known {
    accounts: FxHashMap<AccountId, Noted>,
    last: Noted,
}

/// Tells one note of an account from every other: who finds that there is no work any more must not forget what was queued
/// after the look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Noted(u64);

impl Default for Work {
    fn default() -> Self {
        Self { queued: watch::Sender::new(0), known: Mutex::default() }
    }
}

impl Work {
    /// Something was queued in the account.
    pub fn queued(&self, account: AccountId) {
        // Before the signal: whoever it wakes finds the account.
        self.seen(account);
        self.queued.send_modify(|count| *count += 1);
    }

    /// The account was seen to have work, due or still to come.
    pub fn seen(&self, account: AccountId) {
        let mut known = self.known.lock();
        known.last.0 += 1;
        let noted = known.last;
        known.accounts.insert(account, noted);
    }

    /// The accounts that are known to have work.
    pub fn known(&self) -> Vec<(AccountId, Noted)> {
        self.known.lock().accounts.iter().map(|(account, noted)| (*account, *noted)).collect()
    }

    /// The account was seen to have none left; nothing happens if it has been noted again since.
    pub fn done(&self, account: AccountId, noted: Noted) {
        let mut known = self.known.lock();
        if known.accounts.get(&account) == Some(&noted) {
            known.accounts.remove(&account);
        }
    }

    /// Changes whenever something is queued.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.queued.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_queued_after_a_look_is_not_forgotten_by_it() {
        let (work, account) = (Work::default(), AccountId::from_slice(&[1; 16]).unwrap());
        work.queued(account);
        let looks = [work.known()[0], work.known()[0]];
        work.done(looks[0].0, looks[0].1);
        assert_eq!(work.known(), []);
        work.queued(account);
        work.done(looks[1].0, looks[1].1);
        assert_eq!(work.known().len(), 1);
    }
}

//! Accounts that are left alone for a while because their store failed.

use std::time::Duration;

use rustc_hash::FxHashMap;

use model::{AccountId, Time};

/// The longest rest.
const LONGEST: Duration = Duration::from_secs(60);

/// Which accounts rest, until when, and after how many failures.
#[derive(Debug, Default)]
pub(super) struct Resting(FxHashMap<AccountId, (Time, u32)>);

impl Resting {
    pub(super) fn is_resting(&self, account: AccountId, now: Time) -> bool {
        self.0.get(&account).is_some_and(|(until, _)| now < *until)
    }

    /// Leaves an account alone, for longer the more often it has failed; for how long.
    pub(super) fn put_to_rest(&mut self, account: AccountId, now: Time) -> Duration {
        let (until, failures) = self.0.entry(account).or_insert((now, 0));
        let rest = Duration::from_secs(1 << (*failures).min(6)).min(LONGEST);
        (*until, *failures) = (now.after(rest), failures.saturating_add(1));
        rest
    }

    /// The account works again.
    pub(super) fn wake(&mut self, account: AccountId) {
        self.0.remove(&account);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_fails_again_rests_longer() {
        let (mut resting, now) = (Resting::default(), Time::from_micros(0));
        let [account, other] = [1, 2].map(|number| AccountId::from_uuid(uuid::Uuid::from_u128(number)));
        let rests: Vec<u64> = (0..8).map(|_| resting.put_to_rest(account, now).as_secs()).collect();
        assert_eq!(rests, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert!(resting.is_resting(account, now) && !resting.is_resting(other, now));
        assert!(!resting.is_resting(account, now.after(LONGEST)));
        resting.wake(account);
        assert!(!resting.is_resting(account, now));
    }
}

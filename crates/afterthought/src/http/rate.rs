//! How often each key and each owner of an account may ask.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};

use model::{AccountId, Caller, KeyId};

use super::refusal::Refusal;

/// Who has a limit of their own: a key, in whatever sessions, or the owner of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Asking {
    Key(KeyId),
    Owner(AccountId),
}

/// Lets each key ask so many times a second, in bursts of ten times as many.
pub(super) struct RateLimit {
    /// `None` where there is no limit.
    limiter: Option<DefaultKeyedRateLimiter<Asking>>,
    clock: DefaultClock,
    checks: AtomicU32,
}

const BURST_SECONDS: u32 = 10;

/// More a second is no limit worth the name, and its interval would round to nothing.
const PER_SECOND_MAX: u32 = 1_000_000;

/// After so many checks, keys that have their whole burst again are forgotten: memory follows the keys in use.
const CHECKS_BETWEEN_CLEANINGS: u32 = 65_536;

impl RateLimit {
    /// `per_second` 0 switches the limit off.
    pub(super) fn new(per_second: u32) -> Self {
        let limiter = NonZeroU32::new(per_second.min(PER_SECOND_MAX)).map(|per_second| {
            let burst = per_second.saturating_mul(NonZeroU32::new(BURST_SECONDS).expect("ten is not zero"));
            DefaultKeyedRateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst))
        });
        Self { limiter, clock: DefaultClock::default(), checks: AtomicU32::new(0) }
    }

    /// Counts one request of a caller, or says when the next may come.
    pub(super) fn check(&self, caller: &Caller) -> Result<(), Refusal> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        if self.checks.fetch_add(1, Ordering::Relaxed) % CHECKS_BETWEEN_CLEANINGS == CHECKS_BETWEEN_CLEANINGS - 1 {
            limiter.retain_recent();
        }
        let asking = caller.key.map_or(Asking::Owner(caller.account), Asking::Key);
        limiter.check_key(&asking).map_err(|not_until| {
            let wait = not_until.wait_time_from(self.clock.now());
            // Rounded up: a client that waits as long as it is told is let in.
            Refusal::RateLimit { retry_after_s: wait.as_secs() + 1 }
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn key(number: u128) -> Caller {
        let account = AccountId::from_uuid(Uuid::from_u128(7));
        Caller { key: Some(KeyId::from_uuid(Uuid::from_u128(number))), ..owner_of(account) }
    }

    fn owner_of(account: AccountId) -> Caller {
        Caller { account, key: None, key_name: model::KeyName::owner() }
    }

    #[test]
    fn a_key_may_burst_to_ten_times_its_rate_and_no_further() {
        let limit = RateLimit::new(2);
        let admitted = (0..25).filter(|_| limit.check(&key(1)).is_ok()).count();
        assert_eq!(admitted, 20);
        assert!(matches!(limit.check(&key(1)), Err(Refusal::RateLimit { retry_after_s: 1 })));
    }

    #[test]
    fn keys_do_not_share_their_limit() {
        let limit = RateLimit::new(1);
        for _ in 0..20 {
            let _ = limit.check(&key(1));
        }
        assert!(limit.check(&key(2)).is_ok());
        assert!(limit.check(&owner_of(key(1).account)).is_ok());
    }

    #[test]
    fn zero_is_no_limit_and_the_largest_number_is_one() {
        let limit = RateLimit::new(0);
        assert!((0..10_000).all(|_| limit.check(&key(1)).is_ok()));
        assert!(RateLimit::new(u32::MAX).check(&key(1)).is_ok());
    }
}

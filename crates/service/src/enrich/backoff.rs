//! When a failed job is tried again: pure functions.

use std::time::Duration;

/// How often a job is tried before it is given up.
pub(super) const ATTEMPTS_MAX: u32 = 6;

const FIRST_PAUSE_MS: u64 = 2_000;

const LONGEST_PAUSE_MS: u64 = 3_600_000;

/// How long to wait after that many attempts: twice as long after each, up to an hour, and up to a quarter less, so that
/// jobs that failed together do not come back together. The same seed waits the same time.
pub(super) fn pause(attempts: u32, seed: u64) -> Duration {
    let doubled = FIRST_PAUSE_MS.saturating_mul(1_u64.checked_shl(attempts.saturating_sub(1)).unwrap_or(u64::MAX));
    let whole = doubled.min(LONGEST_PAUSE_MS);
    // Neighbouring seeds must not wait alike.
    let spread = seed.wrapping_add(u64::from(attempts)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    Duration::from_millis(whole - whole / 4 * spread / u64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pauses_grow_and_stay_within_an_hour(attempts in 1..200_u32, seed: u64, other: u64) {
            prop_assert!(pause(attempts, seed) <= Duration::from_millis(LONGEST_PAUSE_MS));
            prop_assert!(pause(attempts, seed) >= Duration::from_millis(FIRST_PAUSE_MS * 3 / 4));
            let still_doubling = attempts < 10;
            prop_assert!(!still_doubling || pause(attempts, seed) < pause(attempts + 1, other));
        }
    }

    #[test]
    fn jobs_that_failed_together_come_back_apart() {
        let pauses: std::collections::BTreeSet<Duration> = (0..100).map(|seed| pause(4, seed)).collect();
        assert!(pauses.len() > 90, "{}", pauses.len());
    }
}

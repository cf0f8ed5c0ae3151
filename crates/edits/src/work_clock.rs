//! Measures for tests how long this thread has worked, which other threads and programs of a busy machine do not stretch.

use std::time::{Duration, Instant};

/// Since when the work of this thread counts.
pub(super) struct WorkClock {
    worked: Option<Duration>,
    begun: Instant,
}

impl WorkClock {
    pub(super) fn start() -> Self {
        Self { worked: worked(), begun: Instant::now() }
    }

    /// How long the thread has worked since; how much time went by where the system does not tell.
    pub(super) fn elapsed(&self) -> Duration {
        match (self.worked, worked()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.begun.elapsed(),
        }
    }
}

/// The processor time of this thread, as Linux counts it.
fn worked() -> Option<Duration> {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    counted.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

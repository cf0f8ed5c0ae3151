//! How long a reader may take: a constant and a time for each byte, on the processor.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Code that is not optimised takes this much longer.
const UNOPTIMISED: u32 = if cfg!(debug_assertions) { 30 } else { 1 };

/// The time an input may take.
pub(crate) struct Budget {
    pub(crate) constant: Duration,
    pub(crate) per_byte: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        // Most take a twentieth. Three bytes of some ligatures stand for 33, and comparing two texts is bounded, not linear.
        Self { constant: Duration::from_millis(50), per_byte: Duration::from_micros(4) }
    }
}

impl Budget {
    pub(crate) fn of(&self, bytes: usize) -> Duration {
        (self.constant + self.per_byte * u32::try_from(bytes).unwrap_or(u32::MAX)) * UNOPTIMISED
    }
}

/// What this thread has used of the processor: unlike the time on the wall, hardly touched by what else the machine does.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

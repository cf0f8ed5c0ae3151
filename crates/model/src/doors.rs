//! The two doors through which the outside world enters the rules: the clock and fresh identifiers.

use uuid::Uuid;

use super::Time;

/// Tells the time. Tests put their own clock in its place.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Time;
}

/// Makes identifiers that have never been used.
pub trait IdSource: Send + Sync {
    /// A fresh UUID.
    fn fresh(&self) -> Uuid;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        Time::system_now()
    }
}

/// UUIDs of version 7: random, and in the order of their making, which keeps index pages warm.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomIds;

impl IdSource for RandomIds {
    fn fresh(&self) -> Uuid {
        Uuid::now_v7()
    }
}

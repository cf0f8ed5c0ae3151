//! How far something that takes long has come, said every few seconds.

use std::time::{Duration, Instant};

use crate::cli::output::Output;

/// How often it is said.
const EVERY: Duration = Duration::from_secs(5);

/// When it was last said, or when it began.
pub(super) struct Progress(Instant);

impl Default for Progress {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Progress {
    /// Says it if it is time.
    pub(super) fn tell(&mut self, output: &mut Output, how_far: impl FnOnce() -> String) {
        if self.0.elapsed() >= EVERY {
            output.remark(how_far());
            self.0 = Instant::now();
        }
    }
}

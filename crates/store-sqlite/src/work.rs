//! Tells the workers of this process that there is work.

use tokio::sync::watch;

/// Counts what this process has queued.
pub(crate) struct Work(watch::Sender<u64>);

impl Default for Work {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

impl Work {
    /// Something was queued.
    pub(crate) fn queued(&self) {
        self.0.send_modify(|count| *count += 1);
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.subscribe()
    }
}

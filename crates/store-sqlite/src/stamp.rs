//! Whether a file has been written to, without opening it.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// When a file was last written to, and how long it and its journal are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// In nanoseconds since 1970.
    pub(crate) written: i64,
    pub(crate) bytes: u64,
}

/// File times are coarse; what is older than this has surely got another one by now.
const COARSE: Duration = Duration::from_secs(2);

impl Stamp {
    /// `None` if there is no such file.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let file = std::fs::metadata(path).ok()?;
        let mut stamp = Self { written: nanos(file.modified().ok()), bytes: file.len() };
        let mut journal = path.as_os_str().to_owned();
        journal.push("-wal");
        if let Ok(journal) = std::fs::metadata(journal) {
            stamp.written = stamp.written.max(nanos(journal.modified().ok()));
            stamp.bytes += journal.len();
        }
        Some(stamp)
    }

    /// Whether the next write may carry the same time.
    pub(crate) fn is_fresh(self) -> bool {
        let coarse = i64::try_from(COARSE.as_nanos()).unwrap_or(i64::MAX);
        nanos(Some(SystemTime::now())).saturating_sub(self.written) < coarse
    }
}

fn nanos(time: Option<SystemTime>) -> i64 {
    let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

//! What this process knows about the queues of all accounts without opening their files.

use std::path::Path;
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use tokio::sync::watch;

use model::{AccountId, Time};

/// When the next job of each account is due, as far as known.
pub(crate) struct Work {
    /// Counts what this process has queued.
    pub(crate) signal: watch::Sender<u64>,
    seen: Mutex<FxHashMap<AccountId, (Stamp, Option<Time>)>>,
}

impl Default for Work {
    fn default() -> Self {
        Self { signal: watch::Sender::new(0), seen: Mutex::default() }
    }
}

impl Work {
    /// Tells the workers of this process that something was queued.
    pub(crate) fn queued(&self) {
        self.signal.send_modify(|count| *count += 1);
    }

    /// When the next job is due, if the files are as they were at the last look.
    pub(crate) fn known(&self, account: AccountId, stamp: Stamp) -> Option<Option<Time>> {
        self.seen.lock().get(&account).filter(|(seen, _)| *seen == stamp).map(|(_, due)| *due)
    }

    /// Notes what a look into the file showed; `stamp` was taken before the look.
    pub(crate) fn note(&self, account: AccountId, stamp: Stamp, due: Option<Time>) {
        if !stamp.fresh {
            self.seen.lock().insert(account, (stamp, due));
        }
    }
}

/// When a file was last written to, and how long it and its journal are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    written: Option<SystemTime>,
    bytes: u64,
    /// Whether so recently that the next write might carry the same time.
    fresh: bool,
}

/// File times are coarse; what is older than this has surely got another one by now.
const COARSE: Duration = Duration::from_secs(2);

impl Stamp {
    /// `None` if there is no such file.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let file = std::fs::metadata(path).ok()?;
        let mut stamp = Self { written: file.modified().ok(), bytes: file.len(), fresh: false };
        let mut journal = path.as_os_str().to_owned();
        journal.push("-wal");
        if let Ok(journal) = std::fs::metadata(journal) {
            stamp.written = stamp.written.max(journal.modified().ok());
            stamp.bytes += journal.len();
        }
        let age = stamp.written.and_then(|written| written.elapsed().ok());
        stamp.fresh = age.is_none_or(|age| age < COARSE);
        Some(stamp)
    }
}

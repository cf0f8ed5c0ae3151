//! How many files and connections the process may have open, and how many of them are for what.
//!
//! A system gives a process a thousand or so, and a service that has none left can accept nobody: what is held open is bounded, so
//! that there is always one for the next connection.

use store_sqlite::FILES_PER_ACCOUNT;

/// More than this is never needed, and some systems have no limit at all.
const MOST: u64 = 65_536;

/// What the registry, the listener, the log, and reads beside each other take.
const OTHERS: usize = 64 + 2 * BLOCKING_THREADS;

/// How many threads may wait for the disk at once. Each may have a file and its journal open.
pub const BLOCKING_THREADS: usize = 96;

/// The most connections a service keeps, however many files it may have.
const CONNECTIONS_MAX: usize = 1024;

/// The most accounts that are held open, however many files there may be: each takes memory as well.
const ACCOUNTS_MAX: usize = 1024;

/// With fewer there is no room for the fewest connections and accounts beside each other.
pub const LEAST: usize = 96;

/// Who gets how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    /// Connections of clients.
    pub connections: usize,
    /// Accounts that are held open.
    pub accounts: usize,
}

impl Shares {
    /// Raises the limit as far as the process may, and shares it out.
    pub fn of_this_process() -> Self {
        Self::of(raise_limit())
    }

    fn of(limit: usize) -> Self {
        let left = limit.saturating_sub(OTHERS);
        let connections = (left / 2).clamp(16, CONNECTIONS_MAX);
        let accounts = (left.saturating_sub(connections) / FILES_PER_ACCOUNT).clamp(8, ACCOUNTS_MAX);
        Self { connections, accounts }
    }
}

/// How many there may be at most, if that is too few for a service.
pub fn too_few() -> Option<usize> {
    Some(raise_limit()).filter(|limit| *limit < LEAST)
}

#[cfg(unix)]
fn raise_limit() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(MOST, |maximum| maximum.min(MOST)).max(current.unwrap_or(MOST));
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    let limit = if raised.is_ok() { wanted } else { current.unwrap_or(MOST) };
    usize::try_from(limit).unwrap_or(usize::MAX)
}

#[cfg(not(unix))]
fn raise_limit() -> usize {
    MOST as usize
}

/// How much room the disk of a folder has for this user.
#[cfg(unix)]
pub fn free_bytes(folder: &std::path::Path) -> std::io::Result<u64> {
    let found = rustix::fs::statvfs(folder)?;
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_limit_there_is_room_for_both() {
        for limit in [256, 1024, 4096, 65_536] {
            let Shares { connections, accounts } = Shares::of(limit);
            assert!(connections >= 16 && accounts >= 8, "{limit}");
            let taken = OTHERS + connections + accounts * FILES_PER_ACCOUNT;
            assert!(taken <= limit.max(OTHERS + 128), "{taken} of {limit}");
        }
        assert_eq!(Shares::of(65_536), Shares { connections: CONNECTIONS_MAX, accounts: ACCOUNTS_MAX });
    }
}

//! The service of the data folder for commands that need one: the one that runs, or one started in the background.
//!
//! Whoever starts one holds a lock, so that ten that need one at once start one. It lives on after whoever started it.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};

use super::copies;
use super::place::Place;
use super::private;
use crate::running::{self, Running};

/// How long a service may go without a call before it ends by itself, in seconds.
const IDLE_SECONDS: &str = "3600";

/// How often to look whether the service is there.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What the service says goes into this file of the data folder; a long one is begun anew.
const LOG: &str = "service.log";
const LOG_BYTES_MAX: u64 = 1 << 20;

/// The service of the folder, started if none runs, by the deadline.
pub(super) fn ensure(place: &Place, deadline: Instant) -> anyhow::Result<Running> {
    let folder = place.folder();
    if let Some(running) = copies::find(place) {
        return Ok(running);
    }
    let _lock = lock(folder, deadline)?;
    if let Some(running) = running::find(folder) {
        return Ok(running);
    }
    let mut child = start(place)?;
    loop {
        if let Some(running) = running::find(folder) {
            return Ok(running);
        }
        let is_late = Instant::now() > deadline;
        match child.try_wait()? {
            // Somebody killed it; that says nothing about the next.
            Some(status) if status.code().is_none() && !is_late => child = start(place)?,
            Some(status) => bail!("the service could not be started ({status}): {}", last_words(folder)),
            None => {}
        }
        if is_late {
            bail!("the service did not start in time; see `{}`", folder.join(LOG).display());
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// A lock of the data folder that ends with the value.
pub(super) fn lock(folder: &Path, deadline: Instant) -> anyhow::Result<File> {
    let path = folder.join("service.lock");
    let explain = |error| anyhow!("cannot write `{}`: {error}; check its permissions", path.display());
    private::create_folder(folder).map_err(explain)?;
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path).map_err(explain)?;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(explain(error)),
            Err(TryLockError::WouldBlock) if Instant::now() > deadline => {
                bail!(
                    "another command has been starting the service for too long; see `{}`",
                    folder.join(LOG).display()
                )
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK_EVERY),
        }
    }
}

fn start(place: &Place) -> anyhow::Result<Child> {
    let folder = place.folder();
    let path = folder.join(LOG);
    let mut options = OpenOptions::new();
    let is_long = path.metadata().is_ok_and(|metadata| metadata.len() > LOG_BYTES_MAX);
    options.create(true).append(!is_long).write(true).truncate(is_long);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let log = options.open(&path).map_err(|error| anyhow!("cannot write `{}`: {error}", path.display()))?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["serve", "--unattended", IDLE_SECONDS]);
    command.env_remove("AFTERTHOUGHT_STORE").env_remove("AFTERTHOUGHT_DATA").env_remove("AFTERTHOUGHT_KEY");
    match place.store_folder() {
        Some(folder) => command.arg("--data").arg(folder),
        // Everybody may see the arguments of a process, and a password may be among these.
        None => command.envs(place.environment().iter().map(|(name, value)| (name, value))),
    };
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    // What ends the client, such as Ctrl-C in its terminal, does not end the service.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, 0x0000_0008 | 0x0000_0200);
    command.spawn().map_err(|error| anyhow!("the service could not be started: {error}"))
}

/// What the service said last.
fn last_words(folder: &Path) -> String {
    let log = std::fs::read(folder.join(LOG)).unwrap_or_default();
    let log = String::from_utf8_lossy(&log);
    let last = log.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    last.trim_start_matches("error: ").to_owned()
}

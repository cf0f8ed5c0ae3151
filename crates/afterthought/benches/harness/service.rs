//! The real binary, started on a folder.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub(crate) struct Service {
    pub(crate) child: Child,
    pub(crate) address: String,
}

impl Service {
    /// Starts the service and waits until it says that it listens.
    pub(crate) fn start(data: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterthought"));
        Self::start_as(command.args(["serve", "--listen", "127.0.0.1:0", "--rate-limit", "0", "--data"]).arg(data))
    }

    /// The same by a command of one's own.
    pub(crate) fn start_as(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map(Result::unwrap)
            .find_map(|line| Some(line.split_once("listening on http://")?.1.split('/').next()?.to_owned()))
            .expect("the service says where it listens");
        // Whatever else it prints must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// A new key, made beside the running service.
    pub(crate) fn key(data: &Path) -> String {
        command(data, &["key", "create", "bench"])
    }

    /// The memory the process has in use, in bytes.
    pub(crate) fn resident_bytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = kilobytes.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        kilobytes.unwrap_or_default() * 1024
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command on the folder; what it prints.
pub(crate) fn command(data: &Path, arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_afterthought")).args(arguments).arg("--data").arg(data).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

//! The real binary, started on a folder.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{BlockingClient, request};
use super::millis;

pub(crate) struct Service {
    child: Child,
    pub(crate) address: String,
}

impl Service {
    /// Starts the service and waits until it says that it listens.
    pub(crate) fn start(data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_afterthought"))
            .args(["serve", "--listen", "127.0.0.1:0", "--rate-limit", "0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
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
        let output = Command::new(env!("CARGO_BIN_EXE_afterthought"))
            .args(["key", "create", "bench", "--data"])
            .arg(data)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
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

/// Start-up on an empty store, and what the service takes while it rests.
pub(crate) async fn start_and_rest() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let service = Service::start(folder.path());
    let key = Service::key(folder.path());
    let mut client = BlockingClient::connect(&service.address);
    let browse = request(&key, "retrieve_thoughts", &json!({}));
    client.send(&browse);
    let first_answer = begun.elapsed();
    println!(
        "start-up to first answer, empty store   {:8.1} ms   (goal: under 300; includes making a key)",
        millis(first_answer)
    );
    tokio::time::sleep(Duration::from_secs(1)).await;
    println!(
        "memory at rest, empty store             {:8.1} MB   (goal: under 60)",
        service.resident_bytes() as f64 / 1e6
    );
}

//! The program as a user runs it: the real binary, its exit status and both its streams.

mod access;
mod connect;
mod doctor;
mod hook;
mod imports;
mod notes;
mod serving;
mod transfer;
mod usage;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use test_client::{Answer, Connection, Request};

/// A thought nobody ever captured.
const NOWHERE: &str = "0197c1a2-7b3c-7def-8123-456789abcdef";

/// A folder for one test; the store is in `data` below it once something has made it.
struct Sandbox(TempDir);

/// What a command did.
struct Ran {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Sandbox {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A sandbox with an account and a key of it.
    fn with_account(name: &str) -> (Self, String) {
        let sandbox = Self::new();
        sandbox.ok(&["account", "create", name]);
        let key = sandbox.ok(&["key", "create", "laptop"]).trim().to_owned();
        (sandbox, key)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its path.
    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, contents).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn data(&self) -> PathBuf {
        self.path("data")
    }

    /// The program, set up to work on this sandbox and on nothing of this machine's user.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterthought"));
        command.args(arguments).env_clear().env("HOME", self.path("home")).env("AFTERTHOUGHT_DATA", self.data());
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).output().unwrap())
    }

    /// Runs a command with something to read.
    fn run_reading(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The program may have seen enough before the end.
        let _ = child.stdin.take().unwrap().write_all(input);
        Ran::from(child.wait_with_output().unwrap())
    }

    /// Runs a command that must succeed, and returns what it printed.
    fn ok(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.stderr);
        ran.stdout
    }

    /// Runs a command that must fail with that status, and returns its one sentence.
    fn fails(&self, status: i32, arguments: &[&str]) -> String {
        self.run(arguments).failure(status)
    }
}

impl Ran {
    /// The one sentence of a command that failed.
    fn failure(&self, status: i32) -> String {
        assert_eq!((self.status, self.stdout.as_str()), (status, ""), "{}", self.stderr);
        let lines: Vec<&str> = self.stderr.lines().collect();
        let [line] = lines.as_slice() else { panic!("not one line: {lines:?}") };
        line.strip_prefix("error: ").unwrap_or_else(|| panic!("no error: {line}")).to_owned()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().expect("not ended by a signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A running service.
struct Serving {
    child: Child,
    /// Kept open: a service whose reader has gone would have something to complain about.
    _stdout: BufReader<ChildStdout>,
    /// Everything it printed until it was ready.
    greeting: String,
    address: SocketAddr,
}

impl Serving {
    fn start(sandbox: &Sandbox) -> Self {
        Self::start_with(sandbox, &[])
    }

    fn start_with(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let arguments = [&["serve", "--listen", "127.0.0.1:0", "--rate-limit", "0"], arguments].concat();
        let mut command = sandbox.command(&arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut greeting = String::new();
        loop {
            let mut line = String::new();
            assert_ne!(stdout.read_line(&mut line).unwrap(), 0, "ended before it was ready: {greeting}");
            greeting.push_str(&line);
            let Some(rest) = line.strip_prefix("listening on http://") else { continue };
            let address = rest.trim_end().strip_suffix("/api/mcp").unwrap().parse().unwrap();
            return Self { child, _stdout: stdout, greeting, address };
        }
    }

    /// The key that the first start shows.
    fn first_key(&self) -> String {
        let key = self.greeting.lines().find(|line| line.starts_with("aft_"));
        key.unwrap_or_else(|| panic!("no key in: {}", self.greeting)).to_owned()
    }

    /// Sends one request on a connection of its own.
    fn send(&self, request: &Request) -> Answer {
        let mut connection = self.connect();
        connection.send(request);
        connection.answer()
    }

    fn connect(&self) -> Connection {
        Connection::open(self.address).unwrap().waiting_at_most(Duration::from_secs(30))
    }

    /// Calls a tool and returns what it answers.
    fn call(&self, key: &str, tool: &str, arguments: Value) -> Value {
        let answer = self.send(&Request::tool(key, tool, &arguments)).succeeded();
        answer.json()["result"]["structuredContent"].take()
    }

    /// Captures a thought and returns its id.
    fn capture(&self, key: &str, text: &str) -> String {
        let captured = self.call(key, "capture_thought", json!({ "raw": text, "as_user": true }));
        captured["thought"]["id"].as_str().unwrap().to_owned()
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the end; returns the exit status and the log.
    fn wait(mut self) -> (i32, String) {
        let mut log = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            stderr.read_to_string(&mut log).unwrap();
        }
        (self.child.wait().unwrap().code().expect("not ended by a signal"), log)
    }

    /// Ends the service in order.
    fn stop(self) -> String {
        self.signal("-TERM");
        let (status, log) = self.wait();
        assert_eq!(status, 0, "{log}");
        log
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The names in a folder, sorted.
fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

//! `afterthought stdio` as clients start it: what it costs, what it survives, what it refuses.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::command;

/// A data folder whose service, if one was started in the background, ends with the test.
pub(crate) struct StdioFolder(TempDir);

impl StdioFolder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    /// The process of the service that runs.
    fn service(&self) -> Option<i32> {
        let file = std::fs::read(self.data().join("service.json")).ok()?;
        let running: Value = serde_json::from_slice(&file).ok()?;
        i32::try_from(running["process"].as_i64()?).ok()
    }

    fn kill_9(&self) {
        let running: Value = serde_json::from_slice(&std::fs::read(self.data().join("service.json")).unwrap()).unwrap();
        let process = rustix::process::Pid::from_raw(self.service().unwrap()).unwrap();
        rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
        // The system takes a moment to take its port away.
        while std::net::TcpStream::connect(running["address"].as_str().unwrap()).is_ok() {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn client(&self) -> Client {
        self.client_with(&[])
    }

    fn client_with(&self, arguments: &[&str]) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_afterthought"))
            .arg("stdio")
            .args(arguments)
            .env("AFTERTHOUGHT_DATA", self.data())
            .env("AFTERTHOUGHT_LISTEN", "127.0.0.1:0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        Client { child, stdin, stdout: BufReader::new(stdout), last_id: 0 }
    }

    fn services_ever_started(&self) -> usize {
        let log = std::fs::read_to_string(self.data().join("service.log")).unwrap_or_default();
        assert!(!log.contains("aft_"), "a key was shown: {log}");
        log.lines().filter(|line| line.contains("stopping") || line.contains("error")).count()
    }
}

impl Drop for StdioFolder {
    fn drop(&mut self) {
        if let Some(process) = self.service().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
        }
    }
}

/// A client that started the program.
struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<std::process::ChildStdout>,
    last_id: u64,
}

impl Client {
    fn send(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        assert_ne!(self.stdout.read_line(&mut line).unwrap(), 0, "it ended: {}", self.complaint());
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params }).to_string());
        let answer = self.line();
        assert_eq!(answer["id"], self.last_id, "{answer}");
        answer
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    fn capture(&mut self, text: &str) -> Value {
        self.call("capture_thought", json!({ "raw": text, "as_user": true }))
    }

    fn count(&mut self, text: &str) -> usize {
        let mut found = self.call("retrieve_thoughts", json!({ "query": format!("\"{text}\""), "author": "all" }));
        let thoughts = found["result"]["structuredContent"]["thoughts"].take();
        thoughts.as_array().unwrap_or_else(|| panic!("{found}")).len()
    }

    fn complaint(&mut self) -> String {
        let mut said = String::new();
        std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut said).unwrap();
        said
    }

    /// Ends the input; the exit status and what was said on standard error.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.stdin.take());
        let said = self.complaint();
        (self.child.wait().unwrap().code(), said)
    }
}

#[test]
fn from_nothing_the_first_answer_takes_less_than_a_second() {
    let folder = StdioFolder::new();
    let begun = Instant::now();
    let mut client = folder.client_with(&["--as", "laptop"]);
    let hello =
        client.ask("initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} }));
    let took = begun.elapsed();
    assert_eq!(hello["result"]["serverInfo"]["name"], "afterthought", "{hello}");
    // An unoptimised program on a machine that runs other tests beside it; `tests/minute` measures the real one.
    assert!(took < Duration::from_secs(5), "{took:?}");
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let captured = client.call("capture_thought", json!({ "raw": "tea" }));
    assert_eq!(captured["result"]["structuredContent"]["thought"]["agent_name"], "laptop", "{captured}");
    assert_eq!(client.end(), (Some(0), String::new()));
    assert!(folder.service().is_some(), "the service lives on");
    let key = folder.data().join("keys/laptop.key");
    assert_eq!(std::os::unix::fs::MetadataExt::mode(&key.metadata().unwrap()) & 0o777, 0o600);
    let keys = command(&folder.data(), &["key", "list"]).stdout;
    assert_eq!(keys.lines().count(), 2, "its own key and no other: {keys}");
    assert_eq!(folder.services_ever_started(), 0, "nothing went wrong");
}

#[test]
fn ten_clients_at_once_cost_one_service_and_one_key() {
    let folder = StdioFolder::new();
    let mut clients: Vec<Client> = (0..10).map(|_| folder.client()).collect();
    for (number, client) in clients.iter_mut().enumerate() {
        assert!(client.capture(&format!("thought number {number}"))["result"].is_object());
    }
    let service = folder.service().unwrap();
    let mut others = 0;
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(arguments) = std::fs::read_to_string(entry.path().join("cmdline")) else { continue };
        let is_ours = arguments.contains("--unattended") && arguments.contains(folder.data().to_str().unwrap());
        let is_first = entry.file_name().to_string_lossy() == service.to_string();
        others += usize::from(is_ours && !is_first);
    }
    assert_eq!(others, 0, "one service for all");
    assert_eq!(command(&folder.data(), &["key", "list"]).stdout.lines().count(), 2);
    assert_eq!(clients[0].count("thought number"), 10);
    for client in clients {
        assert_eq!(client.end().0, Some(0));
    }
}

#[test]
fn nothing_is_lost_or_done_twice_when_the_service_is_killed_in_between() {
    let folder = StdioFolder::new();
    let mut client = folder.client();
    for round in 0..5 {
        let answer = client.capture(&format!("round {round} lantern"));
        assert!(answer["result"]["structuredContent"].is_object(), "{answer}");
        folder.kill_9();
    }
    assert_eq!(client.count("lantern"), 5);
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn under_fire_every_call_is_answered_and_none_is_done_twice() {
    let folder = StdioFolder::new();
    let mut client = folder.client();
    assert!(client.capture("first")["result"].is_object());
    let (mut acknowledged, mut unknown) = (Vec::new(), Vec::new());
    let end = Instant::now() + Duration::from_secs(4);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while Instant::now() < end {
                std::thread::sleep(Duration::from_millis(137));
                if let Some(process) = folder.service().and_then(rustix::process::Pid::from_raw) {
                    let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
                }
            }
        });
        for number in 0.. {
            if Instant::now() > end {
                break;
            }
            let text = format!("w{number}x");
            let answer = client.capture(&text);
            match answer["error"]["message"].as_str() {
                None => acknowledged.push(text),
                Some(said) => {
                    assert!(said.contains("whether it took effect is not known"), "{said}");
                    unknown.push(text);
                }
            }
        }
    });
    assert!(acknowledged.len() > 10, "{} {}", acknowledged.len(), unknown.len());
    for text in &acknowledged {
        assert_eq!(client.count(text), 1, "{text}");
    }
    for text in &unknown {
        assert!(client.count(text) <= 1, "{text}");
    }
}

#[test]
fn a_line_that_is_no_message_is_answered_with_no_id() {
    let folder = StdioFolder::new();
    let mut client = folder.client();
    client.send("{nonsense");
    let answer = client.line();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)), "{answer}");
    client.send(&"x".repeat(1_048_577));
    let answer = client.line();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)), "{answer}");
    client.send("");
    client.send("[]");
    assert_eq!(client.line()["error"]["code"], -32600);
    assert_eq!(client.ask("no/such", json!({}))["error"]["code"], -32601);
    assert!(client.ask("ping", json!({}))["result"].is_object(), "it goes on");
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn a_revoked_key_is_not_replaced() {
    let folder = StdioFolder::new();
    let mut client = folder.client();
    assert!(client.capture("tea")["result"].is_object());
    let key = std::fs::read_to_string(folder.data().join("keys/stdio.key")).unwrap();
    assert!(command(&folder.data(), &["key", "revoke", &key[..10]]).success);
    let refused = client.capture("more tea");
    assert!(refused["error"].is_object() && refused["id"] == 2, "{refused}");
    let (status, said) = client.end();
    assert!(status == Some(1) && said.contains("refused the key"), "{said}");
    let (status, said) = folder.client().end();
    assert!(status == Some(1) && said.contains("was revoked, and is not replaced by itself"), "{said}");
    assert_eq!(command(&folder.data(), &["key", "list"]).stdout.lines().count(), 2);
}

#[test]
fn a_service_elsewhere_is_reached_with_the_key_of_the_environment() {
    let folder = StdioFolder::new();
    let service = crate::service::Service::start();
    let run = |key: Option<&str>, url: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterthought"));
        command.args(["stdio", "--url", url, "--data"]).arg(folder.data()).env_remove("AFTERTHOUGHT_KEY");
        if let Some(key) = key {
            command.env("AFTERTHOUGHT_KEY", key);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "capture_thought", "arguments": { "raw": "from afar" } } });
        let _ = writeln!(child.stdin.take().unwrap(), "{call}");
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap())
    };
    let url = format!("http://{}", service.addr);
    let (status, said) = run(Some(&service.key), &url);
    assert!(status == Some(0) && said.contains("from afar"), "{said}");
    let (status, said) = run(None, &url);
    assert!(status == Some(2) && said.contains("AFTERTHOUGHT_KEY"), "{said}");
    assert!(!folder.data().exists(), "nothing is made here");
}

#[test]
fn a_service_that_nobody_calls_ends() {
    let folder = StdioFolder::new();
    let begun = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_afterthought"))
        .args(["serve", "--unattended", "1", "--listen", "127.0.0.1:0", "--data"])
        .arg(folder.data())
        .output()
        .unwrap();
    assert!(output.status.success() && begun.elapsed() >= Duration::from_secs(1));
    assert!(!folder.data().join("service.json").exists());
    assert!(!String::from_utf8_lossy(&output.stdout).contains("aft_"));
}

//! Commands on another machine than that of the copies: here one with a home of its own, which knows of them from the database alone.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use test_client::{Answer, Connection, Request};
use test_postgres::Place;

use super::{Given, captured, found, wait_until};
use crate::process::Process;

/// Another machine.
struct Elsewhere<'a> {
    given: &'a Given,
    home: TempDir,
}

impl<'a> Elsewhere<'a> {
    fn of(given: &'a Given) -> Self {
        Self { given, home: tempfile::tempdir().unwrap() }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterthought"));
        command.args(arguments).env("HOME", self.home.path());
        command.env("AFTERTHOUGHT_STORE", &self.given.address).env("AFTERTHOUGHT_SCHEMA", &self.given.schema);
        command.env_remove("XDG_DATA_HOME").env_remove("DISPLAY");
        command
    }

    fn run(&self, arguments: &[&str]) -> String {
        said(&self.command(arguments).output().unwrap())
    }

    /// Sends messages over `stdio`; the answers.
    fn stdio(&self, messages: &[Value]) -> Vec<Value> {
        let mut child = self.command(&["stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        messages.iter().for_each(|message| writeln!(input, "{message}").unwrap());
        drop(input);
        let output = child.wait_with_output().unwrap();
        said(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Whether a service was started here.
    fn has_started_one(&self) -> bool {
        contains(self.home.path(), "service.log")
    }
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn contains(folder: &Path, name: &str) -> bool {
    std::fs::read_dir(folder).is_ok_and(|entries| {
        entries.map(|entry| entry.unwrap().path()).any(|path| path.ends_with(name) || contains(&path, name))
    })
}

fn call(tool: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// A copy is known a moment after it listens.
fn wait_for_copies(elsewhere: &Elsewhere<'_>, count: usize) {
    wait_until("the copies", || elsewhere.run(&["doctor"]).contains(&format!("{count} copies use this database")));
}

#[test]
fn commands_elsewhere_find_a_copy_by_the_database() {
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    let (mut one, other) = (given.copy(), given.copy());
    let key = one.first_key().unwrap();
    let elsewhere = Elsewhere::of(&given);
    wait_for_copies(&elsewhere, 2);
    let doctor = elsewhere.run(&["doctor"]);
    assert!(doctor.contains(&one.address) && doctor.contains(&other.address), "{doctor}");
    let answers = elsewhere.stdio(&[call("capture_thought", &json!({"raw": "Ana likes tea", "as_user": true}))]);
    let id = answers[0]["result"]["structuredContent"]["thought"]["id"].as_str().unwrap();
    assert_eq!(found(&mut other.caller(&key), "tea"), [id]);
    assert!(elsewhere.run(&["hook", "session-start"]).contains("Ana likes tea"));
    std::fs::create_dir(elsewhere.home.path().join(".cursor")).unwrap();
    elsewhere.run(&["connect", "cursor"]);
    let doctor = elsewhere.run(&["doctor"]);
    assert!(doctor.contains("ok      cursor is let in at http://"), "{doctor}");
    // One ends in order, and is not offered to anybody any more.
    one.terminate();
    let link = elsewhere.run(&["open", "--print"]);
    assert!(link.contains(&other.address), "{link}");
    assert!(!elsewhere.has_started_one());
}

#[test]
fn where_no_copy_can_be_reached_one_is_started() {
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    let key = {
        let mut killed = given.copy();
        let key = killed.first_key().unwrap();
        captured(&mut killed.caller(&key), "Ana likes tea");
        // It says no more where it was, and the database still does.
        killed.kill_9();
        key
    };
    let elsewhere = Elsewhere::of(&given);
    let answers = elsewhere.stdio(&[call("retrieve_thoughts", &json!({"query": "tea"}))]);
    assert_eq!(answers[0]["result"]["structuredContent"]["thoughts"].as_array().unwrap().len(), 1, "{answers:?}");
    assert!(elsewhere.has_started_one());
    // The one that was started is found by others, and so can be ended.
    let doctor = elsewhere.run(&["doctor"]);
    let process = doctor.split("(process ").nth(1).unwrap().split(')').next().unwrap();
    let address = doctor.split("a service runs at http://").nth(1).unwrap().split(' ').next().unwrap();
    let mut connection = Connection::open(address).unwrap();
    connection.send(&Request::tool(&key, "retrieve_thoughts", &json!({"query": "tea"})));
    assert_eq!(connection.answer().status, 200);
    assert!(Command::new("kill").arg(process).status().unwrap().success());
}

fn app(copy: &Process, method: &str, path: &str, token: &str, body: &Value) -> Answer {
    let mut connection = Connection::open(&copy.address).unwrap();
    let request = Request::get("/").to(method, path).header("content-type", "application/json");
    let request = if token.is_empty() { request } else { request.header("authorization", &format!("Bearer {token}")) };
    connection.send(&if method == "GET" { request } else { request.body(body.to_string()) });
    connection.answer()
}

#[test]
fn who_signs_in_at_one_copy_is_signed_in_at_all_and_sees_what_any_of_them_takes() {
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    let (one, other) = (given.copy(), given.copy());
    let key = one.first_key().unwrap();
    // The link was made by a command and is used at a copy that never heard of it.
    let link = given.run(&["open", "--print"]);
    let link = link.trim().split_once("#sign-in=").unwrap().1;
    let signed_in = app(&other, "POST", "/api/app/session", "", &json!({ "link": link }));
    assert_eq!(signed_in.status, 201, "{}", signed_in.text());
    let token = signed_in.json()["token"].as_str().unwrap().to_owned();
    for copy in [&one, &other] {
        assert_eq!(app(copy, "GET", "/api/app/facets", &token, &Value::Null).status, 200);
        let again = app(copy, "POST", "/api/app/session", "", &json!({ "link": link }));
        assert_eq!(again.status, 401, "a link lets in once, wherever");
    }
    let mut changes = Changes::follow(&one, &token);
    let id = captured(&mut other.caller(&key), "Ana likes tea");
    assert!(changes.next().contains(&id));
    let done = json!({"thought_id": id, "edit_request": "mark as done"});
    other.caller(&key).tool("edit_thought", &done).unwrap();
    assert!(changes.next().contains(&id));
    assert_eq!(app(&other, "DELETE", "/api/app/session", &token, &Value::Null).status, 204);
    assert_eq!(app(&one, "GET", "/api/app/facets", &token, &Value::Null).status, 401);
    assert!(changes.next().contains("ended"));
}

/// The stream of changes that an open page follows.
struct Changes(BufReader<TcpStream>);

impl Changes {
    fn follow(copy: &Process, token: &str) -> Self {
        let mut stream = TcpStream::connect(&copy.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let head = format!("GET /api/app/changes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut changes = Self(BufReader::new(stream));
        assert!(changes.next().contains("ready"));
        changes
    }

    /// The next line that says something. Enrichment may say the same once more.
    fn next(&mut self) -> String {
        let mut line = String::new();
        while !line.contains("\"type\"") {
            line.clear();
            self.0.by_ref().take(1 << 16).read_line(&mut line).unwrap();
            assert!(!line.is_empty(), "the stream ended");
        }
        line
    }
}

//! Starting and ending the service.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};
use test_client::{Connection, Request, tool_call};

use super::{Ran, Sandbox, Serving};
use afterthought::running;

/// The configuration that follows a heading of the greeting.
fn block<'a>(greeting: &'a str, client: &str) -> &'a str {
    let (_, rest) =
        greeting.split_once(&format!("\n# {client}")).unwrap_or_else(|| panic!("no {client} in {greeting}"));
    let (_, block) = rest.split_once('\n').unwrap();
    block.split("\n\n").next().unwrap()
}

#[test]
fn too_few_files_to_serve_anybody_are_told_at_the_start() {
    let sandbox = Sandbox::new();
    let serve = |limit: u32, listen: &str| {
        let mut shell = Command::new("sh");
        let script = format!("ulimit -n {limit}; exec \"$0\" serve --listen {listen}");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_afterthought")]).env("AFTERTHOUGHT_DATA", sandbox.data());
        Ran::from(shell.stdin(Stdio::null()).output().unwrap())
    };
    let told = serve(64, "127.0.0.1:0").failure(1);
    assert!(told.contains("only 64 files") && told.contains("`ulimit -n 1024`"), "{told}");
    assert!(!sandbox.data().exists(), "nothing is made");
    // With as many as it needs it gets further: to an address that is taken.
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let told = serve(96, &taken.local_addr().unwrap().to_string()).failure(1);
    assert!(told.contains("in use"), "{told}");
}

#[test]
fn the_first_start_shows_a_key_that_works_and_the_second_none() {
    let sandbox = Sandbox::new();
    let serving = Serving::start(&sandbox);
    let key = serving.first_key();
    let thought = serving.capture(&key, "Ana lives in Lisbon");
    serving.stop();
    let again = Serving::start(&sandbox);
    assert!(!again.greeting.contains("aft_"), "{}", again.greeting);
    let data = sandbox.data();
    let way_out = format!("make a key with `afterthought key create NAME --data {}`", data.display());
    assert!(again.greeting.contains(&way_out), "{}", again.greeting);
    let found = again.call(&key, "retrieve_thoughts", json!({ "query": "Lisbon" }));
    assert_eq!(found["thoughts"][0]["id"], thought.as_str());
    let account = sandbox.ok(&["account", "list"]);
    assert!(account.lines().nth(1).unwrap().starts_with("default  "), "{account}");
}

#[test]
fn the_first_start_prints_configurations_that_can_be_pasted() {
    let sandbox = Sandbox::new();
    let serving = Serving::start(&sandbox);
    let (key, greeting) = (serving.first_key(), &serving.greeting);
    let url = format!("http://{}/api/mcp", serving.address);
    let bearer = format!("Bearer {key}");
    for (client, servers, address) in
        [("Cursor", "mcpServers", "url"), ("VS Code", "servers", "url"), ("Gemini CLI", "mcpServers", "httpUrl")]
    {
        let parsed: Value = serde_json::from_str(block(greeting, client)).unwrap();
        let entry = &parsed[servers]["afterthought"];
        assert_eq!((&entry[address], &entry["headers"]["Authorization"]), (&json!(url), &json!(bearer)), "{parsed}");
    }
    let parsed: Value = serde_json::from_str(block(greeting, "Claude Desktop")).unwrap();
    let stdio = json!(["stdio", "--as", "claude-desktop", "--data", sandbox.data()]);
    assert_eq!(parsed["mcpServers"]["afterthought"]["args"], stdio);
    assert_eq!(
        block(greeting, "Claude Code"),
        format!("claude mcp add --transport http afterthought {url} --header \"Authorization: {bearer}\"")
    );
    assert_eq!(
        block(greeting, "Codex"),
        format!("[mcp_servers.afterthought]\nurl = \"{url}\"\nhttp_headers = {{ Authorization = \"{bearer}\" }}")
    );
}

#[test]
fn a_store_without_a_key_says_how_to_make_one() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["account", "create", "ana"]);
    let serving = Serving::start(&sandbox);
    assert!(serving.greeting.starts_with("no key opens this store; make a key with `afterthought key create NAME"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_first_key_that_could_not_be_shown_opens_nothing() {
    let sandbox = Sandbox::new();
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(log.any(|line| line.contains("was revoked: make a key with `afterthought key create NAME")));
    child.kill().unwrap();
    child.wait().unwrap();
    let list = sandbox.ok(&["key", "list"]);
    assert_eq!(list.lines().filter(|line| !line.ends_with("no")).count(), 2, "{list}");
}

#[test]
fn a_taken_port_is_one_sentence_and_nothing_is_made() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let sandbox = Sandbox::new();
    let said = sandbox.fails(1, &["serve", "--listen", &address]);
    assert!(said.starts_with(&format!("`{address}` is in use")), "{said}");
    assert!(said.ends_with("choose another port with `--listen`"), "{said}");
    assert!(!sandbox.data().exists());
}

#[test]
fn an_address_of_another_machine_is_refused() {
    let said = Sandbox::new().fails(1, &["serve", "--listen", "192.0.2.1:0"]);
    assert_eq!(said, "`192.0.2.1:0` is not an address of this machine: choose another with `--listen`");
}

#[test]
fn settings_come_from_the_environment_too() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["serve"]);
    let said = Ran::from(command.env("AFTERTHOUGHT_LISTEN", &address).output().unwrap()).failure(1);
    assert!(said.contains(&address), "{said}");
    let mut command = sandbox.command(&["serve"]);
    let said = Ran::from(command.env("AFTERTHOUGHT_RATE_LIMIT", "many").output().unwrap()).failure(2);
    assert!(said.contains("'many'"), "{said}");
}

/// Sends a signal while a request is under way; the request is answered and the service ends in order.
fn finishes_a_request_under_way(signal: &str) {
    let (sandbox, key) = Sandbox::with_account("ana");
    let serving = Serving::start(&sandbox);
    let body = tool_call("capture_thought", &json!({ "raw": "kept", "as_user": true })).to_string();
    let request = Request::post(&key, body.as_str()).header("expect", "100-continue");
    let mut connection = serving.connect();
    connection.write(request.head().as_bytes());
    // Whoever is asked to go on is being served.
    assert_eq!(connection.answer().status, 100);
    serving.signal(signal);
    let refused = || Connection::open(serving.address).is_err();
    while !refused() {
        thread::yield_now();
    }
    connection.write(body.as_bytes());
    let answer = connection.answer();
    assert_eq!(answer.status, 200, "{}", answer.text());
    let (status, log) = serving.wait();
    assert_eq!(status, 0, "{log}");
    assert!(log.contains("stopped"), "{log}");
    assert!(sandbox.ok(&["status"]).contains("1 open"));
}

#[test]
fn a_request_under_way_is_finished_on_sigterm() {
    finishes_a_request_under_way("-TERM");
}

#[test]
fn a_request_under_way_is_finished_on_sigint() {
    finishes_a_request_under_way("-INT");
}

#[test]
fn a_second_signal_ends_at_once() {
    let (sandbox, key) = Sandbox::with_account("ana");
    let mut serving = Serving::start(&sandbox);
    let mut connection = serving.connect();
    connection.write(Request::post(&key, "{}").header("expect", "100-continue").head().as_bytes());
    assert_eq!(connection.answer().status, 100);
    let log = BufReader::new(serving.child.stderr.take().unwrap());
    serving.signal("-TERM");
    let mut lines = log.lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("a second signal ends at once")));
    serving.signal("-TERM");
    assert_eq!(serving.child.wait().unwrap().code(), Some(1));
}

#[test]
fn the_log_can_be_json_and_holds_no_secret() {
    let sandbox = Sandbox::new();
    let serving = Serving::start_with(&sandbox, &["--log", "json", "--log-level", "debug"]);
    let key = serving.first_key();
    serving.capture(&key, "a secret recipe");
    let log = serving.stop();
    assert!(log.lines().count() > 1, "{log}");
    assert!(log.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{log}");
    assert!(!log.contains("recipe") && !log.contains(&key[4..]), "{log}");
}

#[test]
fn commands_and_a_busy_service_do_not_lock_each_other_out() {
    let (sandbox, key) = Sandbox::with_account("ana");
    let serving = Serving::start(&sandbox);
    let thought = serving.capture(&key, "the first");
    let file = sandbox.file("note.txt", "tea");
    thread::scope(|scope| {
        for writer in 0..4 {
            let (serving, key) = (&serving, &key);
            scope.spawn(move || (0..50).for_each(|n| drop(serving.capture(key, &format!("thought {n} of {writer}")))));
        }
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..5 {
                    sandbox.ok(&["note", "attach", &thought, &file]);
                    sandbox.ok(&["key", "create", "another"]);
                    sandbox.ok(&["status"]);
                }
            });
        }
    });
    assert_eq!(sandbox.ok(&["note", "list"]).lines().count(), 16);
    assert!(sandbox.ok(&["status"]).contains("201 open"));
    let log = serving.stop();
    assert!(!log.contains("WARN") && !log.contains("ERROR"), "{log}");
}

#[test]
fn a_service_is_found_in_its_folder_while_it_runs() {
    let sandbox = Sandbox::new();
    let serving = Serving::start(&sandbox);
    let found = running::find(&sandbox.data()).unwrap();
    assert_eq!((found.origin, found.process), (format!("http://{}", serving.address), serving.child.id()));
    let file = sandbox.data().join("service.json");
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&file.metadata().unwrap().permissions()) & 0o777, 0o600);
    serving.stop();
    assert_eq!((running::find(&sandbox.data()), file.exists()), (None, false));
}

#[test]
fn a_service_that_was_killed_is_not_found() {
    let sandbox = Sandbox::new();
    let mut serving = Serving::start(&sandbox);
    serving.child.kill().unwrap();
    serving.child.wait().unwrap();
    assert!(sandbox.data().join("service.json").exists());
    assert_eq!(running::find(&sandbox.data()), None);
    let again = Serving::start(&sandbox);
    assert_eq!(running::find(&sandbox.data()).unwrap().origin, format!("http://{}", again.address));
}

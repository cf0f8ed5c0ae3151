//! The running service where files are damaged, gone, full or too many, where it is asked to end, and where it is not alone.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use test_client::{Answer, Connection, Request};
use uuid::Uuid;

use afterthought::app::App;
use afterthought::http::Settings;
use afterthought::stores::Location;

use crate::faulty::{self, Fault};
use crate::process::{Caller, Process};
use crate::service::Service;

/// Makes so many accounts with a key each; the keys.
fn accounts(data: &Path, count: usize) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let app = App::open(&Location::Embedded(data.to_owned())).await.unwrap();
        let mut keys = Vec::new();
        for number in 0..count {
            let account = app.keyring.create_account(format!("account {number}").parse().unwrap()).await.unwrap();
            let (secret, _) = app.keyring.create_key(account.id, "laptop".parse().unwrap()).await.unwrap();
            keys.push(secret.reveal().to_owned());
        }
        app.store.close().await.unwrap();
        keys
    })
}

/// What a capture is answered with.
fn captured(connection: &mut Connection, key: &str, text: &str) -> Answer {
    connection.send(&Request::tool(key, "capture_thought", &json!({"raw": text, "as_user": true})));
    connection.answer()
}

/// Whether a capture is acknowledged.
fn capture(connection: &mut Connection, key: &str) -> bool {
    captured(connection, key, "Ana likes tea").json()["result"]["isError"] == false
}

/// What is said where the store failed.
fn failure(answer: &Answer) -> String {
    assert_eq!((answer.status, answer.error_code(), answer.json()["id"].as_u64()), (503, -32_001, Some(1)));
    assert_eq!(answer.header("retry-after"), Some("5"));
    answer.json()["error"]["message"].as_str().unwrap().to_owned()
}

fn is_healthy(service: &Process) -> bool {
    let mut connection = Connection::open(&service.address).unwrap();
    connection.send(&Request::get("/healthz"));
    connection.answer().status == 200
}

#[test]
fn many_accounts_do_not_use_up_the_files_of_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let keys = accounts(folder.path(), 150);
    let service = Process::start_with_files(folder.path(), 256);
    let mut connection = Connection::open(&service.address).unwrap();
    for _ in 0..2 {
        assert!(keys.iter().all(|key| capture(&mut connection, key)));
    }
    connection.send(&Request::get("/metrics"));
    assert!(connection.answer().text().contains("afterthought_thoughts{status=\"open\"} 300"));
    assert!(is_healthy(&service), "there is a file left for the next connection");
}

#[test]
fn a_store_that_is_gone_is_told_and_nothing_is_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let keys = accounts(folder.path(), 1);
    let service = Process::start(folder.path());
    let mut connection = Connection::open(&service.address).unwrap();
    assert_eq!((capture(&mut connection, &keys[0]), is_healthy(&service)), (true, true));
    std::fs::remove_dir_all(folder.path()).unwrap();
    let said = failure(&captured(&mut connection, &keys[0], "Ana likes tea"));
    assert!(said.starts_with("the service could not store the thought; nothing was changed; "), "{said}");
    assert!(!is_healthy(&service));
}

#[test]
fn each_failure_of_the_store_says_what_to_do() {
    let mut store = None;
    let service = Service::over(Settings::default(), |_, app| faulty::app(&app, &mut store));
    let store = store.unwrap();
    let mut connection = service.connect();
    for (fault, remedy) in [
        (Fault::Busy, "another program keeps the store busy: try again in a moment"),
        (Fault::Full, "its operator has to free some space; then do the same again"),
        (Fault::Failure, "tell the operator of the service if it happens again"),
    ] {
        store.at_next("insert", fault);
        let said = failure(&captured(&mut connection, &service.key, "Ana likes tea"));
        assert!(said.contains("nothing was changed") && said.ends_with(remedy), "{said}");
    }
    assert!(service.refusal("delete_thought", &json!({"thought_id": Uuid::nil().to_string()})).contains("no thought"));
    assert!(service.refusal("capture_thought", &json!({"raw": ""})).starts_with("`raw`"));
}

/// Where the machine lets nobody but root make file systems, what is below the process is tested alone:
/// `a_full_disk_is_told_changes_nothing_and_takes_more_once_there_is_room` of the embedded back end.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_what_was_acknowledged_stays() {
    let folder = tempfile::tempdir().unwrap();
    let Some(service) = Process::start_on_small_disk(folder.path(), "4m") else { return };
    let key = service.first_key().unwrap();
    let mut connection = Connection::open(&service.address).unwrap();
    let text = "tea ".repeat(16_000);
    let mut acknowledged = 0;
    let said = loop {
        let answer = captured(&mut connection, &key, &text);
        if answer.status != 200 {
            break failure(&answer);
        }
        acknowledged += 1;
    };
    assert_eq!(
        said,
        "the service could not store the thought; nothing was changed; the disk of the service is full: its operator has \
         to free some space; then do the same again"
    );
    assert!(acknowledged > 10, "{acknowledged}");
    connection.send(&Request::tool(&key, "retrieve_thoughts", &json!({"author": "all", "top_k": 100})));
    assert_eq!(
        connection.answer().json()["result"]["structuredContent"]["thoughts"].as_array().unwrap().len(),
        acknowledged
    );
}

/// Captures until so many are acknowledged, or one is not; their ids.
fn capture_on(mut caller: Caller, count: usize) -> Vec<String> {
    let captures = (0..count).map_while(|number| {
        let raw =
            json!({"raw": format!("pebble {number} from the beach {}", "and sand ".repeat(100)), "as_user": true});
        let captured = caller.call("capture_thought", &raw)?;
        captured["structuredContent"]["thought"]["id"].as_str().map(str::to_owned)
    });
    captures.collect()
}

/// The ids of all thoughts, page by page.
fn browse(caller: &mut Caller) -> Vec<String> {
    let (mut seen, mut page) = (Vec::new(), json!({"order": "created_at", "top_k": 100}));
    loop {
        let answer = caller.tool("retrieve_thoughts", &page).unwrap();
        seen.extend(
            answer["thoughts"].as_array().unwrap().iter().map(|thought| thought["id"].as_str().unwrap().to_owned()),
        );
        let cursor = &answer["next_cursor"];
        if cursor.is_null() {
            return seen;
        }
        page["cursor_created_at"] = cursor["cursor_created_at"].clone();
        page["cursor_id"] = cursor["cursor_id"].clone();
    }
}

/// Whether all of these are there, each once.
fn assert_there(data: &Path, key: &str, acknowledged: &[String]) {
    let there = browse(&mut Process::start(data).caller(key));
    let distinct: BTreeSet<&String> = there.iter().collect();
    assert_eq!(distinct.len(), there.len());
    let lost = acknowledged.iter().filter(|id| !distinct.contains(id)).count();
    assert_eq!(lost, 0, "of {} that were acknowledged", acknowledged.len());
}

#[test]
fn a_service_asked_to_end_under_load_loses_nothing_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let key = accounts(folder.path(), 1).remove(0);
    let mut service = Process::start(folder.path());
    let callers: Vec<_> = (0..8)
        .map(|_| {
            let caller = service.caller(&key);
            std::thread::spawn(move || capture_on(caller, usize::MAX))
        })
        .collect();
    let mut reader = service.caller(&key);
    while browse(&mut reader).len() < 100 {}
    assert_eq!(service.terminate(), Some(0));
    let acknowledged: Vec<String> = callers.into_iter().flat_map(|caller| caller.join().unwrap()).collect();
    assert!(acknowledged.len() >= 100 - 8);
    assert_there(folder.path(), &key, &acknowledged);
}

#[test]
fn two_services_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let key = accounts(folder.path(), 1).remove(0);
    let services = [Process::start(folder.path()), Process::start(folder.path())];
    let callers: Vec<_> = (0..8)
        .map(|number| {
            let caller = services[number % 2].caller(&key);
            std::thread::spawn(move || capture_on(caller, 25))
        })
        .collect();
    let acknowledged: Vec<String> = callers.into_iter().flat_map(|caller| caller.join().unwrap()).collect();
    assert_eq!(acknowledged.len(), 8 * 25, "each was acknowledged");
    for service in &services {
        let mut caller = service.caller(&key);
        let mut seen = browse(&mut caller);
        seen.sort();
        let mut expected = acknowledged.clone();
        expected.sort();
        assert_eq!(seen, expected);
        let found: Value =
            caller.tool("retrieve_thoughts", &json!({"query": "pebble 24", "mode": "fast", "top_k": 100})).unwrap();
        let all = found["thoughts"].as_array().unwrap();
        assert!(all.len() >= 8, "{} from both", all.len());
    }
}

/// As on a full disk: no file grows beyond a size, which is told by an error since the signal for it is not heard.
#[test]
fn files_that_cannot_grow_refuse_captures_and_lose_none() {
    let folder = tempfile::tempdir().unwrap();
    let key = accounts(folder.path(), 1).remove(0);
    let service = Process::start_after(folder.path(), "trap '' XFSZ && ulimit -f 1024");
    let acknowledged = capture_on(service.caller(&key), 20_000);
    assert!((1..20_000).contains(&acknowledged.len()), "{} fitted", acknowledged.len());
    let mut caller = service.caller(&key);
    let refused = caller.call("capture_thought", &json!({"raw": "sand ".repeat(10_000), "as_user": true})).unwrap();
    assert_ne!(refused["isError"], json!(false), "{refused}");
    assert!(browse(&mut caller).len() >= acknowledged.len(), "what is there is read");
    drop(service);
    assert_there(folder.path(), &key, &acknowledged);
}

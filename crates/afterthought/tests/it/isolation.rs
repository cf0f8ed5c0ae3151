//! Another account's data is never reachable: every tool and every argument that names something is tried across accounts.

use serde_json::{Value, json};

use crate::process::{Caller, Process, command};

/// A service with two accounts, each with a key and its own data.
struct Two {
    _folder: tempfile::TempDir,
    _process: Process,
    ana: Caller,
    ana_key: String,
    eve: Caller,
}

fn two_accounts() -> Two {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path());
    let ana_key = process.first_key().expect("the first start prints a key");
    assert!(command(folder.path(), &["account", "create", "eve"]).success);
    let eve_key =
        command(folder.path(), &["key", "create", "eve's laptop", "--account", "eve"]).stdout.trim().to_owned();
    let (ana, eve) = (process.caller(&ana_key), process.caller(&eve_key));
    Two { _folder: folder, _process: process, ana, ana_key, eve }
}

/// What a caller is told in place of a result.
fn refusal(caller: &mut Caller, tool: &str, arguments: &Value) -> String {
    let result = caller.call(tool, arguments).expect("the service answers");
    assert_eq!(result["isError"], json!(true), "{result}");
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

fn capture(caller: &mut Caller, raw: &str) -> String {
    let answer = caller.tool("capture_thought", &json!({"raw": raw, "as_user": true})).unwrap();
    answer["thought"]["id"].as_str().unwrap().to_owned()
}

fn retrieved(caller: &mut Caller, arguments: &Value) -> Vec<String> {
    let answer = caller.tool("retrieve_thoughts", arguments).unwrap();
    let thoughts = answer["thoughts"].as_array().unwrap();
    thoughts.iter().map(|thought| thought["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn no_way_of_retrieving_reaches_another_account() {
    let mut two = two_accounts();
    let hers = capture(&mut two.ana, "the safe code is pelican 4711");
    two.ana.tool("capture_thought", &json!({"raw": "an agent's pelican note"})).unwrap();
    let listed = two.ana.tool("retrieve_thoughts", &json!({})).unwrap();
    let created_at = listed["thoughts"][0]["created_at"].clone();
    for author in ["user", "agent", "all"] {
        for extra in [
            json!({}),
            json!({"query": "pelican"}),
            json!({"query": "pelican", "mode": "full", "threshold": 0}),
            json!({"query": "pelikan", "mode": "fast"}),
            json!({"query": hers}),
            json!({"order": "created_at", "top_k": 100}),
            json!({"cursor_created_at": "9999-01-01T00:00:00Z"}),
            json!({"cursor_created_at": created_at, "cursor_id": hers}),
            json!({"query": "pelican", "detail": "full"}),
        ] {
            let mut arguments = extra;
            arguments["author"] = json!(author);
            assert_eq!(retrieved(&mut two.eve, &arguments), [""; 0], "{arguments}");
        }
    }
    assert_eq!(retrieved(&mut two.ana, &json!({"query": "pelican"})), [hers]);
}

#[test]
fn another_accounts_thought_is_answered_like_one_that_does_not_exist() {
    let mut two = two_accounts();
    let hers = capture(&mut two.ana, "the safe code is pelican 4711");
    let nobodys = "0197c1a2-7b3c-7def-8123-456789abcdef";
    for (tool, arguments) in [
        ("edit_thought", json!({"edit_request": "mark as done"})),
        ("edit_thought", json!({"edit_request": "undo"})),
        ("edit_thought", json!({"raw_text": "mine now"})),
        ("edit_thought", json!({"raw_text": "mine now", "edit_request": "archive"})),
        ("delete_thought", json!({})),
    ] {
        let about = |id: &str| {
            let mut arguments = arguments.clone();
            arguments["thought_id"] = json!(id);
            arguments
        };
        let of_hers = refusal(&mut two.eve, tool, &about(&hers));
        let of_nobodys = refusal(&mut two.eve, tool, &about(nobodys));
        assert_eq!(of_hers.replace(&hers, "ID"), of_nobodys.replace(nobodys, "ID"));
    }
    let kept = two.ana.tool("retrieve_thoughts", &json!({"query": "pelican", "detail": "full"})).unwrap();
    assert_eq!(kept["thoughts"][0]["raw_text"], json!("the safe code is pelican 4711"));
    assert_eq!(kept["thoughts"][0]["status"], json!("open"));
}

#[test]
fn a_key_of_another_account_cannot_be_an_author() {
    let mut two = two_accounts();
    let of_hers = refusal(&mut two.eve, "capture_thought", &json!({"raw": "forged", "author": two.ana_key[..10]}));
    let of_nobodys = refusal(&mut two.eve, "capture_thought", &json!({"raw": "forged", "author": "aft_000000"}));
    assert_eq!(of_hers.replace(&two.ana_key[..10], "KEY"), of_nobodys.replace("aft_000000", "KEY"));
    assert_eq!(retrieved(&mut two.eve, &json!({"author": "all"})), [""; 0]);
}

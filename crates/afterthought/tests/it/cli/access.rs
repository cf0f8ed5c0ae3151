//! Accounts and keys.

use std::fs::OpenOptions;

use serde_json::json;
use test_client::Request;

use super::{Ran, Sandbox, Serving};

fn is_key(text: &str) -> bool {
    text.strip_prefix("aft_").is_some_and(|rest| rest.len() >= 32 && rest.chars().all(|c| c.is_ascii_alphanumeric()))
}

#[test]
fn an_account_is_made_once_and_listed() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.ok(&["account", "create", "ana"]), "created account `ana`\n");
    assert_eq!(
        sandbox.fails(1, &["account", "create", "ana"]),
        "there is already an account `ana`: choose another name"
    );
    sandbox.ok(&["account", "create", "Ben B."]);
    let list = sandbox.ok(&["account", "list"]);
    let lines: Vec<&str> = list.lines().collect();
    assert!(lines[0].starts_with("NAME"), "{list}");
    assert!(lines[1].starts_with("Ben B.  ") && lines[2].starts_with("ana     "), "{list}");
}

#[test]
fn a_new_key_stands_alone_on_standard_output() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["account", "create", "ana"]);
    let ran = sandbox.run(&["key", "create", "laptop"]);
    let key = ran.stdout.strip_suffix('\n').unwrap();
    assert!(is_key(key), "{key}");
    let prefix = &key[..10];
    assert_eq!(ran.stderr, format!("made key `laptop` ({prefix}) for account `ana`; it is not shown again\n"));
}

#[test]
fn a_key_without_an_account_is_for_the_only_one_or_the_default() {
    let sandbox = Sandbox::new();
    let none = "there is no account yet: make one with `afterthought account create NAME`";
    assert_eq!(sandbox.fails(1, &["key", "create", "k"]), none);
    sandbox.ok(&["account", "create", "ana"]);
    sandbox.ok(&["key", "create", "first"]);
    sandbox.ok(&["account", "create", "ben"]);
    let several = "there are several accounts: name one with `--account` (see `afterthought account list`)";
    assert_eq!(sandbox.fails(1, &["key", "create", "k"]), several);
    assert_eq!(
        sandbox.fails(1, &["key", "create", "k", "--account", "cy"]),
        "no account `cy`: see `afterthought account list`"
    );
    sandbox.ok(&["key", "create", "second", "--account", "ben"]);
    sandbox.ok(&["account", "create", "default"]);
    sandbox.ok(&["key", "create", "third"]);
    let list = sandbox.ok(&["key", "list"]);
    let owners: Vec<(&str, &str)> = list
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .map(|cells| (cells[1], cells[2]))
        .collect();
    assert_eq!(owners, [("first", "ana"), ("second", "ben"), ("third", "default")]);
}

#[test]
fn a_list_of_keys_holds_no_secret() {
    let (sandbox, key) = Sandbox::with_account("ana");
    let list = sandbox.ok(&["key", "list"]);
    assert!(list.contains(&key[..10]) && !list.contains(&key[..11]), "{list}");
    assert!(list.starts_with("PREFIX      NAME    ACCOUNT  CREATED"), "{list}");
    assert!(list.trim_end().ends_with("never      no"), "{list}");
    sandbox.ok(&["account", "create", "ben"]);
    assert_eq!(sandbox.ok(&["key", "list", "--account", "ben"]).lines().count(), 1);
    assert_eq!(sandbox.ok(&["key", "list", "--account", "ana"]), list);
}

#[test]
fn a_key_is_revoked_by_its_beginning() {
    let (sandbox, key) = Sandbox::with_account("ana");
    let prefix = &key[..10];
    assert_eq!(sandbox.ok(&["key", "revoke", &key[..8]]), format!("revoked key `laptop` ({prefix})\n"));
    let again = sandbox.ok(&["key", "revoke", &key]);
    assert!(again.starts_with(&format!("key `laptop` ({prefix}) was revoked at 2")), "{again}");
    assert!(!sandbox.ok(&["key", "list"]).trim_end().ends_with("no"));
    assert!(sandbox.fails(1, &["key", "revoke", "aft_"]).contains("is too short"));
    assert_eq!(
        sandbox.fails(1, &["key", "revoke", "xft_123456"]),
        "no key starts with `xft_123456`: see `afterthought key list`"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_key_that_could_not_be_shown_opens_nothing() {
    let (sandbox, _) = Sandbox::with_account("ana");
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let said = Ran::from(sandbox.command(&["key", "create", "lost"]).stdout(full).output().unwrap()).failure(1);
    assert!(said.starts_with("the key could not be shown and was revoked: "), "{said}");
    let list = sandbox.ok(&["key", "list"]);
    assert!(!list.lines().last().unwrap().ends_with("no"), "{list}");
}

#[test]
fn a_running_service_honours_keys_at_once() {
    let (sandbox, _) = Sandbox::with_account("ana");
    let serving = Serving::start(&sandbox);
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let key = sandbox.ok(&["key", "create", "phone"]).trim().to_owned();
    assert_eq!(serving.send(&Request::post(&key, list)).status, 200);
    sandbox.ok(&["key", "revoke", &key[..10]]);
    assert_eq!(serving.send(&Request::post(&key, list)).status, 401);
    sandbox.ok(&["account", "create", "ben"]);
    let other = sandbox.ok(&["key", "create", "tablet", "--account", "ben"]).trim().to_owned();
    serving.capture(&other, "Ben likes tea");
    serving.stop();
    let list = sandbox.ok(&["key", "list", "--account", "ben"]);
    assert!(!list.contains("never"), "the last use is stored at the end: {list}");
}

#[test]
fn open_prints_a_link_that_signs_in_once() {
    let sandbox = Sandbox::new();
    let serving = Serving::start(&sandbox);
    let shown = serving.greeting.lines().find(|line| line.contains("/#sign-in=")).unwrap().to_owned();
    let printed = sandbox.ok(&["open", "--print"]);
    let unasked = sandbox.ok(&["open"]);
    assert_eq!(unasked.lines().count(), 1, "there is no display here: {unasked}");
    for link in [shown.as_str(), printed.trim_end(), unasked.trim_end()] {
        let token = link.strip_prefix(&format!("http://{}/#sign-in=", serving.address)).unwrap();
        let request = Request::get("/").to("POST", "/api/app/session").header("content-type", "application/json");
        let request = request.body(json!({ "link": token }).to_string());
        assert_eq!(serving.send(&request).status, 201, "{link}");
        assert_eq!(serving.send(&request).status, 401, "{link}");
    }
}

#[test]
fn open_says_what_is_missing() {
    let sandbox = Sandbox::new();
    let said = sandbox.fails(1, &["open"]);
    assert!(said.starts_with("there is no store in"), "{said}");
    let (sandbox, _) = Sandbox::with_account("ana");
    let said = sandbox.fails(1, &["open", "--print"]);
    assert!(said.starts_with("no service of this store is running: start it with `afterthought serve"), "{said}");
    assert!(sandbox.fails(1, &["open", "--account", "eve"]).contains("no account `eve`"));
    assert!(sandbox.fails(1, &["open", "--revoke", "--account", "eve"]).contains("no account `eve`"));
    sandbox.fails(2, &["open", "--revoke", "--print"]);
}

#[test]
fn open_revoke_ends_the_owners_sessions_and_links() {
    let (sandbox, key) = Sandbox::with_account("ana");
    let serving = Serving::start(&sandbox);
    let sign_in = |with: serde_json::Value| {
        let request = Request::get("/").to("POST", "/api/app/session").header("content-type", "application/json");
        serving.send(&request.body(with.to_string()))
    };
    let token = |link: String| link.trim_end().split_once("#sign-in=").unwrap().1.to_owned();
    let owner = sign_in(json!({ "link": token(sandbox.ok(&["open"])) })).json()["token"].as_str().unwrap().to_owned();
    let keyed = sign_in(json!({ "key": key })).json()["token"].as_str().unwrap().to_owned();
    let unused = token(sandbox.ok(&["open"]));
    assert_eq!(sandbox.ok(&["open", "--revoke"]), "ended 2 sessions and links of account `ana`\n");
    let status = |token: &str| {
        serving.send(&Request::get("/api/app/session").header("authorization", &format!("Bearer {token}"))).status
    };
    assert_eq!((status(&owner), status(&keyed)), (401, 200));
    assert_eq!(sign_in(json!({ "link": unused })).status, 401);
}

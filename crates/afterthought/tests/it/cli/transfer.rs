//! Everything out, in again, and copied.

use serde_json::{Value, json};
use test_client::Request;

use super::{NOWHERE, Sandbox, Serving, entries};

/// A sandbox with a little of everything, and its key.
fn full() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    let serving = Serving::start(&sandbox);
    let key = serving.first_key();
    let edited = serving.capture(&key, "Ana lives in  Lisbon \n");
    serving.call(&key, "edit_thought", json!({ "thought_id": edited, "raw_text": "Ana lives in Porto \u{1F375}" }));
    serving.call(&key, "edit_thought", json!({ "thought_id": edited, "edit_request": "mark as done" }));
    let archived = serving.capture(&key, "old");
    serving.call(&key, "delete_thought", json!({ "thought_id": archived }));
    serving.call(&key, "capture_thought", json!({ "raw": "mine", "captured_at": "2001-02-03" }));
    let file = sandbox.file("note.txt", "hibiscus\r\n");
    sandbox.ok(&["note", "attach", &archived, &file]);
    let gone = sandbox.ok(&["note", "attach", &edited, &file, "--name", "gone"]);
    sandbox.ok(&["note", "remove", gone.trim()]);
    sandbox.ok(&["account", "create", "ben"]);
    let revoked = sandbox.ok(&["key", "create", "phone", "--account", "ben"]);
    serving.capture(revoked.trim(), "Ben's");
    sandbox.ok(&["key", "revoke", revoked.trim()]);
    serving.stop();
    (sandbox, key)
}

fn lines(export: &str) -> Vec<Value> {
    export.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_type<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

#[test]
fn what_is_exported_and_imported_is_exported_the_same() {
    let (sandbox, key) = full();
    let export = sandbox.ok(&["export"]);
    let copy = Sandbox::new();
    let ran = copy.run_reading(&["import", "--with-keys", "-"], export.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let (told, last) = ran.stdout.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(told, "imported 2 accounts, 2 keys, 4 thoughts");
    assert!(last.starts_with("imported 4, known 0, left out 0; batch "), "{last}");
    assert_eq!(copy.ok(&["export"]), export);
    let serving = Serving::start(&copy);
    assert!(!serving.greeting.contains("aft_"));
    let found = serving.call(&key, "retrieve_thoughts", json!({ "author": "agent" }));
    assert_eq!(found["thoughts"][0]["captured_at"], "2001-02-03T00:00:00.000000Z", "{found}");
}

#[test]
fn keys_of_an_export_open_nothing_unless_they_are_asked_for() {
    let (sandbox, key) = full();
    let file = sandbox.file("export.jsonl", sandbox.ok(&["export"]));
    let (other, own) = Sandbox::with_account("default");
    let left_out =
        "; left out 2 keys: whoever has one could read and change everything here; `--with-keys` takes them as well";
    let before = other.ok(&["import", &file]);
    let said =
        format!("imported 1 account, 0 keys, 4 thoughts; the other 1 were there already{left_out}\nleft out: 2 keys\n");
    assert!(before.starts_with(&said), "{before}");
    let serving = Serving::start(&other);
    assert_eq!((status(&serving, &key), status(&serving, &own)), (401, 200));
    let after = other.ok(&["import", "--with-keys", &file]);
    assert!(after.starts_with("imported 0 accounts, 2 keys, 0 thoughts; the other 6 were there already\n"), "{after}");
    assert_eq!(status(&serving, &key), 200);
    assert!(other.ok(&["import", &file]).contains("left out 0"), "they are here");
}

#[test]
fn an_export_of_the_first_version_is_read() {
    let sandbox = Sandbox::new();
    let (id, at) = (NOWHERE, "2026-03-02T09:30:00.000000Z");
    let revision =
        json!({"number": 1, "at": at, "kind": "change", "by": "laptop", "text": {"before": "a", "after": "tea"}});
    let note = json!({"id": id, "name": "plan.md", "text": "hibiscus", "created_at": at, "removed_at": null});
    let lines = [
        json!({"format": "afterthought-export", "version": 1}),
        json!({"type": "account", "id": id, "name": "ana", "created_at": at}),
        json!({"type": "thought", "account": id, "id": id, "raw_text": "tea", "status": "open", "category": "task",
            "author": "user", "created_at": at, "captured_at": at, "updated_at": at, "revisions": [revision], "notes": [note]}),
        json!({"type": "end", "accounts": 1, "keys": 0, "thoughts": 1}),
    ];
    let export: String = lines.iter().map(|line| format!("{line}\n")).collect();
    sandbox.ok(&["import", &sandbox.file("export.jsonl", export)]);
    let exported = lines_of(&sandbox);
    assert_eq!(of_type(&exported, "revision")[0]["part"], revision);
    assert_eq!(of_type(&exported, "note")[0]["part"], note);
}

/// What a request with this key is answered with.
fn status(serving: &Serving, key: &str) -> u16 {
    serving.send(&Request::tool(key, "retrieve_thoughts", &json!({}))).status
}

fn lines_of(sandbox: &Sandbox) -> Vec<Value> {
    lines(&sandbox.ok(&["export"]))
}

#[test]
fn a_line_that_is_too_long_is_named_and_not_read() {
    let (sandbox, _) = full();
    let export = sandbox.ok(&["export"]);
    let (header, rest) = export.split_once('\n').unwrap();
    let long = "x".repeat(17 << 20);
    let said = Sandbox::new().fails(1, &["import", &sandbox.file("long", format!("{header}\n{long}\n{rest}"))]);
    assert_eq!(
        said,
        "line 2: it is longer than 16777216 bytes, the most that a line of an export has: export anew with this version; \
         what came before it is stored, and importing again does no harm"
    );
}

#[test]
fn an_export_holds_everything_but_secrets() {
    let (sandbox, key) = full();
    let export = sandbox.ok(&["export"]);
    let lines = lines(&export);
    assert_eq!(lines[0], json!({ "format": "afterthought-export", "version": 2 }));
    let end = json!({ "type": "end", "accounts": 2, "keys": 2, "thoughts": 4, "revisions": 3, "notes": 2 });
    assert_eq!(lines[lines.len() - 1], end);
    let thoughts = of_type(&lines, "thought");
    let statuses: Vec<&str> = thoughts.iter().map(|thought| thought["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["open", "completed", "archived", "open"]);
    let of_thought = |kind: &str, thought: &Value| -> Vec<Value> {
        let parts = of_type(&lines, kind).into_iter().filter(|part| part["thought"] == thought["id"]);
        parts.map(|part| part["part"].clone()).collect()
    };
    let revisions = of_thought("revision", thoughts[1]);
    assert_eq!((&thoughts[1]["revision_count"], revisions.len()), (&json!(2), 2));
    assert_eq!(revisions[0]["text"]["before"], "Ana lives in  Lisbon \n");
    assert_eq!(revisions[1]["status"], json!({ "before": "open", "after": "completed" }));
    let notes = of_thought("note", thoughts[1]);
    assert_eq!(notes[0]["name"], "gone");
    assert!(notes[0]["removed_at"].is_string());
    assert_eq!(of_thought("note", thoughts[2])[0]["text"], "hibiscus\r\n");
    assert!(export.contains(&key[..10]) && !export.contains(&key[..11]));
}

#[test]
fn importing_again_changes_nothing() {
    let (sandbox, _) = full();
    let export = sandbox.ok(&["export"]);
    let file = sandbox.file("export.jsonl", &export);
    let summary = "imported 0 accounts, 0 keys, 0 thoughts; the other 8 were there already\n";
    let said = sandbox.ok(&["import", &file]);
    assert!(said.starts_with(&format!("{summary}imported 0, known 4, left out 0; batch ")), "{said}");
    assert_eq!(sandbox.ok(&["export"]), export);
}

#[test]
fn a_dry_run_and_a_strict_one_store_nothing_they_should_not() {
    let (sandbox, _) = full();
    let export = sandbox.ok(&["export"]);
    let file = sandbox.file("export.jsonl", &export);
    let copy = Sandbox::new();
    let told = copy.ok(&["import", "--dry-run", "--with-keys", &file]);
    assert!(
        told.starts_with("imported 2 accounts, 2 keys, 4 thoughts\nimported 4, known 0, left out 0; batch none"),
        "{told}"
    );
    let spoiled = sandbox.file("spoiled.jsonl", export.replace("Ben's", " "));
    let said = copy.fails(1, &["import", "--strict", &spoiled]);
    assert!(said.ends_with("; nothing is stored"), "{said}");
    assert!(!copy.data().exists());
    assert!(sandbox.ok(&["import", "--dry-run", &file]).contains("\nimported 0, known 4, left out 0; batch none"));
    assert!(copy.ok(&["import", "--strict", &file]).contains("\nimported 4, known 0, left out 2; batch "));
}

#[test]
fn one_account_can_be_exported_alone() {
    let (sandbox, _) = full();
    let lines = lines(&sandbox.ok(&["export", "--account", "ben"]));
    assert_eq!(of_type(&lines, "account").len(), 1);
    assert_eq!(of_type(&lines, "thought")[0]["raw_text"], "Ben's");
    assert!(sandbox.fails(1, &["export", "--account", "cy"]).starts_with("no account `cy`"));
}

#[test]
fn an_account_of_the_same_name_takes_the_thoughts_in() {
    let (sandbox, _) = full();
    let file = sandbox.file("export.jsonl", sandbox.ok(&["export"]));
    let (other, key) = Sandbox::with_account("default");
    let ran = other.run(&["import", &file]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let checked = "checked: 4 thoughts, 3 revisions and 2 notes of the export are here with the same contents\n";
    assert_eq!(ran.stderr, format!("account `default` is taken to be the one of that name here\n{checked}"));
    let found = Serving::start(&other).call(&key, "retrieve_thoughts", json!({ "author": "all" }));
    assert_eq!(found["thoughts"].as_array().unwrap().len(), 1, "{found}");
}

#[test]
fn a_file_appears_whole_and_private() {
    let (sandbox, _) = full();
    let file = sandbox.file("export.jsonl", "older");
    let ran = sandbox.run(&["export", &file]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""));
    assert_eq!(ran.stderr, "exported 2 accounts, 2 keys, 4 thoughts\n");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), sandbox.ok(&["export"]));
    assert_eq!(entries(sandbox.0.path()), ["data", "export.jsonl", "note.txt"]);
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&file).unwrap()) & 0o777, 0o600);
    assert!(sandbox.fails(1, &["export", "/no/such/folder/x"]).starts_with("cannot write `/no/such/folder/x`"));
}

#[test]
fn a_bad_line_is_named_by_its_number() {
    let (sandbox, _) = full();
    let export = sandbox.ok(&["export"]);
    let mut lines: Vec<&str> = export.lines().collect();
    let spoiled = lines[3].replace("\"open\"", "\"lost\"").replace("\"completed\"", "\"lost\"");
    let copy = Sandbox::new();
    let import = |lines: &[&str]| copy.run_reading(&["import", "-"], lines.join("\n").as_bytes()).failure(1);
    for (number, line, reason) in [
        (4, spoiled.as_str(), "line 4: `lost` is not a status"),
        (3, "{\"type\":", "line 3: EOF while parsing"),
        (3, "", "line 3: EOF while parsing"),
        (3, r#"{"type":"wish"}"#, "line 3: unknown variant `wish`"),
        (2, lines[3], "line 2: account `"),
        (4, lines[lines.len() - 1], "line 4: the export says it has more or fewer lines than there are"),
    ] {
        let mut bad = lines.clone();
        bad[number - 1] = line;
        let said = import(&bad);
        assert!(said.starts_with(reason), "{said}");
    }
    lines.pop();
    assert!(import(&lines).starts_with("the export was cut short"));
    let again = copy.run_reading(&["import", "--with-keys", "-"], export.as_bytes());
    assert_eq!(again.status, 0, "{}", again.stderr);
    assert_eq!(copy.ok(&["export"]), export);
}

#[test]
fn names_that_would_move_the_cursor_are_refused() {
    let (sandbox, _) = full();
    let export = sandbox.ok(&["export"]);
    let hostile = export.replace(r#""agent_name":"default""#, r#""agent_name":"\u001b[2Jdefault""#);
    assert_ne!(hostile, export);
    let said = Sandbox::new().fails(1, &["import", &sandbox.file("hostile", &hostile)]);
    assert!(said.contains("the name of a key has 1 to 100 characters"), "{said}");
}

#[cfg(unix)]
#[test]
fn an_export_does_not_follow_a_link_in_its_way() {
    use std::os::unix::fs::PermissionsExt;
    let (sandbox, _) = full();
    let target = sandbox.file("precious", "kept");
    std::os::unix::fs::symlink(&target, sandbox.path("all.jsonl.partial")).unwrap();
    let all = sandbox.path("all.jsonl");
    sandbox.ok(&["export", all.to_str().unwrap()]);
    std::fs::remove_file(&all).unwrap();
    std::os::unix::fs::symlink(&target, &all).unwrap();
    sandbox.ok(&["export", all.to_str().unwrap()]);
    let about = all.symlink_metadata().unwrap();
    assert!(about.is_file() && about.permissions().mode() & 0o777 == 0o600, "{about:?}");
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "kept");
    // What stands for standard output is no link in anybody's way.
    let output = std::fs::File::create(&target).unwrap();
    assert!(sandbox.command(&["export", "/dev/stdout"]).stdout(output).status().unwrap().success());
    assert_eq!(std::fs::read_to_string(&target).unwrap(), std::fs::read_to_string(&all).unwrap());
    assert!(std::path::Path::new("/dev/stdout").is_symlink());
}

#[test]
fn what_is_no_export_of_a_known_version_is_refused() {
    let sandbox = Sandbox::new();
    let newer = sandbox.file("newer", "{\"format\":\"afterthought-export\",\"version\":3}\n");
    let said = sandbox.fails(1, &["import", &newer]);
    assert_eq!(
        said,
        "line 1: the export has format 3, this version knows up to 2: import it with a newer afterthought"
    );
    let other = sandbox.file("other", "hello\n");
    assert!(sandbox.fails(1, &["import", &other]).contains("this is not an afterthought export"));
    assert!(sandbox.fails(1, &["import", "nowhere"]).starts_with("no file `nowhere`"));
    assert!(!sandbox.data().exists());
}

#[test]
fn a_backup_is_a_store_of_its_own() {
    let (sandbox, key) = full();
    let serving = Serving::start(&sandbox);
    let copy = sandbox.path("copies/monday").to_str().unwrap().to_owned();
    assert_eq!(sandbox.ok(&["backup", &copy]), format!("copied the store to `{copy}`\n"));
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&copy).unwrap()) & 0o777, 0o700);
    let exported = sandbox.ok(&["export", "--data", &copy]);
    assert_eq!(of_type(&lines(&exported), "thought").len(), 4);
    serving.capture(&key, "after the copy");
    assert_eq!(sandbox.ok(&["export", "--data", &copy]), exported);
    let said = sandbox.fails(1, &["backup", &copy]);
    assert_eq!(said, format!("`{copy}` is not empty: give an empty folder or one that does not exist"));
    let file = sandbox.file("file", "");
    assert!(sandbox.fails(1, &["backup", &file]).contains("is a file"));
}

//! Notes from the command line, beside a running service.

use serde_json::json;

use super::{NOWHERE, Sandbox, Serving};

#[test]
fn an_attached_note_is_found_at_once() {
    let (sandbox, key) = Sandbox::with_account("ana");
    let serving = Serving::start(&sandbox);
    let thought = serving.capture(&key, "The garden plan");
    let plan = sandbox.file("plan.md", "Plant hibiscus by the fence.\n");
    let ran = sandbox.run(&["note", "attach", &thought, &plan]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(ran.stderr, format!("attached `plan.md` to thought {thought}\n"));
    let note = ran.stdout.trim();
    let query = json!({ "query": "hibiscus", "mode": "fast" });
    let found = serving.call(&key, "retrieve_thoughts", query.clone());
    assert_eq!(found["thoughts"][0]["id"], thought.as_str(), "{found}");
    assert_eq!(found["thoughts"][0]["notes"][0]["name"], "plan.md", "{found}");
    let removed = sandbox.ok(&["note", "remove", note]);
    assert_eq!(removed, format!("removed `plan.md` from thought {thought}\n"));
    let found = serving.call(&key, "retrieve_thoughts", query);
    assert_eq!(found["thoughts"], json!([]), "{found}");
    let said = sandbox.fails(1, &["note", "remove", note]);
    assert_eq!(said, format!("no note `{note}`: see `afterthought note list`"));
}

#[test]
fn notes_are_listed_by_thought() {
    let (sandbox, key) = Sandbox::with_account("ana");
    let serving = Serving::start(&sandbox);
    let [one, other] = ["one", "other"].map(|text| serving.capture(&key, text));
    let file = sandbox.file("a.txt", "tea");
    let first = sandbox.ok(&["note", "attach", &one, &file, "--name", "first"]);
    let second = sandbox.run_reading(&["note", "attach", &other, "-", "--account", "ana"], b"green tea");
    assert_eq!(second.status, 0, "{}", second.stderr);
    let rows = |arguments: &[&str]| -> Vec<String> {
        let list = sandbox.ok(arguments);
        let words =
            |line: &str| line.split("  ").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let without_time = |mut words: Vec<String>| {
            words.remove(3);
            words.join(" ")
        };
        list.lines().skip(1).map(words).map(without_time).collect()
    };
    let first = format!("{} {one} 3 first", first.trim());
    let second = format!("{} {other} 9 standard input", second.stdout.trim());
    let [listed_first, listed_second] = rows(&["note", "list"]).try_into().unwrap();
    assert_eq!((listed_first.as_str(), listed_second.as_str()), (first.as_str(), second.as_str()));
    assert_eq!(rows(&["note", "list", &other]), [second]);
    assert!(sandbox.fails(1, &["note", "list", NOWHERE]).starts_with("no thought `"));
}

#[test]
fn what_cannot_be_a_note_is_refused_in_one_sentence() {
    let (sandbox, key) = Sandbox::with_account("ana");
    let thought = Serving::start(&sandbox).capture(&key, "tea");
    let binary = sandbox.file("binary", b"\xff\xfe\x00");
    let large = sandbox.file("large", "x".repeat(1_048_577));
    let empty = sandbox.file("empty", "");
    let missing = sandbox.path("missing").to_str().unwrap().to_owned();
    let folder = sandbox.0.path().to_str().unwrap().to_owned();
    for (file, sentence) in [
        (&missing, format!("no file `{missing}`: check the path")),
        (&folder, format!("`{folder}` is a folder: give a text file")),
        (&binary, "the file is not UTF-8 text: convert it to UTF-8 and attach it again".into()),
        (&large, format!("`{large}` has 1048577 bytes, a note at most 1048576: split it into smaller files")),
        (&empty, "the file is empty: a note has at least one character".into()),
    ] {
        assert_eq!(sandbox.fails(1, &["note", "attach", &thought, file]), sentence);
    }
    let endless = sandbox.run_reading(&["note", "attach", &thought, "-"], &vec![b'x'; 2_000_000]).failure(1);
    assert!(endless.starts_with("the text has more than 1048576 bytes"), "{endless}");
    assert_eq!(sandbox.ok(&["note", "list"]).lines().count(), 1);
}

#[test]
fn a_note_needs_a_thought_of_the_named_account() {
    let (sandbox, key) = Sandbox::with_account("ana");
    let thought = Serving::start(&sandbox).capture(&key, "tea");
    sandbox.ok(&["account", "create", "ben"]);
    let file = sandbox.file("a.txt", "tea");
    assert_eq!(
        sandbox.fails(1, &["note", "attach", NOWHERE, &file]),
        format!("no thought `{NOWHERE}`: give an id that capture_thought or retrieve_thoughts returned")
    );
    assert_eq!(
        sandbox.fails(1, &["note", "attach", &thought, &file, "--account", "ben"]),
        format!("account `ben` has no thought `{thought}`: leave out `--account` to look in all")
    );
    sandbox.ok(&["note", "attach", &thought, &file]);
}

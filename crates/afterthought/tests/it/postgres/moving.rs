//! Moving from one store to the other: checked at the end, taken up again where it broke off, and a difference is found.

use std::fs;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;
use test_postgres::{Place, address};

use super::{Given, captured, found};
use crate::process::{Process, command};

/// How many thoughts are moved.
const THOUGHTS: usize = 1_200;

/// An export of an embedded store with revisions, a note and two keys; the first of its thoughts, and a key.
fn exported(folder: &TempDir) -> (String, String, String) {
    let data = folder.path().join("data");
    let (id, key) = {
        let service = Process::start(&data);
        let key = service.first_key().unwrap();
        let mut caller = service.caller(&key);
        let id = captured(&mut caller, "Ana \u{0} likes tea");
        caller.tool("edit_thought", &json!({"thought_id": id, "edit_request": "mark as done"})).unwrap();
        (1..THOUGHTS).for_each(|number| drop(captured(&mut caller, &format!("pebble {number} from the beach"))));
        (id, key)
    };
    let note = folder.path().join("note.md");
    fs::write(&note, "a note about pebbles").unwrap();
    assert!(command(&data, &["note", "attach", &id, note.to_str().unwrap()]).success);
    assert!(command(&data, &["key", "create", "laptop"]).success);
    let file = folder.path().join("all.jsonl").to_str().unwrap().to_owned();
    assert!(command(&data, &["export", &file]).success);
    (file, id, key)
}

/// Whether an import into the database succeeds, and what it says besides what was asked for.
fn import(given: &Given, file: &str) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_afterthought"));
    command.args(["import", "--with-keys", file]).env("HOME", given.home.path()).env_remove("XDG_DATA_HOME");
    command.env("AFTERTHOUGHT_STORE", &given.address).env("AFTERTHOUGHT_SCHEMA", &given.schema);
    let output = command.output().unwrap();
    (output.status.success(), String::from_utf8(output.stderr).unwrap())
}

/// Changes something in the shared database past the program.
fn say(sql: &str) {
    super::say(address(), sql);
}

#[test]
fn what_was_moved_is_compared_and_a_difference_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (file, id, key) = exported(&folder);
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    // It breaks off half way, as if the machine had gone, and is taken up again.
    let text = fs::read_to_string(&file).unwrap();
    let half = folder.path().join("half.jsonl");
    fs::write(&half, &text[..text[..text.len() / 2].rfind('\n').unwrap() + 1]).unwrap();
    let (succeeded, said) = import(&given, half.to_str().unwrap());
    assert!(!succeeded && said.contains("cut short"), "{said}");
    let (succeeded, said) = import(&given, &file);
    let all = format!("checked: {THOUGHTS} thoughts, 1 revision, 1 note and 2 keys of the export are here");
    assert!(succeeded && said.contains(&all), "{said}");
    // What was changed since then is told, and is no difference to worry about.
    {
        let copy = given.copy();
        let mut caller = copy.caller(&key);
        let pebble = captured(&mut caller, "a pebble that the export has not");
        let other = found(&mut caller, "pebble 7 beach").into_iter().find(|id| *id != pebble).unwrap();
        caller.tool("edit_thought", &json!({"thought_id": other, "edit_request": "mark as done"})).unwrap();
    }
    let (succeeded, said) = import(&given, &file);
    assert!(succeeded && said.contains(&all) && said.contains("but for 1 thought, changed here since"), "{said}");
    let schema = place.schema();
    for (sql, named) in [
        (
            format!("UPDATE {schema}.thought SET raw_text = 'Ana likes milk' WHERE id = '{id}'"),
            format!("the thought `{id}`"),
        ),
        (format!("UPDATE {schema}.note SET text = 'another'"), "the note `".to_owned()),
        (format!("UPDATE {schema}.revision SET by = 'nobody'"), format!("revision 1 of the thought `{id}`")),
        (format!("UPDATE {schema}.key SET hash = sha256(hash) WHERE name = 'laptop'"), "the key `".to_owned()),
    ] {
        let undo = format!("CREATE TABLE {schema}.kept AS SELECT * FROM {schema}.{}", table(&sql));
        say(&undo);
        say(&sql);
        let (succeeded, said) = import(&given, &file);
        assert!(!succeeded && said.contains("1 with other contents") && said.contains(&named), "{sql}: {said}");
        restore(schema, table(&sql));
    }
    say(&format!("DELETE FROM {schema}.revision"));
    let (succeeded, said) = import(&given, &file);
    assert!(succeeded && said.contains(&all), "what is missing is brought by importing again: {said}");
}

/// The table that a statement changes.
fn table(sql: &str) -> &str {
    sql.split('.').nth(1).unwrap().split(' ').next().unwrap()
}

/// Puts back what was kept of a table.
fn restore(schema: &str, table: &str) {
    say(&format!(
        "DELETE FROM {schema}.{table}; INSERT INTO {schema}.{table} SELECT * FROM {schema}.kept; DROP TABLE {schema}.kept"
    ));
}

//! However much belongs to one thought, no more of it is in memory than is needed at a time.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::json;

use crate::process::{Process, command, memory_peak};

/// What a process may have at most.
const BYTES_MAX: u64 = 256 << 20;

/// What a command may have that works piece by piece.
const PIECES_BYTES_MAX: u64 = 90 << 20;

/// A store whose one thought has so many revisions of 2 × 64,000 bytes, and notes of a million bytes; the thought and the key.
fn a_long_history(data: &Path, revisions: u32, notes: u32) -> (String, String) {
    let service = Process::start(data);
    let key = service.first_key().unwrap();
    let mut caller = service.caller(&key);
    let captured = caller.tool("capture_thought", &json!({"raw": "tea", "as_user": true})).unwrap();
    let id = captured["thought"]["id"].as_str().unwrap().to_owned();
    drop(service);
    let file = account_file(data);
    let database = Connection::open(file).unwrap();
    database.pragma_update(None, "synchronous", "OFF").unwrap();
    let sql = format!(
        "BEGIN;
         WITH RECURSIVE n (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM n WHERE number < {revisions})
         INSERT INTO revision (thought, number, at, kind, by, text_before, text_after)
         SELECT 1, number, number, 'change', 'laptop', number || hex(zeroblob(32000)), (number + 1) || hex(zeroblob(32000))
         FROM n WHERE {revisions} > 0;
         UPDATE thought SET revision = {revisions}, raw_text = ({revisions} + 1) || hex(zeroblob(32000)) WHERE row = 1;
         WITH RECURSIVE n (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM n WHERE number < {notes})
         INSERT INTO note (row, id, thought, name, created_at, seq, words, text, lexical_text)
         SELECT number, randomblob(16), 1, 'plan.md', number, 1000000 + number, 1, hex(zeroblob(500000)), 'tea'
         FROM n WHERE {notes} > 0;
         COMMIT"
    );
    database.execute_batch(&sql).unwrap();
    (id, key)
}

fn account_file(data: &Path) -> PathBuf {
    let files = std::fs::read_dir(data.join("accounts")).unwrap().map(|entry| entry.unwrap().path());
    files.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "db")).unwrap()
}

/// Runs a command to its end; the most memory it had.
fn peak_of(data: &Path, arguments: &[&str]) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_afterthought"))
        .args(arguments)
        .arg("--data")
        .arg(data)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut peak = 0;
    // The peak only grows, so that the last look before the end counts.
    while child.try_wait().unwrap().is_none() {
        peak = memory_peak(&child).unwrap_or(peak);
        std::thread::sleep(Duration::from_millis(2));
    }
    peak
}

#[test]
fn an_undo_reads_the_one_change_it_takes_back() {
    let folder = tempfile::tempdir().unwrap();
    let (id, key) = a_long_history(folder.path(), 2_500, 0);
    let service = Process::start(folder.path());
    let mut caller = service.caller(&key);
    for request in ["undo", "undo", "redo"] {
        caller.tool("edit_thought", &json!({"thought_id": id, "edit_request": request})).unwrap();
    }
    let shown = caller.tool("retrieve_thoughts", &json!({"detail": "full"})).unwrap();
    assert!(shown["thoughts"][0]["raw_text"].as_str().unwrap().starts_with("25000000"), "after change 2,499 of 2,500");
    let peak = service.memory_peak();
    assert!(peak < BYTES_MAX, "{} MiB", peak >> 20);
}

#[test]
fn an_export_and_an_import_hold_a_few_pieces_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    a_long_history(&data, 700, 10);
    let (file, copy) = (folder.path().join("all.jsonl"), folder.path().join("copy"));
    let exported = peak_of(&data, &["export", file.to_str().unwrap()]);
    assert!(file.metadata().unwrap().len() > PIECES_BYTES_MAX, "there is more than may be in memory");
    let imported = peak_of(&copy, &["import", file.to_str().unwrap()]);
    let again = folder.path().join("again.jsonl");
    assert!(command(&copy, &["export", again.to_str().unwrap()]).success);
    let listed = peak_of(&data, &["note", "list"]);
    for (what, peak) in [("export", exported), ("import", imported), ("list", listed)] {
        assert!(peak < PIECES_BYTES_MAX, "{what}: {} MiB", peak >> 20);
    }
    let without_keys = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().filter(|line| !line.contains("\"keys\"") && !line.starts_with(r#"{"type":"key""#)).count()
    };
    assert_eq!(without_keys(&file), without_keys(&again));
}

#[test]
fn an_endless_line_is_not_read_into_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("endless.jsonl");
    let mut file = File::create(&path).unwrap();
    file.write_all(b"{\"format\":\"afterthought-export\",\"version\":2}\n").unwrap();
    file.set_len(2 << 30).unwrap();
    let peak = peak_of(&folder.path().join("data"), &["import", path.to_str().unwrap()]);
    assert!(peak < 128 << 20, "{} MiB", peak >> 20);
}

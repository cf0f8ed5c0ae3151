//! What other memories hold, taken in, found, taken in again and taken back.

use std::io::{Cursor, Write};

use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Ran, Sandbox, Serving};

const GRAPH: &str = r#"{"type":"entity","name":"Ana","entityType":"person","observations":["drinks hibiscus tea","sails"]}
{"type":"relation","from":"Ana","to":"Acme","relationType":"works_at"}"#;

fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, contents) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(contents).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn last_line(ran: &str) -> (&str, &str) {
    ran.trim_end().lines().last().unwrap().split_once("; batch ").unwrap()
}

/// What a store holds, without the times of storing.
fn thoughts(sandbox: &Sandbox) -> Vec<Value> {
    let export = sandbox.ok(&["export"]);
    let lines = export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["type"] == "thought").collect()
}

#[test]
fn what_comes_in_is_found_and_comes_in_once() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("memory.jsonl", GRAPH);
    let first = sandbox.ok(&["import", "--from", "server-memory", &file]);
    let (counts, batch) = last_line(&first);
    assert_eq!(counts, "imported 3, known 0, left out 0", "{first}");
    let again = sandbox.ok(&["import", "--from", "auto", &file]);
    assert_eq!(last_line(&again).0, "imported 0, known 3, left out 0");
    let key = sandbox.ok(&["key", "create", "laptop"]);
    let serving = Serving::start(&sandbox);
    let query = json!({ "query": "hibiscus", "author": "agent" });
    let found = serving.call(key.trim(), "retrieve_thoughts", query.clone());
    assert_eq!(found["thoughts"][0]["snippet"], "Ana: drinks hibiscus tea", "{found}");
    assert_eq!(found["thoughts"][0]["agent_name"], "server-memory", "{found}");
    assert_eq!(sandbox.ok(&["import", "--undo", batch]), format!("archived 3 thoughts of batch {batch}\n"));
    assert_eq!(serving.call(key.trim(), "retrieve_thoughts", query)["thoughts"], json!([]));
    let after = sandbox.ok(&["import", "--from", "server-memory", &file]);
    assert_eq!(last_line(&after).0, "imported 0, known 3, left out 0", "also after an undo");
    assert_eq!(sandbox.ok(&["import", "--undo", batch]), format!("archived 0 thoughts of batch {batch}\n"));
}

#[test]
fn an_import_is_undone_in_a_backup_too() {
    let sandbox = Sandbox::new();
    let source = sandbox.file("memory.jsonl", GRAPH);
    let said = sandbox.ok(&["import", "--from", "server-memory", &source]);
    let batch = last_line(&said).1;
    let copy = sandbox.path("copy").to_str().unwrap().to_owned();
    sandbox.ok(&["backup", &copy]);
    let undone = sandbox.ok(&["import", "--undo", batch, "--data", &copy]);
    assert_eq!(undone, format!("archived 3 thoughts of batch {batch}\n"));
    assert!(thoughts(&sandbox).iter().all(|thought| thought["status"] == "open"), "the store itself stays as it is");
}

/// The most memory the command had in use, in MiB.
#[cfg(target_os = "linux")]
fn peak_mib(command: &mut std::process::Command) -> u64 {
    let mut child = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let most = most.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        peak = most.unwrap_or_default().max(peak);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(child.wait().unwrap().success());
    peak / 1024
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_import_takes_no_more_memory_than_a_small_one() {
    let sandbox = Sandbox::new();
    let large = sandbox.path("memory.jsonl");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&large).unwrap());
    let observation = "sails along the coast and writes down what she sees ".repeat(200);
    for number in 0..4_000 {
        let entity = json!({"type": "entity", "name": format!("Ana {number}"), "entityType": "person", "observations": [observation]});
        writeln!(file, "{entity}").unwrap();
    }
    file.into_inner().unwrap();
    let conversations: Vec<Value> = (0..4_000)
        .map(|number| {
            let content = json!({"content_type": "text", "parts": [format!("{number} {observation}")]});
            let message = json!({"author": {"role": "assistant"}, "recipient": "all", "content": content});
            json!({"title": "one", "mapping": {"a": {"message": message}}})
        })
        .collect();
    let zipped = sandbox.path("chatgpt.zip");
    std::fs::write(&zipped, archive(&[("conversations.json", Value::Array(conversations).to_string().as_bytes())]))
        .unwrap();
    for (kind, path) in [("server-memory", &large), ("chatgpt", &zipped)] {
        let arguments = ["import", "--dry-run", "--from", kind, path.to_str().unwrap()];
        let peak = peak_mib(&mut sandbox.command(&arguments));
        // Either is 40 MiB unpacked.
        assert!(peak < 38, "{kind}: {peak} MiB");
    }
}

#[test]
fn an_undo_leaves_what_others_brought_and_what_is_done() {
    let (sandbox, key) = Sandbox::with_account("default");
    let serving = Serving::start(&sandbox);
    let own = serving.capture(&key, "Ana likes cake");
    let one =
        sandbox.file("one.json", json!([{"id": "1", "memory": "first"}, {"id": "2", "memory": "second"}]).to_string());
    let both =
        sandbox.file("both.json", json!([{"id": "2", "memory": "second"}, {"id": "3", "memory": "third"}]).to_string());
    let earlier = sandbox.ok(&["import", "--from", "openmemory", "--as", "user", &one]);
    let later = sandbox.ok(&["import", "--from", "openmemory", "--as", "helper", &both]);
    assert_eq!(last_line(&later).0, "imported 1, known 1, left out 0");
    let second = thoughts(&sandbox).iter().find(|thought| thought["raw_text"] == "first").unwrap()["id"].clone();
    serving.call(&key, "edit_thought", json!({ "thought_id": second, "edit_request": "mark as done" }));
    sandbox.ok(&["import", "--undo", last_line(&earlier).1]);
    let now: Vec<(Value, Value, Value)> = thoughts(&sandbox)
        .into_iter()
        .map(|thought| (thought["raw_text"].clone(), thought["status"].clone(), thought["author"].clone()))
        .collect();
    let expected = [
        ("Ana likes cake", "open", "user"),
        ("first", "completed", "user"),
        ("second", "archived", "user"),
        ("third", "open", "agent"),
    ];
    assert_eq!(now, expected.map(|(text, status, author)| (json!(text), json!(status), json!(author))));
    assert!(!own.is_empty());
}

#[test]
fn a_dry_run_says_the_same_and_stores_nothing() {
    let sandbox = Sandbox::new();
    let export = json!({"export_metadata": {}, "memories": [
        {"content": "Ana drinks tea", "content_hash": "a", "tags": ["food"], "created_at": 1_740_821_400, "memory_type": "note"},
        {"content": ""}]});
    let file = sandbox.file("export.json", export.to_string());
    let dry = sandbox.run(&["import", "--from", "mcp-memory-service", "--dry-run", &file]);
    assert!(!sandbox.data().exists() && dry.status == 0);
    let wet = sandbox.run(&["import", "--from", "mcp-memory-service", &file]);
    assert_eq!(last_line(&dry.stdout).0, last_line(&wet.stdout).0);
    assert_eq!(last_line(&wet.stdout).0, "imported 1, known 0, left out 1");
    assert!(wet.stdout.contains("without: 1 × type of a memory\nleft out: 1 × broken record\n"), "{}", wet.stdout);
    assert!(wet.stderr.contains("export.json, record 2: it has no text"), "{}", wet.stderr);
    let [thought] = &thoughts(&sandbox)[..] else { panic!() };
    assert_eq!(
        (&thought["raw_text"], &thought["captured_at"]),
        (&json!("Ana drinks tea\n#food"), &json!("2025-03-01T09:30:00.000000Z"))
    );
    let again = sandbox.ok(&["import", "--from", "mcp-memory-service", "--dry-run", &file]);
    assert_eq!(last_line(&again).0, "imported 0, known 1, left out 1");
}

#[test]
fn with_strict_a_broken_record_stops_everything() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("memory.jsonl", format!("{GRAPH}\n{{\"type\":\"entity\"}}\n"));
    let said = sandbox.fails(1, &["import", "--from", "server-memory", "--strict", &file]);
    assert!(said.starts_with("memory.jsonl, line 3: missing field `name`"), "{said}");
    assert!(!sandbox.data().exists());
    assert_eq!(
        last_line(&sandbox.ok(&["import", "--from", "server-memory", &file])).0,
        "imported 3, known 0, left out 1"
    );
}

#[test]
fn a_folder_of_notes_is_searched_in_whole() {
    let (sandbox, key) = Sandbox::with_account("ana");
    std::fs::create_dir(sandbox.path("vault")).unwrap();
    sandbox.file("vault/2025-03-01.md", "Rain.\n\nIn the evening hibiscus tea with Ben.\n");
    let vault = sandbox.path("vault");
    let vault = vault.to_str().unwrap();
    assert_eq!(last_line(&sandbox.ok(&["import", "--from", "markdown", vault])).0, "imported 1, known 0, left out 0");
    let serving = Serving::start(&sandbox);
    let found = serving.call(&key, "retrieve_thoughts", json!({ "query": "hibiscus" }));
    assert_eq!(found["thoughts"][0]["snippet"], "2025-03-01\n\nRain.", "{found}");
    assert_eq!(found["thoughts"][0]["notes"][0]["name"], "2025-03-01.md", "{found}");
    assert_eq!(found["thoughts"][0]["author"], "user");
}

fn refusal(ran: &Ran) -> &str {
    assert_eq!((ran.status, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
    &ran.stderr
}

#[test]
fn hostile_archives_leave_nothing_behind() {
    let sandbox = Sandbox::new();
    let climbing = sandbox.file("climb.zip", archive(&[("../../memories.json", b"[]"), ("memories.json", b"[]")]));
    for kind in ["openmemory", "chatgpt", "claude", "auto"] {
        let ran = sandbox.run(&["import", "--from", kind, &climbing]);
        assert!(refusal(&ran).contains("`../../memories.json` would lie outside of it"), "{kind}: {}", ran.stderr);
    }
    // Its directory says that it unpacks to 4 GiB.
    let mut bomb = archive(&[("memories.json", b"[]")]);
    let directory = bomb.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    bomb[directory + 24..directory + 28].copy_from_slice(&[0xfe, 0xff, 0xff, 0xff]);
    let bomb = sandbox.file("bomb.zip", bomb);
    let ran = sandbox.run(&["import", "--from", "openmemory", &bomb]);
    assert!(refusal(&ran).contains("unpacks to more than 1073741824 bytes"), "{}", ran.stderr);
    assert!(!sandbox.data().exists(), "no store is made for it");
}

#[test]
fn what_makes_no_sense_is_said_to() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("memory.jsonl", GRAPH);
    assert!(sandbox.fails(2, &["import", "--account", "ana", &file]).contains("leave out `--account`"));
    assert!(
        sandbox.fails(2, &["import", "--from", "claude", "--with-keys", &file]).contains("leave out `--with-keys`")
    );
    assert!(sandbox.fails(2, &["import"]).contains("<PATH>"));
    let poem = sandbox.file("poem.txt", "roses");
    assert!(sandbox.fails(1, &["import", "--from", "auto", &poem]).starts_with("cannot tell what"));
    assert!(sandbox.fails(1, &["import", "--undo", "0197c1a2-7b3c-7def-8123-456789abcdef"]).starts_with("no import"));
}

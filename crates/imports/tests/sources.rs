//! Every kind of source as its program writes it, and sources nobody should open.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use afterthought_imports::{Detected, Event, Kind, Limits, ReadError, Record, detect, read};
use model::Status;
use serde_json::{Value, json};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// What was found in a source.
#[derive(Default)]
struct Found {
    records: Vec<Record>,
    left_out: Vec<&'static str>,
    not_kept: Vec<&'static str>,
    broken: Vec<String>,
}

impl Found {
    fn texts(&self) -> Vec<&str> {
        self.records.iter().map(|record| record.text.as_str()).collect()
    }
}

fn found(kind: Kind, path: &Path) -> Result<Found, ReadError> {
    found_within(kind, path, Limits::default())
}

fn found_within(kind: Kind, path: &Path, limits: Limits) -> Result<Found, ReadError> {
    let mut found = Found::default();
    read(kind, path, limits, &mut |event| {
        match event {
            Event::Record(record) => found.records.push(*record),
            Event::LeftOut(what) => found.left_out.push(what),
            Event::NotKept(what) => found.not_kept.push(what),
            Event::Broken { place, reason } => found.broken.push(format!("{place}: {reason}")),
        }
        true
    })?;
    Ok(found)
}

fn archive(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, contents) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(contents).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, contents).unwrap();
        path
    }
}

const ID: &str = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

#[test]
fn a_knowledge_graph_becomes_a_thought_for_each_observation_and_relation() {
    let folder = Folder::new();
    let lines = [
        json!({"type": "entity", "name": "Ana", "entityType": "person", "observations": ["drinks tea", "sails"]}),
        json!({"type": "relation", "from": "Ana", "to": "Acme", "relationType": "works_at"}),
        json!({"type": "entity", "name": "Acme", "entityType": "company", "observations": []}),
        json!({"type": "entity", "observations": []}),
    ];
    let text = lines.map(|line| line.to_string()).join("\n");
    let path = folder.file("memory.jsonl", text);
    let first = found(Kind::ServerMemory, &path).unwrap();
    assert_eq!(first.texts(), ["Ana: drinks tea", "Ana: sails", "Ana works_at Acme", "Acme: company"]);
    assert!(first.broken[0].starts_with("memory.jsonl, line 4: missing field `name`"), "{:?}", first.broken);
    assert_eq!(first.not_kept, ["type of an entity"]);
    let again = found(Kind::ServerMemory, &path).unwrap();
    assert_eq!(first.records, again.records, "the same ids and times");
    assert_eq!(detect(&path, Limits::default()).unwrap(), Some(Detected::Other(Kind::ServerMemory)));
}

fn openmemory_lines() -> Vec<u8> {
    let lines = [
        json!({"id": ID, "content": "Ana drinks tea", "metadata": {}, "created_at": "2025-03-01T09:30:00+00:00",
            "state": "active", "app": "cursor", "categories": ["food", "home life"]}),
        json!({"id": "17", "content": "gone", "created_at": 1_740_821_400, "state": "deleted", "app": null, "categories": []}),
        json!({"id": "18", "content": "resting", "created_at": null, "state": "paused", "metadata": {"a": 1}}),
        json!({"id": "19"}),
    ];
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    for line in lines {
        writeln!(encoder, "{line}").unwrap();
    }
    encoder.finish().unwrap()
}

#[test]
fn an_archive_of_openmemory_keeps_ids_times_authors_and_states() {
    let folder = Folder::new();
    let path = folder
        .file("export.zip", archive(&[("memories.jsonl.gz", openmemory_lines()), ("memories.json", b"{}".to_vec())]));
    let found = found(Kind::OpenMemory, &path).unwrap();
    assert_eq!(found.texts(), ["Ana drinks tea\n#food #home-life", "gone", "resting"]);
    let [tea, gone, resting] = &found.records[..] else { panic!() };
    assert_eq!((tea.id.to_string().as_str(), tea.agent.as_deref()), (ID, Some("cursor")));
    assert_eq!(tea.captured_at.to_string(), "2025-03-01T09:30:00.000000Z");
    assert_eq!((tea.status, gone.status, resting.status), (Status::Open, Status::Archived, Status::Open));
    assert_eq!(gone.captured_at, tea.captured_at);
    assert_eq!((found.broken.len(), found.not_kept), (1, vec!["metadata of a memory"]));
    assert!(found.broken[0].starts_with("memories.jsonl.gz, line 4"), "{:?}", found.broken);
    assert_eq!(detect(&path, Limits::default()).unwrap(), Some(Detected::Other(Kind::OpenMemory)));
}

#[test]
fn the_other_half_of_that_archive_and_mem0_say_the_same() {
    let folder = Folder::new();
    let whole = json!({
        "user": {"id": "u"}, "memories": [{"id": ID, "app_id": "a1", "content": "Ana drinks tea", "state": "active",
            "created_at": "2025-03-01T09:30:00", "category_ids": ["c1"]}],
        "apps": [{"id": "a1", "name": "cursor"}], "categories": [{"id": "c1", "name": "food"}], "export_meta": {"version": "1"},
    });
    let path = folder.file("export.zip", archive(&[("memories.json", whole.to_string().into_bytes())]));
    let one = found(Kind::OpenMemory, &path).unwrap();
    assert_eq!((one.texts(), one.records[0].agent.as_deref()), (vec!["Ana drinks tea\n#food"], Some("cursor")));
    assert_eq!(detect(&path, Limits::default()).unwrap(), Some(Detected::Other(Kind::OpenMemory)));
    let record = json!({"id": ID, "memory": "Ana drinks tea", "user_id": "u", "agent_id": "helper", "categories": ["food"],
        "created_at": "2025-03-01T01:30:00-08:00", "updated_at": null});
    for document in [json!([record]), json!({"results": [record]})] {
        let path = folder.file("mem0.json", document.to_string());
        let other = found(Kind::OpenMemory, &path).unwrap();
        assert_eq!((other.texts(), other.records[0].id), (one.texts(), one.records[0].id));
        assert_eq!(other.records[0].captured_at, one.records[0].captured_at);
        assert_eq!(detect(&path, Limits::default()).unwrap(), Some(Detected::Other(Kind::OpenMemory)), "{document}");
    }
}

#[test]
fn mcp_memory_service_keeps_tags_and_times() {
    let folder = Folder::new();
    let export = json!({"export_metadata": {"total_memories": 2}, "memories": [
        {"content": "Ana drinks tea", "content_hash": "abc", "tags": ["food", "ana"], "created_at": 1_740_821_400.5,
            "memory_type": "note", "metadata": {"x": 1}, "embedding": [0.1, 0.2]},
        {"content": "  ", "content_hash": "def", "tags": "a,b", "created_at": 1}, 7]});
    let path = folder.file("export.json", export.to_string());
    let found = found(Kind::McpMemoryService, &path).unwrap();
    assert_eq!(found.texts(), ["Ana drinks tea\n#food #ana"]);
    assert_eq!(found.records[0].captured_at.to_string(), "2025-03-01T09:30:00.500000Z");
    assert_eq!(found.not_kept, ["type of a memory", "metadata of a memory"]);
    assert_eq!(found.broken.len(), 2, "{:?}", found.broken);
    assert!(found.broken[0].starts_with("export.json, record 2: it has no text"), "{:?}", found.broken);
    assert_eq!(detect(&path, Limits::default()).unwrap(), Some(Detected::Other(Kind::McpMemoryService)));
}

fn chatgpt_conversations() -> Value {
    let message = |recipient: &str, at: Value, content: Value| json!({"message": {"author": {"role": "assistant"}, "recipient": recipient, "create_time": at, "content": content}});
    json!([
        {"title": "one", "create_time": 1_740_821_400, "mapping": {
            "a": {"message": null, "parent": null},
            "b": message("bio", json!(1_740_821_500.25), json!({"content_type": "text", "parts": ["User drinks tea."]})),
            "c": message("all", json!(1_740_821_600), json!({"content_type": "text", "parts": ["Noted!"]})),
            "d": message("bio", json!(1_740_821_700), json!({"content_type": "text", "parts": ["Forget the cat."]})),
        }},
        {"title": "two", "mapping": {"a": message("all", Value::Null, json!({"content_type": "model_editable_context",
            "model_set_context": "1. [2025-01-15]. User drinks tea.\n2. [2025-01-16]. User sails."}))}},
        {"mapping": 3},
    ])
}

#[test]
fn chatgpt_gives_what_it_was_told_to_remember() {
    let folder = Folder::new();
    let conversations = chatgpt_conversations().to_string().into_bytes();
    let members =
        [("user.json", b"{}".to_vec()), ("chat.html", b"<html>".to_vec()), ("conversations-000.json", conversations)];
    let path = folder.file("chatgpt.zip", archive(&members));
    let found = found(Kind::ChatGpt, &path).unwrap();
    assert_eq!(found.texts(), ["User drinks tea.", "User drinks tea.", "User sails."]);
    assert_eq!(found.records[0].id, found.records[1].id, "the same text is the same record");
    assert!(found.records.iter().all(|record| record.repeats && record.agent.is_none()));
    assert_eq!(found.records[0].captured_at.to_string(), "2025-03-01T09:31:40.250000Z");
    assert_eq!(found.records[2].captured_at.to_string(), "2025-01-16T00:00:00.000000Z");
    assert_eq!(found.left_out, ["request to forget something", "conversation", "conversation"]);
    assert!(found.broken[0].starts_with("conversations-000.json, conversation 3"), "{:?}", found.broken);
    assert_eq!(detect(&path, Limits::default()).unwrap(), Some(Detected::Other(Kind::ChatGpt)));
}

#[test]
fn claude_gives_its_memory_and_projects_with_their_documents() {
    let folder = Folder::new();
    let memories = json!([{"conversations_memory": "**Work context**\n\nAna builds ships.\n\n- drinks tea\n",
        "project_memories": {"p1": "Sails are red."}, "account_uuid": "x"}]);
    let project = json!({"uuid": ID, "name": "Falcon", "description": "A boat", "prompt_template": "Be brief",
        "created_at": "2025-03-01T09:30:00Z", "docs": [{"uuid": "d", "filename": "plan.md", "content": "hibiscus"}]});
    let conversations = json!([{"uuid": "c", "chat_messages": []}, {"uuid": "d", "chat_messages": []}]);
    let bytes = |value: &Value| value.to_string().into_bytes();
    let path = folder.file(
        "data.zip",
        archive(&[
            ("users.json", b"[]".to_vec()),
            ("memories.json", bytes(&memories)),
            ("conversations.json", bytes(&conversations)),
            (&format!("projects/{ID}.json"), bytes(&project)),
        ]),
    );
    let found = found(Kind::Claude, &path).unwrap();
    assert_eq!(found.texts(), ["Ana builds ships.", "drinks tea", "Sails are red.", "Falcon\n\nA boat"]);
    let falcon = &found.records[3];
    let notes: Vec<(&str, &str)> = falcon.notes.iter().map(|note| (note.name.as_str(), note.text.as_str())).collect();
    assert_eq!(
        (falcon.id.to_string().as_str(), notes),
        (ID, vec![("instructions.md", "Be brief"), ("plan.md", "hibiscus")])
    );
    assert_eq!((found.left_out, found.broken.len()), (vec!["conversation"; 2], 0));
    assert_eq!(detect(&path, Limits::default()).unwrap(), Some(Detected::Other(Kind::Claude)));
    let files = json!({"memory_files": [{"path": "work.md", "content": "Ana sails."}]});
    let unpacked = Folder::new();
    unpacked.file("memories/x.json", files.to_string());
    assert_eq!(super_texts(Kind::Claude, unpacked.0.path()), ["Ana sails."]);
}

fn super_texts(kind: Kind, path: &Path) -> Vec<String> {
    found(kind, path).unwrap().texts().into_iter().map(str::to_owned).collect()
}

#[test]
fn a_folder_of_markdown_becomes_a_thought_a_file() {
    let folder = Folder::new();
    folder.file(
        "people/Ana.md",
        "---\ntags: [person]\ncreated: 2025-03-01\n---\n# Ana Lopes\n\nBuilds ships.\n\nMore [[links]].\n",
    );
    folder.file("2024-05-06.md", "Rain all day");
    folder.file("empty.md", " \n");
    folder.file("binary.md", b"a\0b");
    folder.file("picture.png", b"\x89PNG");
    folder.file(".obsidian/app.md", "{}");
    folder.file("large.md", "tea ".repeat(1 << 19));
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.0.path().join("2024-05-06.md"), folder.0.path().join("link.md")).unwrap();
    let found = found(Kind::Markdown, folder.0.path()).unwrap();
    assert_eq!(found.texts()[0], "2024-05-06\n\nRain all day");
    assert_eq!(found.texts()[2], "Ana Lopes\n\nBuilds ships.\n#person");
    assert!(found.texts()[1].starts_with("large\n\ntea tea") && found.texts()[1].len() < 2000);
    let dates: Vec<String> = found.records.iter().map(|record| record.captured_at.to_string()).collect();
    assert_eq!((dates[0].as_str(), dates[2].as_str()), ("2024-05-06T00:00:00.000000Z", "2025-03-01T00:00:00.000000Z"));
    assert_eq!(found.records[2].notes[0].name, "people/Ana.md");
    assert!(found.records[2].notes[0].text.as_str().starts_with("---\ntags"), "the whole file");
    let mut left_out = found.left_out;
    left_out.sort_unstable();
    let link: &[&str] = if cfg!(unix) { &["link"] } else { &[] };
    let expected =
        [&["empty file", "file that is no text", "file that is not Markdown"][..], link, &["text over 1 MiB"]].concat();
    assert_eq!(left_out, expected);
    assert_eq!(detect(folder.0.path(), Limits::default()).unwrap(), Some(Detected::Other(Kind::Markdown)));
}

#[cfg(unix)]
#[test]
fn a_folder_is_told_by_its_own_files_alone() {
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    elsewhere.file("Tea.md", "---\npermalink: notes/tea\n---\nwarm\n");
    folder.file("rain.md", "Rain all day");
    std::os::unix::fs::symlink(elsewhere.0.path(), folder.0.path().join("linked")).unwrap();
    std::os::unix::fs::symlink(elsewhere.0.path().join("Tea.md"), folder.0.path().join("a.md")).unwrap();
    // Whoever opens a pipe waits for somebody to write into it.
    assert!(std::process::Command::new("mkfifo").arg(folder.0.path().join("b.md")).status().unwrap().success());
    assert_eq!(detect(folder.0.path(), Limits::default()).unwrap(), Some(Detected::Other(Kind::Markdown)));
}

#[test]
fn a_note_of_basic_memory_is_the_same_wherever_its_file_lies() {
    let note = "---\ntitle: Tea\ntype: note\ntags:\n- food\npermalink: notes/tea\n---\n\n# Tea\n\n- [fact] warm #hot (winter)\n- part_of [[Food]]\n";
    let (one, other) = (Folder::new(), Folder::new());
    one.file("notes/Tea.md", note);
    other.file("moved/Sencha.md", note);
    let (first, second) =
        (found(Kind::BasicMemory, one.0.path()).unwrap(), found(Kind::BasicMemory, other.0.path()).unwrap());
    assert_eq!(first.texts(), ["Tea\n\n- [fact] warm #hot (winter)\n- part_of [[Food]]\n#food"]);
    assert_eq!(first.records[0].id, second.records[0].id);
    assert_eq!(detect(one.0.path(), Limits::default()).unwrap(), Some(Detected::Other(Kind::BasicMemory)));
    one.file("notes/copy.md", note);
    let both = found(Kind::BasicMemory, one.0.path()).unwrap();
    assert_ne!(both.records[0].id, both.records[1].id, "two files with one permalink are two records");
}

#[test]
fn an_archive_that_climbs_out_is_refused() {
    let folder = Folder::new();
    for name in ["../memories.json", "/memories.json", "a/../../memories.json", "..\\memories.json"] {
        let path = folder.file("hostile.zip", archive(&[("users.json", b"[]".to_vec()), (name, b"[]".to_vec())]));
        for kind in [Kind::OpenMemory, Kind::ChatGpt, Kind::Claude] {
            let refused = found(kind, &path);
            let Err(ReadError::Refused(_, why)) = refused else { panic!("{name} was read") };
            assert!(why.contains("would lie outside"), "{why}");
        }
    }
}

#[test]
fn an_archive_that_unpacks_without_end_is_refused() {
    let folder = Folder::new();
    let limits = Limits { unpacked_bytes: 1 << 20 };
    let inflated = [b"[".to_vec(), vec![b' '; 2 << 20], b"]".to_vec()].concat();
    let mut bytes = archive(&[("memories.json", inflated)]);
    let path = folder.file("bomb.zip", &bytes);
    let refused = |path: &Path| match found_within(Kind::OpenMemory, path, limits) {
        Err(ReadError::Refused(_, why)) => why,
        other => panic!("read: {:?}", other.map(|found| found.broken)),
    };
    assert!(refused(&path).contains("unpacks to more than 1048576 bytes"));
    // The same with a size in its directory that is a lie.
    let size = ((2_u32 << 20) + 2).to_le_bytes();
    while let Some(at) = bytes.windows(4).position(|window| window == size) {
        bytes[at..at + 4].copy_from_slice(&100_u32.to_le_bytes());
    }
    let lie = folder.file("lie.zip", &bytes);
    let error = found_within(Kind::OpenMemory, &lie, limits).err().unwrap().to_string();
    assert!(error.contains("larger than its declared"), "{error}");
    // And one within the other.
    let mut inner = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    inner.write_all(&vec![b'\n'; 2 << 20]).unwrap();
    let nested = folder.file("nested.zip", archive(&[("memories.jsonl.gz", inner.finish().unwrap())]));
    assert!(refused(&nested).contains("unpacks to more than 1048576 bytes"));
}

#[test]
fn what_is_something_else_is_said_to_be() {
    let folder = Folder::new();
    let text = folder.file("poem.txt", "roses\nare\nred");
    let damaged = folder.file("half.zip", &archive(&[("memories.json", b"[]".to_vec())])[..30]);
    for kind in Kind::ALL.into_iter().filter(|kind| !matches!(kind, Kind::Markdown | Kind::BasicMemory)) {
        for path in [&text, &damaged, &folder.0.path().join("nowhere")] {
            let error = found(kind, path).err().unwrap_or_else(|| panic!("{kind:?} took {}", path.display()));
            assert!(!error.to_string().is_empty());
        }
    }
    assert!(matches!(found(Kind::Markdown, folder.0.path()), Err(ReadError::NotThis(_))));
    assert_eq!(detect(&text, Limits::default()).unwrap(), None);
}

#[test]
fn an_export_that_was_cut_short_gives_what_it_has() {
    let folder = Folder::new();
    let whole = json!([{"id": "1", "memory": "one"}, {"id": "2", "memory": "two"}]).to_string();
    let path = folder.file("mem0.json", &whole[..whole.len() - 8]);
    let found = found(Kind::OpenMemory, &path).unwrap();
    assert_eq!(found.texts(), ["one"]);
    assert!(found.broken[0].starts_with("mem0.json, after record 1"), "{:?}", found.broken);
}

//! Sources nobody's program would write: each is read or refused, the same way twice.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Cursor, Write};
use std::path::Path;

use fuzz::Target;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::{Event, Kind, Limits, detect, read};

const WORDS: &[&str] = &[
    "\"id\":",
    "\"content\":",
    "\"memory\":",
    "\"memories\":[",
    "\"created_at\":",
    "\"tags\":",
    "\"parts\":[",
    "\"mapping\":{",
    "\"observations\":[",
    "null",
    "1e999",
    "-1740821400.5",
    "2025-03-01T09:30:00Z",
    "---\n",
    "title: ",
    "tags:\n  - ",
    "[[",
    "]]",
    "../",
    "\n\n",
];

/// What is found is bounded, whatever a source says.
const LIMITS: Limits = Limits { unpacked_bytes: 1 << 20 };

/// What becomes of a source as each kind: coarse enough to tell outcomes apart, and a hash of everything.
fn outcome(path: &Path) -> (Vec<(bool, usize, usize)>, u64) {
    let mut hasher = DefaultHasher::new();
    format!("{:?}", detect(path, LIMITS).ok()).hash(&mut hasher);
    let outcomes = Kind::ALL.map(|kind| {
        let (mut records, mut others) = (0, 0);
        // Notes are read from a folder.
        let path = match kind {
            Kind::Markdown | Kind::BasicMemory => path.parent().unwrap_or(path),
            _ => path,
        };
        let outcome = read(kind, path, LIMITS, &mut |event| {
            match &event {
                Event::Record(_) => records += 1,
                _ => others += 1,
            }
            format!("{event:?}").hash(&mut hasher);
            true
        });
        (outcome.is_ok(), records.min(4), others.min(4))
    });
    (outcomes.to_vec(), hasher.finish())
}

fn twice(path: &Path) -> Vec<(bool, usize, usize)> {
    let (first, again) = (outcome(path), outcome(path));
    assert_eq!(first, again, "the same source is read the same way");
    first.0
}

#[test]
fn any_file_is_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.json");
    Target::new("import-sources", &["imports", "import"]).words(WORDS).try_bytes(|bytes| {
        fs::write(&path, bytes).unwrap();
        fs::write(folder.path().join("note.md"), bytes).unwrap();
        twice(&path)
    });
}

#[test]
fn any_member_of_an_archive_is_read_or_refused() {
    const NAMES: [&str; 6] =
        ["conversations.json", "memories.json", "projects/p.json", "memories.jsonl.gz", "notes/tea.md", "../out.json"];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("export.zip");
    Target::new("import-members", &["imports"]).words(WORDS).up_to(4096).try_bytes(|bytes| {
        let (name, bytes) = bytes.split_first().map_or((0, bytes), |(first, rest)| (usize::from(*first), rest));
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        archive.start_file(NAMES[name % NAMES.len()], SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
        fs::write(&path, archive.finish().unwrap().into_inner()).unwrap();
        twice(&path)
    });
}

#[test]
fn a_damaged_archive_is_read_or_refused() {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [("memories.json", r#"[{"conversations_memory":"tea"}]"#), ("projects/p.json", "{}")] {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    let whole = archive.finish().unwrap().into_inner();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("export.zip");
    Target::new("import-archives", &["stored"]).with(whole).up_to(4096).try_bytes(|bytes| {
        fs::write(&path, bytes).unwrap();
        twice(&path)
    });
}

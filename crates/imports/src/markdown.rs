//! Folders of Markdown files: one thought a file, its title and its opening, with the file as a note.
//!
//! A file is identified by its path below the folder, in basic-memory by its permalink: an edited file is the same record.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use model::{NOTE_BYTES_MAX, Time};

use crate::draft::{Draft, opening};
use crate::front_matter;
use crate::ids;
use crate::kind::Kind;
use crate::prose;
use crate::record::{Event, Sink};
use crate::source::ReadError;
use crate::times;

/// How much of the first paragraph becomes the thought.
const LEAD_BYTES: usize = 1500;

/// Deeper than any folder of notes; a circle of mounts ends here.
const DEPTH_MAX: usize = 64;

pub(crate) fn read(kind: Kind, path: &Path, sink: Sink<'_>) -> Result<(), ReadError> {
    let unreadable = |error| ReadError::Unreadable(path.display().to_string(), error);
    let metadata = path.metadata().map_err(unreadable)?;
    let mut permalinks = HashSet::new();
    if metadata.is_file() {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        return told(file(kind, path, &name, &metadata, &mut permalinks), sink);
    }
    let root = fs::read_dir(path).map_err(unreadable)?;
    let mut open = vec![sorted(root)];
    let mut found = false;
    while let Some(entries) = open.last_mut() {
        let Some(entry) = entries.next() else {
            open.pop();
            continue;
        };
        let name = entry.strip_prefix(path).unwrap_or(&entry).to_string_lossy().replace('\\', "/");
        let metadata = match entry.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) => {
                told(vec![Event::Broken { place: name, reason: error.to_string() }], sink)?;
                continue;
            }
        };
        if metadata.is_dir() {
            match fs::read_dir(&entry) {
                Ok(entries) if open.len() < DEPTH_MAX => open.push(sorted(entries)),
                Ok(_) => told(vec![Event::LeftOut("folder that lies too deep")], sink)?,
                Err(error) => told(vec![Event::Broken { place: name, reason: error.to_string() }], sink)?,
            }
        } else if metadata.is_file() && is_markdown(&entry) {
            found = true;
            told(file(kind, &entry, &name, &metadata, &mut permalinks), sink)?;
        } else {
            let what = if metadata.is_symlink() { "link" } else { "file that is not Markdown" };
            told(vec![Event::LeftOut(what)], sink)?;
        }
    }
    match found {
        true => Ok(()),
        false => {
            Err(ReadError::NotThis(format!("there is no Markdown file in `{}`: give another folder", path.display())))
        }
    }
}

fn told(events: Vec<Event>, sink: Sink<'_>) -> Result<(), ReadError> {
    match events.into_iter().all(sink) {
        true => Ok(()),
        false => Err(ReadError::Ended),
    }
}

/// What is in a folder, by name, without what is hidden: the settings and waste baskets of programs.
fn sorted(entries: fs::ReadDir) -> std::vec::IntoIter<PathBuf> {
    let visible = entries.flatten().filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    let mut paths: Vec<PathBuf> = visible.map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter()
}

pub(crate) fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md") || extension == "markdown")
}

fn file(kind: Kind, path: &Path, name: &str, metadata: &Metadata, permalinks: &mut HashSet<String>) -> Vec<Event> {
    let broken = |reason: String| vec![Event::Broken { place: name.to_owned(), reason }];
    let (bytes, is_whole) = match contents(path) {
        Ok(contents) => contents,
        Err(error) => return broken(error.to_string()),
    };
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) if text.contains('\0') => return vec![Event::LeftOut("file that is no text")],
        Ok(text) => text,
        // The cut of a long file may go through a character.
        Err(error) if !is_whole && error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return vec![Event::LeftOut("file that is no text")],
    };
    let (front, body) = front_matter::split(text);
    if body.trim().is_empty() && front.title.is_none() {
        return vec![Event::LeftOut("empty file")];
    }
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let title = front.title.as_deref().or_else(|| prose::heading(body)).unwrap_or(&stem);
    let lead = prose::lead(body);
    let permalink = front.permalink.filter(|_| kind == Kind::BasicMemory);
    let permalink = permalink.filter(|permalink| permalinks.insert(permalink.clone()));
    let id = ids::derived(kind, &[permalink.as_deref().unwrap_or(name)]);
    let captured_at = front.created.as_deref().and_then(times::written).or_else(|| day(&stem));
    let captured_at = captured_at.unwrap_or_else(|| times::of_file(metadata.modified()));
    let summary = format!("{title}\n\n{}", opening(&lead, LEAD_BYTES));
    let mut draft = Draft { tags: front.tags, ..Draft::new(id, summary, captured_at) };
    if is_whole {
        draft.notes.push((name.to_owned(), text.to_owned()));
    }
    let mut events = draft.events(|| name.to_owned());
    if !is_whole {
        events.push(Event::LeftOut("text over 1 MiB"));
    }
    events
}

/// The beginning of a file, as much as a note may have, and whether that is all of it.
fn contents(path: &Path) -> io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    File::open(path)?.take(NOTE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    let is_whole = bytes.len() <= NOTE_BYTES_MAX;
    bytes.truncate(NOTE_BYTES_MAX);
    Ok((bytes, is_whole))
}

/// The day that a daily note is called after.
fn day(stem: &str) -> Option<Time> {
    let start = stem.get(..10)?;
    let is_day = start
        .bytes()
        .enumerate()
        .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    start.parse().ok().filter(|_| is_day)
}

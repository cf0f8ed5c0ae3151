//! Telling which memory something comes from.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::front_matter;
use crate::kind::Kind;
use crate::markdown::is_markdown;
use crate::source::{Limits, Member, ReadError, Source};

/// What something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detected {
    /// Another memory's.
    Other(Kind),
    /// An export of our own.
    Own,
}

/// How much of a file is looked at.
const LOOK_BYTES: u64 = 4096;

/// Tells what is at `path`; `None` if it cannot be told.
pub fn detect(path: &Path, limits: Limits) -> Result<Option<Detected>, ReadError> {
    if path.is_file() && is_markdown(path) {
        return Ok(Some(Detected::Other(Kind::Markdown)));
    }
    let mut source = Source::open(path, limits)?;
    let has = |source: &Source, name: &str| !source.members(|member| member.file_name() == name).is_empty();
    if source.is_single() {
        let start = start(&mut source, |_| true);
        return Ok(by_start(&start));
    }
    if has(&source, "memories.jsonl.gz") {
        return Ok(Some(Detected::Other(Kind::OpenMemory)));
    }
    let memories = start(&mut source, |member| member.file_name() == "memories.json");
    if let Some(found) = by_start(&memories) {
        return Ok(Some(found));
    }
    let conversations =
        start(&mut source, |member| member.file_name().starts_with("conversations") && member.name.ends_with(".json"));
    if has(&source, "users.json") || conversations.contains("\"chat_messages\"") {
        return Ok(Some(Detected::Other(Kind::Claude)));
    }
    if !conversations.is_empty() {
        return Ok(Some(Detected::Other(Kind::ChatGpt)));
    }
    if has(&source, "memory.jsonl") {
        return Ok(Some(Detected::Other(Kind::ServerMemory)));
    }
    Ok(if path.is_dir() { notes(path, 4).map(Detected::Other) } else { None })
}

fn start(source: &mut Source, is_wanted: impl Fn(&Member) -> bool) -> String {
    let Some(member) = source.members(is_wanted).into_iter().next() else { return String::new() };
    let mut bytes = Vec::new();
    if let Ok(reader) = source.reader(&member) {
        // What cannot be read looks like nothing.
        let _ = reader.take(LOOK_BYTES).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn by_start(text: &str) -> Option<Detected> {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let kind = match text.trim_start_matches('\u{feff}').trim_start().chars().next()? {
        '{' if has(&["\"afterthought-export\""]) => return Some(Detected::Own),
        '{' if has(&["\"entityType\"", "\"relationType\""]) => Kind::ServerMemory,
        '{' if has(&["\"export_metadata\"", "\"content_hash\""]) => Kind::McpMemoryService,
        '{' if has(&["\"export_meta\"", "\"app_id\"", "\"results\""]) => Kind::OpenMemory,
        '{' if has(&["\"memories\"", "\"apps\""]) && has(&["\"user\"", "\"apps\""]) => Kind::OpenMemory,
        '[' if has(&["\"conversations_memory\"", "\"project_memories\"", "\"memory_files\"", "\"chat_messages\""]) => {
            Kind::Claude
        }
        '[' if has(&["\"mapping\""]) => Kind::ChatGpt,
        '[' if has(&["\"memory\""]) => Kind::OpenMemory,
        _ => return None,
    };
    Some(Detected::Other(kind))
}

/// A folder of notes: of basic-memory if one of them has a permalink, which its program gives to each.
fn notes(folder: &Path, depth: u8) -> Option<Kind> {
    let mut found = None;
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        // Links lead elsewhere, and a pipe would be waited for: neither is read later either.
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() && depth > 0 && !is_hidden {
            match notes(&path, depth - 1) {
                Some(Kind::BasicMemory) => return Some(Kind::BasicMemory),
                other => found = found.or(other),
            }
        } else if kind.is_file() && is_markdown(&path) {
            let mut bytes = Vec::new();
            let _ = File::open(&path).and_then(|file| file.take(LOOK_BYTES).read_to_end(&mut bytes));
            if front_matter::split(&String::from_utf8_lossy(&bytes)).0.permalink.is_some() {
                return Some(Kind::BasicMemory);
            }
            found = Some(Kind::Markdown);
        }
    }
    found
}

//! What other memories keep, read into thoughts: their exports, archives and folders. It uses `model` alone and stores nothing;
//! whoever calls decides what becomes of what was found.
//!
//! - The same source gives the same ids, so that taking it in twice adds nothing.
//! - Nothing is written, and an archive is read as a stream: what climbs out of it or unpacks without end is refused.
//! - A broken record is told and passed over. Only a source that is not what it was said to be is an error.

mod archive_name;
mod chatgpt;
mod claude;
mod detect;
mod draft;
mod elements;
mod front_matter;
mod ids;
mod kind;
mod lines;
mod markdown;
mod mcp_memory_service;
mod openmemory;
mod prose;
mod record;
mod server_memory;
mod source;
mod times;

#[cfg(test)]
mod fuzz;

use std::path::Path;

pub use detect::{Detected, detect};
pub use kind::Kind;
pub use record::{Event, Note, Record, Sink};
pub use source::{Limits, ReadError};

use source::Source;

/// Reads everything that is to be found at `path`. `Ok` also if `sink` ended the reading.
pub fn read(kind: Kind, path: &Path, limits: Limits, sink: Sink<'_>) -> Result<(), ReadError> {
    if let Kind::Markdown | Kind::BasicMemory = kind {
        return ended(markdown::read(kind, path, sink));
    }
    let mut source = Source::open(path, limits)?;
    ended(match kind {
        Kind::ServerMemory => server_memory::read(&mut source, sink),
        Kind::OpenMemory => openmemory::read(&mut source, sink),
        Kind::McpMemoryService => mcp_memory_service::read(&mut source, sink),
        Kind::ChatGpt => chatgpt::read(&mut source, sink),
        Kind::Claude => claude::read(&mut source, sink),
        Kind::Markdown | Kind::BasicMemory => Ok(()),
    })
}

fn ended(outcome: Result<(), ReadError>) -> Result<(), ReadError> {
    match outcome {
        Err(ReadError::Ended) => Ok(()),
        outcome => outcome,
    }
}

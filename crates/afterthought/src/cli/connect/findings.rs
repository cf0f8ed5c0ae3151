//! What a client is set up with, whoever did that.

use serde_json::Value;

use super::client::{Client, Home};
use super::document;
use super::file::ConfigFile;
use super::record::Record;
use crate::cli::place::Place;

/// What a client is set up with.
pub(crate) enum Findings {
    /// It has no entry.
    Absent,
    /// Its file cannot be read; why.
    Unreadable(String),
    /// It starts this program.
    Program(String),
    /// It calls this address with this key.
    Address { url: String, key: String },
}

/// Looks at a client's entry.
pub(crate) fn check(client: Client, home: &Home, place: &Place) -> anyhow::Result<Findings> {
    let file = match ConfigFile::read(&client.file(home)) {
        Ok(file) => file,
        Err(error) => return Ok(Findings::Unreadable(error.to_string())),
    };
    let text = file.text.clone().unwrap_or_default();
    let entry = match document::entry(client.format(), &text, client.table()) {
        Ok(entry) => entry,
        Err(error) => return Ok(Findings::Unreadable(format!("`{}`: {error}", file.path().display()))),
    };
    let Some(entry) = entry else {
        return Ok(match Record::read(place.folder(), client) {
            Some(_) => Findings::Unreadable(format!(
                "its entry is gone from `{}`: `connect {} --remove` and connect it again",
                file.path().display(),
                client.name()
            )),
            None => Findings::Absent,
        });
    };
    let word = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    if let Some(program) = word("/command") {
        return Ok(Findings::Program(program));
    }
    let url = ["/url", "/httpUrl", "/serverUrl"].iter().find_map(|pointer| word(pointer));
    let key = ["/headers/Authorization", "/http_headers/Authorization"].iter().find_map(|pointer| word(pointer));
    let key = key.map(|key| key.trim_start_matches("Bearer ").to_owned()).unwrap_or_default();
    Ok(match url {
        Some(url) => Findings::Address { url, key },
        None => Findings::Unreadable("its entry names neither an address nor a program".to_owned()),
    })
}

//! Fills a folder through the running service, as a client does.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use test_client::{Connection, Request};

use crate::process::{Service, command};
use crate::set::{Group, Set};

/// Captures the set unless the folder has it, and waits for the enrichment.
pub(crate) fn fill(set: &Set, folder: &Path) {
    let is_new = !folder.exists();
    std::fs::create_dir_all(folder).unwrap();
    let service = Service::start(folder);
    let begun = Instant::now();
    for (name, group) in set.groups.iter().filter(|_| is_new) {
        command(folder, &["account", "create", name]);
        let key = command(folder, &["key", "create", "eval", "--account", name]);
        capture(&service, &key, group);
    }
    let captured = begun.elapsed();
    while pending(folder) > 0 {
        std::thread::sleep(Duration::from_millis(500));
    }
    println!("{}: {} captured in {captured:.1?}, enriched after {:.1?}", set.name, set.documents(), begun.elapsed());
}

fn capture(service: &Service, key: &str, group: &Group) {
    let mut client = Connection::open(&service.address).unwrap();
    for document in &group.documents {
        let mut arguments = json!({"raw": document.text, "as_user": true});
        if let Some(timestamp) = &document.timestamp {
            arguments["captured_at"] = json!(timestamp);
        }
        client.ask(&Request::tool(key, "capture_thought", &arguments).bytes());
    }
}

fn pending(folder: &Path) -> u64 {
    let status: Value = serde_json::from_str(&command(folder, &["status", "--json"])).unwrap();
    status["pending_enrichment"].as_u64().unwrap()
}

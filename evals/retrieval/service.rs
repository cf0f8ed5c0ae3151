//! Through the running service, as a client sees it.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{BlockingClient, request};
use crate::metrics::{Row, Tally};
use crate::process::{Service, command};
use crate::set::{Group, Set};

/// The names of the modes in the tables.
pub(crate) const FULL: &str = "service, full";
pub(crate) const FAST: &str = "service, fast";

/// Captures the set unless the folder has it, waits for the enrichment, and asks in both modes.
pub(crate) fn ask(set: &Set, folder: &Path) -> Vec<Row> {
    let is_new = !folder.exists();
    std::fs::create_dir_all(folder).unwrap();
    let service = Service::start(folder);
    let mut keys = Vec::new();
    let begun = Instant::now();
    for (name, group) in &set.groups {
        if is_new {
            command(folder, &["account", "create", name]);
        }
        let key = command(folder, &["key", "create", "eval", "--account", name]);
        if is_new {
            capture(&service, &key, group);
        }
        keys.push(key);
    }
    let captured = begun.elapsed();
    while pending(folder) > 0 {
        std::thread::sleep(Duration::from_millis(500));
    }
    println!("{}: {} captured in {captured:.1?}, enriched after {:.1?}", set.name, set.documents(), begun.elapsed());
    let ways = [(FULL, "full"), (FAST, "fast")];
    ways.into_iter().map(|(way, mode)| asked(set, &service, &keys, mode).row(&set.name, way)).collect()
}

fn capture(service: &Service, key: &str, group: &Group) {
    let mut client = BlockingClient::connect(&service.address);
    for document in &group.documents {
        let mut arguments = json!({"raw": document.text, "as_user": true});
        if let Some(timestamp) = &document.timestamp {
            arguments["captured_at"] = json!(timestamp);
        }
        client.send(&request(key, "capture_thought", &arguments));
    }
}

fn asked(set: &Set, service: &Service, keys: &[String], mode: &str) -> Tally {
    let mut tally = Tally::default();
    for (group, key) in set.groups.values().zip(keys) {
        // A thought is known by its text; of two with the same text either is right.
        let ids: HashMap<&str, &str> =
            group.documents.iter().map(|document| (document.text.as_str(), document.id.as_str())).collect();
        let mut client = BlockingClient::connect(&service.address);
        for (number, query) in group.queries.iter().enumerate() {
            let arguments = json!({"query": query.text, "top_k": 10, "mode": mode, "detail": "full"});
            let request = request(key, "retrieve_thoughts", &arguments);
            if number == 0 {
                // The first search of an account reads its index.
                client.send(&request);
            }
            let begun = Instant::now();
            let answer = client.send(&request);
            let took = begun.elapsed();
            let answer: Value = serde_json::from_slice(answer).unwrap();
            let thoughts = answer["result"]["structuredContent"]["thoughts"].as_array().unwrap();
            let found: Vec<String> = thoughts
                .iter()
                .filter_map(|thought| ids.get(thought["raw_text"].as_str()?))
                .map(|id| (*id).to_owned())
                .collect();
            tally.add(query, &found, took);
        }
    }
    tally
}

fn pending(folder: &Path) -> u64 {
    let status: Value = serde_json::from_str(&command(folder, &["status", "--json"])).unwrap();
    status["pending_enrichment"].as_u64().unwrap()
}

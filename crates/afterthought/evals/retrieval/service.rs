//! Through the running service, as a client sees it.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use test_client::{Connection, Request};

use crate::metrics::{APART, Row, Tally};
use crate::process::{Service, command};
use crate::scores::Scores;
use crate::set::{Group, Set};

/// The names of the modes in the tables.
pub(crate) const FULL: &str = "service, full";
pub(crate) const FAST: &str = "service, fast";

/// Captures the set unless the folder has it, waits for the enrichment, and asks in both modes; then asks the questions of
/// `foreign`, which the set does not answer.
pub(crate) fn ask(set: &Set, folder: &Path, foreign: Option<&Set>) -> (Vec<Row>, Scores) {
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
    let (full, mut scores) = asked(set, &service, &keys, "full");
    let (fast, _) = asked(set, &service, &keys, "fast");
    scores.best_of_foreign = foreign.map_or(Vec::new(), |foreign| best_of_foreign(foreign, &service, &keys));
    (vec![full.row(&set.name, FULL), fast.row(&set.name, FAST)], scores)
}

/// How many questions of another set are asked.
const FOREIGN: usize = 200;

/// The best scores of questions that nothing answers, each asked in one of the accounts.
fn best_of_foreign(foreign: &Set, service: &Service, keys: &[String]) -> Vec<f64> {
    let mut client = Connection::open(&service.address).unwrap();
    let queries = foreign.groups.values().flat_map(|group| &group.queries);
    // Spread over the whole set.
    let queries = queries.step_by(foreign.queries().div_ceil(FOREIGN)).zip(keys.iter().cycle());
    queries.map(|(query, key)| scores(&answer(&mut client, key, &query.text, "full")).next().unwrap_or(0.0)).collect()
}

fn answer(client: &mut Connection, key: &str, query: &str, mode: &str) -> Vec<Value> {
    let arguments = json!({"query": query, "top_k": 10, "mode": mode, "detail": "full"});
    let answer = client.ask(&Request::tool(key, "retrieve_thoughts", &arguments).bytes()).json();
    answer["result"]["structuredContent"]["thoughts"].as_array().unwrap().clone()
}

fn scores(thoughts: &[Value]) -> impl Iterator<Item = f64> {
    thoughts.iter().map(|thought| thought["score"].as_f64().unwrap())
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

fn asked(set: &Set, service: &Service, keys: &[String], mode: &str) -> (Tally, Scores) {
    let mut tally = Tally::default();
    let mut hits = Vec::new();
    let mut best = Vec::new();
    for (group, key) in set.groups.values().zip(keys) {
        // A thought is known by its text; of two with the same text either is right.
        let ids: HashMap<&str, &str> =
            group.documents.iter().map(|document| (document.text.as_str(), document.id.as_str())).collect();
        let mut client = Connection::open(&service.address).unwrap();
        for (number, query) in group.queries.iter().enumerate() {
            if number == 0 {
                // The first search of an account reads its index.
                answer(&mut client, key, &query.text, mode);
            }
            let begun = Instant::now();
            let thoughts = answer(&mut client, key, &query.text, mode);
            let took = begun.elapsed();
            let found: Vec<String> = thoughts
                .iter()
                .filter_map(|thought| ids.get(thought["raw_text"].as_str()?))
                .map(|id| (*id).to_owned())
                .collect();
            if query.category != APART {
                hits.extend(scores(&thoughts).zip(found.iter().map(|id| query.answers.contains(id))));
                best.extend(scores(&thoughts).next());
            }
            tally.add(query, &found, took);
        }
    }
    (tally, Scores { set: set.name.clone(), hits, best, best_of_foreign: Vec::new() })
}

fn pending(folder: &Path) -> u64 {
    let status: Value = serde_json::from_str(&command(folder, &["status", "--json"])).unwrap();
    status["pending_enrichment"].as_u64().unwrap()
}

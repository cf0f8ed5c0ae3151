//! The service is killed without warning under load, several times: nothing it acknowledged may be lost.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::process::{Caller, Process};

const KILLS: usize = 4;
const CALLERS: usize = 8;

/// What was acknowledged: id of the thought and the one word nobody else has.
type Acknowledged = Arc<Mutex<BTreeMap<String, String>>>;

#[test]
fn every_acknowledged_capture_survives_kill_9_under_load() {
    let folder = tempfile::tempdir().unwrap();
    let acknowledged = Acknowledged::default();
    let edited = Acknowledged::default();
    let number = Arc::new(AtomicU64::new(0));
    let mut key = None;
    for round in 0..KILLS {
        let mut process = Process::start(folder.path());
        let key = key.get_or_insert_with(|| process.first_key().expect("the first start prints a key")).clone();
        let stop = Arc::new(AtomicBool::new(false));
        let callers: Vec<_> = (0..CALLERS)
            .map(|_| {
                let caller = process.caller(&key);
                let (acknowledged, edited, number, stop) =
                    (acknowledged.clone(), edited.clone(), number.clone(), stop.clone());
                std::thread::spawn(move || capture_until(caller, &stop, &number, &acknowledged, &edited))
            })
            .collect();
        // Let every round get well under way, and kill at a different moment each time.
        let goal = acknowledged.lock().len() + 150 + round * 37;
        while acknowledged.lock().len() < goal {
            std::thread::sleep(Duration::from_millis(1));
        }
        process.kill_9();
        stop.store(true, Ordering::Relaxed);
        callers.into_iter().for_each(|caller| caller.join().unwrap());
    }
    let process = Process::start(folder.path());
    let mut caller = process.caller(&key.unwrap());
    let (acknowledged, edited) = (acknowledged.lock(), edited.lock());
    assert!(acknowledged.len() >= KILLS * 150);
    for (id, word) in acknowledged.iter() {
        let answer = caller.tool("retrieve_thoughts", &json!({"query": word, "detail": "full", "top_k": 1})).unwrap();
        let found = &answer["thoughts"][0];
        assert_eq!((found["id"].as_str(), found["status"].as_str()), (Some(id.as_str()), Some("open")), "{word}");
        assert!(found["raw_text"].as_str().unwrap().contains(word.as_str()));
    }
    for id in edited.keys() {
        // An acknowledged change is there: asking for it again changes nothing.
        let again = caller.tool("edit_thought", &json!({"thought_id": id, "edit_request": "mark as done"})).unwrap();
        assert_eq!((&again["previous_status"], &again["changed"]), (&json!("completed"), &json!([])));
    }
}

/// Captures, and marks every fifth thought as done, until the service is gone.
fn capture_until(
    mut caller: Caller,
    stop: &AtomicBool,
    number: &AtomicU64,
    acknowledged: &Mutex<BTreeMap<String, String>>,
    edited: &Mutex<BTreeMap<String, String>>,
) {
    let id_of = |answer: &Value| answer["thought"]["id"].as_str().unwrap().to_owned();
    while !stop.load(Ordering::Relaxed) {
        let number = number.fetch_add(1, Ordering::Relaxed);
        let word = format!("pebble{number}x");
        let raw = json!({"raw": format!("number {number}: a {word} from the beach"), "as_user": true});
        let Some(captured) = caller.tool("capture_thought", &raw) else { return };
        let id = id_of(&captured);
        if !number.is_multiple_of(5) {
            acknowledged.lock().insert(id, word);
            continue;
        }
        let done = json!({"thought_id": id, "edit_request": "mark as done"});
        let Some(done) = caller.tool("edit_thought", &done) else { return };
        edited.lock().insert(id_of(&done), word);
    }
}

//! The service is killed without warning under load, several times: nothing it acknowledged may be lost, and background work
//! goes on where it was.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags};
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

/// The thoughts that are not done.
const WAITING: &str = "SELECT (SELECT count(*) FROM job)
                            + (SELECT count(*) FROM thought
                               WHERE row >= coalesce((SELECT next FROM queued WHERE subject = 'new'), 1))";

/// Texts to enrich, each with a name of its own and one that all share.
const TEXTS: u64 = 120;

#[test]
fn enrichment_goes_on_after_kill_9_and_does_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::start(folder.path());
    let mut caller = process.caller(&process.first_key().expect("the first start prints a key"));
    for number in 0..TEXTS {
        let raw = format!("Ingrid Berger and Otto Lind{number} measured the tide at post {number} of the old harbour");
        caller.tool("capture_thought", &json!({"raw": raw, "as_user": true})).unwrap();
    }
    for kill in 1..=KILLS as u64 {
        // In the middle of the work, further on each time. Whatever was under way waits for the end of its lease.
        let goal = TEXTS - TEXTS * kill / (KILLS as u64 + 2);
        wait_until(|| count(folder.path(), WAITING) < goal);
        process.kill_9();
        assert!(count(folder.path(), WAITING) > 0, "it was killed before the end");
        process = Process::start(folder.path());
    }
    wait_until(|| count(folder.path(), WAITING) == 0);
    let counted = |sql| count(folder.path(), sql);
    assert_eq!(counted("SELECT count(*) FROM vector"), TEXTS);
    assert_eq!(counted("SELECT count(DISTINCT thought) FROM vector WHERE length(parts) > 0"), TEXTS);
    assert_eq!(counted("SELECT thoughts FROM entity WHERE folded = 'ingrid berger'"), TEXTS);
    let wrong = "SELECT count(*) FROM entity
                 WHERE thoughts <> (SELECT count(*) FROM mention WHERE mention.entity = entity.row)";
    assert_eq!(counted(wrong), 0);
    // Whichever was linked first, perhaps before any other had been looked at, is linked by the others.
    assert_eq!(counted("SELECT count(*) FROM (SELECT thought FROM link UNION SELECT other FROM link)"), TEXTS);
}

fn wait_until(is_done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        assert!(begun.elapsed() < Duration::from_secs(120), "the background work goes on");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What a query on the file of the only account counts.
fn count(folder: &Path, sql: &str) -> u64 {
    let files = std::fs::read_dir(folder.join("accounts")).unwrap().map(|entry| entry.unwrap().path());
    let file = files.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "db")).unwrap();
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    connection.busy_timeout(Duration::from_secs(20)).unwrap();
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

//! How fast a burst of captures is enriched, and how requests fare beside it: `cargo bench --bench enrichment`.
//!
//! Each run starts the real binary on an empty folder, captures a burst and watches the queue drain: with nobody asking, and
//! with one client that asks `fast` queries without a pause and another that captures now and then. `-- --thoughts N` sets the
//! size of the burst; `-- --quick` is a smoke test. The clients run on the same cores as the service.
//!
//! `-- --large N` fills an account with N thoughts and vectors instead, and measures the search by meaning in it.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark stops at the first surprise and prints")]

#[path = "harness/arguments.rs"]
mod arguments;
#[path = "harness/contents.rs"]
mod contents;
#[path = "enrichment/large.rs"]
mod large;
#[path = "harness/service.rs"]
mod service;
#[path = "harness/settled.rs"]
mod settled;
#[path = "enrichment/texts.rs"]
mod texts;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::json;
use test_client::{Connection, Request};

use encoder::Encoder;
use service::Service;

use arguments::{is_given, number_after};

/// How many callers send the burst.
const CALLERS: usize = 8;

/// How often somebody captures while the queue drains.
const CAPTURE_EVERY: Duration = Duration::from_millis(100);

fn main() {
    let quick = is_given("--quick");
    if let Some(thoughts) = number_after("--large") {
        return large::measure(thoughts);
    }
    let count = number_after("--thoughts").unwrap_or(if quick { 200 } else { 10_000 });
    println!("{count} thoughts of {:.0} tokens on average", mean_tokens(count.min(500)));
    drain(count, false);
    drain(count, true);
}

fn mean_tokens(count: usize) -> f64 {
    let encoder = Encoder::load();
    (0..count).map(|number| encoder.tokenize(&texts::text(number)).len()).sum::<usize>() as f64 / count as f64
}

/// Captures a burst and prints how it drains.
fn drain(count: usize, asking: bool) {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path());
    let key = Service::key(folder.path());
    let burst = send_burst(&service, &key, count);
    println!("\n{}", if asking { "with a client that asks without a pause" } else { "with nobody asking" });
    println!("  the burst was taken in               {:7.2} s", burst.as_secs_f64());
    let stop = Arc::new(AtomicBool::new(false));
    let clients = asking.then(|| (ask(&service, &key, &stop), capture_now_and_then(&service, &key, &stop)));
    let queue = Queue::open(folder.path());
    let (begun, waiting) = (Instant::now(), queue.waiting());
    let mut thousand = (begun, waiting);
    let mut rates = Vec::new();
    loop {
        std::thread::sleep(Duration::from_millis(20));
        let left = queue.waiting();
        // Whoever captures meanwhile must not keep this from ending.
        let is_over = left < 5;
        if thousand.1.saturating_sub(left) >= 1_000 || is_over {
            rates.push((thousand.1.saturating_sub(left)) as f64 / thousand.0.elapsed().as_secs_f64());
            thousand = (Instant::now(), left);
        }
        if is_over {
            break;
        }
    }
    println!("  enriched                             {:7.1} /s", waiting as f64 / begun.elapsed().as_secs_f64());
    let rates: Vec<String> = rates.iter().map(|rate| format!("{rate:.0}")).collect();
    println!("  for each thousand                    {} /s", rates.join(", "));
    stop.store(true, Ordering::Relaxed);
    for (name, client) in clients.into_iter().flat_map(|(ask, capture)| [("`fast` query", ask), ("capture", capture)]) {
        let mut measured = client.join().unwrap();
        measured.sort_unstable();
        let at = |share: f64| millis(measured[((measured.len() - 1) as f64 * share) as usize]);
        let (half, most) = (at(0.5), at(0.99));
        println!("  {name:13} p50 {half:.2} ms, p99 {most:.2} ms, of {}", measured.len());
    }
    println!("  memory of the service                {:7.1} MB", service.resident_bytes() as f64 / 1e6);
}

fn send_burst(service: &Service, key: &str, count: usize) -> Duration {
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for caller in 0..CALLERS {
            scope.spawn(move || {
                let mut client = Connection::open(&service.address).unwrap();
                for number in (caller..count).step_by(CALLERS) {
                    client.ask(&capture(key, &texts::text(number)));
                }
            });
        }
    });
    begun.elapsed()
}

fn capture(key: &str, text: &str) -> Vec<u8> {
    Request::tool(key, "capture_thought", &json!({"raw": text, "as_user": true})).bytes()
}

/// Asks one `fast` query after the other.
fn ask(service: &Service, key: &str, stop: &Arc<AtomicBool>) -> JoinHandle<Vec<Duration>> {
    let (mut client, key, stop) = (Connection::open(&service.address).unwrap(), key.to_owned(), stop.clone());
    std::thread::spawn(move || {
        let mut measured = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let query = json!({"query": texts::query(measured.len()), "mode": "fast"});
            let request = Request::tool(&key, "retrieve_thoughts", &query).bytes();
            let begun = Instant::now();
            client.ask(&request);
            measured.push(begun.elapsed());
        }
        measured
    })
}

fn capture_now_and_then(service: &Service, key: &str, stop: &Arc<AtomicBool>) -> JoinHandle<Vec<Duration>> {
    let (mut client, key, stop) = (Connection::open(&service.address).unwrap(), key.to_owned(), stop.clone());
    std::thread::spawn(move || {
        let mut measured = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let request = capture(&key, &texts::text(1_000_000 + measured.len()));
            let begun = Instant::now();
            client.ask(&request);
            measured.push(begun.elapsed());
            std::thread::sleep(CAPTURE_EVERY);
        }
        measured
    })
}

/// The queue as the account's file has it: asking the service would be one more client.
struct Queue(rusqlite::Connection);

impl Queue {
    fn open(folder: &Path) -> Self {
        let file = std::fs::read_dir(folder.join("accounts")).unwrap().map(|entry| entry.unwrap().path());
        let file = file.filter(|path| path.extension().is_some_and(|extension| extension == "db")).last().unwrap();
        Self(rusqlite::Connection::open(file).unwrap())
    }

    fn waiting(&self) -> usize {
        self.counted(
            "SELECT (SELECT count(*) FROM job WHERE given_up = 0)
                  + (SELECT count(*) FROM thought
                     WHERE row >= coalesce((SELECT next FROM queued WHERE subject = 'new'), 1))",
        )
    }

    fn counted(&self, sql: &str) -> usize {
        self.0.query_row(sql, [], |row| row.get(0)).unwrap()
    }
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

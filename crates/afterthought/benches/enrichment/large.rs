//! Search by meaning, and enrichment, in an account of many thoughts.
//!
//! The account is filled in two steps: the thoughts through the store, then a vector for each, which no machine could make in the
//! time a benchmark has, made of a few hundred real ones.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::params;
use serde_json::json;
use test_client::{Connection, Request};

use afterthought::stores::Location;
use encoder::{DIMENSIONS, Encoder};
use model::SystemClock;
use vectors::pack;

use super::contents::{an_account, stored};
use super::service::Service;
use super::settled::settle;
use super::{Queue, capture, millis, texts};

/// How many real vectors the others are made of.
const SEEDS: usize = 400;

/// How many thoughts are captured into the large account.
const CAPTURED: usize = 200;

/// Fills an account and prints how it answers.
pub(crate) fn measure(thoughts: usize) {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(fill_thoughts(folder.path(), thoughts));
    let key = Service::key(folder.path());
    fill_vectors(folder.path(), &key);
    println!("\n{thoughts} thoughts with a vector each");
    let service = Service::start(folder.path());
    let mut client = Connection::open(&service.address).unwrap();
    ask(&mut client, &key, "fast");
    let without = service.resident_bytes();
    let (begun, mut answers) = (Instant::now(), 0);
    let (mut first, mut slowest) = (None, Duration::ZERO);
    // The first answers go without meaning until the vectors have been read.
    while first.is_none() {
        let (took, answer) = ask(&mut client, &key, "full");
        answers += 1;
        slowest = slowest.max(took);
        first = answer.contains("semantic").then(|| begun.elapsed());
    }
    let first = first.unwrap();
    println!("  first `full` answer by meaning       {:7.0} ms, as answer {answers}", millis(first));
    println!("  slowest answer until then            {:7.0} ms (bound: 1 s for meaning)", millis(slowest));
    let grown = service.resident_bytes().saturating_sub(without);
    println!(
        "  memory grown by                      {:7.0} MB, {} bytes a vector",
        grown as f64 / 1e6,
        grown / thoughts as u64
    );
    for mode in ["full", "fast"] {
        let mut measured: Vec<Duration> = (0..100).map(|_| ask(&mut client, &key, mode).0).collect();
        measured.sort_unstable();
        println!(
            "  `{mode}` query                         p50 {:.1} ms, p99 {:.1} ms",
            millis(measured[50]),
            millis(measured[98])
        );
    }
    for number in 0..CAPTURED {
        client.ask(&capture(&key, &texts::text(number)));
    }
    let (queue, begun) = (Queue::open(folder.path()), Instant::now());
    while queue.waiting() > 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    println!("  enriched                             {:7.1} /s", CAPTURED as f64 / begun.elapsed().as_secs_f64());
}

fn ask(client: &mut Connection, key: &str, mode: &str) -> (Duration, String) {
    let query = json!({"query": "how warm does the oven have to be", "mode": mode});
    let request = Request::tool(key, "retrieve_thoughts", &query).bytes();
    let begun = Instant::now();
    let answer = client.ask(&request).text().to_owned();
    (begun.elapsed(), answer)
}

async fn fill_thoughts(folder: &Path, thoughts: usize) {
    let store =
        afterthought::stores::open(&Location::Embedded(folder.to_owned()), Arc::new(SystemClock)).await.unwrap();
    let account = an_account(store.as_ref()).await;
    for first in (0..thoughts).step_by(10_000) {
        let stored =
            (first..(first + 10_000).min(thoughts)).map(|number| stored(&texts::text(number), number as i64)).collect();
        store.import(account, stored).await.unwrap();
    }
    settle(store.as_ref(), account).await;
    store.close().await.unwrap();
}

/// Gives every thought a vector of the model the service uses, and takes the jobs away.
fn fill_vectors(folder: &Path, key: &str) {
    // The service makes the first one, and with it the entry of the model.
    let service = Service::start(folder);
    let queue = Queue::open(folder);
    Connection::open(&service.address).unwrap().ask(&capture(key, "the first thought to be enriched"));
    while queue.counted("SELECT count(*) FROM vector") == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(service);
    let encoder = Encoder::load();
    let seeds: Vec<_> = (0..SEEDS).map(|number| encoder.embed(&texts::text(number))).collect();
    let connection = queue.0;
    let clear = "BEGIN IMMEDIATE; DELETE FROM job; DELETE FROM token; DELETE FROM vector;
                 INSERT OR REPLACE INTO queued (subject, next) SELECT 'new', max(row) + 1 FROM thought;";
    connection.execute_batch(clear).unwrap();
    let rows = connection.query_row("SELECT max(row) FROM thought", [], |row| row.get::<_, usize>(0)).unwrap();
    {
        let sql = "INSERT INTO vector (model, thought, parts) VALUES ((SELECT min(number) FROM model), ?1, ?2)";
        let mut insert = connection.prepare(sql).unwrap();
        let mut bytes = Vec::new();
        for row in 1..=rows {
            let mut vector = [0.0; DIMENSIONS];
            let (left, right) = (&seeds[row % SEEDS], &seeds[row / SEEDS * 7 % SEEDS]);
            for (place, value) in vector.iter_mut().enumerate() {
                let noise = ((row * 31 + place * 17) as u32).wrapping_mul(2_654_435_761) as f32 / u32::MAX as f32 - 0.5;
                *value = 0.6 * left[place] + 0.4 * right[place] + 0.03 * noise;
            }
            let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
            bytes.clear();
            pack(&vector.map(|value| value / length), encoder.centre(), &mut bytes);
            insert.execute(params![row as i64, bytes]).unwrap();
        }
    }
    connection.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE);").unwrap();
}

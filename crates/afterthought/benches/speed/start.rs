//! What starting takes, and what the service takes while it rests.

use std::time::{Duration, Instant};

use serde_json::json;
use test_client::{Connection, Request};

use super::millis;
use super::service::Service;

/// Start-up on an empty store, and what the service takes while it rests.
pub(crate) async fn start_and_rest() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let service = Service::start(folder.path());
    let key = Service::key(folder.path());
    let mut client = Connection::open(&service.address).unwrap();
    let browse = Request::tool(&key, "retrieve_thoughts", &json!({})).bytes();
    client.ask(&browse);
    let first_answer = begun.elapsed();
    println!(
        "start-up to first answer, empty store   {:8.1} ms   (goal: under 300; includes making a key)",
        millis(first_answer)
    );
    tokio::time::sleep(Duration::from_secs(1)).await;
    println!(
        "memory at rest, empty store             {:8.1} MB   (goal: under 60)",
        service.resident_bytes() as f64 / 1e6
    );
}

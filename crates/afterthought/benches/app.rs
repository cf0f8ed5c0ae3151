//! How fast the app's page is answered in a large account, over HTTP.
//!
//! `cargo bench --bench app` fills an account with 100,000 thoughts of made-up words, names, times and authors, and asks for every
//! place of the app, also right after a change; `-- --thoughts N` for another size. The goal is 100 ms for each. The service is the
//! real binary. At the end, what the index behind the lists costs whoever captures.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark stops at the first surprise and prints")]

#[path = "harness/arguments.rs"]
#[expect(dead_code, reason = "other benchmarks have flags as well")]
mod arguments;
#[path = "harness/contents.rs"]
mod contents;
#[path = "app/cost.rs"]
mod cost;
#[path = "speed/corpus.rs"]
#[expect(dead_code, reason = "other benchmarks ask other questions")]
mod corpus;
#[path = "speed/derived.rs"]
mod derived;
#[path = "harness/service.rs"]
#[expect(dead_code, reason = "other benchmarks measure its memory as well")]
mod service;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use test_client::{Connection, Request};

use afterthought::stores::Location;
use model::{AccountId, Author, SystemClock, Time};
use store::{Piece, Store};

use arguments::number_after;
use contents::{an_account, stored};
use corpus::Corpus;
use derived::derive;
use service::Service;

/// How often each is asked.
const ROUNDS: usize = 30;

fn main() {
    let thoughts = number_after("--thoughts").unwrap_or(100_000);
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let location = Location::Embedded(folder.path().to_owned());
        let store = afterthought::stores::open(&location, Arc::new(SystemClock)).await.unwrap();
        let account = fill(store.as_ref(), thoughts).await;
        derive(store.as_ref(), account).await;
        store.close().await.unwrap();
    });
    let key = Service::key(folder.path());
    let service = Service::start(folder.path());
    let mut client = Connection::open(&service.address).unwrap();
    let token = sign_in(&mut client, &key);
    let get =
        |path: &str| Request::get(&format!("/api/app/{path}")).header("authorization", &format!("Bearer {token}"));
    let mut corpus = Corpus::new(7);
    let (word, person) = (corpus.common_word(), corpus.person().to_lowercase());
    client.send(&get("entities?limit=1"));
    let common = client.answer().json()["entities"][0]["id"].as_str().unwrap().replace(' ', "%20");
    client.send(&get("thoughts?limit=1"));
    let thought = client.answer().json()["thoughts"][0]["id"].as_str().unwrap().to_owned();
    let earliest = "from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z";
    for (name, path) in [
        ("the first page", "thoughts".to_owned()),
        ("a filter that admits half", "thoughts?author=agents&status=all".to_owned()),
        ("a filter that admits few", "thoughts?author=agent:agent%203&category=fact&status=all".to_owned()),
        ("a filter that admits nothing", format!("thoughts?status=all&{earliest}")),
        ("of a common entity", format!("thoughts?entity={common}")),
        ("of a common entity, nothing", format!("thoughts?entity={common}&{earliest}")),
        ("of a rare entity", format!("thoughts?entity=person:{person}")),
        ("a search", format!("thoughts?q={word}")),
        ("a search in every status", format!("thoughts?q={word}&status=all")),
        ("a search with filters", format!("thoughts?q={word}&author=agent:agent%203&category=fact")),
        ("one thought", format!("thoughts/{thought}")),
        ("entities", "entities".to_owned()),
        ("entities by a part of the name", "entities?q=an".to_owned()),
        ("a common entity", format!("entities/{common}")),
        ("the graph", "graph".to_owned()),
        ("the graph of an entity", format!("graph?entity={common}")),
        ("the graph of a thought", format!("graph?thought={thought}")),
        ("counts", "memory".to_owned()),
        ("values for filters", "facets".to_owned()),
        ("duplicates", "duplicates".to_owned()),
        ("counts after a capture", "memory".to_owned()),
        ("values for filters after a capture", "facets".to_owned()),
        ("duplicates after a capture", "duplicates".to_owned()),
    ] {
        let is_after = name.ends_with("after a capture");
        let mut measured: Vec<Duration> = Vec::with_capacity(ROUNDS);
        for round in 0..=ROUNDS {
            if is_after {
                client.send(&captured(&token, &format!("a thought of round {round}")));
                assert_eq!(client.answer().status, 201);
            }
            let begun = Instant::now();
            client.send(&get(&path));
            let answer = client.answer();
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            measured.push(begun.elapsed());
        }
        // The first reads what has not been read before.
        let first = measured.remove(0).as_secs_f64() * 1000.0;
        measured.sort_unstable();
        let [p50, most] = [ROUNDS / 2, ROUNDS - 1].map(|at| measured[at].as_secs_f64() * 1000.0);
        println!(
            "{thoughts} thoughts: {name:34} {p50:8.2} ms   at most {most:.2} ms, the first {first:.2}   (goal: 100)"
        );
    }
    drop(service);
    runtime.block_on(cost::compare());
}

fn captured(token: &str, text: &str) -> Request {
    let request = Request::get("/").to("POST", "/api/app/thoughts").header("content-type", "application/json");
    request.header("authorization", &format!("Bearer {token}")).body(json!({ "raw_text": text }).to_string())
}

fn sign_in(client: &mut Connection, key: &str) -> String {
    let request = Request::get("/").to("POST", "/api/app/session").header("content-type", "application/json");
    client.send(&request.body(json!({ "key": key }).to_string()));
    client.answer().json()["token"].as_str().unwrap().to_owned()
}

/// Thoughts of the person and of ten agents, one a second.
async fn fill(store: &dyn Store, thoughts: usize) -> AccountId {
    let account = an_account(store).await;
    let mut corpus = Corpus::new(3);
    let mut numbers = 0..i64::try_from(thoughts).unwrap();
    loop {
        let some: Vec<Piece> = numbers.by_ref().take(1_000).map(|number| piece(&mut corpus, number)).collect();
        if some.is_empty() {
            break;
        }
        store.import(account, some).await.unwrap();
    }
    account
}

fn piece(corpus: &mut Corpus, number: i64) -> Piece {
    let mut piece = stored(&corpus.text(), number);
    let Piece::Thought(thought) = &mut piece else { unreachable!("it is a thought") };
    if number % 2 == 0 {
        thought.author = Author::Agent { name: format!("agent {}", corpus.below(10)) };
    }
    // Over eight years.
    thought.captured_at = Time::from_micros(1_500_000_000_000_000 + (corpus.fraction() * 2.5e14) as i64);
    piece
}

//! `mode=fast` retrieval in one large account, through HTTP.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use afterthought::model::{Author, Category, Status, SystemClock, Thought, ThoughtId, ThoughtText, Time};
use afterthought::store::{self, Location, StoredThought};
use afterthought::text;
use serde_json::json;
use uuid::Uuid;

use super::capture::an_account;
use super::client::{BlockingClient, request};
use super::corpus::Corpus;
use super::service::Service;
use super::{millis, quantile};

const QUERIES: usize = 300;

/// A kind of query: its name and how one is made.
type Kind = (&'static str, fn(&mut Corpus) -> String);

/// Fills an account, restarts the service on it, and asks.
pub(crate) async fn fast(thoughts: usize) {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), thoughts).await;
    let key = Service::key(folder.path());
    let begun = Instant::now();
    let service = Service::start(folder.path());
    let mut client = BlockingClient::connect(&service.address);
    let mut corpus = Corpus::new(7);
    let first = request(&key, "retrieve_thoughts", &json!({"query": corpus.word(), "mode": "fast"}));
    client.send(&first);
    println!(
        "{thoughts} thoughts: start and first query  {:8.1} ms   (goal at 1,000,000: under 1000)",
        millis(begun.elapsed())
    );
    let kinds: [Kind; 6] = [
        ("a question", Corpus::question),
        ("five words", |corpus| (0..5).map(|_| corpus.word()).collect::<Vec<_>>().join(" ")),
        ("one common word", Corpus::common_word),
        ("four common words", |corpus| (0..4).map(|_| corpus.common_word()).collect::<Vec<_>>().join(" ")),
        ("four function words", |corpus| (0..4).map(|_| corpus.function_word()).collect::<Vec<_>>().join(" ")),
        ("a mistyped word", |corpus| corpus.word() + "q"),
    ];
    for (name, query) in kinds {
        let mut measured: Vec<Duration> = Vec::with_capacity(QUERIES);
        for _ in 0..QUERIES {
            let request = request(&key, "retrieve_thoughts", &json!({"query": query(&mut corpus), "mode": "fast"}));
            let begun = Instant::now();
            client.send(&request);
            measured.push(begun.elapsed());
        }
        let (p50, p99) = (quantile(&mut measured, 0.5), quantile(&mut measured, 0.99));
        println!("{thoughts} thoughts: fast, {name:20} {:8.2} ms   p99 {:.2} ms", millis(p50), millis(p99));
    }
    println!("{thoughts} thoughts: memory                 {:8.1} MB", service.resident_bytes() as f64 / 1e6);
}

/// Stores thoughts by import, many in one commit, and has the index made compact as a running service would.
async fn fill(folder: &Path, thoughts: usize) {
    let store = store::open(&Location::Embedded(folder.to_owned()), Arc::new(SystemClock)).unwrap();
    let account = an_account(store.as_ref()).await;
    let mut corpus = Corpus::new(3);
    let mut left = thoughts;
    while left > 0 {
        let batch = left.min(10_000);
        let stored = (0..batch).map(|offset| stored(&corpus.text(), (thoughts - left + offset) as i64)).collect();
        store.import(account, stored).await.unwrap();
        left -= batch;
    }
    let terms = text::query_terms("anything");
    let query =
        store::LexicalQuery { terms, status: Status::Open, author: afterthought::model::AuthorFilter::All, limit: 1 };
    store.search(account, &query).await.unwrap();
    store.upkeep().await.unwrap();
    store.close().await.unwrap();
}

fn stored(text: &str, number: i64) -> StoredThought {
    let at = Time::from_micros(1_700_000_000_000_000 + number * 1_000_000);
    StoredThought {
        thought: Thought {
            id: ThoughtId::from_uuid(Uuid::now_v7()),
            raw_text: ThoughtText::new(text).unwrap(),
            status: Status::Open,
            category: Category::Observation,
            author: Author::User,
            created_at: at,
            captured_at: at,
            updated_at: at,
            revision: 0,
        },
        lexical: text::lexical_form(text),
        revisions: Vec::new(),
        notes: Vec::new(),
    }
}

//! Retrieval in one large account, in both modes, through HTTP.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use test_client::{Connection, Request};

use afterthought::stores::Location;
use model::{AccountId, AuthorFilter, Clock, Mode, SystemClock};
use service::embed::BuiltIn;
use service::search::{self, QueryEmbedder, Search, Signals};
use store::{Store, Visible};

use super::contents::{an_account, stored};
use super::corpus::Corpus;
use super::derived::derive;
use super::service::Service;
use super::settled::settle;
use super::{millis, quantile};

const QUERIES: usize = 300;

/// A kind of query: its name and how one is made.
type Kind = (&'static str, fn(&mut Corpus) -> String);

/// Fills an account, restarts the service on it, and asks.
pub(crate) async fn both_modes(thoughts: usize) {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::Embedded(folder.path().to_owned());
    let store = afterthought::stores::open(&location, Arc::new(SystemClock)).await.unwrap();
    let account = fill(store.as_ref(), thoughts).await;
    derive(store.as_ref(), account).await;
    store.close().await.unwrap();
    let key = Service::key(folder.path());
    let begun = Instant::now();
    let service = Service::start(folder.path());
    let mut client = Connection::open(&service.address).unwrap();
    let mut corpus = Corpus::new(7);
    let first = Request::tool(&key, "retrieve_thoughts", &json!({"query": corpus.word(), "mode": "fast"})).bytes();
    client.ask(&first);
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
    let mut measure = |mode: &str, name: &str, query: fn(&mut Corpus) -> String| {
        let mut measured: Vec<Duration> = Vec::with_capacity(QUERIES);
        // The first search by meaning reads the vectors.
        client.ask(
            &Request::tool(&key, "retrieve_thoughts", &json!({"query": query(&mut corpus), "mode": mode})).bytes(),
        );
        for _ in 0..QUERIES {
            let request =
                Request::tool(&key, "retrieve_thoughts", &json!({"query": query(&mut corpus), "mode": mode})).bytes();
            let begun = Instant::now();
            client.ask(&request);
            measured.push(begun.elapsed());
        }
        let (p50, p99) = (quantile(&mut measured, 0.5), quantile(&mut measured, 0.99));
        println!("{thoughts} thoughts: {mode}, {name:20} {:8.2} ms   p99 {:.2} ms", millis(p50), millis(p99));
    };
    for (name, query) in kinds {
        measure("fast", name, query);
    }
    let with_name: fn(&mut Corpus) -> String = |corpus| format!("{} {}?", corpus.question(), corpus.person());
    measure("full", "a question", Corpus::question);
    measure("full", "a question, a name", with_name);
    measure("full", "one common word", Corpus::common_word);
    println!("{thoughts} thoughts: memory                 {:8.1} MB", service.resident_bytes() as f64 / 1e6);
    drop(service);
    shares(folder.path(), account, thoughts).await;
}

/// What graph and context cost: the same searches in process with and without them, taking turns.
async fn shares(folder: &Path, account: AccountId, thoughts: usize) {
    let store =
        afterthought::stores::open(&Location::Embedded(folder.to_owned()), Arc::new(SystemClock)).await.unwrap();
    let built_in = Arc::new(BuiltIn::default());
    let embedder = QueryEmbedder::new(built_in.clone(), built_in);
    let mut corpus = Corpus::new(13);
    let ways = [Signals::ALL, Signals { graph: false, context: false, ..Signals::ALL }];
    let mut measured = [const { Vec::new() }; 2];
    for _ in 0..QUERIES {
        let text = format!("{} {}?", corpus.question(), corpus.person());
        for (signals, measured) in ways.into_iter().zip(&mut measured) {
            let search = Search {
                text: &text,
                visible: Visible::open(AuthorFilter::All),
                looking: None,
                mode: Mode::Full,
                limit: 10,
                threshold: 0.0,
                now: SystemClock.now(),
                signals,
            };
            let begun = Instant::now();
            search::search(store.as_ref(), &embedder, account, &search).await.unwrap();
            measured.push(begun.elapsed());
        }
    }
    let [all, without] = measured.map(|mut measured| millis(quantile(&mut measured, 0.5)));
    let share = 100.0 * (all - without) / all;
    println!("{thoughts} thoughts: graph and context       {share:8.0} %    of {all:.2} ms in process");
}

/// Stores thoughts by import, many in one commit, and has the index made compact as a running service would.
async fn fill(store: &dyn Store, thoughts: usize) -> AccountId {
    let account = an_account(store).await;
    let mut corpus = Corpus::new(3);
    let mut left = thoughts;
    while left > 0 {
        let batch = left.min(10_000);
        let stored = (0..batch).map(|offset| stored(&corpus.text(), (thoughts - left + offset) as i64)).collect();
        store.import(account, stored).await.unwrap();
        left -= batch;
    }
    settle(store, account).await;
    account
}

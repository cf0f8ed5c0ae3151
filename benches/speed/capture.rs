//! Captures through HTTP beside bare SQLite and beside the store alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use afterthought::model::{Account, AccountId, Author, Category, Clock, SystemClock, ThoughtId, ThoughtText};
use afterthought::store::{self, Location, NewThought, Step, Store};
use afterthought::text::{self, LexicalForm};
use rusqlite::params;
use serde_json::json;
use uuid::Uuid;

use super::client::{BlockingClient, Client, ping, request};
use super::corpus::Corpus;
use super::service::Service;
use super::{millis, quantile};

const CALLERS: usize = 64;

/// One caller, one capture at a time, in turn with one durable insert of the same row into a bare table.
pub(crate) async fn one_caller(rounds: usize) {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(&folder.path().join("data"));
    let key = Service::key(&folder.path().join("data"));
    let mut client = BlockingClient::connect(&service.address);
    let bare = rusqlite::Connection::open(folder.path().join("bare.db")).unwrap();
    bare.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE thought (row INTEGER PRIMARY KEY, id BLOB UNIQUE, status INTEGER, author INTEGER, agent_name TEXT,
                               category TEXT, created_at INTEGER, captured_at INTEGER, updated_at INTEGER,
                               revision INTEGER, seq INTEGER, words INTEGER, raw_text TEXT, lexical_text TEXT);",
    )
    .unwrap();
    let mut corpus = Corpus::new(1);
    let store = store::open(&Location::Embedded(folder.path().join("alone")), Arc::new(SystemClock)).unwrap();
    let account = an_account(store.as_ref()).await;
    let (mut through_http, mut empty, mut analysed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut alone, mut plain) = (Vec::new(), Vec::new());
    let ping = ping(&key);
    for _ in 0..rounds {
        let text = corpus.text();
        let request = request(&key, "capture_thought", &json!({"raw": text, "as_user": true}));
        let begun = Instant::now();
        client.send(&request);
        through_http.push(begun.elapsed());
        let begun = Instant::now();
        client.send(&ping);
        empty.push(begun.elapsed());
        let begun = Instant::now();
        let thought = new_thought(&text);
        let LexicalForm { text: lexical_text, words } = thought.lexical.clone();
        analysed.push(begun.elapsed());
        let begun = Instant::now();
        store.insert(account, thought).await.unwrap();
        alone.push(begun.elapsed());
        let now = SystemClock.now().as_micros();
        let begun = Instant::now();
        bare.prepare_cached(
            "INSERT INTO thought VALUES (NULL, ?1, 0, 0, NULL, 'observation', ?2, ?2, ?2, 0, 1, ?3, ?4, ?5)",
        )
        .unwrap()
        .execute(params![Uuid::now_v7().as_bytes(), now, words, text, lexical_text])
        .unwrap();
        plain.push(begun.elapsed());
    }
    let (http, bare) = (quantile(&mut through_http, 0.5), quantile(&mut plain, 0.5));
    let ratio = http.as_secs_f64() / bare.as_secs_f64();
    println!(
        "capture through HTTP, one caller, p50   {:8.3} ms   p99 {:.3} ms",
        millis(http),
        millis(quantile(&mut through_http, 0.99))
    );
    println!("  of which: a call that does nothing    {:8.3} ms", millis(quantile(&mut empty, 0.5)));
    println!("            making the lexical form     {:8.3} ms", millis(quantile(&mut analysed, 0.5)));
    println!("            the store                   {:8.3} ms", millis(quantile(&mut alone, 0.5)));
    println!("one durable insert, bare, p50           {:8.3} ms   ratio {ratio:.2} (goal: at most 2)", millis(bare));
}

/// 64 callers through HTTP, and 64 on the store alone, in turn.
pub(crate) async fn many_callers(time: Duration) {
    let (mut http, mut alone) = (0.0_f64, 0.0_f64);
    for _ in 0..2 {
        http = http.max(through_http(time).await);
        alone = alone.max(store_alone(time).await);
    }
    println!("captures through HTTP, {CALLERS} callers       {http:8.0} /s");
    println!(
        "captures, store alone, {CALLERS} callers       {alone:8.0} /s   share {:.2} (goal: at least 0.33)",
        http / alone
    );
}

async fn through_http(time: Duration) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path());
    let key = Service::key(folder.path());
    let done = Arc::new(AtomicU64::new(0));
    let begun = Instant::now();
    let callers = (0..CALLERS).map(|caller| {
        let (address, key, done) = (service.address.clone(), key.clone(), done.clone());
        tokio::spawn(async move {
            let mut client = Client::connect(&address).await;
            let mut corpus = Corpus::new(caller as u64);
            let requests: Vec<Vec<u8>> = (0..32)
                .map(|_| request(&key, "capture_thought", &json!({"raw": corpus.text(), "as_user": true})))
                .collect();
            for request in requests.iter().cycle() {
                if begun.elapsed() > time {
                    break;
                }
                client.send(request).await;
                done.fetch_add(1, Ordering::Relaxed);
            }
        })
    });
    for caller in callers.collect::<Vec<_>>() {
        caller.await.unwrap();
    }
    done.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64()
}

async fn store_alone(time: Duration) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let store = store::open(&Location::Embedded(folder.path().to_owned()), Arc::new(SystemClock)).unwrap();
    let account = an_account(store.as_ref()).await;
    let done = Arc::new(AtomicU64::new(0));
    let begun = Instant::now();
    let handle = tokio::runtime::Handle::current();
    let callers = (0..CALLERS).map(|caller| {
        let (store, done, handle) = (store.clone(), done.clone(), handle.clone());
        std::thread::spawn(move || {
            let mut corpus = Corpus::new(caller as u64);
            let prepared: Vec<NewThought> = (0..32).map(|_| new_thought(&corpus.text())).collect();
            for thought in prepared.iter().cycle() {
                if begun.elapsed() > time {
                    break;
                }
                let thought = NewThought { id: ThoughtId::from_uuid(Uuid::now_v7()), ..thought.clone() };
                handle.block_on(store.insert(account, thought)).unwrap();
                done.fetch_add(1, Ordering::Relaxed);
            }
        })
    });
    let callers: Vec<_> = callers.collect();
    tokio::task::spawn_blocking(move || callers.into_iter().for_each(|caller| caller.join().unwrap())).await.unwrap();
    done.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64()
}

/// Makes an account.
pub(crate) async fn an_account(store: &dyn Store) -> AccountId {
    let id = AccountId::from_uuid(Uuid::now_v7());
    let account = Account { id, name: "default".parse().unwrap(), created_at: SystemClock.now() };
    assert!(store.insert_account(&account).await.unwrap());
    id
}

/// A thought of the human user, ready to be stored.
pub(crate) fn new_thought(text: &str) -> NewThought {
    NewThought {
        id: ThoughtId::from_uuid(Uuid::now_v7()),
        raw_text: ThoughtText::new(text).unwrap(),
        lexical: text::lexical_form(text),
        category: Category::Observation,
        author: Author::User,
        captured_at: None,
        steps: &[Step::Enrich],
    }
}

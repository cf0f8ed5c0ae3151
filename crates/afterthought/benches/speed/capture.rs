//! Captures through HTTP beside bare SQLite and beside the store alone.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use rusqlite::params;
use serde_json::json;
use test_client::{AsyncConnection, Connection, Request};
use uuid::Uuid;

use afterthought::stores::Location;
use model::{Author, Category, Clock, SystemClock, ThoughtId, ThoughtText};
use store::NewThought;

use super::contents::an_account;
use super::corpus::Corpus;
use super::service::Service;
use super::{millis, quantile};

const CALLERS: usize = 64;

/// How many of one kind follow each other before it is the next kind's turn: few enough that a slow moment of the machine
/// falls on all of them, enough that none is measured on cores the others have just sent to sleep.
const TURN: usize = 50;

/// One caller, one capture after the other, in turn with durable inserts of the same rows into a bare table.
pub(crate) async fn one_caller(rounds: usize) {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(&folder.path().join("data"));
    let key = Service::key(&folder.path().join("data"));
    let mut client = Connection::open(&service.address).unwrap();
    let bare = bare_table(&folder.path().join("bare.db"));
    let mut behind_socket = BareService::start(bare_table(&folder.path().join("behind_socket.db")));
    let store = afterthought::stores::open(&Location::Embedded(folder.path().join("alone")), Arc::new(SystemClock))
        .await
        .unwrap();
    let account = an_account(store.as_ref()).await;
    let mut corpus = Corpus::new(1);
    let (mut through_http, mut empty) = (Vec::new(), Vec::new());
    let (mut alone, mut plain, mut through_socket) = (Vec::new(), Vec::new(), Vec::new());
    let ping = Request::post(&key, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).bytes();
    for _ in 0..rounds.div_ceil(TURN) {
        let texts: Vec<String> = (0..TURN).map(|_| corpus.text()).collect();
        for text in &texts {
            let request = Request::tool(&key, "capture_thought", &json!({"raw": text, "as_user": true})).bytes();
            through_http.push(timed(|| client.ask(&request)).1);
        }
        empty.extend((0..TURN).map(|_| timed(|| client.ask(&ping)).1));
        let thoughts: Vec<NewThought> = texts.iter().map(|text| new_thought(text)).collect();
        for thought in &thoughts {
            let thought = thought.clone();
            let begun = Instant::now();
            store.insert(account, thought).await.unwrap();
            alone.push(begun.elapsed());
        }
        plain.extend(thoughts.iter().map(|thought| timed(|| insert_bare(&bare, thought)).1));
        through_socket.extend(thoughts.into_iter().map(|thought| timed(|| behind_socket.insert(thought)).1));
    }
    let (http, bare) = (quantile(&mut through_http, 0.5), quantile(&mut plain, 0.5));
    let ratio = http.as_secs_f64() / bare.as_secs_f64();
    println!(
        "capture through HTTP, one caller, p50   {:8.3} ms   p99 {:.3} ms",
        millis(http),
        millis(quantile(&mut through_http, 0.99))
    );
    println!("  of which: a call that does nothing    {:8.3} ms", millis(quantile(&mut empty, 0.5)));
    println!("            the store                   {:8.3} ms", millis(quantile(&mut alone, 0.5)));
    println!("one durable insert, bare, p50           {:8.3} ms   ratio {ratio:.2} (goal: at most 2)", millis(bare));
    let socket = quantile(&mut through_socket, 0.5);
    println!(
        "  the same behind a socket, p50         {:8.3} ms   ratio {:.2} (what a service can reach)",
        millis(socket),
        socket.as_secs_f64() / bare.as_secs_f64()
    );
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let done = work();
    (done, begun.elapsed())
}

/// A table of thoughts with nothing around it, as durable as ours.
fn bare_table(path: &Path) -> rusqlite::Connection {
    let bare = rusqlite::Connection::open(path).unwrap();
    bare.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE thought (row INTEGER PRIMARY KEY, id BLOB UNIQUE, status INTEGER, author INTEGER, agent_name TEXT,
                               category TEXT, created_at INTEGER, captured_at INTEGER, updated_at INTEGER,
                               revision INTEGER, seq INTEGER, raw_text TEXT);",
    )
    .unwrap();
    bare
}

fn insert_bare(bare: &rusqlite::Connection, thought: &NewThought) {
    let now = SystemClock.now().as_micros();
    bare.prepare_cached("INSERT INTO thought VALUES (NULL, ?1, 0, 0, NULL, 'observation', ?2, ?2, ?2, 0, 1, ?3)")
        .unwrap()
        .execute(params![Uuid::now_v7().as_bytes(), now, thought.raw_text.as_str()])
        .unwrap();
}

/// Bare inserts on a thread that is asked for them over TCP and does nothing else: no service that wakes its caller across a
/// socket takes less.
struct BareService {
    stream: TcpStream,
    thoughts: mpsc::Sender<NewThought>,
}

impl BareService {
    /// About as long as an answer to a capture.
    const ANSWER_BYTES: usize = 1024;

    fn start(bare: rusqlite::Connection) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        stream.set_nodelay(true).unwrap();
        let (thoughts, asked_for) = mpsc::channel();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.set_nodelay(true).unwrap();
            while stream.read_exact(&mut [0]).is_ok() {
                insert_bare(&bare, &asked_for.recv().unwrap());
                stream.write_all(&[0; Self::ANSWER_BYTES]).unwrap();
            }
        });
        Self { stream, thoughts }
    }

    fn insert(&mut self, thought: NewThought) {
        self.thoughts.send(thought).unwrap();
        self.stream.write_all(&[0]).unwrap();
        self.stream.read_exact(&mut [0; Self::ANSWER_BYTES]).unwrap();
    }
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
            let mut client = AsyncConnection::open(&address).await;
            let mut corpus = Corpus::new(caller as u64);
            let requests: Vec<Vec<u8>> = (0..32)
                .map(|_| {
                    Request::tool(&key, "capture_thought", &json!({"raw": corpus.text(), "as_user": true})).bytes()
                })
                .collect();
            for request in requests.iter().cycle() {
                if begun.elapsed() > time {
                    break;
                }
                client.ask(request).await;
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
    let store =
        afterthought::stores::open(&Location::Embedded(folder.path().to_owned()), Arc::new(SystemClock)).await.unwrap();
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

/// A thought of the human user, ready to be stored.
pub(crate) fn new_thought(text: &str) -> NewThought {
    NewThought {
        id: ThoughtId::from_uuid(Uuid::now_v7()),
        raw_text: ThoughtText::new(text).unwrap(),
        category: Category::Observation,
        author: Author::User,
        captured_at: None,
    }
}

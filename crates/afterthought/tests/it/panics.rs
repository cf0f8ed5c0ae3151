//! A bug in any layer ends the request or the round it happens in, and nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use test_client::Request;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use uuid::Uuid;

use afterthought::app::{self, App};
use afterthought::http::Settings;
use model::{Clock, IdSource, RandomIds, SystemClock, ThoughtText, Time};
use service::memory::{Attribution, Capture};

use crate::faulty::{self, Fault, Faulty};
use crate::service::Service;

fn settings() -> Settings {
    Settings { rate_limit: 0, ..Settings::default() }
}

fn faulty_service() -> (Service, Arc<Faulty>) {
    let mut store = None;
    let service = Service::over(settings(), |_, app| faulty::app(&app, &mut store));
    (service, store.unwrap())
}

fn thoughts(service: &Service) -> Vec<Value> {
    let found = service.tool("retrieve_thoughts", &json!({"author": "all", "top_k": 100, "detail": "full"}));
    found["thoughts"].as_array().unwrap().clone()
}

#[test]
fn in_the_router() {
    let (service, store) = faulty_service();
    for (path, method) in [("/healthz", "check"), ("/metrics", "stats"), ("/api/mcp", "get_key")] {
        let request = if path == "/api/mcp" { service.post("{}") } else { Request::get(path) };
        let mut connection = service.connect();
        store.at_next(method, Fault::Panic);
        connection.send(&request);
        assert_eq!((connection.answer().status, store.has_happened()), (500, true), "{path}");
        connection.send(&request);
        assert!(matches!(connection.answer().status, 200 | 400), "{path}: the connection goes on");
    }
    service.capture("Ana likes tea");
}

#[test]
fn in_a_tool_and_the_rules_below_it() {
    let (service, store) = faulty_service();
    let id = service.capture("Ana likes tea");
    let calls = [
        ("insert", "capture_thought", json!({"raw": "Ben likes coffee", "as_user": true})),
        ("list", "retrieve_thoughts", json!({})),
        ("search", "retrieve_thoughts", json!({"query": "tea"})),
        ("serving_model", "retrieve_thoughts", json!({"query": "tea"})),
        ("sittings", "retrieve_thoughts", json!({"query": "tea"})),
        ("connections", "retrieve_thoughts", json!({"query": "tea", "detail": "full"})),
        ("get", "edit_thought", json!({"thought_id": id, "raw_text": "Ana likes green tea"})),
        ("update", "edit_thought", json!({"thought_id": id, "raw_text": "Ana likes black tea"})),
        ("update", "delete_thought", json!({"thought_id": id})),
    ];
    for (method, tool, arguments) in &calls {
        for fault in [Fault::Panic, Fault::PanicAfterwards] {
            store.at_next(method, fault);
            let answer = service.send(&Request::tool(&service.key, tool, arguments));
            assert_eq!((answer.status, answer.error_code(), store.has_happened()), (500, -32_603, true), "{method}");
            service.tool(tool, arguments);
            let as_it_was = json!({"thought_id": id, "raw_text": "Ana likes tea", "edit_request": "reopen"});
            service.tool("edit_thought", &as_it_was);
            assert!(thoughts(&service).iter().any(|thought| thought["id"] == json!(id)), "{method}");
        }
    }
}

/// Panics when it is asked for the n-th time.
struct Countdown<T>(T, AtomicI64);

impl<T> Countdown<T> {
    fn tick(&self) -> &T {
        assert!(self.1.fetch_sub(1, Ordering::Relaxed) != 1, "a bug");
        &self.0
    }
}

impl Clock for Countdown<SystemClock> {
    fn now(&self) -> Time {
        self.tick().now()
    }
}

impl IdSource for Countdown<RandomIds> {
    fn fresh(&self) -> Uuid {
        self.tick().fresh()
    }
}

/// The clock is asked by the key ring, by the rules, by the core of the store, and inside the transaction that stores.
#[test]
fn wherever_a_call_looks_at_the_clock_or_makes_an_id() {
    let clock = Arc::new(Countdown(SystemClock, AtomicI64::new(0)));
    let ids = Arc::new(Countdown(RandomIds, AtomicI64::new(0)));
    let elsewhere = tempfile::tempdir().unwrap();
    let mut key = String::new();
    let mut service = Service::over(settings(), |_, _| {
        tokio::task::block_in_place(|| {
            tokio::runtime::Handle::current().block_on(async {
                let store = store_sqlite::open(elsewhere.path(), clock.clone(), 8).await.unwrap();
                let app = App::on(store, None, clock.clone(), ids.clone());
                let account = app.keyring.create_account("default".parse().unwrap()).await.unwrap();
                let (secret, _) = app.keyring.create_key(account.id, "tester".parse().unwrap()).await.unwrap();
                key = secret.reveal().to_owned();
                app
            })
        })
    });
    service.key = key;
    let id = service.capture("Ana likes tea");
    let (mut acknowledged, mut unanswered, mut faults) = (1, 0, 0);
    for countdown in [&clock.1, &ids.1] {
        for turn in 1.. {
            countdown.store(turn, Ordering::Relaxed);
            let mut statuses = Vec::new();
            for (tool, arguments) in [
                ("capture_thought", json!({"raw": "Ben likes coffee", "as_user": true})),
                ("edit_thought", json!({"thought_id": id, "raw_text": format!("Ana likes tea {turn}")})),
                ("retrieve_thoughts", json!({"query": "tea"})),
            ] {
                let answer = service.send(&Request::tool(&service.key, tool, &arguments));
                assert!(matches!(answer.status, 200 | 500 | 503), "{}", answer.text());
                match (tool, answer.status) {
                    ("capture_thought", 200) => acknowledged += 1,
                    ("capture_thought", _) => unanswered += 1,
                    _ => {}
                }
                statuses.push(answer.status);
            }
            let left = countdown.swap(0, Ordering::Relaxed);
            assert_eq!(service.tool("retrieve_thoughts", &json!({"query": "tea"}))["thoughts"][0]["id"], json!(id));
            if left > 0 {
                break;
            }
            faults += usize::from(statuses.iter().any(|status| *status != 200));
        }
    }
    assert!(faults >= 5, "{faults}");
    let stored = thoughts(&service).len();
    assert!((acknowledged..=acknowledged + unanswered).contains(&stored), "{stored} of {acknowledged}");
}

/// Waits until something is so.
fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn in_the_enrichment_and_in_upkeep() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut faulty = None;
    let (app, caller, listener) = runtime.block_on(async {
        let location = afterthought::stores::Location::Embedded(folder.path().to_owned());
        let app = faulty::app(&App::open(&location).await.unwrap(), &mut faulty);
        let account = app.keyring.create_account("default".parse().unwrap()).await.unwrap();
        let (secret, _) = app.keyring.create_key(account.id, "tester".parse().unwrap()).await.unwrap();
        let caller = app.keyring.verify(secret.reveal()).await.unwrap().unwrap();
        (app, caller, TcpListener::bind("127.0.0.1:0").await.unwrap())
    });
    let store = faulty.unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    store.at_next("accounts_with_work", Fault::Panic);
    let served = runtime.spawn({
        let app = app.clone();
        async move { app::serve(&app, listener, settings(), async { drop(stopped.await) }).await }
    });
    eventually("the look at all accounts panicked", || store.has_happened());
    store.at_next("upkeep", Fault::Panic);
    eventually("upkeep panicked", || store.has_happened());
    for method in ["accounts_known_to_have_work", "claim", "names_before", "mention", "relatives", "finish"] {
        store.at_next(method, Fault::Panic);
        let raw_text = ThoughtText::new("Ana likes tea").unwrap();
        let capture = Capture { raw_text, captured_at: None, attribution: Attribution::User };
        runtime.block_on(app.memory.capture(&caller, capture)).unwrap();
        eventually(method, || store.has_happened());
    }
    let pending = || runtime.block_on(app.store.stats()).unwrap().pending_enrichment;
    eventually("everything is enriched all the same", || pending() == 0);
    assert_eq!(runtime.block_on(app.store.stats()).unwrap().given_up, 0);
    store.at_next("upkeep", Fault::Panic);
    eventually("upkeep goes on", || store.has_happened());
    drop(stop);
    runtime.block_on(served).unwrap().unwrap();
}

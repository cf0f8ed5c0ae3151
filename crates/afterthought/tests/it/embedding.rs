//! Embedding models behind an endpoint, and the enrichment of the real program: killed, rebuilt, moved to another model.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use service::embed::{EmbedError, Embedder, Remote};
use service::remote::RemoteSettings;

use crate::process::{Caller, Process, command};

/// An endpoint on this machine whose model has three dimensions: how long a text is, whether it is about tea in the garden, and one that
/// all texts share. Texts over `text_bytes_max` are refused.
struct Endpoint {
    url: String,
    calls: Arc<AtomicUsize>,
}

impl Endpoint {
    fn start(text_bytes_max: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let counted = counted.clone();
                std::thread::spawn(move || answer(stream.unwrap(), text_bytes_max, &counted));
            }
        });
        Self { url, calls }
    }

    fn embedder(&self) -> Remote {
        let settings = RemoteSettings { url: self.url.clone(), model: "small".into(), key: Some("secret".into()) };
        Remote::new(settings).unwrap()
    }
}

/// Answers the requests of one connection.
fn answer(stream: TcpStream, text_bytes_max: usize, calls: &AtomicUsize) {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut length, mut authorised, mut line) = (0, false, String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let lower = line.to_ascii_lowercase();
            authorised |= lower.trim() == "authorization: bearer secret";
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        calls.fetch_add(1, Ordering::Relaxed);
        let request: Value = serde_json::from_slice(&body).unwrap();
        let texts: Vec<&str> = request["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        let (status, answer) = match authorised {
            false => (401, json!({"error": "no key"})),
            true if texts.iter().any(|text| text.len() > text_bytes_max) => (400, json!({"error": "too long"})),
            true => {
                let is_about_tea = |text: &str| text.contains("tea") || text.contains("garden");
                let vector = |text: &str| json!([text.len() as f64 / 1000.0, f64::from(is_about_tea(text)), 0.5]);
                let items = texts.iter().enumerate().rev();
                let items: Vec<Value> =
                    items.map(|(index, text)| json!({"index": index, "embedding": vector(text)})).collect();
                (200, json!({"object": "list", "data": items, "model": request["model"]}))
            }
        };
        let answer = answer.to_string();
        let head = format!(
            "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        reader.get_mut().write_all((head + &answer).as_bytes()).unwrap();
    }
}

#[test]
fn vectors_come_back_in_order_and_with_length_one() {
    let endpoint = Endpoint::start(10_000);
    let texts: Vec<String> = (1..=70).map(|length| "x".repeat(length)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = endpoint.embedder().embed(&texts).unwrap();
    assert_eq!(vectors.len(), 70);
    assert!(vectors.is_sorted_by(|a, b| a[0] < b[0]));
    assert!(vectors.iter().all(|vector| (vector.iter().map(|value| value * value).sum::<f32>() - 1.0).abs() < 1e-5));
    assert_eq!(endpoint.calls.load(Ordering::Relaxed), 3);
}

#[test]
fn a_text_too_long_for_the_model_is_cut() {
    let endpoint = Endpoint::start(600);
    assert!(endpoint.embedder().embed(&[&"tea ".repeat(5_000)]).is_ok());
}

#[test]
fn an_endpoint_that_is_not_there_or_wants_another_key_is_out_of_reach() {
    let endpoint = Endpoint::start(600);
    let settings = RemoteSettings { url: endpoint.url.clone(), model: "small".into(), key: None };
    let refused = Remote::new(settings.clone()).unwrap().embed(&["tea"]);
    assert!(matches!(refused, Err(EmbedError::Unavailable(_))), "{refused:?}");
    // A port that was free a moment ago.
    let url = format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let dead = Remote::new(RemoteSettings { url, ..settings }).unwrap().embed(&["tea"]);
    assert!(matches!(dead, Err(EmbedError::Unavailable(_))), "{dead:?}");
}

fn capture(caller: &mut Caller, text: &str) -> String {
    let captured = caller.tool("capture_thought", &json!({"raw": text, "as_user": true})).unwrap();
    captured["thought"]["id"].as_str().unwrap().to_owned()
}

fn status(data: &std::path::Path) -> Value {
    let status = command(data, &["status", "--json"]);
    assert!(status.success);
    serde_json::from_str(&status.stdout).unwrap()
}

/// Waits until nothing is left to enrich.
fn wait_until_enriched(data: &std::path::Path) {
    let begun = Instant::now();
    while status(data)["pending_enrichment"] != json!(0) {
        assert!(begun.elapsed() < Duration::from_secs(180), "{}", status(data));
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn found(caller: &mut Caller, query: &str) -> Vec<Value> {
    let answer = caller.tool("retrieve_thoughts", &json!({"query": query, "detail": "full"})).unwrap();
    answer["thoughts"].as_array().unwrap().clone()
}

#[test]
fn enrichment_goes_on_after_kill_9_and_repeats_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut key = None;
    for round in 0..3 {
        let mut process = Process::start(folder.path());
        let key = key.get_or_insert_with(|| process.first_key().unwrap()).clone();
        let mut caller = process.caller(&key);
        for number in 0..40 {
            capture(&mut caller, &format!("Round {round}: the invoice number {number} went to Dana Whitfield"));
        }
        process.kill_9();
    }
    let process = Process::start(folder.path());
    let mut caller = process.caller(&key.unwrap());
    // What the dead left leased is taken over when its lease ends.
    wait_until_enriched(folder.path());
    let stats = status(folder.path());
    assert_eq!((&stats["thoughts"]["open"], &stats["given_up"]), (&json!(120), &json!(0)));
    let hits = found(&mut caller, "invoice number 17");
    assert!(hits.iter().all(|hit| hit["entities"].as_array().unwrap().len() == 1), "{hits:?}");
}

#[test]
fn another_model_takes_over_while_the_service_answers() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::start(folder.path());
    let key = process.first_key().unwrap();
    let mut caller = process.caller(&key);
    let tea = capture(&mut caller, "A cup of tea in the garden");
    capture(&mut caller, "The importer retries three times");
    wait_until_enriched(folder.path());
    process.kill_9();
    let endpoint = Endpoint::start(10_000);
    let settings = [("AFTERTHOUGHT_EMBED_URL", endpoint.url.as_str()), ("AFTERTHOUGHT_EMBED_MODEL", "small")];
    let process =
        Process::start_in(folder.path(), &[], &[settings[0], settings[1], ("AFTERTHOUGHT_EMBED_KEY", "secret")]);
    let mut caller = process.caller(&key);
    let begun = Instant::now();
    // The endpoint is asked for the meaning of queries once its vectors are complete.
    while endpoint.calls.load(Ordering::Relaxed) == 0 || status(folder.path())["pending_enrichment"] != json!(0) {
        assert!(begun.elapsed() < Duration::from_secs(60));
        assert_eq!(found(&mut caller, "garden")[0]["id"], json!(tea));
    }
    let asked = endpoint.calls.load(Ordering::Relaxed);
    assert_eq!(found(&mut caller, "tea")[0]["id"], json!(tea));
    assert_eq!(endpoint.calls.load(Ordering::Relaxed), asked + 1);
}

#[test]
fn a_dead_endpoint_breaks_neither_captures_nor_queries() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let settings = [("AFTERTHOUGHT_EMBED_URL", url.as_str()), ("AFTERTHOUGHT_EMBED_MODEL", "small")];
    let process = Process::start_in(folder.path(), &[], &settings);
    let mut caller = process.caller(&process.first_key().unwrap());
    let id = capture(&mut caller, "A cup of tea in the garden");
    assert_eq!(found(&mut caller, "tea")[0]["id"], json!(id));
    let stats = status(folder.path());
    assert_eq!((&stats["pending_enrichment"], &stats["given_up"]), (&json!(1), &json!(0)));
}

#[test]
fn reindexing_makes_everything_anew_with_and_without_a_service() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::start(folder.path());
    let mut caller = process.caller(&process.first_key().unwrap());
    for number in 0..20 {
        capture(&mut caller, &format!("The invoice number {number} went to Dana Whitfield"));
    }
    wait_until_enriched(folder.path());
    let beside = command(folder.path(), &["reindex"]);
    assert!(beside.success);
    assert_eq!(beside.stdout, "reindexed 20 thoughts\n");
    process.kill_9();
    let alone = command(folder.path(), &["reindex", "--account", "default"]);
    assert_eq!(alone.stdout, "reindexed 20 thoughts\n");
    assert_eq!(status(folder.path())["pending_enrichment"], json!(0));
}

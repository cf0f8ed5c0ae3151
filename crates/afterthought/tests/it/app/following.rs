//! The stream of changes that open pages follow.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use afterthought::http::Settings;

use super::{Page, refusal, refused};
use crate::app::enriched;
use crate::service::Service;

/// What a page hears.
struct Heard(BufReader<TcpStream>);

impl Heard {
    fn start(page: &Page<'_>) -> Self {
        let mut stream = TcpStream::connect(page.service.addr).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(page.request("GET", "changes").head().as_bytes()).unwrap();
        let mut heard = Self(BufReader::new(stream));
        let mut head = String::new();
        while heard.0.read_line(&mut head).unwrap() > 2 {}
        assert!(head.starts_with("HTTP/1.1 200") && head.contains("application/x-ndjson"), "{head}");
        assert_eq!(heard.next().unwrap(), json!({ "type": "ready" }));
        heard
    }

    /// The next line that says something; `None` at the end. Chunks and their lengths are lines of their own.
    fn next(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            // An empty chunk is the last.
            if self.0.read_line(&mut line).unwrap() == 0 || line == "0\r\n" {
                return None;
            }
            if line.starts_with('{') {
                return Some(serde_json::from_str(&line).unwrap());
            }
        }
    }
}

fn named(id: &str) -> Value {
    json!({ "type": "thoughts", "ids": [id] })
}

#[test]
fn an_open_page_hears_of_what_anybody_changes_within_seconds() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let mut heard = Heard::start(&page);
    let begun = Instant::now();
    let captured = service.capture("Ana lives in Lisbon");
    assert_eq!(heard.next(), Some(named(&captured)));
    assert!(begun.elapsed() < Duration::from_secs(5));
    page.post(&format!("thoughts/{captured}/status"), &json!({ "status": "completed" }));
    assert_eq!(heard.next(), Some(named(&captured)));
    enriched(&page);
    assert_eq!(heard.next(), Some(named(&captured)), "what was found out about it is news as well");
}

#[test]
fn very_many_changes_are_not_named() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let other = service.runtime.block_on(async {
        let account = service.app.keyring.account(&"default".parse().unwrap()).await.unwrap();
        let folder = service.folder().to_owned();
        (account, afterthought::app::App::open(&afterthought::stores::Location::Embedded(folder)).await.unwrap())
    });
    let mut heard = Heard::start(&page);
    service.runtime.block_on(async {
        let (account, app) = other;
        let captures = (0..500).map(|number| {
            let thought = store::NewThought {
                id: model::ThoughtId::from_uuid(uuid::Uuid::now_v7()),
                raw_text: model::ThoughtText::new(format!("thought {number}")).unwrap(),
                category: model::Category::Fact,
                author: model::Author::User,
                captured_at: None,
            };
            let store = app.store.clone();
            tokio::spawn(async move { store.insert(account.id, thought).await.unwrap() })
        });
        for capture in captures.collect::<Vec<_>>() {
            capture.await.unwrap();
        }
    });
    let line = heard.next().unwrap();
    let few = line["ids"].as_array().map_or(0, Vec::len);
    assert!(few <= 200 && (line["type"] == "many" || heard.next().unwrap()["type"] == "many"), "{line}");
}

#[test]
fn another_account_hears_nothing() {
    let service = Service::start();
    service.another_key("eve", "hers");
    let (ana, eve) = (Page::of_owner(&service, "default"), Page::of_owner(&service, "eve"));
    let mut heard = Heard::start(&eve);
    ana.capture("the safe code is pelican 4711");
    std::thread::sleep(Duration::from_millis(1500));
    let hers = eve.capture("mine");
    assert_eq!(heard.next(), Some(named(&hers)));
}

#[test]
fn a_stream_ends_with_its_session() {
    let service = Service::start();
    let (owner, keyed) = (Page::of_owner(&service, "default"), Page::of_key(&service, &service.key));
    let (mut of_owner, mut of_key) = (Heard::start(&owner), Heard::start(&keyed));
    assert_eq!(owner.ask("DELETE", "session").status, 204);
    service.runtime.block_on(service.app.keyring.revoke_key(&service.key)).unwrap();
    for heard in [&mut of_owner, &mut of_key] {
        assert_eq!(heard.next(), Some(json!({ "type": "ended" })));
        assert_eq!(heard.next(), None);
    }
    assert_eq!(refusal(&owner.ask("GET", "changes")), refused(401, "signed_out"));
}

#[test]
fn a_quiet_stream_outlives_the_time_limits_of_requests_but_not_the_service() {
    let second = Duration::from_secs(1);
    let settings = Settings {
        rate_limit: 0,
        header_timeout: second,
        keyless_timeout: second,
        body_timeout: second,
        write_timeout: second,
        ..Settings::default()
    };
    let mut service = Service::with(settings);
    let page = Page::of_owner(&service, "default");
    let mut heard = Heard::start(&page);
    std::thread::sleep(3 * second);
    let id = page.capture("still here");
    assert_eq!(heard.next(), Some(named(&id)));
    let begun = Instant::now();
    service.stop();
    assert_eq!(heard.next(), None);
    service.wait();
    assert!(begun.elapsed() < Duration::from_secs(5), "nobody waits for a page that only follows");
}

#[test]
fn beyond_a_bound_the_page_that_has_followed_for_longest_makes_way() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let mut heard: Vec<Heard> = (0..33).map(|_| Heard::start(&page)).collect();
    assert_eq!(heard[0].next(), None);
    let id = page.capture("for the others");
    for other in &mut heard[1..] {
        assert_eq!(other.next(), Some(named(&id)));
    }
}

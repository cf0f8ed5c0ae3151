//! What clients that are slow, many or broken can and cannot do, and how the service stops.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use serde_json::json;
use test_client::{Connection, Request, tool_call};

use afterthought::http::Settings;

use crate::service::Service;

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

fn capture(text: &str) -> String {
    tool_call("capture_thought", &json!({"raw": text, "as_user": true})).to_string()
}

#[test]
fn a_connection_serves_many_requests() {
    let service = Service::start();
    let mut connection = service.connect();
    for body in [LIST, "nope", LIST] {
        connection.send(&service.post(body));
        connection.answer();
    }
    // A refused body that was sent whole does not end the connection either.
    connection.send(&service.post(LIST).without("authorization"));
    assert_eq!(connection.answer().status, 401);
    connection.send(&service.post(LIST));
    assert_eq!(connection.answer().status, 200);
}

fn impatient() -> Settings {
    Settings {
        // Long enough for a request that is there to be read, whatever else keeps the machine busy.
        header_timeout: Duration::from_millis(600),
        body_timeout: Duration::from_millis(600),
        shutdown_grace: Duration::from_millis(300),
        ..Settings::default()
    }
}

#[test]
fn a_head_that_does_not_arrive_is_cut_off() {
    let service = Service::with(impatient());
    for beginning in ["", "POST /api/mcp HTT", "POST /api/mcp HTTP/1.1\r\nhost: localhost\r\n"] {
        let mut connection = service.connect();
        connection.write(beginning.as_bytes());
        assert!(connection.is_closed(), "{beginning}");
    }
    assert_eq!(service.send(&service.post(LIST)).status, 200);
}

#[test]
fn whoever_shows_no_key_does_not_keep_a_connection() {
    let service = Service::with(Settings { keyless_timeout: Duration::from_secs(1), ..Settings::default() });
    let (mut silent, mut keyless, mut keyed) = (service.connect(), service.connect(), service.connect());
    keyless.send(&service.post(LIST).without("authorization"));
    assert_eq!(keyless.answer().status, 401);
    keyed.send(&service.post(LIST));
    assert_eq!(keyed.answer().status, 200);
    assert!(silent.is_closed() && keyless.is_closed());
    keyed.send(&service.post(LIST));
    assert_eq!(keyed.answer().status, 200);
}

#[test]
fn a_body_that_does_not_arrive_is_cut_off() {
    let service = Service::with(impatient());
    let mut connection = service.connect();
    connection.write(service.post("").with("content-length", "100").head().as_bytes());
    connection.write(b"{");
    let answer = connection.answer();
    assert_eq!((answer.status, answer.error_code()), (408, -32_000));
    assert_eq!(answer.header("connection"), Some("close"));
    assert_eq!(service.send(&service.post(LIST)).status, 200);
}

#[test]
fn a_body_that_ends_early_does_no_harm() {
    let service = Service::start();
    let mut connection = service.connect();
    let head = service.post(capture("half")).head();
    connection.write(format!("{head}{{").as_bytes());
    drop(connection);
    assert_eq!(service.tool("retrieve_thoughts", &json!({}))["thoughts"], json!([]));
}

#[test]
fn a_client_that_never_reads_its_answers_is_cut_off() {
    let service = Service::with(Settings { write_timeout: Duration::from_millis(200), ..Settings::default() });
    let mut connection = service.connect();
    let request = Request::get("/openapi.json").bytes();
    let error = loop {
        if let Err(error) = connection.try_write(&request) {
            break error;
        }
    };
    // Still waiting to be heard would be WouldBlock.
    assert!(matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset), "{error}");
}

fn with_room_for(connections_max: usize) -> Service {
    Service::with(Settings { connections_max, rate_limit: 0, ..Settings::default() })
}

fn is_served(service: &Service, connection: &mut Connection) -> bool {
    connection.send(&service.post(LIST));
    connection.answer().status == 200
}

#[test]
fn beyond_the_limit_the_longest_idle_goes_first() {
    let service = with_room_for(3);
    let [mut first, mut second, mut third] = [(); 3].map(|()| service.connect());
    for connection in [&mut second, &mut first, &mut third] {
        assert!(is_served(&service, connection));
    }
    let begun = Instant::now();
    let mut fourth = service.connect();
    assert!(is_served(&service, &mut fourth));
    assert!(begun.elapsed() < Settings::default().keyless_timeout, "{:?}", begun.elapsed());
    assert!(second.is_closed());
    for connection in [&mut first, &mut third, &mut fourth] {
        assert!(is_served(&service, connection));
    }
}

#[test]
fn those_who_show_no_key_crowd_out_nobody_who_has_one() {
    let service = with_room_for(8);
    let mut keyed = [(); 4].map(|()| service.connect());
    keyed.iter_mut().for_each(|connection| assert!(is_served(&service, connection)));
    let mut keyless: Vec<Connection> = Vec::new();
    for _ in 0..40 {
        keyless.push(service.connect());
        let mut refused = service.connect();
        refused.send(&service.post(LIST).without("authorization"));
        assert_eq!(refused.answer().status, 401);
        keyless.push(refused);
    }
    let begun = Instant::now();
    let mut late = service.connect();
    assert!(is_served(&service, &mut late));
    assert!(begun.elapsed() < Settings::default().keyless_timeout, "{:?}", begun.elapsed());
    keyed.iter_mut().for_each(|connection| assert!(is_served(&service, connection)));
}

#[test]
fn whoever_is_at_work_is_not_cut_off_for_others() {
    let service = with_room_for(2);
    let body = capture("under way");
    let mut at_work = [(); 2].map(|()| service.connect());
    for connection in &mut at_work {
        connection.write(service.post(body.as_str()).header("expect", "100-continue").head().as_bytes());
        assert_eq!(connection.answer().status, 100);
    }
    let mut waiting = service.connect();
    waiting.send(&service.post(LIST));
    for connection in &mut at_work {
        connection.write(body.as_bytes());
        assert_eq!(connection.answer().status, 200);
    }
    assert_eq!(waiting.answer().status, 200);
}

/// Keeps captures waiting for as long as it lives.
fn locked(service: &Service) -> rusqlite::Connection {
    service.capture("Ana likes tea");
    let accounts = std::fs::read_dir(service.folder().join("accounts")).unwrap();
    let file = accounts.map(|entry| entry.unwrap().path()).find(|path| path.extension().is_some_and(|end| end == "db"));
    let lock = rusqlite::Connection::open(file.unwrap()).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    lock
}

#[test]
fn whoever_has_sent_everything_and_says_so_is_answered() {
    let service = Service::start();
    let lock = locked(&service);
    let mut connection = service.connect();
    connection.send(&service.post(capture("under way")));
    connection.half_close();
    std::thread::sleep(Duration::from_millis(200));
    drop(lock);
    let answer = connection.answer();
    assert_eq!((answer.status, &answer.json()["result"]["isError"]), (200, &json!(false)));
    assert!(connection.is_closed());
}

#[test]
fn whoever_is_gone_leaves_nothing_behind() {
    let service = Service::start();
    let lock = locked(&service);
    for _ in 0..10 {
        let mut gone = service.connect();
        gone.send(&service.post(capture("under way")));
    }
    drop(lock);
    let begun = Instant::now();
    let open = || service.send(&Request::get("/metrics")).text().contains("afterthought_open_connections 1\n");
    while !open() {
        assert!(begun.elapsed() < Duration::from_secs(20), "their connections stay open");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn garbage_is_answered_or_cut_off_and_does_no_harm() {
    let service = Service::with(impatient());
    for garbage in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET\r\n\r\n",
        b"POST /api/mcp HTTP/1.1\r\nno colon\r\n\r\n",
        b"POST /api/mcp HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        &[b'a'; 100_000],
    ] {
        let mut connection = service.connect();
        let _ = connection.try_write(garbage);
        // Whether or not anything is said before.
        let _ = connection.is_closed();
    }
    assert_eq!(service.send(&service.post(LIST)).status, 200);
}

#[test]
fn stopping_closes_idle_connections_at_once() {
    let mut service = Service::start();
    let mut used = service.connect();
    used.send(&service.post(LIST));
    used.answer();
    let mut fresh = service.connect();
    // Both have been accepted once a third connection got its answer.
    service.send(&service.post(LIST));
    let started = Instant::now();
    service.stop();
    service.wait();
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    assert!(used.is_closed() && fresh.is_closed());
    assert!(Connection::open(service.addr).is_err());
}

#[test]
fn stopping_lets_requests_under_way_finish() {
    let mut service = Service::start();
    let body = capture("under way");
    let mut connection = service.connect();
    connection.write(service.post(body.as_str()).header("expect", "100-continue").head().as_bytes());
    // Being told to go on proves that the request is under way.
    assert_eq!(connection.answer().status, 100);
    connection.write(&body.as_bytes()[..10]);
    service.stop();
    connection.write(&body.as_bytes()[10..]);
    let answer = connection.answer();
    assert_eq!((answer.status, answer.header("connection")), (200, Some("close")));
    service.wait();
}

#[test]
fn stopping_does_not_wait_for_ever() {
    let mut service = Service::with(Settings { body_timeout: Duration::from_secs(60), ..impatient() });
    let mut connection = service.connect();
    let request = service.post("").with("content-length", "100").header("expect", "100-continue");
    connection.write(request.head().as_bytes());
    assert_eq!(connection.answer().status, 100);
    service.stop();
    let started = Instant::now();
    service.wait();
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

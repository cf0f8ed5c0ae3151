//! The HTTP side of the interface: one promise per case of its table, and the order of the checks.

use serde_json::json;
use test_client::{Request, tool_call};

use afterthought::http::Settings;

use crate::service::{Service, until_too_much};

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

fn capture(text: &str) -> String {
    tool_call("capture_thought", &json!({"raw": text, "as_user": true})).to_string()
}

#[test]
fn it_says_when_it_is_ready() {
    let service = Service::start();
    let answer = service.send(&Request::get("/healthz"));
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    assert_eq!(answer.json()["status"], "ok");
}

#[test]
fn another_method_is_not_allowed() {
    let service = Service::start();
    for method in ["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"] {
        let request = Request::get("/").to(method, "/api/mcp");
        let answer = service.send(&request);
        assert_eq!((answer.status, answer.header("allow")), (405, Some("POST")), "{method}");
        let answer = service.send(&request.to(method, "/api/mcp/"));
        assert_eq!(answer.status, 405, "{method}");
    }
    let answer = service.send(&service.post("").to("POST", "/healthz"));
    assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD")));
}

#[test]
fn a_trailing_slash_makes_no_difference() {
    let service = Service::start();
    assert_eq!(service.send(&service.post(LIST).to("POST", "/api/mcp/")).status, 200);
    assert_eq!(service.send(&service.post(LIST).to("POST", "/api/mcp?x=1")).status, 200);
}

#[test]
fn an_unknown_path_is_a_plain_404() {
    let service = Service::start();
    for path in
        ["/x", "/api", "/api/mcp/x", "/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"]
    {
        for request in [Request::get(path), service.post(LIST).to("POST", path)] {
            let answer = service.send(&request);
            assert_eq!((answer.status, answer.text()), (404, "not found\n"), "{path}");
            assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
        }
    }
}

#[test]
fn a_request_without_a_good_key_is_unauthorized() {
    let service = Service::start();
    let revoked = service.another_key("default", "revoked");
    service.runtime.block_on(service.app.keyring.revoke_key(&revoked)).unwrap();
    let unknown = format!("aft_{}", "x".repeat(40));
    let request = service.post(LIST);
    let mut requests: Vec<Request> = [&revoked, &unknown, "aft_", "x", ""]
        .iter()
        .map(|token| request.clone().with("authorization", &format!("Bearer {token}")))
        .collect();
    requests.push(request.clone().without("authorization"));
    requests.push(request.clone().with("authorization", &format!("Basic {}", service.key)));
    requests.push(request.clone().header("authorization", &format!("Bearer {}", service.key)));
    for request in requests {
        let answer = service.send(&request);
        assert_eq!(answer.status, 401, "{}", request.head());
        assert!(answer.header("www-authenticate").unwrap().starts_with("Bearer "));
        let body = answer.json();
        assert_eq!((&body["id"], &body["error"]["code"]), (&json!(null), &json!(-32_000)));
    }
}

#[test]
fn a_key_made_or_revoked_elsewhere_counts_at_once() {
    let service = Service::start();
    let key = service.another_key("default", "late");
    let request = service.post(LIST).with("authorization", &format!("bearer {key}"));
    assert_eq!(service.send(&request).status, 200);
    service.runtime.block_on(service.app.keyring.revoke_key(&key)).unwrap();
    assert_eq!(service.send(&request).status, 401);
}

#[test]
fn the_key_is_checked_before_the_body_is_read() {
    let service = Service::start();
    let mut connection = service.connect();
    // A body is announced and never sent.
    let request = service.post("").with("content-length", "1000").without("authorization");
    connection.write(request.head().as_bytes());
    assert_eq!(connection.answer().status, 401);
}

#[test]
fn accept_chooses_the_format() {
    let service = Service::start();
    for (accept, status, content_type) in [
        ("application/json", 200, "application/json"),
        ("text/event-stream", 200, "text/event-stream"),
        ("application/json, text/event-stream", 200, "application/json"),
        ("text/event-stream, application/json;q=0.9", 200, "text/event-stream"),
        ("*/*", 200, "application/json"),
        ("text/html", 406, "application/json"),
        ("application/json;q=0", 406, "application/json"),
    ] {
        let answer = service.send(&service.post(LIST).with("accept", accept));
        assert_eq!((answer.status, answer.header("content-type")), (status, Some(content_type)), "{accept}");
    }
    let answer = service.send(&service.post(LIST).without("accept"));
    assert_eq!((answer.status, answer.error_code()), (406, -32_000));
    let two_lines = service.post(LIST).with("accept", "text/html").header("accept", "text/event-stream");
    assert_eq!(service.send(&two_lines).header("content-type"), Some("text/event-stream"));
}

#[test]
fn an_event_stream_is_neither_cached_nor_buffered() {
    let service = Service::start();
    let answer = service.send(&service.post(LIST).with("accept", "text/event-stream"));
    assert_eq!(answer.header("cache-control"), Some("no-cache"));
    assert_eq!(answer.header("x-accel-buffering"), Some("no"));
    assert_eq!(answer.json()["id"], 1);
}

#[test]
fn an_error_status_is_json_even_for_those_who_take_events() {
    let service = Service::start();
    let answer = service.send(&service.post("nope").with("accept", "text/event-stream"));
    assert_eq!((answer.status, answer.error_code()), (400, -32_700));
    assert_eq!(answer.header("content-type"), Some("application/json"));
}

#[test]
fn only_json_is_taken() {
    let service = Service::start();
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", ""] {
        let answer = service.send(&service.post(LIST).with("content-type", content_type));
        assert_eq!((answer.status, answer.error_code()), (415, -32_000), "{content_type}");
    }
    assert_eq!(service.send(&service.post(LIST).without("content-type")).status, 415);
    assert_eq!(service.send(&service.post(LIST).header("content-encoding", "gzip")).status, 415);
    assert_eq!(service.send(&service.post(LIST).with("content-type", "application/json; charset=utf-8")).status, 200);
}

#[test]
fn a_body_over_the_limit_is_too_large_and_stores_nothing() {
    let service = Service::start();
    // The client sends everything before it looks for an answer, and still gets to see it.
    let padded = |bytes: usize| format!("{}{}", capture("large"), " ".repeat(bytes - capture("large").len()));
    let answer = service.send(&service.post(padded(1_048_577)));
    assert_eq!((answer.status, answer.error_code()), (413, -32_000));
    assert_eq!(service.send(&service.post(padded(6_000_000))).status, 413);
    let browsed = service.tool("retrieve_thoughts", &json!({}));
    assert_eq!(browsed["thoughts"], json!([]));
    assert_eq!(service.send(&service.post(padded(1_048_576))).status, 200);
}

#[test]
fn a_body_of_unknown_length_is_cut_off_at_the_limit() {
    let service = Service::start();
    let request = service.post("").without("content-length").header("transfer-encoding", "chunked");
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let mut connection = service.connect();
    connection.write(request.head().as_bytes());
    for _ in 0..17 {
        connection.write(chunk.as_bytes());
    }
    connection.write(b"0\r\n\r\n");
    assert_eq!(connection.answer().status, 413);

    let mut connection = service.connect();
    connection.write(request.head().as_bytes());
    connection.write(format!("{:x}\r\n{LIST}\r\n0\r\n\r\n", LIST.len()).as_bytes());
    assert_eq!(connection.answer().status, 200);
}

#[test]
fn a_client_that_asks_before_sending_is_told_at_once() {
    let service = Service::start();
    let large = service.post("").with("content-length", "99999999").header("expect", "100-continue");
    let mut connection = service.connect();
    connection.write(large.head().as_bytes());
    assert_eq!(connection.answer().status, 413);
}

#[test]
fn what_is_not_json_is_a_parse_error() {
    let service = Service::start();
    let deep =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}{}}}"#, "[".repeat(9999), "]".repeat(9999));
    for body in [&b""[..], b"nope", b"{", b"{\"a\":\"\xff\"}", b"\0\0\0", deep.as_bytes()] {
        let answer = service.send(&service.post(body));
        assert_eq!((answer.status, answer.error_code()), (400, -32_700));
        assert_eq!(answer.json()["id"], json!(null));
    }
}

#[test]
fn what_is_no_json_rpc_request_is_an_invalid_request() {
    let service = Service::start();
    for body in [
        "[]",
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
        r#"{"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        "7",
    ] {
        let answer = service.send(&service.post(body));
        assert_eq!((answer.status, answer.error_code()), (400, -32_600), "{body}");
    }
}

#[test]
fn a_notification_is_accepted_and_does_nothing() {
    let service = Service::start();
    let call = capture("unasked").replace(r#""id":1,"#, "");
    for body in [r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, &call] {
        let answer = service.send(&service.post(body));
        assert_eq!((answer.status, answer.body.len()), (202, 0), "{body}");
    }
    assert_eq!(service.tool("retrieve_thoughts", &json!({}))["thoughts"], json!([]));
}

#[test]
fn an_unsupported_method_and_an_unknown_tool_are_errors_with_status_200() {
    let service = Service::start();
    for (body, code) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32_601),
        (r#"{"jsonrpc":"2.0","id":1,"method":""}"#, -32_601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope","arguments":{}}}"#, -32_602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}"#, -32_602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#, -32_602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#, -32_602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32_602),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_thought","arguments":[]}}"#,
            -32_602,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}"#, -32_602),
    ] {
        let answer = service.send(&service.post(body));
        assert_eq!((answer.status, answer.error_code()), (200, code), "{body}");
        assert_eq!(answer.json()["id"], 1);
    }
}

#[test]
fn a_strange_origin_or_host_is_forbidden() {
    let service = Service::start();
    for origin in ["https://evil.example", "null", "http://localhost.evil.example"] {
        assert_eq!(service.send(&service.post(LIST).header("origin", origin)).status, 403, "{origin}");
    }
    for host in ["evil.example", "evil.example:8720", ""] {
        let answer = service.send(&service.post(LIST).with("host", host));
        assert_eq!((answer.status, answer.error_code()), (403, -32_000), "{host}");
    }
    for origin in ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:1"] {
        assert_eq!(service.send(&service.post(LIST).header("origin", origin)).status, 200, "{origin}");
    }
}

#[test]
fn a_page_that_is_let_in_may_read_the_answers() {
    let service = Service::start();
    let page = "http://localhost:6274";
    let asks = service
        .post("")
        .to("OPTIONS", "/api/mcp")
        .without("authorization")
        .header("origin", page)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type");
    let allowed = service.send(&asks);
    assert_eq!((allowed.status, allowed.header("access-control-allow-origin")), (204, Some(page)));
    assert_eq!(allowed.header("access-control-allow-methods"), Some("POST"));
    assert!(allowed.header("access-control-allow-headers").unwrap().contains("authorization"));
    let answer = service.send(&service.post(LIST).header("origin", page));
    assert_eq!((answer.header("access-control-allow-origin"), answer.header("vary")), (Some(page), Some("origin")));
    let refused = service.send(&service.post(LIST).without("authorization").header("origin", page));
    assert_eq!((refused.status, refused.header("access-control-allow-origin")), (401, Some(page)));
    let strange = service.send(&asks.with("origin", "https://evil.example"));
    assert_eq!((strange.status, strange.header("access-control-allow-origin")), (405, None));
    assert_eq!(service.send(&service.post(LIST)).header("access-control-allow-origin"), None);
}

#[test]
fn configured_origins_and_hosts_are_allowed() {
    let service = Service::with(Settings {
        allowed_hosts: vec!["memory.example".into()],
        allowed_origins: vec!["https://app.example".into()],
        ..Settings::default()
    });
    let request = service.post(LIST).with("host", "memory.example").header("origin", "https://app.example");
    assert_eq!(service.send(&request).status, 200);
    assert_eq!(service.send(&request.with("origin", "https://other.example")).status, 403);
}

#[test]
fn a_key_over_its_rate_is_told_when_to_come_back() {
    let service = Service::with(Settings { rate_limit: 1, ..Settings::default() });
    let statuses = [(); 10].map(|()| service.send(&service.post(LIST)).status);
    assert_eq!(statuses, [200; 10]);
    let answer = until_too_much(|| service.send(&service.post(LIST)));
    assert_eq!(answer.error_code(), -32_000);
    assert!(answer.header("retry-after").unwrap().parse::<u32>().unwrap() >= 1);
    let other = service.another_key("default", "other");
    let request = service.post(LIST).with("authorization", &format!("Bearer {other}"));
    assert_eq!(service.send(&request).status, 200);
}

/// Each step breaks one thing a request must satisfy, in the order in which they are checked.
#[test]
fn of_two_faults_the_earlier_one_answers() {
    type Fault = (u16, fn(Request) -> Request);
    const FAULTS: [Fault; 7] = [
        (405, |request| request.to("PUT", "/api/mcp")),
        (403, |request| request.header("origin", "https://evil.example")),
        (401, |request| request.without("authorization")),
        (406, |request| request.without("accept")),
        (415, |request| request.without("content-type")),
        (413, |request| request.body(" ".repeat(1_048_577))),
        (400, |request| request.body("nope")),
    ];
    let service = Service::start();
    for (position, (status, earlier)) in FAULTS.iter().enumerate() {
        for (_, later) in &FAULTS[position + 1..] {
            // The later one first, so that what both touch is left as the earlier one wants it.
            let request = earlier(later(service.post(LIST)));
            assert_eq!(service.send(&request).status, *status, "{}", request.head());
        }
    }
}

#[test]
fn the_rate_limit_is_checked_after_the_key_and_before_accept() {
    let service = Service::with(Settings { rate_limit: 1, ..Settings::default() });
    let unacceptable = service.post(LIST).without("accept");
    assert_eq!([(); 10].map(|()| service.send(&unacceptable).status), [406; 10]);
    until_too_much(|| service.send(&unacceptable));
    assert_eq!(service.send(&service.post(LIST).without("authorization")).status, 401);
}

#[test]
fn metrics_count_requests_and_thoughts() {
    let service = Service::start();
    service.capture("tea");
    service.refusal("capture_thought", &json!({}));
    service.rpc(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "secret tool"}}));
    service.send(&service.post(LIST).without("authorization"));
    let answer = service.send(&Request::get("/metrics"));
    assert_eq!(answer.header("content-type"), Some("application/openmetrics-text; version=1.0.0; charset=utf-8"));
    let lines: Vec<&str> = answer.text().lines().collect();
    for line in [
        r#"afterthought_requests_total{tool="capture_thought",outcome="ok"} 1"#,
        r#"afterthought_requests_total{tool="capture_thought",outcome="refused"} 1"#,
        r#"afterthought_requests_total{tool="other",outcome="invalid"} 1"#,
        r#"afterthought_requests_total{tool="none",outcome="denied"} 1"#,
        r#"afterthought_tool_duration_seconds_count{tool="capture_thought"} 2"#,
        r#"afterthought_http_responses_total{status="401"} 1"#,
        r#"afterthought_thoughts{status="open"} 1"#,
        "# EOF",
    ] {
        assert!(lines.contains(&line), "{line} is not in\n{}", answer.text());
    }
    // How much is pending depends on how far the background work has come.
    assert!(lines.iter().any(|line| line.starts_with("afterthought_pending_enrichment ")), "{}", answer.text());
    // A connection that was closed a moment ago may still be counted.
    assert!(lines.iter().any(|line| line.starts_with("afterthought_open_connections ")), "{}", answer.text());
    assert!(!answer.text().contains("secret"));
}

//! Sessions, links, and who is kept out.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use test_client::{Request, tool_call};

use afterthought::app::App;
use afterthought::http::Settings;
use model::{Clock, RandomIds, SystemClock, Time};

use super::{Page, link, refusal, refused, sign_in};
use crate::service::{Service, until_too_much};

#[test]
fn a_link_signs_the_owner_in_once() {
    let service = Service::start();
    let token = link(&service, "default");
    let answer = sign_in(&service, &json!({ "link": token }));
    assert_eq!(answer.status, 201);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let session = &answer.json()["session"];
    assert_eq!(
        (&session["kind"], &session["account"], &session["key"]),
        (&json!("owner"), &json!("default"), &json!(null))
    );
    let again = sign_in(&service, &json!({ "link": token }));
    assert_eq!(refusal(&again), refused(401, "bad_sign_in"));
}

#[test]
fn a_newer_link_leaves_the_older_one_valid() {
    let service = Service::start();
    let (older, newer) = (link(&service, "default"), link(&service, "default"));
    for token in [newer, older] {
        assert_eq!(sign_in(&service, &json!({ "link": token })).status, 201);
    }
}

#[test]
fn a_key_starts_a_session_of_its_own() {
    let service = Service::start();
    let page = Page::of_key(&service, &service.key);
    let session = page.get("session")["session"].take();
    assert_eq!((&session["kind"], &session["account"]), (&json!("key"), &json!("default")));
    assert_eq!((&session["key"]["name"], &session["key"]["prefix"]), (&json!("tester"), &json!(service.key[..10])));
}

#[test]
fn what_opens_nothing_signs_nobody_in() {
    let service = Service::start();
    let revoked = service.another_key("default", "revoked");
    service.runtime.block_on(service.app.keyring.revoke_key(&revoked)).unwrap();
    let session = Page::of_owner(&service, "default").token;
    let fresh = link(&service, "default");
    for with in [
        json!({ "key": revoked }),
        json!({ "key": format!("aft_{}", "x".repeat(40)) }),
        json!({ "key": session }),
        json!({ "key": fresh }),
        json!({ "key": "" }),
        json!({ "link": service.key }),
        json!({ "link": session }),
        json!({ "link": format!("afl_{}", "x".repeat(40)) }),
    ] {
        assert_eq!(refusal(&sign_in(&service, &with)), refused(401, "bad_sign_in"), "{with}");
    }
    for with in [json!({}), json!({ "link": fresh, "key": service.key }), json!({ "password": "x" }), json!([])] {
        assert_eq!(refusal(&sign_in(&service, &with)), refused(400, "bad_request"), "{with}");
    }
}

#[test]
fn signing_out_ends_the_session_and_no_other() {
    let service = Service::start();
    let (page, other) = (Page::of_owner(&service, "default"), Page::of_owner(&service, "default"));
    assert_eq!(page.ask("DELETE", "session").status, 204);
    assert_eq!(refusal(&page.ask("GET", "session")), refused(401, "signed_out"));
    assert_eq!(other.ask("GET", "session").status, 200);
}

#[test]
fn revoking_a_key_ends_its_sessions_at_once() {
    let service = Service::start();
    let page = Page::of_key(&service, &service.key);
    let owner = Page::of_owner(&service, "default");
    assert_eq!(page.ask("GET", "session").status, 200);
    service.runtime.block_on(service.app.keyring.revoke_key(&service.key)).unwrap();
    assert_eq!(refusal(&page.ask("GET", "session")), refused(401, "signed_out"));
    assert_eq!(owner.ask("GET", "session").status, 200);
}

#[test]
fn all_sessions_of_an_owner_end_at_once_and_links_with_them() {
    let service = Service::start();
    service.another_key("eve", "hers");
    let (page, keyed) = (Page::of_owner(&service, "default"), Page::of_key(&service, &service.key));
    let (unused, others) = (link(&service, "default"), Page::of_owner(&service, "eve"));
    service.runtime.block_on(async {
        let account = service.app.keyring.account(&"default".parse().unwrap()).await.unwrap();
        assert_eq!(service.app.sessions.end_owners(account.id).await.unwrap(), 2);
    });
    assert_eq!(page.ask("GET", "session").status, 401);
    assert_eq!(sign_in(&service, &json!({ "link": unused })).status, 401);
    assert_eq!((keyed.ask("GET", "session").status, others.ask("GET", "session").status), (200, 200));
}

#[test]
fn keys_do_not_open_the_app_and_sessions_nothing_else() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let with = |token: &str| page.request("GET", "session").with("authorization", &format!("Bearer {token}"));
    assert_eq!(page.ask("GET", "session").status, 200);
    for token in [service.key.as_str(), "", "x", &format!("afs_{}", "x".repeat(40)), &link(&service, "default")] {
        assert_eq!(refusal(&service.send(&with(token))), refused(401, "signed_out"), "{token}");
    }
    let without = page.request("GET", "session").without("authorization");
    assert_eq!(refusal(&service.send(&without)), refused(401, "signed_out"));
    let call = tool_call("retrieve_thoughts", &json!({})).to_string();
    assert_eq!(service.send(&Request::post(&page.token, call)).status, 401);
}

#[test]
fn only_the_page_of_the_service_itself_may_ask() {
    let service = Service::with(Settings { allowed_origins: vec!["*".into()], ..Settings::default() });
    let page = Page::of_owner(&service, "default");
    let asked = |name: &str, value: &str| service.send(&page.request("GET", "session").header(name, value));
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "http://localhost:3000"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let answer = asked(name, value);
        assert_eq!(refusal(&answer), refused(403, "other_origin"), "{name}: {value}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    assert_eq!(asked("origin", "http://localhost").status, 200);
    let elsewhere = page.request("GET", "session").with("host", "evil.example");
    assert_eq!(refusal(&service.send(&elsewhere)), refused(403, "other_host"));
    let preflight = page.request("OPTIONS", "session").header("access-control-request-method", "POST");
    let answer = service.send(&preflight);
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (405, None));
    // Not even signing in.
    let request = Request::get("/").to("POST", "/api/app/session").header("content-type", "application/json");
    let body = json!({ "key": service.key }).to_string();
    let answer = service.send(&request.header("origin", "https://evil.example").body(body));
    assert_eq!(refusal(&answer), refused(403, "other_origin"));
}

#[test]
fn a_session_is_held_to_the_rate_of_its_key() {
    let service = Service::with(Settings { rate_limit: 1, ..Settings::default() });
    let page = Page::of_key(&service, &service.key);
    let begun = Instant::now();
    let mut let_in = 0;
    let answer = until_too_much(|| {
        let answer = page.ask("GET", "session");
        let_in += u64::from(answer.status == 200);
        answer
    });
    // A second gives one more.
    let most = 9 + begun.elapsed().as_secs() + 1;
    assert!((9..=most).contains(&let_in), "signing in counts: {let_in} of at most {most}");
    assert_eq!(refusal(&answer), refused(429, "too_fast"));
    assert!(answer.header("retry-after").is_some());
    let answer = until_too_much(|| sign_in(&service, &json!({ "key": service.key })));
    assert_eq!(refusal(&answer), refused(429, "too_fast"));
    // The key has one limit in all: nothing is left of it for other ways in.
    let begun = Instant::now();
    let mut let_in = 0;
    until_too_much(|| {
        let answer = service.rpc(&tool_call("retrieve_thoughts", &json!({})));
        let_in += u64::from(answer.status == 200);
        answer
    });
    assert!(let_in <= begun.elapsed().as_secs() + 1, "{let_in} were let in");
    assert_eq!(Page::of_owner(&service, "default").ask("GET", "session").status, 200, "the owner has another");
}

#[test]
fn an_unknown_path_or_method_is_told() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    for path in ["", "x", "session/x", "thoughts/x/y/z", "keys/a/b"] {
        assert_eq!(refusal(&page.ask("GET", path)), refused(404, "not_found"), "{path}");
    }
    let answer = page.ask("PUT", "session");
    assert_eq!((refusal(&answer), answer.header("allow")), (refused(405, "method"), Some("GET, POST, DELETE")));
    assert_eq!(service.send(&Request::get("/api/app")).status, 404);
}

/// A clock that can be set forward.
struct Set(Arc<AtomicI64>);

impl Clock for Set {
    fn now(&self) -> Time {
        Time::from_micros(SystemClock.now().as_micros() + self.0.load(Ordering::SeqCst))
    }
}

/// A service with a clock that is set forward by what is returned.
fn with_clock() -> (Service, impl Fn(Duration)) {
    let ahead = Arc::new(AtomicI64::new(0));
    let clock = Arc::new(Set(ahead.clone()));
    let settings = Settings { rate_limit: 0, ..Settings::default() };
    let service = Service::over(settings, |_, app| App::on(app.store, None, clock, Arc::new(RandomIds)));
    (service, move |by: Duration| {
        ahead.fetch_add(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    })
}

const MINUTE: Duration = Duration::from_secs(60);

#[test]
fn a_link_works_for_fifteen_minutes() {
    let (service, set_forward) = with_clock();
    let (early, late) = (link(&service, "default"), link(&service, "default"));
    set_forward(14 * MINUTE);
    assert_eq!(sign_in(&service, &json!({ "link": early })).status, 201);
    set_forward(MINUTE);
    assert_eq!(refusal(&sign_in(&service, &json!({ "link": late }))), refused(401, "bad_sign_in"));
}

#[test]
fn a_session_ends_after_twelve_hours_unused() {
    let (service, set_forward) = with_clock();
    let page = Page::of_owner(&service, "default");
    for _ in 0..3 {
        set_forward(11 * 60 * MINUTE);
        assert_eq!(page.ask("GET", "session").status, 200, "each use counts anew");
        service.runtime.block_on(service.app.sessions.store_uses()).unwrap();
    }
    set_forward(12 * 60 * MINUTE);
    assert_eq!(refusal(&page.ask("GET", "session")), refused(401, "signed_out"));
    service.runtime.block_on(service.app.sessions.store_uses()).unwrap();
    assert_eq!(page.ask("GET", "session").status, 401);
}

#[test]
fn tokens_are_stored_hashed() {
    let service = Service::start();
    let unused = link(&service, "default");
    let page = Page::of_owner(&service, "default");
    let mut stored = Vec::new();
    for file in ["registry.db", "registry.db-wal"] {
        stored.extend(std::fs::read(service.folder().join(file)).unwrap_or_default());
    }
    assert!(stored.windows(7).any(|window| window == b"default"));
    for token in [&unused, &page.token] {
        assert!(!stored.windows(20).any(|window| window == &token.as_bytes()[4..24]));
    }
}

//! Capturing and changing thoughts, and what is told of it afterwards.

use serde_json::{Value, json};

use super::{NOWHERE, Page, refusal, refused};
use crate::service::Service;

fn revisions(page: &Page<'_>, id: &str) -> Vec<Value> {
    page.get(&format!("thoughts/{id}/history"))["revisions"].as_array().unwrap().clone()
}

#[test]
fn what_is_captured_at_the_page_is_the_persons() {
    let service = Service::start();
    for page in [Page::of_owner(&service, "default"), Page::of_key(&service, &service.key)] {
        let body = json!({ "raw_text": " Ana lives in Lisbon\n", "captured_at": "2026-05-01T02:00:00+02:00" });
        let thought = page.post("thoughts", &body)["thought"].take();
        assert_eq!((&thought["author"], &thought["raw_text"]), (&json!("user"), &json!(" Ana lives in Lisbon\n")));
        assert_eq!(thought["captured_at"], json!("2026-05-01T00:00:00.000000Z"));
        assert_eq!((&thought["status"], &thought["revision"]), (&json!("open"), &json!(0)));
        assert!(thought.get("agent_name").is_none());
    }
    let found = service.tool("retrieve_thoughts", &json!({ "query": "Lisbon" }));
    assert_eq!(found["thoughts"].as_array().unwrap().len(), 2);
}

#[test]
fn what_cannot_be_captured_is_refused_by_name() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    for (body, status, code) in [
        (json!({ "raw_text": " " }), 422, "refused"),
        (json!({ "raw_text": "x".repeat(65_537) }), 422, "refused"),
        (json!({ "raw_text": "x".repeat(2 << 20) }), 413, "too_large"),
        (json!({ "raw_text": "tea", "captured_at": "yesterday" }), 400, "bad_request"),
        (json!({ "raw_text": "tea", "colour": "green" }), 400, "bad_request"),
        (json!({ "raw_text": 5 }), 400, "bad_request"),
        (json!({}), 400, "bad_request"),
    ] {
        assert_eq!(refusal(&page.send("thoughts", &body)), refused(status, code));
    }
    let unnamed = page.request("POST", "thoughts").body("{}");
    assert_eq!(refusal(&service.send(&unnamed)), refused(415, "content_type"));
    let broken = page.request("POST", "thoughts").header("content-type", "application/json").body("{");
    assert_eq!(refusal(&service.send(&broken)), refused(400, "bad_request"));
}

#[test]
fn a_plain_request_changes_the_text_and_shows_how() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let id = page.capture("Ana lives in Lisbon");
    let edited = page.post(&format!("thoughts/{id}/edit"), &json!({ "request": "change Lisbon to Porto" }));
    assert_eq!(edited["thought"]["raw_text"], json!("Ana lives in Porto"));
    assert_eq!((&edited["changed"], &edited["by_model"]), (&json!(["text"]), &json!(false)));
    let difference = json!([{ "same": "Ana lives in " }, { "removed": "Lisbon" }, { "added": "Porto" }]);
    assert_eq!(edited["difference"], difference);
    assert_eq!((&edited["can_undo"], &edited["can_redo"]), (&json!(true), &json!(false)));
    let revision = revisions(&page, &id).remove(0);
    assert_eq!((&revision["difference"], &revision["by"]), (&difference, &json!("owner")));
    assert_eq!((&revision["kind"], &revision["status"]), (&json!("change"), &json!(null)));
}

#[test]
fn a_refused_request_says_why_and_changes_nothing() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let id = page.capture("Ana lives in Lisbon");
    let answer = page.send(&format!("thoughts/{id}/edit"), &json!({ "request": "change Madrid to Porto" }));
    assert_eq!(refusal(&answer), refused(422, "refused"));
    assert!(answer.text().contains("`Madrid`") && !answer.text().contains("raw_text"), "{}", answer.text());
    assert_eq!(
        refusal(&page.send(&format!("thoughts/{id}/edit"), &json!({ "request": " " }))),
        refused(422, "refused")
    );
    assert_eq!(revisions(&page, &id), [json!(null); 0]);
}

#[test]
fn a_text_written_by_hand_replaces_the_one_it_was_made_from() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let id = page.capture("Ana lives in Lisbon");
    let path = format!("thoughts/{id}/text");
    let edited = page.post(&path, &json!({ "raw_text": "Ana lives in Porto", "revision": 0 }));
    assert_eq!((&edited["thought"]["revision"], &edited["changed"]), (&json!(1), &json!(["text"])));
    let stale = page.send(&path, &json!({ "raw_text": "Ana lives in Faro", "revision": 0 }));
    assert_eq!(refusal(&stale), refused(409, "changed_meanwhile"));
    assert_eq!(revisions(&page, &id).len(), 1);
    let same = page.post(&path, &json!({ "raw_text": "Ana lives in Porto" }));
    assert_eq!((&same["changed"], &same["difference"]), (&json!([]), &json!(null)));
    assert_eq!(refusal(&page.send(&path, &json!({ "raw_text": "" }))), refused(422, "refused"));
}

#[test]
fn states_are_set_and_taken_back_and_made_again() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let id = page.capture("call Sam");
    for (status, before) in [("completed", "open"), ("archived", "completed"), ("open", "archived")] {
        let edited = page.post(&format!("thoughts/{id}/status"), &json!({ "status": status }));
        assert_eq!((&edited["thought"]["status"], &edited["previous_status"]), (&json!(status), &json!(before)));
        assert_eq!((&edited["changed"], &edited["difference"]), (&json!(["status"]), &json!(null)));
    }
    let post = |what: &str| page.post(&format!("thoughts/{id}/{what}"), &json!({}));
    assert_eq!(post("undo")["thought"]["status"], json!("archived"));
    let undone = post("undo");
    assert_eq!((&undone["thought"]["status"], &undone["can_redo"]), (&json!("completed"), &json!(true)));
    assert_eq!(post("redo")["thought"]["status"], json!("archived"));
    for _ in 0..2 {
        post("undo");
    }
    let nothing = page.send(&format!("thoughts/{id}/undo"), &json!({}));
    assert_eq!(refusal(&nothing), refused(422, "refused"));
    post("redo");
    let wrong = page.send(&format!("thoughts/{id}/status"), &json!({ "status": "lost" }));
    assert_eq!(refusal(&wrong), refused(422, "refused"));
    let newest = revisions(&page, &id).remove(0);
    assert_eq!(newest["status"], json!({ "before": "open", "after": "completed" }));
}

#[test]
fn a_long_history_comes_page_by_page_newest_first() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let id = page.capture("version 0");
    for number in 1..=45 {
        page.post(&format!("thoughts/{id}/text"), &json!({ "raw_text": format!("version {number}") }));
    }
    let mut numbers = Vec::new();
    let mut path = format!("thoughts/{id}/history");
    loop {
        let answer = page.get(&path);
        let shown = answer["revisions"].as_array().unwrap();
        assert!(shown.len() <= 20);
        numbers.extend(shown.iter().map(|revision| revision["number"].as_u64().unwrap()));
        if answer["more"] == json!(false) {
            break;
        }
        path = format!("thoughts/{id}/history?before={}", numbers.last().unwrap());
    }
    assert_eq!(numbers, (1..=45).rev().collect::<Vec<_>>());
    for query in ["limit=0", "limit=51", "before=x", "after=1"] {
        assert_eq!(refusal(&page.ask("GET", &format!("thoughts/{id}/history?{query}"))), refused(400, "bad_request"));
    }
}

#[test]
fn another_accounts_thought_is_answered_like_none() {
    let service = Service::start();
    service.another_key("eve", "hers");
    let (ana, eve) = (Page::of_owner(&service, "default"), Page::of_owner(&service, "eve"));
    let hers = ana.capture("the safe code is pelican 4711");
    for (what, body) in [
        ("edit", json!({ "request": "mark as done" })),
        ("text", json!({ "raw_text": "mine" })),
        ("status", json!({ "status": "archived" })),
        ("undo", json!({})),
        ("redo", json!({})),
    ] {
        let answer = eve.send(&format!("thoughts/{hers}/{what}"), &body);
        assert_eq!(refusal(&answer), refused(404, "no_such_thought"), "{what}");
        for other in [NOWHERE, "x"] {
            assert_eq!(answer.text(), eve.send(&format!("thoughts/{other}/{what}"), &body).text());
        }
    }
    assert_eq!(refusal(&eve.ask("GET", &format!("thoughts/{hers}/history"))), refused(404, "no_such_thought"));
    assert_eq!(revisions(&ana, &hers), [json!(null); 0]);
}

//! Notes: attached, read and taken away.

use serde_json::json;
use test_client::Answer;

use super::{NOWHERE, Page, refusal, refused};
use crate::service::Service;

fn attach(page: &Page<'_>, thought: &str, name: &str, bytes: impl Into<Vec<u8>>) -> Answer {
    let request = page.request("POST", &format!("thoughts/{thought}/notes?name={name}")).body(bytes);
    page.service.send(&request)
}

#[test]
fn a_note_is_read_back_and_found_until_it_is_taken_away() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let garden = page.capture("garden plan");
    let answer = attach(&page, &garden, "caf%C3%A9+plan.md", "hibiscus and fern\n");
    assert_eq!(answer.status, 201, "{}", answer.text());
    let note = answer.json()["note"].take();
    assert_eq!((&note["name"], &note["bytes"]), (&json!("café plan.md"), &json!(18)));
    let id = note["id"].as_str().unwrap();
    let listed = page.get(&format!("thoughts/{garden}/notes"));
    assert_eq!(listed, json!({ "notes": [note], "more_notes": false }));
    let read = page.get(&format!("notes/{id}"));
    assert_eq!((&read["text"], &read["note"]["thought"]), (&json!("hibiscus and fern\n"), &json!(garden)));
    assert_eq!(page.ask("DELETE", &format!("notes/{id}")).status, 204);
    for method in ["GET", "DELETE"] {
        assert_eq!(refusal(&page.ask(method, &format!("notes/{id}"))), refused(404, "no_such_note"));
    }
    assert_eq!(page.get(&format!("thoughts/{garden}/notes"))["notes"], json!([]));
}

#[test]
fn what_is_no_text_file_is_refused() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let garden = page.capture("garden plan");
    for bytes in [&b"\xff\xfe"[..], b"\0", b"", b"  \n"] {
        assert_eq!(refusal(&attach(&page, &garden, "a.txt", bytes)), refused(422, "refused"), "{bytes:?}");
    }
    assert_eq!(attach(&page, &garden, "a.txt", vec![b'x'; 1 << 20]).status, 201);
    assert_eq!(refusal(&attach(&page, &garden, "a.txt", vec![b'x'; (1 << 20) + 1])), refused(413, "too_large"));
    assert_eq!(refusal(&attach(&page, &garden, "", "tea")), refused(400, "bad_request"));
    assert_eq!(refusal(&attach(&page, NOWHERE, "a.txt", "tea")), refused(404, "no_such_thought"));
    assert_eq!(refusal(&page.ask("GET", &format!("thoughts/{NOWHERE}/notes"))), refused(404, "no_such_thought"));
}

#[test]
fn many_notes_come_page_by_page() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let garden = page.capture("garden plan");
    for number in 0..101 {
        assert_eq!(attach(&page, &garden, &format!("{number}.txt"), "tea").status, 201);
    }
    let first = page.get(&format!("thoughts/{garden}/notes"));
    assert_eq!((first["notes"].as_array().unwrap().len(), &first["more_notes"]), (100, &json!(true)));
    let last = first["notes"][99]["id"].as_str().unwrap();
    let rest = page.get(&format!("thoughts/{garden}/notes?after={last}"));
    assert_eq!((&rest["notes"][0]["name"], &rest["more_notes"]), (&json!("100.txt"), &json!(false)));
}

#[test]
fn another_accounts_notes_are_answered_like_none() {
    let service = Service::start();
    service.another_key("eve", "hers");
    let (ana, eve) = (Page::of_owner(&service, "default"), Page::of_owner(&service, "eve"));
    let garden = ana.capture("garden plan");
    let note = attach(&ana, &garden, "a.txt", "tea").json()["note"]["id"].as_str().unwrap().to_owned();
    for method in ["GET", "DELETE"] {
        let of_hers = eve.ask(method, &format!("notes/{note}"));
        assert_eq!(refusal(&of_hers), refused(404, "no_such_note"));
        assert_eq!(of_hers.text(), eve.ask(method, &format!("notes/{NOWHERE}")).text());
    }
    assert_eq!(refusal(&attach(&eve, &garden, "a.txt", "mine")), refused(404, "no_such_thought"));
    assert_eq!(ana.get(&format!("notes/{note}"))["text"], json!("tea"));
}

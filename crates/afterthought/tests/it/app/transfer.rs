//! The account as a file, and a file into the account.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use test_client::Answer;

use super::{Page, refusal, refused};
use crate::service::Service;

/// What an export holds, line by line.
fn exported(page: &Page<'_>) -> (String, Vec<String>) {
    let mut stream = TcpStream::connect(page.service.addr).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let request = page.request("GET", "export").header("connection", "close");
    stream.write_all(request.head().as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, mut chunks) = answer.split_once("\r\n\r\n").unwrap();
    let mut body = String::new();
    loop {
        let (length, rest) = chunks.split_once("\r\n").unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            break;
        }
        body.push_str(&rest[..length]);
        chunks = &rest[length + 2..];
    }
    (head.to_owned(), body.lines().map(str::to_owned).collect())
}

fn import(page: &Page<'_>, lines: &[String]) -> Answer {
    page.service.send(&page.request("POST", "import").body(lines.join("\n") + "\n"))
}

/// A memory with a history and a note.
fn remembered(page: &Page<'_>) -> String {
    let id = page.capture("Ana lives in Lisbon");
    page.post(&format!("thoughts/{id}/text"), &json!({ "raw_text": "Ana lives in Porto" }));
    let note = page.request("POST", &format!("thoughts/{id}/notes?name=a.txt")).body("tea");
    assert_eq!(page.service.send(&note).status, 201);
    page.capture("call Sam");
    id
}

#[test]
fn an_export_goes_into_another_account_whole_and_without_keys() {
    let service = Service::start();
    service.another_key("eve", "hers");
    let (ana, eve) = (Page::of_owner(&service, "default"), Page::of_owner(&service, "eve"));
    let id = remembered(&ana);
    let (head, lines) = exported(&ana);
    assert!(head.contains("attachment; filename=\"afterthought-default-"), "{head}");
    assert!(!lines.iter().any(|line| line.contains("sha256")), "no keys");
    let end: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    assert_eq!((&end["thoughts"], &end["revisions"], &end["notes"]), (&json!(2), &json!(1), &json!(1)));
    assert_eq!(import(&eve, &lines).json(), json!({ "imported": 2, "known": 0, "left_out": 0 }));
    assert_eq!(import(&eve, &lines).json(), json!({ "imported": 0, "known": 2, "left_out": 0 }));
    let around = eve.get(&format!("thoughts/{id}"));
    assert_eq!((&around["thought"]["raw_text"], &around["can_undo"]), (&json!("Ana lives in Porto"), &json!(true)));
    assert_eq!(around["notes"].as_array().unwrap().len(), 1);
    assert_eq!(ana.get("memory")["total"], json!(2), "hers are as they were");
}

#[test]
fn a_large_account_is_exported_and_imported_in_pieces() {
    let service = Service::start();
    service.another_key("eve", "hers");
    let (ana, eve) = (Page::of_owner(&service, "default"), Page::of_owner(&service, "eve"));
    for number in 0..600 {
        ana.capture(&format!("thought {number} {}", "é".repeat(300)));
    }
    let (_, lines) = exported(&ana);
    assert_eq!(import(&eve, &lines).json(), json!({ "imported": 600, "known": 0, "left_out": 0 }));
}

#[test]
fn a_broken_file_is_named_by_its_line_and_what_came_before_is_kept() {
    let service = Service::start();
    service.another_key("eve", "hers");
    let (ana, eve) = (Page::of_owner(&service, "default"), Page::of_owner(&service, "eve"));
    remembered(&ana);
    let (_, lines) = exported(&ana);
    let broken = |lines: &[String], line: &str| {
        let answer = import(&eve, lines);
        assert_eq!(refusal(&answer), refused(422, "refused"));
        assert!(answer.text().contains(line), "{line}: {}", answer.text());
    };
    broken(&["{}".to_owned()], "line 1: this is not an afterthought export");
    broken(&lines[..2], "line 3: the file ends before the export does");
    assert_eq!(eve.get("memory")["total"], json!(0));
    let torn: Vec<String> = lines[..4].iter().cloned().chain(["{\"type\":\"wish\"}".to_owned()]).collect();
    broken(&torn, "line 5: unknown variant");
    assert_eq!(eve.get("memory")["total"], json!(1), "importing again goes on");
    let more: Vec<String> = lines.iter().cloned().chain([lines[2].clone()]).collect();
    broken(&more, "the export has ended before this line");
    assert_eq!(import(&eve, &lines).json()["known"], json!(2));
}

//! Lists, searches and what is around one thought.

use serde_json::{Value, json};

use super::{NOWHERE, Page, refusal, refused};
use crate::app::enriched;
use crate::service::Service;

fn texts(answer: &Value) -> Vec<String> {
    let thoughts = answer["thoughts"].as_array().unwrap();
    thoughts.iter().map(|thought| thought["snippet"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_list_goes_on_without_end_newest_first() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    for number in 0..75 {
        page.capture(&format!("thought {number}"));
    }
    let (mut all, mut path) = (Vec::new(), "thoughts".to_owned());
    loop {
        let answer = page.get(&path);
        assert_eq!(answer["order"], json!("created_at"));
        all.extend(texts(&answer));
        let Some(cursor) = answer["next_cursor"].as_str() else { break };
        path = format!("thoughts?cursor={cursor}");
    }
    assert_eq!(all, (0..75).rev().map(|number| format!("thought {number}")).collect::<Vec<_>>());
}

#[test]
fn lists_and_searches_are_filtered() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    page.post("thoughts", &json!({ "raw_text": "tea in May", "captured_at": "2026-05-04T00:00:00Z" }));
    page.post("thoughts", &json!({ "raw_text": "tea in June", "captured_at": "2026-06-04T00:00:00Z" }));
    service.tool("capture_thought", &json!({ "raw": "tea of an agent", "captured_at": "2026-07-04T00:00:00Z" }));
    let done = page.post("thoughts", &json!({ "raw_text": "tea that is done", "captured_at": "2026-08-04T00:00:00Z" }));
    page.post(
        &format!("thoughts/{}/status", done["thought"]["id"].as_str().unwrap()),
        &json!({ "status": "completed" }),
    );
    for (filter, expected) in [
        ("", vec!["tea of an agent", "tea in June", "tea in May"]),
        ("status=all", vec!["tea that is done", "tea of an agent", "tea in June", "tea in May"]),
        ("status=completed", vec!["tea that is done"]),
        ("author=user", vec!["tea in June", "tea in May"]),
        ("author=agents", vec!["tea of an agent"]),
        ("author=agent:tester", vec!["tea of an agent"]),
        ("author=agent:nobody", vec![]),
        ("category=observation&author=user", vec!["tea in June", "tea in May"]),
        ("category=task", vec![]),
        ("from=2026-06-01T00:00:00Z", vec!["tea of an agent", "tea in June"]),
        ("from=2026-05-01T00:00:00%2B02:00&to=2026-06-01T00:00:00Z", vec!["tea in May"]),
        ("entity=person:nobody", vec![]),
    ] {
        assert_eq!(texts(&page.get(&format!("thoughts?{filter}"))), expected, "{filter}");
        let mut found = texts(&page.get(&format!("thoughts?{filter}&q=tea")));
        let mut expected = expected.clone();
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{filter} with a query");
    }
    for wrong in [
        "status=lost",
        "author=me",
        "category=dream",
        "from=yesterday",
        "entity=ana",
        "limit=101",
        "cursor=x",
        "colour=red",
        "q=1&q=2",
    ] {
        assert_eq!(refusal(&page.ask("GET", &format!("thoughts?{wrong}"))), refused(400, "bad_request"), "{wrong}");
    }
    for other in ["q=tea&cursor=5.", "cursor=5"] {
        assert_eq!(refusal(&page.ask("GET", &format!("thoughts?{other}"))), refused(422, "refused"), "{other}");
    }
}

#[test]
fn a_search_goes_on_to_its_end_and_a_narrow_filter_finds_what_there_is() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let walk = json!({ "raw_text": "tea after a long walk by the harbour", "captured_at": "2020-01-01T00:00:00Z" });
    page.post("thoughts", &walk);
    for number in 0..1_010 {
        page.capture(&format!("tea {number}"));
    }
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let answer = page.get(&format!("thoughts?q=tea&limit=100{cursor}"));
        all.extend(texts(&answer));
        let Some(next) = answer["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    // A thousand is as far as a search goes; what is looked for by more than that is too common a word.
    assert_eq!(all.len(), 1_000);
    assert!(!all.contains(&"tea after a long walk by the harbour".to_owned()));
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 1_000, "no thought stands on two pages");
    let narrow = page.get("thoughts?q=tea&to=2021-01-01T00:00:00Z");
    assert_eq!(texts(&narrow), ["tea after a long walk by the harbour"]);
}

#[test]
fn a_search_says_why_each_was_found() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let garden = page.capture("garden plan");
    page.capture("buy hibiscus");
    let note = page.request("POST", &format!("thoughts/{garden}/notes?name=plants.txt")).body("hibiscus and fern");
    assert_eq!(service.send(&note).status, 201);
    let answer = page.get("thoughts?q=hibiscus");
    assert_eq!((&answer["order"], &answer["next_cursor"]), (&json!("relevance"), &json!(null)));
    let by_text = |text: &str| {
        let thoughts = answer["thoughts"].as_array().unwrap();
        thoughts.iter().find(|thought| thought["snippet"] == text).unwrap().clone()
    };
    assert!(by_text("buy hibiscus")["why"].as_array().unwrap().contains(&json!("words")));
    let by_note = by_text("garden plan");
    assert!(by_note["why"].as_array().unwrap().contains(&json!("note")), "{by_note}");
    assert_eq!(by_note["notes"], json!([{ "name": "plants.txt", "snippet": "hibiscus and fern" }]));
    assert!(by_note["score"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_thought_comes_with_everything_around_it() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let id = page.capture("Ana Costa moved to Lisbon with her sister Rita");
    let other = page.capture("Ana Costa found a flat in Lisbon for Rita");
    let around = page.get(&format!("thoughts/{id}"));
    assert_eq!((&around["enrichment"], &around["can_undo"]), (&json!("pending"), &json!(false)));
    enriched(&page);
    page.post(&format!("thoughts/{id}/status"), &json!({ "status": "completed" }));
    let around = page.get(&format!("thoughts/{id}"));
    assert_eq!((&around["enrichment"], &around["can_undo"]), (&json!("done"), &json!(true)));
    assert_eq!(around["thought"]["raw_text"], json!("Ana Costa moved to Lisbon with her sister Rita"));
    let entities = around["entities"].as_array().unwrap();
    assert!(entities.contains(&json!({ "id": "place:lisbon", "name": "Lisbon", "kind": "place" })), "{around}");
    assert_eq!(around["linked"][0]["thought"]["id"], json!(other), "{around}");
    assert_eq!((&around["notes"], &around["more_notes"]), (&json!([]), &json!(false)));
    assert_eq!(page.post(&format!("thoughts/{id}/retry"), &json!({})), json!({ "enrichment": "done" }));
    let of = page.get("thoughts?entity=place:lisbon&status=all");
    assert_eq!(of["thoughts"].as_array().unwrap().len(), 2);
}

#[test]
fn another_accounts_thoughts_are_in_no_list_and_at_no_address() {
    let service = Service::start();
    service.another_key("eve", "hers");
    let (ana, eve) = (Page::of_owner(&service, "default"), Page::of_owner(&service, "eve"));
    let hers = ana.capture("the safe code of Ana Costa is pelican 4711");
    enriched(&ana);
    for path in ["thoughts", "thoughts?status=all", "thoughts?q=pelican", "thoughts?q=pelican&status=all&category=fact"]
    {
        assert_eq!(eve.get(path)["thoughts"], json!([]), "{path}");
    }
    let answer = eve.ask("GET", &format!("thoughts/{hers}"));
    assert_eq!(refusal(&answer), refused(404, "no_such_thought"));
    assert_eq!(answer.text(), eve.ask("GET", &format!("thoughts/{NOWHERE}")).text());
    assert_eq!(refusal(&eve.send(&format!("thoughts/{hers}/retry"), &json!({}))), refused(404, "no_such_thought"));
    assert_eq!(refusal(&eve.ask("GET", &format!("graph?thought={hers}"))), refused(404, "no_such_thought"));
    assert_eq!(eve.get("entities")["total"], json!(0));
    assert_eq!(eve.get("graph")["nodes"], json!([]));
    assert_eq!(eve.get("memory")["total"], json!(0));
}

#[test]
fn what_replaced_a_thought_is_told_in_lists_searches_and_beside_it() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let dated = |text: &str, at: &str| {
        let answer = page.post("thoughts", &json!({ "raw_text": text, "captured_at": at }));
        answer["thought"]["id"].as_str().unwrap().to_owned()
    };
    let before = dated("Choir practice is in the parish hall", "2026-05-04T00:00:00Z");
    let after = dated("Choir practice is in the school hall now", "2026-06-04T00:00:00Z");
    enriched(&page);
    let later = |path: &str, id: &str| {
        let answer = page.get(path);
        let thoughts = answer["thoughts"].as_array().unwrap();
        thoughts.iter().find(|thought| thought["id"] == id).unwrap()["superseded_by"].clone()
    };
    // Also where the list is narrowed to what the later one is not.
    for path in ["thoughts", "thoughts?q=choir+practice", "thoughts?to=2026-05-05T00:00:00Z"] {
        assert_eq!(later(path, &before), json!(after), "{path}");
    }
    assert_eq!(later("thoughts", &after), json!(null));
    let linked = |id: &str| {
        let around = page.get(&format!("thoughts/{id}"));
        (around["linked"][0]["thought"]["id"].clone(), around["linked"][0]["as"].clone())
    };
    assert_eq!(linked(&before), (json!(after), json!("replacement")));
    assert_eq!(linked(&after), (json!(before), json!("replaced")));
    page.post(&format!("thoughts/{after}/status"), &json!({ "status": "archived" }));
    assert_eq!(later("thoughts", &before), json!(null));
}

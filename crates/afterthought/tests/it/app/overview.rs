//! Entities, the graph and the memory as a whole.

use serde_json::{Value, json};

use super::{Page, refusal, refused};
use crate::app::enriched;
use crate::service::Service;

/// A memory of some people and places.
fn remembered(page: &Page<'_>) {
    for text in [
        "Ana Costa moved to Lisbon",
        "Ana Costa met Rui Santos in Lisbon",
        "Rui Santos works in Porto",
        "TODO call Rui Santos on Monday",
        "call Sam",
        "call Sam ",
    ] {
        page.post("thoughts", &json!({ "raw_text": text, "captured_at": "2026-05-04T10:00:00Z" }));
    }
    enriched(page);
}

#[test]
fn entities_come_by_how_often_they_occur() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    remembered(&page);
    let all = page.get("entities");
    let names: Vec<&str> = all["entities"].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(names[0], "Rui Santos", "{all}");
    assert!(names.contains(&"Lisbon") && !names.contains(&"Monday"), "{all}");
    let first = page.get("entities?limit=1");
    assert_eq!((&first["next_cursor"], &first["total"]), (&json!("1"), &all["total"]));
    let second = page.get("entities?limit=1&cursor=1");
    assert_eq!(second["entities"][0], all["entities"][1]);
    assert_eq!(page.get("entities?q=LISB")["entities"][0]["name"], json!("Lisbon"));
    assert_eq!(page.get("entities?kind=place")["total"], json!(2));
    let one = page.get("entities/person:rui%20santos");
    assert_eq!(one["entity"]["thoughts"], json!(3));
    let neighbours = one["neighbours"].as_array().unwrap();
    assert!(neighbours.iter().any(|near| near["name"] == "Ana Costa" && near["together"] == 1), "{one}");
    for id in ["person:nobody", "x", "dream:ana"] {
        assert_eq!(refusal(&page.ask("GET", &format!("entities/{id}"))), refused(404, "no_such_entity"), "{id}");
    }
    for wrong in ["kind=dream", "cursor=x", "limit=201"] {
        assert_eq!(refusal(&page.ask("GET", &format!("entities?{wrong}"))), refused(400, "bad_request"), "{wrong}");
    }
}

fn ids(nodes: &Value) -> Vec<&str> {
    nodes.as_array().unwrap().iter().map(|node| node["id"].as_str().unwrap()).collect()
}

#[test]
fn a_graph_shows_what_belongs_together() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    remembered(&page);
    let graph = page.get("graph");
    assert_eq!(graph, page.get("graph"), "the same every time");
    let nodes = ids(&graph["nodes"]);
    assert!(nodes.contains(&"person:rui santos") && nodes.contains(&"place:lisbon"), "{graph}");
    assert_eq!(graph["showing"], json!(nodes.len()));
    assert!(graph["of"].as_u64().unwrap() >= nodes.len() as u64);
    for edge in graph["edges"].as_array().unwrap() {
        assert!(
            nodes.contains(&edge["from"].as_str().unwrap()) && nodes.contains(&edge["to"].as_str().unwrap()),
            "{edge}"
        );
    }
    let around = page.get("graph?entity=place:lisbon&limit=3");
    assert!(around["nodes"].as_array().unwrap().len() <= 3 && ids(&around["nodes"]).contains(&"place:lisbon"));
    let thought = page.get("thoughts?entity=place:porto")["thoughts"][0]["id"].as_str().unwrap().to_owned();
    assert!(ids(&page.get(&format!("graph?thought={thought}"))["nodes"]).contains(&thought.as_str()));
    assert_eq!(refusal(&page.ask("GET", "graph?entity=person:nobody")), refused(404, "no_such_entity"));
    for wrong in ["limit=301", "limit=0", "entity=x", "thought=x", &format!("thought={thought}&entity=place:porto")] {
        assert_eq!(refusal(&page.ask("GET", &format!("graph?{wrong}"))), refused(400, "bad_request"), "{wrong}");
    }
}

#[test]
fn the_memory_is_counted() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    remembered(&page);
    service.tool("capture_thought", &json!({ "raw": "of an agent", "captured_at": "2026-06-04T10:00:00Z" }));
    let memory = page.get("memory");
    assert_eq!((&memory["total"], &memory["status"]["open"]), (&json!(7), &json!(7)));
    let authors =
        json!([{ "author": "user", "thoughts": 6 }, { "author": "agent", "agent_name": "tester", "thoughts": 1 }]);
    assert_eq!(memory["authors"], authors);
    let months = json!([{ "month": "2026-05", "thoughts": 6 }, { "month": "2026-06", "thoughts": 1 }]);
    assert_eq!((&memory["months"], &memory["pending"]), (&months, &json!(1)));
    let categories = memory["categories"].as_object().unwrap();
    assert_eq!(categories.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 7);
    let facets = page.get("facets");
    assert_eq!((&facets["agents"], &facets["categories"][0]), (&json!(["tester"]), &json!("task")));
    assert_eq!(facets["entities"][0]["name"], json!("Rui Santos"));
}

#[test]
fn the_same_text_is_shown_side_by_side() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    remembered(&page);
    let found = page.get("duplicates");
    assert_eq!((&found["total"], &found["next_cursor"]), (&json!(1), &json!(null)));
    assert_eq!(found["groups"][0]["thoughts"].as_array().unwrap().len(), 2);
    assert_eq!(found["groups"][0]["more"], json!(0));
    assert_eq!(refusal(&page.ask("GET", "duplicates?limit=51")), refused(400, "bad_request"));
}

#[test]
fn filters_offer_a_hundred_entities_and_say_that_there_are_more() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    for number in 0..100 {
        page.capture(&format!("#t{number}"));
    }
    enriched(&page);
    let offered = || {
        let facets = page.get("facets");
        (facets["entities"].as_array().unwrap().len(), facets["more_entities"].clone())
    };
    assert_eq!(offered(), (100, json!(false)));
    page.capture("#another");
    enriched(&page);
    assert_eq!(offered(), (100, json!(true)));
}

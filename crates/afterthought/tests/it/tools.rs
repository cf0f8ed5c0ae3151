//! The tools' arguments and answers: what each argument may be, what it does, and what is said when it is wrong.

use serde_json::{Value, json};
use test_client::tool_call;

use model::{NewNote, NoteText, TEXT_BYTES_MAX};

use crate::service::Service;

const SOME_ID: &str = "0197c1a2-7b3c-7def-8123-456789abcdef";

fn ids(output: &Value) -> Vec<String> {
    output["thoughts"].as_array().unwrap().iter().map(|thought| thought["id"].as_str().unwrap().to_owned()).collect()
}

/// What may be wrong with an argument, and what the refusal must say besides its name.
#[test]
fn a_wrong_argument_is_refused_by_name_with_what_is_allowed() {
    let service = Service::start();
    let id = service.capture("tea");
    let long = "x".repeat(TEXT_BYTES_MAX + 1);
    let time = "2026-03-01T09:30:00Z";
    for (tool, arguments, name, allowed) in [
        ("capture_thought", json!({}), "`raw`", "string"),
        ("capture_thought", json!({"raw": null}), "`raw`", "string"),
        ("capture_thought", json!({"raw": 7}), "`raw`", "string"),
        ("capture_thought", json!({"raw": ""}), "`raw`", "at least one character"),
        ("capture_thought", json!({"raw": " \n"}), "`raw`", "at least one character"),
        ("capture_thought", json!({"raw": long}), "`raw`", "65536"),
        ("capture_thought", json!({"raw": "x", "captured_at": 7}), "`captured_at`", "string"),
        ("capture_thought", json!({"raw": "x", "captured_at": "yesterday"}), "`captured_at`", "ISO-8601"),
        ("capture_thought", json!({"raw": "x", "as_user": "yes"}), "`as_user`", "true or false"),
        ("capture_thought", json!({"raw": "x", "as_user": 1}), "`as_user`", "true or false"),
        ("capture_thought", json!({"raw": "x", "author": ["a"]}), "`author`", "string"),
        ("capture_thought", json!({"raw": "x", "author": "aft_"}), "`author`", "8 characters"),
        ("capture_thought", json!({"raw": "x", "author": "aft_nobody"}), "`author`", "leave it out"),
        ("capture_thought", json!({"raw": "x", "as_user": true, "author": "aft_nobody"}), "`author`", "only one"),
        ("capture_thought", json!({"raw": "x", "text": "y"}), "`text`", "`raw`"),
        ("retrieve_thoughts", json!({"query": 7}), "`query`", "string"),
        ("retrieve_thoughts", json!({"order": "newest"}), "`order`", "`created_at`"),
        ("retrieve_thoughts", json!({"order": 1}), "`order`", "`relevance`"),
        ("retrieve_thoughts", json!({"top_k": 0}), "`top_k`", "1 to 100"),
        ("retrieve_thoughts", json!({"top_k": 101}), "`top_k`", "1 to 100"),
        ("retrieve_thoughts", json!({"top_k": -1}), "`top_k`", "1 to 100"),
        ("retrieve_thoughts", json!({"top_k": 2.5}), "`top_k`", "1 to 100"),
        ("retrieve_thoughts", json!({"top_k": "ten"}), "`top_k`", "1 to 100"),
        ("retrieve_thoughts", json!({"threshold": 1.1}), "`threshold`", "0 to 1"),
        ("retrieve_thoughts", json!({"threshold": -0.1}), "`threshold`", "0 to 1"),
        ("retrieve_thoughts", json!({"threshold": "high"}), "`threshold`", "0 to 1"),
        ("retrieve_thoughts", json!({"mode": "slow"}), "`mode`", "`fast`, `full`"),
        ("retrieve_thoughts", json!({"detail": "all"}), "`detail`", "`snippet`, `full`"),
        ("retrieve_thoughts", json!({"author": "me"}), "`author`", "`user`, `agent`, `all`"),
        ("retrieve_thoughts", json!({"include_agent": "yes"}), "`include_agent`", "true or false"),
        ("retrieve_thoughts", json!({"cursor_id": SOME_ID}), "`cursor_id`", "`cursor_created_at`"),
        ("retrieve_thoughts", json!({"cursor_created_at": "now"}), "`cursor_created_at`", "ISO-8601"),
        ("retrieve_thoughts", json!({"cursor_created_at": time, "cursor_id": "7"}), "`cursor_id`", "UUID"),
        ("retrieve_thoughts", json!({"query": "x", "cursor_created_at": time}), "`cursor_created_at`", "`query`"),
        ("retrieve_thoughts", json!({"limit": 5}), "`limit`", "`top_k`"),
        ("edit_thought", json!({"raw_text": "x"}), "`thought_id`", "string"),
        ("edit_thought", json!({"thought_id": 7, "raw_text": "x"}), "`thought_id`", "string"),
        ("edit_thought", json!({"thought_id": "7", "raw_text": "x"}), "`thought_id`", "UUID"),
        ("edit_thought", json!({"thought_id": id}), "`edit_request`", "`raw_text`"),
        ("edit_thought", json!({"thought_id": id, "raw_text": " "}), "`raw_text`", "at least one character"),
        ("edit_thought", json!({"thought_id": id, "raw_text": 7}), "`raw_text`", "string"),
        ("edit_thought", json!({"thought_id": id, "edit_request": {}}), "`edit_request`", "string"),
        ("edit_thought", json!({"thought_id": SOME_ID, "raw_text": "x"}), SOME_ID, "retrieve_thoughts"),
        ("edit_thought", json!({"id": id, "raw_text": "x"}), "`id`", "`thought_id`"),
        ("delete_thought", json!({}), "`thought_id`", "string"),
        ("delete_thought", json!({"thought_id": null}), "`thought_id`", "string"),
        ("delete_thought", json!({"thought_id": [id]}), "`thought_id`", "string"),
        ("delete_thought", json!({"thought_id": SOME_ID}), SOME_ID, "retrieve_thoughts"),
        ("delete_thought", json!({"thought_id": id, "force": true}), "`force`", "`thought_id`"),
    ] {
        let sentence = service.refusal(tool, &arguments);
        assert!(sentence.contains(name) && sentence.contains(allowed), "{tool} {arguments}: {sentence}");
        assert!(sentence.len() < 400, "{sentence}");
    }
    let browsed = service.tool("retrieve_thoughts", &json!({"author": "all"}));
    assert_eq!(ids(&browsed), [id], "nothing was changed");
}

#[test]
fn null_counts_as_absent() {
    let service = Service::start();
    service.tool("capture_thought", &json!({"raw": "tea", "captured_at": null, "as_user": null, "author": null}));
    let names = [
        "query",
        "order",
        "top_k",
        "threshold",
        "mode",
        "detail",
        "author",
        "include_agent",
        "cursor_created_at",
        "cursor_id",
    ];
    let nulls: Value =
        names.iter().map(|name| ((*name).to_owned(), Value::Null)).collect::<serde_json::Map<_, _>>().into();
    let output = service.tool("retrieve_thoughts", &nulls);
    assert_eq!((output["order"].as_str(), &output["thoughts"]), (Some("created_at"), &json!([])));
    let id = service.capture("tea");
    service.tool("edit_thought", &json!({"thought_id": id, "raw_text": "green tea", "edit_request": null}));
}

#[test]
fn an_argument_given_twice_is_refused() {
    let service = Service::start();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"capture_thought","arguments":{"raw":"a","raw":"b"}}}"#;
    let result = service.send(&service.post(call)).json()["result"].take();
    assert_eq!(result["isError"], true);
    assert!(result["content"][0]["text"].as_str().unwrap().contains("`raw`"), "{result}");
}

#[test]
fn text_that_cannot_be_read_is_refused_and_says_so() {
    let service = Service::start();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"capture_thought","arguments":{"raw":"\ud800"}}}"#;
    let result = service.send(&service.post(call)).json()["result"].take();
    assert_eq!(result["isError"], true);
    assert!(result["content"][0]["text"].as_str().unwrap().contains("hex escape"), "{result}");
}

#[test]
fn a_text_is_stored_verbatim() {
    let service = Service::start();
    for text in ["  tea \n", "\u{0}\u{1f}\u{7f}", "\u{2028}\"\\/\u{1F375}", "e\u{301}", "\r\n\tx"] {
        let output = service.tool("capture_thought", &json!({"raw": text}));
        assert_eq!(output["thought"]["raw_text"], text);
    }
}

#[test]
fn an_answer_is_bounded_however_much_was_found() {
    let service = Service::start();
    for _ in 0..6 {
        service.capture(&format!("tea {}", "\u{1}".repeat(60_000)));
    }
    service.capture("tea in the garden");
    let call = tool_call("retrieve_thoughts", &json!({"query": "tea", "detail": "full", "top_k": 100}));
    let answer = service.send(&service.post(call.to_string()));
    assert!(answer.body.len() <= 2 * 1024 * 1024, "{}", answer.body.len());
    let found = answer.json()["result"]["structuredContent"]["thoughts"].as_array().unwrap().clone();
    assert_eq!(found.len(), 7);
    let (cut, whole): (Vec<_>, Vec<_>) = found.iter().partition(|thought| thought["cut"] == true);
    assert!(cut.iter().all(|thought| thought["snippet"].is_string() && thought["raw_text"].is_null()));
    assert!(whole.iter().all(|thought| thought["raw_text"].is_string() && thought["cut"].is_null()));
    assert!(!cut.is_empty() && whole.iter().any(|thought| thought["raw_text"] == "tea in the garden"));
}

#[test]
fn the_largest_text_fits_however_it_is_escaped() {
    let service = Service::start();
    let text = "\u{1}".repeat(TEXT_BYTES_MAX);
    assert_eq!(service.tool("capture_thought", &json!({"raw": text}))["thought"]["raw_text"], text);
}

#[test]
fn a_thought_is_the_users_or_the_agents_whose_key_it_was() {
    let service = Service::start();
    let author = |arguments: Value| {
        let thought = service.tool("capture_thought", &arguments)["thought"].take();
        (thought["author"].as_str().unwrap().to_owned(), thought.get("agent_name").cloned())
    };
    assert_eq!(author(json!({"raw": "x"})), ("agent".to_owned(), Some(json!("tester"))));
    assert_eq!(author(json!({"raw": "x", "as_user": false})), ("agent".to_owned(), Some(json!("tester"))));
    assert_eq!(author(json!({"raw": "x", "as_user": true})), ("user".to_owned(), None));
    let other = service.another_key("default", "other agent");
    assert_eq!(author(json!({"raw": "x", "author": &other[..10]})), ("agent".to_owned(), Some(json!("other agent"))));
    assert_eq!(author(json!({"raw": "x", "author": &other[..9]})), ("agent".to_owned(), Some(json!("other agent"))));
}

#[test]
fn another_accounts_key_and_thoughts_do_not_exist() {
    let service = Service::start();
    let foreign = service.another_key("someone", "foreign");
    let sentence = service.refusal("capture_thought", &json!({"raw": "x", "author": &foreign[..10]}));
    assert!(sentence.contains("no active key"), "{sentence}");
    let id = service.capture("mine");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "delete_thought", "arguments": {"thought_id": id}}});
    let request = service.post(call.to_string()).with("authorization", &format!("Bearer {foreign}"));
    let seen = service.send(&request).json()["result"]["content"][0]["text"].take();
    let absent = service.refusal("delete_thought", &json!({"thought_id": SOME_ID}));
    assert_eq!(seen.as_str().unwrap().replace(&id, SOME_ID), absent);
}

#[test]
fn times_are_utc_with_microseconds() {
    let service = Service::start();
    let output = service.tool("capture_thought", &json!({"raw": "x", "captured_at": "2020-02-29T23:00:00-01:30"}));
    assert_eq!(output["thought"]["captured_at"], "2020-03-01T00:30:00.000000Z");
    let created_at = output["thought"]["created_at"].as_str().unwrap();
    assert_eq!((created_at.len(), created_at.ends_with('Z')), (27, true), "{created_at}");
    let thought = service.tool("capture_thought", &json!({"raw": "y"}))["thought"].take();
    assert_eq!(thought["captured_at"], thought["created_at"]);
}

#[test]
fn a_search_shows_in_short_when_something_was_and_no_more() {
    let service = Service::start();
    service.tool(
        "capture_thought",
        &json!({"raw": "the ferry leaves at nine", "as_user": true, "captured_at": "2026-03-01T08:00:00.25Z"}),
    );
    let shown = |arguments| service.tool("retrieve_thoughts", &arguments)["thoughts"][0].take();
    let hit = shown(json!({"query": "ferry"}));
    assert_eq!(hit["captured_at"], "2026-03-01T08:00:00Z");
    assert_eq!((hit.get("created_at"), hit.get("updated_at")), (None, None));
    for arguments in [json!({"query": "ferry", "detail": "full"}), json!({})] {
        let whole = shown(arguments);
        assert_eq!(whole["captured_at"], "2026-03-01T08:00:00.250000Z");
        assert!(whole["created_at"].is_string() && whole["updated_at"].is_string(), "{whole}");
    }
}

#[test]
fn numbers_and_booleans_sent_as_strings_are_taken_as_meant() {
    let service = Service::start();
    for raw in ["the first ferry", "the second ferry"] {
        service.tool("capture_thought", &json!({"raw": raw}));
    }
    let found = service.tool(
        "retrieve_thoughts",
        &json!({"query": "ferry", "top_k": "1", "threshold": "0.01", "include_agent": "true"}),
    );
    assert_eq!(found["thoughts"].as_array().unwrap().len(), 1);
    let refused = service.refusal("retrieve_thoughts", &json!({"query": "ferry", "top_k": "five"}));
    assert_eq!(refused, "`top_k` must be a whole number from 1 to 100, not the string `five`");
}

#[test]
fn whose_thoughts_are_retrieved_is_chosen_by_author_or_include_agent() {
    let service = Service::start();
    let user = service.capture("tea of the user");
    let agent = service.tool("capture_thought", &json!({"raw": "tea of the agent"}))["thought"]["id"].take();
    let agent = agent.as_str().unwrap().to_owned();
    for (arguments, expected) in [
        (json!({}), vec![&user]),
        (json!({"author": "user"}), vec![&user]),
        (json!({"author": "agent"}), vec![&agent]),
        (json!({"author": "all"}), vec![&agent, &user]),
        (json!({"include_agent": true}), vec![&agent, &user]),
        (json!({"include_agent": false}), vec![&user]),
        (json!({"include_agent": true, "author": "user"}), vec![&user]),
        (json!({"include_agent": false, "author": "all"}), vec![&agent, &user]),
    ] {
        let output = service.tool("retrieve_thoughts", &arguments);
        assert_eq!(ids(&output).iter().collect::<Vec<_>>(), expected, "{arguments}");
    }
}

#[test]
fn an_empty_answer_tells_of_what_agents_have_stored() {
    let service = Service::start();
    let hint = |arguments: Value| service.tool("retrieve_thoughts", &arguments).get("hint").cloned();
    assert_eq!(hint(json!({"query": "tea"})), None, "nobody has stored anything");
    service.tool("capture_thought", &json!({"raw": "tea of the agent"}));
    for arguments in [json!({}), json!({"query": "tea"}), json!({"query": "tea", "mode": "fast"})] {
        let told = hint(arguments.clone()).unwrap_or_default();
        assert!(told.as_str().is_some_and(|told| told.contains("author=all")), "{arguments}: {told}");
    }
    assert_eq!(
        hint(json!({"query": "tea", "author": "user"})),
        None,
        "who asks for the user's alone knows of the others"
    );
    assert_eq!(hint(json!({"query": "tea", "author": "all"})), None);
    assert_eq!(
        hint(json!({"query": "coffee", "mode": "fast"})),
        None,
        "an agent's thought that does not match is no reason"
    );
    service.capture("tea of the user");
    assert_eq!(hint(json!({"query": "tea"})), None);
}

#[test]
fn browsing_pages_to_the_end() {
    let service = Service::start();
    let mut expected: Vec<String> = (0..5).map(|number| service.capture(&format!("thought {number}"))).collect();
    expected.reverse();
    let (mut seen, mut arguments) = (Vec::new(), json!({"top_k": 2, "query": "ignored", "order": "created_at"}));
    loop {
        let output = service.tool("retrieve_thoughts", &arguments);
        assert_eq!(output["order"], "created_at");
        seen.extend(ids(&output));
        let Some(cursor) = output["next_cursor"].as_object() else { break };
        for (name, value) in cursor {
            arguments[name] = value.clone();
        }
    }
    assert_eq!(seen, expected);
}

#[test]
fn a_blank_query_browses() {
    let service = Service::start();
    service.capture("tea");
    for arguments in
        [json!({"query": ""}), json!({"query": " \n", "order": "relevance"}), json!({"order": "relevance"})]
    {
        let output = service.tool("retrieve_thoughts", &arguments);
        assert_eq!(output["order"], "created_at", "{arguments}");
        assert_eq!(output["thoughts"][0].get("score"), None);
    }
}

#[test]
fn a_search_scores_its_hits_and_says_why() {
    let service = Service::start();
    let id = service.capture("Ana drinks jasmine tea");
    for mode in ["fast", "full"] {
        let output = service.tool("retrieve_thoughts", &json!({"query": "jasmine tea", "mode": mode}));
        assert_eq!((ids(&output), &output["order"]), (vec![id.clone()], &json!("relevance")));
        let hit = &output["thoughts"][0];
        let score = hit["score"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&score) && ((score * 10_000.0).round() - score * 10_000.0).abs() < 1e-6, "{hit}");
        assert!(hit["matched_by"].as_array().unwrap().contains(&json!("lexical")));
        assert_eq!(hit.get("notes"), None);
    }
    let none = service.tool("retrieve_thoughts", &json!({"query": "zeppelin", "threshold": 1}));
    assert_eq!(none["thoughts"], json!([]));
}

#[test]
fn a_matching_note_is_shown_with_the_thought() {
    let service = Service::start();
    let id = service.capture("the contract");
    let account = service.runtime.block_on(service.app.keyring.account(&"default".parse().unwrap())).unwrap().id;
    let note = NewNote { name: "terms.txt".into(), text: NoteText::from_bytes(b"payable in zlotys".to_vec()).unwrap() };
    service.runtime.block_on(service.app.memory.attach_note(account, id.parse().unwrap(), note)).unwrap().unwrap();
    let hit = service.tool("retrieve_thoughts", &json!({"query": "zlotys"}))["thoughts"][0].take();
    assert_eq!((hit["id"].as_str(), &hit["matched_by"]), (Some(id.as_str()), &json!(["note"])));
    assert_eq!(hit["notes"], json!([{"name": "terms.txt", "snippet": "payable in zlotys"}]));
}

#[test]
fn detail_chooses_between_a_snippet_and_everything() {
    let service = Service::start();
    let text = "tea ".repeat(1000);
    service.capture(&text);
    for query in [json!(null), json!("tea")] {
        let snippet = service.tool("retrieve_thoughts", &json!({"query": query}))["thoughts"][0].take();
        assert!(snippet["snippet"].as_str().unwrap().chars().count() <= 300);
        assert!(["raw_text", "entities", "links"].iter().all(|name| snippet.get(name).is_none()), "{snippet}");
        let full = service.tool("retrieve_thoughts", &json!({"query": query, "detail": "full"}))["thoughts"][0].take();
        assert_eq!(full["raw_text"], text);
        assert!(full["entities"].is_array() && full["links"].is_array() && full.get("snippet").is_none());
    }
}

#[test]
fn editing_answers_with_what_changed() {
    let service = Service::start();
    let id = service.capture("buy tea");
    let edit = |arguments: Value| {
        let mut arguments = arguments;
        arguments["thought_id"] = json!(id);
        service.tool("edit_thought", &arguments)
    };
    let text = edit(json!({"raw_text": "buy green tea"}));
    assert_eq!((&text["changed"], &text["previous_status"]), (&json!(["text"]), &json!("open")));
    assert_eq!(text["thought"]["raw_text"], "buy green tea");
    let both = edit(json!({"raw_text": "bought tea", "edit_request": "mark as done"}));
    assert_eq!((&both["changed"], &both["thought"]["status"]), (&json!(["text", "status"]), &json!("completed")));
    let again = edit(json!({"edit_request": "mark as done"}));
    assert_eq!((&again["changed"], &again["previous_status"]), (&json!([]), &json!("completed")));
}

#[test]
fn editing_shows_the_changed_part_before_and_after() {
    let service = Service::start();
    let (start, end) = ("Minutes of the long meeting. ".repeat(40), " Nothing else was decided.".repeat(40));
    let id = service.capture(&format!("{start}Maria prefers tea.{end}"));
    let edit = |arguments: Value| {
        let mut arguments = arguments;
        arguments["thought_id"] = json!(id);
        service.tool("edit_thought", &arguments)["changes"].take()
    };
    let there = json!([{"before": "…of the long meeting. Maria prefers tea. Nothing…",
                        "after": "…of the long meeting. Marta prefers tea. Nothing…"}]);
    let back = json!([{"before": there[0]["after"], "after": there[0]["before"]}]);
    assert_eq!(edit(json!({"edit_request": "it's Marta, not Maria"})), there);
    assert_eq!(edit(json!({"edit_request": "undo"})), back);
    assert_eq!(edit(json!({"edit_request": "redo"})), there);
    assert_eq!(edit(json!({"edit_request": "mark as done"})), json!([]));
    let replaced = edit(json!({"raw_text": "Marta prefers coffee"}));
    assert_eq!(replaced[0]["after"], "Marta prefers coffee");
    assert!(replaced[0]["before"].as_str().unwrap().chars().count() <= 120, "{replaced}");
}

#[test]
fn undoing_again_goes_further_back_through_texts_and_states() {
    let service = Service::start();
    let id = service.capture("Maria prefers tea");
    let edit = |request: &str| {
        let edited = service.tool("edit_thought", &json!({"thought_id": id, "edit_request": request}));
        let thought = &edited["thought"];
        format!("{} / {}", thought["raw_text"].as_str().unwrap(), thought["status"].as_str().unwrap())
    };
    let states = [edit("mark as done"), edit("it's Marta, not Maria, and reopen it"), edit("append: without sugar")];
    assert_eq!(states[2], "Marta prefers tea without sugar / open");
    assert_eq!(edit("undo"), states[1]);
    assert_eq!(edit("undo that too"), states[0]);
    assert_eq!(edit("undo the last change"), "Maria prefers tea / open");
    let nothing = service.refusal("edit_thought", &json!({"thought_id": id, "edit_request": "undo"}));
    assert!(nothing.contains("nothing to undo"), "{nothing}");
    assert_eq!(edit("redo"), states[0]);
}

#[test]
fn deleting_archives_and_says_what_it_was() {
    let service = Service::start();
    let id = service.capture("old");
    for previous in ["open", "archived"] {
        let output = service.tool("delete_thought", &json!({"thought_id": id}));
        assert_eq!((&output["previous_status"], &output["thought"]["status"]), (&json!(previous), &json!("archived")));
    }
    assert_eq!(service.tool("retrieve_thoughts", &json!({}))["thoughts"], json!([]));
}

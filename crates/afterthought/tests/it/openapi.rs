//! The published description: well formed, and true of what the service really answers.

use std::collections::BTreeSet;
use std::time::Duration;

use jsonschema::Validator;
use serde_json::{Value, json};
use test_client::Request;

use afterthought::http::Settings;

use crate::faulty::{self, Fault};
use crate::service::Service;

fn document(service: &Service) -> Value {
    let answer = service.send(&Request::get("/openapi.json"));
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    answer.json()
}

/// Checks values against a schema of the document.
fn validator(document: &Value, name: &str) -> Validator {
    let mut schema = json!({"$ref": format!("#/components/schemas/{name}")});
    schema["components"] = document["components"].clone();
    jsonschema::draft202012::new(&schema).unwrap()
}

fn assert_valid(validator: &Validator, value: &Value) {
    let errors: Vec<String> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {value}");
}

/// Every value under a key, at any depth.
fn all<'a>(value: &'a Value, key: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if name == key {
                    found.push(value);
                }
                all(value, key, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| all(value, key, found)),
        _ => {}
    }
}

#[test]
fn it_is_openapi_3_1_and_every_reference_leads_somewhere() {
    let service = Service::start();
    let document = document(&service);
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!((&document["info"]["title"], &document["info"]["version"]), (&json!("afterthought"), &json!("1.0.0")));
    let scheme = &document["components"]["securitySchemes"]["key"];
    assert_eq!((&scheme["type"], &scheme["scheme"]), (&json!("http"), &json!("bearer")));
    let mut references = Vec::new();
    all(&document, "$ref", &mut references);
    assert!(references.len() > 10);
    for reference in references {
        let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    for (path, item) in document["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            assert!(operation["operationId"].is_string() && operation["summary"].is_string(), "{path}");
            for response in operation["responses"].as_object().unwrap().values() {
                assert!(response["description"].is_string(), "{path}");
            }
        }
    }
}

#[test]
fn every_schema_is_a_schema() {
    let service = Service::start();
    let document = document(&service);
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(jsonschema::meta::is_valid(schema), "{name}");
        validator(&document, name);
    }
}

#[test]
fn it_publishes_the_schemas_the_tools_declare() {
    let service = Service::start();
    let document = document(&service);
    let list = service.rpc(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).json();
    for tool in list["result"]["tools"].as_array().unwrap() {
        let schema =
            |part: &str| &document["components"]["schemas"][format!("{}.{part}", tool["name"].as_str().unwrap())];
        assert_eq!((schema("arguments"), schema("output")), (&tool["inputSchema"], &tool["outputSchema"]));
    }
}

#[test]
fn every_answer_of_every_tool_is_as_published() {
    let service = Service::start();
    let document = document(&service);
    let (request, response) = (validator(&document, "Request"), validator(&document, "ResultResponse"));
    let result = validator(&document, "ToolResult");
    let id = service.capture("Ana drinks tea");
    service.capture("Ben drinks coffee");
    for (tool, arguments, works) in [
        ("capture_thought", json!({"raw": "as the user", "as_user": true, "captured_at": "2020-01-01"}), true),
        ("capture_thought", json!({"raw": "as the agent"}), true),
        ("capture_thought", json!({"raw": ""}), false),
        ("retrieve_thoughts", json!({}), true),
        ("retrieve_thoughts", json!({"top_k": 1, "author": "all"}), true),
        ("retrieve_thoughts", json!({"query": "tea", "mode": "fast"}), true),
        ("retrieve_thoughts", json!({"query": "tea", "detail": "full", "author": "all"}), true),
        ("retrieve_thoughts", json!({"cursor_id": id, "top_k": 1}), false),
        ("edit_thought", json!({"thought_id": id, "raw_text": "Ana drinks green tea"}), true),
        ("edit_thought", json!({"thought_id": id, "edit_request": "mark as done"}), true),
        ("edit_thought", json!({"thought_id": id}), false),
        ("delete_thought", json!({"thought_id": id}), true),
        ("delete_thought", json!({"thought_id": "7"}), false),
    ] {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
        assert_valid(&request, &message);
        let answer = service.rpc(&message).json();
        assert_valid(&response, &answer);
        assert_valid(&result, &answer["result"]);
        assert_eq!(answer["result"]["isError"], !works, "{answer}");
        if works {
            let output = &answer["result"]["structuredContent"];
            assert_valid(&validator(&document, &format!("{tool}.output")), output);
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            assert_eq!(&serde_json::from_str::<Value>(text).unwrap(), output);
        }
    }
}

#[test]
fn lists_and_errors_are_as_published() {
    let service = Service::start();
    let document = document(&service);
    let list = service.rpc(&json!({"jsonrpc": "2.0", "id": "a", "method": "tools/list"})).json();
    assert_valid(&validator(&document, "Response"), &list);
    assert_valid(&validator(&document, "ToolList"), &list["result"]);
    for body in ["nope", "[]", r#"{"jsonrpc":"2.0","id":1,"method":"nope"}"#] {
        let answer = service.send(&service.post(body)).json();
        assert_valid(&validator(&document, "Response"), &answer);
        assert_valid(&validator(&document, "ErrorResponse"), &answer);
    }
}

#[test]
fn every_published_status_occurs_and_no_other() {
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let mut store = None;
    let settings = Settings { rate_limit: 1, body_timeout: Duration::from_millis(500), ..Settings::default() };
    let service = Service::over(settings, |_, app| faulty::app(&app, &mut store));
    let store = store.unwrap();
    let document = document(&service);
    let error = validator(&document, "ErrorResponse");
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let unknown = json!({"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"_meta": meta}}).to_string();
    let mut requests = vec![
        service.post(list),
        service.post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
        service.post("nope"),
        service.post(list).without("authorization"),
        service.post(list).header("origin", "https://evil.example"),
        service.post(unknown).header("mcp-protocol-version", "2026-07-28").header("mcp-method", "x"),
        service.post(list).to("PUT", "/api/mcp"),
        service.post(list).without("accept"),
        service.post("").with("content-length", "9"),
        service.post(" ".repeat(1_048_577)),
        service.post(list).without("content-type"),
    ];
    // What is left of the key's burst, what comes to it meanwhile, and one more.
    requests.extend((0..30).map(|_| service.post(list)));
    let answers = requests.iter().map(|request| service.send(request));
    let failed =
        [("get_key", Fault::Panic), ("get_key", Fault::Failure), ("list", Fault::Busy)].map(|(method, fault)| {
            store.at_next(method, fault);
            let key = service.another_key("default", method);
            service.send(&Request::tool(&key, "retrieve_thoughts", &json!({})))
        });
    let mut occurred = BTreeSet::new();
    for answer in answers.chain(failed) {
        occurred.insert(answer.status.to_string());
        if answer.status >= 400 {
            assert_valid(&error, &answer.json());
        }
        let documented = &document["paths"]["/api/mcp"]["post"]["responses"][answer.status.to_string()];
        for name in documented["headers"].as_object().into_iter().flat_map(|headers| headers.keys()) {
            assert!(answer.header(&name.to_ascii_lowercase()).is_some(), "{name} of {}", answer.status);
        }
    }
    let published = document["paths"]["/api/mcp"]["post"]["responses"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(occurred, published);
}

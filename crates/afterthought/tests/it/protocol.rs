//! Whole conversations, as real clients have them, with ids and times taken out.

use insta::{assert_json_snapshot, assert_snapshot};
use serde_json::{Map, Value, json};
use test_client::Answer;

use crate::service::Service;

const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const META_CLIENT: &str = "io.modelcontextprotocol/clientInfo";

/// The answer with everything that differs from run to run replaced.
fn shown(answer: &Answer) -> Value {
    let body = if answer.body.is_empty() { Value::Null } else { redacted(answer.json()) };
    json!({"status": answer.status, "content_type": answer.header("content-type"), "body": body})
}

fn redacted(value: Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .map(|(name, value)| {
                    let value = match (name.as_str(), &value) {
                        ("id" | "cursor_id", Value::String(text)) if text.len() == 36 => json!("[id]"),
                        ("created_at" | "updated_at" | "captured_at" | "cursor_created_at", Value::String(_)) => {
                            json!("[time]")
                        }
                        ("version", Value::String(_)) => json!("[version]"),
                        ("score", Value::Number(_)) => json!("[score]"),
                        // The same object as text: parsed, so that it can be redacted as well.
                        ("text", Value::String(text)) if text.starts_with('{') => {
                            redacted(serde_json::from_str(text).unwrap())
                        }
                        _ => redacted(value),
                    };
                    (name, value)
                })
                .collect::<Map<_, _>>(),
        ),
        Value::Array(values) => Value::Array(values.into_iter().map(redacted).collect()),
        other => other,
    }
}

/// A client of the handshake generation: every request carries the settled version.
fn handshake(service: &Service, version: &str, message: &Value) -> Answer {
    service.send(&service.post(message.to_string()).header("mcp-protocol-version", version))
}

/// A client of the stateless generation: every request carries everything.
fn stateless(service: &Service, id: Value, method: &str, params: Value) -> Answer {
    let (body, name) = stateless_body(id, method, params);
    let mut request =
        service.post(body.to_string()).header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
    if let Some(name) = name {
        request = request.header("mcp-name", &name);
    }
    service.send(&request)
}

fn stateless_body(id: Value, method: &str, mut params: Value) -> (Value, Option<String>) {
    params["_meta"] = json!({META_VERSION: "2026-07-28", META_CAPABILITIES: {},
        META_CLIENT: {"name": "test", "version": "1"}});
    let name = params["name"].as_str().map(str::to_owned);
    (json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}), name)
}

#[test]
fn a_conversation_of_the_handshake_generation() {
    let service = Service::start();
    let initialize = json!({"method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "mcp", "version": "0.1.0"}}, "jsonrpc": "2.0", "id": 0});
    let version = "2025-11-25";
    let capture = json!({"method": "tools/call", "jsonrpc": "2.0", "id": 3, "params": {"name": "capture_thought",
        "arguments": {"raw": "Ana drinks tea", "as_user": true}, "_meta": {"progressToken": 3}}});
    let search = json!({"method": "tools/call", "jsonrpc": "2.0", "id": 4, "params": {"name": "retrieve_thoughts",
        "arguments": {"query": "tea"}}});
    let refused = json!({"method": "tools/call", "jsonrpc": "2.0", "id": 5, "params": {"name": "capture_thought"}});
    let conversation = [
        shown(&service.rpc(&initialize)),
        shown(&handshake(&service, version, &json!({"method": "notifications/initialized", "jsonrpc": "2.0"}))),
        shown(&handshake(&service, version, &json!({"method": "ping", "jsonrpc": "2.0", "id": 1}))),
        shown(&handshake(&service, version, &capture)),
        shown(&handshake(&service, version, &search)),
        shown(&handshake(&service, version, &refused)),
        shown(&handshake(&service, version, &json!({"method": "resources/list", "jsonrpc": "2.0", "id": 6}))),
        shown(&handshake(&service, version, &json!({"method": "server/discover", "jsonrpc": "2.0", "id": 7}))),
    ];
    assert_json_snapshot!(conversation);
}

#[test]
fn a_conversation_of_the_stateless_generation() {
    let service = Service::start();
    let capture = json!({"name": "capture_thought", "arguments": {"raw": "Ana drinks tea", "as_user": true}});
    let refused = json!({"name": "edit_thought", "arguments": {"thought_id": "7"}});
    let conversation = [
        shown(&stateless(&service, json!("server-discover-probe-1"), "server/discover", json!({}))),
        shown(&stateless(&service, json!(0), "tools/call", capture)),
        shown(&stateless(&service, json!(1), "tools/call", refused)),
        shown(&stateless(&service, json!(2), "ping", json!({}))),
        shown(&stateless(&service, json!(3), "initialize", json!({}))),
        shown(&stateless(&service, json!(4), "tools/call", json!({"name": "nope"}))),
    ];
    assert_json_snapshot!(conversation);
}

#[test]
fn the_tools_as_clients_see_them() {
    let service = Service::start();
    let list = service.rpc(&json!({"jsonrpc": "2.0", "id": "list", "method": "tools/list", "params": {}}));
    assert_json_snapshot!(shown(&list));
}

#[test]
fn both_generations_list_the_same_tools() {
    let service = Service::start();
    let bare = service.rpc(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).json()["result"].take();
    let stateless = stateless(&service, json!(1), "tools/list", json!({})).json()["result"].take();
    assert_eq!(bare["tools"], stateless["tools"]);
    assert_eq!(bare.as_object().unwrap().len(), 1);
    assert_eq!((&stateless["resultType"], &stateless["cacheScope"]), (&json!("complete"), &json!("private")));
    assert!(stateless["ttlMs"].is_u64());
}

#[test]
fn an_answer_as_an_event() {
    let service = Service::start();
    let ping = service.post(r#"{"jsonrpc":"2.0","id":"a\"b","method":"ping"}"#).with("accept", "text/event-stream");
    assert_snapshot!(service.send(&ping).text(), @r#"
    event: message
    data: {"jsonrpc":"2.0","id":"a\"b","result":{}}
    "#);
    let search = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "capture_thought", "arguments": {"raw": "two\nlines\r\n", "as_user": true}}});
    let answer = service.send(&service.post(search.to_string()).with("accept", "text/event-stream"));
    assert_eq!(answer.json()["result"]["structuredContent"]["thought"]["raw_text"], "two\nlines\r\n");
}

#[test]
fn every_handshake_version_is_settled_on_and_another_becomes_the_latest() {
    let service = Service::start();
    for (asked, settled) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("x", "2025-11-25"),
    ] {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": asked}});
        assert_eq!(service.rpc(&message).json()["result"]["protocolVersion"], settled, "{asked}");
    }
}

#[test]
fn no_session_is_ever_issued() {
    let service = Service::start();
    let message =
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}});
    assert_eq!(service.rpc(&message).header("mcp-session-id"), None);
}

#[test]
fn the_stateless_generation_is_held_to_its_headers() {
    let service = Service::start();
    let params = json!({"name": "retrieve_thoughts", "arguments": {}});
    let (body, _) = stateless_body(json!(9), "tools/call", params);
    let good = service
        .post(body.to_string())
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "=?base64?cmV0cmlldmVfdGhvdWdodHM=?=");
    assert_eq!(service.send(&good).status, 200);
    assert_eq!(service.send(&good.clone().with("mcp-name", "  retrieve_thoughts ")).status, 200);
    for request in [
        good.clone().without("mcp-protocol-version"),
        good.clone().with("mcp-protocol-version", "2025-11-25"),
        good.clone().without("mcp-method"),
        good.clone().with("mcp-method", "tools/list"),
        good.clone().header("mcp-method", "tools/call"),
        good.clone().without("mcp-name"),
        good.clone().with("mcp-name", "Retrieve_Thoughts"),
    ] {
        let answer = service.send(&request);
        assert_eq!((answer.status, answer.error_code()), (400, -32_020), "{}", request.head());
        assert_eq!(answer.json()["id"], 9);
    }
    let (nameless, _) = stateless_body(json!(9), "tools/call", json!({"arguments": {}}));
    let request = service.post(nameless.to_string()).header("mcp-protocol-version", "2026-07-28");
    let answer = service.send(&request.header("mcp-method", "tools/call").header("mcp-name", "retrieve_thoughts"));
    assert_eq!((answer.status, answer.error_code()), (400, -32_020), "the body has no name to equal");
}

#[test]
fn the_stateless_generation_is_held_to_its_meta() {
    let service = Service::start();
    let send = |meta: Value, version: &str| {
        let body = json!({"jsonrpc": "2.0", "id": 9, "method": "tools/list", "params": {"_meta": meta}});
        let request = service.post(body.to_string()).header("mcp-protocol-version", version);
        service.send(&request.header("mcp-method", "tools/list"))
    };
    for meta in [json!({}), json!({META_VERSION: "2026-07-28"}), json!({META_CAPABILITIES: {}})] {
        let answer = send(meta.clone(), "2026-07-28");
        assert_eq!((answer.status, answer.error_code()), (400, -32_602), "{meta}");
    }
    let unsupported = send(json!({META_VERSION: "v999.0.0", META_CAPABILITIES: {}}), "v999.0.0");
    assert_eq!((unsupported.status, unsupported.error_code()), (400, -32_022));
    let data = json!({"supported": ["2026-07-28"], "requested": "v999.0.0"});
    assert_eq!(unsupported.json()["error"]["data"], data);
    assert_eq!(send(json!({META_VERSION: "2026-07-28", META_CAPABILITIES: {}}), "2026-07-28").status, 200);
}

#[test]
fn an_unknown_method_is_404_only_in_the_stateless_generation() {
    let service = Service::start();
    let answer = stateless(&service, json!(1), "prompts/list", json!({}));
    assert_eq!((answer.status, answer.error_code()), (404, -32_601));
    for params in [json!({}), json!([])] {
        let answer = service.rpc(&json!({"jsonrpc": "2.0", "id": 1, "method": "prompts/list", "params": params}));
        assert_eq!((answer.status, answer.error_code()), (200, -32_601), "{params}");
    }
}

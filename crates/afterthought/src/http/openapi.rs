//! The OpenAPI 3.1 description of the service, made once from the tools' own definitions.

use std::sync::LazyLock;

use bytes::Bytes;
use serde_json::{Map, Value, json};

use crate::mcp::{self, Definition};

/// The version of the description, not of the program: it changes when the interface does.
const VERSION: &str = "1.0.0";

/// The document as JSON.
pub(super) fn document() -> Bytes {
    static DOCUMENT: LazyLock<Bytes> =
        LazyLock::new(|| Bytes::from(serde_json::to_vec(&build()).expect("a JSON value can be written into memory")));
    DOCUMENT.clone()
}

fn build() -> Value {
    json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "afterthought",
            "version": VERSION,
            "summary": "A memory service for AI assistants",
            "description": "One MCP endpoint that speaks JSON-RPC 2.0 over HTTP POST and offers four tools. Besides \
                            tools/list and tools/call it answers what MCP clients ask around them: initialize, ping and \
                            notifications of the handshake generation, server/discover of the stateless one.",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": {
            "/api/mcp": {"post": endpoint()},
            "/healthz": {"get": healthz()},
            "/openapi.json": {"get": plain("This description", "openapi", "application/json", json!({"type": "object"}))},
            "/metrics": {"get": plain("Counters in the OpenMetrics text format", "metrics", "application/openmetrics-text",
                json!({"type": "string"}))},
        },
        "components": {
            "securitySchemes": {"key": {
                "type": "http",
                "scheme": "bearer",
                "description": "An API key, made with `afterthought key create`. It starts with aft_.",
            }},
            "schemas": schemas(),
        },
    })
}

fn healthz() -> Value {
    let mut operation = plain(
        "Whether the service is ready",
        "healthz",
        "application/json",
        json!({
            "type": "object",
            "properties": {
                "status": {"const": "ok"},
                "version": {"type": "string"},
                "instance": {"type": "string", "format": "uuid", "description": "Another one at every start"},
            },
            "required": ["status", "version", "instance"],
        }),
    );
    operation["responses"]["503"] = json!({
        "description": "The store cannot be reached, and nothing can be stored; or it is of a later version than this copy",
        "content": {"application/json": {"schema": {
            "type": "object",
            "properties": {"status": {"type": "string"}},
            "required": ["status"],
        }}},
    });
    operation
}

fn endpoint() -> Value {
    json!({
        "operationId": "mcp",
        "summary": "Send one JSON-RPC request",
        "description": "Send `Accept: application/json, text/event-stream`. What is wrong with a request is told in this \
                        order: method, Host and Origin, key, rate limit, Accept, Content-Type, size, JSON, JSON-RPC, MCP, \
                        tool. A tool that refuses its arguments answers 200 with `isError` true and a sentence that says \
                        what is allowed. A store that cannot be reached, \
                        is full or fails answers 503, a bug 500.",
        "security": [{"key": []}],
        "requestBody": {"required": true, "content": {"application/json": {"schema": reference("Request")}}},
        "responses": {
            "200": {
                "description": "The response; as an event stream if the Accept header prefers one",
                "content": {
                    "application/json": {"schema": reference("Response")},
                    "text/event-stream": {"schema": {
                        "type": "string",
                        "description": "One event named `message` whose data is a Response",
                    }},
                },
            },
            "202": {"description": "A notification was taken note of; the body is empty"},
            "400": error("Not JSON (-32700), not one JSON-RPC 2.0 request (-32600), or a request of the stateless \
                          generation whose headers and body disagree (-32020), that lacks what it must carry (-32602), \
                          or whose version is not spoken here (-32022)", &[]),
            "401": error("No key, or one that is unknown, revoked or malformed", &["WWW-Authenticate"]),
            "403": error("The Origin or the Host is not allowed", &[]),
            "404": error("An unknown method, in the stateless generation (-32601)", &[]),
            "405": error("Another method than POST", &["Allow"]),
            "406": error("Accept names neither application/json nor text/event-stream", &[]),
            "408": error("The body did not arrive in time", &[]),
            "413": error("The body is over 1 MiB", &[]),
            "415": error("The Content-Type is not application/json, or the body is compressed", &[]),
            "429": error("The key was used too often", &["Retry-After"]),
            "500": error("A bug in the service (-32603)", &[]),
            "503": error("The store cannot be reached, is full or fails (-32001): nothing was changed, and the message says \
                          what to do", &["Retry-After"]),
        },
    })
}

fn error(description: &str, headers: &[&str]) -> Value {
    let headers: Map<String, Value> =
        headers.iter().map(|name| ((*name).to_owned(), json!({"schema": {"type": "string"}}))).collect();
    json!({
        "description": description,
        "headers": headers,
        "content": {"application/json": {"schema": reference("ErrorResponse")}},
    })
}

fn plain(summary: &str, operation: &str, content_type: &str, schema: Value) -> Value {
    json!({
        "operationId": operation,
        "summary": summary,
        "security": [],
        "responses": {"200": {"description": summary, "content": {content_type: {"schema": schema}}}},
    })
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn schemas() -> Value {
    let definitions = mcp::definitions();
    let calls = definitions.iter().map(|definition| reference(&format!("{}.request", definition.name)));
    let outputs: Vec<Value> =
        definitions.iter().map(|definition| reference(&format!("{}.output", definition.name))).collect();
    let requests: Vec<Value> = std::iter::once(reference("ListToolsRequest")).chain(calls).collect();
    let mut schemas = json!({
        "Id": {"type": ["integer", "string"], "description": "Echoed in the response"},
        "Request": {"oneOf": requests},
        "ListToolsRequest": request("tools/list", json!({"type": "object"}), &[]),
        "Response": {"oneOf": [reference("ResultResponse"), reference("ErrorResponse")]},
        "ResultResponse": {
            "type": "object",
            "properties": {
                "jsonrpc": {"const": "2.0"},
                "id": reference("Id"),
                "result": {"anyOf": [reference("ToolResult"), reference("ToolList"), {"type": "object"}]},
            },
            "required": ["jsonrpc", "id", "result"],
            "additionalProperties": false,
        },
        "ErrorResponse": {
            "type": "object",
            "properties": {
                "jsonrpc": {"const": "2.0"},
                "id": {"anyOf": [reference("Id"), {"type": "null"}]},
                "error": {
                    "type": "object",
                    "properties": {"code": {"type": "integer"}, "message": {"type": "string"}, "data": {"type": "object"}},
                    "required": ["code", "message"],
                    "additionalProperties": false,
                },
            },
            "required": ["jsonrpc", "id", "error"],
            "additionalProperties": false,
        },
        "ToolList": {
            "type": "object",
            "properties": {"tools": {"type": "array", "items": {
                "type": "object",
                "required": ["name", "title", "description", "inputSchema", "outputSchema", "annotations"],
            }}},
            "required": ["tools"],
        },
        "ToolResult": {
            "type": "object",
            "properties": {
                "content": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "properties": {"type": {"const": "text"}, "text": {"type": "string"}},
                        "required": ["type", "text"],
                    },
                    "description": "The first text is the tool's output as JSON, or what is wrong if isError is true",
                },
                "structuredContent": {"anyOf": outputs, "description": "The same object; absent if isError is true"},
                "isError": {"type": "boolean"},
            },
            "required": ["content", "isError"],
        },
    });
    for definition in definitions {
        for (part, schema) in tool_schemas(definition) {
            schemas[format!("{}.{part}", definition.name)] = schema;
        }
    }
    schemas
}

fn tool_schemas(definition: &Definition) -> [(&'static str, Value); 3] {
    let arguments = reference(&format!("{}.arguments", definition.name));
    let params = json!({
        "type": "object",
        "properties": {"name": {"const": definition.name}, "arguments": arguments},
        "required": ["name", "arguments"],
    });
    let mut request = request("tools/call", params, &["params"]);
    request["description"] = definition.description.into();
    [
        ("request", request),
        ("arguments", definition.input_schema.as_value().clone()),
        ("output", definition.output_schema.as_value().clone()),
    ]
}

fn request(method: &str, params: Value, required: &[&str]) -> Value {
    let required: Vec<&str> = ["jsonrpc", "id", "method"].iter().chain(required).copied().collect();
    json!({
        "type": "object",
        "properties": {
            "jsonrpc": {"const": "2.0"},
            "id": reference("Id"),
            "method": {"const": method},
            "params": params,
        },
        "required": required,
    })
}

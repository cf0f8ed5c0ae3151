//! Bodies, headers and arguments nobody would send: each is read or refused with an answer that is JSON.

use std::borrow::Cow;

use fuzz::Target;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use model::ThoughtId;
use service::memory::{Capture, Edit, Retrieve};

use super::{Call, Tool, ToolError, arguments, capture, delete, edit, retrieve};
use crate::mcp::headers::Headers;
use crate::mcp::message::{Message, decode};
use crate::mcp::params::Params;
use crate::mcp::{Fault, Generation, Request, lifecycle, response};

/// Members and values that mean something.
const WORDS: &[&str] = &[
    "\"jsonrpc\":\"2.0\",",
    "\"id\":1,",
    "\"method\":",
    "\"params\":{",
    "\"_meta\":{",
    "\"arguments\":{",
    "\"name\":\"retrieve_thoughts\",",
    "\"tools/call\"",
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",",
    "\"io.modelcontextprotocol/clientCapabilities\":{},",
    "\"top_k\":",
    "\"threshold\":",
    "\"query\":\"",
    "\"cursor_created_at\":\"2026-01-01\",",
    "\"cursor_id\":",
    "\"raw\":",
    "\"as_user\":\"true\"",
    "\"captured_at\":\"0000-00-00\"",
    "\"thought_id\":\"",
    "\"edit_request\":\"",
    "\"author\":\"all\"",
    "1e400",
    "-1E+400",
    "\\ud83d",
];

#[test]
fn any_body_is_read_or_refused() {
    let deep = "[".repeat(10_000);
    let deep_params = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}"#, "{\"a\":".repeat(10_000));
    Target::new("mcp-bodies", &["mcp"]).with(deep).with(deep_params).words(WORDS).try_bytes(|body| {
        let request = match decode(body) {
            Ok(Message::Request(request)) => request,
            Ok(Message::Notification) => return "a notification".to_owned(),
            Err(unreadable) => return refused(unreadable.id, &unreadable.fault),
        };
        // The headers that repeat such a body, so that more than the check of them is tried.
        let version = Some(Cow::Borrowed("2026-07-28"));
        let name = Params::of(&request, &Headers::default()).ok().and_then(|params| params.name);
        let name = name.and_then(crate::mcp::message::string);
        for headers in
            [Headers::default(), Headers { protocol_version: version, method: Some(request.method.clone()), name }]
        {
            if let Err(fault) = answered(&request, &headers) {
                return refused(Some(request.id), &fault);
            }
        }
        request.method.chars().take(12).collect()
    });
}

#[test]
fn any_header_is_the_same_as_the_body_or_not() {
    let body = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_thought","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let Ok(Message::Request(request)) = decode(body) else { panic!("this is a request") };
    let words = &["=?base64?", "?=", "2026-07-28", "tools/call", "delete_thought", "2025-11-25", "\n"];
    Target::new("mcp-headers", &["headers", "texts"]).words(words).try_text(|text| {
        let mut lines = text.lines().map(Cow::Borrowed);
        let headers = Headers { protocol_version: lines.next(), method: lines.next(), name: lines.next() };
        answered(&request, &headers).map_err(|fault| refused(Some(request.id), &fault))
    });
}

/// Reads as much of a request as can be read without a store; its generation.
fn answered(request: &Request<'_>, headers: &Headers<'_>) -> Result<bool, Fault> {
    let params = Params::of(request, headers)?;
    let generation = params.generation(request, headers)?;
    let _ = lifecycle::initialize(params.protocol_version);
    let call = Call::of(&params)?;
    let json = call.arguments.map_or("{}", RawValue::get);
    let read = match call.tool {
        Tool::Capture => arguments_of::<capture::Args, Capture>(call.tool, json),
        Tool::Retrieve => arguments_of::<retrieve::Args, Retrieve>(call.tool, json),
        Tool::Edit => arguments_of::<edit::Args, (ThoughtId, Edit)>(call.tool, json),
        Tool::Delete => arguments::read::<delete::Args>(call.tool, json).map(drop),
    };
    if let Err(error) = read {
        let answer =
            response::tool_refusal(request.id, generation, &error.into_sentence(call.tool).unwrap_or_default());
        assert_json(&answer);
    }
    Ok(generation == Generation::Stateless)
}

fn arguments_of<A: DeserializeOwned, T: TryFrom<A>>(tool: Tool, json: &str) -> Result<(), ToolError>
where
    ToolError: From<T::Error>,
{
    let read: A = arguments::read(tool, json)?;
    T::try_from(read)?;
    Ok(())
}

/// What a request is refused with, the answer being JSON, without what differs from one input to the next.
fn refused(id: Option<&str>, fault: &Fault) -> String {
    assert_json(&response::fault(id, fault));
    fault.message.chars().take(40).collect()
}

/// An id may be a number of any size, which is JSON although few programs can count so far.
fn assert_json(answer: &[u8]) {
    assert!(serde_json::from_slice::<&RawValue>(answer).is_ok(), "{}", String::from_utf8_lossy(answer));
}

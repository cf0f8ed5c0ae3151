//! Writes JSON-RPC responses, straight into bytes: what is already JSON is copied, not parsed again.

use serde::Serialize;

use super::error::Fault;
use super::generation::Generation;

/// What the service calls itself to clients.
pub(super) const SERVER_INFO: &str =
    concat!(r#"{"name":"afterthought","title":"afterthought","version":""#, env!("CARGO_PKG_VERSION"), r#""}"#);

/// Room for everything around a tool's output.
const ENVELOPE_BYTES: usize = 320;

/// A successful response whose result is the members given, each `"name":value` and separated by commas.
pub(super) fn result(id: &str, generation: Generation, members: &str) -> Vec<u8> {
    let mut body = Vec::with_capacity(members.len() + id.len() + ENVELOPE_BYTES);
    open(&mut body, id, generation);
    body.extend_from_slice(members.as_bytes());
    close(&mut body, generation, !members.is_empty());
    body
}

/// The response of a tool that did its work: `object` is the JSON object it answers with.
pub(super) fn tool_output(id: &str, generation: Generation, object: &str) -> Vec<u8> {
    let mut body = Vec::with_capacity(object.len() * 9 / 4 + id.len() + ENVELOPE_BYTES);
    open(&mut body, id, generation);
    body.extend_from_slice(br#""content":[{"type":"text","text":"#);
    write_json(&mut body, object);
    body.extend_from_slice(br#"}],"structuredContent":"#);
    body.extend_from_slice(object.as_bytes());
    body.extend_from_slice(br#","isError":false"#);
    close(&mut body, generation, true);
    body
}

/// The response of a tool that did not: a sentence a model can correct itself by. No `structuredContent`, since clients
/// check that against the tool's output schema.
pub(super) fn tool_refusal(id: &str, generation: Generation, sentence: &str) -> Vec<u8> {
    let mut body = Vec::with_capacity(sentence.len() + id.len() + ENVELOPE_BYTES);
    open(&mut body, id, generation);
    body.extend_from_slice(br#""content":[{"type":"text","text":"#);
    write_json(&mut body, sentence);
    body.extend_from_slice(br#"}],"isError":true"#);
    close(&mut body, generation, true);
    body
}

/// The response to a message that was not carried out; the id is null where it could not be read.
pub(super) fn fault(id: Option<&str>, fault: &Fault) -> Vec<u8> {
    let mut body = error_opening(id, fault.kind.code(), &fault.message);
    if let Some(data) = &fault.data {
        body.extend_from_slice(br#","data":"#);
        write_json(&mut body, data);
    }
    body.extend_from_slice(b"}}");
    body
}

/// A JSON-RPC error with a null id, for what is refused before any message is read.
pub fn error(code: i32, message: &str) -> Vec<u8> {
    let mut body = error_opening(None, code, message);
    body.extend_from_slice(b"}}");
    body
}

fn error_opening(id: Option<&str>, code: i32, message: &str) -> Vec<u8> {
    let mut body =
        format!(r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":{code},"message":"#, id.unwrap_or("null")).into_bytes();
    write_json(&mut body, message);
    body
}

fn open(body: &mut Vec<u8>, id: &str, generation: Generation) {
    body.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    body.extend_from_slice(id.as_bytes());
    body.extend_from_slice(br#","result":{"#);
    if generation == Generation::Stateless {
        body.extend_from_slice(br#""resultType":"complete","#);
    }
}

fn close(body: &mut Vec<u8>, generation: Generation, has_members: bool) {
    if generation == Generation::Stateless {
        if has_members {
            body.push(b',');
        }
        body.extend_from_slice(br#""_meta":{"io.modelcontextprotocol/serverInfo":"#);
        body.extend_from_slice(SERVER_INFO.as_bytes());
        body.push(b'}');
    }
    body.extend_from_slice(b"}}");
}

fn write_json(body: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(body, value).expect("text and JSON values can be written into memory");
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(body: &[u8]) -> Value {
        serde_json::from_slice(body).expect("a response is JSON")
    }

    #[test]
    fn structured_content_is_the_text_parsed() {
        for generation in [Generation::Handshake, Generation::Stateless] {
            let response = read(&tool_output("7", generation, r#"{"a":"\"\\\n\u2028"}"#));
            let result = &response["result"];
            let text = result["content"][0]["text"].as_str().unwrap();
            assert_eq!(serde_json::from_str::<Value>(text).unwrap(), result["structuredContent"]);
            assert_eq!(result["resultType"].is_string(), generation == Generation::Stateless);
        }
    }

    #[test]
    fn an_empty_result_is_an_empty_object_in_the_handshake_generation() {
        assert_eq!(read(&result("1", Generation::Handshake, "")), json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    }

    #[test]
    fn an_error_without_a_readable_id_has_a_null_id() {
        let expected = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32_000, "message": "no \"key\""}});
        assert_eq!(read(&error(-32_000, "no \"key\"")), expected);
    }
}

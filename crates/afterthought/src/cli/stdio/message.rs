//! A line of standard input as a message: what must be known to forward it.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::mcp::{Headers, header_value};

/// A message to forward.
pub(super) struct Message {
    /// As it came.
    pub(super) line: String,
    /// `None` for a notification, which gets no answer.
    pub(super) id: Option<Value>,
    method: String,
    tool: Option<String>,
    version: Option<String>,
}

impl Message {
    /// Reads a line; an error is the answer it gets.
    pub(super) fn read(line: String) -> Result<Self, String> {
        let value: Value = serde_json::from_str(&line)
            .map_err(|error| failure(&Value::Null, -32700, &format!("the line is not JSON: {error}")))?;
        let word = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let version = word("/params/_meta/io.modelcontextprotocol~1protocolVersion");
        let (method, tool) = (word("/method").unwrap_or_default(), word("/params/name"));
        // What is no object, or an answer, is refused by the service, and must be answered as a request.
        let id = match value.as_object() {
            Some(object) if object.contains_key("method") => object.get("id").cloned(),
            Some(object) => Some(object.get("id").cloned().unwrap_or(Value::Null)),
            None => Some(Value::Null),
        };
        Ok(Self { line, id, method, tool, version })
    }

    /// The headers in which a body is repeated.
    pub(super) fn headers(&self) -> Headers<'_> {
        let value = |text: &str| Some(Cow::Owned(header_value(text).into_owned()));
        Headers {
            protocol_version: self.version.as_deref().and_then(value),
            method: value(&self.method).filter(|_| !self.method.is_empty()),
            name: self.tool.as_deref().and_then(value),
        }
    }

    /// Whether it calls a tool: such calls are carried out one after the other, as they come.
    pub(super) fn is_call(&self) -> bool {
        self.method == "tools/call"
    }

    /// Whether sending it twice does no harm.
    pub(super) fn changes_nothing(&self) -> bool {
        !self.is_call() || self.tool.as_deref() == Some("retrieve_thoughts")
    }

    /// An answer that says why there is no other; `None` for a notification.
    pub(super) fn failure(&self, code: i64, said: &str) -> Option<String> {
        self.id.as_ref().map(|id| failure(id, code, said))
    }
}

/// A JSON-RPC error as a line.
pub(super) fn failure(id: &Value, code: i64, said: &str) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": said } }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(value: &Value) -> Message {
        Message::read(value.to_string()).unwrap_or_else(|answer| panic!("{answer}"))
    }

    #[test]
    fn headers_repeat_the_body() {
        let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
        let call = json!({ "id": 1, "method": "tools/call", "params": { "name": "größer", "_meta": meta } });
        let message = message(&call);
        let headers = message.headers();
        assert_eq!(headers.protocol_version.as_deref(), Some("2026-07-28"));
        assert_eq!(headers.method.as_deref(), Some("tools/call"));
        assert_eq!(headers.name.as_deref(), Some("=?base64?Z3LDtsOfZXI=?="));
    }

    #[test]
    fn only_what_changes_nothing_may_be_sent_twice() {
        let call = |tool: &str| message(&json!({ "id": 1, "method": "tools/call", "params": { "name": tool } }));
        assert!(call("retrieve_thoughts").changes_nothing() && message(&json!({ "method": "ping" })).changes_nothing());
        for tool in ["capture_thought", "edit_thought", "delete_thought", "unknown"] {
            assert!(!call(tool).changes_nothing(), "{tool}");
        }
    }

    #[test]
    fn a_notification_gets_no_answer_and_everything_else_does() {
        assert_eq!(message(&json!({ "method": "notifications/initialized" })).id, None);
        assert_eq!(message(&json!({ "method": "ping", "id": "a" })).id, Some(json!("a")));
        for odd in [json!([]), json!(3), json!({}), json!({ "id": null })] {
            assert_eq!(message(&odd).id, Some(Value::Null), "{odd}");
        }
        let answer = Message::read("{".into()).err().unwrap();
        assert!(answer.contains(r#""id":null"#) && answer.contains("-32700"), "{answer}");
    }
}

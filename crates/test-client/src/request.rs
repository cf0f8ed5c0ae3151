//! What is sent.

use serde_json::{Value, json};

/// An HTTP request that can be bent out of shape.
#[derive(Debug, Clone)]
pub struct Request {
    line: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    /// A request without key or body.
    pub fn get(path: &str) -> Self {
        Self { line: format!("GET {path} HTTP/1.1"), headers: Vec::new(), body: Vec::new() }.header("host", "localhost")
    }

    /// A message to the MCP endpoint as a well-behaved client sends it.
    pub fn post(key: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::get("/")
            .to("POST", "/api/mcp")
            .header("authorization", &format!("Bearer {key}"))
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .body(body)
    }

    /// A call of a tool.
    pub fn tool(key: &str, tool: &str, arguments: &Value) -> Self {
        Self::post(key, tool_call(tool, arguments).to_string())
    }

    /// Adds a header line.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Takes a header away.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(each, _)| each != name);
        self
    }

    /// Puts another value in place of a header's.
    #[must_use]
    pub fn with(self, name: &str, value: &str) -> Self {
        self.without(name).header(name, value)
    }

    /// Uses another method and path.
    #[must_use]
    pub fn to(mut self, method: &str, path: &str) -> Self {
        self.line = format!("{method} {path} HTTP/1.1");
        self
    }

    /// Sends this body, with its length.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        let length = self.body.len().to_string();
        self.with("content-length", &length)
    }

    /// The request line and headers.
    pub fn head(&self) -> String {
        let headers: String = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!("{}\r\n{headers}\r\n", self.line)
    }

    /// The whole request; whoever measures makes it beforehand.
    pub fn bytes(&self) -> Vec<u8> {
        [self.head().as_bytes(), &self.body].concat()
    }

    /// Whether its answer has a body.
    pub(crate) fn is_answered_with_body(&self) -> bool {
        !self.line.starts_with("HEAD ")
    }
}

/// The message that calls a tool.
pub fn tool_call(tool: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

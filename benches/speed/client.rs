//! A caller: one kept-alive connection that sends tool calls, as lean as can be, since it runs on the service's cores.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) struct Client {
    stream: TcpStream,
    key: String,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) async fn connect(address: &str, key: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, key: key.to_owned(), buffer: Vec::new() }
    }

    /// The bytes of a call, made beforehand so that only the service is measured.
    pub(crate) fn request(&self, tool: &str, arguments: &Value) -> Vec<u8> {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
        let body = call.to_string();
        let head = format!(
            "POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nAccept: application/json, \
             text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.key,
            body.len()
        );
        (head + &body).into_bytes()
    }

    /// Sends a request and reads the whole answer; panics unless it is a success.
    pub(crate) async fn send(&mut self, request: &[u8]) -> &[u8] {
        self.stream.write_all(request).await.unwrap();
        self.buffer.clear();
        let (start, length) = loop {
            assert_ne!(self.stream.read_buf(&mut self.buffer).await.unwrap(), 0, "the service hung up");
            if let Some(head) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                let text = std::str::from_utf8(&self.buffer[..head]).unwrap().to_ascii_lowercase();
                assert!(text.starts_with("http/1.1 200"), "{text}");
                let length = text.lines().find_map(|line| line.strip_prefix("content-length:")).unwrap();
                break (head + 4, length.trim().parse::<usize>().unwrap());
            }
        };
        while self.buffer.len() < start + length {
            assert_ne!(self.stream.read_buf(&mut self.buffer).await.unwrap(), 0, "the service hung up");
        }
        let body = &self.buffer[start..];
        assert!(!body.windows(14).any(|window| window == b"\"isError\":true"), "{}", String::from_utf8_lossy(body));
        body
    }
}

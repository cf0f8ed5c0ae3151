//! Callers: one kept-alive connection each, as lean as can be, since they run on the service's cores.

use std::io::{Read, Write};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The bytes of a tool call, made beforehand so that only the service is measured.
pub(crate) fn request(key: &str, tool: &str, arguments: &Value) -> Vec<u8> {
    let call =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
    post(key, &call.to_string())
}

/// The bytes of a call that does nothing.
pub(crate) fn ping(key: &str) -> Vec<u8> {
    post(key, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
}

fn post(key: &str, body: &str) -> Vec<u8> {
    let head = format!(
        "POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nAccept: application/json, \
         text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    (head + body).into_bytes()
}

/// The length of the whole answer, once its head is there; panics unless it is a success.
fn answer_bytes(read: &[u8]) -> Option<usize> {
    let head = read.windows(4).position(|window| window == b"\r\n\r\n")?;
    let text = std::str::from_utf8(&read[..head]).unwrap().to_ascii_lowercase();
    assert!(text.starts_with("http/1.1 200"), "{text}");
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")).unwrap();
    Some(head + 4 + length.trim().parse::<usize>().unwrap())
}

fn check(answer: &[u8]) {
    assert!(!answer.windows(14).any(|window| window == b"\"isError\":true"), "{}", String::from_utf8_lossy(answer));
}

/// One of many callers.
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) async fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, buffer: Vec::new() }
    }

    /// Sends a request and reads the whole answer.
    pub(crate) async fn send(&mut self, request: &[u8]) {
        self.stream.write_all(request).await.unwrap();
        self.buffer.clear();
        while answer_bytes(&self.buffer).is_none_or(|bytes| self.buffer.len() < bytes) {
            assert_ne!(self.stream.read_buf(&mut self.buffer).await.unwrap(), 0, "the service hung up");
        }
        check(&self.buffer);
    }
}

/// The only caller: waits in the system call itself, so that no runtime of its own is measured.
pub(crate) struct BlockingClient {
    stream: std::net::TcpStream,
    buffer: Vec<u8>,
}

impl BlockingClient {
    pub(crate) fn connect(address: &str) -> Self {
        let stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, buffer: Vec::new() }
    }

    /// Sends a request and reads the whole answer; its body.
    pub(crate) fn send(&mut self, request: &[u8]) -> &[u8] {
        self.stream.write_all(request).unwrap();
        self.buffer.clear();
        let mut piece = [0; 65_536];
        while answer_bytes(&self.buffer).is_none_or(|bytes| self.buffer.len() < bytes) {
            let read = self.stream.read(&mut piece).unwrap();
            assert_ne!(read, 0, "the service hung up");
            self.buffer.extend_from_slice(&piece[..read]);
        }
        check(&self.buffer);
        let head = self.buffer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        &self.buffer[head + 4..]
    }
}

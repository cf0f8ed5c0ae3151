//! A service of one's own: the real program on a free port with an empty folder, and a small HTTP client for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use afterthought::app::App;
use afterthought::http::{self, Parts, Settings};
use afterthought::stores::Location;

/// A running service with one account and one key.
pub(crate) struct Service {
    pub(crate) app: App,
    pub(crate) addr: SocketAddr,
    pub(crate) key: String,
    pub(crate) runtime: Runtime,
    stop: Option<oneshot::Sender<()>>,
    served: Option<JoinHandle<std::io::Result<()>>>,
    _folder: TempDir,
}

impl Service {
    /// Starts a service with the default settings, but without a rate limit.
    pub(crate) fn start() -> Self {
        Self::with(Settings { rate_limit: 0, ..Settings::default() })
    }

    /// Starts a service with these settings.
    pub(crate) fn with(settings: Settings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (app, key, listener) = runtime.block_on(async {
            let app = App::open(&Location::Embedded(folder.path().to_owned())).await.unwrap();
            let account = app.keyring.create_account("default".parse().unwrap()).await.unwrap();
            let (secret, _) = app.keyring.create_key(account.id, "tester".parse().unwrap()).await.unwrap();
            (app, secret.reveal().to_owned(), TcpListener::bind("127.0.0.1:0").await.unwrap())
        });
        let addr = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let parts = Parts { memory: app.memory.clone(), keyring: app.keyring.clone(), store: app.store.clone() };
        let served = runtime.spawn(http::serve(listener, parts, settings, async {
            let _ = stopped.await;
        }));
        Self { app, addr, key, runtime, stop: Some(stop), served: Some(served), _folder: folder }
    }

    /// Makes another key, of the account of that name, which is made if needed.
    pub(crate) fn another_key(&self, account: &str, name: &str) -> String {
        self.runtime.block_on(async {
            let keyring = &self.app.keyring;
            let account = match keyring.account(&account.parse().unwrap()).await {
                Ok(account) => account,
                Err(_) => keyring.create_account(account.parse().unwrap()).await.unwrap(),
            };
            keyring.create_key(account.id, name.parse().unwrap()).await.unwrap().0.reveal().to_owned()
        })
    }

    /// Asks the service to stop.
    pub(crate) fn stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }

    /// Waits until it has stopped.
    pub(crate) fn wait(&mut self) {
        let served = self.served.take().unwrap();
        self.runtime.block_on(served).unwrap().unwrap();
    }

    /// A connection to the service.
    pub(crate) fn connect(&self) -> Connection {
        let stream = TcpStream::connect(self.addr).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Connection { reader: BufReader::new(stream), is_head: false }
    }

    /// A request as a well-behaved client sends it.
    pub(crate) fn post(&self, body: impl Into<Vec<u8>>) -> Request {
        Request::new("POST", "/api/mcp", self.addr)
            .header("authorization", &format!("Bearer {}", self.key))
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .body(body)
    }

    /// A request without key or body.
    pub(crate) fn get(&self, path: &str) -> Request {
        Request::new("GET", path, self.addr)
    }

    /// Sends one request on a connection of its own.
    pub(crate) fn send(&self, request: &Request) -> Answer {
        let mut connection = self.connect();
        connection.send(request);
        connection.answer()
    }

    /// Sends one JSON-RPC message.
    pub(crate) fn rpc(&self, message: &Value) -> Answer {
        self.send(&self.post(message.to_string()))
    }

    /// Calls a tool and returns the result, whether it is an error or not.
    pub(crate) fn call(&self, name: &str, arguments: &Value) -> Value {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
        let answer = self.rpc(&call);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["result"].take()
    }

    /// Calls a tool that must do its work, and returns the object it answers with.
    pub(crate) fn tool(&self, name: &str, arguments: &Value) -> Value {
        let mut result = self.call(name, arguments);
        assert_eq!(result["isError"], false, "{name}: {result}");
        result["structuredContent"].take()
    }

    /// Calls a tool that must refuse, and returns what it says.
    pub(crate) fn refusal(&self, name: &str, arguments: &Value) -> String {
        let result = self.call(name, arguments);
        assert_eq!(result["isError"], true, "{name}: {result}");
        assert!(result.get("structuredContent").is_none(), "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Captures a text as the user's and returns the id.
    pub(crate) fn capture(&self, text: &str) -> String {
        let output = self.tool("capture_thought", &json!({"raw": text, "as_user": true}));
        output["thought"]["id"].as_str().unwrap().to_owned()
    }
}

/// An HTTP request that can be bent out of shape.
#[derive(Clone)]
pub(crate) struct Request {
    line: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    fn new(method: &str, path: &str, addr: SocketAddr) -> Self {
        Self { line: format!("{method} {path} HTTP/1.1"), headers: Vec::new(), body: Vec::new() }
            .header("host", &addr.to_string())
    }

    /// Adds a header line.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Takes a header away.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(each, _)| each != name);
        self
    }

    /// Puts another value in place of a header's.
    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        self.without(name).header(name, value)
    }

    /// Uses another method and path.
    pub(crate) fn to(mut self, method: &str, path: &str) -> Self {
        self.line = format!("{method} {path} HTTP/1.1");
        self
    }

    /// Sends this body, with its length.
    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        let length = self.body.len().to_string();
        self.with("content-length", &length)
    }

    /// The request line and headers.
    pub(crate) fn head(&self) -> String {
        let headers: String = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!("{}\r\n{headers}\r\n", self.line)
    }
}

/// An open connection.
pub(crate) struct Connection {
    reader: BufReader<TcpStream>,
    /// Whether the last request was one whose answer has no body, whatever its length says.
    is_head: bool,
}

impl Connection {
    /// Sends a whole request.
    pub(crate) fn send(&mut self, request: &Request) {
        let mut bytes = request.head().into_bytes();
        bytes.extend_from_slice(&request.body);
        self.is_head = request.line.starts_with("HEAD ");
        self.write(&bytes);
    }

    /// Sends bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.reader.get_mut().write_all(bytes).unwrap();
    }

    /// Whether the service has closed the connection without sending anything more; waits for it.
    pub(crate) fn is_closed(&mut self) -> bool {
        let mut rest = Vec::new();
        // A reset is a way of closing, too.
        let _ = self.reader.read_to_end(&mut rest);
        rest.is_empty()
    }

    /// Waits for an answer and reads it.
    pub(crate) fn answer(&mut self) -> Answer {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("no status in {line:?}")).parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let mut answer = Answer { status, headers, body: Vec::new() };
        let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
        answer.body.resize(if self.is_head { 0 } else { length }, 0);
        self.reader.read_exact(&mut answer.body).unwrap();
        answer
    }
}

/// An HTTP response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(each, _)| each == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body as JSON, or the data of the one event it consists of.
    pub(crate) fn json(&self) -> Value {
        let text = match self.header("content-type") {
            Some("application/json") => self.text(),
            Some("text/event-stream") => {
                let data = self.text().strip_prefix("event: message\ndata: ").unwrap();
                data.strip_suffix("\n\n").unwrap()
            }
            other => panic!("{other:?}: {}", self.text()),
        };
        serde_json::from_str(text).unwrap()
    }

    /// The code of the JSON-RPC error.
    pub(crate) fn error_code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error in {}", self.text()))
    }
}

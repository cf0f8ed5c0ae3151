//! A service of one's own: the real program on a free port with an empty folder.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use test_client::{Answer, Connection, Request, tool_call};
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
    folder: TempDir,
}

impl Service {
    /// Starts a service with the default settings, but without a rate limit.
    pub(crate) fn start() -> Self {
        Self::with(Settings { rate_limit: 0, ..Settings::default() })
    }

    /// Starts a service with these settings.
    pub(crate) fn with(settings: Settings) -> Self {
        Self::over(settings, |_, app| app)
    }

    /// The same over other parts than the usual ones.
    pub(crate) fn over(settings: Settings, adapt: impl FnOnce(&Path, App) -> App) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (app, key, listener) = runtime.block_on(async {
            let app = App::open(&Location::Embedded(folder.path().to_owned())).await.unwrap();
            let account = app.keyring.create_account("default".parse().unwrap()).await.unwrap();
            let (secret, _) = app.keyring.create_key(account.id, "tester".parse().unwrap()).await.unwrap();
            (app, secret.reveal().to_owned(), TcpListener::bind("127.0.0.1:0").await.unwrap())
        });
        let app = runtime.block_on(async { adapt(folder.path(), app) });
        let addr = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let parts = Parts {
            memory: app.memory.clone(),
            keyring: app.keyring.clone(),
            sessions: app.sessions.clone(),
            store: app.store.clone(),
        };
        let served = runtime.spawn(http::serve(listener, parts, settings, async {
            let _ = stopped.await;
        }));
        Self { app, addr, key, runtime, stop: Some(stop), served: Some(served), folder }
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

    /// Where everything is kept.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
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
        Connection::open(self.addr).unwrap().waiting_at_most(Duration::from_secs(20))
    }

    /// A request as a well-behaved client sends it.
    pub(crate) fn post(&self, body: impl Into<Vec<u8>>) -> Request {
        Request::post(&self.key, body)
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
        let answer = self.rpc(&tool_call(name, arguments));
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

/// Asks until it is too much, which it is soon for whoever may ask once a second and needs less for it; a pause of the machine lets one
/// more through.
pub(crate) fn until_too_much(mut ask: impl FnMut() -> Answer) -> Answer {
    (0..60).map(|_| ask()).find(|answer| answer.status == 429).expect("somebody who goes on asking is refused")
}

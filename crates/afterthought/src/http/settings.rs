//! What the HTTP side can be told, with defaults that suit a service on one's own machine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use uuid::Uuid;

/// How the service listens.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What this start of the service calls itself, so that whoever looks for it can tell it from another.
    pub instance: Uuid,
    /// Where others reach this service, such as `http://127.0.0.1:8720`; told to a store that many copies use.
    pub origin: Option<String>,
    /// The `Host` values to answer besides loopback names and the address listened on: `name` for any port, `name:port`
    /// for that one, `*` for every host. A service that others reach by a name needs that name here.
    pub allowed_hosts: Vec<String>,
    /// The `Origin` values to answer besides those of loopback names, such as `https://app.example.com`; `*` for every
    /// origin. Requests without an origin, as every MCP client but a browser sends them, are always fine.
    pub allowed_origins: Vec<String>,
    /// Requests a second for each key, in bursts of ten times as many; 0 for no limit.
    pub rate_limit: u32,
    /// How many connections are open at most; for further ones, those go that have been idle for longest, those without a key first.
    pub connections_max: usize,
    /// The largest body of a request.
    pub body_bytes_max: usize,
    /// How long a connection may take to send the head of its next request, and so how long it may be idle.
    pub header_timeout: Duration,
    /// How long a connection that has shown no key may be idle.
    pub keyless_timeout: Duration,
    /// How long a body may take from its first byte to its last.
    pub body_timeout: Duration,
    /// How long a client may go without taking any of its answer.
    pub write_timeout: Duration,
    /// How long requests under way may take to finish once the service is to stop.
    pub shutdown_grace: Duration,
    /// When somebody last called; probes and metrics do not count.
    pub last_call: LastCall,
    /// Whether connections settle; off only where a benchmark asks what that is worth.
    #[doc(hidden)]
    pub settle: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            instance: Uuid::now_v7(),
            origin: None,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            rate_limit: 100,
            connections_max: 1024,
            body_bytes_max: 1_048_576,
            header_timeout: Duration::from_secs(30),
            keyless_timeout: Duration::from_secs(5),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            shutdown_grace: Duration::from_secs(10),
            last_call: LastCall::default(),
            settle: true,
        }
    }
}

/// When somebody last called, or when the service started.
#[derive(Debug, Clone)]
pub struct LastCall(Arc<Mutex<Instant>>);

impl Default for LastCall {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }
}

impl LastCall {
    pub(super) fn is_now(&self) {
        *self.0.lock() = Instant::now();
    }

    /// Returns once nobody has called for that long.
    pub async fn is_long_ago(&self, long: Duration) {
        loop {
            let ago = self.0.lock().elapsed();
            match long.checked_sub(ago) {
                None | Some(Duration::ZERO) => return,
                Some(left) => tokio::time::sleep(left).await,
            }
        }
    }
}

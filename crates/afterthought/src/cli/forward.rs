//! Sending MCP messages to a service, here or elsewhere.
//!
//! Every message has a connection of its own: one that is kept may have died unnoticed, and then nobody could tell whether a message
//! arrived.

use std::io::ErrorKind;
use std::time::Duration;

use anyhow::bail;
use ureq::{Agent, Timeout};

use super::usage::Usage;
use crate::mcp::Headers;

/// How long making a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// An edit may ask a language model, which may take minutes.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(330);

/// A service and the key that opens it.
#[derive(Clone)]
pub(super) struct Forward {
    agent: Agent,
    url: String,
    key: String,
}

/// What a service answered.
pub(super) struct Answered {
    pub(super) status: u16,
    pub(super) body: String,
}

/// Why a message was not answered.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unanswered {
    /// It never left, so that sending it again does no harm.
    #[error("the service cannot be reached: {0}")]
    NotSent(String),
    /// It may have been carried out.
    #[error("the service went away before it answered: {0}")]
    Lost(String),
}

impl Forward {
    /// To the service at `url`, here or elsewhere.
    pub(super) fn new(url: String, key: String) -> Self {
        Self::within(url, key, ANSWER_TIMEOUT)
    }

    /// The same with less patience.
    pub(super) fn within(url: String, key: String, patience: Duration) -> Self {
        let config = Agent::config_builder()
            .timeout_connect(Some(CONNECT_TIMEOUT.min(patience)))
            .timeout_global(Some(patience))
            .max_redirects(0)
            .max_idle_connections(0)
            .http_status_as_error(false);
        // What is on this machine is not behind a proxy.
        let config = if is_loopback(&url) { config.proxy(None) } else { config };
        Self { agent: config.build().into(), url, key }
    }

    /// Sends a message and returns what came back.
    pub(super) fn post(&self, message: &str, headers: &Headers<'_>) -> Result<Answered, Unanswered> {
        let mut request = self.agent.post(&self.url).header("authorization", format!("Bearer {}", self.key));
        request = request.header("accept", "application/json").header("content-type", "application/json");
        let given = [
            ("mcp-protocol-version", &headers.protocol_version),
            ("mcp-method", &headers.method),
            ("mcp-name", &headers.name),
        ];
        for (name, value) in given {
            if let Some(value) = value {
                request = request.header(name, value.as_ref());
            }
        }
        let mut response = request.send(message).map_err(unanswered)?;
        let body = response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_string();
        let body = body.map_err(|error| Unanswered::Lost(error.to_string()))?;
        Ok(Answered { status: response.status().as_u16(), body })
    }
}

/// How long a service may take to say how it is.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(2);

/// What the service at an address says of itself, if one answers there.
pub(super) fn health(origin: &str) -> Option<String> {
    let config =
        Agent::config_builder().timeout_global(Some(HEALTH_TIMEOUT)).max_redirects(0).http_status_as_error(false);
    let config = if is_loopback(origin) { config.proxy(None) } else { config };
    let mut answer = Agent::from(config.build()).get(format!("{origin}/healthz")).call().ok()?;
    answer.body_mut().with_config().limit(HEALTH_BYTES_MAX).read_to_string().ok()
}

/// More than a service says of itself.
const HEALTH_BYTES_MAX: u64 = 4096;

/// An answer holds 2 MiB of thoughts, twice: as text within JSON, and as JSON.
const ANSWER_BYTES_MAX: u64 = 32 << 20;

fn unanswered(error: ureq::Error) -> Unanswered {
    let said = error.to_string();
    let is_unsent = match error {
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed => true,
        ureq::Error::Timeout(timeout) => matches!(timeout, Timeout::Connect | Timeout::Resolve),
        ureq::Error::Io(error) => {
            matches!(
                error.kind(),
                ErrorKind::ConnectionRefused | ErrorKind::AddrNotAvailable | ErrorKind::HostUnreachable
            )
        }
        _ => false,
    };
    if is_unsent { Unanswered::NotSent(said) } else { Unanswered::Lost(said) }
}

fn is_loopback(url: &str) -> bool {
    ["http://127.", "http://localhost", "http://[::1]"].iter().any(|start| url.starts_with(start))
}

/// The endpoint of the service at an address, with or without `/api/mcp`.
pub(super) fn endpoint(url: &str) -> anyhow::Result<String> {
    let url = url.trim().trim_end_matches('/');
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or_default();
    if rest.is_empty() || rest.contains([' ', '"', '#', '?']) {
        bail!(Usage(format!("`{url}` is no address of a service: expected for example https://memory.example.org")));
    }
    Ok(if url.ends_with("/api/mcp") { url.to_owned() } else { format!("{url}/api/mcp") })
}

/// The key for a service elsewhere, from the environment.
pub(super) fn key_of_environment() -> anyhow::Result<String> {
    match std::env::var("AFTERTHOUGHT_KEY").ok().filter(|key| !key.trim().is_empty()) {
        Some(key) => Ok(key.trim().to_owned()),
        None => bail!(Usage("a service elsewhere needs its key: put it into the variable AFTERTHOUGHT_KEY".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_name_the_endpoint_or_not() {
        for url in ["https://m.example.org", "https://m.example.org/", "https://m.example.org/api/mcp"] {
            assert_eq!(endpoint(url).unwrap(), "https://m.example.org/api/mcp", "{url}");
        }
        for url in ["", "m.example.org", "http://", "ftp://x", "http://a b"] {
            assert!(endpoint(url).is_err(), "{url}");
        }
    }

    #[test]
    fn what_never_left_is_told_from_what_may_have_arrived() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let forward = Forward::new(format!("http://{address}/api/mcp"), "k".into());
        let dropping = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = std::io::Read::read(&mut stream, &mut [0; 4096]);
        });
        assert!(matches!(forward.post("{}", &Headers::default()), Err(Unanswered::Lost(_))));
        dropping.join().unwrap();
        assert!(matches!(forward.post("{}", &Headers::default()), Err(Unanswered::NotSent(_))));
    }
}

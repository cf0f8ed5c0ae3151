//! An OpenAI-compatible endpoint: JSON to one address, JSON back.
//!
//! - Nothing is sent before the first call, and nothing to another address: redirects are not followed.
//! - The key is shown to the endpoint alone, never in a message or a debug form.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::Agent;

use model::Invalid;

/// How long making a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Where an endpoint is, and which of its models to ask.
#[derive(Clone, PartialEq, Eq)]
pub struct RemoteSettings {
    /// The address: of the endpoint itself, or of what it is below of.
    pub url: String,
    /// The name of the model.
    pub model: String,
    /// What to show as bearer token.
    pub key: Option<String>,
}

impl std::fmt::Debug for RemoteSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteSettings").field("url", &self.url).field("model", &self.model).finish_non_exhaustive()
    }
}

/// One endpoint, ready to be called.
pub struct Endpoint {
    agent: Agent,
    address: String,
    key: Option<String>,
}

/// Why a call brought no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// It answered with something else than success.
    #[error("it answered {0}")]
    Status(u16),
    /// It could not be reached, or not in time.
    #[error("{0}")]
    Unreachable(String),
    /// It answered with success, but with nothing that can be read.
    #[error("its answer could not be read")]
    Unreadable,
}

impl Endpoint {
    /// Prepares calls of `path`, such as `embeddings`; `kind` names the model in what is said of wrong settings.
    pub fn new(settings: &RemoteSettings, path: &str, kind: &str) -> Result<Self, Invalid> {
        let url = settings.url.trim_end_matches('/');
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return Err(Invalid::new(format!("the address of {kind} starts with http:// or https://")));
        }
        if settings.model.trim().is_empty() {
            return Err(Invalid::new(format!("{kind} behind an address needs its name")));
        }
        let address = match url {
            url if url.ends_with(&format!("/{path}")) => url.to_owned(),
            url if url.ends_with("/v1") => format!("{url}/{path}"),
            url => format!("{url}/v1/{path}"),
        };
        let config = Agent::config_builder()
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .max_redirects(0)
            .http_status_as_error(false)
            .build();
        Ok(Self { agent: config.into(), address, key: settings.key.clone() })
    }

    /// Sends `request` and reads the answer, both within `timeout`.
    pub fn call<T: DeserializeOwned>(&self, request: &impl Serialize, timeout: Duration) -> Result<T, CallError> {
        let body = serde_json::to_vec(request).expect("requests can be written as JSON");
        let call = self.agent.post(&self.address).config().timeout_global(Some(timeout)).build();
        let mut call = call.header("content-type", "application/json");
        if let Some(key) = &self.key {
            call = call.header("authorization", format!("Bearer {key}"));
        }
        let unreachable = |error: ureq::Error| CallError::Unreachable(error.to_string());
        let mut response = call.send(&body[..]).map_err(unreachable)?;
        if !response.status().is_success() {
            return Err(CallError::Status(response.status().as_u16()));
        }
        let body = response.body_mut().read_to_vec().map_err(unreachable)?;
        serde_json::from_slice(&body).map_err(|_| CallError::Unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(url: &str) -> RemoteSettings {
        RemoteSettings { url: url.into(), model: "small".into(), key: Some("secret".into()) }
    }

    #[test]
    fn an_address_may_name_the_endpoint_or_what_it_is_below_of() {
        for url in ["http://host:1", "http://host:1/", "http://host:1/v1", "http://host:1/v1/embeddings"] {
            let endpoint = Endpoint::new(&settings(url), "embeddings", "a model").unwrap();
            assert_eq!(endpoint.address, "http://host:1/v1/embeddings", "{url}");
        }
        assert!(Endpoint::new(&settings("host:1"), "embeddings", "a model").is_err());
        assert!(Endpoint::new(&RemoteSettings { model: " ".into(), ..settings("http://h") }, "x", "a model").is_err());
    }

    #[test]
    fn a_key_is_not_shown() {
        assert!(!format!("{:?}", settings("http://host")).contains("secret"));
    }
}

//! The one place where failures become JSON-RPC errors or tool results.
//!
//! A fault is about the message, or about a store that fails whatever the message, and becomes a JSON-RPC error. A refusal is about
//! what a tool was asked to do and becomes a result a model can read and correct itself by. What failed inside is logged here
//! and never told.

use serde_json::{Value, json};
use tracing::error;

use model::Invalid;
use service::memory::MemoryError;
use store::StoreError;

use super::generation::STATELESS_VERSION;
use super::refusal;
use super::tools::Tool;

/// Why a message was not carried out.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) kind: FaultKind,
    pub(super) message: String,
    pub(super) data: Option<Value>,
}

/// What kind of fault it is; HTTP chooses its status by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The body is not JSON.
    NotJson,
    /// The body is JSON and no JSON-RPC 2.0 request.
    NotARequest,
    /// The stateless generation's headers and body do not say the same.
    HeaderMismatch,
    /// The stateless generation's `_meta` lacks what every request must carry.
    MetaMissing,
    /// A protocol version that is not spoken here.
    UnsupportedVersion,
    /// A method that is not offered.
    UnknownMethod,
    /// An unknown tool, or parameters of the wrong shape.
    InvalidParams,
    /// The store cannot be reached, is full or fails.
    StoreFailed,
}

impl FaultKind {
    /// The code of the JSON-RPC error.
    pub const fn code(self) -> i32 {
        match self {
            Self::NotJson => -32_700,
            Self::NotARequest => -32_600,
            Self::HeaderMismatch => -32_020,
            Self::UnsupportedVersion => -32_022,
            Self::UnknownMethod => -32_601,
            Self::MetaMissing | Self::InvalidParams => -32_602,
            Self::StoreFailed => STORE_ERROR_CODE,
        }
    }
}

/// The JSON-RPC code of what is refused or fails before a message is looked at.
pub const TRANSPORT_ERROR_CODE: i32 = -32_000;

/// The JSON-RPC code where the store cannot be reached, is full or fails.
pub const STORE_ERROR_CODE: i32 = -32_001;

/// The JSON-RPC code of a failure inside the service.
pub const INTERNAL_ERROR_CODE: i32 = -32_603;

impl Fault {
    fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), data: None }
    }

    pub(super) fn not_json(message: impl Into<String>) -> Self {
        Self::new(FaultKind::NotJson, message)
    }

    pub(super) fn not_a_request(message: impl Into<String>) -> Self {
        Self::new(FaultKind::NotARequest, message)
    }

    pub(super) fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(FaultKind::HeaderMismatch, message)
    }

    pub(super) fn meta_missing(key: &str) -> Self {
        Self::new(FaultKind::MetaMissing, format!("`params._meta` lacks `{key}`"))
    }

    pub(super) fn unsupported_version(requested: &str) -> Self {
        let data = json!({"supported": [STATELESS_VERSION], "requested": requested});
        Self { data: Some(data), ..Self::new(FaultKind::UnsupportedVersion, "unsupported protocol version") }
    }

    pub(super) fn unknown_method(method: &str) -> Self {
        Self::new(FaultKind::UnknownMethod, format!("no method `{}`: use tools/list and tools/call", shorten(method)))
    }

    pub(super) fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(FaultKind::InvalidParams, message)
    }

    pub(super) fn unknown_tool(name: &str) -> Self {
        let names = Tool::ALL.map(Tool::name).join(", ");
        Self::invalid_params(format!("no tool `{}`: the tools are {names}", shorten(name)))
    }
}

/// Why a tool did not do what it was asked to. Nothing has changed.
#[derive(Debug)]
pub(super) enum ToolError {
    /// The sentence says what is wrong and what is allowed.
    Refused(String),
    /// The service failed.
    Failed(StoreError),
}

impl From<Invalid> for ToolError {
    fn from(invalid: Invalid) -> Self {
        Self::Refused(invalid.0)
    }
}

impl From<MemoryError> for ToolError {
    fn from(error: MemoryError) -> Self {
        match error {
            MemoryError::Refused(refusal) => Self::Refused(refusal::sentence(&refusal)),
            MemoryError::Store(error) => Self::Failed(error),
        }
    }
}

impl ToolError {
    /// What is refused as a sentence for the client, else what is wrong with the store. That is logged with its cause, which
    /// stays inside.
    pub(super) fn into_sentence(self, tool: Tool) -> Result<String, Fault> {
        let error = match self {
            Self::Refused(sentence) => return Ok(sentence),
            Self::Failed(error) => error,
        };
        error!(tool = tool.name(), error = &error as &dyn std::error::Error, "{} failed", tool.name());
        let remedy = match error {
            StoreError::Unsure { .. } => {
                // The one failure after which something may have changed.
                return Err(Fault::new(FaultKind::StoreFailed, error.to_string()));
            }
            StoreError::Busy(_) => "another program keeps the store busy: try again in a moment",
            StoreError::Full(_) => {
                "the disk of the service is full: its operator has to free some space; then do the same again"
            }
            _ => "try again, and tell the operator of the service if it happens again",
        };
        let message = format!("the service could not {}; nothing was changed; {remedy}", tool.action());
        Err(Fault::new(FaultKind::StoreFailed, message))
    }
}

/// What a client wrote, short enough to be repeated to it.
pub(super) fn shorten(text: &str) -> String {
    const CHARS_MAX: usize = 60;
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_it_is_not_known_what_was_stored_nobody_is_told_that_nothing_was() {
        let unsure = StoreError::Unsure { what: "the thought 0197c1a2".to_owned() };
        let fault = ToolError::from(MemoryError::Store(unsure)).into_sentence(Tool::Capture).unwrap_err();
        assert_eq!(fault.kind.code(), -32_001);
        let said = fault.message;
        assert!(said.contains("the thought 0197c1a2") && said.contains("may have been"), "{said}");
        assert!(!said.contains("nothing was changed"), "{said}");
    }

    #[test]
    fn a_failure_of_the_store_does_not_tell_its_cause() {
        for (error, remedy) in [
            (StoreError::backend("/secret/path: disk I/O error"), "tell the operator"),
            (StoreError::Busy("locked by pid 7".into()), "try again in a moment"),
            (StoreError::Full("/secret/path".into()), "free some space; then do the same again"),
        ] {
            let fault = ToolError::from(MemoryError::Store(error)).into_sentence(Tool::Capture).unwrap_err();
            assert_eq!(fault.kind.code(), -32_001);
            let said = fault.message;
            assert!(said.starts_with("the service could not store the thought; nothing was changed; "), "{said}");
            assert!(said.contains(remedy) && !said.contains("secret") && !said.contains("pid"), "{said}");
        }
    }

    #[test]
    fn what_a_client_wrote_is_repeated_shortened() {
        assert_eq!(shorten("tea"), "tea");
        assert_eq!(shorten(&"ä".repeat(100)).chars().count(), 61);
    }
}

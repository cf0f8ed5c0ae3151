//! The one place where failures become JSON-RPC errors or tool results.
//!
//! A fault is about the message and becomes a JSON-RPC error. A tool error is about what a tool was asked to do and
//! becomes a result a model can read and correct itself by. What failed inside is logged here and never told.

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
        }
    }
}

/// The JSON-RPC code of what is refused or fails before a message is looked at.
pub const TRANSPORT_ERROR_CODE: i32 = -32_000;

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
    /// The sentence for the client. A failure is logged with its cause, which stays inside.
    pub(super) fn into_sentence(self, tool: Tool) -> String {
        let error = match self {
            Self::Refused(sentence) => return sentence,
            Self::Failed(error) => error,
        };
        error!(tool = tool.name(), error = &error as &dyn std::error::Error, "{} failed", tool.name());
        let when = match error {
            StoreError::Busy(_) => "try again in a moment",
            _ => "try again, and tell the operator of the service if it happens again",
        };
        format!("the service could not {}; nothing was changed; {when}", tool.action())
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
    fn a_failure_of_the_store_does_not_tell_its_cause() {
        for error in [StoreError::backend("/secret/path: disk I/O error"), StoreError::Busy("locked by pid 7".into())] {
            let sentence = ToolError::from(MemoryError::Store(error)).into_sentence(Tool::Capture);
            assert!(sentence.starts_with("the service could not store the thought; nothing was changed; try again"));
            assert!(!sentence.contains("disk") && !sentence.contains("pid"), "{sentence}");
        }
    }

    #[test]
    fn what_a_client_wrote_is_repeated_shortened() {
        assert_eq!(shorten("tea"), "tea");
        assert_eq!(shorten(&"ä".repeat(100)).chars().count(), 61);
    }
}

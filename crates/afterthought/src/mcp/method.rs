//! The methods a client can ask for.

use super::generation::{DISCOVER, Generation};
use super::message::Request;
use super::tools::Tool;

/// The methods there are; whatever else a client asks for is `Other`, so that logs and metrics stay bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `initialize`
    Initialize,
    /// `ping`
    Ping,
    /// `server/discover`
    Discover,
    /// `tools/list`
    ListTools,
    /// `tools/call` with the tool, if there is one of that name.
    CallTool(Option<Tool>),
    /// A notification.
    Notification,
    /// Anything else, and what could not be read.
    Other,
}

impl Method {
    /// The name of the method.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Initialize => "initialize",
            Self::Ping => "ping",
            Self::Discover => DISCOVER,
            Self::ListTools => "tools/list",
            Self::CallTool(_) => "tools/call",
            Self::Notification => "notification",
            Self::Other => "other",
        }
    }

    /// The method of a request. Each generation has its own way of getting acquainted, and only that one.
    pub(super) fn of(request: &Request<'_>, generation: Generation) -> Self {
        match (request.method.as_ref(), generation) {
            ("tools/list", _) => Self::ListTools,
            ("tools/call", _) => Self::CallTool(None),
            ("initialize", Generation::Handshake) => Self::Initialize,
            ("ping", Generation::Handshake) => Self::Ping,
            (DISCOVER, Generation::Stateless) => Self::Discover,
            _ => Self::Other,
        }
    }
}

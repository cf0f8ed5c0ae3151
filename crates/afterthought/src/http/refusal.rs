//! The one place where refusals and outcomes become HTTP statuses.

use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::{ALLOW, CONNECTION, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};

use super::reply::{self, Reply};
use crate::mcp::{self, FaultKind, Generation, INTERNAL_ERROR_CODE, STORE_ERROR_CODE, TRANSPORT_ERROR_CODE};

/// Why a request was not handed on to MCP, in the order in which it is checked.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Another method than the path has.
    Method { allowed: &'static str },
    /// The `Host` is not one of this service.
    Host,
    /// The `Origin` may not use this service.
    Origin,
    /// There is no key.
    KeyMissing,
    /// The key is unknown, revoked or no key at all; which of them is not told.
    KeyInvalid,
    /// The store failed before the key could be checked.
    KeyUnchecked,
    /// The key was used too often.
    RateLimit { retry_after_s: u64 },
    /// The client takes neither of the two formats there are.
    NotAcceptable,
    /// The body is not JSON by its own account.
    ContentType,
    /// The body is compressed.
    ContentEncoding,
    /// The body is larger than allowed.
    BodyTooLarge { bytes_max: usize },
    /// The body did not arrive in time.
    BodyTimeout,
    /// The body ended before its end.
    BodyBroken,
    /// A bug.
    Panic,
}

impl Refusal {
    /// The status it is answered with.
    pub(super) const fn status(&self) -> StatusCode {
        match self {
            Self::Method { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::Host | Self::Origin => StatusCode::FORBIDDEN,
            Self::KeyMissing | Self::KeyInvalid => StatusCode::UNAUTHORIZED,
            Self::KeyUnchecked => StatusCode::SERVICE_UNAVAILABLE,
            Self::RateLimit { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            Self::ContentType | Self::ContentEncoding => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::BodyTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTimeout => StatusCode::REQUEST_TIMEOUT,
            Self::BodyBroken => StatusCode::BAD_REQUEST,
            Self::Panic => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Method { allowed } => format!("method not allowed: use {allowed}"),
            Self::Host => "the Host of the request is not allowed: add it to the allowed hosts of the service".into(),
            Self::Origin => {
                "the Origin of the request is not allowed: add it to the allowed origins of the service".into()
            }
            Self::KeyMissing => "no API key: send the header `Authorization: Bearer <API_KEY>`".into(),
            Self::KeyInvalid => "the API key is not valid: it is unknown, revoked or malformed".into(),
            Self::KeyUnchecked => {
                "the store cannot be reached, so the API key could not be checked: try again in a moment, and tell the \
                 operator of the service if it happens again"
                    .into()
            }
            Self::RateLimit { retry_after_s } => format!("too many requests: try again in {retry_after_s} s"),
            Self::NotAcceptable => "not acceptable: send `Accept: application/json, text/event-stream`".into(),
            Self::ContentType => "unsupported media type: send `Content-Type: application/json` in UTF-8".into(),
            Self::ContentEncoding => "unsupported content encoding: send the body uncompressed".into(),
            Self::BodyTooLarge { bytes_max } => format!("the body is too large: at most {bytes_max} bytes are allowed"),
            Self::BodyTimeout => "the body did not arrive in time".into(),
            Self::BodyBroken => "the body could not be read to its end".into(),
            Self::Panic => "internal error".into(),
        }
    }

    /// The answer: a JSON-RPC error with a null id, since no message has been read.
    pub(super) fn reply(&self) -> Reply {
        let code = match self {
            Self::KeyUnchecked => STORE_ERROR_CODE,
            Self::Panic => INTERNAL_ERROR_CODE,
            _ => TRANSPORT_ERROR_CODE,
        };
        let body = Bytes::from(mcp::error_response(code, &self.message()));
        let mut reply = reply::json(self.status(), body);
        let headers = reply.headers_mut();
        match self {
            Self::Method { allowed } => {
                headers.insert(ALLOW, HeaderValue::from_static(allowed));
            }
            Self::KeyMissing => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"afterthought\""));
            }
            Self::KeyInvalid => {
                let challenge = HeaderValue::from_static("Bearer realm=\"afterthought\", error=\"invalid_token\"");
                headers.insert(WWW_AUTHENTICATE, challenge);
            }
            Self::KeyUnchecked => {
                headers.insert(RETRY_AFTER, STORE_RETRY_AFTER);
            }
            Self::RateLimit { retry_after_s } => {
                headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after_s));
            }
            Self::BodyTimeout | Self::BodyBroken => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        reply
    }
}

/// When to try again where the store failed, in seconds: whoever keeps it busy is soon done, and whoever frees space on its disk takes
/// longer.
pub(super) const STORE_RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");

/// The status of what MCP answered. The handshake generation's clients take anything but 200 for a broken connection and
/// never read the error; the stateless generation's expect a status that says the same as the error.
pub(super) const fn status_of(outcome: mcp::Outcome) -> StatusCode {
    use FaultKind::{
        HeaderMismatch, InvalidParams, MetaMissing, NotARequest, NotJson, StoreFailed, UnknownMethod,
        UnsupportedVersion,
    };
    match outcome {
        mcp::Outcome::Done | mcp::Outcome::Refused => StatusCode::OK,
        mcp::Outcome::Failed => StatusCode::SERVICE_UNAVAILABLE,
        mcp::Outcome::Noted => StatusCode::ACCEPTED,
        mcp::Outcome::Fault(kind, generation) => match (kind, generation) {
            (NotJson | NotARequest | HeaderMismatch | MetaMissing | UnsupportedVersion, _) => StatusCode::BAD_REQUEST,
            (UnknownMethod, Generation::Stateless) => StatusCode::NOT_FOUND,
            (UnknownMethod | InvalidParams, _) => StatusCode::OK,
            (StoreFailed, _) => StatusCode::SERVICE_UNAVAILABLE,
        },
    }
}

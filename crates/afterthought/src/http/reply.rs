//! The forms an answer can have.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, VARY,
};
use hyper::{Response, StatusCode};

use super::reply_body::ReplyBody;

/// An answer.
pub(super) type Reply = Response<ReplyBody>;

/// The form in which a JSON-RPC response is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// `application/json`
    Json,
    /// `text/event-stream`
    EventStream,
}

/// JSON.
pub(super) fn json(status: StatusCode, body: impl Into<Bytes>) -> Reply {
    typed(status, "application/json", body.into())
}

/// Plain text.
pub(super) fn text(status: StatusCode, body: &'static str) -> Reply {
    typed(status, "text/plain; charset=utf-8", Bytes::from_static(body.as_bytes()))
}

/// Nothing but a status.
pub(super) fn empty(status: StatusCode) -> Reply {
    let mut reply = Response::new(ReplyBody::default());
    *reply.status_mut() = status;
    reply
}

/// What a page may send.
pub(super) fn preflight() -> Reply {
    let mut reply = empty(StatusCode::NO_CONTENT);
    let allowed = [
        (ACCESS_CONTROL_ALLOW_METHODS, "POST"),
        (
            ACCESS_CONTROL_ALLOW_HEADERS,
            "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id",
        ),
        (ACCESS_CONTROL_MAX_AGE, "600"),
    ];
    reply.headers_mut().extend(allowed.map(|(name, value)| (name, HeaderValue::from_static(value))));
    reply
}

/// Lets a page read an answer.
pub(super) fn let_page_read(reply: &mut Reply, page: HeaderValue) {
    let headers = reply.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, page);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("www-authenticate, retry-after"));
    headers.insert(VARY, HeaderValue::from_static("origin"));
}

/// Any other type of content.
pub(super) fn typed(status: StatusCode, content_type: &'static str, body: Bytes) -> Reply {
    let mut reply = Response::new(ReplyBody::Whole(Full::new(body)));
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    reply
}

/// Something that is sent as it is made, and neither kept nor held back by anybody in between.
pub(super) fn streamed(content_type: &'static str, body: ReplyBody) -> Reply {
    let mut reply = Response::new(body);
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    let_flow(&mut reply);
    reply
}

/// A JSON-RPC response in the format the client asked for. Clients read an error status only as JSON.
pub(super) fn message(status: StatusCode, format: Format, body: Vec<u8>) -> Reply {
    if format == Format::Json || status != StatusCode::OK {
        return json(status, body);
    }
    let mut reply = typed(status, "text/event-stream", Bytes::from(event(&body)));
    let_flow(&mut reply);
    reply
}

fn let_flow(reply: &mut Reply) {
    let headers = reply.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // Keeps nginx from holding an event back until its buffer is full.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
}

/// One server-sent event. JSON as it is written here has no line breaks, so one data line holds it.
fn event(body: &[u8]) -> Vec<u8> {
    [b"event: message\ndata: ", body, b"\n\n"].concat()
}

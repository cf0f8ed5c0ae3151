//! `/api/app/…`: lets a request of the page in or refuses it, in one fixed order, and hands it on.
//!
//! The order: host and origin, path and method, session, rate limit, body. Nothing of a body is read before the session has been
//! found good.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{CACHE_CONTROL, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::http::request::Parts;
use hyper::{Method, Request};
use tokio::sync::watch;
use tracing::debug;

use service::auth::{Keyring, Look, Sessions};
use service::memory::Memory;

use super::asked::{Asked, Body};
use super::fault::Fault;
use super::query::decoded;
use super::streams::Streams;
use crate::http::bearer::bearer_token;
use crate::http::body;
use crate::http::origin::Allowed;
use crate::http::peer::Keyed;
use crate::http::rate::RateLimit;
use crate::http::refusal::Refusal as Denial;
use crate::http::reply::Reply;
use crate::http::settings::Settings;

/// Where the API is.
pub(crate) const ROOT: &str = "/api/app/";

/// What stands between the page and the rules.
pub(crate) struct AppEndpoint {
    pub(super) memory: Memory,
    pub(super) keyring: Keyring,
    pub(super) sessions: Sessions,
    pub(super) rate_limit: Arc<RateLimit>,
    pub(super) streams: Streams,
    /// Becomes true when the service is to stop.
    pub(super) stopping: watch::Receiver<bool>,
    allowed: Allowed,
    body_bytes_max: usize,
    body_timeout: Duration,
}

impl AppEndpoint {
    /// Puts the checks in front of the rules, for a service that listens on `address`.
    pub(crate) fn new(
        memory: Memory,
        keyring: Keyring,
        sessions: Sessions,
        rate_limit: Arc<RateLimit>,
        stopping: watch::Receiver<bool>,
        settings: &Settings,
        address: SocketAddr,
    ) -> Self {
        Self {
            memory,
            keyring,
            sessions,
            rate_limit,
            streams: Streams::default(),
            stopping,
            allowed: Allowed::new(settings, address),
            body_bytes_max: settings.body_bytes_max,
            body_timeout: settings.body_timeout,
        }
    }

    /// Answers a request below [`ROOT`].
    pub(crate) async fn respond(&self, request: Request<Incoming>) -> Reply {
        let (head, incoming) = request.into_parts();
        let headers = head.headers.clone();
        let body = Body::new(incoming, self.body_bytes_max, self.body_timeout);
        let (mut reply, rest) = self.answer(head, body).await;
        if let Some(rest) = rest {
            body::discard(&headers, rest);
        }
        let headers = reply.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        debug!(http.status = reply.status().as_u16(), "answered a request of the app");
        reply
    }

    /// The answer, and what nobody has read of the body.
    async fn answer(&self, head: Parts, body: Body) -> (Reply, Option<Incoming>) {
        let segments = match self.admit(&head) {
            Ok(segments) => segments,
            Err(fault) => return (fault.reply(), body.rest()),
        };
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        if (&head.method, segments.as_slice()) == (&Method::POST, &["session"]) {
            let reply = self.sign_in(&head, &body).await.unwrap_or_else(Fault::reply);
            return (reply, body.rest());
        }
        let (token, session) = match self.session_of(&head).await {
            Ok(known) => known,
            Err(fault) => return (fault.reply(), body.rest()),
        };
        let asked = Asked { caller: session.caller(), session, token, head, body };
        let reply = match self.rate_limit.check(&asked.caller) {
            Ok(()) => self.carry_out(&asked, &segments).await.unwrap_or_else(Fault::reply),
            Err(denial) => Fault::Denied(denial).reply(),
        };
        let mut reply = reply;
        reply.extensions_mut().insert(Keyed);
        (reply, asked.body.rest())
    }

    /// The parts of the path, if a page of this service asks.
    fn admit(&self, head: &Parts) -> Result<Vec<String>, Fault> {
        self.allowed.check_own_page(head)?;
        let path = head.uri.path().strip_prefix(ROOT).unwrap_or_default();
        let segments = path.split('/').map(decoded).collect::<Result<Vec<_>, _>>()?;
        let allowed = methods(&segments.iter().map(String::as_str).collect::<Vec<_>>()).ok_or(Fault::NoSuchPath)?;
        match allowed.split(", ").any(|method| method == head.method.as_str()) {
            true => Ok(segments),
            false => Err(Fault::Denied(Denial::Method { allowed })),
        }
    }

    /// The session whose token a request shows. An open stream of changes does not count as a use: nobody may sit before it.
    async fn session_of(&self, head: &Parts) -> Result<(String, model::Session), Fault> {
        let token = bearer_token(&head.headers).map_err(|_| Fault::SignedOut)?;
        let look = if head.uri.path().ends_with("/changes") { Look::Watch } else { Look::Use };
        let session = self.sessions.verify(token, look).await?.ok_or(Fault::SignedOut)?;
        Ok((token.to_owned(), session))
    }

    async fn carry_out(&self, asked: &Asked, segments: &[&str]) -> Result<Reply, Fault> {
        match (asked.head.method.as_str(), segments) {
            ("GET", ["session"]) => Self::session(asked),
            ("DELETE", ["session"]) => self.sign_out(asked).await,
            ("GET", ["thoughts"]) => self.list(asked).await,
            ("GET", ["thoughts", id]) => self.thought(asked, id).await,
            ("POST", ["thoughts", id, "retry"]) => self.retry(asked, id).await,
            ("GET", ["entities"]) => self.list_entities(asked).await,
            ("GET", ["entities", id]) => self.entity(asked, id).await,
            ("GET", ["changes"]) => self.changes(asked).await,
            ("GET", ["export"]) => self.export(asked),
            ("POST", ["import"]) => self.import(asked).await,
            ("GET", ["graph"]) => self.graph(asked).await,
            ("GET", ["memory"]) => self.census(asked).await,
            ("GET", ["facets"]) => self.facets(asked).await,
            ("GET", ["duplicates"]) => self.duplicates(asked).await,
            ("POST", ["thoughts"]) => self.capture(asked).await,
            ("POST", ["thoughts", id, "edit"]) => self.edit(asked, id).await,
            ("POST", ["thoughts", id, "text"]) => self.reword(asked, id).await,
            ("POST", ["thoughts", id, "status"]) => self.set_status(asked, id).await,
            ("POST", ["thoughts", id, "undo"]) => self.undo(asked, id).await,
            ("POST", ["thoughts", id, "redo"]) => self.redo(asked, id).await,
            ("GET", ["thoughts", id, "history"]) => self.history(asked, id).await,
            ("GET", ["thoughts", id, "notes"]) => self.list_notes(asked, id).await,
            ("POST", ["thoughts", id, "notes"]) => self.attach_note(asked, id).await,
            ("GET", ["notes", id]) => self.read_note(asked, id).await,
            ("DELETE", ["notes", id]) => self.remove_note(asked, id).await,
            ("GET", ["keys"]) => self.list_keys(asked).await,
            ("POST", ["keys"]) => self.create_key(asked).await,
            ("DELETE", ["keys", id]) => self.revoke_key(asked, id).await,
            _ => Err(Fault::NoSuchPath),
        }
    }
}

/// The methods of a path; `None` if there is no such path.
pub(super) fn methods(segments: &[&str]) -> Option<&'static str> {
    match segments {
        ["session"] => Some("GET, POST, DELETE"),
        ["thoughts"] => Some("GET, POST"),
        ["thoughts", _, "edit" | "text" | "status" | "undo" | "redo" | "retry"] => Some("POST"),
        ["thoughts", _] | ["thoughts", _, "history"] | ["entities", _] => Some("GET"),
        ["changes" | "export" | "entities" | "graph" | "memory" | "facets" | "duplicates"] => Some("GET"),
        ["thoughts", _, "notes"] => Some("GET, POST"),
        ["notes", _] => Some("GET, DELETE"),
        ["import"] => Some("POST"),
        ["keys"] => Some("GET, POST"),
        ["keys", _] => Some("DELETE"),
        _ => None,
    }
}

//! Which path answers what, and that everything is answered.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode};
use tracing::{debug, error};
use uuid::Uuid;

use store::{Store, StoreError};

use super::app::{self, AppEndpoint};
use super::endpoint::McpEndpoint;
use super::metrics::Metrics;
use super::peer::Keyed;
use super::refusal::Refusal;
use super::reply::{self, Reply};
use super::settings::Settings;
use super::{body, openapi};
use crate::mcp;

/// What every connection shares.
pub(super) struct Router {
    /// What answers at the MCP endpoint.
    pub(super) endpoint: McpEndpoint,
    /// What answers the app's page.
    pub(super) app: AppEndpoint,
    /// Where the metrics' counts come from.
    pub(super) store: Arc<dyn Store>,
    pub(super) metrics: Metrics,
    pub(super) settings: Settings,
}

impl Router {
    /// Answers any request. A bug in what is called answers 500 and leaves the connection and the service alone.
    pub(super) async fn respond(&self, request: Request<Incoming>) -> Reply {
        let reply = caught(self.route(request)).await.unwrap_or_else(|| {
            error!("a request ended in a panic");
            Refusal::Panic.reply()
        });
        self.metrics.responded(reply.status().as_u16());
        reply
    }

    async fn route(&self, request: Request<Incoming>) -> Reply {
        let path = request.uri().path();
        if !matches!(path, "/healthz" | "/metrics") {
            self.settings.last_call.is_now();
        }
        if matches!(path, "/api/mcp" | "/api/mcp/") {
            return self.mcp(request).await;
        }
        if path.starts_with(app::ROOT) {
            return self.app.respond(request).await;
        }
        let reply = match (path, matches!(*request.method(), Method::GET | Method::HEAD)) {
            ("/healthz", true) => match self.store.check().await {
                Ok(()) => reply::json(StatusCode::OK, healthy(self.settings.instance)),
                Err(StoreError::Newer { .. }) => reply::json(StatusCode::SERVICE_UNAVAILABLE, STORE_NEWER),
                Err(_) => reply::json(StatusCode::SERVICE_UNAVAILABLE, STORE_GONE),
            },
            ("/openapi.json", true) => reply::json(StatusCode::OK, openapi::document()),
            ("/metrics", true) => {
                reply::typed(StatusCode::OK, OPENMETRICS, Bytes::from(self.metrics.text(&self.store).await))
            }
            ("/healthz" | "/openapi.json" | "/metrics", false) => Refusal::Method { allowed: "GET, HEAD" }.reply(),
            (path, is_read) => match app::page(path, request.headers()) {
                Some(page) if is_read => page,
                Some(_) => Refusal::Method { allowed: "GET, HEAD" }.reply(),
                None => reply::text(StatusCode::NOT_FOUND, "not found\n"),
            },
        };
        let (head, body) = request.into_parts();
        body::discard(&head.headers, body);
        reply
    }

    async fn mcp(&self, request: Request<Incoming>) -> Reply {
        let started = Instant::now();
        let exchange = self.endpoint.exchange(request).await;
        let duration = started.elapsed();
        self.metrics.exchanged(&exchange, duration);
        let tool = match exchange.method {
            Some(mcp::Method::CallTool(Some(tool))) => Some(tool.name()),
            _ => None,
        };
        debug!(
            http.status = exchange.reply.status().as_u16(),
            mcp.method = exchange.method.map(mcp::Method::name),
            mcp.tool = tool,
            key.id = exchange.key.map(tracing::field::display),
            outcome = exchange.outcome,
            duration_us = duration.as_micros() as u64,
            "answered a request"
        );
        let mut reply = exchange.reply;
        if exchange.key.is_some() {
            reply.extensions_mut().insert(Keyed);
        }
        reply
    }
}

/// The content type of the OpenMetrics text format.
const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The store is open before the first connection is accepted, and still there.
fn healthy(instance: Uuid) -> String {
    format!(r#"{{"status":"ok","version":"{}","instance":"{instance}"}}"#, env!("CARGO_PKG_VERSION"))
}

/// The store is gone or out of reach: nothing can be stored, whatever the account.
const STORE_GONE: &str = r#"{"status":"the store cannot be reached"}"#;

/// A copy of a later version has brought the store to its form: this one goes on with what it knows, until somebody replaces it.
const STORE_NEWER: &str = r#"{"status":"the store is of a later version than this copy, which is to be replaced"}"#;

/// What a future gives; `None` if it panics. It is not touched again after that, so no broken state is ever seen.
async fn caught<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(poll) => poll.map(Some),
        Err(_) => Poll::Ready(None),
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_caught_wherever_it_happens() {
        assert_eq!(caught(async { 7 }).await, Some(7));
        let late = async {
            tokio::task::yield_now().await;
            panic!("a bug")
        };
        assert_eq!(caught::<u8>(late).await, None);
    }
}

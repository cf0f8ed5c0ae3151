//! HTTP: paths, limits and statuses around the MCP endpoint, the app, and what operators look at.
//!
//! A request costs bounded memory and time whoever sends it. Logs name methods, tools, statuses and key ids, never a
//! text, a query or a key.

mod app;
mod bearer;
mod body;
mod connections;
mod endpoint;
mod exchange;
#[cfg(test)]
mod fuzz;
mod metrics;
mod negotiate;
mod openapi;
mod origin;
mod peer;
mod rate;
mod refusal;
mod reply;
mod reply_body;
mod router;
mod settings;
mod settle;
mod slots;
mod stream;

use std::io;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;

pub use settings::{LastCall, Settings};

use service::auth::{Keyring, Sessions};
use service::memory::Memory;
use store::Store;

use crate::mcp::Mcp;
use app::AppEndpoint;
use endpoint::McpEndpoint;
use metrics::Metrics;
use rate::RateLimit;
use router::Router;

/// What the service is made of.
#[derive(Clone)]
pub struct Parts {
    /// The product's rules.
    pub memory: Memory,
    /// Whose key it is.
    pub keyring: Keyring,
    /// Who is signed in to the app.
    pub sessions: Sessions,
    /// Where the metrics' counts come from.
    pub store: Arc<dyn Store>,
}

/// Serves until `shutdown` is ready. Requests under way are then finished, up to the settings' time limit.
pub async fn serve(
    listener: TcpListener,
    parts: Parts,
    settings: Settings,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    let Parts { memory, keyring, sessions, store } = parts;
    let (stop, stopping) = watch::channel(false);
    let rate_limit = Arc::new(RateLimit::new(settings.rate_limit));
    let mcp = Mcp::new(memory.clone());
    let router = Router {
        endpoint: McpEndpoint::new(mcp, keyring.clone(), rate_limit.clone(), &settings, address),
        app: AppEndpoint::new(memory, keyring, sessions, rate_limit, stopping, &settings, address),
        store,
        metrics: Metrics::new(),
        settings,
    };
    let shutdown = async {
        shutdown.await;
        // Answers that would go on for ever come to their end.
        stop.send_replace(true);
    };
    connections::run(listener, Arc::new(router), shutdown).await;
    Ok(())
}

//! HTTP: paths, limits and statuses around the MCP endpoint, and what operators look at.
//!
//! A request costs bounded memory and time whoever sends it. Logs name methods, tools, statuses and key ids, never a
//! text, a query or a key.

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
mod router;
mod settings;
mod settle;
mod slots;
mod stream;

use std::io;
use std::sync::Arc;

use tokio::net::TcpListener;

pub use settings::Settings;

use service::auth::Keyring;
use service::memory::Memory;
use store::Store;

use crate::mcp::Mcp;
use endpoint::McpEndpoint;
use metrics::Metrics;
use router::Router;

/// What the service is made of.
#[derive(Clone)]
pub struct Parts {
    /// The product's rules.
    pub memory: Memory,
    /// Whose key it is.
    pub keyring: Keyring,
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
    let router = Router {
        endpoint: McpEndpoint::new(Mcp::new(parts.memory), parts.keyring, &settings, address),
        store: parts.store,
        metrics: Metrics::new(),
        settings,
    };
    connections::run(listener, Arc::new(router), shutdown).await;
    Ok(())
}

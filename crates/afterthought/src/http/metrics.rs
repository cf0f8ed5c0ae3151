//! What the service counts about itself. Every label has a fixed set of values, whatever clients send.

use std::sync::Arc;
use std::time::{Duration, Instant};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};
use tokio::sync::Mutex;
use tracing::warn;

use model::Status;
use store::{Stats, Store};

use super::exchange::Exchange;
use crate::mcp::Method;

/// Counting what is stored is work; whoever asks more often gets the last count again.
const STATS_AGE_MAX: Duration = Duration::from_secs(5);

/// The counters and gauges of a running service.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<ToolLabels, Histogram>,
    responses: Family<StatusLabels, Counter>,
    connections: Gauge,
    stored: Stored,
    counted_at: Mutex<Option<Instant>>,
}

/// What the store holds.
#[derive(Default)]
struct Stored {
    accounts: Gauge,
    thoughts: Family<ThoughtLabels, Gauge>,
    pending_enrichment: Gauge,
    given_up: Gauge,
    damaged: Gauge,
    bytes: Gauge,
    held: Gauge,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    tool: &'static str,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ToolLabels {
    tool: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StatusLabels {
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ThoughtLabels {
    status: &'static str,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut registry = Registry::with_prefix("afterthought");
        let requests = Family::default();
        let durations = Family::new_with_constructor(buckets as fn() -> Histogram);
        let (responses, connections, stored) = (Family::default(), Gauge::default(), Stored::default());
        registry.register("requests", "MCP requests by tool and outcome", Family::clone(&requests));
        let help = "Time from a tool call's head to its answer";
        registry.register_with_unit("tool_duration", help, Unit::Seconds, Family::clone(&durations));
        registry.register("http_responses", "HTTP responses by status", Family::clone(&responses));
        registry.register("open_connections", "Open connections", Gauge::clone(&connections));
        registry.register("accounts", "Accounts", stored.accounts.clone());
        registry.register("thoughts", "Thoughts by status", stored.thoughts.clone());
        let help = "Thoughts whose background work is not finished";
        registry.register("pending_enrichment", help, stored.pending_enrichment.clone());
        let help = "Thoughts whose background work was given up";
        registry.register("given_up_enrichment", help, stored.given_up.clone());
        registry.register("damaged_accounts", "Accounts that cannot be read", stored.damaged.clone());
        registry.register_with_unit("store", "Size of the store on disk", Unit::Bytes, stored.bytes.clone());
        let help = "Memory that searched accounts take, by estimate";
        registry.register_with_unit("held", help, Unit::Bytes, stored.held.clone());
        Self { registry, requests, durations, responses, connections, stored, counted_at: Mutex::default() }
    }

    /// Counts a response, whatever it answered.
    pub(super) fn responded(&self, status: u16) {
        self.responses.get_or_create(&StatusLabels { status }).inc();
    }

    /// Counts an MCP request.
    pub(super) fn exchanged(&self, exchange: &Exchange, duration: Duration) {
        let tool = match exchange.method {
            Some(Method::CallTool(Some(tool))) => tool.name(),
            Some(Method::CallTool(None)) => "other",
            _ => "none",
        };
        self.requests.get_or_create(&RequestLabels { tool, outcome: exchange.outcome }).inc();
        if matches!(exchange.method, Some(Method::CallTool(Some(_)))) {
            self.durations.get_or_create(&ToolLabels { tool }).observe(duration.as_secs_f64());
        }
    }

    /// Counts a connection as open for as long as what is returned lives.
    pub(super) fn connection(&self) -> OpenConnection {
        self.connections.inc();
        OpenConnection(self.connections.clone())
    }

    /// Everything in the OpenMetrics text format.
    pub(super) async fn text(&self, store: &Arc<dyn Store>) -> String {
        self.count_stored(store).await;
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to memory does not fail");
        text
    }

    async fn count_stored(&self, store: &Arc<dyn Store>) {
        let mut counted_at = self.counted_at.lock().await;
        if counted_at.is_some_and(|at| at.elapsed() < STATS_AGE_MAX) {
            return;
        }
        match store.stats().await {
            Ok(stats) => self.stored.set(&stats),
            Err(error) => warn!(%error, "cannot count what is stored"),
        }
        *counted_at = Some(Instant::now());
    }
}

impl Stored {
    fn set(&self, stats: &Stats) {
        let whole = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        self.accounts.set(whole(stats.accounts));
        self.pending_enrichment.set(whole(stats.pending_enrichment));
        self.given_up.set(whole(stats.given_up));
        self.damaged.set(whole(stats.damaged));
        self.bytes.set(whole(stats.store_bytes));
        self.held.set(whole(stats.held_bytes));
        for (status, count) in
            [(Status::Open, stats.open), (Status::Completed, stats.completed), (Status::Archived, stats.archived)]
        {
            self.thoughts.get_or_create(&ThoughtLabels { status: status.as_str() }).set(whole(count));
        }
    }
}

/// A tenth of a millisecond to some seconds.
fn buckets() -> Histogram {
    Histogram::new(exponential_buckets(0.000_1, 2.0, 16))
}

/// An open connection, while it lives.
pub(super) struct OpenConnection(Gauge);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

//! The background path: takes jobs from the queue, derives what follows from texts, and stores it.
//!
//! - Nothing here changes what a person or an agent stored; all it adds can be made again.
//! - Whatever happens to a worker, a job is done once or given up visibly; a text that makes a step fail or panic harms no
//!   other.
//! - Computing happens on threads of its own, at a lower priority than requests.

mod backoff;
mod batch;
mod computer;
mod enrichment;
mod failure;
mod links;
mod meaning;
mod met;
mod replacing;
mod resting;
mod worker;
mod workers;

pub use enrichment::Enrichment;
pub use worker::{Round, Worker};
pub use workers::Workers;

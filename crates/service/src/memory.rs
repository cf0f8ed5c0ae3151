//! The product's rules: the one door for every protocol and the command line.
//!
//! Everything a caller does here stays within the caller's account, and what is refused changes nothing.

mod handle;
mod refusal;
mod error;
mod capture;
mod retrieve;
mod difference;
mod edit;
mod history;
mod looking;
mod notes;
mod overview;
mod transfer;
#[cfg(test)]
mod fuzz;

pub use capture::{Attribution, Capture};
pub use difference::Part;
pub use edit::{Changed, Edit, Edited, Excerpt, Travel};
pub use error::MemoryError;
pub use handle::Memory;
pub use history::{HistoricChange, History};
pub use looking::{Look, Looked, Place};
pub use overview::{GRAPH_NODES_MAX, Surroundings};
pub use refusal::Refusal;
pub use retrieve::{Found, Relevance, Retrieve, Retrieved};

//! The product's rules: the one door for MCP, the command line and whatever comes after them.
//!
//! Everything a caller does here stays within the caller's account, and what is refused changes nothing.

mod handle;
mod error;
mod capture;
mod retrieve;
mod edit;
mod notes;

pub use capture::{Attribution, Capture};
pub use edit::{Changed, Edit, Edited, Excerpt};
pub use error::MemoryError;
pub use handle::Memory;
pub use retrieve::{Found, Relevance, Retrieve, Retrieved};

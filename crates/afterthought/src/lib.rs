//! afterthought, a memory service for AI assistants: the protocols it speaks and the command line, over the rules of `service`. This
//! is where everything is put together, so it may use every other crate; `ARCHITECTURE.md` explains them.
//!
//! The order of the modules is the order of what uses what, and a test keeps it honest.

pub mod descriptors;
pub mod stores;
pub mod running;
mod transfer;
pub mod mcp;
pub mod http;
pub mod app;
pub mod cli;

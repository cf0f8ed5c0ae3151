//! afterthought: a memory service for AI assistants.
//!
//! The order of the modules below is the architecture: a module uses only what is declared above it. `ARCHITECTURE.md`
//! explains the layers, and a test keeps the order honest.

pub mod model;
pub mod text;
pub mod edit;
#[expect(unsafe_code, reason = "the one place with processor instructions")]
pub mod kernel;
pub mod vectors;
pub mod store;
pub mod remote;
pub mod embed;
pub mod adviser;
pub mod search;
pub mod memory;
pub mod enrich;
pub mod auth;
pub mod mcp;
pub mod http;
pub mod app;
pub mod cli;

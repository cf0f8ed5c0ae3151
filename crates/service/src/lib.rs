//! The rules of the product, above a store and below every protocol: searching, remembering, enriching, and who may. Uses every
//! crate below it; of stores it knows the contract alone, and which one is behind it is decided by whoever opens it.
//!
//! The order of the modules is the order of what uses what.

pub mod remote;
pub mod embed;
pub mod adviser;
pub mod search;
pub mod memory;
pub mod enrich;
pub mod auth;

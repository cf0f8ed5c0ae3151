//! Real PostgreSQL servers for tests and benchmarks: installed below the target folder when they are first needed, run by a user
//! without privileges in a folder of their own, and gone with the process that asked for them. Uses no other crate of the
//! workspace, and no other uses it but for development.
//!
//! `AFTERTHOUGHT_TEST_POSTGRES` names another server by its address, for tests that do not have to stop or start one.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

mod install;
mod place;
mod server;

pub use install::Version;
pub use place::{Place, address};
pub use server::{Server, Settings};

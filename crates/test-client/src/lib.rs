//! The HTTP client of tests, benchmarks and evaluations, as lean as can be, since it runs on the service's cores. Uses no other crate
//! of the workspace, and no other uses it but for development.
//!
//! It sends whatever it is told to, well-formed or not, and panics where the service does not do what it must.

mod answer;
mod async_connection;
mod connection;
mod request;

pub use answer::Answer;
pub use async_connection::AsyncConnection;
pub use connection::Connection;
pub use request::{Request, tool_call};

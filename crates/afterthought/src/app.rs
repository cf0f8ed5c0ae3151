//! Wiring: from settings to running parts, shared by the command line and the tests.

mod serve;
mod signals;
mod wiring;

pub use serve::{ServeError, serve};
pub use signals::StopSignals;
pub use wiring::App;

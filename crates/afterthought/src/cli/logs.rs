//! What the service says about itself while it runs, on standard error.

use std::io::{self, IsTerminal};

use clap::ValueEnum;
use tracing::error;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt};

/// How a line of the log looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// For people
    Human,
    /// One JSON object a line
    Json,
}

/// How much is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogLevel {
    /// Nothing
    Off,
    /// Failures
    Error,
    /// Also what may become one
    Warn,
    /// Also what an operator wants to know
    Info,
    /// Also what helps to find a fault
    Debug,
    /// Everything
    Trace,
}

/// Starts logging; called once.
pub(super) fn start(format: LogFormat, level: LogLevel) {
    let level = match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    // Libraries below may put into their details what must not be logged, such as headers.
    let wanted = Targets::new().with_target("afterthought", level).with_default(level.min(LevelFilter::WARN));
    let lines = fmt::layer::<Registry>().with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    // They would be printed to the stream that just failed, and that panics.
    let lines = lines.log_internal_errors(false);
    let lines = match format {
        LogFormat::Human => lines.boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    tracing_subscriber::registry().with(lines.with_filter(wanted)).init();
    // The message of a panic may quote a text, which no log may hold: it is said only where it happened.
    std::panic::set_hook(Box::new(|panic| match panic.location() {
        Some(place) => error!("a bug: something panicked at {place}"),
        None => error!("a bug: something panicked"),
    }));
}

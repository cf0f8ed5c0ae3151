//! All integration tests in one binary: one link, shared helpers.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

mod adviser;
mod app;
mod architecture;
mod cli;
mod clients;
mod connections;
mod crash;
mod embedding;
mod enrich;
mod faults;
mod faulty;
mod http;
mod installs;
mod isolation;
#[cfg(target_os = "linux")]
mod memory;
mod openapi;
mod pages;
mod panics;
#[cfg(target_os = "linux")]
mod postgres;
mod process;
mod protocol;
mod same;
mod scenes;
mod service;
mod stdio;
mod supply;
mod tools;

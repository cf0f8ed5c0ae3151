//! How fast the service is, beside what the machine can do, in one run.
//!
//! `cargo bench --bench speed` takes some minutes; `-- --thoughts 100000` leaves out the large account, `-- --quick` is a
//! smoke test. Every number that is a claim stands beside its yardstick from the same run, because machines differ and are
//! noisy. The service is the real binary, started as a user starts it; the callers are in this process, on the same cores.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark stops at the first surprise and prints")]

#[path = "harness/arguments.rs"]
mod arguments;
#[path = "speed/capture.rs"]
mod capture;
#[path = "harness/contents.rs"]
mod contents;
#[path = "speed/corpus.rs"]
mod corpus;
#[path = "speed/derived.rs"]
mod derived;
#[path = "speed/retrieval.rs"]
mod retrieval;
#[path = "harness/service.rs"]
mod service;
#[path = "harness/settled.rs"]
mod settled;
#[path = "speed/start.rs"]
mod start;

use std::time::Duration;

use arguments::{is_given, number_after};

fn main() {
    let quick = is_given("--quick");
    let largest = number_after("--thoughts").unwrap_or(if quick { 2_000 } else { 1_000_000 });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        start::start_and_rest().await;
        capture::one_caller(if quick { 100 } else { 3_000 }).await;
        capture::many_callers(if quick { Duration::from_millis(200) } else { Duration::from_secs(3) }).await;
        for thoughts in [100_000, 1_000_000] {
            if thoughts <= largest || quick {
                retrieval::both_modes(thoughts.min(largest)).await;
            }
        }
    });
}

/// The value below which the given share of the measurements lie.
fn quantile(measured: &mut [Duration], share: f64) -> Duration {
    measured.sort_unstable();
    measured[((measured.len() - 1) as f64 * share).round() as usize]
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

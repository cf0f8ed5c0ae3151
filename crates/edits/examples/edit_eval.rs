//! Prints how often the rules do exactly what the requests of `evals` ask for, how often they refuse them, and how often
//! they change something wrongly.
//!
//! `cargo run --release --example edit_eval [errors]` prints the requests of the sets for tuning that are not yet right as well;
//! those of the fresh set are never shown.
#![expect(clippy::print_stdout, reason = "a program for measuring prints, and stops at the first surprise")]

use std::time::{Duration, Instant};

use serde_json::Value;

use afterthought_edits::{Change, interpret};
use model::Status;

fn main() {
    let shows_errors = std::env::args().any(|argument| argument == "errors");
    println!("{:6} {:>8} {:>7} {:>8} {:>7} {:>12}", "set", "requests", "right", "refused", "wrong", "slowest (µs)");
    for set in ["tune", "fresh"] {
        let mut count = Count::default();
        for request in requests(set) {
            count.add(&request, shows_errors && set == "tune");
        }
        println!("{set:6} {}", count.line());
    }
}

fn requests(set: &str) -> Vec<Value> {
    let path = format!("{}/evals/{set}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read `{path}`: {error}"));
    text.lines().map(|line| serde_json::from_str(line).expect("requests are JSON Lines")).collect()
}

#[derive(Default)]
struct Count {
    requests: usize,
    right: usize,
    refused: usize,
    wrong: usize,
    slowest: Duration,
}

impl Count {
    fn add(&mut self, row: &Value, shows_errors: bool) {
        let field = |name: &str| row[name].as_str().unwrap_or_else(|| panic!("no `{name}` in {row}"));
        let status: Status = field("status").parse().expect("a status");
        let begun = Instant::now();
        let outcome = interpret(field("text"), status, field("request"));
        self.slowest = self.slowest.max(begun.elapsed());
        self.requests += 1;
        let made = match outcome {
            Err(_) => None,
            Ok(Change::Undo) => Some((field("text").to_owned(), "undo")),
            Ok(Change::Redo) => Some((field("text").to_owned(), "redo")),
            Ok(Change::Edit { text, status: new }) => {
                Some((text.unwrap_or_else(|| field("text").to_owned()), new.unwrap_or(status).as_str()))
            }
        };
        let wanted = row["expect"].get("refuse").is_none().then(|| {
            let expected = |name: &str| row["expect"][name].as_str().unwrap_or_else(|| panic!("no `{name}` in {row}"));
            (expected("text").to_owned(), expected("status"))
        });
        match (&made, made == wanted) {
            (_, true) => self.right += 1,
            (None, false) => self.refused += 1,
            (Some(_), false) => self.wrong += 1,
        }
        if shows_errors && made != wanted {
            println!("`{}` of `{}`: {made:?}, not {wanted:?}", field("request"), field("text"));
        }
    }

    fn line(&self) -> String {
        let share = |part: usize| 100.0 * part as f64 / self.requests.max(1) as f64;
        let Self { requests, right, refused, wrong, slowest } = self;
        format!(
            "{requests:8} {:6.1}% {:7.1}% {:6.1}% {:12}",
            share(*right),
            share(*refused),
            share(*wrong),
            slowest.as_micros()
        )
    }
}

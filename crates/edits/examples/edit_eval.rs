//! Prints how often exactly that is done what the requests of `evals` ask for, how often they are refused, and how often
//! something is changed wrongly.
//!
//! `cargo run --release --example edit_eval [rules] [errors] [FILE]…`: of the sets of `evals`, or of the files that are given; with
//! `rules` what the rules do alone; with `errors` also the requests that are not yet right, but never those of the sets that nobody has
//! looked at. Where leaving all as it was is tolerable (`may_refuse`), that counts as half. `edit_eval candidates FILE…` prints what
//! could be done with each request instead, for `evals/weigh.py`.
#![expect(clippy::print_stdout, reason = "a program for measuring prints, and stops at the first surprise")]

use std::time::{Duration, Instant};

use serde_json::Value;

use afterthought_edits::{Change, Refusal, by_rules, candidates, interpret};
use model::Status;

/// Sets that may be looked at, and those that nobody has looked at.
const SEEN: [&str; 10] =
    ["tune", "assistants", "daily", "varied", "long", "held", "twins_held", "blind", "visitors", "wanderers"];
const UNSEEN: [&str; 11] = [
    "fresh",
    "unseen",
    "callers",
    "everyday",
    "ordinary",
    "sundry",
    "strangers",
    "newcomers",
    "envoys",
    "wayfarers",
    "passersby",
];

fn main() {
    let is_asked = |what: &str| std::env::args().any(|argument| argument == what);
    let (shows_errors, interpret) =
        (is_asked("errors"), if is_asked("rules") { by_rules as Interpret } else { interpret });
    if is_asked("candidates") {
        return std::env::args().skip(2).flat_map(|path| requests(&path)).for_each(|row| print_candidates(&row));
    }
    println!("{:10} {:>8} {:>7} {:>8} {:>7} {:>12}", "set", "requests", "right", "refused", "wrong", "slowest (µs)");
    let mut files: Vec<String> =
        std::env::args().skip(1).filter(|argument| !["errors", "rules"].contains(&argument.as_str())).collect();
    if files.is_empty() {
        let own = SEEN.into_iter().chain(UNSEEN);
        files.extend(own.map(|set| format!("{}/evals/{set}.jsonl", env!("CARGO_MANIFEST_DIR"))));
    }
    for path in files {
        let set =
            std::path::Path::new(&path).file_stem().map_or_else(String::new, |name| name.to_string_lossy().into());
        let mut count = Count::default();
        for request in requests(&path) {
            count.add(&request, interpret, shows_errors && !UNSEEN.contains(&set.as_str()));
        }
        println!("{set:10} {}", count.line());
    }
}

/// One line with what could be done: who would do it, whether it is right, what is known of it.
fn print_candidates(row: &Value) {
    let (field, status) = (|name: &str| field(row, name), status(row));
    let is_right = |change: &Change| row["expect"].get("refuse").is_none() && is_accepted(row, &made(row, change));
    let candidates = candidates(field("text"), status, field("request"));
    let known = candidates.iter().map(|one| (one.source as u8, is_right(&one.change), &one.traits[..]));
    println!(
        "{}",
        serde_json::json!({ "refuse": row["expect"].get("refuse").is_some(), "candidates": known.collect::<Vec<_>>() })
    );
}

fn field<'r>(row: &'r Value, name: &str) -> &'r str {
    row[name].as_str().unwrap_or_else(|| panic!("no `{name}` in {row}"))
}

fn status(row: &Value) -> Status {
    field(row, "status").parse().expect("a status")
}

fn requests(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read `{path}`: {error}"));
    text.lines().map(|line| serde_json::from_str(line).expect("requests are JSON Lines")).collect()
}

type Interpret = fn(&str, Status, &str) -> Result<Change, Refusal>;

#[derive(Default)]
struct Count {
    requests: usize,
    right: usize,
    half: usize,
    refused: usize,
    wrong: usize,
    slowest: Duration,
}

impl Count {
    fn add(&mut self, row: &Value, interpret: Interpret, shows_errors: bool) {
        let (field, status) = (|name: &str| field(row, name), status(row));
        let begun = Instant::now();
        let outcome = interpret(field("text"), status, field("request"));
        self.slowest = self.slowest.max(begun.elapsed());
        self.requests += 1;
        let made = outcome.ok().map(|change| made(row, &change));
        let unchanged = (field("text").to_owned(), status.as_str());
        // Asking for what is so already changes nothing either.
        let made = made.filter(|made| *made != unchanged || row["expect"].get("refuse").is_none());
        let right = match (row["expect"].get("refuse"), &made) {
            (Some(_), made) => made.is_none(),
            (None, None) => false,
            (None, Some(made)) => is_accepted(row, made),
        };
        match (&made, right) {
            (_, true) => self.right += 1,
            (None, false) if row["may_refuse"] == true => self.half += 1,
            (None, false) => self.refused += 1,
            (Some(_), false) => self.wrong += 1,
        }
        if shows_errors && !right {
            println!("`{}` of `{}`: {made:?}, not {}", field("request"), field("text"), row["expect"]);
        }
    }

    fn line(&self) -> String {
        let share = |part: f64| 100.0 * part / self.requests.max(1) as f64;
        let Self { requests, right, half, refused, wrong, slowest } = self;
        format!(
            "{requests:8} {:6.1}% {:7.1}% {:6.1}% {:12}",
            share(*right as f64 + *half as f64 / 2.0),
            share(*refused as f64 + *half as f64 / 2.0),
            share(*wrong as f64),
            slowest.as_micros()
        )
    }
}

/// The text and the status after a change, or which change was taken back or made again.
fn made(row: &Value, change: &Change) -> (String, &'static str) {
    let unchanged = || field(row, "text").to_owned();
    match change {
        Change::Undo => (unchanged(), "undo"),
        Change::Redo => (unchanged(), "redo"),
        Change::Edit { text, status: new } => {
            (text.clone().unwrap_or_else(unchanged), new.unwrap_or(status(row)).as_str())
        }
    }
}

/// Whether a row accepts what was made of it.
fn is_accepted(row: &Value, (text, status): &(String, &'static str)) -> bool {
    accepted(row).contains(&text.as_str()) && row["expect"]["status"] == **status
}

/// The texts that a row accepts.
fn accepted(row: &Value) -> Vec<&str> {
    let several = row["expect"]["accept"].as_array().map(|texts| texts.iter().filter_map(Value::as_str).collect());
    several.unwrap_or_else(|| row["expect"]["text"].as_str().into_iter().collect())
}

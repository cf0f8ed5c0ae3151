//! Requests and texts of `evals` with words doubled, dropped or put in: none makes the rules panic, and none takes long.
//!
//! `AFTERTHOUGHT_FUZZ_INPUTS` says how many are tried.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot go on is a failed test, and says how slow it was"
)]

use std::time::{Duration, Instant};

use serde_json::Value;

use afterthought_edits::interpret;
use model::Status;

const SETS: &[&str] = &[
    include_str!("../evals/assistants.jsonl"),
    include_str!("../evals/daily.jsonl"),
    include_str!("../evals/long.jsonl"),
    include_str!("../evals/tune.jsonl"),
];

/// What people and their keyboards put where it does not belong.
const PIECES: &[&str] = &[
    "«",
    "’s",
    "ﷺ",
    "🙂",
    "\n",
    ",",
    ".",
    ":",
    "\"",
    "'",
    "- ",
    "1. ",
    "a) ",
    "| ",
    "–",
    "it",
    "her",
    "that",
    "and",
    "so",
    "(",
    ")",
    "é",
    "ß",
    "not",
    "instead of",
    "everywhere",
    "the 3rd",
    "=",
    "->",
];

/// Long enough for a machine with other work, and far from a request that never ends.
const LONGEST: Duration = Duration::from_secs(5);

/// Numbers that look like chance and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }
}

fn shaken(words: &str, chance: &mut Chance) -> String {
    let mut words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let at = chance.below(words.len());
    match chance.below(4) {
        0 if words.len() > 1 => {
            words.remove(at);
        }
        1 => words.insert(at, PIECES[chance.below(PIECES.len())].to_owned()),
        2 => words.insert(at, words[at].clone()),
        _ => words[at].push_str(PIECES[chance.below(PIECES.len())]),
    }
    words.join(" ")
}

#[test]
fn no_shaken_request_panics_or_takes_long() {
    let rows: Vec<(String, String)> = SETS
        .iter()
        .flat_map(|set| set.lines())
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|row| (row["text"].as_str().unwrap().to_owned(), row["request"].as_str().unwrap().to_owned()))
        .collect();
    let inputs = std::env::var("AFTERTHOUGHT_FUZZ_INPUTS").map_or(1_500, |inputs| inputs.parse().unwrap());
    let mut chance = Chance(0x5eed);
    let mut slowest = (Duration::ZERO, String::new());
    for _ in 0..inputs {
        let (of, other) = (chance.below(rows.len()), chance.below(rows.len()));
        // One request in three is about another text.
        let of_request = if chance.below(3) == 0 { other } else { of };
        let (mut text, mut request) = (rows[of].0.clone(), rows[of_request].1.clone());
        for _ in 0..chance.below(4) {
            match chance.below(2) {
                0 => text = shaken(&text, &mut chance),
                _ => request = shaken(&request, &mut chance),
            }
        }
        let start = Instant::now();
        let done = std::panic::catch_unwind(|| interpret(&text, Status::Open, &request).is_ok());
        assert!(done.is_ok(), "{text:?}\n{request:?}");
        let took = start.elapsed();
        assert!(took < LONGEST, "{took:?}: {text:?}\n{request:?}");
        if took > slowest.0 {
            slowest = (took, request);
        }
    }
    println!("{inputs} requests, the slowest {:?}: {}", slowest.0, slowest.1);
}

//! How long requests of several kinds take on a text of 64 KiB, the longest there is: the best of five, in microseconds.
//!
//! `cargo run --release --example long_text`

#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::time::Instant;

use afterthought_edits::interpret;
use model::Status;

const LONGEST: usize = 65_536;

const REQUESTS: &[&str] = &[
    "mark it done",
    "Set Port7 to 9000",
    "Port7 is now 9000",
    "Remove the last sentence",
    "Delete the sentence about Ana12",
    "Ana3 moved to Porto",
    "Append: Bob called.",
    "Replace \"Ana5 lives\" with \"Ana5 sleeps\"",
    "Rename Lisbon to Porto everywhere",
    "Correct the spelling of Halloran to Holloran",
    "change the last bullet to cheese",
    "The deadline moved to June 3 because the vendor called",
    "The dishwasher broke again and needs a new pump, so let's buy one",
];

fn main() {
    let mut text = String::new();
    for count in 0.. {
        let paragraph = format!(
            "Ana{count} lives in Lisbon. The meeting with Dr. Halloran is on Tuesday at 9:30am. Budget: 4,000 EUR.\n\
             - milk and eggs\n- bread, butter\nPort{count}: 8443\n"
        );
        if text.len() + paragraph.len() > LONGEST {
            break;
        }
        text.push_str(&paragraph);
    }
    for request in REQUESTS {
        let took = (0..5).map(|_| {
            let began = Instant::now();
            let _ = std::hint::black_box(interpret(&text, Status::Open, request));
            began.elapsed().as_micros()
        });
        println!("{:8} {request}", took.min().unwrap_or_default());
    }
}

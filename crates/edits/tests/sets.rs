//! The requests of `evals`, held to what they were once shown to reach.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::thread;

use serde_json::Value;

use afterthought_edits::{Change, interpret};
use model::Status;

/// What is made of a request: the text and the status (or `undo`, `redo`), or nothing.
fn made(row: &Value) -> Option<(String, String)> {
    let (text, request) = (row["text"].as_str().unwrap(), row["request"].as_str().unwrap());
    let status: Status = row["status"].as_str().unwrap().parse().unwrap();
    Some(match interpret(text, status, request).ok()? {
        Change::Undo => (text.into(), "undo".into()),
        Change::Redo => (text.into(), "redo".into()),
        Change::Edit { text: new, status: to } => {
            (new.unwrap_or_else(|| text.into()), to.unwrap_or(status).as_str().into())
        }
    })
}

/// What is made of each, by all processors there are.
fn all_made(rows: &[Value]) -> Vec<Option<(String, String)>> {
    let threads = thread::available_parallelism().unwrap();
    thread::scope(|scope| {
        let parts = rows.chunks(rows.len().div_ceil(threads.get()));
        let parts: Vec<_> = parts.map(|rows| scope.spawn(|| rows.iter().map(made).collect::<Vec<_>>())).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    })
}

fn wanted(row: &Value) -> Option<(String, String)> {
    let expected = |name: &str| row["expect"][name].as_str().unwrap().to_owned();
    row["expect"].get("refuse").is_none().then(|| (expected("text"), expected("status")))
}

fn parsed(set: &str) -> Vec<Value> {
    set.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn rows() -> Vec<Value> {
    parsed(include_str!("../evals/tune.jsonl"))
}

/// Whether a request left all as it was, or did what one of several good editors would do.
fn is_right(row: &Value, made: Option<&(String, String)>) -> bool {
    match (row["expect"].get("refuse"), made) {
        (Some(_), made) => made.is_none(),
        (None, None) => false,
        (None, Some((text, status))) => {
            let accepted = row["expect"]["accept"].as_array().unwrap();
            accepted.iter().any(|accepted| *accepted == *text) && row["expect"]["status"] == *status
        }
    }
}

/// Holds a set to the hundredths that came out right once, without half a point for a refusal, and to those that were changed wrongly.
fn hold(set: &str, right_at_least: usize, wrong_at_most: usize) {
    let rows = parsed(set);
    let unchanged = |row: &Value, (text, status): &(String, String)| row["text"] == **text && row["status"] == **status;
    let (mut right, mut wrong) = (0, Vec::new());
    for (row, made) in rows.iter().zip(all_made(&rows)) {
        let made = made.filter(|made| !unchanged(row, made));
        match is_right(row, made.as_ref()) {
            true => right += 1,
            false if made.is_some() => wrong.push(&row["request"]),
            false => {}
        }
    }
    assert!(rows.len() > 150 && right * 100 >= rows.len() * right_at_least, "{right} of {}", rows.len());
    assert!(wrong.len() * 100 <= rows.len() * wrong_at_most, "{wrong:#?}");
}

#[test]
fn assistants_are_mostly_understood_and_hardly_ever_misunderstood() {
    hold(include_str!("../evals/assistants.jsonl"), 92, 1);
    hold(include_str!("../evals/daily.jsonl"), 85, 1);
    hold(include_str!("../evals/long.jsonl"), 64, 1);
    hold(include_str!("../evals/varied.jsonl"), 81, 1);
    hold(include_str!("../evals/held.jsonl"), 54, 3);
    hold(include_str!("../evals/blind.jsonl"), 72, 3);
}

#[test]
fn what_only_sounds_like_an_edit_is_mostly_left_alone() {
    hold(include_str!("../evals/twins_held.jsonl"), 67, 6);
}

#[test]
fn the_tuning_set_comes_out_right_and_nothing_of_it_wrong() {
    let rows = rows();
    let made: Vec<_> = rows.iter().zip(all_made(&rows)).collect();
    let wrong = made.iter().filter(|(row, made)| made.is_some() && *made != wanted(row));
    assert_eq!(wrong.map(|(row, _)| &row["request"]).collect::<Vec<_>>(), Vec::<&Value>::new());
    let right = made.iter().filter(|(row, made)| *made == wanted(row)).count();
    assert!(rows.len() > 1_000 && right * 100 >= rows.len() * 93, "{right} of {}", rows.len());
}

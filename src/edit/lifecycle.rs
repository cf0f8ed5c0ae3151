//! Decides what the clauses of a request come to together.

use super::{
    Change,
    clause::{self, Clause},
    lexicon::Class,
    reading::{Goal, Reading, Subject, read},
    refusal::Refusal,
};
use crate::model::Status;

/// The change of state that `request` asks for.
pub(super) fn decide(text: &str, status: Status, request: &str) -> Result<Change, Refusal> {
    let clauses = clause::clauses(request, &clause::text_words(text));
    let subject = Subject { text, status };
    let readings: Vec<Reading> = clauses.iter().map(|clause| read(clause, &subject)).collect();
    Ok(match combine(&clauses, &readings)? {
        Goal::To(status) => Change::Edit { text: None, status: Some(status) },
        Goal::Undo => Change::Undo,
        Goal::Redo => Change::Redo,
    })
}

fn combine(clauses: &[Clause], readings: &[Reading]) -> Result<Goal, Refusal> {
    let refusals = readings.iter().filter_map(|reading| match reading {
        Reading::Refused(refusal) => Some(refusal),
        _ => None,
    });
    // A question or a change of text says more about the whole request than what else is wrong with it.
    let weight = |refusal: &&Refusal| match refusal {
        Refusal::Question => 3,
        Refusal::TextChange => 2,
        _ => 1,
    };
    if let Some(refusal) = refusals.max_by_key(weight) {
        return Err(refusal.clone());
    }
    let denied = readings.contains(&Reading::Denied);
    let wish = match wish(readings)? {
        None if denied && readings.contains(&Reading::Believed) => Some((Goal::To(Status::Open), false)),
        Some((goal, _)) if denied && goal != Goal::To(Status::Open) => {
            return Err(Refusal::Contradiction);
        }
        wish => wish,
    };
    let Some((goal, command)) = wish else {
        return Err(without_wish(readings));
    };
    if is_taken_back(readings) {
        return Err(Refusal::Contradiction);
    }
    let unexplained = readings.iter().zip(clauses).any(|(reading, clause)| match reading {
        Reading::Unknown => true,
        Reading::Background { speaks_of_state } => *speaks_of_state && (!command || clause.after == Some(Class::But)),
        Reading::Promise => !command,
        _ => false,
    });
    if unexplained {
        return Err(Refusal::Unclear);
    }
    Ok(goal)
}

/// The one wish of a request and whether it is a command.
fn wish(readings: &[Reading]) -> Result<Option<(Goal, bool)>, Refusal> {
    let wishes = |commands: bool| {
        readings.iter().filter_map(move |reading| match reading {
            Reading::Wish { goal, command, sentence } if *command == commands => Some((*goal, *sentence)),
            _ => None,
        })
    };
    let command = wishes(true).next().map(|(goal, _)| goal);
    let statement = wishes(false).next().map(|(goal, _)| goal);
    let Some(goal) = command.or(statement) else {
        return Ok(None);
    };
    let agrees = |(other, sentence): (Goal, bool)| {
        // `archive it, I already did it`: what is done may well be put away.
        let reason = sentence && command == Some(Goal::To(Status::Archived)) && other == Goal::To(Status::Completed);
        other == goal || reason
    };
    let forbidden = readings.contains(&Reading::Prohibited(Some(goal)));
    if forbidden || !wishes(true).all(|(other, _)| other == goal) || !wishes(false).all(agrees) {
        return Err(Refusal::Contradiction);
    }
    Ok(Some((goal, command.is_some())))
}

fn without_wish(readings: &[Reading]) -> Refusal {
    let forbids = |reading: &Reading| matches!(reading, Reading::Prohibited(_) | Reading::Retracted);
    if readings.contains(&Reading::Promise) {
        return Refusal::Later;
    }
    match readings.iter().any(forbids) && !readings.contains(&Reading::Unknown) {
        true => Refusal::Prohibition,
        false => Refusal::Unclear,
    }
}

/// Whether a wish is followed by a `no`, a `wait` or a `keep it`.
fn is_taken_back(readings: &[Reading]) -> bool {
    let wished = readings.iter().position(|reading| matches!(reading, Reading::Wish { .. })).unwrap_or(0);
    readings[wished..]
        .iter()
        .any(|reading| matches!(reading, Reading::Retracted | Reading::No | Reading::Prohibited(None)))
}

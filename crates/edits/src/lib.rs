//! Understands a plain-language request to edit a thought: a text, a status and a request in, a change or a refusal out. Uses
//! `model` and `text`.
//!
//! No language model is involved: a request is cut into words, the words are looked up, and what they say is put
//! together by rules. Whatever has no definite meaning is refused, because a wrong change is worse than none.

mod asked;
mod changing;
mod clause;
mod command;
mod correct;
mod counting;
mod courtesy;
mod deed;
mod description;
mod dictionary;
mod english;
mod find;
mod foreign;
mod grammar;
mod insert;
mod insertion;
mod japanese;
mod lettering;
mod letters;
mod lexicon;
mod lifecycle;
mod list;
mod locate;
mod misspelling;
mod page;
mod phrase;
mod predicate;
mod reading;
mod refusal;
mod removal;
mod remove;
mod replace;
mod request;
mod sense;
mod sentence;
mod slot;
mod small_words;
mod spelling;
mod statement;
mod telling;
mod token;
mod value;
mod verbs;
mod vocabulary;
mod words;

#[cfg(test)]
mod habit_tests;
#[cfg(test)]
mod lifecycle_tests;
#[cfg(test)]
mod text_everyday_tests;
#[cfg(test)]
mod text_habit_tests;
#[cfg(test)]
mod text_refusal_tests;
#[cfg(test)]
mod text_steps_tests;
#[cfg(test)]
mod text_tests;

pub use refusal::Refusal;

use asked::Outcome;
use model::Status;

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A new text, a new status or both; at least one of them is `Some`.
    Edit {
        /// The whole new text.
        text: Option<String>,
        /// The status asked for, which the thought may have already.
        status: Option<Status>,
    },
    /// Takes back the last change.
    Undo,
    /// Makes the change again that was taken back last.
    Redo,
}

/// Works out what `request` asks of a thought with this `text` and `status`.
///
/// # Errors
///
/// A [`Refusal`] that tells the caller why nothing is to be changed: the request is a question, contradicts itself, is
/// about a later time, or has words whose meaning is not certain.
pub fn interpret(text: &str, status: Status, request: &str) -> Result<Change, Refusal> {
    if request.trim().is_empty() {
        return Err(Refusal::Empty);
    }
    let reader = lifecycle::Reader::new(text, status);
    let (refusal, about_text) = match by_pieces(text, &reader, request) {
        Ok(change) => return Ok(change),
        Err(refused) => refused,
    };
    if !is_plain(text, request, &refusal) {
        return Err(refusal);
    }
    match by_habit(text, &reader, request) {
        // `she stopped playing the cello, so remove that` is not about the thought.
        Ok(Change::Edit { text: None, .. }) if about_text && refusal.is_about_places() => Err(refusal),
        Ok(Change::Edit { text: Some(new), .. }) if asked::is_broken(text, &new) => Err(refusal),
        Ok(Change::Edit { text: None, status: Some(_) }) if !asked::tells_of_thought(&reader, request) => Err(refusal),
        // A reason after a comma is not among the words that short corrections know.
        Ok(_) if about_text && refusal.is_about_places() && explains(request) => Err(refusal),
        habit => habit,
    }
}

/// Whether a comma is followed by a clause.
fn explains(request: &str) -> bool {
    request.split_once(", ").is_some_and(|(_, rest)| rest.split_whitespace().count() > 3)
}

/// Whether the rules for short corrections may be asked as well: they look for words and not for places, which is safe where a
/// text is one sentence or the words are quoted.
fn is_plain(text: &str, request: &str, refusal: &Refusal) -> bool {
    let one_sentence = text.len() < LONGEST_PLAIN && sentence::sentences(text).len() == 1;
    let spelt_out = request.contains(['"', '“', '→', '`']) || request.contains("->") || request.contains(" '");
    let creative = *refusal == Refusal::Vague && request.trim_start().to_lowercase().starts_with("re");
    request.len() < LONGEST_PLAIN_REQUEST
        && (one_sentence || spelt_out && matches!(refusal, Refusal::Unclear))
        && !creative
}

/// Longer requests are no short corrections.
const LONGEST_PLAIN_REQUEST: usize = 1_000;

/// Longer texts are not plain.
const LONGEST_PLAIN: usize = 400;

fn by_pieces(text: &str, reader: &lifecycle::Reader<'_>, request: &str) -> Result<Change, (Refusal, bool)> {
    match asked::decide(text, reader, request) {
        Outcome::Done(change) => Ok(change),
        Outcome::Refused { refusal, about_text: true } => Err((refusal, true)),
        // What is known of the state says more than that nothing is known of the words.
        Outcome::Refused { refusal, about_text: false } if !asked::tells_of_thought(reader, request) => {
            Err((refusal, false))
        }
        Outcome::Refused { refusal, about_text: false } => reader.decide(request).map_err(|known| match refusal {
            Refusal::Unclear | Refusal::NotInText { .. } => (known, false),
            refusal => (refusal, false),
        }),
        Outcome::Nothing => reader.decide(request).map_err(|refusal| (refusal, false)),
    }
}

fn by_habit(text: &str, reader: &lifecycle::Reader<'_>, request: &str) -> Result<Change, Refusal> {
    match reader.decide(request) {
        // `it is 950, mark as done`: what reads like a remark may be a correction.
        Ok(change) if names_new_number(text, request) => match request::decide(text, reader, request) {
            Some(Ok(corrected @ Change::Edit { text: Some(_), status: Some(_) })) => Ok(corrected),
            _ => Ok(change),
        },
        Ok(change) => Ok(change),
        Err(refusal) => match request::decide(text, reader, request) {
            // What is known of the state says more than that nothing is known of the words.
            None | Some(Err(Refusal::Unclear)) => Err(refusal),
            Some(decided) => decided,
        },
    }
}

/// Whether a request has a number that the text has not.
fn names_new_number(text: &str, request: &str) -> bool {
    let mut numbers = request.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    numbers.any(|number| !text.contains(number))
}

//! Understands a plain-language request to edit a thought: a text, a status and a request in, a change or a refusal out. Uses
//! `model`, `text`, `annotate` and `encoder`.
//!
//! No language model is involved: a request is cut into words, the words are looked up, and what they say is put
//! together by rules. A small model marks the words that go and come, and `decision` puts both together. Whatever has no definite
//! meaning is refused, because a wrong change is worse than none.

mod asked;
mod aspect;
mod changing;
mod clause;
mod command;
mod correct;
mod counting;
mod decision;
mod deed;
mod description;
mod dictionary;
mod english;
mod find;
mod foreign;
mod grammar;
mod history;
mod insert;
mod insertion;
mod japanese;
mod lettering;
mod letters;
mod lexicon;
mod lifecycle;
mod list;
mod locate;
mod marked;
mod misspelling;
mod page;
mod phrase;
mod predicate;
mod reading;
mod refusal;
mod removal;
mod remove;
mod replace;
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
mod text_told_tests;
#[cfg(test)]
mod text_tests;
#[cfg(test)]
mod work_clock;

pub use decision::{Candidate, Source, TRAITS};
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
    decision::decide(text, status, request, by_rules(text, status, request))
}

/// What a request may ask for, to see what speaks for each; none where the rules alone decide.
pub fn candidates(text: &str, status: Status, request: &str) -> Vec<Candidate> {
    decision::candidates(text, status, request, &by_rules(text, status, request)).unwrap_or_default()
}

/// What the rules alone make of a request.
///
/// # Errors
///
/// See [`interpret`].
pub fn by_rules(text: &str, status: Status, request: &str) -> Result<Change, Refusal> {
    if request.trim().is_empty() {
        return Err(Refusal::Empty);
    }
    let page = page::Page::read(text);
    let reader = lifecycle::Reader::new(text, status);
    decided(&page, &reader, request).map_err(|refusal| refusal.with_candidates(&page))
}

fn decided(page: &page::Page, reader: &lifecycle::Reader<'_>, request: &str) -> Result<Change, Refusal> {
    let decided = as_said(page, reader, request);
    match &decided {
        Err(refusal) if refusal.is_misunderstanding() => asked::relaxed(page, reader, request)
            .or_else(|| asked::taken(page, request).map(|text| Change::Edit { text: Some(text), status: None }))
            .map_or(decided, Ok),
        _ => decided,
    }
}

fn as_said(page: &page::Page, reader: &lifecycle::Reader<'_>, request: &str) -> Result<Change, Refusal> {
    if let Some(goal) = history::goal(page, request) {
        return Ok(goal.into());
    }
    match asked::decide(page, reader, request) {
        Outcome::Done(change) => Ok(change),
        Outcome::Refused { refusal, about_text: true } => Err(refusal),
        // What is known of the state says more than that nothing is known of the words.
        Outcome::Refused { refusal, about_text: false } if !asked::tells_of_thought(reader, request) => Err(refusal),
        Outcome::Refused { refusal, about_text: false } => reader.decide(request).map_err(|known| match refusal {
            Refusal::Unclear | Refusal::NotInText { .. } => known,
            refusal => refusal,
        }),
        Outcome::Nothing => reader.decide(request),
    }
}

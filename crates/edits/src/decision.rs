//! Decides between what the rules make of a request and what a model has marked in it.
//!
//! The rules know the forms of requests, the model their sense; each errs in its own way. What both hold is done, what only
//! one of them holds has to be likely enough, and what the model finds unlikely is refused.

use std::sync::LazyLock;

use encoder::{Marker, Marks};

use super::{
    Change, Refusal,
    asked::{self, Manner},
    marked,
};

static MARKER: LazyLock<Marker> = LazyLock::new(Marker::load);

/// A change that was told rather than asked for, and that the marks find less likely than this, is not made.
const LIKELY_IF_TOLD: f32 = 0.01;
/// The same of one that was asked for: whoever says `change` or `remove` leaves less to guess.
const LIKELY_IF_ASKED: f32 = 0.002;
/// Nothing is done that is to be refused with this certainty.
const REFUSED: f32 = 0.98;
/// From here on a change may be one that marks cannot say, and the rules are trusted.
const REARRANGED: f32 = 0.3;
/// Marks are followed where all of them are as certain as this.
const CERTAIN: f32 = 0.9;

/// What is done of what the rules made of a request.
pub(super) fn decide(text: &str, request: &str, ruled: Result<Change, Refusal>) -> Result<Change, Refusal> {
    let by_marks = |marks: &Marks| proposed(text, request, marks);
    match ruled {
        // A change of state is a matter of the rules.
        Ok(Change::Edit { text: Some(new), status: None }) if new != text => {
            let marks = marks(text, request);
            let is_told = matches!(asked::manner(request), Manner::Told);
            let least = if is_told { LIKELY_IF_TOLD } else { LIKELY_IF_ASKED };
            let is_likely = |marks: &Marks| {
                marks.rearranges > REARRANGED || marked::likelihood(text, request, marks, &new) >= least
            };
            match marks.filter(|marks| marks.refuses >= REFUSED || !is_likely(marks)) {
                None => Ok(Change::Edit { text: Some(new), status: None }),
                Some(marks) => is_told.then(|| by_marks(&marks)).flatten().ok_or(Refusal::Unclear),
            }
        }
        Err(
            refusal @ (Refusal::Unclear
            | Refusal::NotInText { .. }
            | Refusal::Vague
            | Refusal::Ambiguous { .. }
            | Refusal::Readings),
        ) => marks(text, request).as_ref().and_then(by_marks).ok_or(refusal),
        ruled => ruled,
    }
}

/// What the model says, where it can be trusted: it has learned from English, and knows no quotes.
fn marks(text: &str, request: &str) -> Option<Marks> {
    let is_quoted = matches!(asked::manner(request), Manner::Quoted);
    (!is_quoted && text::is_in_english(request)).then(|| MARKER.mark(text, request)).flatten()
}

/// The change that the marks are certain of.
fn proposed(text: &str, request: &str, marks: &Marks) -> Option<Change> {
    let proposal = (marks.changes > CERTAIN).then(|| marked::proposal(text, request, marks)).flatten()?;
    (proposal.certainty > CERTAIN).then_some(Change::Edit { text: Some(proposal.text), status: None })
}

#[cfg(test)]
mod tests {
    use crate::{Change, Refusal, by_rules, interpret};
    use model::Status;

    fn made(text: &str, request: &str) -> Result<Change, Refusal> {
        interpret(text, Status::Open, request)
    }

    #[test]
    fn states_are_a_matter_of_the_rules() {
        for request in ["Mark this as done", "archive it", "undo that", "reopen it, please"] {
            assert_eq!(made("Buy milk", request), by_rules("Buy milk", Status::Open, request), "{request}");
        }
    }

    #[test]
    fn what_is_too_long_for_the_marks_is_a_matter_of_the_rules() {
        let text = format!("{}The meeting is on Tuesday.", "All of this was said before. ".repeat(100));
        let request = "Change Tuesday to Thursday";
        assert_eq!(made(&text, request), by_rules(&text, Status::Open, request));
        assert!(made(&text, request).is_ok());
    }

    #[test]
    fn nothing_comes_into_a_text_that_was_not_asked_for() {
        let text = "I usually fly with Lufthansa, aisle seat, vegetarian meal.";
        for request in ["These days I prefer a window seat.", "Why the aisle?", "He might like the window more", ""] {
            if let Ok(Change::Edit { text: Some(new), .. }) = made(text, request) {
                let said = |word: &str| text.contains(word) || request.contains(word);
                assert!(new.split(|c: char| !c.is_alphanumeric()).all(said), "{new}");
            }
        }
    }
}

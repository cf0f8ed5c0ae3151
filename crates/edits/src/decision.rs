//! Decides between what the rules make of a request and what a model has marked in it.
//!
//! The rules know the forms of requests, the model their sense; each errs in its own way. What either would do is weighed by how
//! far the other agrees with it, and only what is certain enough is done.

use std::sync::LazyLock;

use encoder::Marker;

use super::{
    Change, Refusal,
    asked::{self, Manner},
    marked::{self, Agreement},
};

static MARKER: LazyLock<Marker> = LazyLock::new(Marker::load);

/// A new text that a request may ask for, with what speaks for and against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The whole new text.
    pub text: String,
    /// Whether it is what the rules would do; the others are what the marks would.
    pub is_ruled: bool,
    /// What is known of it, as numbers; `evals/weigh.py` finds what each of them weighs.
    pub traits: [f32; TRAITS],
}

/// How many numbers a candidate is known by.
pub const TRAITS: usize = 15;

/// What each of the traits weighs for what the rules would do.
const RULED: [f32; TRAITS] =
    [2.21, 0.1, -0.124, 0.0, -1.62, -0.347, 1.31, -0.648, 0.177, 0.0659, 1.98, -0.225, -0.893, 1.06, 0.0];
/// The same for what the marks would do.
const MARKED: [f32; TRAITS] =
    [-2.34, -0.202, -0.578, 0.148, 0.0, -0.701, -1.82, 0.952, 0.0891, 0.0, 0.815, 0.157, -0.333, 0.0, 0.0939];

/// What is less probably right than this is not done.
const CERTAIN: f32 = 0.65;

impl Candidate {
    /// The probability that this is what was asked for.
    pub fn certainty(&self) -> f32 {
        let weights = if self.is_ruled { RULED } else { MARKED };
        let weighed: f32 = self.traits.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        1.0 / (1.0 + (-weighed).exp())
    }
}

/// What is done, given what the rules make of a request.
pub(super) fn decide(text: &str, request: &str, ruled: Result<Change, Refusal>) -> Result<Change, Refusal> {
    let Some(candidates) = candidates(text, request, &ruled) else { return ruled };
    // That of the rules comes first: they know better how words are joined.
    match candidates.into_iter().find(|candidate| candidate.certainty() >= CERTAIN) {
        Some(certain) => Ok(Change::Edit { text: Some(certain.text), status: None }),
        None => Err(ruled.err().unwrap_or(Refusal::Unclear)),
    }
}

/// What could be done; `None` where that is a matter of the rules alone: states, quotes, other languages, long texts, questions,
/// conditions and whatever else is understood and not to be done.
pub(super) fn candidates(text: &str, request: &str, ruled: &Result<Change, Refusal>) -> Option<Vec<Candidate>> {
    let by_rules = match ruled {
        Ok(Change::Edit { text: Some(new), status: None }) if new != text => Some(new),
        Err(refusal) if !refusal.is_deliberate() => None,
        _ => return None,
    };
    let manner = asked::manner(request);
    // Whoever quotes what is to change leaves nothing to weigh.
    let is_plain = manner == Manner::Quoted && by_rules.is_some();
    let marks = (!is_plain && text::is_in_english(request)).then(|| MARKER.mark(text, request))??;
    let by_marks = marked::proposal(text, request, &marks);
    let marked = by_marks.as_ref().map(|proposal| &proposal.text);

    let is_understood = ruled.as_ref().is_err_and(|refusal| !refusal.is_misunderstanding());
    let is_told = manner == Manner::Told;
    let weighed = |text: &String, is_ruled: bool, agreement: &Agreement| {
        let differs = |other: Option<&String>| other.is_some_and(|other| !are_alike(other, text));
        let traits = [
            1.0,
            odds(agreement.least),
            agreement.doubt.max(1e-4).ln(),
            odds(agreement.place),
            number(agreement.is_known),
            number(agreement.inserts),
            agreement.shares[0],
            agreement.shares[1],
            odds(marks.changes),
            odds(marks.refuses),
            marks.rearranges,
            number(is_told),
            number(differs(if is_ruled { marked } else { by_rules })),
            number(marked.is_some_and(|marked| are_alike(marked, text))),
            number(is_understood),
        ];
        Candidate { text: text.clone(), is_ruled, traits }
    };
    let ruled = by_rules.map(|new| weighed(new, true, &marked::agreement_with(text, request, &marks, new)));
    let marked = by_marks.as_ref().filter(|proposal| !by_rules.is_some_and(|ruled| are_alike(ruled, &proposal.text)));
    let marked = marked.map(|proposal| weighed(&proposal.text, false, &proposal.agreement));
    Some(ruled.into_iter().chain(marked).collect())
}

/// Whether two texts have the same words, however they are joined.
fn are_alike(one: &str, other: &str) -> bool {
    let words =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    words(one) == words(other)
}

/// The logarithm of the odds of a probability; beyond one in a hundred thousand all are alike.
fn odds(probability: f32) -> f32 {
    let probability = probability.clamp(1e-5, 1.0 - 1e-5);
    (probability / (1.0 - probability)).ln()
}

fn number(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
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
    fn what_is_understood_and_not_to_be_done_is_not_done() {
        let text = "Guests: Olga, Stefan, Tim. It starts at 17:00.";
        for request in
            ["Does it start at 18:00?", "Remove Tim unless he replies by Friday", "Do not change 17:00 to 18:00"]
        {
            assert!(made(text, request).is_err(), "{request}");
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

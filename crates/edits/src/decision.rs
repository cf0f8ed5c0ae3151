//! Decides between what the rules make of a request and what a model has marked in it.
//!
//! The rules know the forms of requests, the model their sense; each errs in its own way. What either would do is weighed by how
//! far the other agrees with it, and only what is certain enough is done.

use std::sync::LazyLock;

use encoder::{Commands, Marker};
use model::Status;

use super::{
    Change, Refusal,
    asked::{self, Manner},
    lifecycle::Reader,
    marked::{self, Agreement},
};

static MARKER: LazyLock<Marker> = LazyLock::new(Marker::load);

/// What a request may ask for, with what speaks for and against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// What would be done.
    pub change: Change,
    /// Who would do it.
    pub source: Source,
    /// What is known of it, as numbers; `evals/weigh.py` finds what each of them weighs.
    pub traits: [f32; TRAITS],
}

/// Who would do what a request may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The rules.
    Rules,
    /// The words that the model marks.
    Marks,
    /// The model, which takes the request for a command that leaves the words alone.
    Command,
}

/// How many numbers a candidate is known by.
pub const TRAITS: usize = 17;

/// What each of the traits weighs for what the rules would do.
const RULED: [f32; TRAITS] =
    [2.67, 0.18, 0.025, 0.00548, -1.46, -0.38, 2.43, -0.226, 0.2, 0.0331, 0.883, 0.101, -0.518, 0.0, -1.08, 1.83, 0.71];
/// The same for what the marks would do.
const MARKED: [f32; TRAITS] = [
    -2.7, -0.299, -0.89, 0.0776, 0.0, -0.921, -1.38, 0.212, 0.00673, -0.0688, 0.145, -0.123, 0.188, -0.202, -0.325,
    0.0, -0.857,
];
/// The same for a command.
const COMMANDED: [f32; TRAITS] =
    [-1.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.0851, -0.00238, -2.93, 0.646, 0.248, -0.451, -0.218, 0.0, 1.99];

/// What is less probably right than this is not done, and what no rule knows of the state only if it is surer.
const CERTAIN: f32 = 0.76;
const COMMAND_CERTAIN: f32 = 0.85;

/// The probability that words are to change from which on a state is not what the rules take it for.
const DENIES: f32 = 0.95;

impl Candidate {
    /// The probability that this is what was asked for.
    pub fn certainty(&self) -> f32 {
        let weights = match self.source {
            Source::Rules => RULED,
            Source::Marks => MARKED,
            Source::Command => COMMANDED,
        };
        let weighed: f32 = self.traits.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        1.0 / (1.0 + (-weighed).exp())
    }

    fn is_certain(&self) -> bool {
        self.certainty() >= if self.source == Source::Command { COMMAND_CERTAIN } else { CERTAIN }
    }
}

/// What is done, given what the rules make of a request.
pub(super) fn decide(
    text: &str,
    status: Status,
    request: &str,
    ruled: Result<Change, Refusal>,
) -> Result<Change, Refusal> {
    let Some(candidates) = candidates(text, status, request, &ruled) else { return ruled };
    // That of the rules comes first: they know better how words are joined.
    match candidates.into_iter().find(Candidate::is_certain) {
        Some(certain) => Ok(certain.change),
        None => Err(ruled.err().unwrap_or(Refusal::Unclear)),
    }
}

/// What could be done; `None` where that is a matter of the rules alone: states that the model does not deny, quotes, other languages,
/// long texts, questions, conditions and whatever else is understood and not to be done.
pub(super) fn candidates(
    text: &str,
    status: Status,
    request: &str,
    ruled: &Result<Change, Refusal>,
) -> Option<Vec<Candidate>> {
    let (by_rules, state) = match ruled {
        Ok(Change::Edit { text: Some(new), status: None }) if new != text => (Some(new), None),
        Ok(Change::Edit { text: None, status }) => (None, *status),
        Err(refusal) if !refusal.is_deliberate() => (None, None),
        _ => return None,
    };
    let manner = asked::manner(request);
    // Whoever quotes what is to change leaves nothing to weigh.
    let is_plain = manner == Manner::Quoted && by_rules.is_some() || asked::is_about_space(request);
    let marks = (!is_plain && text::is_in_english(request)).then(|| MARKER.mark(text, request))??;
    // `We settled on Mizzle` completes nothing where a colour is to change.
    if state.is_some_and(|state| marks.changes < DENIES || probability_of(&marks.commands, state) > 1.0 - DENIES) {
        return None;
    }
    // `write with instead of w/` does not want `write` written.
    let brings_verb =
        marks.request.first().is_some_and(|first| first.comes > 0.5) && asked::begins_with_command(request);
    let by_marks = marked::proposal(text, request, &marks).filter(|_| !brings_verb);
    let (command, commands) = likeliest(&marks.commands);

    let wishes = asked::wishes(&Reader::new(text, status), request);
    let is_understood = ruled.as_ref().is_err_and(|refusal| !refusal.is_misunderstanding());
    let weighed = |source, change, agreement: &Agreement, others: &[Option<&String>]| {
        let is_alike =
            |other: &String| matches!(&change, Change::Edit { text: Some(text), .. } if are_alike(text, other));
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
            odds(commands),
            number(manner == Manner::Told),
            number(is_understood),
            number(others.iter().flatten().any(|other| !is_alike(other))),
            number(others.iter().flatten().any(|other| is_alike(other))),
            // A clause by itself asks for that state, or for one where words would change.
            number(if source == Source::Command { wishes.contains(&change) } else { !wishes.is_empty() }),
        ];
        Candidate { change, source, traits }
    };
    let edit = |text: &String| Change::Edit { text: Some(text.clone()), status: None };
    let texts = [by_rules, by_marks.as_ref().map(|proposal| &proposal.text)];
    let ruled = by_rules
        .map(|new| weighed(Source::Rules, edit(new), &marked::agreement_with(text, request, &marks, new), &texts[1..]));
    let marked = by_marks.as_ref().filter(|proposal| !by_rules.is_some_and(|ruled| are_alike(ruled, &proposal.text)));
    let marked = marked.map(|proposal| weighed(Source::Marks, edit(&proposal.text), &proposal.agreement, &texts[..1]));
    let commanded = weighed(Source::Command, command, &Agreement::default(), &texts);
    Some(ruled.into_iter().chain(marked).chain([commanded]).collect())
}

fn probability_of(commands: &Commands, status: Status) -> f32 {
    match status {
        Status::Open => commands.opens,
        Status::Completed => commands.completes,
        Status::Archived => commands.archives,
    }
}

/// The likeliest of the commands, and its probability.
fn likeliest(commands: &Commands) -> (Change, f32) {
    let becomes = |status| Change::Edit { text: None, status: Some(status) };
    let states = [Status::Open, Status::Completed, Status::Archived];
    let states = states.map(|status| (becomes(status), probability_of(commands, status)));
    let likelier = |one: (Change, f32), other: (Change, f32)| if other.1 > one.1 { other } else { one };
    states.into_iter().chain([(Change::Redo, commands.redoes)]).fold((Change::Undo, commands.undoes), likelier)
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
    fn states_are_understood_by_sense() {
        let text = "Return the rented sander to Boels by Monday.";
        let becomes = |status| Ok(Change::Edit { text: None, status: Some(status) });
        assert_eq!(made(text, "Sander's back, deposit received. Please check this off."), becomes(Status::Completed));
        assert_eq!(made(text, "Took it back this morning, so this one is finished."), becomes(Status::Completed));
    }

    #[test]
    fn what_changes_words_changes_no_state() {
        let text = "Painting job: living room 38 sqm, colour 'Pigeon', 2 tins. Hallway 21 sqm, white.";
        let made = made(text, "We settled on 'Mizzle' for the living room.");
        assert!(!matches!(made, Ok(Change::Edit { status: Some(_), .. })), "{made:?}");
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

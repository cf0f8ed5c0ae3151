//! Decides between what the rules make of a request and what a model has marked in it.
//!
//! The rules know the forms of requests, the model their sense; each errs in its own way. What either would do is weighed by how
//! far the other agrees with it, and only what is certain enough is done.

use std::sync::LazyLock;

use encoder::{Commands, Marker, Marks};
use model::Status;

use super::{
    Change, Refusal,
    asked::{self, Manner, Tone},
    aspect::{ASPECTS, Beside, falls_short, number, only_supposes},
    lifecycle::Reader,
    marked::{self, Agreement, Hunk, Proposal, are_alike, odds},
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
pub const TRAITS: usize = KNOWN + ASPECTS;
const KNOWN: usize = 24;

/// What each of the traits weighs for what the rules would do.
const RULED: [f32; TRAITS] = [
    12.4, 0.173, 0.0235, 0.00712, -1.68, -0.144, -2.63, -0.57, 0.203, -0.264, 1.22, 0.337, 0.181, 0.0, -0.705, -0.602,
    0.184, -0.327, 0.141, 1.07, 0.957, 0.0, 0.0, 0.843, -0.0779, -0.599, 0.231, -1.64, 0.35, -0.902, -0.052, 0.268,
    1.22, 0.415, -0.443, 0.637, -0.0343, -0.0795, -0.738, -1.26, -4.9,
];
/// The same for what the marks would do.
const MARKED: [f32; TRAITS] = [
    -5.24, -0.0594, -0.365, 0.0466, -2.62e-06, -0.627, 0.848, 3.16, 0.266, -0.0849, 1.08, 0.0049, -0.317, 0.371,
    -0.731, 0.0, 0.211, -0.634, 0.3, -0.387, -0.597, 0.112, -0.43, 0.347, -0.205, -0.241, -0.846, -3.61, 0.819, -1.19,
    -2.25, -0.479, -0.803, -0.134, -0.699, -0.259, 0.0853, 0.0434, 0.496, 0.673, -4.85,
];
/// The same for a command.
const COMMANDED: [f32; TRAITS] = [
    -0.468, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.144, -0.109, -1.6, 0.867, -0.133, 1.19, -0.402, 0.0, 2.66, 0.0,
    0.0664, -0.193, -0.438, 1.63, -0.257, -2.41, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0,
];

/// What is less probably right than this is not done, and what no rule knows of the state only if it is surer.
const CERTAIN: f32 = 0.78;
const COMMAND_CERTAIN: f32 = 0.935;

/// What is surer to be nothing that is to be done changes no state either: `Mark it done as soon as the transfer has cleared`.
const SURELY_REFUSED: f32 = 0.8;
const WORDS_IN_A_STATE: usize = 3;

/// Whether the model denies a state that the rules see: `We settled on Mizzle` completes nothing where a colour is to change, nor does
/// `They finished that one, and the current book is Emma`, where the rules change the words as well.
fn is_denied(marks: &Marks, request: &str, state: Status, with_words: bool) -> bool {
    // Of other languages, and of a word or two, it knows too little to refuse them.
    let is_known = || text::is_in_english(request) && request.split_whitespace().count() > WORDS_IN_A_STATE;
    match with_words {
        true => marks.changes > 0.5,
        false => {
            marks.changes + marks.rearranges > 0.6 && probability_of(&marks.commands, state) < 0.2
                || marks.refuses > SURELY_REFUSED && is_known()
        }
    }
}

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
    if only_supposes(request) {
        return Err(ruled.err().unwrap_or(Refusal::Later));
    }
    let is_whole = |candidate: &Candidate| match &candidate.change {
        Change::Edit { text: Some(new), .. } => !falls_short(text, request, new),
        _ => true,
    };
    let certain = candidates.into_iter().filter(|candidate| candidate.is_certain() && is_whole(candidate));
    match certain.max_by(|one, other| one.certainty().total_cmp(&other.certainty())) {
        Some(certain) => Ok(certain.change),
        None => Err(ruled.err().unwrap_or(Refusal::Unclear)),
    }
}

/// What could be done; `None` where that is a matter of the rules alone: states that the model does not deny, old and new words in quotes,
/// other scripts, long texts, questions and whatever else is understood and not to be done.
pub(super) fn candidates(
    text: &str,
    status: Status,
    request: &str,
    ruled: &Result<Change, Refusal>,
) -> Option<Vec<Candidate>> {
    let (by_rules, state) = match ruled {
        Ok(Change::Edit { text: Some(new), status }) if new != text => (Some(new), *status),
        Ok(Change::Edit { text: None, status }) => (None, *status),
        Err(Refusal::Later | Refusal::Partly) => (None, None),
        Err(refusal) if !refusal.is_deliberate() => (None, None),
        _ => return None,
    };
    let tone = asked::tone(request);
    let is_plain = tone.is_beyond_words || by_rules.is_some_and(|new| is_exchange(text, new, &tone.quotes));
    let marks = (!is_plain && is_in_latin_script(request)).then(|| MARKER.mark(text, request))??;
    if state.is_some_and(|state| !is_denied(&marks, request, state, by_rules.is_some())) {
        return None;
    }
    // `write with instead of w/` does not want `write` written.
    let brings_verb = |proposal: &Proposal| {
        let is_first = |hunk: &Hunk| hunk.new.as_ref().is_some_and(|new| new.start == 0);
        tone.begins_with_command && proposal.hunks.iter().any(is_first)
    };
    let mut proposals = marked::proposals(text, request, &marks);
    proposals.retain(|proposal| !brings_verb(proposal));
    let heard = Heard {
        beside: Beside::new(text, request),
        is_english: text::may_be_in_english(request),
        wishes: asked::wishes(&Reader::new(text, status), request),
        refusal: ruled.as_ref().err(),
        texts: [by_rules, proposals.first().map(|proposal| &proposal.text)],
        tone,
        marks: &marks,
        proposals: &proposals,
    };

    let edit = |text: &String| Change::Edit { text: Some(text.clone()), status: None };
    let is_ruled = |proposal: &&Proposal| by_rules.is_some_and(|ruled| are_alike(ruled, &proposal.text));
    let ruled = by_rules.map(|new| {
        let cost = proposals.iter().find(is_ruled).map_or(MOST_COST, |same| same.cost);
        let agreement = marked::agreement_with(text, request, &marks, new);
        heard.weighed(Source::Rules, edit(new), &agreement, cost)
    });
    let marked = proposals
        .iter()
        .filter(|proposal| !is_ruled(proposal))
        .map(|proposal| heard.weighed(Source::Marks, edit(&proposal.text), &proposal.agreement, proposal.cost));
    let commanded = heard.weighed(Source::Command, likeliest(&marks.commands).0, &Agreement::default(), 0.0);
    Some(ruled.into_iter().chain(marked).chain([commanded]).collect())
}

/// What is known of a request, whatever is done.
struct Heard<'a> {
    beside: Beside<'a>,
    is_english: bool,
    tone: Tone<'a>,
    /// What its clauses ask for that is no change of words.
    wishes: Vec<Change>,
    /// Why the rules would do nothing.
    refusal: Option<&'a Refusal>,
    marks: &'a Marks,
    proposals: &'a [Proposal],
    /// What the rules would make of the text, and what the likeliest reading of the marks would.
    texts: [Option<&'a String>; 2],
}

impl Heard<'_> {
    /// A candidate with its traits.
    fn weighed(&self, source: Source, change: Change, agreement: &Agreement, cost: f32) -> Candidate {
        let Self { beside, is_english, tone, wishes, refusal, marks, proposals, texts } = self;
        let new = match &change {
            Change::Edit { text, .. } => text.as_ref(),
            _ => None,
        };
        let is_alike = |other: &str| new.is_some_and(|new| are_alike(new, other));
        let others = match source {
            Source::Rules => &texts[1..],
            Source::Marks => &texts[..1],
            Source::Command => &texts[..],
        };
        let others = || others.iter().flatten();
        let rival = proposals.iter().find(|proposal| !is_alike(&proposal.text));
        let known = [
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
            odds(likeliest(&marks.commands).1),
            number(tone.manner == Manner::Told),
            number(refusal.is_some_and(|refusal| !refusal.is_misunderstanding())),
            number(others().any(|other| !is_alike(other))),
            number(others().any(|other| is_alike(other))),
            // A clause by itself asks for that state, or for one where words would change.
            number(if source == Source::Command { wishes.contains(&change) } else { !wishes.is_empty() }),
            // How much less likely than the likeliest reading this one is, and the next one.
            cost,
            rival.map_or(MOST_COST, |rival| rival.cost),
            number(tone.manner == Manner::Quoted),
            number(tone.begins_with_command),
            number(matches!(refusal, Some(Refusal::Later | Refusal::Partly))),
            number(matches!(refusal, Some(Refusal::Ambiguous { .. } | Refusal::Several | Refusal::Readings))),
            number(!is_english),
        ];
        let looks = new.map_or([0.0; ASPECTS], |new| beside.aspects(new));
        let traits = std::array::from_fn(|at| if at < KNOWN { known[at] } else { looks[at - KNOWN] });
        Candidate { change, source, traits }
    }
}

/// Whether nothing happened but that one of the quotes took the place of another.
fn is_exchange(text: &str, new: &str, quotes: &[&str]) -> bool {
    quotes.iter().filter(|old| !old.is_empty()).any(|old| {
        let count = text.matches(old).count();
        // Nothing is written that could not be the new text: many short words may give way to long ones.
        let is_as_long = |other: &str| text.len() + count * other.len() == new.len() + count * old.len();
        quotes.iter().any(|other| is_as_long(other) && text.replace(old, other) == new)
    })
}

/// Whether the model knows the letters of a request.
fn is_in_latin_script(request: &str) -> bool {
    request.chars().all(|c| !c.is_alphabetic() || c < '\u{250}')
}

/// What stands in for the cost of a reading that there is not.
const MOST_COST: f32 = 8.0;

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
    fn a_reason_that_sounds_like_a_state_changes_none() {
        for (text, request) in [
            (
                "Book club: first Tuesday, 20:00. Current book: The Thursday Murder Club.",
                "They finished that one, and the current book is Lessons in Chemistry.",
            ),
            ("Bring: towels, umbrella, sun cream.", "She took the umbrella with her on Sunday, it can be dropped."),
            ("To return: the ladder, the saw.\n[ ] ladder\n[ ] saw", "The saw went back today, so that's ticked."),
            ("Budget for groceries: 520 a month.", "They sat down last night and settled on 480 a month."),
        ] {
            let made = made(text, request);
            assert!(!matches!(made, Ok(Change::Edit { status: Some(_), .. })), "{request}: {made:?}");
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
    fn what_is_hoped_for_or_about_something_else_is_not_done() {
        for (text, request) in [
            (
                "Pay the invoice of Gartenbau Lenz (480 €).",
                "Mark it as completed as soon as the bank transfer has cleared.",
            ),
            (
                "Vinyl wish list: Kind of Blue, Hounds of Love, Remain in Light.",
                "Once he has found a copy of Hounds of Love, it can be removed.",
            ),
            (
                "Team rituals: daily standup, Monday planning, Friday demo.",
                "Gunnar wanted the Friday demo removed, but everyone else is against it.",
            ),
            ("Fabric shop: linen 18 a metre, viscose 12, boiled wool 32.", "Velvet went up to 26 a metre."),
            (
                "The student council meets in the basement. Treasurer is Hamza.",
                "The motion to make Frieda treasurer instead of Hamza will be voted on next Monday.",
            ),
            (
                "Workload: 80 %\nRole: senior physician",
                "She intends to ask for a workload of 60 % at the next appraisal interview.",
            ),
        ] {
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
    fn a_quote_that_takes_the_place_of_another_is_told_without_writing_it_out() {
        let told = |text: &str, new: &str, quotes: &[&str]| super::is_exchange(text, new, quotes);
        assert!(told("Tea, then tea", "Milk, then tea", &["Tea", "Milk"]));
        assert!(told("a tea, a tea", "a pot, a pot", &["tea", "pot"]));
        assert!(!told("Tea, then tea", "Milk, then milk", &["Tea", "Milk"]));
        assert!(!told("Tea", "Tea and milk", &["", "milk"]));
        let (text, long) = ("a".repeat(1 << 16), "b".repeat(1 << 16));
        assert!(!told(&text, "a", &["a", &long]));
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

//! Works out what one clause of a request says about the life of a thought.
//!
//! A clause is only understood if every word in it is accounted for: as part of the wish, as a name for the thought, or
//! as an aside that cannot change the wish.

use model::Status;

use super::{
    Change,
    clause::{Clause, Unit},
    deed,
    lexicon::Class,
    refusal::Refusal,
    sense::View,
    small_words::is_one_of,
};

/// What a clause asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    To(Status),
    Undo,
    Redo,
}

impl From<Goal> for Change {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::To(status) => Self::Edit { text: None, status: Some(status) },
            Goal::Undo => Self::Undo,
            Goal::Redo => Self::Redo,
        }
    }
}

/// What a clause says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Politeness.
    Nothing,
    /// A wish, as a command or as a statement of how things are.
    Wish {
        goal: Goal,
        command: bool,
        sentence: bool,
    },
    /// A wish that something not be done.
    Prohibited(Option<Goal>),
    /// A word that takes back what was said before.
    Retracted,
    /// `it is not`, of something said before.
    Denied,
    /// A belief that turned out wrong.
    Believed,
    /// The word `no` and nothing else.
    No,
    /// A reason or an aside, and the state it tells of something else.
    Background {
        state: Option<Status>,
    },
    /// A promise, which is no obstacle beside a command.
    Promise,
    Refused(Refusal),
    /// Words without a known meaning.
    Unknown,
}

/// The thought a request is about.
pub(super) struct Subject<'a> {
    pub(super) text: &'a str,
    pub(super) status: Status,
    /// Whether it is a list, of which a request may mean an item.
    pub(super) is_list: bool,
    /// The verbs it asks for.
    pub(super) asked: Vec<String>,
}

/// Reads one clause.
pub(super) fn read(clause: &Clause, subject: &Subject<'_>) -> Reading {
    let mut units = clause.units.clone();
    if units.iter().all(|unit| unit.class == Some(Class::Filler)) {
        return Reading::Nothing;
    }
    if is_question(&units, clause.asks) {
        return Reading::Refused(Refusal::Question);
    }
    // `asked` is what people say of what they say, unless asking is what the thought is about.
    for unit in &mut units {
        if unit.class == Some(Class::Filler) && !unit.quoted && deed::is_deed(&unit.word, &subject.asked) {
            unit.class = Some(Class::Did);
        }
    }
    strip_politeness(&mut units);
    settle(&mut units, subject);
    let view = View { units: &units, subject };
    let Some(head) = view.head() else {
        return Reading::Nothing;
    };
    if units.iter().all(|unit| matches!(unit.class, Some(Class::No | Class::Filler))) {
        return Reading::No;
    }
    if view.has(Class::If) || view.has(Class::After) && view.is_command() {
        return Reading::Refused(Refusal::Later);
    }
    if view.has(Class::Retract) {
        return Reading::Retracted;
    }
    if matches!(head, Some(Class::DoNot))
        && (view.has(Class::Rewrite) || view.has(Class::Change) || view.has(Class::All))
    {
        return Reading::Prohibited(None);
    }
    if view.changes_text() {
        return Reading::Refused(Refusal::Vague);
    }
    if view.has(Class::Believed) {
        return Reading::Believed;
    }
    if units.iter().all(|unit| matches!(unit.class, Some(Class::It | Class::Be | Class::Not | Class::Still)))
        && view.has(Class::Not)
    {
        return Reading::Denied;
    }
    let reading = view.reading();
    if reading != Reading::Unknown && view.is_explained(&reading) {
        return reading;
    }
    match view.is_statement() || clause.after == Some(Class::Because) {
        true => Reading::Background { state: view.state_of_aside() },
        false => Reading::Unknown,
    }
}

/// Whether a clause asks something, rather than asking politely for something.
fn is_question(units: &[Unit], asks: bool) -> bool {
    let mut significant = units.iter().filter(|unit| unit.class != Some(Class::Filler) || is_article(unit));
    let (first, second) = (significant.next(), significant.next());
    let Some(first) = first else { return false };
    if first.class == Some(Class::Ask) || units.last().is_some_and(|unit| unit.class == Some(Class::Ask)) {
        return true;
    }
    let Some(second) = second else { return asks };
    // `did ken review it`.
    if first.word == "did" && second.class.is_none() {
        return true;
    }
    if first.word == "when"
        && matches!(second.class, Some(Class::Be | Class::Did | Class::Have | Class::Will | Class::Should))
    {
        return true;
    }
    if is_polite(first, second) || asks_you(first) {
        return false;
    }
    let inverts = first.class == Some(Class::Have) && first.english
        || matches!(
            first.class,
            Some(Class::Did | Class::Should | Class::Can | Class::Will | Class::Must) | Some(Class::Be)
        ) && !matches!(first.word.as_str(), "get" | "got" | "gets" | "getting" | "be")
        || first.class == Some(Class::Do) && matches!(second.class, Some(Class::We | Class::You | Class::They));
    let subject = matches!(second.class, Some(Class::It | Class::Thing | Class::We | Class::You | Class::They))
        || is_article(second);
    // `did it` has no verb after its subject, and none before but itself.
    let has_verb = units.iter().any(|unit| {
        matches!(
            unit.class,
            Some(Class::State(_) | Class::Verb(_) | Class::Do | Class::Be | Class::Useful | Class::True)
        )
    });
    let elided = first.class == Some(Class::Did) && second.class == Some(Class::It) && !has_verb;
    asks || inverts && subject && !elided || starts_with_negated_verb(first, second, significant.next())
}

/// `isn't this outdated`, `shouldn't we archive it`.
fn starts_with_negated_verb(first: &Unit, second: &Unit, third: Option<&Unit>) -> bool {
    matches!(first.class, Some(Class::Be | Class::Have | Class::Should | Class::Can | Class::Will | Class::Did))
        && second.class == Some(Class::Not)
        && third.is_some_and(|unit| {
            matches!(unit.class, Some(Class::It | Class::We | Class::You | Class::They)) || is_article(unit)
        })
}

fn is_article(unit: &Unit) -> bool {
    matches!(unit.word.as_str(), "the" | "my" | "our" | "your" | "der" | "die" | "la" | "le" | "el")
}

/// `can you`, `could we`, `would you`.
fn is_polite(first: &Unit, second: &Unit) -> bool {
    let asks = matches!(first.class, Some(Class::Can | Class::Will)) && first.word != "may";
    asks && (second.class == Some(Class::You)
        || matches!(second.word.as_str(), "we" | "sie") && first.class == Some(Class::Can))
}

/// Verbs whose form alone addresses the listener: Spanish `puedes`, Portuguese `pode`.
fn asks_you(unit: &Unit) -> bool {
    matches!(unit.word.as_str(), "puedes" | "podrias" | "podria" | "puede" | "pode" | "poderia" | "podes")
}

fn strip_politeness(units: &mut Vec<Unit>) {
    let about_thought = units.iter().any(|unit| matches!(unit.class, Some(Class::It | Class::Thing)));
    let takes_out = units.iter().position(|unit| matches!(unit.word.as_str(), "remove" | "delete" | "drop" | "erase"));
    if let Some(verb) = takes_out.filter(|_| !about_thought) {
        // `remove really` of `really urgent` means the word.
        let named = |unit: &&mut Unit| {
            unit.class == Some(Class::Filler) && !is_article(unit) && !is_one_of(COURTESY, &unit.word)
        };
        units[verb..].iter_mut().filter(named).for_each(|unit| unit.class = None);
    }
    units.retain(|unit| unit.class != Some(Class::Filler) || unit.quoted);
    if let [first, second, ..] = units.as_slice()
        && is_polite(first, second)
    {
        units.drain(..2);
    }
    if units.first().is_some_and(asks_you) {
        units.remove(0);
    }
    // `you can close this` permits; the one who is permitted does not matter.
    if units.first().is_some_and(|unit| unit.class == Some(Class::You)) {
        units.remove(0);
    }
}

/// What may follow `remove` without being what is to be removed.
const COURTESY: &str = "please thanks thank thankyou kindly ok okay already now right immediately asap at for straight so \
     finally completely totally entirely fully actually simply just cheers also too a an many go yes sure";

/// Settles meanings that depend on the neighbours of a word.
fn settle(units: &mut [Unit], subject: &Subject<'_>) {
    let (text, asked) = (subject.text, subject.asked.as_slice());
    for at in 0..units.len() {
        let next_foreign = units.get(at + 1).is_some_and(|unit| !unit.english);
        let spoken = units[..at]
            .iter()
            .any(|unit| matches!(unit.class, Some(Class::We | Class::They | Class::It | Class::Have)));
        let unmarked = units[..at].iter().any(|unit| matches!(unit.word.as_str(), "unmark" | "uncheck" | "untick"));
        let after_it = at > 0 && units[at - 1].class == Some(Class::It);
        let after_state = at > 0 && matches!(units[at - 1].class, Some(Class::State(Status::Completed)));
        let before_link = units.get(at + 1).is_some_and(|unit| unit.class == Some(Class::Link));
        let unit = &mut units[at];
        match unit.class {
            // `mark this todo as done`.
            Some(Class::State(Status::Open))
                if matches!(unit.word.as_str(), "todo" | "to") && (after_it || before_link) =>
            {
                unit.class = Some(Class::Thing);
            }
            // `unmark as done` names the state to leave.
            Some(Class::State(_)) if unmarked => unit.class = Some(Class::Filler),
            // Spanish negates with `no`.
            Some(Class::No) if next_foreign => unit.class = Some(Class::Not),
            // `I do not need it` states what `do not archive it` forbids.
            Some(Class::DoNot) if spoken && unit.word == "do" => unit.class = Some(Class::Not),
            // `finished reading it`.
            None if after_state && deed::is_deed_itself(&unit.word, text) => unit.class = Some(Class::Thing),
            None if deed::is_deed(&unit.word, asked) || spoken && deed::is_same_deed(&unit.word, text) => {
                unit.class = Some(Class::Did)
            }
            _ => {}
        }
    }
}

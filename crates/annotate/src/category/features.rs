//! The features of a text's form that tell tasks, ideas, observations and facts apart.
//!
//! - Each feature is a small question about mood, tense, subject, signs or length; few words in it are about a topic.
//! - Names and order are those of the weight table; the training program reads both from here.

use text::Language;
use text::calendar::{Name, Spelling, weekdays_named};

use super::form::Form;
use super::lexicon::{Set, is_verb};
use crate::entities::is_year;

/// The number of features.
pub const FEATURE_COUNT: usize = FEATURES.len();

/// The features of `text`, between 0 and 1 each, in the order of [`feature_names`].
#[must_use]
pub fn features(text: &str) -> [f32; FEATURE_COUNT] {
    let form = Form::new(text);
    FEATURES.map(|(_, question)| question(&form))
}

/// The name of each feature.
#[must_use]
pub fn feature_names() -> [&'static str; FEATURE_COUNT] {
    FEATURES.map(|(name, _)| name)
}

type Question = fn(&Form) -> f32;

const FEATURES: [(&str, Question); 54] = [
    ("always", |_| 1.0),
    ("box or to-do mark", |form| yes(form.has_box || has_task_label(form))),
    ("label or first word names an idea", |form| yes(has_idea_label(form))),
    ("another label", |form| yes(form.has_label() && !has_task_label(form) && !form.is_labelled(Set::IdeaNoun))),
    ("opens with a request", |form| yes(opens_with_verb(form))),
    ("opens with a verb and its object", |form| yes(opens_with_verb(form) && form.leads(1, Set::ObjectOpener))),
    ("opens with a foreign infinitive", |form| yes(opens_with_infinitive(form))),
    ("ends with a German infinitive", |form| yes(ends_with_infinitive(form))),
    ("a later clause is a request", |form| yes(has_later_request(form))),
    ("asks someone to act", |form| yes(form.has(Set::Plea))),
    ("obligation", |form| yes(form.has(Set::Obligation))),
    ("obligation of the writer", |form| yes(form.has(Set::OwnObligation))),
    ("reminder", |form| yes(form.has(Set::Reminder))),
    ("promise or wait", |form| yes(form.has(Set::Pending))),
    ("deadline", |form| yes(has_deadline(form))),
    ("time ahead", |form| yes(form.has(Set::Ahead))),
    ("bare appointment", |form| yes(is_nominal(form) && form.len() <= 7 && form.has(Set::Weekday) && form.has_time)),
    ("hedge", |form| yes(form.has(Set::Hedge))),
    ("opens with a hedge", |form| yes(form.leads(0, Set::Hedge))),
    ("could, would or might", |form| yes(form.has(Set::Conditional))),
    ("opens with could or might", |form| yes(form.leads(0, Set::Conditional))),
    ("would be, could be", |form| yes(form.has(Set::SoftWish))),
    ("supposition", |form| yes(form.has(Set::Supposition))),
    ("thinking about something", |form| yes(form.has(Set::Musing))),
    ("alternative", |form| yes(form.has(Set::Alternative))),
    ("question mark", |form| yes(form.ends_with_question_mark)),
    ("asks for information", |form| yes(asks_for_information(form))),
    ("asks for a decision", |form| yes(form.leads(0, Set::Decision) && !form.leads(0, Set::QuestionWord))),
    ("perception", |form| yes(form.has(Set::Perception))),
    ("opens with a past form", |form| yes(form.opens_in_the_past())),
    ("early past form", |form| yes(form.pasts().next().is_some_and(|place| (1..=4).contains(&place)))),
    ("past forms", |form| form.pasts().take(3).count() as f32 / 3.0),
    ("writer acted", |form| yes(writer_acted(form))),
    ("time just past", |form| yes(form.has(Set::Recent))),
    ("since then and still", |form| yes(form.has(Set::Lasting))),
    ("in a year", |form| yes(form.words().skip(1).any(is_year))),
    ("third person in the present", |form| yes(has_present_form(form))),
    ("a noun and its verb in the present", |form| yes(opens_with_noun_and_verb(form))),
    ("someone in the present", |form| yes(form.follows(Set::Subject, |_, sets| sets.contains(Set::Verb)))),
    ("again and again", |form| yes(form.has(Set::Again))),
    ("judgement", |form| yes(form.has(Set::Judgement))),
    ("is or are", |form| yes(form.has(Set::Copula))),
    ("early is or are", |form| yes(form.has_early(Set::Copula, 7))),
    ("lasting state", |form| yes(has_state_verb(form))),
    ("lasting state, no past form", |form| yes(has_state_verb(form) && form.pasts().next().is_none())),
    ("habit", |form| yes(form.has(Set::Habit) || form.words().any(is_plural_weekday))),
    ("preference", |form| yes(form.has(Set::Preference))),
    ("whose it is", |form| yes(form.begins(Set::Owner) || form.words().take(2).any(|word| word.ends_with("'s")))),
    ("number or code", |form| yes(form.words().any(|word| word.contains(|char: char| char.is_ascii_digit())))),
    ("equals sign", |form| yes(form.has_equals_sign)),
    ("a few words", |form| yes(form.len() <= 5)),
    ("no verb at all", |form| yes(is_nominal(form))),
    ("opens with a or an", |form| yes(form.leads(0, Set::Article))),
    ("many words", |form| yes(form.len() >= 12)),
];

fn yes(answer: bool) -> f32 {
    f32::from(u8::from(answer))
}

fn has_task_label(form: &Form) -> bool {
    form.is_labelled(Set::TaskLabel) || form.begins(Set::TaskLabel)
}

fn has_idea_label(form: &Form) -> bool {
    form.is_labelled(Set::IdeaNoun) || form.begins(Set::IdeaNoun)
}

/// Whether the sentence opens with a bare verb that has no subject before it: a request or a note to oneself.
fn opens_with_verb(form: &Form) -> bool {
    // `work is hard`, `build took long`: the word is a noun when a verb follows it.
    let is_noun = form.leads(1, Set::NounMark) || form.past_lead(1).is_empty();
    form.leads(0, Set::Verb) && !is_noun || matches!(form.past_lead(0), "let's" | "lets" | "don't")
}

/// French and Spanish notes to oneself open with an infinitive.
fn opens_with_infinitive(form: &Form) -> bool {
    let word = form.past_lead(0);
    word.len() > 4
        && ["er", "ir", "ar", "dre", "ttre"].iter().any(|ending| word.ends_with(ending))
        && !form.leads(0, Set::Verb)
        && !form.leads(0, Set::FalseInfinitive)
        && !form.leads(1, Set::Subject)
}

/// A German note to oneself ends with an infinitive and has no subject.
fn ends_with_infinitive(form: &Form) -> bool {
    let last = form.first_clause_end();
    ["en", "eln", "ern"].iter().any(|ending| last.ends_with(ending))
        && form.has(Set::GermanWord)
        && !form.has(Set::GermanFinite)
}

/// Whether a clause after the first opens with a bare verb: `it leaks; call the plumber`.
fn has_later_request(form: &Form) -> bool {
    form.clauses().any(|place| {
        form.is_at(place, Set::Verb) && place + 1 < form.len() && form.clauses().all(|other| other != place + 1)
    })
}

/// Whether a verb among the first words has the `-s` of the third person: `the job writes one file a day`.
fn has_present_form(form: &Form) -> bool {
    form.words().enumerate().skip(1).take(6).any(|(place, word)| {
        let is_verb = ["s", "es"].iter().any(|ending| word.strip_suffix(ending).is_some_and(is_verb));
        is_verb && !form.is_at(place - 1, Set::NoPastAfter) && !form.is_at(place - 1, Set::Verb)
    })
}

/// Whether a singular noun or a name comes first and a word in `-s` right after it: `the cache expires`, `yusuf sings`.
fn opens_with_noun_and_verb(form: &Form) -> bool {
    let noun = usize::from(form.is_at(0, Set::Determiner));
    let ends_in_s = |word: &str| {
        word.len() > 3 && word.ends_with('s') && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending))
    };
    let mut words = form.words().skip(noun);
    match (words.next(), words.next()) {
        (Some(first), Some(second)) => {
            !ends_in_s(first) && ends_in_s(second) && !form.is_at(noun, Set::ObjectOpener) && form.len() > noun + 2
        }
        _ => false,
    }
}

fn has_deadline(form: &Form) -> bool {
    form.follows(Set::DeadlineOpener, |word, sets| {
        sets.contains(Set::DeadlineTime) || word.starts_with(|char: char| char.is_ascii_digit())
    })
}

fn asks_for_information(form: &Form) -> bool {
    form.ends_with_question_mark && form.leads(0, Set::QuestionWord) && !form.leads(0, Set::Supposition)
}

fn writer_acted(form: &Form) -> bool {
    let regular =
        form.words().zip(form.words().skip(1)).any(|(who, did)| matches!(who, "i" | "we") && did.ends_with("ed"));
    regular || form.has(Set::ActedOn)
}

fn has_state_verb(form: &Form) -> bool {
    // The first word is a request or a noun, not the verb of a statement.
    form.follows_first(Set::State, 9)
}

fn is_plural_weekday(word: &str) -> bool {
    let day = word.strip_suffix('s').unwrap_or_default();
    let is_german = |name: &Name| name.language == Language::German && name.spelling == Spelling::Plural;
    day.ends_with("day") && day.len() >= 6 || weekdays_named(word).iter().any(is_german)
}

/// Whether the text is a bare phrase without any verb the features know.
fn is_nominal(form: &Form) -> bool {
    form.pasts().next().is_none()
        && !opens_with_verb(form)
        && ![Set::Copula, Set::Conditional, Set::State, Set::Obligation].into_iter().any(|set| form.has(set))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feature(text: &str, name: &str) -> f32 {
        features(text)[feature_names().iter().position(|known| *known == name).unwrap()]
    }

    #[test]
    fn requests_open_with_a_bare_verb() {
        assert_eq!(feature("Please send the contract", "opens with a request"), 1.0);
        assert_eq!(feature("work is hard", "opens with a request"), 0.0);
    }

    #[test]
    fn features_stay_between_zero_and_one() {
        for text in ["", "?", "we saw and heard and felt and knew", "東京", "= = ="] {
            assert!(features(text).iter().all(|value| (0.0..=1.0).contains(value)), "{text}");
        }
    }

    #[test]
    fn questions_for_facts_are_told_from_suggestions() {
        assert_eq!(feature("When is the deadline?", "asks for information"), 1.0);
        assert_eq!(feature("What if we waited?", "asks for information"), 0.0);
    }
}

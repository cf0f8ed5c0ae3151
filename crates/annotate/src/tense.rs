//! Whether a query asks how things are by now, or how they were before.

use std::ops::Range;

use model::Time;
use text::{fold, is_among, is_in_english, plain_words};

use crate::entities::{is_abbreviation, is_of_calendar};
use crate::moments;

/// Which state of things a query asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tense {
    /// The latest: `my current address`, `where does she live these days`.
    Now,
    /// An earlier one: `where did I use to live`, `my previous dentist`.
    Before,
}

/// Only so much of a query is looked at.
const QUERY_BYTES_MAX: usize = 2_000;

/// What says so, word by word. `Now` first: `what replaced the previous one now` is about the present.
const CUES: [(Tense, &[&str]); 2] = [
    (
        Tense::Now,
        &[
            "current",
            "currently",
            "now",
            "nowadays",
            "these days",
            "at the moment",
            "at present",
            "presently",
            "latest",
            "newest",
            "most recent",
            "up to date",
            "by now",
            "as of today",
            "aktuell",
            "aktuelle",
            "aktueller",
            "aktuelles",
            "aktuellen",
            "derzeit",
            "inzwischen",
            "zurzeit",
            "actuel",
            "actuelle",
            "actuellement",
            "maintenant",
            "en ce moment",
            "actual",
            "actualmente",
            "ahora",
            "attuale",
            "attualmente",
            "adesso",
        ],
    ),
    (
        Tense::Before,
        &[
            "used to",
            "use to",
            "previous",
            "previously",
            "former",
            "formerly",
            "originally",
            "original",
            "in the past",
            "back then",
            "earlier on",
            "at first",
            "initially",
            "in the beginning",
            "at the beginning",
            "in those days",
            "back when",
            "before that",
            "prior to",
            "fruher",
            "fruhere",
            "fruherer",
            "fruheres",
            "fruheren",
            "ehemalig",
            "ehemalige",
            "damals",
            "ursprunglich",
            "auparavant",
            "precedent",
            "precedente",
            "anciennement",
            "autrefois",
            "antes",
            "anterior",
            "anteriormente",
            "precedentemente",
        ],
    ),
];

/// Cues of other languages that English has as words of its own.
const FALSE_FRIENDS: &str = "actual precedent";

impl Tense {
    /// Reads a query; `None` for most.
    pub fn of_query(query: &str) -> Option<Self> {
        // What it names is how things are by now, whatever it calls that.
        if what_came_after(query).is_some() {
            return Some(Self::Before);
        }
        let folded = fold(&query[..query.floor_char_boundary(QUERY_BYTES_MAX)]);
        let words: Vec<&str> = plain_words(&folded).collect();
        let is_english = is_in_english(query);
        let says = |cue: &&&str| {
            if is_english && is_among(FALSE_FRIENDS, cue) {
                return false;
            }
            let cue: Vec<&str> = cue.split(' ').collect();
            words.windows(cue.len()).any(|these| these == cue)
        };
        CUES.iter().find(|(_, cues)| cues.iter().any(|cue| says(&cue))).map(|(tense, _)| *tense)
    }
}

/// Where a query names what came after the state it asks for: `before the Subaru`, `before she moved to Cork`. That is no part of
/// the answer, and what tells of it is the later state.
///
/// `None` for what is to be done before something, and for a time: `before 2024`, `before Friday` and `before last winter` say when.
pub fn what_came_after(query: &str) -> Option<Range<usize>> {
    const AFTER: &str = "before";
    let query = &query[..query.floor_char_boundary(QUERY_BYTES_MAX)];
    let lower = query.to_ascii_lowercase();
    let is_word = |at: &usize| {
        !lower[..*at].ends_with(char::is_alphanumeric) && lower[at + AFTER.len()..].starts_with(char::is_whitespace)
    };
    let start = lower.match_indices(AFTER).map(|(at, _)| at).find(is_word)?;
    let end = start + length_of_clause(&query[start..]);
    (is_of_the_past([&lower[..start], &lower[end..]]) && is_state(&query[start..end])).then_some(start..end)
}

/// How far what begins here goes on: up to a sign, or the end of the sentence.
fn length_of_clause(text: &str) -> usize {
    let ends = |(at, sign): &(usize, &str)| match *sign {
        "." => {
            let last = text[..*at].rsplit(|char: char| !char.is_alphanumeric()).next().unwrap_or_default();
            let is_end = text[at + 1..].chars().next().is_none_or(char::is_whitespace);
            is_end && !is_abbreviation(&last.to_lowercase())
        }
        _ => true,
    };
    let mut signs = text.match_indices(['.', ',', ';', '?', '!', '\n']);
    signs.find(ends).map_or(text.len(), |(at, _)| at)
}

/// Whether `before …` names a state of things: no time, and no quotation, which is to be found as it stands.
fn is_state(clause: &str) -> bool {
    const TIMES: &str = "noon midnight midday lunch dinner breakfast weekend week month year spring summer autumn fall winter morning evening night";
    let is_other = |char: char| char.is_ascii_digit() || matches!(char, '"' | '“' | '”' | '„' | '«' | '»');
    let is_time = |word: &str| is_of_calendar(word) || is_among(TIMES, word);
    let names_a_time = plain_words(&fold(clause)).any(is_time) || !moments(clause, Time::from_micros(0)).is_empty();
    !clause.contains(is_other) && !names_a_time
}

/// Whether what is asked beside `before …` was so once.
fn is_of_the_past(asked: [&str; 2]) -> bool {
    const PAST: &str = "did didn't was wasn't were weren't had hadn't";
    const PRESENT: &str = "is isn't are aren't am do don't does doesn't has have will won't shall should must can may might need needs let";
    let says = |class: &str| {
        let words = asked.iter().flat_map(|part| part.split(|char: char| !char.is_alphanumeric() && char != '\''));
        words.into_iter().any(|word| is_among(class, word))
    };
    // `Before I host them: …` is what somebody is about to do.
    says(PAST) || !asked[0].is_empty() && !says(PRESENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_says_whether_it_means_the_latest_or_an_earlier_state() {
        for (query, tense) in [
            ("What is my current address?", Some(Tense::Now)),
            ("where does Ana work these days", Some(Tense::Now)),
            ("meine aktuelle Adresse", Some(Tense::Now)),
            ("Where did I use to live?", Some(Tense::Before)),
            ("my previous dentist", Some(Tense::Before)),
            ("Which car did Ana have before the one she drives now?", Some(Tense::Before)),
            ("Wo hat Ana früher gewohnt?", Some(Tense::Before)),
            ("What did the previous plan cost, and what is it now?", Some(Tense::Now)),
            ("Where does Ana live?", None),
            ("What was the actual cost of the roof?", None),
            ("¿Cuál es mi dirección actual?", Some(Tense::Now)),
            ("I know nothing", None),
            ("", None),
        ] {
            assert_eq!(Tense::of_query(query), tense, "{query}");
        }
    }

    #[test]
    fn what_came_after_says_which_state_is_meant() {
        for (query, after) in [
            ("Which car did Ana have before the Subaru?", Some("before the Subaru")),
            ("Before she moved, where was Ana working?", Some("Before she moved")),
            ("Who was my boss before Rui, and what did she want to hear?", Some("before Rui")),
            ("salary before the last raise", Some("before the last raise")),
            ("Which bank held our savings before Caixa", Some("before Caixa")),
            ("Where did I live before Dr. Rui moved in. And my new address", Some("before Dr. Rui moved in")),
            ("What did I do before 2024?", None),
            ("What did Ana ask me to send before Monday?", None),
            ("tasks due before Friday", None),
            ("What did we plan before the weekend?", None),
            ("What did Ana say of \"before the storm\"?", None),
            ("What do I have to bring before the trip?", None),
            ("Before I call Ana: which gifts does she like?", None),
            ("Before I host them", None),
            ("What was decided beforehand?", None),
            ("Where did we live before?", None),
            ("before", None),
        ] {
            assert_eq!(what_came_after(query).map(|range| &query[range]), after, "{query}");
        }
    }
}

//! Whether a query asks how things are by now, or how they were before.

use text::fold;

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

impl Tense {
    /// Reads a query; `None` for most.
    pub fn of_query(query: &str) -> Option<Self> {
        let folded = fold(&query[..query.floor_char_boundary(QUERY_BYTES_MAX)]);
        let words: Vec<&str> =
            folded.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let says = |cue: &&&str| {
            let cue: Vec<&str> = cue.split(' ').collect();
            words.windows(cue.len()).any(|these| these == cue)
        };
        CUES.iter().find(|(_, cues)| cues.iter().any(|cue| says(&cue))).map(|(tense, _)| *tense)
    }
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
            ("Wo hat Ana früher gewohnt?", Some(Tense::Before)),
            ("What did the previous plan cost, and what is it now?", Some(Tense::Now)),
            ("Where does Ana live?", None),
            ("I know nothing", None),
            ("", None),
        ] {
            assert_eq!(Tense::of_query(query), tense, "{query}");
        }
    }
}

//! The names known to everyone: embedded lists of given names, places, organisations, products, works, and of the
//! ordinary words that are none of these.
//!
//! - Keys are folded and cut into words as texts are, so every spelling of a listed name is found.
//! - A name that is also an ordinary word is `doubtful`: it needs a capital and a reason.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use text::{Language, Languages, languages_of};

use super::kind::EntityKind;
use super::tokens::{Shape, Token, phrase, tokens};

/// An entry of the lists of places, organisations, products and works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    /// The spelling of the list.
    pub(super) name: &'static str,
    /// The main spelling of the same thing.
    pub(super) main: &'static str,
    pub(super) kind: EntityKind,
    /// Also an ordinary word.
    pub(super) doubtful: bool,
    /// A number after it belongs to the name: `iPhone 15`.
    pub(super) numbered: bool,
}

/// How sure a word is a given name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    No,
    Doubtful,
    Yes,
}

/// The entries listed under `folded`, words parted by single spaces.
pub(super) fn listed(folded: &str) -> &'static [Listed] {
    LISTS.names.get(folded).map_or(&[], Vec::as_slice)
}

/// The number of words of the longest listed name that begins with the word `folded`.
pub(super) fn longest_from(folded: &str) -> usize {
    LISTS.longest.get(folded).copied().unwrap_or(0)
}

/// Whether the word `folded` is a given name.
pub(super) fn given(folded: &str) -> Given {
    if let Some(given) = LISTS.given.get(folded) {
        return *given;
    }
    // `Jean-Luc`, `Ana-Maria`: both halves are names.
    match folded.split_once('-') {
        Some((left, right)) if LISTS.given.contains_key(left) && LISTS.given.contains_key(right) => Given::Yes,
        _ => Given::No,
    }
}

/// Whether the word `folded` may be a given name, whatever else it is.
pub(crate) fn is_given_name(folded: &str) -> bool {
    given(folded) != Given::No
}

/// Whether `folded` is an everyday word, inflected or not.
pub fn is_ordinary(folded: &str) -> bool {
    if ORDINARY.contains(folded) || is_function_word(folded) {
        return true;
    }
    let stem_is_ordinary = |suffix: &str| {
        let Some(stem) = folded.strip_suffix(suffix).filter(|stem| stem.len() > 2) else { return false };
        if ORDINARY.contains(stem) {
            return true;
        }
        // `making`, `planned`, `studies`.
        let mut other = String::with_capacity(stem.len() + 1);
        other.push_str(stem);
        other.push('e');
        if ORDINARY.contains(other.as_str()) {
            return true;
        }
        let bytes = stem.as_bytes();
        let doubled = bytes.len() > 3 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2] && stem.is_ascii();
        if doubled && ORDINARY.contains(&stem[..stem.len() - 1]) {
            return true;
        }
        stem.strip_suffix('i').is_some_and(|short| ORDINARY.contains(format!("{short}y").as_str()))
    };
    if ["s", "es", "ed", "d", "ing", "ly", "er", "ers", "est", "r", "n't", "y", "al", "able", "ment"]
        .into_iter()
        .any(stem_is_ordinary)
    {
        return true;
    }
    // The bound keeps a chain of hyphens from nesting without end.
    folded.len() <= LONGEST_COMPOUND
        && folded.split_once('-').is_some_and(|(left, right)| is_ordinary(left) && is_ordinary(right))
}

/// Longest hyphenated word that is taken apart, in bytes.
const LONGEST_COMPOUND: usize = 40;

/// Whether `folded` ends as abstract words do and names do not.
pub(super) fn ends_like_a_word(folded: &str) -> bool {
    folded.len() > 6
        && [
            "tion", "sion", "ness", "ment", "ingly", "ity", "ical", "ously", "fully", "ung", "keit", "heit", "ología",
            "isation",
        ]
        .iter()
        .any(|ending| folded.ends_with(ending))
}

fn is_function_word(folded: &str) -> bool {
    if languages_of(folded).shares_any(*NOTE_LANGUAGES) {
        return true;
    }
    // `don't`, `j'ai`, `qu'il`; but `d'angelo` and `o'brien` are names.
    folded.split_once('\'').is_some_and(|(left, right)| match left {
        "don" | "can" | "won" | "didn" | "isn" | "doesn" | "wasn" | "couldn" | "shouldn" | "wouldn" | "haven"
        | "aren" => true,
        "j" | "c" | "n" | "s" | "t" | "m" | "qu" | "y" => true,
        "d" | "l" => ORDINARY.contains(right),
        _ => false,
    })
}

static NOTE_LANGUAGES: LazyLock<Languages> = LazyLock::new(|| {
    let mut languages = Languages::default();
    for language in [Language::English, Language::German, Language::French, Language::Spanish] {
        languages.insert(language);
    }
    languages
});

/// Whether the function words among `tokens` are rather German than English: German writes every noun with a capital.
pub(super) fn is_german(tokens: &[Token<'_>]) -> bool {
    let (mut german, mut english) = (0, 0);
    for token in tokens.iter().take(200).filter(|token| token.shape != Shape::Number) {
        let languages = languages_of(&token.folded);
        match (languages.contains(Language::German), languages.contains(Language::English)) {
            (true, false) => german += 1,
            (false, true) => english += 1,
            _ => {}
        }
    }
    german > english
}

struct Lists {
    given: FxHashMap<String, Given>,
    names: FxHashMap<String, Vec<Listed>>,
    longest: FxHashMap<String, usize>,
}

static ORDINARY: LazyLock<FxHashSet<&'static str>> =
    LazyLock::new(|| entries(include_str!("data/ordinary.txt"), ' ').collect());

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut lists = Lists { given: FxHashMap::default(), names: FxHashMap::default(), longest: FxHashMap::default() };
    for entry in entries(include_str!("data/first_names.txt"), ' ') {
        let (name, doubtful) = marked(entry);
        let folded = text::fold(name);
        let doubtful = doubtful || ORDINARY.contains(folded.as_str()) || is_function_word(&folded);
        lists.given.insert(folded, if doubtful { Given::Doubtful } else { Given::Yes });
    }
    add(&mut lists, include_str!("data/places.txt"), ',', EntityKind::Place);
    add(&mut lists, include_str!("data/organisations.txt"), ',', EntityKind::Organisation);
    add(&mut lists, include_str!("data/products.txt"), ',', EntityKind::Product);
    add(&mut lists, include_str!("data/works.txt"), ';', EntityKind::Work);
    lists
});

fn add(lists: &mut Lists, data: &'static str, separator: char, kind: EntityKind) {
    for entry in entries(data, separator) {
        let (entry, numbered) = match entry.strip_suffix('#') {
            // `C#` and `F#` are names.
            Some(name) if name.len() > 1 => (name, true),
            _ => (entry, false),
        };
        let main = marked(entry.split('=').next().map_or(entry, str::trim)).0;
        for spelling in entry.split('=').map(str::trim) {
            let (name, doubtful) = marked(spelling);
            let words = tokens(name);
            let Some(first) = words.first() else { continue };
            let folded = phrase(&words);
            let doubtful =
                doubtful || words.len() == 1 && (ORDINARY.contains(folded.as_str()) || is_function_word(&folded));
            let longest = lists.longest.entry(first.folded.clone()).or_default();
            *longest = words.len().max(*longest);
            lists.names.entry(folded).or_default().push(Listed { name, main, kind, doubtful, numbered });
        }
    }
}

/// The entries of a data file without its comments.
fn entries(data: &'static str, separator: char) -> impl Iterator<Item = &'static str> {
    data.lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(move |line| line.split(separator))
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
}

fn marked(entry: &'static str) -> (&'static str, bool) {
    entry.strip_prefix('~').map_or((entry, false), |name| (name, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_leads_to_the_main_one() {
        assert_eq!(listed("postgres")[0].main, "PostgreSQL");
        assert_eq!(listed("munchen")[0].main, "Munich");
        assert_eq!(listed("東京")[0].main, "Tokyo");
    }

    #[test]
    fn names_that_are_words_are_doubtful() {
        assert_eq!(given("mark"), Given::Doubtful);
        assert_eq!(given("thandiwe"), Given::Yes);
        assert!(listed("notion")[0].doubtful);
        assert!(!listed("kubernetes")[0].doubtful);
    }

    #[test]
    fn inflected_words_are_ordinary() {
        assert!(["meeting", "planned", "studies", "quickly", "don't", "heizung"].into_iter().all(is_ordinary));
        assert!(!["whitfield", "falcon", "lisbon"].into_iter().any(is_ordinary));
    }

    #[test]
    fn german_shows_by_its_function_words() {
        assert!(is_german(&tokens("Der Server braucht ein Update und mehr Speicher")));
        assert!(!is_german(&tokens("The server needs an update and more storage")));
    }
}

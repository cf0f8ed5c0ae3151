//! The words that requests are read by, from a data file for each language.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::words::Word;

/// The files: a class and its words a line, `_` between the words of a phrase.
const FILES: &[(&str, &str)] = &[("", include_str!("words/en.txt")), ("other.", include_str!("words/other.txt"))];

/// The phrases of a class by their first word, the longest first.
type Phrases = FxHashMap<&'static str, Vec<Vec<&'static str>>>;

static CLASSES: LazyLock<FxHashMap<String, Phrases>> = LazyLock::new(|| {
    let mut classes: FxHashMap<String, Phrases> = FxHashMap::default();
    let lines = FILES.iter().flat_map(|(prefix, file)| file.lines().map(move |line| (prefix, line)));
    for (prefix, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let (class, words) = line.split_once(':').unwrap_or_else(|| unreachable!("a class and its words: {line}"));
        // What joins old words to new ones depends on the language of the verb; all else does not.
        let apart = matches!(class, "change" | "replace" | "to" | "with");
        let phrases = classes.entry(format!("{}{class}", if apart { prefix } else { "" })).or_default();
        insert(phrases, words);
        if !apart && !prefix.is_empty() {
            insert(classes.entry(format!("{prefix}{class}")).or_default(), words);
        }
    }
    classes
});

fn insert(phrases: &mut Phrases, words: &'static str) {
    for phrase in words.split_whitespace() {
        let words: Vec<&str> = phrase.split('_').collect();
        phrases.entry(words[0]).or_default().push(words);
    }
    phrases.values_mut().for_each(|phrases| phrases.sort_by_key(|words| std::cmp::Reverse(words.len())));
}

/// How many of `words` are the longest phrase of `class` that they begin with; none is 0.
pub(super) fn length(words: &[Word<'_>], class: &str) -> usize {
    let Some(first) = words.first().filter(|word| !word.quoted) else { return 0 };
    let Some(phrases) = CLASSES.get(class).and_then(|phrases| phrases.get(first.folded.as_ref())) else { return 0 };
    let fits = |phrase: &&Vec<&str>| {
        phrase.len() <= words.len() && phrase.iter().zip(words).all(|(wanted, word)| word.is(wanted))
    };
    phrases.iter().find(fits).map_or(0, Vec::len)
}

/// Whether a phrase of `class` is among `words`.
pub(super) fn has(words: &[Word<'_>], class: &str) -> bool {
    (0..words.len()).any(|at| length(&words[at..], class) > 0)
}

/// Whether a word, in small letters, is one of `class`.
pub(super) fn is(word: &str, class: &str) -> bool {
    let phrases = CLASSES.get(class).and_then(|phrases| phrases.get(word));
    phrases.is_some_and(|phrases| phrases.iter().any(|phrase| phrase.len() == 1))
}

/// The longest phrase of `class` that `words` end with, in words.
pub(super) fn length_at_end(words: &[Word<'_>], class: &str) -> usize {
    let longest = 8.min(words.len());
    (1..=longest).rev().find(|&count| length(&words[words.len() - count..], class) == count).unwrap_or(0)
}

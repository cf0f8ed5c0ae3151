//! Reads which of several places or parts is meant: `every`, `the last`, `the second sentence`.

use super::{
    command::{Part, Which},
    phrase::Phrase,
    value,
};

/// Which of several places a phrase means, and the phrase without that.
pub(super) fn counted<'a, 'r>(phrase: Phrase<'a, 'r>, otherwise: Which) -> (Phrase<'a, 'r>, Which) {
    const EVERYWHERE: &str = "everywhere|throughout|in all places|in every place|each time|every time|wherever it appears|all over|\
         in both places|in both cases|both times|all of them|(all of them)|both of them";
    const EVERY: &str = "both occurrences of|both instances of|both mentions of|all occurrences of|all instances of|all mentions of|all the occurrences of|every occurrence of|\
         every instance of|every mention of|each occurrence of|each instance of|all of the|all the|both|every|each|\
         all";
    const HERE: &str =
        "in the text|in this thought|in the thought|in it|in this note|in the note|in there|in this|in here";
    let (phrase, which) = match phrase.strip_end(EVERYWHERE) {
        Some(rest) => (rest, Which::Every),
        None => (phrase.strip_end(HERE).unwrap_or(phrase), otherwise),
    };
    if let Some(rest) = phrase.strip(EVERY)
        && !rest.unmarked().is_empty()
        && !rest.starts("of it")
        && !rest.starts("with")
        && !rest.starts("to")
    {
        return (rest, Which::Every);
    }
    let after_article = phrase.strip("the").unwrap_or(phrase);
    let Some(number) = ordinal(after_article.head()) else { return (phrase, which) };
    let rest = after_article.from(1);
    // `3rd April` is a day.
    if rest.words.first().is_some_and(|word| value::is_month(word.raw)) {
        return (phrase, which);
    }
    if rest.words.first().is_some_and(|word| word.is_any("to|with|by|into|for|should|is") || word.is_arrow()) {
        return (phrase, which);
    }
    let rest = rest.strip("occurrence of|instance of|mention of").unwrap_or(rest);
    match rest.unmarked().is_empty()
        || part_noun(rest.head()).is_some()
        || rest.starts("letter")
        || which == Which::Every
    {
        true => (phrase, which),
        false => (rest, number),
    }
}

/// `the second sentence`.
pub(super) fn part(phrase: Phrase<'_, '_>) -> Option<(Part, Which)> {
    let rest = phrase.unmarked();
    let rest = rest.strip("the|that|this").unwrap_or(rest);
    let rest = rest
        .strip_end("on the list|in the list|of the list|from the list|of the thought|in the text|of the text|point")
        .unwrap_or(rest);
    match rest.words {
        // `step 2`.
        [noun, count] if count.raw.starts_with(|c: char| c.is_ascii_digit() || c == '#') => {
            let number =
                count.folded.trim_start_matches('#').parse().ok().filter(|number| (1..100).contains(number))?;
            let part = part_noun(&noun.folded).filter(|part| *part != Part::Word)?;
            Some((part, Which::Nth(number)))
        }
        [count, noun] => Some((part_noun(&noun.folded)?, ordinal(&count.folded)?)),
        _ => None,
    }
}

/// The part of a text that a noun names.
pub(super) fn part_noun(noun: &str) -> Option<Part> {
    Some(match noun {
        "sentence" => Part::Sentence,
        "line" | "paragraph" => Part::Line,
        "word" => Part::Word,
        "item" | "bullet" | "entry" | "point" | "element" | "step" => Part::Item,
        _ => return None,
    })
}

const NUMBERS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
    eighteen nineteen twenty";

/// A number that is given in words.
pub(super) fn number(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    NUMBERS.split(' ').position(|name| name == word).filter(|number| *number > 0)
}

/// The same in words, if it is so small that people write it.
pub(super) fn in_words(number: usize) -> Option<&'static str> {
    NUMBERS.split(' ').nth(number)
}

/// The number that a word counts to.
pub(super) fn ordinal(word: &str) -> Option<Which> {
    const ORDINALS: &[&str] =
        &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    const SHORT: &[&str] = &["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th"];
    if matches!(word, "last" | "final") {
        return Some(Which::Last);
    }
    let at = ORDINALS
        .iter()
        .position(|ordinal| *ordinal == word)
        .or_else(|| SHORT.iter().position(|ordinal| *ordinal == word))?;
    Some(Which::Nth(at + 1))
}

//! Works out which of the words somebody said to be right belong in the place of the wrong ones.

use std::ops::Range;

use super::{
    command::{Operand, Which},
    locate::{Reach, locate},
    refusal::Refusal,
    replace::{places, replace, without_article},
    small_words::is_small,
    value,
};

/// Changes every `old` to the words that were `said` to be right, of which the last belong in its place.
pub(super) fn correct(text: &str, said: &Operand, old: &Operand) -> Result<String, Refusal> {
    places(text, old, Which::Every).or_else(|refusal| match without_article(&old.text) {
        Some(bare) if !old.quoted => places(text, &Operand { text: bare.to_owned(), quoted: false }, Which::Every),
        _ => Err(refusal),
    })?;
    let known = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        is_small(word) || !locate(text, word, Reach::Words).places.is_empty()
    };
    let new = |words: &str| Operand { text: words.to_owned(), quoted: said.quoted };
    if said.quoted {
        return replace(text, old, said, Which::Every);
    }
    // Values say themselves what they take the place of.
    let family = value::only_values(&old.text).map(|values| values[0].kind.family());
    if let Some(value) = value::values(&said.text).into_iter().rfind(|value| Some(value.kind.family()) == family) {
        let rest_known = said.text[value.end..].split_whitespace().all(known);
        let start = if said.text[..value.start].trim().is_empty() || rest_known { value.start } else { 0 };
        return replace(text, old, &new(&said.text[start..]), Which::Every);
    }
    let words: Vec<&str> = said.text.split_whitespace().collect();
    let length = old.text.split_whitespace().count();
    if words.len() <= length {
        return replace(text, old, said, Which::Every);
    }
    if let Some((short, right)) = unlike(&words, &old.text)
        && right.split(' ').count() <= 3
        && right.split(' ').all(|word| !known(word))
    {
        return replace(text, &Operand { text: short, quoted: false }, &new(&right), Which::Every);
    }
    if let Some(bare) = extended(&words, &old.text, known) {
        let short = without_article(&old.text).unwrap_or(&old.text);
        return replace(text, &Operand { text: short.to_owned(), quoted: false }, &new(&bare), Which::Every);
    }
    // `she lives in Lisbon, not Porto`: the words that the text does not have are the right ones.
    let fits = |start: &usize| {
        let inside = *start..*start + length;
        words.iter().enumerate().all(|(at, word)| inside.contains(&at) || known(word))
            && !words[inside.clone()].iter().all(|word| known(word))
    };
    let windows: Vec<usize> = (0..=words.len() - length).filter(fits).collect();
    let last = words.len() - length;
    let start = match windows.as_slice() {
        [only] => *only,
        several if several.contains(&last) => last,
        // `it's Aunt Rosa's recipe, not Grandma's`: the right words may be more than the wrong ones.
        [] if strange_run(&words, known).is_some_and(|run| run.len() > length) => {
            let run = strange_run(&words, known).unwrap_or(0..0);
            return replace(text, old, &new(&words[run].join(" ")), Which::Every);
        }
        _ if words[..last].iter().all(|word| known(word)) => last,
        // `oat milk, not milk`: none of it is in the text but what is to be changed.
        _ if words.len() <= 3 && words.iter().all(|word| !known(word) || old.text.contains(word)) => {
            return replace(text, old, said, Which::Every);
        }
        _ => return Err(Refusal::Unclear),
    };
    if words[start..start + length].iter().all(|word| is_small(word)) {
        return Err(Refusal::Unclear);
    }
    replace(text, old, &new(&words[start..start + length].join(" ")), Which::Every)
}

/// What differs where the right and the wrong words end alike: `twice` and `three times` of `… a day`.
fn unlike(words: &[&str], old: &str) -> Option<(String, String)> {
    let old: Vec<&str> = old.split_whitespace().collect();
    let alike =
        words.iter().rev().zip(old.iter().rev()).take_while(|(word, old)| word.eq_ignore_ascii_case(old)).count();
    let (word, old) = (&words[..words.len() - alike], &old[..old.len() - alike]);
    (alike > 0 && !word.is_empty() && !old.is_empty() && word.len() != old.len())
        .then(|| (old.join(" "), word.join(" ")))
}

/// The right words where they are the wrong ones and more: `the CDN cache, not the cache`.
fn extended(words: &[&str], old: &str, known: impl Fn(&str) -> bool) -> Option<String> {
    let words = match words {
        [article, rest @ ..] if without_article(&format!("{article} x")).is_some() => rest,
        words => words,
    };
    let old: Vec<&str> = without_article(old).unwrap_or(old).split_whitespace().collect();
    let more = words.len().checked_sub(old.len()).filter(|more| *more > 0)?;
    let same = |words: &[&str]| words.iter().zip(&old).all(|(word, old)| word.eq_ignore_ascii_case(old));
    let extra = match (same(&words[more..]), same(&words[..old.len()])) {
        (true, _) => &words[..more],
        (false, true) => &words[old.len()..],
        _ => return None,
    };
    extra.iter().all(|word| !known(word)).then(|| words.join(" "))
}

/// The words that are not `known`, if they stand together.
fn strange_run(words: &[&str], known: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    let first = words.iter().position(|word| !known(word))?;
    let last = words.iter().rposition(|word| !known(word))?;
    words[first..=last].iter().all(|word| !known(word)).then_some(first..last + 1)
}

//! Finds the words a request names in the text of a thought.
//!
//! Whole words come before parts of words and the same case before another: a weaker way of matching is only tried
//! where the stronger finds nothing.

use std::ops::Range;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Every place where `words` stands in a text, by the strongest way of matching that finds any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) places: Vec<Range<usize>>,
    /// Whether case and accents are those of the request.
    pub(super) exact: bool,
    /// Whether the places are whole words.
    pub(super) whole: bool,
}

/// How far a match may differ from what was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Whole words only.
    Words,
    /// Whole words, else parts of words.
    Parts,
}

/// Finds `words` in `text`.
pub(super) fn locate(text: &str, words: &str, reach: Reach) -> Found {
    if words.is_empty() {
        return Found::default();
    }
    let exact = || text.match_indices(words).map(|(at, _)| at..at + words.len());
    let whole: Vec<Range<usize>> = exact().filter(|place| is_whole(text, place)).collect();
    if !whole.is_empty() {
        return Found { places: whole, exact: true, whole: true };
    }
    let whole = if is_plain(text) && is_plain(words) { Vec::new() } else { locate_any_case(text, words) };
    if !whole.is_empty() {
        return Found { places: whole, exact: false, whole: true };
    }
    if reach == Reach::Words {
        return Found::default();
    }
    let parts: Vec<Range<usize>> = exact().collect();
    match parts.is_empty() {
        false => Found { places: parts, exact: true, whole: false },
        true => Found { places: locate_folded(text, words, |_| true), exact: false, whole: false },
    }
}

/// Whether a text has neither capitals nor accents, so that another case finds nothing else.
pub(super) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())
}

/// Every whole-word place, whatever its case.
pub(super) fn locate_any_case(text: &str, words: &str) -> Vec<Range<usize>> {
    locate_folded(text, words, |place| is_whole(text, place))
}

/// Places that `fit` and differ at most in case and accents, without overlap.
fn locate_folded(text: &str, words: &str, fits: impl Fn(&Range<usize>) -> bool) -> Vec<Range<usize>> {
    if text.is_ascii() && words.is_ascii() {
        let (hay, needle) = (text.to_ascii_lowercase(), words.to_ascii_lowercase());
        return hay.match_indices(&needle).map(|(at, _)| at..at + needle.len()).filter(fits).collect();
    }
    let needle: Vec<char> = folded(words).into_iter().map(|(c, _)| c).collect();
    let hay = folded(text);
    let Some(first) = needle.first() else { return Vec::new() };
    let mut places = Vec::new();
    let mut at = 0;
    while at + needle.len() <= hay.len() {
        if hay[at].0 == *first && hay[at..].iter().zip(&needle).all(|((c, _), wanted)| c == wanted) {
            let last = hay[at + needle.len() - 1].1;
            // Accents that were left out of the comparison belong to the letter before them.
            let next = hay.get(at + needle.len()).map_or(text.len(), |(_, next)| *next);
            let place = hay[at].1..next.max(last);
            if fits(&place) {
                places.push(place);
                at += needle.len();
                continue;
            }
        }
        at += 1;
    }
    places
}

/// The characters of a text in lower case, without accents and with plain quotes, and where each stands.
///
/// Not [`text::fold`], which does not tell where a character of the text went: its place is what is changed.
fn folded(text: &str) -> Vec<(char, usize)> {
    let mut out = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            _ if c.is_ascii() => out.push((c.to_ascii_lowercase(), at)),
            '’' | '‘' => out.push(('\'', at)),
            '“' | '”' => out.push(('"', at)),
            '\u{a0}' => out.push((' ', at)),
            // The marks of Japanese kana change the sound, those of Latin letters are often left out.
            '\u{3040}'..='\u{30ff}' => out.push((c, at)),
            _ => decompose_compatible(c, |part| {
                if !is_combining_mark(part) {
                    out.extend(part.to_lowercase().map(|part| (part, at)));
                }
            }),
        }
    }
    out
}

/// Whether a place neither starts nor ends inside a word.
fn is_whole(text: &str, place: &Range<usize>) -> bool {
    // Almost all texts are plain letters around the place.
    let bytes = text.as_bytes();
    let around = [place.start.wrapping_sub(1), place.start, place.end - 1, place.end]
        .map(|at| bytes.get(at).copied().unwrap_or(b' '));
    // The `5` of `2.5` is no number of its own.
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let point = |byte: u8| matches!(byte, b'.' | b',');
    if point(around[0]) && around[1].is_ascii_digit() && digit(place.start.wrapping_sub(2))
        || point(around[3]) && around[2].is_ascii_digit() && digit(place.end + 1)
    {
        return false;
    }
    if around.iter().all(u8::is_ascii) {
        let [before, first, last, after] = around.map(|byte| byte.is_ascii_alphanumeric());
        return !(before && first || last && after);
    }
    let inner = &text[place.clone()];
    let before = text[..place.start].chars().next_back();
    let after = text[place.end..].chars().next();
    let starts_inside = before.is_some_and(continues) && inner.chars().next().is_some_and(continues);
    let ends_inside = after.is_some_and(continues) && inner.chars().next_back().is_some_and(continues);
    !starts_inside && !ends_inside
}

/// Whether a character belongs to a word that needs spaces around it; Chinese and Japanese words do not.
fn continues(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// `words` in the case of the text it takes the place of.
pub(super) fn in_case_of(model: &str, words: &str) -> String {
    let letters = |check: fn(char) -> bool| model.chars().filter(|c| c.is_alphabetic()).all(check);
    let has_capital = words.chars().any(char::is_uppercase);
    if has_capital || !model.chars().any(char::is_uppercase) {
        return words.to_owned();
    }
    if model.chars().filter(|c| c.is_alphabetic()).count() > 1 && letters(char::is_uppercase) {
        return words.to_uppercase();
    }
    match model.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase) {
        true => capitalized(words),
        false => words.to_owned(),
    }
}

/// `words` with a capital first letter.
pub(super) fn capitalized(words: &str) -> String {
    let Some((at, first)) = words.char_indices().find(|(_, c)| c.is_alphanumeric()) else { return words.to_owned() };
    format!("{}{}{}", &words[..at], first.to_uppercase(), &words[at + first.len_utf8()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(text: &'t str, words: &str, reach: Reach) -> Vec<&'t str> {
        locate(text, words, reach).places.into_iter().map(|place| &text[place]).collect()
    }

    #[test]
    fn whole_words_come_before_parts() {
        assert_eq!(found("category cat", "cat", Reach::Parts), ["cat"]);
        assert!(locate("category cat", "cat", Reach::Parts).whole);
        assert!(!locate("category", "cat", Reach::Parts).whole);
        assert_eq!(found("category", "cat", Reach::Words), [""; 0]);
    }

    #[test]
    fn case_and_accents_may_differ_where_nothing_is_exact() {
        assert_eq!(found("Café on TUESDAY", "tuesday", Reach::Words), ["TUESDAY"]);
        assert_eq!(found("Café au lait", "cafe", Reach::Words), ["Café"]);
        assert_eq!(found("Cafe\u{301} au lait", "cafe", Reach::Words), ["Cafe\u{301}"]);
        assert_eq!(found("Tea, tea", "tea", Reach::Words), ["tea"]);
    }

    #[test]
    fn new_words_take_the_case_of_the_old() {
        assert_eq!(in_case_of("Tuesday", "wednesday"), "Wednesday");
        assert_eq!(in_case_of("TUESDAY", "wednesday"), "WEDNESDAY");
        assert_eq!(in_case_of("tuesday", "Wednesday"), "Wednesday");
    }
}

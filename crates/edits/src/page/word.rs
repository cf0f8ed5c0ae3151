//! The words of a text by the key they are compared by, and the segments of its sentences.

use std::{borrow::Cow, ops::Range};

use super::super::token::fold;

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct TextWord {
    pub(in super::super) place: Range<usize>,
    /// See [`key`].
    pub(in super::super) key: String,
}

/// The words of `text`, without the marks around them.
pub(super) fn words(text: &str) -> Vec<TextWord> {
    let mut out = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        // A hyphen, a dot or an apostrophe inside a word belongs to it.
        let inner = matches!(c, '-' | '.' | '\'' | '’' | '_' | '@' | '/' | ':' | '&' | '+' | '%')
            && start.is_some()
            && text[at + c.len_utf8()..].starts_with(char::is_alphanumeric)
            || c == ','
                && text[..at].ends_with(|c: char| c.is_ascii_digit())
                && text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
        match start {
            None if c.is_alphanumeric() => start = Some(at),
            Some(from) if !c.is_alphanumeric() && !inner => {
                out.push(TextWord { place: from..at, key: key(&text[from..at]) });
                start = None;
            }
            _ => {}
        }
    }
    out
}

/// What a word is compared by: small letters without accents, endings and possessives.
pub(in super::super) fn key(word: &str) -> String {
    let folded: Cow<'_, str> = match word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(fold(word)),
    };
    let bare = folded.trim_matches(|c: char| !c.is_alphanumeric());
    let bare = bare.strip_suffix("'s").or(bare.strip_suffix("s'")).unwrap_or(bare);
    if let Some(day) = weekday(bare) {
        return day.to_owned();
    }
    if !bare.bytes().all(|byte| byte.is_ascii_lowercase()) || bare.len() < 4 {
        return bare.replace(['-', '\''], "");
    }
    stem(bare)
}

/// Whether a word is a day of the week in English.
pub(in super::super) fn is_weekday(word: &str) -> bool {
    weekday(&fold(word)).is_some()
}

/// Days of the week are the same in short and in the plural.
fn weekday(word: &str) -> Option<&'static str> {
    if !matches!(word.get(..3), Some("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")) {
        return None;
    }
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let is_short = |day: &&str| day.starts_with(word) && word.len() <= 5 && !matches!(word, "sun" | "wed" | "sat");
    let is_full = |day: &&str| {
        word.strip_suffix('s').unwrap_or(word) == *day
            || matches!((word, *day), ("sun", "sunday") | ("wed", "wednesday") | ("sat", "saturday"))
    };
    days.into_iter().find(|day| is_full(day) || is_short(day))
}

/// An English word without its ending, as far as that is regular.
fn stem(word: &str) -> String {
    let singular = singular(word);
    let participle = singular.strip_suffix("ing").or(singular.strip_suffix("ed")).filter(|stem| stem.len() > 2);
    let is_long = |stem: &&str| stem.len() > 3;
    let noun = || singular.strip_suffix("ation").filter(is_long).or(singular.strip_suffix("ion").filter(is_long));
    let stem = participle.map(undoubled).or_else(noun).unwrap_or(singular.as_ref());
    // `theme` is no pronoun without its ending.
    let bare = stem.strip_suffix('e').filter(|bare| bare.len() > 2 && !matches!(*bare, "them" | "her"));
    bare.unwrap_or(stem).to_owned()
}

/// A word without the ending of the plural.
fn singular(word: &str) -> Cow<'_, str> {
    let Some(most) = word.strip_suffix('s') else { return Cow::Borrowed(word) };
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        return Cow::Owned(format!("{stem}y"));
    }
    let is_hissed =
        |stem: &&str| stem.len() > 3 && stem.ends_with("ss") || stem.len() > 2 && stem.ends_with(['x', 'z', 'h', 'o']);
    let is_plural = most.len() > 2 && !most.ends_with(['s', 'u']) && (!most.ends_with('i') || most.len() > 4);
    let hissed = most.strip_suffix('e').filter(is_hissed);
    Cow::Borrowed(hissed.unwrap_or(if is_plural { most } else { word }))
}

/// `planned` is `plan`.
fn undoubled(stem: &str) -> &str {
    let mut letters = stem.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before)) if last == before && !matches!(last, 'l' | 's') => &stem[..stem.len() - 1],
        _ => stem,
    }
}

/// The keys of the words of `phrase`.
pub(in super::super) fn keys(phrase: &str) -> Vec<String> {
    words(phrase).into_iter().map(|word| word.key).collect()
}

/// The segments of a sentence: what stands between commas, brackets, dashes and joining words.
pub(super) fn segments(text: &str, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = sentence.start;
    let mut push = |from: usize, to: usize| {
        let body = &text[from..to];
        let from = from + body.len() - body.trim_start().len();
        if !body.trim().is_empty() {
            out.push(from..from + body.trim().len());
        }
    };
    let body = &text[sentence.clone()];
    for (at, c) in body.char_indices() {
        let at = sentence.start + at;
        let end = at + c.len_utf8();
        let spaced = text[end..].starts_with(char::is_whitespace);
        let cut = match c {
            ',' | ';' | ':' => spaced,
            '(' | ')' | '|' => true,
            '–' | '—' | '-' | '/' => spaced && text[..at].ends_with(char::is_whitespace),
            ' ' => is_joint(&text[end..sentence.end]),
            _ => false,
        };
        if cut {
            push(start, at);
            start = end;
        }
    }
    push(start, sentence.end);
    out
}

/// Whether the next word joins two parts of a sentence.
fn is_joint(rest: &str) -> bool {
    let word = rest.split(char::is_whitespace).next().unwrap_or_default();
    matches!(word, "and" | "or" | "but" | "while" | "und" | "oder" | "aber" | "et" | "ou" | "y" | "o" | "e" | "en")
}

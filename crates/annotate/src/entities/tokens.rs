//! Cuts a text into the words that names are made of.
//!
//! - Tokens come in the order of the text, do not overlap, and their spans lie on character bounds.
//! - A token is the bare word: an English enclitic (`Dana's`, `I'm`) and an elided article (`d'Anna`) are left outside.
//! - Characters of scripts without spaces are tokens of their own, so that known names are found among them.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use text::{fold, is_among, is_unspaced, plain};

/// How a word is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Lower,
    /// `Dana`, `Jean-Luc`, `O'Brien`.
    Capital,
    /// Two capitals or more and nothing in lower case: `ETH`.
    Caps,
    /// Capitals inside, or letters with digits: `ChatGPT`, `iPhone`, `k8s`.
    Mixed,
    /// Begins with a digit.
    Number,
    /// A character of a script without spaces.
    Unspaced,
}

/// What lies between a word and the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gap {
    /// Nothing.
    Tight,
    /// White space within a line.
    Space,
    /// A comma and white space.
    Comma,
    /// A slash, a dash, a bracket, a quote.
    Break,
    /// A full stop, a colon, a quote that opens: a capital after it says nothing.
    Sentence,
    /// The start of a line or of the text.
    Line,
}

/// A word of a text.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) folded: String,
    pub(super) span: Range<usize>,
    pub(super) shape: Shape,
    pub(super) gap: Gap,
    /// Whether `'s` or a plural apostrophe followed.
    pub(super) possessive: bool,
}

impl Token<'_> {
    /// Whether a capital here is owed to the place in the sentence.
    pub(super) fn opens_sentence(&self) -> bool {
        matches!(self.gap, Gap::Sentence | Gap::Line)
    }

    /// Whether the writing suggests a name.
    pub(super) fn is_capital(&self) -> bool {
        matches!(self.shape, Shape::Capital | Shape::Caps)
            || self.shape == Shape::Mixed && self.text.chars().any(char::is_uppercase)
    }

    /// Whether it is a single letter, as in `J. R. R. Tolkien`.
    pub(super) fn is_initial(&self) -> bool {
        self.shape == Shape::Capital && self.text.chars().nth(1).is_none()
    }
}

/// The words of `text`.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if !first.is_alphanumeric() && first != '&' {
            at += first.len_utf8();
            continue;
        }
        let end = if first == '&' { at + 1 } else { word_end(text, at) };
        let gap = match found.last() {
            None => Gap::Line,
            Some(last) => gap_between(last, &text[last.span.end..at]),
        };
        found.push(token(text, at..end, gap));
        at = end;
    }
    found
}

/// The folded words of a name, parted by single spaces; characters of scripts without spaces stand together.
pub(super) fn phrase(tokens: &[Token<'_>]) -> String {
    let mut phrase = String::new();
    for (place, token) in tokens.iter().enumerate() {
        if place > 0 && !(token.gap == Gap::Tight && token.shape == Shape::Unspaced) {
            phrase.push(' ');
        }
        phrase.push_str(&token.folded);
    }
    phrase
}

/// Where the word that begins at `start` ends.
fn word_end(text: &str, start: usize) -> usize {
    let mut chars = text[start..].char_indices().map(|(at, char)| (start + at, char)).peekable();
    let mut previous = '\0';
    while let Some((at, char)) = chars.next() {
        if is_unspaced(char) {
            return if at == start { at + char.len_utf8() } else { at };
        }
        let next = chars.peek().map(|(_, next)| *next);
        if !goes_on(previous, char, next) {
            return at + language_suffix(&text[start..at], &text[at..]);
        }
        previous = char;
    }
    text.len()
}

/// Whether `char` continues a word after `previous` and before `next`.
fn goes_on(previous: char, char: char, next: Option<char>) -> bool {
    if char.is_alphanumeric() || char == '_' || is_combining_mark(char) {
        return true;
    }
    let Some(next) = next.filter(|next| next.is_alphanumeric() && !is_unspaced(*next)) else { return false };
    if !previous.is_alphanumeric() && !is_combining_mark(previous) {
        return false;
    }
    match plain(char) {
        '\'' | '-' | '&' => true,
        // `Node.js` and `2.3.1` go on; `done.Next` lacks a space.
        '.' => next.is_lowercase() || next.is_numeric() && previous.is_numeric(),
        _ => false,
    }
}

/// The signs that end the names of a few programming languages.
fn language_suffix(word: &str, rest: &str) -> usize {
    match word {
        "C" | "c" if rest.starts_with("++") => 2,
        "C" | "F" if rest.starts_with('#') => 1,
        _ => 0,
    }
}

/// Enclitics that stay outside the word.
const ENCLITICS: [&str; 6] = ["s", "m", "re", "ve", "ll", "d"];

fn token(text: &str, mut span: Range<usize>, gap: Gap) -> Token<'_> {
    let mut possessive = false;
    let written = &text[span.clone()];
    if let Some((at, apostrophe)) = written.char_indices().find(|(_, char)| plain(*char) == '\'') {
        let (before, after) = (&written[..at], &written[at + apostrophe.len_utf8()..]);
        if ENCLITICS.iter().any(|enclitic| after.eq_ignore_ascii_case(enclitic)) {
            possessive = after.eq_ignore_ascii_case("s");
            span.end = span.start + at;
        } else if before.chars().count() <= 2
            && before.chars().all(char::is_lowercase)
            && after.chars().next().is_some_and(char::is_uppercase)
        {
            span.start = span.end - after.len();
        }
    }
    let written = &text[span.clone()];
    if text[span.end..].starts_with('\'') && written.ends_with('s') {
        possessive = true;
    }
    Token { text: written, folded: fold(written), shape: shape(written), span, gap, possessive }
}

fn shape(word: &str) -> Shape {
    let mut chars = word.chars();
    let Some(first) = chars.next() else { return Shape::Lower };
    if is_unspaced(first) {
        return Shape::Unspaced;
    }
    if first.is_numeric() {
        return if word.contains(char::is_alphabetic) && !is_ordinal(word) { Shape::Mixed } else { Shape::Number };
    }
    if word.contains(char::is_numeric) {
        return Shape::Mixed;
    }
    let (mut upper, mut lower, mut inner) =
        (usize::from(first.is_uppercase()), usize::from(first.is_lowercase()), false);
    let mut previous = first;
    for char in chars {
        if char.is_uppercase() {
            upper += 1;
            // `McCarthy` and `DeVries` are people, `ChatGPT` and `iPhone` are not.
            inner |= previous.is_lowercase();
        }
        lower += usize::from(char.is_lowercase());
        previous = char;
    }
    match (upper, lower) {
        (0, _) => Shape::Lower,
        (1, 0) => Shape::Capital,
        (_, 0) => Shape::Caps,
        _ if !first.is_uppercase() => Shape::Mixed,
        _ if inner && !is_name_with_prefix(word) => Shape::Mixed,
        _ => Shape::Capital,
    }
}

fn is_name_with_prefix(word: &str) -> bool {
    ["Mc", "Mac", "De", "Di", "La", "Le", "Van", "Fitz"].iter().any(|prefix| {
        word.strip_prefix(prefix).is_some_and(|rest| {
            let mut rest = rest.chars();
            rest.next().is_some_and(char::is_uppercase) && rest.all(char::is_lowercase)
        })
    })
}

fn is_ordinal(word: &str) -> bool {
    let letters = word.trim_start_matches(|char: char| char.is_ascii_digit());
    matches!(letters, "st" | "nd" | "rd" | "th" | "er" | "e" | "º" | "ª")
}

/// Whether the full stop of the word `folded` ends no sentence.
pub(crate) fn is_abbreviation(folded: &str) -> bool {
    is_among("dr prof mr mrs ms mme mlle sr sra st mt jr vs no hr fr approx ca bzw z.b e.g i.e", folded)
}

fn gap_between(last: &Token<'_>, between: &str) -> Gap {
    // The enclitic left outside the token is no gap.
    let between = between.trim_start_matches(|char: char| char.is_alphanumeric() || plain(char) == '\'');
    if between.is_empty() {
        return Gap::Tight;
    }
    if between.contains('\n') {
        return Gap::Line;
    }
    if between.trim().is_empty() {
        return Gap::Space;
    }
    match between.trim() {
        "." if last.is_initial() || is_abbreviation(&last.folded) => return Gap::Space,
        "," => return Gap::Comma,
        _ => {}
    }
    let opens = |char: char| {
        matches!(char, '.' | '!' | '?' | '…' | ':' | ';' | '"' | '“' | '„' | '«' | '»' | '‘' | '*' | '¿' | '¡' | '。')
    };
    if between.contains(opens)
        || between.contains(" '")
        || between.contains(" - ")
        || between.contains(" – ")
        || between.contains("—")
    {
        return Gap::Sentence;
    }
    Gap::Break
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn enclitics_and_elided_articles_stay_outside() {
        assert_eq!(words("Dana's I'm d'Anna O'Brien"), ["Dana", "I", "Anna", "O'Brien"]);
        assert!(tokens("Dana's dog")[0].possessive);
    }

    #[test]
    fn names_with_signs_inside_are_one_word() {
        assert_eq!(words("Node.js, C++ and AT&T on 2.3.1"), ["Node.js", "C++", "and", "AT&T", "on", "2.3.1"]);
        assert_eq!(words("Jean-Luc is done.Next"), ["Jean-Luc", "is", "done", "Next"]);
    }

    #[test]
    fn a_title_does_not_end_the_sentence() {
        assert!(!tokens("Ask Dr. Okafor")[2].opens_sentence());
        assert!(tokens("I am done. Okafor")[3].opens_sentence());
    }

    #[test]
    fn shapes_tell_names_from_words() {
        let shapes: Vec<Shape> =
            tokens("dana Dana ETH ChatGPT McCarthy 3rd 東").iter().map(|token| token.shape).collect();
        assert_eq!(
            shapes,
            [Shape::Lower, Shape::Capital, Shape::Caps, Shape::Mixed, Shape::Capital, Shape::Number, Shape::Unspaced]
        );
    }
}

//! Cuts a piece without joiners into words: by UAX #29, then at apostrophes, humps and digits.
//!
//! - Words come out in lower case with their accents.
//! - Runs of scripts without spaces come out apart from words, never mixed with them.
//! - A hump of one character is not a word, a single digit is.

use unicode_segmentation::UnicodeSegmentation;

use super::piece::{Form, Piece, Role, Sink};
use super::script::is_unspaced;

/// Hands the words and runs of `piece` to `sink`, in the given role or as parts of it.
pub(super) fn leaf(piece: &str, role: Role, sink: Sink<'_>) {
    if piece.is_ascii() {
        return with_apostrophes(piece, role, sink);
    }
    let mut rest = piece;
    while let Some(first) = rest.chars().next() {
        let unspaced = is_unspaced(first);
        let end = rest.find(|char| is_unspaced(char) != unspaced).unwrap_or(rest.len());
        let (segment, after) = rest.split_at(end);
        rest = after;
        if unspaced {
            sink(Piece { text: segment, form: Form::Run, role });
            continue;
        }
        for word in segment.unicode_words() {
            with_apostrophes(word, role, sink);
        }
    }
}

/// What English hangs on a word with an apostrophe; the word alone is what is looked for.
const ENCLITICS: [&str; 6] = ["s", "ll", "re", "ve", "d", "m"];

/// Articles and particles that French and Italian tie to the next word.
const ELISIONS: &str = " l d j m t s n c qu jusqu lorsqu puisqu quoiqu un dell all nell sull dall quell ";

fn with_apostrophes(word: &str, role: Role, sink: Sink<'_>) {
    if !word.contains('\'') {
        return with_humps(word, role, sink);
    }
    let mut word = word.trim_matches('\'');
    while let Some((stem, enclitic)) = word.rsplit_once('\'')
        && stem.ends_with(char::is_alphabetic)
        && ENCLITICS.iter().any(|known| enclitic.eq_ignore_ascii_case(known))
    {
        word = stem;
    }
    let Some((left, right)) = word.split_once('\'') else {
        return with_humps(word, role, sink);
    };
    let one_word = word.replace('\'', "").to_lowercase();
    let joined = |role| Piece { text: &one_word, form: Form::Word, role };
    if right.eq_ignore_ascii_case("t") && left.ends_with(char::is_alphabetic) {
        return sink(joined(role));
    }
    let is_word = right.starts_with(char::is_alphabetic) && !right.contains('\'');
    if is_word && ELISIONS.contains(&format!(" {} ", left.to_lowercase())) {
        with_humps(right, role, sink);
        let spelling = if role == Role::Base { Role::Variant } else { Role::Part };
        return sink(joined(spelling));
    }
    sink(joined(if role == Role::Base { Role::Whole } else { role }));
    for part in word.split('\'') {
        with_humps(part, Role::Part, sink);
    }
}

fn with_humps(word: &str, role: Role, sink: Sink<'_>) {
    if word.is_empty() {
        return;
    }
    let lower_storage;
    let lower = if word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        word
    } else {
        lower_storage = word.to_lowercase();
        lower_storage.as_str()
    };
    if !may_have_humps(word) {
        return sink(Piece { text: lower, form: Form::Word, role });
    }
    let bounds = humps(word);
    let whole = if role == Role::Base && bounds.len() > 2 { Role::Whole } else { role };
    sink(Piece { text: lower, form: Form::Word, role: whole });
    if bounds.len() <= 2 {
        return;
    }
    if let Some(number) = ordinal(lower) {
        return sink(Piece { text: number, form: Form::Word, role: Role::Part });
    }
    let mut part = |text: &str| sink(Piece { text: &text.to_lowercase(), form: Form::Word, role: Role::Part });
    let is_number = |text: &str| text.starts_with(char::is_numeric);
    // The letters between numbers are a word of their own: the `mysql` of `MySQL8`.
    for letters in word.split(char::is_numeric).filter(|letters| letters.len() < word.len()) {
        if humps(letters).len() > 2 {
            part(letters);
        }
    }
    for bound in bounds.windows(2) {
        let hump = &word[bound[0]..bound[1]];
        if hump.chars().nth(1).is_some() || is_number(hump) {
            part(hump);
        }
    }
}

fn may_have_humps(word: &str) -> bool {
    word.chars().skip(1).any(char::is_uppercase) || word.chars().any(char::is_numeric)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    Digit,
}

/// The bounds of the humps and groups of digits of `word`, its start and end among them.
fn humps(word: &str) -> Vec<usize> {
    let mut bounds = vec![0];
    let mut previous: Option<(Kind, usize)> = None;
    let mut before_previous = None;
    for (at, char) in word.char_indices() {
        let kind = match char {
            _ if char.is_numeric() => Kind::Digit,
            _ if char.is_uppercase() => Kind::Upper,
            _ if char.is_alphabetic() => Kind::Lower,
            // A mark belongs to the letter it stands on.
            _ => continue,
        };
        if let Some((last, last_at)) = previous {
            match (last, kind) {
                (Kind::Digit, Kind::Digit) | (Kind::Lower, Kind::Lower) | (Kind::Upper, Kind::Upper) => {}
                // `HTTPServer` parts before the last capital, but the plural of `PDFs` parts nowhere.
                (Kind::Upper, Kind::Lower) => {
                    let is_plural = char == 's' && at + 1 == word.len();
                    if before_previous == Some(Kind::Upper) && !is_plural {
                        bounds.push(last_at);
                    }
                }
                _ => bounds.push(at),
            }
        }
        before_previous = previous.map(|(kind, _)| kind);
        previous = Some((kind, at));
    }
    bounds.push(word.len());
    bounds
}

/// The number of an English ordinal such as `3rd`.
fn ordinal(lower: &str) -> Option<&str> {
    let number = ["st", "nd", "rd", "th"].into_iter().find_map(|suffix| lower.strip_suffix(suffix))?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// The runs of letters and digits of a text, for whoever looks for a few known words in it.
pub fn plain_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a word is in a list parted by white space, as lists of a few words are written here.
pub fn is_among(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(piece: &str) -> Vec<String> {
        let mut found = Vec::new();
        leaf(piece, Role::Base, &mut |piece| found.push(piece.text.to_owned()));
        found
    }

    #[test]
    fn humps_are_words() {
        assert_eq!(words("getUserName"), ["getusername", "get", "user", "name"]);
        assert_eq!(words("HTTPServer2"), ["httpserver2", "httpserver", "http", "server", "2"]);
        assert_eq!(words("iPhone15"), ["iphone15", "iphone", "phone", "15"]);
        assert_eq!(words("MySQL8"), ["mysql8", "mysql", "my", "sql", "8"]);
        assert_eq!(words("9am"), ["9am", "9", "am"]);
    }

    #[test]
    fn plain_and_capital_words_have_no_humps() {
        assert_eq!(words("Hello"), ["hello"]);
        assert_eq!(words("NATO"), ["nato"]);
        assert_eq!(words("PDFs"), ["pdfs"]);
    }

    #[test]
    fn ordinals_are_found_by_their_number() {
        assert_eq!(words("3rd"), ["3rd", "3"]);
    }

    #[test]
    fn possessives_and_contractions_lose_what_hangs_on_them() {
        assert_eq!(words("Bob's"), ["bob"]);
        assert_eq!(words("they'll've"), ["they"]);
        assert_eq!(words("don't"), ["dont"]);
    }

    #[test]
    fn names_with_an_apostrophe_are_found_joined_and_by_part() {
        assert_eq!(words("O'Brien"), ["obrien", "o", "brien"]);
    }

    #[test]
    fn elided_articles_do_not_hide_the_word() {
        assert_eq!(words("L'Oréal"), ["oréal", "loréal"]);
    }

    #[test]
    fn spaced_and_unspaced_scripts_are_parted() {
        assert_eq!(words("iPhone用ケース3個"), ["iphone", "phone", "用ケース", "3", "個"]);
    }
}

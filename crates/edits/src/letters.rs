//! Writes letters large or small and takes out superfluous space.

use std::ops::Range;

use super::{
    command::{Letters, Operand, Space, Which},
    locate::capitalized,
    page,
    refusal::Refusal,
    replace, sentence, value,
};

/// Writes `words`, or the whole text, in other letters.
pub(super) fn write(text: &str, letters: Letters, words: Option<&Operand>) -> Result<String, Refusal> {
    let Some(words) = words else { return Ok(written(text, letters)) };
    let mut every = match replace::places(text, words, Which::Every) {
        // `capitalise bob and alice`.
        Err(refusal) if !words.quoted && words.text.contains([' ', ',']) => {
            each_place(text, &words.text).ok_or(refusal)?
        }
        places => places?,
    };
    if !words.quoted && every.iter().any(|place| !replace::is_in_code(text, place)) {
        every.retain(|place| !replace::is_in_code(text, place));
    }
    Ok(replace::put(text, &every, |place| written(&text[place], letters), false))
}

/// The places of words that are listed, in order; `None` unless the text has all of them.
fn each_place(text: &str, words: &str) -> Option<Vec<Range<usize>>> {
    let mut places = Vec::new();
    for word in words.split([',', ' ', '&']).filter(|word| !matches!(*word, "" | "and")) {
        places.extend(replace::places(text, &Operand { text: word.to_owned(), quoted: false }, Which::Every).ok()?);
    }
    places.sort_by_key(|place| place.start);
    Some(places)
}

fn written(text: &str, letters: Letters) -> String {
    match letters {
        Letters::Upper => text.to_uppercase(),
        Letters::Lower => text.to_lowercase(),
        Letters::First => capitalized(text),
        Letters::FirstLower => match text.char_indices().find(|(_, c)| c.is_alphabetic()) {
            Some((at, first)) => format!("{}{}{}", &text[..at], first.to_lowercase(), &text[at + first.len_utf8()..]),
            None => text.to_owned(),
        },
        Letters::Title => text.split_inclusive(char::is_whitespace).map(capital_word).collect(),
        Letters::Sentence => sentence_case(text),
    }
}

/// A word with a capital first letter; a word that begins with a digit stays.
fn capital_word(word: &str) -> String {
    match word.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_alphabetic) {
        true => capitalized(word),
        false => word.to_owned(),
    }
}

/// Small letters, except at the start of a sentence, in the names of days and months and in `I`.
fn sentence_case(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let starts: Vec<usize> = sentence::sentences(text).iter().map(|sentence| sentence.start).collect();
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let small = word.to_lowercase();
        let name = small.trim_matches(|c: char| !c.is_alphabetic()).to_owned();
        let keeps = name == "i"
            || value::values(&capitalized(&name))
                .iter()
                .any(|value| matches!(value.kind, value::Kind::Weekday | value::Kind::Month));
        let capital = starts.binary_search(&at).is_ok() || keeps && word.starts_with(char::is_uppercase);
        out.push_str(&if capital { capitalized(&small) } else { small });
        at += word.len();
    }
    out
}

/// `text` without superfluous space.
pub(super) fn trim(text: &str, space: Space) -> String {
    match space {
        Space::AtStart => text.trim_start().to_owned(),
        Space::AtEnd => text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned(),
        Space::BlankLines => text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n"),
        Space::Everywhere => {
            let spaced = |line: &str| {
                let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
                // How far an item stands in tells what it belongs to.
                let indent =
                    if page::marker(&words).is_some() { &line[..line.len() - line.trim_start().len()] } else { "" };
                format!("{indent}{words}")
            };
            text.trim().lines().map(spaced).collect::<Vec<_>>().join("\n")
        }
    }
}

/// The text without its emoji and the spaces that set them apart; `None` if it has none.
pub(super) fn without_emoji(text: &str) -> Option<String> {
    let is_emoji = |c: char| matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{200d}' | '\u{2b50}');
    let plain = |line: &str| {
        let mut out = String::new();
        for word in line.split(' ') {
            let kept: String = word.chars().filter(|c| !is_emoji(*c)).collect();
            if kept.is_empty() && !word.is_empty() {
                continue;
            }
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(&kept);
        }
        out
    };
    text.contains(is_emoji).then(|| text.split('\n').map(plain).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_written_as_asked() {
        let all = |letters| write("ask Tom on Friday. then go", letters, None).unwrap();
        assert_eq!(all(Letters::Upper), "ASK TOM ON FRIDAY. THEN GO");
        assert_eq!(all(Letters::Title), "Ask Tom On Friday. Then Go");
        assert_eq!(all(Letters::First), "Ask Tom on Friday. then go");
        assert_eq!(write("BUY MILK ON FRIDAY. CALL", Letters::Sentence, None).unwrap(), "Buy milk on Friday. Call");
    }

    #[test]
    fn superfluous_space_goes() {
        assert_eq!(trim("  a  b \n c ", Space::Everywhere), "a b\nc");
        assert_eq!(trim("- roof\n  -  tiles \n", Space::Everywhere), "- roof\n  - tiles");
        assert_eq!(trim(" a  ", Space::AtEnd), " a");
    }
}

//! Sorts characters by the part they play in a text.
//!
//! ASCII is answered from a table.

use unicode_normalization::char::is_combining_mark;

use super::fold::{is_ignorable, plain};

/// What a character does where words are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// A letter, a digit, or a mark on one of them.
    Word,
    /// A sign that holds the parts of an identifier, path, address or compound together.
    Joiner,
    /// An emoji or pictograph, a word by itself.
    Sign,
    /// Everything else.
    Break,
}

pub(super) fn class(char: char) -> Class {
    match ASCII.get(char as usize) {
        Some(class) => *class,
        None => class_beyond_ascii(char),
    }
}

const ASCII: [Class; 128] = {
    let mut classes = [Class::Break; 128];
    let mut code = 0_u8;
    while code < 128 {
        classes[code as usize] = match code {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Class::Word,
            b'/' | b'\\' | b'?' | b'&' | b'=' | b'#' | b'@' | b':' | b'|' => Class::Joiner,
            b'.' | b'-' | b'_' | b'+' | b'~' | b'\'' => Class::Joiner,
            _ => Class::Break,
        };
        code += 1;
    }
    classes
};

fn class_beyond_ascii(char: char) -> Class {
    // The common scripts first: looking a character up in the Unicode tables costs more than all the rest.
    if is_unspaced(char) || matches!(char, 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ɏ' | 'Ѐ'..='ҁ' | 'א'..='ת' | 'ء'..='ي')
    {
        return Class::Word;
    }
    // Invisible and typographic characters do not survive normalisation; raw texts are scanned for snippets.
    if matches!(plain(char), '\'' | '-') {
        return Class::Joiner;
    }
    if char.is_alphanumeric() || is_combining_mark(char) || is_ignorable(char) {
        return Class::Word;
    }
    if is_sign(char) { Class::Sign } else { Class::Break }
}

/// Whether `char` belongs to a script written without spaces between words.
///
/// Hangul is here although it is spaced: its particles cling to the words, so substrings find more than stems would.
pub fn is_unspaced(char: char) -> bool {
    if (char as u32) < 0xE00 {
        return false;
    }
    // Letters, marks and digits only: the punctuation of these scripts parts runs.
    matches!(char,
        '\u{E01}'..='\u{E3A}' | '\u{E40}'..='\u{E4E}' | '\u{E50}'..='\u{E59}' | '\u{E81}'..='\u{EDF}'
        | '\u{1000}'..='\u{1049}' | '\u{1050}'..='\u{109D}' | '\u{1100}'..='\u{11FF}' | '\u{1780}'..='\u{17D3}'
        | '\u{17D7}' | '\u{17DC}'..='\u{17DD}' | '\u{17E0}'..='\u{17E9}' | '\u{3005}'..='\u{3007}'
        | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{3035}' | '\u{303B}' | '\u{3041}'..='\u{309A}'
        | '\u{309D}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{318F}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{A960}'..='\u{A97F}' | '\u{A9E0}'..='\u{A9FE}'
        | '\u{AA60}'..='\u{AA76}' | '\u{AA7A}'..='\u{AA7F}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{1AFF0}'..='\u{1B16F}' | '\u{20000}'..='\u{3FFFF}')
}

/// The scripts whose words have stems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Arabic,
    Tamil,
    Other,
}

/// The script of a folded word, told by its first character.
pub(super) fn script(folded: &str) -> Script {
    match folded.chars().next() {
        Some('a'..='z' | '\u{AA}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}') => Script::Latin,
        Some('\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}') => Script::Greek,
        Some('\u{400}'..='\u{52F}') => Script::Cyrillic,
        Some('\u{620}'..='\u{6FF}' | '\u{750}'..='\u{77F}') => Script::Arabic,
        Some('\u{B80}'..='\u{BFF}') => Script::Tamil,
        _ => Script::Other,
    }
}

fn is_sign(char: char) -> bool {
    // Skin tones only colour the sign before them.
    matches!(char,
        '\u{231A}'..='\u{23FF}' | '\u{2600}'..='\u{27BF}' | '\u{2B1B}'..='\u{2B55}' | '\u{1F000}'..='\u{1F3FA}'
        | '\u{1F400}'..='\u{1FAFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_without_spaces_are_known() {
        let all = "漢ひカ한ไລខမ々ー";
        assert!(all.chars().all(is_unspaced));
        assert!(!"aéжαअת。・฿".chars().any(is_unspaced));
    }

    #[test]
    fn emoji_are_words_of_their_own() {
        assert_eq!(class('🎉'), Class::Sign);
        assert_eq!(class('❤'), Class::Sign);
        assert_eq!(class('€'), Class::Break);
    }
}

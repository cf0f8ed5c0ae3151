//! Brings different spellings of the same letters to one form.
//!
//! - [`fold`] is idempotent, and blind to case and to accents of Latin, Greek and Cyrillic letters.
//! - Marks that carry the word in their script (Devanagari, Thai, kana, Hangul) stay.
//! - й stays apart from и, as it does for its readers; ё becomes е, as it is mostly written.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Folds `text` for comparison: NFKC, lower case, accents removed, typographic apostrophes and hyphens made plain.
///
/// White space and punctuation stay, so a phrase can be looked for in the result.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_into(text, &mut folded);
    folded
}

/// Appends the folded `text` to `folded`.
pub(super) fn fold_into(text: &str, folded: &mut String) {
    if text.is_ascii() {
        let start = folded.len();
        folded.push_str(text);
        folded[start..].make_ascii_lowercase();
        return;
    }
    let mut stripped = String::with_capacity(text.len());
    for char in text.chars().filter(|char| !is_ignorable(*char)).map(plain).nfkd() {
        for lower in plain(char).to_lowercase() {
            push_without_accent(lower, &mut stripped);
        }
    }
    folded.extend(stripped.nfc());
}

/// NFKC with invisible characters dropped and typographic apostrophes and hyphens made plain; case and accents stay.
pub(super) fn normalise(text: &str) -> Cow<'_, str> {
    let is_normal = |char| char == plain(char) && !is_ignorable(char);
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes && text.chars().all(is_normal) {
        return Cow::Borrowed(text);
    }
    text.chars().filter(|char| !is_ignorable(*char)).map(plain).nfkc().map(plain).collect()
}

fn push_without_accent(lower: char, stripped: &mut String) {
    match lower {
        // The only accent kept: и and й are two letters of the alphabet, and Russian endings hang on the difference.
        '\u{306}' if stripped.ends_with('и') => stripped.push(lower),
        mark if is_accent(mark) => {}
        'ß' => stripped.push_str("ss"),
        'æ' => stripped.push_str("ae"),
        'œ' => stripped.push_str("oe"),
        'þ' => stripped.push_str("th"),
        'ø' => stripped.push('o'),
        'ł' => stripped.push('l'),
        'đ' | 'ð' => stripped.push('d'),
        'ħ' => stripped.push('h'),
        'ŧ' => stripped.push('t'),
        'ı' => stripped.push('i'),
        'ŋ' => stripped.push('n'),
        'ς' => stripped.push('σ'),
        letter => stripped.push(letter),
    }
}

/// Marks a reader can do without: the generic accents, the old Cyrillic ones, and the points and vowel signs that
/// Hebrew and Arabic are usually written without.
fn is_accent(char: char) -> bool {
    if (char as u32) < 0x300 {
        return false;
    }
    matches!(char,
        '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5C7}' | '\u{64B}'..='\u{65F}' | '\u{670}'
        | '\u{6D6}'..='\u{6ED}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}'
        | '\u{FE20}'..='\u{FE2F}')
        && is_combining_mark(char)
        || char == '\u{640}'
}

/// Characters that show nothing and are typed or left out at random: soft hyphens, joiners, direction marks,
/// variation selectors.
pub(super) fn is_ignorable(char: char) -> bool {
    if (char as u32) < 0xAD {
        return false;
    }
    matches!(char,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Typographic apostrophes and hyphens as the plain ones, the digits of other scripts as ours, the Persian forms of Arabic
/// letters as the Arabic ones, and no letters made of a trade mark.
pub fn plain(char: char) -> char {
    if (char as u32) < 0xB4 {
        return char;
    }
    match char {
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{2BC}' | '\u{2BB}' | '\u{B4}' => '\'',
        '\u{2010}' | '\u{2011}' | '\u{2212}' => '-',
        '\u{2122}' | '\u{2120}' => ' ',
        'ک' => 'ك',
        'ی' => 'ي',
        other => digit(other).unwrap_or(other),
    }
}

/// The digit that a digit of another script is.
fn digit(char: char) -> Option<char> {
    const ZEROS: [u32; 9] = [0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xBE6, 0xE50, 0xED0];
    let code = char as u32;
    let zero = ZEROS.into_iter().find(|zero| (*zero..zero + 10).contains(&code))?;
    char::from_digit(code - zero, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_case_are_folded() {
        assert_eq!(
            fold("Crème BRÛLÉE, Ærø, Łódź, Straße, İstanbul, ﬁn"),
            "creme brulee, aero, lodz, strasse, istanbul, fin"
        );
        assert_eq!(fold("Ἀθήνας ΌΡΟΣ"), "αθηνασ οροσ");
    }

    #[test]
    fn what_is_typed_in_two_ways_is_one() {
        assert_eq!(fold("Kaʻahumanu isn´t ACME™"), "ka'ahumanu isn't acme ");
        assert_eq!(fold("١٢٥ ४२ ۱۲۳۴"), "125 42 1234");
        assert_eq!(fold("کتاب علی"), fold("كتاب علي"));
    }

    #[test]
    fn russian_keeps_its_short_i_and_loses_the_dots_of_yo() {
        assert_eq!(fold("Йод Ёлка"), "йод елка");
    }

    #[test]
    fn marks_that_carry_the_word_stay() {
        assert_eq!(fold("हिन्दी ก็ が 한국"), "हिन्दी ก็ が 한국");
    }

    #[test]
    fn width_and_invisible_characters_do_not_matter() {
        assert_eq!(fold("ＡＢＣ ｹｰｽ co\u{AD}op"), "abc ケース coop");
    }

    #[test]
    fn typographic_apostrophes_and_hyphens_are_plain() {
        assert_eq!(fold("don’t e‑mail"), "don't e-mail");
    }
}

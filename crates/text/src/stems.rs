//! Turns words into tokens by stemming them.
//!
//! - A stored word has the stems of its text's languages, a query word those of every language of its script, so the
//!   same word finds itself whatever language its text was taken for.
//! - A word with accents is stemmed both before and after folding, so accents never decide whether it is found.
//! - Stems of Latin languages other than English carry their language and [`TAG`], which no other token holds.

use std::collections::HashSet;

use rust_stemmers::{Algorithm, Stemmer};

use super::fold::fold;
use super::function_words::languages_of;
use super::language::{Language, Languages};
use super::recent_stems::push_stem;
use super::script::{Script, script};

/// Parts a language from its stem, and marks tokens that stand for longer ones.
const TAG: char = '^';

/// Longer tokens are replaced by a hash.
const TOKEN_BYTES: usize = 128;

/// Longer words are not words of a language, and stemming them would only cost time.
const WORD_BYTES: usize = 64;

/// Appends the tokens of a stored `word`, given in lower case with its accents, each followed by a space.
pub(super) fn push_stored(word: &str, languages: Languages, out: &mut String) {
    let folded_storage;
    let folded = if word.is_ascii() {
        word
    } else {
        folded_storage = fold(word);
        folded_storage.as_str()
    };
    if folded.is_empty() {
        return;
    }
    let mut any = false;
    let shared = script_is_shared(folded);
    for language in stemmers(folded) {
        if shared && !languages.contains(*language) {
            continue;
        }
        any = true;
        // Function words are half of running English and look the same in every text: stemming them buys nothing.
        if *language == Language::English && languages_of(folded).contains(Language::English) {
            push_exact(folded, out);
            continue;
        }
        push_stems(word, folded, *language, out);
    }
    if !any {
        push_exact(folded, out);
    }
}

/// The tokens a query `word`, given in lower case with its accents, may have been stored under; no two are equal.
pub(super) fn alternatives(word: &str) -> Vec<String> {
    let folded = fold(word);
    let mut tokens = Vec::with_capacity(2 * Language::LATIN.len());
    add_all_stems(word, &folded, &mut tokens);
    for spelling in other_umlauts(word, &folded) {
        let languages =
            if spelling.len() < 5 { &[Language::German][..] } else { &[Language::English, Language::German] };
        add_stems(&spelling, &spelling, languages, &mut tokens);
    }
    let mut distinct = HashSet::new();
    tokens.retain(|token| distinct.insert(token.clone()));
    tokens
}

/// Adds the tokens `word` may have been stored under in a text of any language: itself and all its
/// stems. Some may be equal.
pub(super) fn add_all_stems(word: &str, folded: &str, tokens: &mut Vec<String>) {
    tokens.push(shortened(folded.to_owned()));
    let mut stems = String::new();
    for language in stemmers(folded) {
        push_stems(word, folded, *language, &mut stems);
    }
    tokens.extend(stems.split_terminator(' ').map(str::to_owned));
}

/// Appends `folded` as one token followed by a space.
pub(super) fn push_exact(folded: &str, out: &mut String) {
    if folded.len() > TOKEN_BYTES {
        out.push_str(&shortened(folded.to_owned()));
    } else {
        out.push_str(folded);
    }
    out.push(' ');
}

/// The token itself, or a stable stand-in for one that is too long.
pub(super) fn shortened(token: String) -> String {
    if token.len() <= TOKEN_BYTES {
        return token;
    }
    // FNV-1a: the tokens are stored, so the hash must be the same in every build.
    let hash = token
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{TAG}{hash:016x}")
}

/// The tag of the language a token was stemmed in, if it carries one.
pub fn language_tag(token: &str) -> Option<&str> {
    let end = token.find(TAG).filter(|end| *end > 0)?;
    Some(&token[..=end])
}

/// What comes after all tokens with that tag, in the order of bytes.
pub fn after_tag(tag: &str) -> String {
    let mut bound = tag.to_owned();
    bound.pop();
    // The sign after `^`.
    bound.push('_');
    bound
}

/// The token without the language it was stemmed in.
pub(super) fn untagged(token: &str) -> &str {
    token.split_once(TAG).map_or(token, |(_, stem)| stem)
}

/// Adds the stems of `word` in these languages. They are not remembered: of hundreds of misspelt words hardly one is a word.
pub(super) fn add_stems(word: &str, folded: &str, languages: &[Language], tokens: &mut Vec<String>) {
    for language in languages {
        let (first, second) = stems(word, folded, *language);
        for stem in [Some(first), second].into_iter().flatten() {
            tokens.push([tag(*language), &stem].concat());
        }
    }
}

/// Appends the stems of `word` in a language, each with its tag and followed by a space.
fn push_stems(word: &str, folded: &str, language: Language, out: &mut String) {
    if word == folded {
        out.push_str(tag(language));
        push_stem(word, language, || stems(word, folded, language).0, out);
        return out.push(' ');
    }
    let (first, second) = stems(word, folded, language);
    for stem in [Some(first), second].into_iter().flatten() {
        out.extend([tag(language), &stem, " "]);
    }
}

/// The stem of the folded word and, where it differs, the folded stem of the accented word.
fn stems(word: &str, folded: &str, language: Language) -> (String, Option<String>) {
    let stemmer = Stemmer::create(algorithm(language));
    let stem_or_word = |text: &str| {
        let stem = stemmer.stem(text);
        // Some stemmers leave nothing of words that are all ending.
        match &*stem {
            "" => folded.to_owned(),
            ascii if ascii.is_ascii() => stem.into_owned(),
            accented => fold(accented),
        }
    };
    let first = stem_or_word(folded);
    let second = (word != folded).then(|| stem_or_word(word)).filter(|second| *second != first);
    (first, second)
}

/// The stem of a folded word in a language.
pub(super) fn folded_stem(folded: &str, language: Language) -> String {
    stems(folded, folded, language).0
}

/// Whether the languages that share a script may stem `folded`.
pub(super) fn is_stemmed(folded: &str) -> bool {
    script_is_shared(folded) && !stemmers(folded).is_empty()
}

/// The languages that may stem `folded` and whose tag, if they have one, is accepted.
pub(super) fn stemmers_by_tag(folded: &str, accepts: impl Fn(&str) -> bool) -> Vec<Language> {
    let accepted = |language: &Language| tag(*language).is_empty() || accepts(tag(*language));
    stemmers(folded).iter().copied().filter(accepted).collect()
}

/// The languages that may stem `folded`; none for numbers, identifiers with digits, and scripts without a stemmer.
fn stemmers(folded: &str) -> &'static [Language] {
    let too_short = folded.len() < 3;
    let is_plain = folded.bytes().all(|byte| byte.is_ascii_alphabetic());
    if too_short || folded.len() > WORD_BYTES || !is_plain && folded.chars().any(char::is_numeric) {
        return &[];
    }
    match script(folded) {
        Script::Latin => &Language::LATIN,
        Script::Greek => &[Language::Greek],
        Script::Cyrillic => &[Language::Russian],
        Script::Arabic => &[Language::Arabic],
        Script::Tamil => &[Language::Tamil],
        Script::Other => &[],
    }
}

/// Whether several languages share the script of `folded`, so that the text's languages decide.
fn script_is_shared(folded: &str) -> bool {
    script(folded) == Script::Latin
}

/// Spellings with the umlauts written out or left out: `mueller` and `müller` are the same name.
fn other_umlauts(word: &str, folded: &str) -> Vec<String> {
    if folded.len() < 4 || folded.len() > WORD_BYTES || script(folded) != Script::Latin {
        return Vec::new();
    }
    let mut spellings = Vec::new();
    let left_out = folded.replace("ae", "a").replace("oe", "o").replace("ue", "u");
    if left_out != folded {
        spellings.push(left_out);
    }
    if word.contains(['ä', 'ö', 'ü']) {
        spellings.push(fold(&word.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue")));
    }
    spellings
}

fn tag(language: Language) -> &'static str {
    match language {
        Language::German => "de^",
        Language::French => "fr^",
        Language::Spanish => "es^",
        Language::Portuguese => "pt^",
        Language::Italian => "it^",
        Language::Dutch => "nl^",
        Language::Swedish => "sv^",
        Language::Danish => "da^",
        Language::Norwegian => "no^",
        Language::Finnish => "fi^",
        Language::Hungarian => "hu^",
        Language::Romanian => "ro^",
        Language::Turkish => "tr^",
        Language::English | Language::Russian | Language::Greek | Language::Arabic | Language::Tamil => "",
    }
}

fn algorithm(language: Language) -> Algorithm {
    match language {
        Language::English => Algorithm::English,
        Language::German => Algorithm::German,
        Language::French => Algorithm::French,
        Language::Spanish => Algorithm::Spanish,
        Language::Portuguese => Algorithm::Portuguese,
        Language::Italian => Algorithm::Italian,
        Language::Dutch => Algorithm::Dutch,
        Language::Swedish => Algorithm::Swedish,
        Language::Danish => Algorithm::Danish,
        Language::Norwegian => Algorithm::Norwegian,
        Language::Finnish => Algorithm::Finnish,
        Language::Hungarian => Algorithm::Hungarian,
        Language::Romanian => Algorithm::Romanian,
        Language::Turkish => Algorithm::Turkish,
        Language::Russian => Algorithm::Russian,
        Language::Greek => Algorithm::Greek,
        Language::Arabic => Algorithm::Arabic,
        Language::Tamil => Algorithm::Tamil,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(word: &str, language: Language) -> String {
        let mut languages = Languages::default();
        languages.insert(language);
        let mut out = String::new();
        push_stored(word, languages, &mut out);
        out.trim_end().to_owned()
    }

    #[test]
    fn english_stems_carry_no_language() {
        assert_eq!(stored("running", Language::English), "run");
        assert_eq!(stored("häuser", Language::German), "de^haus");
    }

    #[test]
    fn the_stem_before_and_after_folding_are_both_stored() {
        let tokens = stored("préférée", Language::French);
        assert!(tokens.contains(' '), "{tokens}");
    }

    #[test]
    fn numbers_and_identifiers_are_not_stemmed() {
        assert_eq!(stored("b2bs", Language::German), "b2bs");
        assert_eq!(alternatives("2024"), ["2024"]);
    }

    #[test]
    fn umlauts_may_be_written_out() {
        let umlaut = stored("müller", Language::German);
        assert!(alternatives("mueller").contains(&umlaut));
        let written_out = stored("mueller", Language::German);
        assert!(alternatives("müller").contains(&written_out));
    }

    #[test]
    fn a_token_is_never_longer_than_the_limit() {
        let long = "x".repeat(TOKEN_BYTES + 1);
        assert_eq!(alternatives(&long), [stored(&long, Language::English)]);
        assert!(alternatives(&long)[0].len() < 20);
    }

    #[test]
    fn russian_greek_and_arabic_words_have_stems() {
        assert_eq!(stored("книги", Language::English), stored("книга", Language::English));
        assert!(alternatives("σχολεία").len() > 1);
        assert!(alternatives("الكتاب").len() > 1);
    }
}

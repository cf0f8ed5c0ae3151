//! Forgives one typo in a query word that matches nothing.
//!
//! - Only words of at least [`LEAST_LETTERS`] letters: in shorter ones a different letter is a different word, and in
//!   numbers and identifiers every character counts.
//! - The edits are made to the word and stemmed afterwards, because a typo may hide the ending.

use std::collections::{BTreeMap, BTreeSet};

use super::query::{QueryTerm, TermKind};
use super::script::{Script, is_unspaced, script};
use super::slips::Slip;
use super::stems::{add_stems, stemmers_by_tag};

/// Shorter words are not forgiven.
const LEAST_LETTERS: usize = 4;

/// Longer words would make more variants than a lookup is worth.
const MOST_LETTERS: usize = 24;

/// The tokens of the words one edit away from the term, each with the first of those words: a letter dropped, added, replaced, or two
/// neighbours swapped.
///
/// Without the tokens of the term itself. Empty for numbers, words with digits or signs,
/// function words and terms of scripts without spaces. `is_spoken` tells whether any stored token carries
/// that [`language_tag`](super::language_tag): stemming hundreds of spellings in languages nobody wrote in is most of
/// the cost.
#[must_use]
pub fn one_typo_variants(term: &QueryTerm, is_spoken: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
    let letters: Vec<char> = term.surface.chars().collect();
    if !(LEAST_LETTERS..=MOST_LETTERS).contains(&letters.len()) {
        return BTreeMap::new();
    }
    if matches!(term.kind, TermKind::FunctionWord | TermKind::Gram) {
        return BTreeMap::new();
    }
    if !letters.iter().all(|letter| letter.is_alphabetic() && !is_unspaced(*letter)) {
        return BTreeMap::new();
    }
    let languages = stemmers_by_tag(&term.surface, is_spoken);
    let mut variants = BTreeMap::new();
    let mut tokens = Vec::new();
    for word in neighbours(&letters, alphabet(&term.surface)) {
        tokens.push(word.clone());
        add_stems(&word, &word, &languages, &mut tokens);
        for token in tokens.drain(..) {
            variants.entry(token).or_insert_with(|| word.clone());
        }
    }
    term.tokens.iter().for_each(|token| drop(variants.remove(token)));
    variants
}

/// The letters of the script of `word` as folding leaves them.
fn alphabet(word: &str) -> &'static str {
    match script(word) {
        Script::Latin => "abcdefghijklmnopqrstuvwxyz",
        Script::Greek => "αβγδεζηθικλμνξοπρστυφχψω",
        Script::Cyrillic => "абвгдежзийклмнопрстуфхцчшщъыьэюяіґє",
        Script::Arabic => "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىء",
        Script::Tamil | Script::Other => "",
    }
}

/// The words that are one slip away.
fn neighbours(letters: &[char], alphabet: &str) -> BTreeSet<String> {
    let mut words: BTreeSet<String> = Slip::all(letters.len(), alphabet).map(|slip| slip.made_in(letters)).collect();
    words.remove(&letters.iter().collect::<String>());
    words
}

#[cfg(test)]
mod tests {
    use super::super::form::lexical_form;
    use super::super::query::query_terms;
    use super::*;

    #[track_caller]
    fn forgives(typed: &str, meant: &str) {
        let term = query_terms(typed).remove(0);
        let variants = one_typo_variants(&term, |_| true);
        let form = lexical_form(meant);
        assert!(variants.contains_key(&form.text), "`{typed}` does not find `{meant}`");
    }

    #[test]
    fn every_kind_of_edit_is_forgiven() {
        forgives("educaton", "education");
        forgives("educattion", "education");
        forgives("edukation", "education");
        forgives("eudcation", "education");
    }

    #[test]
    fn a_typo_in_the_ending_is_forgiven() {
        forgives("runing", "running");
        forgives("встречп", "встреча");
    }

    #[test]
    fn short_words_numbers_and_grams_are_not_forgiven() {
        for query in ["cat", "20245", "abc123", "東京", "what", "main.rs"] {
            assert!(one_typo_variants(&query_terms(query)[0], |_| true).is_empty(), "{query}");
        }
    }
}

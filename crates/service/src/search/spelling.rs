//! Puts misspelt words of a query right before its meaning is compared: a model makes nothing of `destinaton`, while a search by
//! words forgives it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use store::LexicalHit;
use text::{QueryTerm, TermKind, fold, plain_words, slips};

/// Shorter words have too many others beside them; longer ones are hardly words, and two are compared letter by letter.
const LETTERS: RangeInclusive<usize> = 4..=24;

/// The text with its misspelt words replaced by words of what was found, or else by common ones.
///
/// A word counts as misspelt if it is neither common nor in any text that was found.
pub(super) fn mended(text: &str, terms: &[QueryTerm], found: &[LexicalHit]) -> String {
    let is_word = |term: &&QueryTerm| term.kind == TermKind::Word && may_be_misspelt(&term.surface);
    let unknown: Vec<&QueryTerm> = terms.iter().filter(is_word).collect();
    if unknown.is_empty() {
        return text.to_owned();
    }
    let known = Known::of(found);
    let is_english = text::is_in_english(text);
    let common = |word: &str| if is_english { encoder::spelt_like(word) } else { None };
    let mut right: BTreeMap<&str, &str> = BTreeMap::new();
    for QueryTerm { surface, .. } in unknown.into_iter().filter(|term| !known.holds(&term.surface)) {
        if let Some(word) = known.like(surface).or_else(|| common(surface)) {
            right.insert(surface, word);
        }
    }
    replaced(text, &right)
}

fn may_be_misspelt(word: &str) -> bool {
    LETTERS.contains(&word.chars().count()) && word.chars().all(char::is_alphabetic) && !encoder::is_common(word)
}

/// The words of some texts, folded, with how often each stands in them.
struct Known(BTreeMap<String, usize>);

impl Known {
    fn of(found: &[LexicalHit]) -> Self {
        let mut words = BTreeMap::new();
        for hit in found {
            for word in plain_words(hit.thought.raw_text.as_str()) {
                *words.entry(fold(word)).or_default() += 1;
            }
        }
        Self(words)
    }

    fn holds(&self, word: &str) -> bool {
        self.0.contains_key(word)
    }

    /// The word that is one slip away, of several the one that is said most.
    fn like(&self, word: &str) -> Option<&str> {
        let letters: Vec<char> = word.chars().collect();
        let is_near = |other: &str| {
            let other: Vec<char> = other.chars().collect();
            LETTERS.contains(&other.len()) && other.len().abs_diff(letters.len()) <= 1 && slips(&letters, &other) == 1
        };
        let near = self.0.iter().filter(|(other, _)| is_near(other));
        near.max_by_key(|(other, times)| (*times, Reverse(*other))).map(|(other, _)| other.as_str())
    }
}

/// The text with these words, as they fold, replaced.
fn replaced(text: &str, right: &BTreeMap<&str, &str>) -> String {
    let mut mended = String::with_capacity(text.len());
    for piece in text.split_inclusive(|char: char| !char.is_alphanumeric()) {
        let word = piece.trim_end_matches(|char: char| !char.is_alphanumeric());
        mended += right.get(fold(word).as_str()).copied().unwrap_or(word);
        mended += &piece[word.len()..];
    }
    mended
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fuse::tests::saying;

    fn mend(query: &str, texts: &[&str]) -> String {
        let found: Vec<LexicalHit> = (1..)
            .zip(texts)
            .map(|(number, text)| LexicalHit {
                thought: saying(number, text),
                text_score: Some(1.0),
                notes: Vec::new(),
            })
            .collect();
        mended(query, &text::query_terms(query), &found)
    }

    #[test]
    fn a_misspelt_word_is_taken_for_one_of_the_account() {
        let texts = ["Italian: lessons with Chiara", "pierogi dough without egg"];
        assert_eq!(mend("lesson with Chaira?", &texts), "lesson with chiara?");
        assert_eq!(mend("peirogi recipe", &texts), "pierogi recipe");
    }

    #[test]
    fn what_is_longer_than_words_are_is_left() {
        let long = "a".repeat(24);
        assert_eq!(mend(&format!("{long}b"), &[&format!("{long}c")]), format!("{long}b"));
    }

    #[test]
    fn a_misspelt_word_that_the_account_does_not_have_is_taken_for_a_common_one() {
        assert_eq!(mend("destinaton of the trip", &[]), "destination of the trip");
        assert_eq!(mend("vitamn levle", &["Vitamin D came back"]), "vitamin level");
    }

    #[test]
    fn a_word_that_the_account_has_is_left_alone() {
        assert_eq!(mend("Kestrell invoices", &["Kestrell sends invoices", "Kestrel"]), "Kestrell invoices");
    }

    #[test]
    fn what_is_spelt_right_stays_as_it_is() {
        for query in [
            "Who has allergies or intolerances?",
            "the thrillers he frightens us with",
            "the beeping upstairs",
            "PROJ-1234 and v2.3.1",
            "Wo ist die Rechnung von dem Hund und der Katze?",
            "le montant de la taxe",
            "東京の会議",
            "",
        ] {
            assert_eq!(mend(query, &["Theo is allergic to nuts"]), query);
        }
    }
}

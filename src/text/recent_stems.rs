//! Remembers the stems of words met lately: people use the same few thousand words, and stemming is half of analysing a text.
//!
//! One place for each hash, taken over by whoever comes last: looking up never takes longer, whatever the words are.

use std::cell::RefCell;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::language::Language;

/// How many words are remembered by each thread: a few hundred kilobytes.
const PLACES: usize = 4096;

struct Remembered {
    language: Language,
    word: Box<str>,
    stem: Box<str>,
}

thread_local! {
    static RECENT: RefCell<Vec<Option<Remembered>>> = const { RefCell::new(Vec::new()) };
}

/// Calls `use_stem` with the stem of `word`, which `stem` makes if it is not remembered. The same word must always have the
/// same stem in a language.
pub(super) fn with_stem(word: &str, language: Language, stem: impl FnOnce() -> String, use_stem: impl FnOnce(&str)) {
    RECENT.with_borrow_mut(|recent| {
        if recent.is_empty() {
            recent.resize_with(PLACES, || None);
        }
        // The highest bits of this hash are its best.
        let place = FxBuildHasher.hash_one((word, language as u8)) >> (u64::BITS - PLACES.ilog2());
        let place = &mut recent[usize::try_from(place).expect("fewer than the places there are")];
        let known = place.take().filter(|known| known.language == language && *known.word == *word);
        let known = known.unwrap_or_else(|| Remembered { language, word: word.into(), stem: stem().into() });
        use_stem(&known.stem);
        *place = Some(known);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem_of(word: &str, language: Language, made: &str) -> String {
        let mut used = String::new();
        with_stem(word, language, || made.to_owned(), |stem| used.push_str(stem));
        used
    }

    #[test]
    fn a_stem_is_made_once_for_each_language() {
        assert_eq!(stem_of("cats", Language::English, "cat"), "cat");
        assert_eq!(stem_of("cats", Language::English, "made again"), "cat");
        assert_eq!(stem_of("cats", Language::German, "cats"), "cats");
    }

    #[test]
    fn words_that_share_a_place_keep_their_own_stems() {
        for round in 0..2 {
            for number in 0..3 * PLACES {
                let word = format!("word{number}");
                assert_eq!(stem_of(&word, Language::English, &word), word, "round {round}");
            }
        }
    }
}

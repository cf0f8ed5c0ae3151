//! Remembers the stems of words met lately: people use the same few thousand words, and stemming is half of analysing a text.
//!
//! One place for each hash, taken over by whoever comes last: looking up never takes longer, whatever the words are. The
//! places are shared by all threads, because a request is answered by whichever is free, and in shares with a lock of their
//! own, because one for all would be waited for.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use parking_lot::Mutex;
use rustc_hash::FxBuildHasher;

use super::language::Language;

/// How many words are remembered: about two megabytes.
const PLACES: usize = 16_384;

/// Shares with a lock of their own.
const SHARES: usize = 64;

struct Remembered {
    language: Language,
    word: Box<str>,
    stem: Box<str>,
}

struct RecentStems(Vec<Mutex<[Option<Remembered>; PLACES / SHARES]>>);

static RECENT: LazyLock<RecentStems> = LazyLock::new(RecentStems::default);

/// Calls `use_stem` with the stem of `word`, which `stem` makes if it is not remembered. The same word must always have the
/// same stem in a language.
pub(super) fn with_stem(word: &str, language: Language, stem: impl FnOnce() -> String, use_stem: impl FnOnce(&str)) {
    RECENT.with_stem(word, language, stem, use_stem);
}

impl Default for RecentStems {
    fn default() -> Self {
        Self((0..SHARES).map(|_| Mutex::new([const { None }; _])).collect())
    }
}

impl RecentStems {
    fn with_stem(&self, word: &str, language: Language, stem: impl FnOnce() -> String, use_stem: impl FnOnce(&str)) {
        // The highest bits of this hash are its best.
        let place = FxBuildHasher.hash_one((word, language as u8)) >> (u64::BITS - PLACES.ilog2());
        let place = usize::try_from(place).expect("fewer than the places there are");
        let mut share = self.0[place % SHARES].lock();
        let place = &mut share[place / SHARES];
        let known = place.take().filter(|known| known.language == language && *known.word == *word);
        let known = known.unwrap_or_else(|| Remembered { language, word: word.into(), stem: stem().into() });
        use_stem(&known.stem);
        *place = Some(known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem_of(stems: &RecentStems, word: &str, language: Language, made: &str) -> String {
        let mut used = String::new();
        stems.with_stem(word, language, || made.to_owned(), |stem| used.push_str(stem));
        used
    }

    #[test]
    fn a_stem_is_made_once_for_each_language() {
        let stems = RecentStems::default();
        assert_eq!(stem_of(&stems, "cats", Language::English, "cat"), "cat");
        assert_eq!(stem_of(&stems, "cats", Language::English, "made again"), "cat");
        assert_eq!(stem_of(&stems, "cats", Language::German, "cats"), "cats");
    }

    #[test]
    fn words_that_share_a_place_keep_their_own_stems() {
        let stems = RecentStems::default();
        for round in 0..2 {
            for number in 0..3 * PLACES {
                let word = format!("word{number}");
                assert_eq!(stem_of(&stems, &word, Language::English, &word), word, "round {round}");
            }
        }
    }
}

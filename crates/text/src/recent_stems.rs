//! Remembers the stems of words met lately: people use the same few thousand words, and stemming is half of analysing a text.
//!
//! One place for each hash, taken over by whoever comes last: looking up never takes longer, whatever the words are. The
//! places are shared by all threads, because a request is answered by whichever is free, and in shares with a lock of their
//! own, because one for all would be waited for. A place holds its word itself, so that a look touches one line of the
//! processor's cache; what does not fit is not remembered.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use parking_lot::Mutex;
use rustc_hash::FxBuildHasher;

use super::language::Language;

/// How many words are remembered: a megabyte.
const PLACES: usize = 32_768;

/// Shares with a lock of their own.
const SHARES: usize = 64;

/// Longer words are rare.
const WORD_BYTES: usize = 23;

/// A stem is the start of its word with another end: `happi` of `happy`. Longer ends are rare.
const END_BYTES: usize = 4;

/// A word of a language and its stem.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Remembered {
    language: Option<Language>,
    word_bytes: u8,
    word: [u8; WORD_BYTES],
    /// How many bytes of the word the stem starts with.
    kept_bytes: u8,
    end_bytes: u8,
    end: [u8; END_BYTES],
}

struct RecentStems(Vec<Mutex<[Remembered; PLACES / SHARES]>>);

static RECENT: LazyLock<RecentStems> = LazyLock::new(RecentStems::default);

/// Appends the stem of `word` to `out`; `stem` makes it if it is not remembered. The same word must always have the same
/// stem in a language.
pub(super) fn push_stem(word: &str, language: Language, stem: impl FnOnce() -> String, out: &mut String) {
    RECENT.push_stem(word, language, stem, out);
}

impl Default for RecentStems {
    fn default() -> Self {
        Self((0..SHARES).map(|_| Mutex::new([Remembered::default(); _])).collect())
    }
}

impl RecentStems {
    fn push_stem(&self, word: &str, language: Language, stem: impl FnOnce() -> String, out: &mut String) {
        // The highest bits of this hash are its best.
        let place = FxBuildHasher.hash_one((word, language as u8)) >> (u64::BITS - PLACES.ilog2());
        let place = usize::try_from(place).expect("fewer than the places there are");
        let share = &self.0[place % SHARES];
        let known = share.lock()[place / SHARES];
        if known.is_of(word, language) {
            out.push_str(&word[..known.kept_bytes.into()]);
            return out.push_str(known.end());
        }
        let stem = stem();
        out.push_str(&stem);
        if let Some(remembered) = Remembered::new(word, language, &stem) {
            share.lock()[place / SHARES] = remembered;
        }
    }
}

impl Remembered {
    /// `None` if it does not fit.
    fn new(word: &str, language: Language, stem: &str) -> Option<Self> {
        let same = word.bytes().zip(stem.bytes()).take_while(|(a, b)| a == b).count();
        let kept = word.floor_char_boundary(same);
        let mut remembered = Self { language: Some(language), ..Self::default() };
        remembered.word_bytes = put(word.as_bytes(), &mut remembered.word)?;
        remembered.end_bytes = put(&stem.as_bytes()[kept..], &mut remembered.end)?;
        remembered.kept_bytes = u8::try_from(kept).ok()?;
        Some(remembered)
    }

    fn is_of(&self, word: &str, language: Language) -> bool {
        self.language == Some(language) && self.word[..self.word_bytes.into()] == *word.as_bytes()
    }

    fn end(&self) -> &str {
        std::str::from_utf8(&self.end[..self.end_bytes.into()]).expect("cut between characters")
    }
}

/// Puts the bytes at the start of a place; how many they are, unless it is too small.
fn put(bytes: &[u8], place: &mut [u8]) -> Option<u8> {
    place.get_mut(..bytes.len())?.copy_from_slice(bytes);
    u8::try_from(bytes.len()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem_of(stems: &RecentStems, word: &str, language: Language, made: &str) -> String {
        let mut out = String::new();
        stems.push_stem(word, language, || made.to_owned(), &mut out);
        out
    }

    #[test]
    fn a_stem_is_made_once_for_each_language() {
        let stems = RecentStems::default();
        assert_eq!(stem_of(&stems, "cats", Language::English, "cat"), "cat");
        assert_eq!(stem_of(&stems, "cats", Language::English, "made again"), "cat");
        assert_eq!(stem_of(&stems, "cats", Language::German, "cats"), "cats");
    }

    #[test]
    fn a_stem_may_end_differently_than_its_word() {
        let stems = RecentStems::default();
        for (word, stem) in [("happy", "happi"), ("моли", "молй"), ("x", "")] {
            assert_eq!(stem_of(&stems, word, Language::Russian, stem), stem);
            assert_eq!(stem_of(&stems, word, Language::Russian, "made again"), stem);
        }
    }

    #[test]
    fn what_does_not_fit_is_made_each_time() {
        let stems = RecentStems::default();
        let long = "x".repeat(WORD_BYTES + 1);
        for made in ["first", "second"] {
            assert_eq!(stem_of(&stems, &long, Language::English, made), made);
            assert_eq!(stem_of(&stems, "word", Language::English, made), made);
        }
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

//! How common words are spelt, by the model's vocabulary: some 23,000 words, mostly English.

use super::vocabulary::{FIRST_WORD, Vocabulary};
use super::weights::WORDS;

/// Shorter words have too many others beside them.
const LETTERS_MIN: usize = 4;

/// What an English word may end in that stands in no list in that form.
const ENDINGS: [&str; 12] = ["s", "es", "ed", "d", "ing", "er", "ers", "r", "ly", "est", "able", "less"];

/// Whether a folded word is one that the model knows as a whole, or an inflection of one.
pub fn is_common(word: &str) -> bool {
    let vocabulary = Vocabulary::shared();
    let is_word = |word: &str| word.len() > 1 && vocabulary.word(word).is_some();
    let is_stem = |stem: &str| {
        let doubled = stem.as_bytes().last_chunk::<2>().filter(|[one, other]| one == other && one.is_ascii());
        is_word(stem) && stem.len() > 2
            || is_word(&format!("{stem}e"))
            || stem.strip_suffix('i').is_some_and(|stem| is_word(&format!("{stem}y")))
            || doubled.is_some() && is_word(&stem[..stem.len() - 1])
    };
    is_word(word) || ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending)).any(is_stem)
}

/// The most common word that one slip makes `word` of: a letter put in, left out or mistaken for another, or two neighbours the
/// wrong way round; the first letter is right. `None` for a word that is common itself.
pub fn spelt_like(word: &str) -> Option<&'static str> {
    if word.len() < LETTERS_MIN || !word.bytes().all(|byte| byte.is_ascii_lowercase()) || is_common(word) {
        return None;
    }
    let vocabulary = Vocabulary::shared();
    // The vocabulary is in the order of how common its words are.
    let words = (FIRST_WORD..WORDS).map(|id| vocabulary.letters(id as u32));
    let mut words = words.filter(|(_, continues)| !continues).map(|(letters, _)| letters);
    words.find(|other| other.len() >= LETTERS_MIN && is_one_slip(word.as_bytes(), other.as_bytes()))
}

/// Whether one slip lies between the words, not in the first letter.
fn is_one_slip(word: &[u8], other: &[u8]) -> bool {
    if word.first() != other.first() || word.len().abs_diff(other.len()) > 1 {
        return false;
    }
    let same = word.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (word, other) = (&word[same..], &other[same..]);
    match word.len().cmp(&other.len()) {
        std::cmp::Ordering::Less => word == &other[1..],
        std::cmp::Ordering::Greater => &word[1..] == other,
        std::cmp::Ordering::Equal => {
            let is_swapped = word.len() > 1 && word[0] == other[1] && word[1] == other[0] && word[2..] == other[2..];
            !word.is_empty() && (word[1..] == other[1..] || is_swapped)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflections_of_common_words_are_common() {
        for word in ["house", "houses", "policies", "concentrates", "singers", "running", "stopped", "therapists"] {
            assert!(is_common(word), "{word}");
        }
        // The last letter of `ကs` ends with the same byte twice.
        for word in ["destinaton", "vitamn", "recipie", "qzxv", "resutl", "ကs"] {
            assert!(!is_common(word), "{word}");
        }
    }

    #[test]
    fn one_slip_is_put_right() {
        for (typed, meant) in [
            ("destinaton", "destination"),
            ("recipie", "recipe"),
            ("resutl", "result"),
            ("hollidays", "holidays"),
            ("levle", "level"),
            ("sercet", "secret"),
        ] {
            assert_eq!(spelt_like(typed), Some(meant), "{typed}");
        }
    }

    #[test]
    fn what_is_right_or_too_far_off_is_like_nothing() {
        for word in ["house", "houses", "the", "qzxvqzxv", "", "Straße", "東京", "x1y2"] {
            assert_eq!(spelt_like(word), None, "{word}");
        }
    }
}

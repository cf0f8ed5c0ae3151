//! Words that mean something like a word: what `pet` has to do with `dog` and `wife` with `married`, without encoding anything.
//!
//! The table is made from the model's own states of single words, once; looking something up takes no longer than finding a
//! word. English alone, as the model is.

use super::vocabulary::{FIRST_WORD, Vocabulary};
use super::weights::WORDS;

/// How many each word has at most.
const RELATED: usize = 12;

/// For each word of the vocabulary the ids of others, two bytes each, the most like it first; 0 for none.
fn table() -> &'static [u8; (WORDS - FIRST_WORD) * RELATED * 2] {
    parameters::RELATED
}

/// The words that mean something like `word`, most like it first; none for a word that is not in the vocabulary, or holds sentences
/// together. `word` is folded: small letters without accents.
pub fn related(word: &str) -> Vec<&'static str> {
    let vocabulary = Vocabulary::shared();
    let row = vocabulary.word(word).map(|id| id - FIRST_WORD);
    let row = row.and_then(|row| table().as_chunks::<{ RELATED * 2 }>().0.get(row));
    let ids = row.into_iter().flat_map(|row| row.as_chunks::<2>().0).map(|bytes| u16::from_le_bytes(*bytes));
    ids.take_while(|id| *id > 0).map(|id| vocabulary.letters(u32::from(id)).0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_like_meaning_are_related() {
        for (word, other) in [("wife", "married"), ("pet", "dog"), ("doctor", "physician"), ("mortgage", "loan")] {
            assert!(related(word).contains(&other), "{word}: {:?}", related(word));
        }
    }

    #[test]
    fn what_is_no_word_or_says_nothing_is_related_to_nothing() {
        for word in ["the", "qzxv", "", "petsitting", "7", "##ing"] {
            assert_eq!(related(word), Vec::<&str>::new(), "{word}");
        }
    }

    #[test]
    fn every_word_of_the_table_is_one() {
        let vocabulary = Vocabulary::load();
        for bytes in table().as_chunks::<2>().0 {
            let id = u16::from_le_bytes(*bytes);
            let (letters, continues) = vocabulary.letters(u32::from(id));
            assert!(id == 0 || !continues && letters.len() > 2, "{id}");
        }
    }
}

//! Which tokens of the built-in model say something, and how much.

use encoder::Piece;
use text::{Language, languages_of};

/// Where the vocabulary's words begin, the most common one first; before them stand letters and signs.
const FIRST_WORD: u32 = 1_996;

/// A piece of a rarer word is taken to be as rare as the vocabulary's last.
const LAST_WORD: u32 = 30_522;

/// Whether a token says what a text is about: it is a letter or more, and no word that holds sentences together.
pub(super) fn is_telling(piece: Piece) -> bool {
    let is_function_word = piece.of == 1 && languages_of(piece.letters).contains(Language::English);
    piece.letters.contains(char::is_alphanumeric) && !is_function_word
}

/// How rare a token is: the words of a language are about as common as one by their rank. Pieces share what their word says.
pub(super) fn rarity(piece: Piece) -> f32 {
    let rank = match piece {
        Piece { of: 2.., .. } => LAST_WORD - FIRST_WORD,
        // A letter or a digit is no rare word.
        Piece { id, .. } => id.saturating_sub(FIRST_WORD).max(100),
    };
    (COMMON + rank as f32 / RANKS).ln() / (piece.of as f32).sqrt()
}

/// What the most common word says, and by how many ranks a word becomes rarer; a person's notes care for neither by more than a
/// point.
const COMMON: f32 = 3.0;
const RANKS: f32 = 20.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(letters: &'static str, id: u32, of: usize) -> Piece {
        Piece { letters, id, of }
    }

    #[test]
    fn rare_words_say_more_and_pieces_share_it() {
        assert!(rarity(piece("house", 2160, 1)) < rarity(piece("violin", 6710, 1)));
        assert!(rarity(piece("##ding", 4667, 4)) < rarity(piece("violin", 6710, 1)));
    }

    #[test]
    fn signs_and_words_that_hold_sentences_together_tell_nothing() {
        assert!(is_telling(piece("tea", 5572, 1)) && is_telling(piece("7", 1021, 1)));
        assert!(is_telling(piece("the", 1996, 2)), "a part of a word is no word");
        assert!(
            !is_telling(piece("the", 1996, 1)) && !is_telling(piece(",", 1010, 1)) && !is_telling(piece("", 101, 1))
        );
    }
}

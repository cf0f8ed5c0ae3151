//! Cuts long texts into passages, each short enough for an embedding model to read all of it.
//!
//! - Passages follow each other without gaps and overlaps; their bounds are ends of sentences where sentences are short
//!   enough, else ends of words, else character bounds.
//! - Linear in the text.

use unicode_segmentation::UnicodeSegmentation;

/// The longest passage, in bytes: about 256 tokens of English prose.
const PASSAGE_BYTES_MAX: usize = 1_000;

/// The passages of a text, in its order; a short text is its only one.
pub fn passages(text: &str) -> Vec<&str> {
    if text.len() <= PASSAGE_BYTES_MAX {
        return vec![text];
    }
    let mut passages = Vec::new();
    let (mut start, mut end) = (0, 0);
    for piece in text.split_sentence_bounds().flat_map(pieces) {
        if end > start && end + piece.len() - start > PASSAGE_BYTES_MAX {
            passages.push(&text[start..end]);
            start = end;
        }
        end += piece.len();
    }
    passages.push(&text[start..end]);
    passages
}

/// A sentence as it is, or the words of one that is too long, or the characters of a word that is.
fn pieces(sentence: &str) -> Vec<&str> {
    if sentence.len() <= PASSAGE_BYTES_MAX {
        return vec![sentence];
    }
    sentence.split_inclusive(char::is_whitespace).flat_map(slices).collect()
}

fn slices(word: &str) -> Vec<&str> {
    let (mut slices, mut rest) = (Vec::new(), word);
    while rest.len() > PASSAGE_BYTES_MAX {
        let (slice, tail) = rest.split_at(rest.floor_char_boundary(PASSAGE_BYTES_MAX));
        slices.push(slice);
        rest = tail;
    }
    slices.push(rest);
    slices
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_short_text_is_one_passage() {
        assert_eq!(passages("Ana lives in Lisbon. Rui does not."), ["Ana lives in Lisbon. Rui does not."]);
    }

    #[test]
    fn a_long_text_is_cut_between_sentences() {
        let text = "The importer retries three times. ".repeat(100);
        let passages = passages(&text);
        assert!(passages.len() > 3);
        assert!(passages.iter().all(|passage| passage.starts_with("The ") && passage.ends_with("times. ")));
    }

    proptest! {
        #[test]
        fn passages_are_the_text_again_and_never_too_long(text in "[a-zé。. \n]{0,40}|(\\PC{0,30} ?){0,120}") {
            let text = text.repeat(12);
            let cut = passages(&text);
            prop_assert_eq!(cut.concat(), text.as_str());
            prop_assert!(cut.iter().all(|passage| passage.len() <= PASSAGE_BYTES_MAX));
        }
    }
}

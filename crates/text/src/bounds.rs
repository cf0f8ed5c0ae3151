//! Finds places where a text may be cut.
//!
//! - A place found here is always a grapheme bound of the whole text.
//! - The cost depends on the stretch asked about, not on the text around it.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// How far to look around for white space, in bytes; most words are shorter.
const CONTEXT_BYTES: usize = 256;

/// Word bounds that may turn out to lie inside a grapheme before the search gives up.
const MOST_TRIES: usize = 8;

/// The word bounds of a text that lie within a stretch of it.
pub(super) struct WordBounds<'a> {
    text: &'a str,
    /// Where words start, in order.
    starts: Vec<usize>,
    /// Where words end, in order.
    ends: Vec<usize>,
}

/// The bounds of words of `text` from byte `from` to byte `to`, found by UAX #29.
pub(super) fn word_bounds(text: &str, from: usize, to: usize) -> WordBounds<'_> {
    // Segmentation must start where a word surely does, and go on past the end to know whether a word ends there.
    let floor = text.floor_char_boundary(from.saturating_sub(CONTEXT_BYTES));
    let context = text[floor..from].rfind(char::is_whitespace).map_or(floor, |space| floor + space);
    let ceiling = text.ceil_char_boundary((to + CONTEXT_BYTES).min(text.len()));
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for (at, segment) in text[context..ceiling].split_word_bound_indices() {
        let (start, end) = (context + at, context + at + segment.len());
        let is_space = segment.chars().all(char::is_whitespace);
        // The first segment may be the rest of a word that began before.
        if !is_space && (at > 0 || start == 0) && (from..=to).contains(&start) {
            starts.push(start);
        }
        if !is_space && end < ceiling && (from..=to).contains(&end) {
            ends.push(end);
        }
    }
    WordBounds { text, starts, ends }
}

impl WordBounds<'_> {
    /// The first start of a word.
    pub(super) fn start(&self) -> Option<usize> {
        self.starts.iter().take(MOST_TRIES).copied().find(|at| is_grapheme_bound(self.text, *at))
    }

    /// The last end of a word.
    pub(super) fn end(&self) -> Option<usize> {
        self.ends.iter().rev().take(MOST_TRIES).copied().find(|at| is_grapheme_bound(self.text, *at))
    }
}

/// The first grapheme bound at or after byte `at`.
pub(super) fn grapheme_after(text: &str, at: usize) -> usize {
    if is_grapheme_bound(text, at) {
        return at;
    }
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    cursor.next_boundary(text, 0).expect(WHOLE).unwrap_or(text.len())
}

/// The last grapheme bound at or before byte `at`.
pub(super) fn grapheme_before(text: &str, at: usize) -> usize {
    if is_grapheme_bound(text, at) {
        return at;
    }
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    cursor.prev_boundary(text, 0).expect(WHOLE).unwrap_or(0)
}

const WHOLE: &str = "the cursor is given the whole text, so it never asks for more";

fn is_grapheme_bound(text: &str, at: usize) -> bool {
    GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0).expect(WHOLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_lie_at_words_within_the_stretch() {
        let bounds = word_bounds("one two three four", 5, 15);
        assert_eq!((bounds.start(), bounds.end()), (Some(8), Some(13)));
    }

    #[test]
    fn a_word_without_end_has_no_bounds() {
        let text = "x".repeat(2000);
        let bounds = word_bounds(&text, 900, 1000);
        assert_eq!((bounds.start(), bounds.end()), (None, None));
    }

    #[test]
    fn graphemes_are_not_cut() {
        let text = "ae\u{301}\u{302}o";
        assert_eq!((grapheme_before(text, 4), grapheme_after(text, 4)), (1, 6));
        assert_eq!(grapheme_before("🇨🇭🇩🇪", 12), 8);
    }
}

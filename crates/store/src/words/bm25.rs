//! What it says that a text holds a word.

/// How quickly further occurrences of a word stop counting; the usual value.
const K1: f32 = 1.2;

/// How much a long text is held against its matches; the usual value.
const B: f32 = 0.75;

/// How many times as long as a typical text a text is taken to be at most: among short notes, one word of a long one would
/// otherwise say nothing at all.
const LONGEST: f32 = 3.0;

/// BM25: what it says that a text holds a word so many times, given its length beside a typical text's.
#[inline]
pub(super) fn said(times: f32, length: f32) -> f32 {
    let length = length.min(LONGEST);
    times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_says_less_in_a_long_text_and_more_the_more_often_it_stands_there() {
        assert!((said(1.0, 1.0) - 1.0).abs() < 1e-6);
        assert!(said(1.0, 2.0) < said(1.0, 1.0) && said(1.0, 1.0) < said(2.0, 1.0));
        assert_eq!(said(0.0, 1.0), 0.0);
        assert!(said(1.0, 200.0) > 0.5, "a long text is no reason to pass over the only word that matches");
    }
}

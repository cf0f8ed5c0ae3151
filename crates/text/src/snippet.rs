//! Shows the best place of a long text.
//!
//! - A snippet is the text itself or one stretch of it, with `…` where it was cut; never longer than asked for.
//! - Cuts fall between words or, where a word is longer than the snippet, between graphemes.

use super::bounds::{grapheme_after, grapheme_before, word_bounds};
use super::spots::{MOST_WANTED, Spot, Wanted, spots};

/// The stretch of `text` that shows the most of what is `wanted`, in at most `max_chars` characters (Unicode scalars).
///
/// A text that fits comes back as it is. Different terms count more than repeats of one, the earlier of two equal
/// places wins, and if nothing is found the beginning is shown. Terms past the first 64 are not looked for.
#[must_use]
pub fn snippet(text: &str, wanted: &[Wanted<'_>], max_chars: usize) -> String {
    let total = if text.len() <= max_chars { text.len() } else { text.chars().count() };
    if total <= max_chars {
        return text.to_owned();
    }
    if max_chars == 0 {
        return String::new();
    }
    let found = spots(text, wanted, max_chars);
    let best = best_window(&found, wanted, max_chars.saturating_sub(2));
    let frame = Frame::around(text, best, total, max_chars);
    frame.cut(text)
}

/// The stretch that must be shown, in characters and bytes.
#[derive(Clone, Copy, Default)]
struct Window {
    chars: (usize, usize),
    bytes: (usize, usize),
}

/// What a further sight of a term is worth against the first.
const REPEAT_SHARE: u64 = 16;

/// Further sights than these add nothing.
const MOST_SIGHTS: u32 = 4;

/// The window of at most `budget` characters with the most weight; empty at the start if there is nothing to show.
fn best_window(spots: &[Spot], wanted: &[Wanted<'_>], budget: usize) -> Window {
    // Whole numbers, because adding and taking away fractions would drift.
    let weights: Vec<u64> = wanted.iter().take(MOST_WANTED).map(|wanted| (wanted.weight * 1024.0) as u64).collect();
    let gain = |term: usize, sights: u32| match sights {
        0 => weights[term].min(u64::from(u32::MAX)),
        1..MOST_SIGHTS => weights[term].min(u64::from(u32::MAX)) / REPEAT_SHARE,
        _ => 0,
    };
    let mut sights = [0_u32; MOST_WANTED];
    let (mut score, mut best_score, mut best) = (0, 0, Window::default());
    let mut next = 0;
    for first in spots {
        while let Some(spot) = spots.get(next)
            && spot.chars.1 <= first.chars.0 + budget.max(spot.chars.1 - spot.chars.0)
        {
            for term in spot.terms() {
                score += gain(term, sights[term]);
                sights[term] += 1;
            }
            next += 1;
        }
        if score > best_score {
            best_score = score;
            let last = &spots[next - 1];
            best = Window { chars: (first.chars.0, last.chars.1), bytes: (first.bytes.0, last.bytes.1) };
        }
        for term in first.terms() {
            sights[term] -= 1;
            score -= gain(term, sights[term]);
        }
    }
    best
}

/// Where to cut, in bytes: the outermost places allowed, and what must stay inside.
struct Frame {
    outer: (usize, usize),
    inner: (usize, usize),
}

impl Frame {
    /// Spends the characters left over on the words around `window`, more of them after it than before.
    fn around(text: &str, window: Window, total: usize, max_chars: usize) -> Self {
        let budget = max_chars.saturating_sub(2);
        let (first, last) = window.chars;
        let slack = budget.saturating_sub(last - first);
        let mut start = first.saturating_sub(slack / 3);
        let mut end = start + budget;
        if end >= total {
            // The text's own end needs no sign, which leaves a character more in front.
            end = total;
            start = start.min((total + 1).saturating_sub(max_chars));
        }
        if start <= 1 && end < total {
            start = 0;
            end = max_chars - 1;
        }
        let byte_at = |char: usize| byte_of_char(text, window.bytes.0, first, char);
        Self { outer: (byte_at(start), byte_at(end)), inner: window.bytes }
    }

    fn cut(&self, text: &str) -> String {
        let bounds = word_bounds(text, self.outer.0, self.outer.1);
        let start = match self.outer.0 {
            0 => 0,
            outer => {
                bounds.start().filter(|start| *start <= self.inner.0).unwrap_or_else(|| grapheme_after(text, outer))
            }
        };
        let end = if self.outer.1 == text.len() {
            text.len()
        } else {
            let shown = self.inner.1.min(self.outer.1);
            bounds
                .end()
                .filter(|end| *end >= shown && *end > start)
                .unwrap_or_else(|| grapheme_before(text, self.outer.1))
        };
        // One grapheme may be longer than the snippet.
        if start >= end {
            return "…".to_owned();
        }
        let lead = if start > 0 { "…" } else { "" };
        let tail = if end < text.len() { "…" } else { "" };
        format!("{lead}{}{tail}", &text[start..end])
    }
}

/// The byte at which character `char` starts, given that character `known_char` starts at `known_byte`.
fn byte_of_char(text: &str, known_byte: usize, known_char: usize, char: usize) -> usize {
    if char < known_char {
        let back = known_char - char;
        return text[..known_byte].char_indices().rev().nth(back - 1).map_or(0, |(byte, _)| byte);
    }
    let ahead = char - known_char;
    text[known_byte..].char_indices().nth(ahead).map_or(text.len(), |(byte, _)| known_byte + byte)
}

#[cfg(test)]
mod tests {
    use super::super::query::{QueryTerm, query_terms};
    use super::*;

    fn shown(text: &str, query: &str, max_chars: usize) -> String {
        let terms: Vec<QueryTerm> = query_terms(query);
        let wanted: Vec<Wanted<'_>> = terms.iter().map(|term| Wanted { tokens: &term.tokens, weight: 1.0 }).collect();
        let shown = snippet(text, &wanted, max_chars);
        assert!(shown.chars().count() <= max_chars, "{shown:?} is longer than {max_chars}");
        shown
    }

    fn filler(words: usize) -> String {
        "lorem ipsum dolor sit amet ".repeat(words / 5)
    }

    #[test]
    fn a_text_that_fits_comes_back_whole() {
        assert_eq!(shown(" tea \n for two ", "two", 15), " tea \n for two ");
    }

    #[test]
    fn nothing_wanted_shows_the_beginning() {
        assert_eq!(shown(&filler(100), "", 20), "lorem ipsum dolor…");
    }

    #[test]
    fn the_wanted_word_is_shown_with_words_around_it() {
        let text = format!("{}the secret garden {}", filler(100), filler(100));
        assert_eq!(shown(&text, "gardens", 40), "…secret garden lorem ipsum dolor sit…");
    }

    #[test]
    fn different_terms_beat_repeats_of_one() {
        let text = format!("tea tea tea tea tea {}tea with milk {}", filler(50), filler(50));
        assert!(shown(&text, "tea milk", 30).contains("tea with milk"));
    }

    #[test]
    fn the_end_of_the_text_has_no_sign() {
        let text = format!("{}the last word", filler(50));
        assert_eq!(shown(&text, "word", 24), "…sit amet the last word");
    }

    #[test]
    fn scripts_without_spaces_are_shown_where_they_match() {
        let text = format!("{}東京都庁{}", "あ".repeat(500), "い".repeat(500));
        assert!(shown(&text, "京都", 12).contains("東京都庁"));
    }

    #[test]
    fn a_word_longer_than_the_snippet_is_cut_between_graphemes() {
        let text = "e\u{301}".repeat(100);
        assert_eq!(shown(&text, "x", 6), "e\u{301}e\u{301}…");
    }

    #[test]
    fn a_part_deep_inside_a_long_address_is_shown() {
        let text = format!("https://example.com/{}garden/{}", "a/".repeat(200), "b/".repeat(200));
        assert!(shown(&text, "garden", 40).contains("garden"));
    }

    #[test]
    fn tiny_limits_are_kept() {
        for max_chars in 0..5 {
            shown(&filler(10), "dolor", max_chars);
        }
    }
}

//! Says where two versions of a text differ, and shows a stretch of a text with a little around it.
//!
//! - Places are whole words; what lies between the places is the same in both versions.
//! - The cost is bounded: a rewritten text counts as one place, without comparing each word with each.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

use super::bounds::{grapheme_after, grapheme_before, word_bounds};

/// A place where two versions of a text differ; in one of them it may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The bytes it takes up in the version before.
    pub before: Range<usize>,
    /// The bytes it takes up in the version after.
    pub after: Range<usize>,
}

/// Words, and what stands between words, that are compared with each other at most.
const MOST_PIECES: usize = 1_000;

/// How much is shown on each side of a stretch, in characters.
const AROUND_CHARS: usize = 24;

/// Where `before` and `after` differ, in order; empty if they do not. Places no further apart than `gap_bytes` are one.
#[must_use]
pub fn differences(before: &str, after: &str, gap_bytes: usize) -> Vec<Difference> {
    let old: Vec<&str> = before.split_word_bounds().collect();
    let new: Vec<&str> = after.split_word_bounds().collect();
    let same_at_start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[same_at_start..], &new[same_at_start..]);
    let same_at_end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let old_middle = &old_rest[..old_rest.len() - same_at_end];
    let new_middle = &new_rest[..new_rest.len() - same_at_end];
    let start = bytes(&old[..same_at_start]);
    let mut found = Vec::new();
    if old_middle.len() + new_middle.len() > MOST_PIECES {
        push(&mut found, gap_bytes, start..start + bytes(old_middle), start..start + bytes(new_middle));
        return found;
    }
    let (mut old_at, mut new_at) = (start, start);
    for operation in capture_diff_slices(Algorithm::Myers, old_middle, new_middle) {
        let (_, old_pieces, new_pieces) = operation.as_tag_tuple();
        let (old_end, new_end) = (old_at + bytes(&old_middle[old_pieces]), new_at + bytes(&new_middle[new_pieces]));
        if !matches!(operation, DiffOp::Equal { .. }) {
            push(&mut found, gap_bytes, old_at..old_end, new_at..new_end);
        }
        (old_at, new_at) = (old_end, new_end);
    }
    found
}

fn bytes(pieces: &[&str]) -> usize {
    pieces.iter().map(|piece| piece.len()).sum()
}

/// Adds a place, as part of the one before if that is close by.
fn push(found: &mut Vec<Difference>, gap_bytes: usize, before: Range<usize>, after: Range<usize>) {
    match found.last_mut() {
        Some(last) if before.start - last.before.end <= gap_bytes => {
            last.before.end = before.end;
            last.after.end = after.end;
        }
        _ => found.push(Difference { before, after }),
    }
}

/// The stretch of `text` with a few words around it, in at most `max_chars` characters (Unicode scalars).
///
/// Cuts fall between words where they can, never within a grapheme, and are marked by `…`. Of a stretch that is too long its
/// beginning is shown.
#[must_use]
pub fn excerpt(text: &str, stretch: Range<usize>, max_chars: usize) -> String {
    let room = max_chars.saturating_sub(2);
    let length = text[stretch.clone()].chars().take(room + 1).count();
    let around = AROUND_CHARS.min(room.saturating_sub(length) / 2);
    let start = cut_before(text, stretch.start, around);
    let end = match length > room {
        true => cut_after(text, stretch.start, room),
        false => cut_after(text, stretch.end, around),
    };
    let mark = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{}{}", mark(start > 0), &text[start..end], mark(end < text.len()))
}

/// A cut at most `chars` characters before `at`.
fn cut_before(text: &str, at: usize, chars: usize) -> usize {
    let Some((floor, _)) = text[..at].char_indices().rev().take(chars).last() else { return at };
    if floor == 0 {
        return 0;
    }
    word_bounds(text, floor, at).start().unwrap_or_else(|| grapheme_after(text, floor).min(at))
}

/// A cut at most `chars` characters after `at`.
fn cut_after(text: &str, at: usize, chars: usize) -> usize {
    let ceiling = text[at..].char_indices().nth(chars).map_or(text.len(), |(offset, _)| at + offset);
    if ceiling == text.len() {
        return ceiling;
    }
    word_bounds(text, at, ceiling).end().unwrap_or_else(|| grapheme_before(text, ceiling).max(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(before: &str, after: &str) -> Vec<(String, String)> {
        let differences = differences(before, after, 16);
        let pairs = differences.into_iter().map(|place| {
            let old = excerpt(before, place.before, 40);
            (old, excerpt(after, place.after, 40))
        });
        pairs.collect()
    }

    fn pair(before: &str, after: &str) -> (String, String) {
        (before.into(), after.into())
    }

    #[test]
    fn only_the_changed_words_and_a_few_around_them_are_shown() {
        assert_eq!(shown("Maria prefers tea", "Marta prefers tea"), [pair("Maria prefers tea", "Marta prefers tea")]);
        let (before, after) = ("word ".repeat(20), " end".repeat(20));
        assert_eq!(
            shown(&format!("{before}Maria{after}"), &format!("{before}Marta{after}")),
            [pair("…word word word Maria end end end end…", "…word word word Marta end end end end…")]
        );
    }

    #[test]
    fn places_far_apart_are_shown_apart() {
        let (before, after) =
            ("Maria likes tea very much indeed, so ask Maria", "Marta likes tea very much indeed, so ask Marta");
        assert_eq!(differences(before, after, 16).len(), 2);
        assert_eq!(differences("a b c", "x b y", 16).len(), 1);
        assert_eq!(differences("a b c", "a b c", 16), []);
    }

    #[test]
    fn a_long_stretch_shows_its_beginning() {
        let rewritten = shown(&"old ".repeat(30_000), &"new words ".repeat(3_000));
        assert_eq!(rewritten, [pair("old old old old old old old old old…", "new words new words new words new…")]);
    }

    proptest! {
        #[test]
        fn what_lies_between_the_places_is_the_same(before in "[ab ,\u{301}\u{e9}]{0,40}", after in "[ab ,\u{301}\u{e9}]{0,40}", gap in 0usize..20) {
            let mut rebuilt = String::new();
            let mut at = 0;
            for place in differences(&before, &after, gap) {
                rebuilt.push_str(&before[at..place.before.start]);
                rebuilt.push_str(&after[place.after.clone()]);
                at = place.before.end;
            }
            rebuilt.push_str(&before[at..]);
            prop_assert_eq!(rebuilt, after);
        }

        #[test]
        fn an_excerpt_is_never_longer_than_asked_for(text in "\\PC{0,200}", from in 0usize..400, to in 0usize..400, max in 2usize..60) {
            let (from, to) = (text.floor_char_boundary(from), text.floor_char_boundary(to));
            let shown = excerpt(&text, from.min(to)..from.max(to), max);
            prop_assert!(shown.chars().count() <= max);
        }
    }
}

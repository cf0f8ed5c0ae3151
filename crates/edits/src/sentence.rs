//! Finds the sentences and lines of a thought.

use std::ops::Range;

/// The sentences of `text` without the space around them; a line break ends a sentence as well.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if c == '\n' || ends_sentence(text, at, c) {
            push(&mut out, text, start..end);
            start = end;
        }
    }
    push(&mut out, text, start..text.len());
    out
}

/// The lines of `text` that are not blank.
pub(super) fn lines(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        push(&mut out, text, start..start + line.len());
        start += line.len();
    }
    out
}

/// `text` without the stretch `gone` and the space that set it apart.
pub(super) fn without(text: &str, gone: &Range<usize>) -> String {
    let before = &text[..gone.start];
    let after = &text[gone.end..];
    let left = before.trim_end_matches([' ', '\t']);
    let right = after.trim_start_matches([' ', '\t']);
    if left.is_empty() {
        return format!("{left}{}", right.trim_start());
    }
    // A comma that led to what is gone leads nowhere.
    let ends = right.is_empty() || right.starts_with(['.', '!', '?', ')', '\n']);
    let closed = text[gone.clone()].ends_with([',', ';']);
    let left = if ends && !closed { left.trim_end_matches([',', ';']) } else { left };
    if right.is_empty() {
        return left.trim_end().to_owned();
    }
    // A line that is left empty goes with what stood on it.
    if left.ends_with('\n') && right.starts_with('\n') {
        return format!("{left}{}", &right[1..]);
    }
    let glued = right.starts_with(['.', ',', ';', '!', '?', ')', ':', '\n']) || left.ends_with(['\n', '(']);
    let spaced = before.len() > left.len() || after.len() > right.len();
    match glued || !spaced {
        true => format!("{left}{right}"),
        false => format!("{left} {right}"),
    }
}

fn push(out: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let body = &text[range.clone()];
    let start = range.start + body.len() - body.trim_start().len();
    let end = range.start + body.trim_end().len();
    if start < end {
        out.push(start..end);
    }
}

/// Whether the mark `c` at `at` is the end of a sentence.
fn ends_sentence(text: &str, at: usize, c: char) -> bool {
    if matches!(c, '。' | '！' | '？') {
        return true;
    }
    if !matches!(c, '.' | '!' | '?' | '…' | '"' | '”' | ')') {
        return false;
    }
    let before = &text[..at];
    if matches!(c, '"' | '”' | ')') && !before.ends_with(['.', '!', '?']) {
        return false;
    }
    let after = &text[at + c.len_utf8()..];
    if !after.starts_with(char::is_whitespace) {
        return false;
    }
    if c != '.' {
        return true;
    }
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    // `Mission St. Next` ends with a street, `at St. Luke's` names a saint.
    let named = before[..before.len() - word.len()].trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
    let ends_name = matches!(word, "St" | "Co" | "Inc" | "Ltd")
        && (named.starts_with(char::is_uppercase) || named == "&")
        && !named.ends_with(['.', ':', ',']);
    let abbreviated = ABBREVIATIONS.contains(&word.to_lowercase().as_str()) && !ends_name;
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    // A sentence starts with a capital, a digit or a quotation; a small letter goes on with the one before.
    let starts = after.trim_start().chars().next().is_none_or(|next| !next.is_lowercase());
    // `…: 1. Jolene, 2. Valerie` counts what follows.
    let counts = !word.is_empty()
        && word.len() <= 2
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && before[..before.len() - word.len()].trim_end().ends_with([':', ',', ';']);
    !abbreviated && !initial && starts && !counts
}

const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "no", "nr", "vs", "etc", "e.g", "i.e", "approx", "ext", "dept", "inc",
    "ltd", "co", "fig", "a.m", "p.m", "z.b", "bzw", "ca", "tel",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn sentences_end_at_their_marks_and_lines() {
        assert_eq!(
            cut("Paint the fence. Mind the dog!  Really?\nYes"),
            ["Paint the fence.", "Mind the dog!", "Really?", "Yes"]
        );
    }

    #[test]
    fn abbreviations_and_numbers_end_nothing() {
        assert_eq!(cut("Ask Dr. Hale at 3.5 p.m. today"), ["Ask Dr. Hale at 3.5 p.m. today"]);
    }

    #[test]
    fn what_is_cut_out_leaves_one_space() {
        assert_eq!(without("a b c", &(2..3)), "a c");
        assert_eq!(without("a b.", &(2..3)), "a.");
        assert_eq!(without("a b", &(0..1)), "b");
        assert_eq!(without("a\nb\nc", &(2..3)), "a\nc");
    }
}

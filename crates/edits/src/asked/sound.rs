//! Looks at a changed text as a reader would: what nobody would write is not to be stored.

use super::super::{page::key, vocabulary, words};

/// Whether a change put words of the request itself into the text, or left its seams doubled.
pub(super) fn is_garbled(before: &str, after: &str) -> bool {
    let (removed, inserted, rest) = difference(before, after);
    if inserted.is_empty() || inserted.len() > LONGEST_LOOKED_AT {
        return false;
    }
    let spoken = |text: &str| {
        let words = words::words(text);
        (0..words.len()).filter(|&at| vocabulary::length(&words[at..], "spoken") > 0).count()
    };
    let last = inserted.split_whitespace().next_back().map(key).unwrap_or_default();
    let next = rest.strip_prefix(' ').and_then(|rest| rest.split_whitespace().next()).map(key).unwrap_or_default();
    let adds = inserted.starts_with(removed.trim_end_matches('.'));
    breaks_table(before, after)
        || !adds && (spoken(inserted) > spoken(removed) || last.len() > 2 && last == next)
        || unbalanced(after) != unbalanced(before)
        || ["€€", "$$", "££", ",,", ";;", ": :"].iter().any(|twice| after.contains(twice) && !before.contains(twice))
}

/// Whether a line of a table lost or gained a cell, or a line without cells stands among them.
fn breaks_table(before: &str, after: &str) -> bool {
    let cells = |line: &str| line.matches('|').count();
    let rows: Vec<usize> = before.lines().map(cells).filter(|cells| *cells > 0).collect();
    let old: Vec<&str> = before.lines().collect();
    rows.len() > 1
        && old.last().is_some_and(|last| cells(last) > 0)
        && after.lines().filter(|line| !old.contains(line)).any(|line| !rows.contains(&cells(line)))
}

/// How many brackets have no other half; those of `1) …` need none.
fn unbalanced(text: &str) -> usize {
    let (mut open, mut alone) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open > 0 => open -= 1,
            ')' => alone += usize::from(!text[..at].ends_with(|c: char| c.is_ascii_digit())),
            _ => {}
        }
    }
    open + alone
}

/// Whatever is longer was given as it is.
const LONGEST_LOOKED_AT: usize = 200;

/// What was taken out of a text, what was put in for it, and what follows; in whole words.
fn difference<'t>(before: &'t str, after: &'t str) -> (&'t str, &'t str, &'t str) {
    let same = before.char_indices().zip(after.chars()).take_while(|((_, one), other)| one == other);
    let start = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
    let start = before[..start].rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let tail = before[start..].chars().rev().zip(after[start..].chars().rev()).take_while(|(one, other)| one == other);
    let length: usize = tail.map(|(c, _)| c.len_utf8()).sum();
    let (old_end, new_end) = (before.len() - length, after.len() - length);
    // Whole words.
    let grown = after[new_end..].find(char::is_whitespace).unwrap_or(after.len() - new_end);
    let (old_end, new_end) = (old_end + grown, new_end + grown);
    (&before[start..old_end.min(before.len())], &after[start..new_end], &after[new_end..])
}

/// Whether taking something out left a word with nothing to go with: `phone is and his email`.
pub(super) fn is_broken(before: &str, after: &str) -> bool {
    let dangling = |text: &str| {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        let open = |word: &str| {
            matches!(
                word,
                "is" | "are"
                    | "was"
                    | "were"
                    | "a"
                    | "an"
                    | "the"
                    | "of"
                    | "with"
                    | "for"
                    | "at"
                    | "by"
                    | "and"
                    | "or"
                    | "to"
                    | "from"
                    | "his"
                    | "her"
                    | "my"
            )
        };
        let closes = |word: &str| {
            matches!(word, "and" | "or" | "in" | "for" | "at" | "by" | "is" | "are" | "but" | "of" | "with" | "on")
        };
        let pairs = words.windows(2).filter(|pair| open(&pair[0]) && closes(&pair[1]));
        let marked =
            words.iter().filter(|word| word.ends_with([',', '.', ';']) && open(word.trim_end_matches([',', '.', ';'])));
        pairs.count() + marked.count()
    };
    let starts = |text: &str| {
        text.split_whitespace()
            .next()
            .is_some_and(|word| matches!(word, "for" | "is" | "are" | "of" | "was" | "and" | "with" | "in" | "at"))
    };
    dangling(after) > dangling(before) || starts(after) && !starts(before)
}

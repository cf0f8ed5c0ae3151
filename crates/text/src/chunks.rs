//! Finds the chunks of a text: stretches of letters, digits and the signs that join them.
//!
//! - Every chunk holds a letter, a digit or a sign such as an emoji.
//! - One pass over the text, whatever it holds.

use super::script::{Class, class};

/// The chunks of `text`, each with the byte it starts at.
pub(super) fn chunks(text: &str) -> Chunks<'_> {
    Chunks { text, at: 0 }
}

pub(super) struct Chunks<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Chunks<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        while self.at < self.text.len() {
            let start = self.at;
            let (end, next, holds_word) = scan(self.text, start);
            self.at = next;
            if holds_word {
                return Some((start, &self.text[start..end]));
            }
        }
        None
    }
}

/// Reads on from `start`: the end of the stretch, where to go on, and whether the stretch is worth anything.
fn scan(text: &str, start: usize) -> (usize, usize, bool) {
    // Most stretches are plain letters to their end.
    let plain = text.as_bytes()[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let mut holds_word = plain > 0;
    let mut at = start + plain;
    let mut previous = if holds_word { char::from(text.as_bytes()[at - 1]) } else { ' ' };
    for char in text[at..].chars() {
        let after = at + char.len_utf8();
        match class(char) {
            Class::Word => holds_word = true,
            // An ellipsis or a dash of several hyphens parts words; a single one joins them.
            Class::Joiner if char == previous && matches!(char, '.' | '-') => {
                let rest = text[at..].trim_start_matches(char);
                return (at - previous.len_utf8(), text.len() - rest.len(), holds_word);
            }
            Class::Joiner => {}
            Class::Sign if at == start => return (after, after, true),
            Class::Sign => return (at, at, holds_word),
            Class::Break if char == ',' && joins_digits(previous, &text[after..]) => {}
            Class::Break => return (at, after, holds_word),
        }
        previous = char;
        at = after;
    }
    (at, at, holds_word)
}

fn joins_digits(previous: char, rest: &str) -> bool {
    previous.is_ascii_digit() && rest.starts_with(|next: char| next.is_ascii_digit())
}

/// Joins groups of digits that stand side by side, as in `+41 79 123 45 67`, so that the number is found as one.
#[derive(Default)]
pub(super) struct DigitGroups {
    digits: String,
    groups: u32,
    end: usize,
}

/// Shorter runs are not telephone numbers, longer ones are tables.
const NUMBER_DIGITS: std::ops::RangeInclusive<usize> = 7..=15;

impl DigitGroups {
    /// Takes the next chunk of `text`; answers with the number that ended before it, if one did.
    pub(super) fn push(&mut self, text: &str, start: usize, chunk: &str) -> Option<String> {
        if !is_digit_group(chunk) {
            return self.finish();
        }
        let gap = &text[self.end.min(start)..start];
        let apart = gap.len() > 3 || !gap.bytes().all(|byte| matches!(byte, b' ' | b'(' | b')'));
        let ended = if apart { self.finish() } else { None };
        // A run past the limit is kept at the limit, so that a table of numbers costs no more than its own length.
        if self.digits.len() <= *NUMBER_DIGITS.end() {
            self.digits.extend(chunk.chars().filter(char::is_ascii_digit));
        }
        self.groups += 1;
        self.end = start + chunk.len();
        ended
    }

    /// The number that ended with the text, if one did.
    pub(super) fn finish(&mut self) -> Option<String> {
        let digits = std::mem::take(&mut self.digits);
        let groups = std::mem::take(&mut self.groups);
        (groups > 1 && NUMBER_DIGITS.contains(&digits.len())).then_some(digits)
    }
}

fn is_digit_group(chunk: &str) -> bool {
    chunk.len() <= *NUMBER_DIGITS.end()
        && chunk.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        chunks(text).map(|(_, chunk)| chunk).collect()
    }

    #[test]
    fn white_space_brackets_and_quotes_part_chunks() {
        assert_eq!(found("see (the \"old\") plan, now;then"), ["see", "the", "old", "plan", "now", "then"]);
    }

    #[test]
    fn joiners_hold_a_chunk_together() {
        assert_eq!(found("a/b.c d@e.f 1,000 x,y"), ["a/b.c", "d@e.f", "1,000", "x", "y"]);
    }

    #[test]
    fn ellipses_and_long_dashes_part_words() {
        assert_eq!(found("wait...what -- well--known"), ["wait", "what", "well", "known"]);
    }

    #[test]
    fn emoji_stand_alone() {
        assert_eq!(found("hi🎉🎉you"), ["hi", "🎉", "🎉", "you"]);
    }

    #[test]
    fn joiners_alone_are_nothing() {
        assert!(found("____ .... :-/ \0\0").is_empty());
    }

    #[test]
    fn neighbouring_digit_groups_make_one_number() {
        let text = "call +41 79 123 45 67 or\n0800 1";
        let mut groups = DigitGroups::default();
        let mut numbers: Vec<String> =
            chunks(text).filter_map(|(start, chunk)| groups.push(text, start, chunk)).collect();
        numbers.extend(groups.finish());
        assert_eq!(numbers, ["41791234567"]);
    }
}

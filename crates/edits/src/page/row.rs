//! The lists of a text: items on lines of their own, and items in a row inside a sentence.

use std::ops::Range;

use super::super::{sentence, small_words::is_one_of};

/// A list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Row {
    /// What each item says, without its bullet or number.
    pub(in super::super) items: Vec<Range<usize>>,
    pub(in super::super) kind: RowKind,
    /// What announces it: the words before its first item, up to the line or sentence before.
    pub(in super::super) heading: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum RowKind {
    /// A line for each item, markers included.
    Lines(Vec<Range<usize>>),
    /// What stands between two items, and before the last one if that is a word like `and`.
    Inline { separator: &'static str, conjunction: Option<&'static str> },
}

impl Row {
    pub(in super::super) fn is_lines(&self) -> bool {
        matches!(self.kind, RowKind::Lines(_))
    }

    /// The lines of the items, if each has its own.
    pub(in super::super) fn lines(&self) -> &[Range<usize>] {
        match &self.kind {
            RowKind::Lines(lines) => lines,
            RowKind::Inline { .. } => &[],
        }
    }

    /// Whether each item has a number before it.
    pub(in super::super) fn is_numbered(&self, text: &str) -> bool {
        let counts = |line: &Range<usize>| text[line.start..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        matches!(&self.kind, RowKind::Lines(lines) if lines.iter().all(counts))
    }

    pub(in super::super) fn range(&self) -> Range<usize> {
        self.items.first().map_or(0, |item| item.start)..self.items.last().map_or(0, |item| item.end)
    }

    /// `text` without the items at `gone`.
    pub(in super::super) fn without(&self, text: &str, gone: &[usize]) -> Option<String> {
        match &self.kind {
            RowKind::Lines(lines) => {
                let mut out = text.to_owned();
                for &at in gone.iter().rev() {
                    out = without_line(&out, &lines[at]);
                }
                Some(out)
            }
            RowKind::Inline { separator, conjunction } => {
                // `…, and dislikes audiobooks` is a clause of its own, and not the last of several things.
                if let [last] = gone
                    && *last + 1 == self.items.len()
                    && let Some(conjunction) = conjunction
                    && conjunction.starts_with(',')
                    && text[self.items[*last].clone()].split_whitespace().count() > 1
                    && text[self.items[*last].clone()].split_whitespace().next().is_some_and(|word| {
                        word.len() > 3 && word.ends_with('s') && word.chars().all(char::is_lowercase)
                    })
                    && !text[..self.items[0].start].trim_end().ends_with(':')
                {
                    let before = &self.items[*last - 1];
                    return Some(format!("{}{}", &text[..before.end], &text[self.items[*last].end..]));
                }
                // `Netflix and Adobe are the subscriptions`, `Monday and Friday at 16:00`: what is said of all of them stays.
                if let [last] = gone
                    && *last + 1 == self.items.len()
                    && *last > 0
                    && let Some(tail) = tail(text, &self.items)
                {
                    let kept: Vec<&str> = self.items[..*last].iter().map(|item| &text[item.clone()]).collect();
                    return Some(self.put(text, &format!("{}{tail}", join(&kept, separator, *conjunction))));
                }
                let kept: Vec<&str> = (0..self.items.len())
                    .filter(|at| !gone.contains(at))
                    .map(|at| &text[self.items[at].clone()])
                    .collect();
                if kept.is_empty() {
                    return None;
                }
                Some(self.put(text, &join(&kept, separator, *conjunction)))
            }
        }
    }

    /// `text` with `new` as the items before the one at `at`.
    pub(in super::super) fn with(&self, text: &str, new: &[&str], at: usize) -> String {
        match &self.kind {
            RowKind::Lines(lines) => {
                let mut out = text.to_owned();
                for (offset, item) in new.iter().enumerate() {
                    out = with_line(&out, lines, &self.items, item, at, offset);
                }
                out
            }
            RowKind::Inline { separator, conjunction } => {
                let mut items: Vec<&str> = self.items.iter().map(|item| &text[item.clone()]).collect();
                items.splice(at..at, new.iter().copied());
                self.put(text, &join(&items, separator, *conjunction))
            }
        }
    }

    fn put(&self, text: &str, joined: &str) -> String {
        let range = self.range();
        format!("{}{joined}{}", &text[..range.start], &text[range.end..])
    }
}

/// What follows the last item and is said of all: ` are the subscriptions`.
fn tail<'t>(text: &'t str, items: &[Range<usize>]) -> Option<&'t str> {
    const WORDS: &[&str] = &[" are ", " is ", " were ", " was ", " at ", " have ", " will "];
    let (last, others) = items.split_last()?;
    let begins = |item: &Range<usize>| WORDS.iter().filter_map(|word| text[item.clone()].find(word)).min();
    let at = begins(last).filter(|at| *at > 0)?;
    others.iter().all(|item| begins(item).is_none()).then(|| &text[last.start + at..last.end])
}

/// Joining words, the longest first.
const CONJUNCTIONS: &[&str] = &[", and ", ", und ", " and ", " und ", " et ", " y ", " e ", " en "];

/// Verbs that begin a task; what follows `and` is then another task and no item.
const TASKS: &str = "ask book bring buy call cancel check clean collect contact cook create deploy draft drop email file \
     finish fix get give go install invite mail make meet message order pack pay pick plan post prepare \
     print read renew repair reply report return review schedule sell send set ship sign start submit \
     take talk tell text try update visit walk wash water write is are was has have will can";

/// What follows the number of an item inside a sentence: `Jolene` of `2. Jolene`.
pub(in super::super) fn uncounted(item: &str) -> Option<&str> {
    let rest = item.strip_prefix('(').unwrap_or(item);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    (1..=2).contains(&digits).then(|| rest[digits..].strip_prefix(". ").or(rest[digits..].strip_prefix(") "))).flatten()
}

fn join(items: &[&str], separator: &str, conjunction: Option<&'static str>) -> String {
    // Items that are counted are counted anew.
    let counted = items.iter().filter(|item| uncounted(item).is_some()).count();
    if counted > 1 && counted + 1 >= items.len() {
        let first =
            items.iter().find_map(|item| uncounted(item).map(|body| &item[..item.len() - body.len()])).unwrap_or("1. ");
        let open = if first.starts_with('(') { "(" } else { "" };
        let close = if first.contains(')') { ")" } else { "." };
        let numbered: Vec<String> = items
            .iter()
            .enumerate()
            .map(|(at, item)| format!("{open}{}{close} {}", at + 1, uncounted(item).unwrap_or(item)))
            .collect();
        return numbered.join(separator);
    }
    match (items, conjunction) {
        ([before @ .., last], Some(conjunction)) if before.len() > 1 => {
            format!("{}{conjunction}{last}", before.join(separator))
        }
        // Two items need no comma before their `and`.
        ([one, last], Some(conjunction)) => format!("{one}{}{last}", conjunction.trim_start_matches(',')),
        _ => items.join(separator),
    }
}

/// The rows inside a sentence: all of it, or what its colon announces.
pub(super) fn inline(text: &str, sentence: &Range<usize>) -> Vec<Row> {
    let body = &text[sentence.clone()];
    // A line of a table has cells.
    if body.trim_start().starts_with('|') && body.matches('|').count() > 2 {
        return Vec::new();
    }
    let marked = body.len() - body.trim_end_matches(['.', '!', '?']).len();
    let end = sentence.end - marked;
    let named = body.find(": ").map_or(0, |at| at + 2);
    let start = sentence.start + named;
    // What is set apart in brackets at the end is no part of the last item.
    let mut out = Vec::new();
    out.extend(row(text, start..end, sentence.start));
    out
}

fn row(text: &str, range: Range<usize>, heading: usize) -> Option<Row> {
    let (start, end) = (range.start, range.end);
    if start >= end || end - start > LONGEST_ROW {
        return None;
    }
    // `apple; pear; plum`: whatever stands twice between words and is no comma.
    let separator = ["; ", " | ", " / ", " + ", " · ", " → ", " - ", " – "]
        .into_iter()
        .filter(|_| text[start..end].contains([';', '|', '/', '+', '·', '→', '-', '–']))
        .find(|mark| text[start..end].matches(mark).count() > 1);
    let (before, conjunction) = match separator {
        Some(_) => (&text[start..end], None),
        None => split_conjunction(&text[start..end]),
    };
    let separator = separator.unwrap_or(", ");
    // `office hours Tue and Thu, emergency line 555`: what goes on after a joining word is no last item.
    let (before, conjunction) = match conjunction {
        Some(word) if before.contains(", ") && text[start + before.len() + word.len()..end].contains(", ") => {
            (&text[start..end], None)
        }
        _ => (before, conjunction),
    };
    let mut items: Vec<Range<usize>> = Vec::new();
    let mut from = start;
    for piece in pieces(before, separator) {
        items.push(from..from + piece.len());
        from += piece.len() + separator.len();
    }
    if let Some(conjunction) = conjunction {
        items.push(start + before.len() + conjunction.len()..end);
    }
    let kind = RowKind::Inline { separator, conjunction };
    let row = is_row(text, &items, conjunction);
    row.then_some(Row { items, kind, heading: heading..start })
}

/// Nobody writes a longer list in one sentence.
const LONGEST_ROW: usize = 4_000;

/// The pieces of `body` between separators that no bracket encloses.
fn pieces<'b>(body: &'b str, separator: &str) -> Vec<&'b str> {
    let mut out: Vec<&str> = Vec::new();
    let mut start = 0;
    for (at, _) in body.match_indices(separator) {
        let inner = &body[start..at];
        if inner.matches('(').count() > inner.matches(')').count() {
            continue;
        }
        out.push(inner);
        start = at + separator.len();
    }
    out.push(&body[start..]);
    out
}

/// What stands before the last joining word, and that word.
pub(in super::super) fn split_conjunction(body: &str) -> (&str, Option<&'static str>) {
    let ends = |end: usize| CONJUNCTIONS.iter().find(|word| body[..end].ends_with(**word));
    let found = body.rmatch_indices(' ').find_map(|(at, _)| ends(at + 1).map(|word| (at + 1 - word.len(), *word)));
    match found {
        Some((at, word)) => (&body[..at], Some(word)),
        None => (body, None),
    }
}

fn is_row(text: &str, items: &[Range<usize>], conjunction: Option<&str>) -> bool {
    let task = |item: &Range<usize>| {
        let first = text[item.clone()].split_whitespace().next().unwrap_or_default().to_lowercase();
        let several = text[item.clone()].split_whitespace().count() > 1;
        several && is_one_of(TASKS, &first)
            || matches!(first.as_str(), "i" | "we" | "he" | "she" | "they" | "it" | "then")
    };
    let enough = if conjunction.is_some() { 2 } else { 3 };
    let clean = |item: &Range<usize>| {
        let item = &text[item.clone()];
        !item.trim().is_empty() && item.split_whitespace().count() <= 8
    };
    // What a heading announces are items, whatever they are about.
    let announced = items.first().is_some_and(|first| text[..first.start].trim_end().ends_with(':'));
    let enough = if announced { enough.min(2) } else { enough };
    items.len() >= enough && items.iter().all(clean) && (announced || !items.iter().skip(1).any(task))
}

/// The lists of a text that have a line for each item.
pub(super) fn bulleted(text: &str) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::new();
    let mut lines: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let mut heading = 0..0;
    let mut last_plain = 0..0;
    let mut end = |lines: &mut Vec<(Range<usize>, Range<usize>)>, heading: &Range<usize>| {
        // One dash is a dash; two are a list.
        if lines.len() > 1 {
            let (whole, items) = std::mem::take(lines).into_iter().unzip();
            out.push(Row { items, kind: RowKind::Lines(whole), heading: heading.clone() });
        }
        lines.clear();
    };
    for line in sentence::lines(text) {
        match body_of(text, &line) {
            Some(body) => {
                if lines.is_empty() {
                    heading = last_plain.clone();
                }
                lines.push((line, body));
            }
            None => {
                end(&mut lines, &heading);
                last_plain = line;
            }
        }
    }
    end(&mut lines, &heading);
    out
}

/// What a line says after its bullet or number.
fn body_of(text: &str, line: &Range<usize>) -> Option<Range<usize>> {
    let body = &text[line.clone()];
    let rest = marker(body)?;
    (!rest.is_empty()).then(|| line.end - rest.len()..line.end)
}

/// What follows the bullet, box or number that a line begins with.
pub(in super::super) fn marker(line: &str) -> Option<&str> {
    let boxed = |line| ["[ ] ", "[x] ", "[X] "].iter().find_map(|marker| str::strip_prefix(line, marker));
    let bulleted = ["- ", "* ", "• ", "– ", "+ ", "☐ ", "☑ "].iter().find_map(|marker| line.strip_prefix(marker));
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let numbered = || {
        (digits > 0 && digits < 4)
            .then(|| line[digits..].strip_prefix(". ").or(line[digits..].strip_prefix(") ")))
            .flatten()
    };
    let lettered = || {
        let rest = line.strip_prefix(|c: char| c.is_ascii_lowercase())?;
        rest.strip_prefix(") ")
    };
    match bulleted {
        Some(rest) => Some(boxed(rest).unwrap_or(rest)),
        None => boxed(line).or_else(numbered).or_else(lettered),
    }
}

/// `text` with another line of a list before the one at `at`, or after the last.
fn with_line(
    text: &str,
    lines: &[Range<usize>],
    items: &[Range<usize>],
    new: &str,
    at: usize,
    offset: usize,
) -> String {
    let beside = at.min(lines.len() - 1);
    let old = &text[lines[beside].start..items[beside].start];
    let new = marker(new.trim()).unwrap_or(new.trim());
    if at >= lines.len() {
        let mut end = lines[beside].end;
        for _ in 0..offset {
            end = text[end + 1..].find('\n').map_or(text.len(), |next| end + 1 + next);
        }
        let mut mark = unticked(old);
        for _ in 0..=offset {
            mark = next_marker(&mark);
        }
        return format!("{}\n{mark}{new}{}", &text[..end], &text[end..]);
    }
    let mut start = lines[beside].start;
    let mut mark = unticked(old);
    for _ in 0..offset {
        start = text[start..].find('\n').map_or(text.len(), |next| start + next + 1);
        mark = next_marker(&mark);
    }
    format!("{}{mark}{new}\n{}", &text[..start], renumbered_up(&text[start..]))
}

fn unticked(marker: &str) -> String {
    marker.replace("[x]", "[ ]").replace("[X]", "[ ]")
}

/// `text` without a line and the break that set it apart; the numbers after it count on.
pub(in super::super) fn without_line(text: &str, line: &Range<usize>) -> String {
    let start = text[..line.start].rfind('\n').map_or(0, |at| at + 1);
    let Some(end) = text[line.end..].find('\n').map(|at| line.end + at + 1) else {
        return text[..start].trim_end_matches('\n').to_owned();
    };
    match counted(&text[line.clone()]) {
        Some((number, _)) => format!("{}{}", &text[..start], renumbered(&text[end..], number, |number| number - 1)),
        None => format!("{}{}", &text[..start], &text[end..]),
    }
}

fn renumbered_up(lines: &str) -> String {
    match counted(lines.split('\n').next().unwrap_or_default()) {
        Some((number, _)) if number > 0 => renumbered(lines, number - 1, |number| number.saturating_add(1)),
        _ => lines.to_owned(),
    }
}

/// The number a line begins with, as items are numbered, and what follows it.
fn counted(line: &str) -> Option<(u32, &str)> {
    if let Some(letter) = line.bytes().next().filter(u8::is_ascii_lowercase).filter(|_| line[1..].starts_with(") ")) {
        return Some((LETTERS + u32::from(letter), &line[1..]));
    }
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = line[..line.len() - rest.len()].parse().ok()?;
    (rest.starts_with(". ") || rest.starts_with(") ")).then_some((number, rest))
}

/// Letters that count are numbers beyond those that lists have.
const LETTERS: u32 = 1_000_000;

fn numeral(number: u32) -> String {
    let letter = number.checked_sub(LETTERS).and_then(char::from_u32);
    letter.map_or_else(|| number.to_string(), String::from)
}

/// Lines with other numbers, as far as they count on from the one after `before`.
fn renumbered(lines: &str, before: u32, other: impl Fn(u32) -> u32) -> String {
    let mut before = before;
    let mut counting = true;
    let lines = lines.split('\n').map(|line| {
        let next = counted(line).filter(|(number, _)| counting && before.checked_add(1) == Some(*number));
        counting = next.is_some();
        let Some((number, rest)) = next else { return line.to_owned() };
        before = number;
        format!("{}{rest}", numeral(other(number)))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The marker of the line after one with `marker`: the same, or the next number.
fn next_marker(marker: &str) -> String {
    if let Some((number, rest)) = counted(marker).filter(|(number, _)| (LETTERS..LETTERS + 122).contains(number)) {
        return format!("{}{rest}", numeral(number + 1));
    }
    let digits: String = marker.chars().take_while(char::is_ascii_digit).collect();
    match digits.parse::<u32>() {
        Ok(number) => format!("{}{}", number.saturating_add(1), &marker[digits.len()..]),
        Err(_) => marker.to_owned(),
    }
}

//! The `LABEL: value` pairs of a text.

use std::ops::Range;

use super::word::keys;

/// A name with a mark after it, and what is said under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Label {
    pub(in super::super) name: Range<usize>,
    pub(in super::super) value: Range<usize>,
    /// The name, the value and the mark that ends the pair.
    pub(in super::super) whole: Range<usize>,
    /// The keys of the name's words.
    pub(in super::super) keys: Vec<String>,
    /// Whether the name is set with `=`.
    pub(in super::super) is_setting: bool,
}

/// The pairs of a text, in order; a name of several words may begin a sentence, a cell or a part after a dash.
pub(super) fn labels(text: &str, sentences: &[Range<usize>]) -> Vec<Label> {
    let mut out = Vec::new();
    for sentence in sentences {
        let bars: Vec<usize> = text[sentence.clone()].match_indices(" | ").map(|(at, _)| sentence.start + at).collect();
        let mut start = sentence.start;
        for piece in text[sentence.clone()].split_inclusive([';', '|', ',', '(', ')', '/']) {
            let range = start..start + piece.len();
            start = range.end;
            let mut from = range.start;
            while let Some(label) = pair(text, &(from..range.end), sentence, &bars) {
                from = label.value.start;
                let next = [" - ", " – ", " — "].iter().filter_map(|dash| text[from..range.end].find(dash)).min();
                out.push(label);
                let Some(next) = next else { break };
                from += next;
            }
        }
        settings(text, sentence, &mut out);
    }
    out.sort_by_key(|label| (label.name.start, !label.is_setting));
    out.dedup_by(|later, earlier| later.whole.start < earlier.value.start.max(earlier.name.end + 1));
    // A pair goes on until the next one begins.
    for at in 1..out.len() {
        let next = out[at].whole.start;
        let before = &mut out[at - 1];
        if before.value.end > next {
            let value = &text[before.value.start..next];
            before.value.end = before.value.start
                + value.trim_end().trim_end_matches(['-', '–', '—', ',', ';', '|', '/']).trim_end().len();
            before.whole.end = before.value.end;
        }
    }
    // What ends with a colon and has lines after it is their heading, unless those are pairs as well.
    let starts: Vec<usize> = out.iter().map(|label| label.name.start).collect();
    let heads = |label: &Label| {
        let rest = text[label.name.end..].trim_start_matches([':', '*', ' ']);
        let next = text.len() - rest.len() + 1;
        let is_first = starts.first().is_none_or(|first| *first >= label.name.start);
        let paired = || !is_first && starts.binary_search(&next).is_ok();
        label.value.is_empty() && rest.starts_with('\n') && !label.is_setting && !paired()
    };
    out.retain(|label| label.value.start <= label.value.end && !heads(label));
    cells(text, &mut out);
    keyed(text, &mut out);
    out
}

/// Entries that begin with what they are for: `Mon – dal`, `Tue Bjorn`, `exit – Canon in D`, `Hund = dog`.
fn keyed(text: &str, out: &mut Vec<Label>) {
    let segments = segments(text);
    for separator in [" – ", " — ", " = ", " "] {
        let mut found = Vec::new();
        for segment in &segments {
            let body = &text[segment.clone()];
            let Some(at) = body.find(separator) else { continue };
            let (name, value) = (segment.start..segment.start + at, segment.start + at + separator.len()..segment.end);
            let plain = match separator {
                // Without a mark only days name what follows them.
                " " => super::word::is_weekday(&body[..at]) && text[value.clone()].starts_with(char::is_alphabetic),
                _ => text[name.clone()].split_whitespace().count() <= 3 && !body[..at].contains(['.', ':']),
            };
            if plain && !value.is_empty() && !body[at + separator.len()..].contains(separator.trim_end())
                || separator == " " && plain
            {
                found.push(Label {
                    whole: segment.clone(),
                    keys: name_keys(&text[name.clone()]),
                    name,
                    value,
                    is_setting: false,
                });
            }
        }
        let apart = |label: &Label| {
            !out.iter().any(|other| {
                other.whole.start < label.whole.end
                    && label.whole.start < other.value.end
                    && other.value.end <= label.whole.end
            })
        };
        if found.len() > 2 && found.iter().all(apart) {
            out.extend(found);
            out.sort_by_key(|label| label.name.start);
            return;
        }
    }
}

/// The lines of a text without their bullets, or, of a single one, what commas and semicolons part after its colon.
fn segments(text: &str) -> Vec<Range<usize>> {
    let trimmed = |range: Range<usize>| {
        let body = &text[range.clone()];
        let start = range.start + body.len() - body.trim_start().len();
        start..(start + text[start..range.end].trim_end().trim_end_matches(['.', ',', ';']).len()).max(start)
    };
    let lines = super::super::sentence::lines(text);
    if lines.len() > 2 {
        let bare = |line: Range<usize>| {
            let body = super::row::marker(&text[line.clone()]).unwrap_or(&text[line.clone()]);
            trimmed(line.end - body.len()..line.end)
        };
        return lines.into_iter().map(bare).collect();
    }
    let Some(line) = lines.last() else { return Vec::new() };
    let from = text[line.clone()].find(": ").map_or(line.start, |at| line.start + at + 2);
    let mark = if text[from..line.end].contains("; ") { "; " } else { ", " };
    let mut start = from;
    let mut out = Vec::new();
    for piece in text[from..line.end].split(mark) {
        out.push(trimmed(start..start + piece.len()));
        start += piece.len() + mark.len();
    }
    out
}

/// Tables of two columns: each line is a pair.
fn cells(text: &str, out: &mut Vec<Label>) {
    let lines: Vec<Range<usize>> = super::super::sentence::lines(text)
        .into_iter()
        .filter(|line| text[line.clone()].matches(" | ").count() == 1 && !text[line.clone()].contains(": "))
        .collect();
    if lines.len() < 2 {
        return;
    }
    for line in lines {
        let Some(bar) = text[line.clone()].find(" | ").map(|at| line.start + at) else { continue };
        let trimmed = |range: Range<usize>| {
            let body = &text[range.clone()];
            let inner = body.trim_matches(['|', ' ']);
            let start = range.start + body.find(inner).unwrap_or(0);
            start..start + inner.len()
        };
        let (name, value) = (trimmed(line.start..bar), trimmed(bar + 3..line.end));
        let keys = name_keys(&text[name.clone()]);
        out.push(Label { whole: line.clone(), name, value, keys, is_setting: false });
    }
    out.sort_by_key(|label| label.name.start);
}

/// The longest name of a pair, in words.
const LONGEST_NAME: usize = 5;

/// The pair in a piece of a sentence whose cells end at `bars`.
fn pair(text: &str, piece: &Range<usize>, sentence: &Range<usize>, bars: &[usize]) -> Option<Label> {
    let body = &text[piece.clone()];
    let colon = body.match_indices(':').map(|(at, _)| at).find(|at| {
        let after = &body[at + 1..];
        after.is_empty() || after.starts_with(char::is_whitespace) || after.starts_with("** ")
    })?;
    let name = body[..colon].trim_end();
    // What stands after a dash begins anew: `Order A – Status: shipped`.
    let from =
        [" – ", " — ", " - "].iter().filter_map(|dash| name.rfind(dash).map(|at| at + dash.len())).max().unwrap_or(0);
    let lead = name[from..].len() - name[from..].trim_start_matches(|c: char| !c.is_alphanumeric()).len();
    let start = piece.start + from + lead;
    let name = start..piece.start + name.len();
    let count = text.get(name.clone())?.split_whitespace().count();
    if count == 0 || count > LONGEST_NAME {
        return None;
    }
    let after = piece.start + colon + 1;
    let value_start =
        after + text[after..sentence.end].len() - text[after..sentence.end].trim_start_matches("**").trim_start().len();
    // A value goes on to the next cell, or to the end of its sentence.
    let next_bar = bars.get(bars.partition_point(|bar| *bar < value_start)).copied();
    let end = next_bar.unwrap_or(sentence.end).max(value_start);
    let value = text[value_start..end].trim_end();
    let value_end = value_start + value.trim_end_matches(['.', ';']).len();
    let keys = name_keys(&text[name.clone()]);
    Some(Label {
        whole: name.start..end,
        name,
        value: value_start..value_end.max(value_start),
        keys,
        is_setting: false,
    })
}

/// `TIMEOUT=30`, `"port": 8080`.
fn settings(text: &str, sentence: &Range<usize>, out: &mut Vec<Label>) {
    let body = &text[sentence.clone()];
    for (at, _) in body.match_indices('=') {
        let at = sentence.start + at;
        let around = [text[..at].chars().next_back(), text[at + 1..].chars().next()];
        if around.iter().flatten().any(|c| matches!(c, '=' | '!' | '<' | '>' | '-')) {
            continue;
        }
        let before = text[..at].trim_end_matches(' ');
        let name = before.rsplit(|c: char| c.is_whitespace() || "({[,;&?".contains(c)).next().unwrap_or_default();
        let name = name.trim_start_matches('-');
        let name = before.len() - name.len()..before.len();
        let from = at + 1 + text[at + 1..].len() - text[at + 1..].trim_start_matches(' ').len();
        if from >= sentence.end {
            continue;
        }
        let length = text[from..sentence.end]
            .find(|c: char| c.is_whitespace() || ",;&|)}\"`".contains(c))
            .unwrap_or(sentence.end - from);
        let value = from..from + text[from..from + length].trim_end_matches('.').len();
        if name.is_empty() || value.is_empty() || name.start < sentence.start {
            continue;
        }
        let keys = keys(&text[name.clone()]);
        out.push(Label { whole: name.start..value.end, name, value, keys, is_setting: true });
    }
    if let Some((at, _)) = body.match_indices("\":").next() {
        let at = sentence.start + at;
        let name = text[..at].rfind('"').map(|open| open + 1..at);
        let from = at + 2 + text[at + 2..].len() - text[at + 2..].trim_start_matches([' ', '"']).len();
        let from = from.min(sentence.end);
        let length = text[from..sentence.end].find(|c: char| ",}\"".contains(c)).unwrap_or(sentence.end - from);
        if let Some(name) = name.filter(|name| name.start >= sentence.start && !name.is_empty()) {
            let keys = keys(&text[name.clone()]);
            out.push(Label {
                whole: name.start..from + length,
                name,
                value: from..from + length,
                keys,
                is_setting: true,
            });
        }
    }
}

/// The keys of a name; `SSH_PORT` is two words.
fn name_keys(name: &str) -> Vec<String> {
    keys(&name.replace('_', " "))
}

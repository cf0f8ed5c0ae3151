//! Puts words into a text, and takes words out, so that it reads on: spaces, capitals, marks and markers of lists.

use std::ops::Range;

use annotate::entities::is_ordinary;

use super::{Hunk, overlaps};
use crate::{
    counting,
    find::is_empty_word,
    locate::capitalized,
    page::{self, Page},
    replace::with_capital_days,
    sentence,
    small_words::{is_one_of, is_preposition},
};

/// The text after all changes, which are in order and do not overlap; `None` if it is not certain how words are joined.
pub(super) fn applied(text: &str, request: &str, hunks: &[Hunk]) -> Option<String> {
    let mut out = text.to_owned();
    // From the end, so that the places before stay where they are.
    for hunk in joined(text, request, hunks).into_iter().rev() {
        let Some(hunk) = with_whole_signs(text, hunk) else { continue };
        let hunk = said_once(text, request, hunk);
        // A line that went with its marker may have taken this place with it.
        if out.get(..hunk.place.end) != Some(&text[..hunk.place.end]) {
            return None;
        }
        let new = hunk.new.as_ref().map(|new| New::with_signs(request, new.clone(), text, &hunk.place));
        out = match new {
            None => without(&out, &hunk.place),
            Some(new) if hunk.place.is_empty() => inserted(&out, hunk.place.start, &new)?,
            Some(new) => replaced(&out, &hunk.place, &new),
        };
    }
    Some(out)
}

/// The same changes, with those made one that are parts of it: `555 01` and `31` of `555 0131`.
fn joined(text: &str, request: &str, hunks: &[Hunk]) -> Vec<Hunk> {
    let mut out: Vec<Hunk> = Vec::new();
    for hunk in hunks {
        if let Some(last) = out.last_mut()
            && let (Some(before), Some(new)) = (&last.new, &hunk.new)
            && let Some(said) = request.get(before.end..new.start)
            && text.get(last.place.end..hunk.place.start).is_some_and(|kept| kept.trim() == said.trim())
        {
            *last = Hunk { place: last.place.start..hunk.place.end, new: Some(before.start..new.end) };
        } else {
            out.push(hunk.clone());
        }
    }
    out
}

/// The same change without the signs that part it from what follows, if words come instead, and with both brackets of a pair, if one of
/// them goes; `None` if nothing but signs goes.
fn with_whole_signs(text: &str, mut hunk: Hunk) -> Option<Hunk> {
    if hunk.place.is_empty() {
        return Some(hunk);
    }
    let place = &mut hunk.place;
    let gone = &text[place.clone()];
    if hunk.new.is_none() && !gone.contains(char::is_alphanumeric) {
        return None;
    }
    if hunk.new.is_some() && gone.contains(char::is_alphanumeric) {
        let parts = |c: char| " ,;:".contains(c) || ENDS.contains(&c);
        let kept = gone.trim_end_matches(parts);
        // A point within a word belongs to it: `Dr.`
        place.end = place.start
            + if gone.ends_with('.')
                && kept.len() + 1 == gone.len()
                && text[place.end..].starts_with(' ')
                && !begins_sentence(text, place.end)
            {
                gone.len()
            } else {
                kept.len()
            };
        place.start = place.end - text[place.clone()].trim_start_matches([',', ';', ' ']).len();
    }
    let gone = &text[place.clone()];
    // A quotation mark is one of two.
    if gone.matches('"').count() % 2 == 1 {
        place.start += usize::from(gone.starts_with('"'));
        place.end -= usize::from(!gone.starts_with('"') && gone.ends_with('"'));
    }
    // The signs with which the next line begins are its own.
    let gone = &text[place.clone()];
    if let Some(at) = gone.rfind('\n').filter(|at| hunk.new.is_none() && is_opening(&gone[at + 1..])) {
        place.end = place.start + at;
    }
    let gone = &text[place.clone()];
    let (opened, closed) = (gone.matches('(').count(), gone.matches(')').count());
    if opened == closed + 1 && text[place.end..].starts_with(')') {
        place.end += 1;
    } else if closed == opened + 1 && text[..place.start].ends_with('(') {
        place.start -= 1;
    } else if closed == opened + 1 && gone.ends_with(')') {
        // That of a pair around more than what goes.
        place.end -= 1;
    }
    Some(hunk)
}

/// The same change without a word twice where the new ones meet the text, nor two articles: `Has a` and `the ticket`.
fn said_once(text: &str, request: &str, mut hunk: Hunk) -> Hunk {
    if hunk.place.is_empty() {
        return hunk;
    }
    let Hunk { place, new: Some(new) } = &mut hunk else { return hunk };
    let last = |words: &str| words.len() - words.rsplit(' ').next().map_or(0, str::len);
    let before = &text[..place.start];
    if let Some(left) = before.strip_suffix(' ') {
        let at = last(left).max(left.rfind('\n').map_or(0, |line| line + 1));
        let (beside, first) = (&left[at..], request[new.clone()].split(' ').next().unwrap_or_default());
        if [beside, first].iter().all(|word| is_one_of(ARTICLES, &word.to_lowercase())) {
            place.start = at;
        } else if !beside.is_empty() && beside.eq_ignore_ascii_case(first) && first.len() < new.len() {
            new.start += first.len() + 1;
        }
    }
    if let Some(right) = text[place.end..].strip_prefix(' ') {
        let beside = right.split([' ', '\n', '.', ',', ';']).next().unwrap_or_default();
        let words = &request[new.clone()];
        let at = last(words);
        if at > 0 && !beside.is_empty() && words[at..].eq_ignore_ascii_case(beside) {
            new.end = new.start + at - 1;
        }
    }
    hunk
}

/// Words that stand before a noun one at a time.
const ARTICLES: &str = "a an the my your his her its our their";

/// Whether what follows a point at `at` may be another sentence.
fn begins_sentence(text: &str, at: usize) -> bool {
    text[at..].trim_start().starts_with(|c: char| c.is_uppercase() || c.is_numeric())
}

/// Words of the request.
struct New<'r> {
    request: &'r str,
    place: Range<usize>,
    words: &'r str,
}

impl<'r> New<'r> {
    /// The words with the signs that belong to them, which marks go without, unless the text has them beside the place.
    fn with_signs(request: &'r str, mut place: Range<usize>, text: &str, at: &Range<usize>) -> Self {
        let (before, after) = (&text[..at.start], text[at.end..].trim_start());
        let lead = request[..place.start].chars().next_back().filter(|sign| LEADS.contains(*sign));
        if let Some(sign) = lead.filter(|sign| !before.ends_with(*sign))
            && request[..place.start - sign.len_utf8()].chars().next_back().is_none_or(|c| c == ' ' || c == '(')
        {
            place.start -= sign.len_utf8();
        }
        // What the text has beside the place does not come again.
        let words = request[place.clone()].trim_end();
        if let Some(sign) = words.chars().next_back().filter(|sign| UNITS.contains(*sign) && after.starts_with(*sign)) {
            place.end = place.start + words[..words.len() - sign.len_utf8()].trim_end().len();
        }
        if let Some(sign) =
            request[place.clone()].chars().next().filter(|sign| LEADS.contains(*sign) && before.ends_with(*sign))
        {
            place.start += sign.len_utf8();
        }
        let rest = &request[place.end..];
        let unit = rest.trim_start_matches(' ').chars().next().filter(|sign| UNITS.contains(*sign));
        if let Some(sign) = unit.filter(|sign| !after.starts_with(*sign)) {
            place.end += rest.find(sign).unwrap_or(0) + sign.len_utf8();
        } else if rest.starts_with(')') && request[place.clone()].contains('(') && !after.starts_with(')') {
            place.end += 1;
        }
        Self { request, words: &request[place.clone()], place }
    }

    /// Whether they are to stand in brackets.
    fn is_bracketed(&self) -> bool {
        let asked = self.request.to_lowercase();
        ["in brackets", "in parenthes", "in parens"].iter().any(|how| asked.contains(how))
            || self.request[..self.place.start].ends_with('(') && self.request[self.place.end..].starts_with(')')
    }

    /// Whether they go on with a sentence, and begin neither another nor an item.
    fn leads_on(&self) -> bool {
        let first = self.words.split(' ').next().unwrap_or_default();
        first.starts_with(char::is_lowercase) && (is_preposition(first) || is_one_of(ADVERBS, first))
    }

    /// As they stand within a sentence.
    fn lowered(&self) -> String {
        let mut words = self.words.split(' ');
        let first = words.next().unwrap_or_default().trim_end_matches(|c: char| !c.is_alphabetic());
        let small = first.to_lowercase();
        // The capital is owed to the start of a sentence, unless it is that of a name.
        let goes_on = words.next().is_some_and(|next| next.starts_with(char::is_uppercase));
        let is_common =
            is_empty_word(&small) || !goes_on && first.chars().skip(1).all(char::is_lowercase) && is_ordinary(&small);
        let owed = opens(self.request, self.place.start) && first != "I" && is_common;
        match first.chars().next() {
            Some(_) if owed => lowered_first(self.words),
            _ => self.words.to_owned(),
        }
    }

    /// The words with what stands before them in the request, if they go on there as they do after `before`.
    fn going_on(&self, before: &str) -> Option<&str> {
        let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().filter(|word| !word.is_empty())?;
        let asked = &self.request[..self.place.start];
        let said = asked.trim_end_matches(|c: char| !c.is_alphanumeric());
        let same = said.len() >= last.len()
            && said.is_char_boundary(said.len() - last.len())
            && said[said.len() - last.len()..].eq_ignore_ascii_case(last);
        (same && asked.len() - said.len() <= 2).then(|| &self.request[said.len()..self.place.end])
    }

    /// Whether the request goes on after them as the text does.
    fn leads_to(&self, after: &str) -> bool {
        let word = |text: &str| text.split(|c: char| !c.is_alphanumeric()).nth(1).unwrap_or_default().to_lowercase();
        let said = &self.request[self.place.end..];
        said.starts_with(' ') && after.starts_with(' ') && !word(after).is_empty() && word(said) == word(after)
    }

    /// As they open a sentence; what is written like code stays: `eth0`.
    fn raised(&self) -> String {
        let first = self.words.split(' ').next().unwrap_or_default();
        let is_code = |c: char| c.is_ascii_digit() || "_/@=".contains(c);
        if first.contains(is_code) { self.words.to_owned() } else { capitalized(self.words) }
    }
}

/// `words` with a small letter first, unless more of them are capitals.
fn lowered_first(words: &str) -> String {
    let mut letters = words.chars();
    match letters.next() {
        Some(first) if !letters.as_str().starts_with(char::is_uppercase) => {
            format!("{}{}", first.to_lowercase(), letters.as_str())
        }
        _ => words.to_owned(),
    }
}

const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Signs that belong to the word after them, and to the number before them.
const LEADS: &str = "+-−$€£#~<>≥≤";
const UNITS: &str = "%‰€$£°";

const ENDS: [char; 4] = ['.', '!', '?', '…'];

/// Whether a sentence or a line begins at `at`.
fn opens(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '"', '“', '(', '*', '-', '•']);
    before.is_empty() || before.ends_with('\n') || before.ends_with(ENDS)
}

fn replaced(text: &str, place: &Range<usize>, new: &New<'_>) -> String {
    let old = &text[place.clone()];
    let is_raised = old.starts_with(char::is_uppercase);
    let opens = opens(text, place.start);
    // Who writes all in small letters means no small ones.
    let is_small = !new.request.contains(char::is_uppercase);
    let words = match written_like(old, new.words) {
        Some(number) => number,
        None if is_raised && (opens || is_small) => new.raised(),
        None if !is_raised && !opens => new.lowered(),
        None => new.words.to_owned(),
    };
    format!("{}{}{}", &text[..place.start], with_capital_days(&words), &text[place.end..])
}

/// A number or a day written as the one that goes: `nine` as `9`, `19th` as `19`, `27` as `27th`, `4` as `four`, `Mondays` as `Mon`.
fn written_like(old: &str, new: &str) -> Option<String> {
    let is_day =
        |word: &str| DAYS.iter().any(|day| word.strip_suffix('s').unwrap_or(word) == *day || word == &day[..3]);
    if is_day(old) && is_day(new) {
        let day = new.strip_suffix('s').unwrap_or(new);
        let is_short = old.len() == 3;
        return Some(match new.len() == 3 {
            _ if is_short => new[..3].to_owned(),
            true => return None,
            false if old.ends_with('s') => format!("{day}s"),
            false => day.to_owned(),
        });
    }
    let parts = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let number: usize = text[..end].parse().ok()?;
        let is_ordinal = matches!(&text[end..], "st" | "nd" | "rd" | "th");
        (is_ordinal || end == text.len()).then_some((number, is_ordinal))
    };
    match (parts(old), parts(new)) {
        (Some((_, false)), Some((number, true))) => Some(number.to_string()),
        (Some((_, false)), None) => counting::number(new).map(|number| number.to_string()),
        (Some((_, true)), Some((number, false))) => {
            let ending = match (number % 10, number % 100) {
                (_, 11..=13) => "th",
                (1, _) => "st",
                (2, _) => "nd",
                (3, _) => "rd",
                _ => "th",
            };
            Some(format!("{number}{ending}"))
        }
        (None, Some((number, false))) => {
            counting::number(old)?;
            let words = counting::in_words(number)?;
            Some(if old.starts_with(char::is_uppercase) { capitalized(words) } else { words.to_owned() })
        }
        _ => None,
    }
}

fn without(text: &str, place: &Range<usize>) -> String {
    // Lines go with their markers, and rows of a table with their bars.
    let lines: Vec<Range<usize>> = sentence::lines(text);
    let gone: Vec<&Range<usize>> = lines.iter().filter(|line| overlaps(line, place)).collect();
    if let ([first, ..], Some(last)) = (gone.as_slice(), gone.last())
        && lines.len() > 1
        && text.get(place.end..last.end).is_some_and(is_of_row)
        && (place.start <= page::marker(&text[(*first).clone()]).map_or(first.start, |body| first.end - body.len())
            || is_of_row(&text[first.start..place.start]))
    {
        return gone.iter().rev().fold(text.to_owned(), |text, line| page::without_line(&text, line));
    }
    if is_ticked(text, place) {
        return format!("{} {}", &text[..place.start], &text[place.end..]);
    }
    let gone = &text[place.clone()];
    let (before, after) = parted(text, place);
    let after = match opens(text, place.start) && gone.starts_with(char::is_uppercase) && !gone.ends_with(':') {
        true => capitalized(&after),
        false => after,
    };
    format!("{before}{after}")
}

/// Whether these are nothing but the signs that part the cells of a row.
fn is_of_row(signs: &str) -> bool {
    signs.chars().all(|c| c == '|' || c == ' ')
}

/// Whether these are the signs that a row or an item begins with.
fn is_opening(signs: &str) -> bool {
    !signs.trim().is_empty() && !signs.contains(char::is_alphanumeric)
}

/// Whether this is the tick in a box.
fn is_ticked(text: &str, place: &Range<usize>) -> bool {
    place.len() == 1 && text[..place.start].ends_with('[') && text[place.end..].starts_with(']')
}

/// What is before a stretch that goes and what is after it, with one of the signs that parted it from both.
fn parted<'t>(text: &'t str, place: &Range<usize>) -> (&'t str, String) {
    let is_space = |c: char| c == ' ';
    let parts = |c: char| c == ',' || c == ';' || c == '|';
    let gone = text[place.clone()].trim_matches(is_space);
    let (before, after) =
        (text[..place.start].trim_end_matches(is_space), text[place.end..].trim_start_matches(is_space));
    let is_spaced = text[..place.end].ends_with(is_space)
        || text[place.end..].starts_with(is_space)
        || text[..place.start].ends_with(is_space);
    // The sign before, wherever it stands, and the one after.
    let (head, lead) =
        match (gone.chars().next().filter(|c| parts(*c)), before.chars().next_back().filter(|c| parts(*c))) {
            (Some(sign), _) => (before, Some((sign, true))),
            (None, Some(sign)) => (before[..before.len() - 1].trim_end_matches(is_space), Some((sign, false))),
            (None, None) => (before, None),
        };
    let ends = |c: char| ENDS.contains(&c);
    let own = gone.chars().next_back().filter(|c| gone.len() > 1 && (parts(*c) || ends(*c)));
    let (trail, tail) = match (own, after.chars().next().filter(|c| parts(*c) || ends(*c))) {
        (_, Some(sign)) => (Some(sign), &after[sign.len_utf8()..]),
        (Some(sign), None) => (Some(sign), after),
        (None, None) => (None, after),
    };
    let is_spaced = is_spaced || tail.starts_with(is_space);
    let tail = tail.trim_start_matches(is_space);
    let begins = head.is_empty() || head.ends_with([':', '(', '\n']) || head.ends_with(ENDS);
    let stops = tail.is_empty() || tail.starts_with('\n') || tail.starts_with(')');
    let space = if is_spaced && !head.is_empty() && !head.ends_with(['(', '\n']) && !stops { " " } else { "" };
    let joint = match (lead, trail) {
        // All of a sentence, or the first of several.
        (None, Some(sign)) if begins && (parts(sign) || own == Some(sign)) => return (head, format!("{space}{tail}")),
        (_, Some(sign)) if ends(sign) => format!("{sign}{space}"),
        _ if stops => String::new(),
        (Some(('|', _)), _) => " | ".to_owned(),
        (Some((sign, _)), Some(_)) | (None, Some(sign)) => format!("{sign}{space}"),
        // The last two of several are parted by a word alone: `tea, milk and bread`.
        (Some((_, false)), None) if joins(tail) => space.to_owned(),
        (Some((sign, false)), None) => format!("{sign}{space}"),
        (Some((_, true)) | None, None) if !is_spaced || tail.starts_with(['\'', '’', ':', ')']) => String::new(),
        (Some((_, true)) | None, None) => space.to_owned(),
    };
    (head, format!("{joint}{tail}"))
}

/// Whether this begins with a word that joins the last of several.
fn joins(text: &str) -> bool {
    ["and ", "or ", "& "].iter().any(|word| text.starts_with(word))
}

/// `text` with new words after the word that ends at `at`.
fn inserted(text: &str, at: usize, new: &New<'_>) -> Option<String> {
    let (before, after) = text.split_at(at);
    if let Some(words) = new.going_on(before) {
        return Some(format!("{before}{}{after}", with_capital_days(words)));
    }
    if new.is_bracketed() {
        let (before, after) = text.split_at(before.trim_end_matches(['.', ',', ';']).len());
        return Some(format!("{before} ({}){after}", new.words));
    }
    if !before.ends_with(ENDS) && (new.leads_on() || new.leads_to(after)) {
        return Some(format!("{before} {}{after}", new.words));
    }
    if new.words.starts_with('#') && (before.ends_with(ENDS) || after.is_empty()) {
        return Some(format!("{before} {}{after}", new.words));
    }
    // Another item of a list, with its bullet, number or comma.
    let at = end_of_item(text, at);
    let page = Page::read(text);
    let rows = page.rows().iter().filter_map(|row| Some((row, row.items.iter().position(|item| item.end == at)?)));
    if let Some((row, item)) = rows.min_by_key(|(row, _)| row.range().len()) {
        let beside = page.at(&row.items[item]);
        let quote = beside.chars().next().filter(|sign| "'\"‘“".contains(*sign));
        let words = match quote {
            Some(sign) if new.request[..new.place.start].ends_with(sign) => {
                let end = beside.chars().next_back().unwrap_or(sign);
                format!("{sign}{}{end}", new.words)
            }
            _ if beside.starts_with(char::is_uppercase) && row.is_lines() => new.raised(),
            // Where all the others are small, a capital is owed to the start of the request.
            _ if opens(new.request, new.place.start)
                && row.items.iter().all(|item| page.at(item).starts_with(char::is_lowercase)) =>
            {
                lowered_first(new.words)
            }
            _ => new.lowered(),
        };
        return Some(row.with(text, &[&words], item + 1));
    }
    let (before, after) = text.split_at(at);
    if before.ends_with(ENDS) {
        let mark = if new.words.ends_with(ENDS) { "" } else { "." };
        return Some(format!("{before} {}{mark}{after}", new.raised()));
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let ends = after.is_empty() || after.starts_with('\n');
    let is_label = |line: &str| line.split_once(": ").is_some_and(|(label, _)| label.len() <= LABEL_BYTES);
    if ends && text.contains('\n') {
        return Some(match (is_label(line), is_label(new.words)) {
            // Another value of the label.
            (true, false) => format!("{before}, {}{after}", new.lowered()),
            _ if line.starts_with(char::is_uppercase) => format!("{before}\n{}{after}", new.raised()),
            _ => format!("{before}\n{}{after}", new.words),
        });
    }
    if new.words.split(' ').count() <= LONGEST_AFTERTHOUGHT {
        let ends = after.is_empty() || after.starts_with('.');
        return ends.then(|| format!("{before}, {}{after}", new.lowered()));
    }
    // Another sentence after the one that ends here.
    let rest = after.strip_prefix('.').filter(|rest| rest.is_empty() || rest.starts_with([' ', '\n']))?;
    Some(format!("{before}. {}{}{rest}", new.raised(), if new.words.ends_with(ENDS) { "" } else { "." }))
}

/// The end of the item that ends at `at`, without the comma behind it or the bullet of the next.
fn end_of_item(text: &str, at: usize) -> usize {
    let before = &text[..at];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_bullet = !line.is_empty() && line.len() < before.len() && !line.contains(char::is_alphanumeric);
    match is_bullet {
        true => before[..at - line.len()].trim_end().len(),
        false => before.trim_end_matches([',', ';']).len(),
    }
}

/// Words besides prepositions that go on with a sentence.
const ADVERBS: &str = "especially particularly mainly mostly except including excluding only preferably ideally plus which who whose \
     where not";

/// More words than these are no afterthought to a sentence, but another.
const LONGEST_AFTERTHOUGHT: usize = 8;

/// A longer beginning of a line is no label.
const LABEL_BYTES: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;

    /// `old` of a text goes, and `new` of a request comes instead; either may be empty, with what it follows before a `|`.
    fn made(text: &str, request: &str, old: &str, new: &str) -> String {
        let place = match old.strip_suffix('|') {
            Some(before) => {
                let end = text.find(before).expect("it is said") + before.len();
                end..end
            }
            None => {
                let start = text.find(old).expect("it is said");
                start..start + old.len()
            }
        };
        let new = (!new.is_empty()).then(|| {
            let start = request.find(new).expect("it is asked");
            start..start + new.len()
        });
        applied(text, request, &[Hunk { place, new }]).expect("it is certain how they are joined")
    }

    #[test]
    fn words_take_the_place_of_words() {
        let request = "The codes go to my iPhone now.";
        assert_eq!(made("2FA goes to the old Nokia.", request, "the old Nokia", "my iPhone"), "2FA goes to my iPhone.");
        let request = "A heat pump heats the house now.";
        assert_eq!(made("We have oil heating.", request, "oil heating", "A heat pump"), "We have a heat pump.");
        let request = "Jo takes it from Vikram.";
        assert_eq!(made("Owner: Vikram", request, "Vikram", "Jo"), "Owner: Jo");
    }

    #[test]
    fn what_goes_leaves_no_gap() {
        assert_eq!(made("Bring tea, milk, and bread.", "no milk", "milk,", ""), "Bring tea, and bread.");
        assert_eq!(
            made("Ana sings. She is tall. Ben is not.", "drop it", "She is tall.", ""),
            "Ana sings. Ben is not."
        );
        assert_eq!(made("Today we met. It rained.", "drop it", "Today we", ""), "Met. It rained.");
        assert_eq!(made("Tel. 030 (work), 0171 (home)", "no home", "0171 (home)", ""), "Tel. 030 (work)");
        assert_eq!(made("1. tea\n2. milk\n3. bread", "no milk", "milk", ""), "1. tea\n2. bread");
        assert_eq!(made("1. tea\n2. milk\n3. rice\n4. bread", "no", "milk\n3. rice", ""), "1. tea\n2. bread");
    }

    #[test]
    fn one_sign_is_left_where_two_were() {
        let no = |text: &str, old: &str| made(text, "no", old, "");
        assert_eq!(no("Box: skis, cot, two beds.", "cot"), "Box: skis, two beds.");
        assert_eq!(no("Box: skis, cot, two beds.", ", cot,"), "Box: skis, two beds.");
        assert_eq!(no("Box: skis, cot, two beds.", "skis"), "Box: cot, two beds.");
        assert_eq!(no("Box: skis, cot, two beds.", "skis,"), "Box: cot, two beds.");
        assert_eq!(no("Box: skis; cot; two beds.", "cot;"), "Box: skis; two beds.");
        assert_eq!(no("Guests: Aiko, Ben, Chidi and Dora.", "Chidi"), "Guests: Aiko, Ben and Dora.");
        assert_eq!(no("Guests: Aiko, Ben, Chidi, and Dora.", "Chidi,"), "Guests: Aiko, Ben, and Dora.");
        assert_eq!(
            no("Vera is ill, though cheese is fine. She rests.", ", though cheese is fine."),
            "Vera is ill. She rests."
        );
        assert_eq!(no("Genres: sci-fi, memoir. No audiobooks.", "No audiobooks."), "Genres: sci-fi, memoir.");
        assert_eq!(no("Genres: sci-fi, memoir. No audiobooks.", ". No audiobooks"), "Genres: sci-fi, memoir.");
        assert_eq!(
            no("By Kruppstraße (the gate is closed), hats on.", "the gate is closed),"),
            "By Kruppstraße, hats on."
        );
        assert_eq!(no("Left (pt, nl), legal.", ", nl"), "Left (pt), legal.");
        assert_eq!(no("Left (pt, nl), legal.", "nl"), "Left (pt), legal.");
        assert_eq!(no("Client: Tess | Tier: Gold | Notes: none", "Tier: Gold"), "Client: Tess | Notes: none");
        assert_eq!(
            no("Plugins: ale, fzf, nerdtree. Leader is space.", ", nerdtree"),
            "Plugins: ale, fzf. Leader is space."
        );
        assert_eq!(no("Plugins: ale, fzf, nerdtree", ", fzf"), "Plugins: ale, nerdtree");
    }

    #[test]
    fn no_word_comes_twice_where_new_ones_meet_the_text() {
        let request = "They swapped it for the Deutschlandticket.";
        assert_eq!(
            made("Has a monthly pass.", request, "monthly pass", "the Deutschlandticket"),
            "Has the Deutschlandticket."
        );
        let request = "It is the north gate now";
        assert_eq!(made("Meet at north gate.", request, "north", "the north gate"), "Meet at the north gate.");
        assert_eq!(made("A friend comes.", "Say the brother", "friend", "the brother"), "The brother comes.");
        assert_eq!(made("On the\nfarm", "a barn", "farm", "a barn"), "On the\na barn");
    }

    #[test]
    fn a_bracket_stays_with_its_other_half() {
        let no = |text: &str, old: &str| made(text, "no", old, "");
        assert_eq!(no("Podcasts (Serial, Criminal) on drives.", ", Criminal)"), "Podcasts (Serial) on drives.");
        assert_eq!(no("Podcasts (Serial) on drives.", "Serial)"), "Podcasts on drives.");
        let sign = "Sign with \"Best, Nadia\". Never use bullets.";
        assert_eq!(no(sign, "\". Never use bullets."), "Sign with \"Best, Nadia\".");
    }

    #[test]
    fn rows_and_ticks_go_as_a_reader_takes_them_out() {
        let table = "| Bidder | Price |\n| Alcott | 71k |\n| Crowe | 80k |";
        assert_eq!(made(table, "no", "Crowe | 80k", ""), "| Bidder | Price |\n| Alcott | 71k |");
        assert_eq!(made(table, "no", "| Alcott | 71k", ""), "| Bidder | Price |\n| Crowe | 80k |");
        assert_eq!(made(table, "no", "Alcott | 71k |\n| ", ""), "| Bidder | Price |\n| Crowe | 80k |");
        assert_eq!(made("[x] tea\n[ ] milk", "untick", "x", ""), "[ ] tea\n[ ] milk");
    }

    #[test]
    fn signs_that_part_words_stay_when_words_come() {
        let request = "It is the audit log now";
        assert_eq!(
            made("Filters, CSV export, login.", request, "CSV export,", "audit log"),
            "Filters, audit log, login."
        );
        assert_eq!(
            made("D = old files (until 2016).", request, "old files (until 2016", "audit log"),
            "D = audit log."
        );
        assert_eq!(made("Plexa at 16 €/seat.", "It costs 13 € per seat", "16", "13 €"), "Plexa at 13 €/seat.");
        assert_eq!(made("Ask Dr. Abel.", "It is Ms. Quinn now", "Dr. Abel", "Ms. Quinn"), "Ask Ms. Quinn.");
        assert_eq!(
            made("Herbs: basil, thyme.", "Parsley joined them", "thyme|", "Parsley"),
            "Herbs: basil, thyme, parsley."
        );
        assert_eq!(
            made("Confidental: salaries", "fix -> Confidential", "Confidental:", "Confidential"),
            "Confidential: salaries"
        );
        assert_eq!(
            made("Says 'hola' and 'taxi'.", "She says 'gracias' too", "taxi'|", "gracias"),
            "Says 'hola', 'taxi' and 'gracias'."
        );
        assert_eq!(made("Bring plants.", "Tag it #party", ".|", "#party"), "Bring plants. #party");
    }

    #[test]
    fn what_comes_is_joined_as_its_neighbours_are() {
        let add = "Please add oats and Ana";
        assert_eq!(made("- tea\n- milk", add, "milk|", "oats"), "- tea\n- milk\n- oats");
        assert_eq!(made("1. tea\n2. milk", add, "tea|", "oats"), "1. tea\n2. oats\n3. milk");
        assert_eq!(made("Buy: tea, milk.", add, "milk|", "oats"), "Buy: tea, milk, oats.");
        assert_eq!(made("He eats nuts, kiwi and figs.", add, "figs|", "oats"), "He eats nuts, kiwi, figs and oats.");
        assert_eq!(made("Ben sings.", "She dances", ".|", "She dances"), "Ben sings. She dances.");
        let request = "Add: eth1 is for the meter";
        assert_eq!(
            made("eth0 is for us.", request, ".|", "eth1 is for the meter"),
            "eth0 is for us. eth1 is for the meter."
        );
        let request = "One more rule: receipts are due within ten days of the journey home";
        let rule = "receipts are due within ten days of the journey home";
        assert_eq!(
            made("Travel by rail. Ask first.", request, "rail|", rule),
            "Travel by rail. Receipts are due within ten days of the journey home. Ask first."
        );
        assert_eq!(
            made("Trainer: Elodie Marchand.", "It is Marchand-Roux", "Marchand|", "Roux"),
            "Trainer: Elodie Marchand-Roux."
        );
    }

    #[test]
    fn capitals_are_those_of_names_alone() {
        let boxes = "Left box thyme, right box chard.";
        assert_eq!(made(boxes, "Salad grows there now.", "chard", "Salad"), "Left box thyme, right box salad.");
        assert_eq!(made(boxes, "API keys lie there now.", "chard", "API keys"), "Left box thyme, right box API keys.");
        assert_eq!(made("Ask Ana.", "Marta is the one to ask.", "Ana", "Marta"), "Ask Marta.");
    }

    #[test]
    fn numbers_and_days_are_written_as_those_before() {
        assert_eq!(made("Jars: 9 of plum", "There are six left", "9", "six"), "Jars: 6 of plum");
        assert_eq!(made("Sown on 20 February", "It was the 25th", "20", "25th"), "Sown on 25 February");
        assert_eq!(made("On the 20th", "It is 22 now", "20th", "22"), "On the 22nd");
        assert_eq!(made("Three jars", "make it 4", "Three", "4"), "Four jars");
        assert_eq!(made("Three jars", "make it 40", "Three", "40"), "40 jars");
        assert_eq!(made("The 3rd floor", "the fifth floor", "3rd", "fifth"), "The fifth floor");
        assert_eq!(made("Gym: Tue, Thu", "It is on Mondays now", "Thu", "Mondays"), "Gym: Tue, Mon");
        assert_eq!(made("Gym every Tuesday", "It is on Mondays now", "Tuesday", "Mondays"), "Gym every Monday");
        assert_eq!(made("Gym on Tuesdays", "Gym moved to Monday", "Tuesdays", "Monday"), "Gym on Mondays");
        assert_eq!(made("Gym on friday", "Gym moved to monday", "friday", "monday"), "Gym on Monday");
        assert_eq!(made("Réunion jeudi à 8h", "Elle est vendredi", "jeudi", "vendredi"), "Réunion vendredi à 8h");
    }

    #[test]
    fn signs_come_with_their_words() {
        let test = "C) bonus (running).";
        assert_eq!(made(test, "C is finished, +7%.", "running", "7"), "C) bonus (+7%).");
        assert_eq!(made("Up by 5%.", "It is 7% now", "5", "7"), "Up by 7%.");
        assert_eq!(made("Limit 1,000 €.", "It is 500 €.", "1,000", "500"), "Limit 500 €.");
        assert_eq!(made("WP1 (sensors).", "Make it WP4 (ethics).", "WP1 (sensors", "WP4 (ethics"), "WP4 (ethics).");
    }

    #[test]
    fn a_place_that_went_with_another_is_not_looked_for() {
        let text = "Shots:\n1. Harbour\n2. Net repair, handheld";
        let hunk = |old: &str| {
            let start = text.find(old).unwrap();
            Hunk { place: start..start + old.len(), new: None }
        };
        assert_eq!(applied(text, "no net", &[hunk("Net"), hunk("2. Net repair, handheld")]), None);
        assert_eq!(applied(text, "no", &[hunk("Harbour\n"), hunk("Net repair, handheld")]), None);
    }

    #[test]
    fn parts_of_one_change_are_made_at_once() {
        let (text, request) = ("Call 030 555 0131.", "It is 040 555 0207 now");
        let hunk = |old: &str, new: &str| {
            let (start, from) = (text.find(old).unwrap(), request.find(new).unwrap());
            Hunk { place: start..start + old.len(), new: Some(from..from + new.len()) }
        };
        let hunks = [hunk("030", "040"), hunk("0131", "0207")];
        assert_eq!(applied(text, request, &hunks).as_deref(), Some("Call 040 555 0207."));
    }

    #[test]
    fn what_comes_into_a_line_or_a_sentence_goes_on_with_it() {
        let record = "Child: Maja\nAllowed: Oma Inge";
        assert_eq!(
            made(record, "Stefan may collect her as well", "Inge|", "Stefan"),
            "Child: Maja\nAllowed: Oma Inge, Stefan"
        );
        let request = "Add Allergy: nuts";
        assert_eq!(made(record, request, "Inge|", "Allergy: nuts"), "Child: Maja\nAllowed: Oma Inge\nAllergy: nuts");
        let log = "Log\n02.06. 138/86";
        assert_eq!(made(log, "add 05.06. 136/85", "86|", "05.06. 136/85"), "Log\n02.06. 138/86\n05.06. 136/85");
        let plumber = "The plumber, Mr. Adeyemi, comes on Thursday.";
        let request = "Add his mobile in brackets behind his name: 0171 555.";
        assert_eq!(
            made(plumber, request, "Adeyemi,|", "0171 555"),
            "The plumber, Mr. Adeyemi (0171 555), comes on Thursday."
        );
        assert_eq!(
            made("Boat with diesel included.", "It's not included", "diesel|", "not"),
            "Boat with diesel not included."
        );
        assert_eq!(made("Guests 21:00, cot needed.", "no cot needed", "21:00,|", "no"), "Guests 21:00, no cot needed.");
        assert_eq!(
            made("Shoes for trails.", "They are half a size smaller", "trails|", "half a size smaller"),
            "Shoes for trails, half a size smaller."
        );
        assert_eq!(
            made("Music: Bon, Rosa, Iver", "Put Ana between them", "Rosa,|", "Ana"),
            "Music: Bon, Rosa, Ana, Iver"
        );
    }
}

//! Takes words, sentences and items out of a text and closes the gap they leave.

use std::ops::Range;

use super::{
    command::{Operand, Part, What, Which},
    list::{self, NoItem},
    locate::{Reach, locate},
    refusal::Refusal,
    replace::{self, without_article},
    sentence::{self, without},
    value::{self, Value},
};

/// Takes `what` out of `text`.
pub(super) fn remove(text: &str, what: &What) -> Result<String, Refusal> {
    match what {
        What::Words(words, which) => remove_words(text, words, *which),
        What::Item(words) => {
            let place = place_of(text, words)?;
            match list::without_item(text, &place) {
                Ok(changed) => Ok(changed),
                Err(_) => item_with(text, &place).ok_or_else(|| Refusal::ambiguous(&words.text)),
            }
        }
        What::Counted(part, which) => remove_part(text, *part, &counted(text, *part, *which)?),
        What::About(part, words) => {
            let range = about(text, *part, words)?;
            remove_part(text, *part, &range)
        }
        What::Stretch(words) => {
            let range = about(text, Part::Sentence, words)?;
            match range.len() == text.trim().len() {
                true => without_clause(text, words),
                false => Ok(without(text, &range)),
            }
        }
        What::Parenthesis => parenthesis(text).map(|range| without(text, &range)),
        What::Before(words) => Ok(text[place_of(text, words)?.start..].to_owned()),
        What::After(words) => {
            let before = &text[..place_of(text, words)?.end];
            // A mark that led to what is gone leads nowhere.
            Ok(match matches!(words.text.as_str(), "," | ";" | "-" | "–" | "—") {
                true => before[..before.len() - words.text.len()].trim_end().to_owned(),
                false => before.to_owned(),
            })
        }
        What::Value(kinds) => {
            let here: Vec<Value> =
                value::values(text).into_iter().filter(|value| kinds.contains(&value.kind)).collect();
            match here.as_slice() {
                [value] => Ok(without_value(text, &(value.start..value.end))),
                [] => Err(Refusal::Nothing),
                _ => Err(Refusal::Several),
            }
        }
        What::FinalMark(mark) => {
            let body = text.trim_end();
            body.strip_suffix(mark).map(str::to_owned).ok_or_else(|| Refusal::not_in_text(mark))
        }
    }
}

fn remove_words(text: &str, words: &Operand, which: Which) -> Result<String, Refusal> {
    let words = match replace::places(text, words, which) {
        Err(Refusal::NotInText { .. }) if !words.quoted && without_article(&words.text).is_some() => {
            let bare = without_article(&words.text).unwrap_or_default();
            if locate(text, bare, Reach::Words).places.iter().any(|place| leads_to_code(text, place)) {
                return Err(Refusal::ambiguous(bare));
            }
            Operand { text: bare.to_owned(), quoted: false }
        }
        _ => words.clone(),
    };
    let mut places = replace::places(text, &words, which)?;
    if !words.quoted {
        places = whole_words(text, places).ok_or_else(|| Refusal::not_in_text(&words.text))?;
    }
    if let [place] = places.as_slice() {
        match list::without_item(text, place) {
            Ok(changed) => return Ok(changed),
            // `remove milk` of `oat milk and bread`: the word or the item?
            Err(NoItem::Part) if !words.quoted && list::counted_item(text, place).is_some() => {
                let item = list::counted_item(text, place).unwrap_or_else(|| place.clone());
                return list::without_item(text, &item).map_err(|_| Refusal::ambiguous(&words.text));
            }
            Err(NoItem::Part) if !words.quoted && ends_item(text, place) => {
                return Err(Refusal::ambiguous(&words.text));
            }
            Err(_) => {}
        }
        // `contact` of `contact is Leo`: what is said of it would be left alone.
        if !words.quoted && [" is ", " are ", " was ", ": "].iter().any(|verb| text[place.end..].starts_with(verb)) {
            return without_clause(text, &words);
        }
        if value::only_values(&text[place.clone()]).is_some() && !words.quoted {
            return Ok(without_value(text, place));
        }
        // A paragraph goes with the blank line that set it apart.
        if text.contains("\n\n") && sentence::lines(text).contains(place) {
            return Ok(list::without_line(text, place).replace("\n\n\n", "\n\n"));
        }
        if is_sentence(text, place) {
            return Ok(without(text, place));
        }
    }
    let mut out = text.to_owned();
    for place in places.iter().rev() {
        out = without_words(&out, place);
    }
    Ok(out)
}

/// The places with the plural endings that were not named; `None` if one is part of a path or an address.
fn whole_words(text: &str, places: Vec<Range<usize>>) -> Option<Vec<Range<usize>>> {
    let whole = |place: Range<usize>| {
        let rest = &text[place.end..];
        let ending = rest.len() - rest.trim_start_matches(char::is_alphanumeric).len();
        let inside = ending > 0 && text[..place.end].ends_with(char::is_alphanumeric);
        match inside {
            true => (!replace::is_in_code(text, &(place.start..place.end + ending)))
                .then(|| place.start..place.end + ending),
            false => Some(place),
        }
    };
    places.into_iter().map(whole).collect()
}

/// Whether a noun stands before what it names, which may be meant as well: the `user` of `user app_ro`.
fn leads_to_code(text: &str, place: &Range<usize>) -> bool {
    let next = text[place.end..].strip_prefix([' ', ':', '=']).unwrap_or_default();
    let next = next.split_whitespace().next().unwrap_or_default();
    next.contains(|c: char| c.is_ascii_digit() || c == '_')
        || next.starts_with(char::is_uppercase) && value::only_values(next).is_none()
}

/// `text` without words inside a sentence, and without a comma that is left with nothing before it.
fn without_words(text: &str, place: &Range<usize>) -> String {
    let inner = &text[place.clone()];
    let spaced = inner.starts_with(char::is_whitespace) || inner.ends_with(char::is_whitespace);
    let glued =
        text[..place.start].ends_with(char::is_alphanumeric) || text[place.end..].starts_with(char::is_alphanumeric);
    if spaced || glued {
        return format!("{}{}", &text[..place.start], &text[place.end..]);
    }
    let changed = without(text, place);
    match place.start == 0 {
        true => changed.trim_start_matches([',', ';', ' ']).to_owned(),
        false => changed,
    }
}

/// `text` without a value and the preposition that led to it.
fn without_value(text: &str, place: &Range<usize>) -> String {
    let before = text[..place.start].trim_end();
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let leads = matches!(
        word.to_lowercase().as_str(),
        "at" | "on" | "by" | "before" | "until" | "in" | "for" | "from" | "since" | "around" | "after"
    );
    let start = if leads { before.len() - word.len() } else { place.start };
    without(text, &(start..place.end))
}

fn place_of(text: &str, words: &Operand) -> Result<Range<usize>, Refusal> {
    let found = replace::places(text, words, Which::Only);
    let bare = without_article(&words.text).filter(|_| !words.quoted);
    let found = match (found, bare) {
        (Err(Refusal::NotInText { .. }), Some(bare)) => {
            replace::places(text, &Operand { text: bare.to_owned(), quoted: false }, Which::Only)
        }
        (found, _) => found,
    };
    found.map(|places| places[0].clone())
}

/// Whether a place is the last word of an item of a list, and so may stand for it.
fn ends_item(text: &str, place: &Range<usize>) -> bool {
    let rest = text[place.end..].trim_start();
    rest.is_empty()
        || rest.starts_with([',', '.', '\n'])
        || ["and ", "or ", "& "].iter().any(|word| rest.starts_with(word))
}

/// `text` without the item that mentions the words at `place`.
fn item_with(text: &str, place: &Range<usize>) -> Option<String> {
    let line = list::lines_of_list(text).into_iter().find(|line| line.start <= place.start && place.end <= line.end);
    if let Some(line) = line {
        return Some(list::without_line(text, &line));
    }
    let items = list::items_of_row(text);
    let index = items.iter().position(|item| item.start <= place.start && place.end <= item.end)?;
    // Nobody can tell where the first item begins: `Buy soy milk and rolls`.
    (index > 0).then(|| list::without_item(text, &items[index]).ok()).flatten()
}

fn is_sentence(text: &str, place: &Range<usize>) -> bool {
    sentence::sentences(text).contains(place)
}

/// Where the counted parts of a text stand.
fn parts(text: &str, part: Part) -> Vec<Range<usize>> {
    match part {
        Part::Sentence => sentence::sentences(text),
        Part::Line => sentence::lines(text),
        Part::Item => {
            let lines = list::lines_of_list(text);
            if lines.is_empty() { list::items_of_row(text) } else { lines }
        }
        Part::Word => {
            let mut at = 0;
            let mut out = Vec::new();
            for word in text.split_inclusive(char::is_whitespace) {
                let body = word.trim_end();
                if !body.is_empty() {
                    out.push(at..at + body.len());
                }
                at += word.len();
            }
            out
        }
    }
}

/// The part that `which` counts to.
pub(super) fn counted(text: &str, part: Part, which: Which) -> Result<Range<usize>, Refusal> {
    let parts = parts(text, part);
    let found = match which {
        Which::Nth(number) => parts.get(number - 1),
        Which::Last => parts.last(),
        Which::Only if parts.len() == 1 => parts.first(),
        Which::Only | Which::Every => return Err(Refusal::Several),
    };
    found.cloned().ok_or(Refusal::Nothing)
}

/// A text of one sentence without the later part of it, after a comma, that mentions the words.
fn without_clause(text: &str, words: &Operand) -> Result<String, Refusal> {
    let place = place_of(text, words)?;
    let unclear = || Refusal::ambiguous(&words.text);
    let marks = [", ", "; ", " - ", " – ", " — "];
    let start = marks.iter().filter_map(|mark| text[..place.start].rfind(mark)).max().ok_or_else(unclear)?;
    let rest = &text[place.end..];
    let end = place.end
        + marks.iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.trim_end_matches(['.', '!']).len());
    Ok(format!("{}{}", &text[..start], &text[end..]))
}

fn about(text: &str, part: Part, words: &Operand) -> Result<Range<usize>, Refusal> {
    let bare = without_article(&words.text).unwrap_or(&words.text);
    let mentions =
        |range: &Range<usize>, words: &str| !locate(&text[range.clone()], words, Reach::Words).places.is_empty();
    for words in [words.text.as_str(), bare, bare.strip_suffix('s').unwrap_or(bare)] {
        let found: Vec<Range<usize>> = parts(text, part).into_iter().filter(|range| mentions(range, words)).collect();
        match found.as_slice() {
            [] => {}
            [only] => return Ok(only.clone()),
            _ => return Err(Refusal::ambiguous(words)),
        }
    }
    Err(Refusal::not_in_text(&words.text))
}

fn remove_part(text: &str, part: Part, range: &Range<usize>) -> Result<String, Refusal> {
    match part {
        Part::Line => Ok(list::without_line(text, range)),
        Part::Item if !list::lines_of_list(text).is_empty() => Ok(list::without_line(text, range)),
        Part::Item => {
            let items = list::items_of_row(text);
            match items.first() == Some(range) {
                // The first item cannot be told from what leads into the list.
                true if text[..range.start].trim_end().ends_with(':')
                    || range.start == 0 && text[range.clone()].split_whitespace().count() == 1 =>
                {
                    list::without_item(text, range).map_err(|_| Refusal::Nothing)
                }
                true => Err(Refusal::Several),
                false => list::without_item(text, range).map_err(|_| Refusal::Nothing),
            }
        }
        Part::Word => Ok(without_words(text, range)),
        Part::Sentence => Ok(without(text, range)),
    }
}

/// The only parenthesis of a text.
fn parenthesis(text: &str) -> Result<Range<usize>, Refusal> {
    let opening = text.find(['(', '[']).ok_or(Refusal::Nothing)?;
    let closing = text[opening..].find([')', ']']).map(|at| opening + at + 1).ok_or(Refusal::Nothing)?;
    match text[closing..].contains(['(', '[']) || text[opening + 1..closing].contains(['(', '[']) {
        true => Err(Refusal::Several),
        false => Ok(opening..closing),
    }
}

//! Puts new words into a text with the spaces and marks that belong around them.

use std::ops::Range;

use super::{
    command::{Operand, Part, Place, Which},
    list,
    locate::capitalized,
    refusal::Refusal,
    remove, replace, sentence,
    small_words::{is_one_of, is_preposition},
};

/// Puts `new` into `text`.
pub(super) fn insert(text: &str, new: &Operand, place: &Place) -> Result<String, Refusal> {
    if new.text.is_empty() {
        return Err(Refusal::Unclear);
    }
    match place {
        Place::End => Ok(at_end(text, new)),
        Place::Start => Ok(at_start(text, new)),
        Place::Sentence => Ok(sentence_at_end(text, &new.text)),
        Place::Line => Ok(format!("{}\n{}", text.trim_end(), new.text.trim())),
        Place::List => list::with_item(text, new.text.trim(), true).ok_or_else(|| Refusal::ambiguous(&new.text)),
        Place::Natural => naturally(text, new),
        Place::Between(one, other) => {
            let (one, other) = (replace::places(text, one, Which::Every)?, replace::places(text, other, Which::Every)?);
            let joined = |place: &Range<usize>| {
                other.iter().any(|other| place.end < other.start && text[place.end..other.start].trim().is_empty())
            };
            let mut between = one.iter().filter(|place| joined(place));
            match (between.next(), between.next()) {
                (Some(place), None) => Ok(format!("{} {}{}", &text[..place.end], new.text.trim(), &text[place.end..])),
                _ => Err(Refusal::placeless(&new.text)),
            }
        }
        Place::BesidePart { part, which, after } => beside_part(text, new, *part, *which, *after),
        Place::Before(anchor) | Place::After(anchor)
            if let Some(with) = beside_item(text, anchor, new, matches!(place, Place::After(_))) =>
        {
            Ok(with)
        }
        Place::Before(anchor) => {
            let at = replace::places(text, anchor, Which::Only)?[0].start;
            let glue = if new.text.ends_with(char::is_whitespace) { "" } else { " " };
            Ok(format!("{}{}{glue}{}", &text[..at], new.text, &text[at..]))
        }
        Place::After(anchor) => {
            let at = replace::places(text, anchor, Which::Only)?[0].end;
            let glue =
                if new.text.starts_with([' ', ',', '.', ';', ':', '!', '?', '\n', '\'', '’']) { "" } else { " " };
            Ok(format!("{}{glue}{}{}", &text[..at], new.text, &text[at..]))
        }
    }
}

/// `text` with `new` as another part beside the one that is counted to.
fn beside_part(text: &str, new: &Operand, part: Part, which: Which, after: bool) -> Result<String, Refusal> {
    let place = remove::counted(text, part, which)?;
    let new = new.text.trim();
    if part == Part::Item {
        return list::beside_item(text, &place, new, after).ok_or_else(|| Refusal::placeless(new));
    }
    let gap = if part == Part::Line { "\n" } else { " " };
    let (at, joined) = match after {
        true => (place.end, format!("{gap}{new}")),
        false => (place.start, format!("{new}{gap}")),
    };
    Ok(format!("{}{joined}{}", &text[..at], &text[at..]))
}

/// `text` with `new` as an item of its own beside the item that `anchor` names.
fn beside_item(text: &str, anchor: &Operand, new: &Operand, after: bool) -> Option<String> {
    let places = replace::places(text, anchor, Which::Only).ok()?;
    list::beside_item(text, places.first()?, new.text.trim_matches('\n'), after)
}

/// Where the words of a bare `add …` go: into a list, after the text, or nowhere if that would not read.
fn naturally(text: &str, new: &Operand) -> Result<String, Refusal> {
    if let Some(item) = item_for_heading(text, new) {
        return list::with_item(text, item, true).ok_or_else(|| Refusal::ambiguous(item));
    }
    let words: Vec<&str> = new.text.split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    let circumstance = is_preposition(first) || !first.starts_with(char::is_alphanumeric);
    if !new.quoted && new.text.chars().all(|c| c.is_ascii_digit()) {
        return Err(Refusal::placeless(&new.text));
    }
    if !circumstance && words.len() <= 4 && list::takes_items(text) && !is_sentence(&new.text) {
        return list::with_item(text, new.text.trim(), false).ok_or_else(|| Refusal::ambiguous(&new.text));
    }
    if circumstance
        || new.quoted
        || is_sentence(&new.text)
        || first.starts_with(|c: char| c.is_ascii_digit())
        || first.ends_with("ly")
    {
        return Ok(at_end(text, new));
    }
    Err(Refusal::placeless(&new.text))
}

/// The `hooks` of `hooks to the backlog`, where the text is headed `Backlog:`.
fn item_for_heading<'n>(text: &str, new: &'n Operand) -> Option<&'n str> {
    let (item, list) = new.text.rsplit_once(" to ").filter(|_| !new.quoted)?;
    let (heading, _) = text.split_once(':')?;
    let list = replace::without_article(list).unwrap_or(list);
    heading.eq_ignore_ascii_case(list).then_some(item)
}

fn at_end(text: &str, new: &Operand) -> String {
    if !list::lines_of_list(text).is_empty()
        && !new.text.contains('\n')
        && let Some(with) = list::with_item(text, new.text.trim(), false)
    {
        return with;
    }
    let first = new.text.split_whitespace().next().unwrap_or_default();
    let is_thing = !is_preposition(first) && first.starts_with(char::is_alphanumeric) && !is_sentence(&new.text);
    if !new.quoted
        && is_thing
        && new.text.split_whitespace().count() <= 3
        && list::takes_items(text)
        && let Some(with) = list::with_item(text, new.text.trim(), false)
    {
        return with;
    }
    let new = new.text.as_str();
    let body = text.trim_end();
    if new.starts_with('\n') || text.ends_with('\n') {
        return format!("{text}{new}");
    }
    let unmarked = body.trim_end_matches(['.', '!', '?', '…']);
    let mark = &body[unmarked.len()..];
    if new.starts_with(['.', '!', '?']) {
        return format!("{unmarked}{new}");
    }
    if new.starts_with([',', ';', ':']) {
        return format!("{unmarked}{new}{}", if ends_sentence(new) { "" } else { mark });
    }
    let trimmed = new.trim_start();
    let small =
        trimmed.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || c == '(') && !is_sentence(trimmed);
    match (mark.is_empty(), small) {
        (true, _) if is_sentence(trimmed) => format!("{body}. {trimmed}"),
        // Space that the text ends with already does not have to be put there.
        (true, _) => format!("{body} {trimmed}"),
        (false, true) => format!("{unmarked} {}{}", trimmed.trim_end(), if ends_sentence(trimmed) { "" } else { mark }),
        (false, false) => format!("{body} {trimmed}"),
    }
}

fn at_start(text: &str, new: &Operand) -> String {
    let glue = if new.text.ends_with(char::is_whitespace) || new.text.ends_with(['(', '"', '#']) { "" } else { " " };
    format!("{}{glue}{}", new.text, text.trim_start())
}

fn sentence_at_end(text: &str, new: &str) -> String {
    let body = text.trim_end();
    let new = capitalized(new.trim());
    let closed = ends_sentence(body);
    let mark = if closed && !ends_sentence(&new) { "." } else { "" };
    let gap = match (closed, body.contains('\n') && sentence::lines(body).len() > 1 && !closed) {
        (true, _) => " ",
        (false, true) => "\n",
        (false, false) => ". ",
    };
    format!("{body}{gap}{new}{mark}")
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?', '…'])
}

/// Whether words are a sentence of their own: capital, and either a full stop or an opening that only sentences have.
fn is_sentence(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    let capital = first.starts_with(char::is_uppercase);
    let several = words.split_whitespace().count() > 1;
    capital && several && (ends_sentence(words) || is_one_of(OPENINGS, &first.to_lowercase()))
}

/// Words that begin sentences and are no names.
const OPENINGS: &str = "the a an this that these those it he she they we i you my our his her their please there ask call \
     bring buy check send tell do don't remember note see use if when also not no make take get always \
     never let try start stop pay email book";

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> Operand {
        Operand { text: text.to_owned(), quoted: true }
    }

    #[test]
    fn words_at_the_end_go_before_the_full_stop_and_sentences_after_it() {
        let end = |text: &str, new: &str| insert(text, &quoted(new), &Place::End).unwrap();
        assert_eq!(end("Nora drinks cocoa", "with cream"), "Nora drinks cocoa with cream");
        assert_eq!(end("Nora drinks cocoa.", "with cream"), "Nora drinks cocoa with cream.");
        assert_eq!(end("Nora drinks cocoa.", "She skips lunch."), "Nora drinks cocoa. She skips lunch.");
        assert_eq!(end("Nora drinks cocoa", "She skips lunch."), "Nora drinks cocoa. She skips lunch.");
        assert_eq!(end("Nora drinks cocoa", "!"), "Nora drinks cocoa!");
        assert_eq!(end("Nora drinks cocoa.", ", always"), "Nora drinks cocoa, always.");
    }

    #[test]
    fn words_at_the_start_are_set_apart_by_one_space() {
        assert_eq!(insert("b", &quoted("a: "), &Place::Start).unwrap(), "a: b");
        assert_eq!(insert("b", &quoted("a:"), &Place::Start).unwrap(), "a: b");
    }

    #[test]
    fn an_added_sentence_ends_like_the_others() {
        assert_eq!(insert("One.", &quoted("two"), &Place::Sentence).unwrap(), "One. Two.");
        assert_eq!(insert("One", &quoted("two"), &Place::Sentence).unwrap(), "One. Two");
    }
}

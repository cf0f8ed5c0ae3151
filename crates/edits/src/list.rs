//! Takes items out of lists and puts items into them, whether in a sentence (`a, b and c`) or one a line.

use std::ops::Range;

pub(super) use super::page::without_line;

use super::{
    sentence,
    small_words::{is_one_of, is_preposition},
};

/// Why an item cannot be taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoItem {
    /// The place is in no list.
    NoList,
    /// The place is only part of an item.
    Part,
}

/// Joining words, the longest first.
const CONJUNCTIONS: &[&str] =
    &[", and ", ", or ", " and ", " or ", " & ", " + ", " und ", " oder ", " et ", " ou ", " y ", ", und "];

/// Verbs that begin a task; what follows `and` is then another task and no item.
const TASKS: &str = "ask book bring buy call cancel check clean collect contact cook create deploy draft drop email file \
     finish fix get give go install invite mail make meet message order pack pay pick plan post prepare \
     print read renew repair reply report return review schedule sell send set ship sign start submit \
     take talk tell text try update visit walk wash water write is are was has have will can";

/// A list inside a sentence.
struct Row {
    items: Vec<Range<usize>>,
    /// What stands between two items.
    separator: &'static str,
    /// What stands before the last item, if it is a word like `and`.
    conjunction: Option<&'static str>,
}

/// `text` without the item that stands at `place`.
pub(super) fn without_item(text: &str, place: &Range<usize>) -> Result<String, NoItem> {
    if let Some(line) =
        bullets(text).into_iter().find(|line| line.body.start <= place.start && place.end <= line.body.end)
    {
        return match line.body == *place {
            true => Ok(without_line(text, &line.line)),
            false => Err(NoItem::Part),
        };
    }
    let row = row_at(text, place.start).ok_or(NoItem::NoList)?;
    let first =
        row.items.iter().position(|item| item.start <= place.start && place.start < item.end).ok_or(NoItem::NoList)?;
    let index =
        row.items.iter().position(|item| item.start < place.end && place.end <= item.end).ok_or(NoItem::NoList)?;
    let item = &row.items[index];
    let last = row.items.len() - 1;
    // What leads into the list stays: `Buy` of `Buy milk and bread`.
    let starts = place.start == row.items[first].start || first == 0;
    let follows = text[place.end..item.end].split_whitespace().next().unwrap_or_default().to_lowercase();
    let stays = index == last && is_preposition(&follows);
    if !starts || place.end != item.end && !stays {
        return Err(NoItem::Part);
    }
    let lead = if first == 0 { &text[row.items[0].start..place.start] } else { "" };
    if lead.is_empty() && index - first == last {
        return Err(NoItem::NoList);
    }
    let kept = |at: &usize| *at < first || *at > index;
    let mut kept: Vec<&str> = (0..row.items.len()).filter(kept).map(|at| &text[row.items[at].clone()]).collect();
    let tail = &text[place.end..item.end];
    let joined = join(&mut kept, row.separator, row.conjunction);
    Ok(format!("{}{lead}{joined}{tail}{}", &text[..row.items[0].start], &text[row.items[last].end..]))
}

/// The item that is `place` and how many there are of it: `6 eggs`.
pub(super) fn counted_item(text: &str, place: &Range<usize>) -> Option<Range<usize>> {
    let item = row_at(text, place.start)?
        .items
        .into_iter()
        .skip(1)
        .find(|item| item.start <= place.start && place.end == item.end)?;
    let count = text[item.start..place.start].trim();
    let (number, unit) = count.split_once(' ').unwrap_or((count, ""));
    let counts = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) && is_one_of(UNITS, unit);
    counts.then_some(item)
}

/// What things are measured in; nothing, where they are counted.
const UNITS: &str = " g kg mg ml l cl dl oz lb lbs cups cup tbsp tsp cans can bottles bottle packs pack slices x";

/// `text` with `item` at the end of its list, `None` if it has no list that takes one.
pub(super) fn with_item(text: &str, item: &str, is_list: bool) -> Option<String> {
    if let Some(last) = bullets(text).last() {
        let marker = &text[last.line.start..last.body.start];
        return Some(format!("{}\n{}{item}{}", &text[..last.line.end], next_marker(marker), &text[last.line.end..]));
    }
    let sentence = sentence::sentences(text).pop()?;
    let (items, separator, conjunction) = match row_at(text, sentence.start) {
        Some(row) => (row.items, row.separator, row.conjunction),
        None if is_list => {
            let body = sentence.start..sentence.start + text[sentence.clone()].trim_end_matches(['.', '!']).len();
            let named = body.start + text[body.clone()].rfind(": ").map_or(0, |at| at + 2);
            // One thing is a list of one if it is what a task or a heading is about.
            let first = text[body.clone()].split_whitespace().next().unwrap_or_default().to_lowercase();
            let short = text[named..body.end].split_whitespace().count() <= 4 && sentence.start == 0;
            if !short || named == body.start && !is_one_of(TASKS, &first) {
                return None;
            }
            let conjunction = if named > body.start { None } else { Some(" and ") };
            (std::iter::once(named..body.end).collect(), ", ", conjunction)
        }
        None => return None,
    };
    let (first, last) = (items.first()?, items.last()?);
    let circumstance = text[last.clone()].split_whitespace().any(is_preposition);
    if circumstance && items.len() > 1 {
        return None;
    }
    let mut all: Vec<&str> = items.iter().map(|item| &text[item.clone()]).collect();
    let (several, joint) = split_conjunction(item);
    all.extend(several.split(", "));
    all.extend(joint.map(|joint| &item[several.len() + joint.len()..]));
    let joined = join(&mut all, separator, conjunction);
    Some(format!("{}{joined}{}", &text[..first.start], &text[last.end..]))
}

/// Whether the text ends with a list that a bare `add eggs` can be meant for.
pub(super) fn takes_items(text: &str) -> bool {
    if !bullets(text).is_empty() {
        return true;
    }
    let Some(sentence) = sentence::sentences(text).pop() else { return false };
    let Some(row) = row_at(text, sentence.start) else { return false };
    let first_word = text[sentence.clone()].split_whitespace().next().unwrap_or_default().to_lowercase();
    let words = |item: &Range<usize>| text[item.clone()].split_whitespace().count();
    let short = row.items.iter().skip(1).all(|item| words(item) <= 3);
    let named = text[..row.items[0].start].trim_end().ends_with(':');
    short
        && words(&row.items[0]) <= 4
        && (named || is_one_of(TASKS, &first_word) || row.items.len() > 2 && row.conjunction.is_none())
}

fn join(items: &mut Vec<&str>, separator: &str, conjunction: Option<&'static str>) -> String {
    let Some(conjunction) = conjunction else { return items.join(separator) };
    let Some(last) = items.pop() else { return String::new() };
    match items.len() {
        0 => last.to_owned(),
        // Two items need no comma before their `and`.
        1 => format!("{}{}{last}", items[0], conjunction.trim_start_matches(',')),
        _ => format!("{}{conjunction}{last}", items.join(separator)),
    }
}

/// The list in the sentence at `at`.
fn row_at(text: &str, at: usize) -> Option<Row> {
    let sentence = sentence::sentences(text).into_iter().find(|sentence| sentence.start <= at && at < sentence.end)?;
    let body = &text[sentence.clone()];
    let end = sentence.start + body.trim_end_matches(['.', '!', '?', ')']).len();
    let named = body.find(": ").map_or(0, |at| at + 2);
    let start = sentence.start + named;
    if start >= end {
        return None;
    }
    // `apple; pear; plum`: whatever stands twice between words and is no comma.
    let separator =
        ["; ", " | ", " / ", " + ", " · "].into_iter().find(|mark| text[start..end].matches(mark).count() > 1);
    let (before, conjunction) = match separator {
        Some(_) => (&text[start..end], None),
        None => split_conjunction(&text[start..end]),
    };
    let separator = separator.unwrap_or(", ");
    let mut items: Vec<Range<usize>> = Vec::new();
    let mut from = start;
    for piece in before.split(separator) {
        items.push(from..from + piece.len());
        from += piece.len() + separator.len();
    }
    if let Some(conjunction) = conjunction {
        items.push(start + before.len() + conjunction.len()..end);
    }
    is_row(text, &items, conjunction).then_some(Row { items, separator, conjunction })
}

/// What stands before the last joining word, and that word.
fn split_conjunction(body: &str) -> (&str, Option<&'static str>) {
    let found = CONJUNCTIONS.iter().filter_map(|word| body.rfind(word).map(|at| (at, *word)));
    match found.max_by_key(|(at, word)| (at + word.len(), word.len())) {
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
        !item.trim().is_empty()
            && !CONJUNCTIONS.iter().any(|word| item.contains(word))
            && item.split_whitespace().count() <= 6
    };
    // What a heading announces are items, whatever they are about.
    let announced =
        conjunction.is_none() && items.first().is_some_and(|first| text[..first.start].trim_end().ends_with(':'));
    items.len() >= enough && items.iter().all(clean) && (announced || !items.iter().skip(1).any(task))
}

/// A line that is an item.
struct Bullet {
    line: Range<usize>,
    body: Range<usize>,
}

fn bullets(text: &str) -> Vec<Bullet> {
    let mut out = Vec::new();
    for line in sentence::lines(text) {
        let body = &text[line.clone()];
        let rest = body.strip_prefix("- [ ] ").or(body.strip_prefix("- [x] "));
        let rest = rest.or_else(|| ["- ", "* ", "• ", "– ", "+ "].iter().find_map(|marker| body.strip_prefix(marker)));
        let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let numbered = body[digits..].strip_prefix(". ").or(body[digits..].strip_prefix(") ")).filter(|_| digits > 0);
        if let Some(rest) = rest.or(numbered) {
            out.push(Bullet { body: line.end - rest.len()..line.end, line });
        }
    }
    // One dash is a dash; two are a list.
    if out.len() < 2 { Vec::new() } else { out }
}

/// Whether a place is the number that counts a line: the `2` of `2. paint the fence`.
pub(super) fn is_marker(text: &str, place: &Range<usize>) -> bool {
    let starts = text[..place.start].trim_end_matches([' ', '\t']);
    let digits = text[place.clone()].chars().all(|c| c.is_ascii_digit());
    digits
        && (starts.is_empty() || starts.ends_with('\n'))
        && [". ", ") "].iter().any(|mark| text[place.end..].starts_with(mark))
}

/// The items of a list by line, in order.
pub(super) fn lines_of_list(text: &str) -> Vec<Range<usize>> {
    bullets(text).into_iter().map(|bullet| bullet.line).collect()
}

/// What a line of a list says after its bullet or number; other places as they are.
pub(super) fn body_of(text: &str, line: &Range<usize>) -> Range<usize> {
    bullets(text).into_iter().find(|bullet| bullet.line == *line).map_or_else(|| line.clone(), |bullet| bullet.body)
}

/// `text` with another item beside the one that `place` is all of; `None` if it is no item of a list by line.
pub(super) fn beside_item(text: &str, place: &Range<usize>, new: &str, after: bool) -> Option<String> {
    let bullets = bullets(text);
    let bullet = bullets.iter().find(|bullet| bullet.body == *place || bullet.line == *place)?;
    let marker = &text[bullet.line.start..bullet.body.start];
    // The numbers of the items below would have to change.
    if marker.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let new = new.trim().strip_prefix(marker.trim_end()).unwrap_or(new).trim();
    let marker = marker.replace("[x]", "[ ]");
    Some(match after {
        true => format!("{}\n{marker}{new}{}", &text[..bullet.line.end], &text[bullet.line.end..]),
        false => format!("{}{marker}{new}\n{}", &text[..bullet.line.start], &text[bullet.line.start..]),
    })
}

/// The items of the only list inside a sentence, in order.
pub(super) fn items_of_row(text: &str) -> Vec<Range<usize>> {
    match sentence::sentences(text).as_slice() {
        [sentence] => {
            row_at(text, text[sentence.clone()].find(": ").map_or(sentence.start, |at| sentence.start + at + 2))
                .map_or_else(Vec::new, |row| row.items)
        }
        _ => Vec::new(),
    }
}

/// The marker of the line after one with `marker`: the same, or the next number.
fn next_marker(marker: &str) -> String {
    let digits: String = marker.chars().take_while(char::is_ascii_digit).collect();
    match digits.parse::<u32>() {
        Ok(number) => format!("{}{}", number.saturating_add(1), &marker[digits.len()..]),
        Err(_) => marker.replace("[x]", "[ ]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str, item: &str) -> Result<String, NoItem> {
        let at = text.find(item).unwrap();
        without_item(text, &(at..at + item.len()))
    }

    #[test]
    fn a_list_stays_well_formed_without_an_item() {
        assert_eq!(without("Buy milk, eggs and bread", "milk").unwrap(), "Buy eggs and bread");
        assert_eq!(without("Buy milk, eggs and bread", "eggs").unwrap(), "Buy milk and bread");
        assert_eq!(without("Buy milk, eggs, and bread.", "bread").unwrap(), "Buy milk and eggs.");
        assert_eq!(without("Buy milk and bread", "bread").unwrap(), "Buy milk");
        assert_eq!(without("Shop: milk, eggs, bread", "milk").unwrap(), "Shop: eggs, bread");
        assert_eq!(without("Buy milk and bread at Lidl", "bread").unwrap(), "Buy milk at Lidl");
    }

    #[test]
    fn tasks_and_clauses_are_no_items() {
        assert_eq!(without("Buy milk and call Sam", "milk"), Err(NoItem::NoList));
        assert_eq!(without("Paint on Friday, carefully", "Friday"), Err(NoItem::NoList));
        assert_eq!(without("Buy soy milk and rolls and jam", "soy"), Err(NoItem::NoList));
        assert_eq!(without("Buy soy milk and rolls", "soy"), Err(NoItem::Part));
    }

    #[test]
    fn items_are_counted_anew_and_other_numbers_are_left_alone() {
        let without = |text: &str, line: &str| {
            let at = text.find(line).unwrap();
            without_line(text, &(at..at + line.len()))
        };
        assert_eq!(without("1. a\n2. b\n3. c\n5. e", "1. a"), "1. b\n2. c\n5. e");
        assert_eq!(without("12.5 km\n13.5 km", "12.5 km"), "13.5 km");
        assert_eq!(without("4294967295. a\n1. b", "4294967295. a"), "1. b");
    }

    #[test]
    fn a_list_takes_an_item_in_its_own_style() {
        assert_eq!(with_item("Buy milk and bread", "jam", false).unwrap(), "Buy milk, bread and jam");
        assert_eq!(with_item("a, b, and c.", "d", false).unwrap(), "a, b, c, and d.");
        assert_eq!(with_item("Shop: milk", "jam", true).unwrap(), "Shop: milk, jam");
        assert_eq!(with_item("1. a\n2. b", "c", false).unwrap(), "1. a\n2. b\n3. c");
        assert_eq!(with_item("Buy milk", "jam", false), None);
    }
}

//! Puts other words in the place of some.
//!
//! `change the time to 3pm` does not mean the word `time`: where the new words are a value and the old ones a noun, the
//! value that belongs to the noun is changed.

use std::ops::Range;

use text::is_unspaced;

use super::{
    command::{Operand, Part, Which},
    dictionary, list,
    locate::{Reach, capitalized, in_case_of, is_plain, locate, locate_any_case},
    predicate,
    refusal::Refusal,
    remove, slot,
    small_words::{is_small, stands_for_time},
    value::{self, Value},
};

/// Changes `old` to `new`, or the value that `old` is a noun for.
pub(super) fn change(text: &str, old: &Operand, new: &Operand, which: Which) -> Result<String, Refusal> {
    if old.quoted {
        return replace(text, old, new, which);
    }
    if let Some(changed) = predicate::change_setting(text, &old.text, &new.text) {
        return Ok(changed);
    }
    let Some(new_values) = value::only_values(&new.text) else { return change_noun(text, old, new, which) };
    if value::only_values(&old.text).is_some() {
        return replace(text, old, new, which);
    }
    let family = new_values[0].kind.family();
    let same: Vec<Value> = value::values(&old.text).into_iter().filter(|value| value.kind.family() == family).collect();
    match same.as_slice() {
        // `tommorow` and `soon` are no values, but stand where one would.
        [] if stands_for_time(&old.text) => replace(text, old, new, which),
        [] if which != Which::Only => replace(text, old, new, which),
        // `tmrw` is no noun that has a value.
        [] if !old.text.contains(' ') && !dictionary::is_form(&old.text.to_lowercase()) => {
            slot::change_value_of(text, &old.text, new).or_else(|_| replace(text, old, new, which))
        }
        [] => slot::change_value_of(text, &old.text, new),
        // `change the meeting on Tuesday to Wednesday` leaves the meeting.
        [value] => replace_value(text, old, &old.text[value.start..value.end], new, which),
        _ => replace(text, old, new, which),
    }
}

/// Changes what is no value: the noun itself, or what the text says it is.
fn change_noun(text: &str, old: &Operand, new: &Operand, which: Which) -> Result<String, Refusal> {
    if let Some(changed) = predicate::change_predicate_of(text, &old.text, new)? {
        return Ok(changed);
    }
    let noun = without_article(&old.text).unwrap_or(&old.text).to_lowercase();
    let absent = || locate(text, &noun, Reach::Words).places.is_empty();
    match value::kind_of_noun(&noun) {
        Some(_) if which == Which::Only && absent() => slot::change_value_of(text, &old.text, new),
        None if matches!(noun.as_str(), "name" | "person") && absent() => predicate::change_name(text, new),
        _ => replace(text, old, new, which),
    }
}

/// Changes only the value among the words of `old`.
fn replace_value(text: &str, old: &Operand, value: &str, new: &Operand, which: Which) -> Result<String, Refusal> {
    let value = Operand { text: value.to_owned(), quoted: false };
    let whole = places(text, old, Which::Every).unwrap_or_default();
    let [place] = whole.as_slice() else {
        let known = old.text.split_whitespace().all(|word| {
            is_small(word)
                || !locate(text, word.trim_matches(|c: char| !c.is_alphanumeric()), Reach::Words).places.is_empty()
        });
        return match known {
            true => replace(text, &value, new, which),
            false => Err(Refusal::not_in_text(&old.text)),
        };
    };
    let inner = replace(&text[place.clone()], &value, new, Which::Only)?;
    Ok(format!("{}{inner}{}", &text[..place.start], &text[place.end..]))
}

/// Puts `new` exactly where `old` stands.
pub(super) fn replace(text: &str, old: &Operand, new: &Operand, which: Which) -> Result<String, Refusal> {
    let places = match places(text, old, which) {
        // `all Bobs`.
        Err(Refusal::NotInText { .. }) if which == Which::Every && !old.quoted && old.text.ends_with('s') => {
            let one = Operand { text: old.text[..old.text.len() - 1].to_owned(), quoted: false };
            places(text, &one, which)?
        }
        // `the workshop` may well be `our workshop` in the text.
        Err(Refusal::NotInText { .. }) if !old.quoted && without_article(&old.text).is_some() => {
            let bare = |operand: &Operand| Operand {
                text: without_article(&operand.text).unwrap_or(&operand.text).to_owned(),
                quoted: operand.quoted,
            };
            return replace(text, &bare(old), &bare(new), which);
        }
        places => places?,
    };
    Ok(put(
        text,
        &places,
        |place| match text[place.clone()] == old.text || new.quoted && old.quoted {
            true if new.quoted => new.text.clone(),
            true => plain_day(&text[place], &new.text).to_owned(),
            false => styled(&text[place.clone()], &with_shared_start(&text[place], &old.text, &new.text)),
        },
        !new.quoted,
    ))
}

/// Puts `new` in the place of a counted part.
pub(super) fn replace_part(text: &str, part: Part, which: Which, new: &Operand) -> Result<String, Refusal> {
    let place = remove::counted(text, part, which)?;
    let place = if part == Part::Item { list::body_of(text, &place) } else { place };
    let mark = text[place.clone()].chars().next_back().filter(|c| matches!(c, '.' | '!' | '?'));
    let closed = new.text.ends_with(['.', '!', '?']);
    let mark = mark.filter(|_| !closed && part == Part::Sentence).map(String::from).unwrap_or_default();
    Ok(format!("{}{}{mark}{}", &text[..place.start], new.text, &text[place.end..]))
}

/// Lets two stretches change places.
pub(super) fn exchange(text: &str, one: &Operand, other: &Operand) -> Result<String, Refusal> {
    let (first, second) = (places(text, one, Which::Only)?, places(text, other, Which::Only)?);
    let (mut first, mut second) = (first[0].clone(), second[0].clone());
    if first.start > second.start {
        std::mem::swap(&mut first, &mut second);
    }
    if first.end > second.start {
        return Err(Refusal::Contradiction);
    }
    let between = &text[first.end..second.start];
    let sentence_start = text[..first.start].trim_end().is_empty();
    let (mut new_first, mut new_second) = (text[second.clone()].to_owned(), text[first.clone()].to_owned());
    if sentence_start
        && new_second.chars().next().is_some_and(char::is_uppercase)
        && new_first.chars().next().is_some_and(char::is_lowercase)
    {
        new_first = capitalized(&new_first);
        new_second = new_second.to_lowercase();
    }
    Ok(format!("{}{new_first}{between}{new_second}{}", &text[..first.start], &text[second.end..]))
}

/// The places of `words` that `which` picks.
pub(super) fn places(text: &str, words: &Operand, which: Which) -> Result<Vec<Range<usize>>, Refusal> {
    let found =
        locate(text, &words.text, if words.text.len() > 1 || words.quoted { Reach::Parts } else { Reach::Words });
    let mut all = found.places;
    // `IT` is not `it`.
    let acronym = words.text.len() > 1 && words.text.chars().all(char::is_uppercase);
    if acronym && !found.exact && !words.quoted && is_small(&words.text) {
        all.clear();
    }
    if !found.whole {
        match words.quoted {
            true => all.retain(|place| !is_cut_out(text, place)),
            false => all.retain(|place| is_fair_part(text, place, &words.text)),
        }
    }
    if !words.quoted {
        all = meant(text, all, which == Which::Only);
    }
    let has_case = !is_plain(text) || !is_plain(&words.text);
    if which == Which::Every && !all.is_empty() && !acronym && has_case {
        let any_case = locate_any_case(text, &words.text);
        let any_case = if words.quoted { any_case } else { meant(text, any_case, false) };
        all = if any_case.len() > all.len() { any_case } else { all };
    }
    let missing = || Refusal::not_in_text(&words.text);
    let picked = match which {
        Which::Every => (!all.is_empty()).then_some(all),
        Which::Nth(number) => all.get(number - 1).cloned().map(|place| vec![place]),
        Which::Last => all.last().cloned().map(|place| vec![place]),
        Which::Only if all.len() > 1 => return Err(Refusal::ambiguous(&words.text)),
        Which::Only => (!all.is_empty()).then_some(all),
    };
    picked.ok_or_else(missing)
}

/// The places that words of a request can mean: not those inside addresses and the numbers of lines, nor, where only one is
/// meant, those inside codes; unless there are no others.
fn meant(text: &str, places: Vec<Range<usize>>, only: bool) -> Vec<Range<usize>> {
    // So many places are no slip of the pen; and each takes its time.
    if places.len() > MANY_PLACES {
        return places;
    }
    let addressed = text.contains('@') || text.contains("://");
    let places = unless_all(places, |place| list::is_marker(text, place));
    let places = unless_all(places, |place| addressed && is_in_address(text, place));
    unless_all(places, |place| only && is_in_code(text, place))
}

/// `places` without those that are `strange`, unless all are.
fn unless_all(mut places: Vec<Range<usize>>, strange: impl Fn(&Range<usize>) -> bool) -> Vec<Range<usize>> {
    if places.iter().any(|place| !strange(place)) {
        places.retain(|place| !strange(place));
    }
    places
}

const MANY_PLACES: usize = 500;

/// Whether a place is part of an address, a path or a compound, such as the `db` of `db-2.local`.
pub(super) fn is_in_code(text: &str, place: &Range<usize>) -> bool {
    const JOINTS: [char; 7] = ['-', '_', '.', '/', '@', ':', '\\'];
    let before = &text[..place.start];
    let joined_before = before.ends_with(JOINTS) && before.trim_end_matches(JOINTS).ends_with(char::is_alphanumeric);
    let after = &text[place.end..];
    let joined_after = after.starts_with(JOINTS) && after.trim_start_matches(JOINTS).starts_with(char::is_alphanumeric);
    joined_before || joined_after
}

/// Whether a place is part of an e-mail address or a link, which names people and things without meaning them.
fn is_in_address(text: &str, place: &Range<usize>) -> bool {
    // Addresses are short; a text without spaces may be long and have many places.
    let floor = text.ceil_char_boundary(place.start.saturating_sub(LONGEST_ADDRESS));
    let ceiling = text.floor_char_boundary((place.end + LONGEST_ADDRESS).min(text.len()));
    let before = text[floor..place.start].rsplit(char::is_whitespace).next().unwrap_or_default();
    let after = text[place.end..ceiling].split(char::is_whitespace).next().unwrap_or_default();
    [before, after].iter().any(|part| part.contains('@') || part.contains("://"))
}

/// In bytes, on each side.
const LONGEST_ADDRESS: usize = 100;

/// Whether words that were not quoted may mean this part of a word: its plural, or a run of letters beside digits.
fn is_fair_part(text: &str, place: &Range<usize>, words: &str) -> bool {
    let rest: String = text[place.end..].chars().take(3).take_while(|c| c.is_alphanumeric()).collect();
    let starts = !text[..place.start].ends_with(char::is_alphanumeric);
    let is_word = words.chars().all(char::is_alphabetic);
    starts && is_word && words.len() > 2 && matches!(rest.as_str(), "s" | "es")
}

/// Whether a quotation of letters would be cut out of another word: the `car` of `scarf`. Endings are let go with it.
fn is_cut_out(text: &str, place: &Range<usize>) -> bool {
    let joins = |char: char| char.is_alphabetic() && !is_unspaced(char);
    let is_word = text[place.clone()].chars().all(joins);
    let rest: String = text[place.end..].chars().take(4).take_while(|char| joins(*char)).collect();
    is_word && (text[..place.start].ends_with(joins) || !matches!(rest.as_str(), "" | "s" | "es" | "en"))
}

/// `text` with `new` at one place.
pub(super) fn put_one(text: &str, place: Range<usize>, new: &str, merge: bool) -> String {
    put(text, std::slice::from_ref(&place), |_| new.to_owned(), merge)
}

/// `text` with new words at `places`, without doubling the words around them: `12 eggs` for the `6` of `6 eggs`.
pub(super) fn put(text: &str, places: &[Range<usize>], new: impl Fn(Range<usize>) -> String, merge: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for place in places {
        if place.start < at {
            continue;
        }
        let new = new(place.clone());
        let (mut start, mut end) = (place.start, place.end);
        // One word alone repeats nothing.
        if merge && new.contains(' ') {
            start = start.min(text[..start].len() - doubled_before(&text[..place.start], &new)).max(at);
            end += doubled_after(&text[place.end..], &new, &text[place.clone()]);
        }
        out.push_str(&text[at..start]);
        out.push_str(&new);
        at = end;
    }
    out.push_str(&text[at..]);
    out
}

/// Bytes at the end of `before` that `new` begins with again.
fn doubled_before(before: &str, new: &str) -> usize {
    let words: Vec<&str> = new.split(' ').collect();
    let known = |start: usize| before[..start].ends_with(char::is_alphanumeric);
    (1..words.len())
        .rev()
        .find_map(|count| {
            let lead = format!("{} ", words[..count].join(" "));
            let start = before.len().checked_sub(lead.len()).filter(|start| before.is_char_boundary(*start))?;
            (before[start..].eq_ignore_ascii_case(&lead) && !known(start)).then_some(lead.len())
        })
        .unwrap_or(0)
}

/// Bytes at the start of `after` that `new` ends with already, unless `old` did so too.
fn doubled_after(after: &str, new: &str, old: &str) -> usize {
    let words: Vec<&str> = new.split(' ').collect();
    (1..words.len())
        .rev()
        .find_map(|count| {
            let tail = format!(" {}", words[words.len() - count..].join(" "));
            let fits = after.is_char_boundary(tail.len())
                && after.len() >= tail.len()
                && after[..tail.len()].eq_ignore_ascii_case(&tail);
            let ends = after.get(tail.len()..).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
            (fits && ends && !old.ends_with(&tail)).then_some(tail.len())
        })
        .unwrap_or(0)
}

/// `new` with the words it shares with `old` at its start written as the text has them: `Café` for `Cafe`.
fn with_shared_start(here: &str, old: &str, new: &str) -> String {
    let [here, old, new] = [here, old, new].map(|words| words.split(' ').collect::<Vec<_>>());
    let shared = old.iter().zip(&new).take_while(|(old, new)| old.eq_ignore_ascii_case(new)).count();
    match here.len() == old.len() {
        true => [&here[..shared], &new[shared..]].concat().join(" "),
        false => new.join(" "),
    }
}

/// `new` in the style of the words it takes the place of.
pub(super) fn styled(old: &str, new: &str) -> String {
    // `CHF` after an amount says nothing about the case of another amount.
    let new = match old.starts_with(char::is_alphabetic) {
        true => in_case_of(old, plain_day(old, new)),
        false => plain_day(old, new).to_owned(),
    };
    match old.contains(char::is_uppercase) && !new.contains(char::is_uppercase) {
        true => with_capital_days(&new),
        false => new,
    }
}

/// `13 june` as `13 June`.
pub(super) fn with_capital_days(words: &str) -> String {
    let written =
        |word: &str| match value::is_month(&capitalized(word.trim())) || value::is_english_weekday(word.trim()) {
            true => capitalized(word),
            false => word.to_owned(),
        };
    words.split_inclusive(' ').map(written).collect()
}

/// `15th` as `15` where the text counts its days without an ending.
fn plain_day<'n>(old: &str, new: &'n str) -> &'n str {
    let digits = new.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let is_number = |words: &str| !words.is_empty() && words.chars().all(|c| c.is_ascii_digit());
    match is_number(old) && is_number(digits) && matches!(&new[digits.len()..], "st" | "nd" | "rd" | "th") {
        true => digits,
        false => new,
    }
}

/// `words` without a leading article or possessive, `None` if there is none.
pub(super) fn without_article(words: &str) -> Option<&str> {
    let (first, rest) = words.split_once(' ')?;
    matches!(
        first.to_lowercase().as_str(),
        "the" | "a" | "an" | "my" | "our" | "this" | "that" | "your" | "his" | "her" | "their"
    )
    .then_some(rest.trim_start())
}

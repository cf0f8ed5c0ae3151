//! Changes the value that a noun stands for, or the only one of its kind.

use std::ops::Range;

use super::{
    command::Operand,
    locate::{Reach, locate},
    predicate,
    refusal::Refusal,
    replace::{put, put_one, styled, without_article},
    sentence,
    small_words::{is_indefinite, is_preposition, is_small},
    spelling,
    value::{self, Kind, Value},
};

/// Changes the only value of the kind of `new`: `make it 3pm`; or the word that `new` corrects: `it's Nora`.
pub(super) fn settle(text: &str, new: &Operand) -> Result<String, Refusal> {
    match value::only_values(&new.text) {
        Some(values) => change_values(text, &values, new, None),
        None => match number_and_noun(text, &new.text) {
            Some(place) => Ok(put_one(text, place, &new.text, true)),
            None => spelling::spell(text, new).or_else(|refusal| {
                qualified(text, &new.text).map_or(Err(refusal), |place| Ok(put_one(text, place, &new.text, false)))
            }),
        },
    }
}

/// Changes the value that directly follows the words `lead`, which the text must have once.
pub(super) fn restate(text: &str, lead: &str, new: &str) -> Result<String, Refusal> {
    if lead.is_empty() {
        let place = number_and_noun(text, new).ok_or(Refusal::Unclear)?;
        return Ok(put_one(text, place, new, true));
    }
    let places = locate(text, lead, Reach::Words).places;
    let [place] = places.as_slice() else { return Err(Refusal::Unclear) };
    if value::only_values(new).is_none() {
        return predicate::beside(text, place, new).ok_or(Refusal::Unclear);
    }
    let wanted: Vec<u8> = value::values(new).iter().map(|value| value.kind.family()).collect();
    // What follows in one go: `Wednesday 5 March`, `Friday at 9`.
    let mut run: Vec<Value> = Vec::new();
    for value in value::values(text).into_iter().filter(|value| value.start >= place.end) {
        let gap = &text[run.last().map_or(place.end, |last| last.end)..value.start];
        let near = if run.is_empty() { gap.trim().is_empty() } else { is_gap(gap) };
        if !near {
            break;
        }
        run.push(value);
    }
    let families: Vec<u8> = run.iter().map(|value| value.kind.family()).collect();
    // Only a value of another kind may stay as it is: `Thursday` of `Wednesday at 9`.
    let stays = |family: &u8| !wanted.contains(family);
    match run.get(wanted.len().wrapping_sub(1)) {
        Some(last) if families.starts_with(&wanted) && families[wanted.len()..].iter().all(stays) => {
            let old = run[0].start..last.end;
            Ok(put_one(text, old.clone(), &styled(&text[old], new), true))
        }
        _ => Err(Refusal::Unclear),
    }
}

/// Whether only small words stand between two values that are told together.
fn is_gap(gap: &str) -> bool {
    gap.split_whitespace().all(|word| matches!(word.trim_matches(','), "" | "at" | "on" | "the" | "of" | "from"))
}

/// The number before the noun in `12 eggs`, where the text counts the same noun.
fn number_and_noun(text: &str, new: &str) -> Option<Range<usize>> {
    let (number, noun) = new.split_once(' ')?;
    if is_ordinal(number) {
        let places = locate(text, noun, Reach::Words).places;
        let [place] = places.as_slice() else { return None };
        let before = text[..place.start].trim_end();
        let start = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len();
        return (before.len() < place.start && is_ordinal(&before[start..])).then_some(start..before.len());
    }
    value::only_values(number).filter(|values| values[0].kind.family() == Kind::Number.family())?;
    let places = locate(text, noun, Reach::Words).places;
    let [place] = places.as_slice() else { return None };
    number_before(text, place.start)
}

/// `3rd`, `21st`.
fn is_ordinal(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(&word[digits.len()..], "st" | "nd" | "rd" | "th")
}

/// The one word of the text that `new` says more about: the `milk` of `oat milk`.
fn qualified(text: &str, new: &str) -> Option<Range<usize>> {
    let (more, noun) = new.rsplit_once(' ')?;
    let strange = more.split_whitespace().all(|word| {
        word.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit())
            && !is_small(word)
            && locate(text, word, Reach::Words).places.is_empty()
    });
    let places = locate(text, noun, Reach::Words);
    (strange && more.split_whitespace().count() <= 2 && places.places.len() == 1 && places.exact)
        .then(|| places.places[0].clone())
}

/// The number that stands directly before `at`.
fn number_before(text: &str, at: usize) -> Option<Range<usize>> {
    let values = value::values(text);
    let value = values.iter().find(|value| {
        value.kind.family() == Kind::Number.family()
            && text[value.end..].trim_start().len() == text[at..].len()
            && value.end < at
    })?;
    Some(value.start..value.end)
}

/// Changes the value that the noun `old` stands for to `new`.
pub(super) fn change_value_of(text: &str, old: &str, new: &Operand) -> Result<String, Refusal> {
    let noun = without_article(old).unwrap_or(old);
    let found =
        [old, noun].into_iter().map(|words| locate(text, words, Reach::Words).places).find(|places| !places.is_empty());
    // `the travel budget` may be `… for travel` in the text.
    let found = found.or_else(|| {
        let content = |word: &&str| value::kind_of_noun(&word.to_lowercase()).is_none() && !is_small(word);
        let words: Vec<_> =
            noun.split_whitespace().filter(content).map(|word| locate(text, word, Reach::Words).places).collect();
        let named = words.iter().all(|places| places.len() == 1);
        words.into_iter().next().filter(|_| named)
    });
    let found = found.or_else(|| akin(text, noun).map(|place| vec![place]));
    let values = value::only_values(&new.text);
    let last = noun.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let kinds = value::kind_of_noun(&noun.to_lowercase()).or_else(|| value::kind_of_noun(&last));
    if let (Some(places), Some(values)) = (&found, &values)
        && let [place] = places.as_slice()
    {
        // `change eggs to 12` of `6 eggs`.
        if let Some(number) = number_before(text, place.start).filter(|_| values[0].kind == Kind::Number) {
            return Ok(put_one(text, number, &new.text, true));
        }
        return change_values(text, values, new, Some(place));
    }
    // A day is no time, and a time no day.
    let is_kind = |values: &[Value]| {
        let wanted = kinds.unwrap_or_default();
        wanted.is_empty() || values.iter().any(|value| wanted.iter().any(|kind| kind.family() == value.kind.family()))
    };
    if matches!(noun.to_lowercase().as_str(), "time" | "date" | "day") && !values.as_deref().is_none_or(is_kind) {
        return Err(Refusal::not_in_text(old));
    }
    let known = kinds.is_some() && modifiers_fit(text, noun) || found.is_some();
    match (values, kinds) {
        (Some(values), _) if known => change_values(text, &values, new, None),
        (None, Some(_)) if !new.quoted && is_indefinite(&new.text) => Err(Refusal::Vague),
        (None, Some(kinds)) if known => {
            let here: Vec<Value> =
                value::values(text).into_iter().filter(|value| kinds.contains(&value.kind)).collect();
            match here.as_slice() {
                // `the number should be mobile` names no number.
                [value]
                    if value.kind.family() == Kind::Number.family()
                        && !new.text.contains(|c: char| c.is_ascii_digit()) =>
                {
                    Err(Refusal::ambiguous(old))
                }
                [value] => Ok(put_one(text, value.start..value.end, &new.text, true)),
                [] => Err(Refusal::not_in_text(old)),
                _ => Err(Refusal::ambiguous(old)),
            }
        }
        _ => Err(Refusal::not_in_text(old)),
    }
}

/// The one word of the text that shares its stem with `noun`: the `departs` of `departure`.
fn akin(text: &str, noun: &str) -> Option<Range<usize>> {
    let stem = noun.get(..noun.len().saturating_sub(3)).filter(|stem| stem.len() >= 5 && stem.is_ascii())?;
    let opening = &text[..text.floor_char_boundary(LONGEST_OPENING)];
    let mut at = 0;
    let mut found = Vec::new();
    for word in opening.split(|c: char| !c.is_alphanumeric()) {
        if word.get(..stem.len()).is_some_and(|start| start.eq_ignore_ascii_case(stem)) {
            found.push(at..at + word.len());
        }
        at += word.len();
        at += opening[at..].chars().next().map_or(0, char::len_utf8);
    }
    found.pop().filter(|_| found.is_empty())
}

/// Whether what qualifies a noun is spoken of in the text: the `landing` of `landing time` where something `lands`.
fn modifiers_fit(text: &str, noun: &str) -> bool {
    let lower = noun.to_lowercase();
    if value::kind_of_noun(&lower).is_some() {
        return true;
    }
    let opening = text[..text.floor_char_boundary(LONGEST_OPENING)].to_lowercase();
    let mut modifiers: Vec<&str> = lower.split_whitespace().filter(|word| !is_small(word)).collect();
    modifiers.pop();
    modifiers.iter().all(|word| {
        let stem = &word[..word.floor_char_boundary(4)];
        opening.split(|c: char| !c.is_alphanumeric()).any(|other| other.starts_with(stem))
    })
}

/// Values are named by words near the start of a text.
const LONGEST_OPENING: usize = 4_096;

/// Changes the values of the text to those of `new`, near the noun at `noun` if the text has several.
fn change_values(text: &str, values: &[Value], new: &Operand, noun: Option<&Range<usize>>) -> Result<String, Refusal> {
    let missing = || Refusal::not_in_text(&new.text);
    if let Some(run) = only_run(text, values) {
        return Ok(put_one(text, run.clone(), &styled(&text[run.clone()], &trimmed(text, &run, &new.text)), true));
    }
    let mut places: Vec<(Range<usize>, String)> = Vec::new();
    for value in values {
        if let Some(place) = only_place(text, *value, noun)? {
            places.push((place, new.text[value.start..value.end].to_owned()));
        }
    }
    let distinct =
        places.iter().enumerate().all(|(at, (place, _))| places[..at].iter().all(|(other, _)| other != place));
    if places.len() == values.len() && distinct {
        // Small words around the values (`on Thursday`) only matter if the text has none.
        if let [(place, _)] = places.as_slice() {
            let place = &without_on(text, place, values[0].kind);
            return Ok(put_one(
                text,
                place.clone(),
                &styled(&text[place.clone()], &trimmed(text, place, &new.text)),
                true,
            ));
        }
        places.sort_by_key(|(place, _)| place.start);
        let ranges: Vec<Range<usize>> = places.iter().map(|(place, _)| place.clone()).collect();
        let new_of = |place: Range<usize>| {
            let new = places.iter().find(|(other, _)| *other == place).map(|(_, new)| new.as_str());
            styled(&text[place], new.unwrap_or_default())
        };
        return Ok(put(text, &ranges, new_of, true));
    }
    match places.as_slice() {
        // `Thursday at 3pm` for a text that has a day but no time.
        [(place, _)] => Ok(put_one(text, place.clone(), &trimmed(text, place, &new.text), true)),
        _ => Err(missing()),
    }
}

/// The one place where days of these kinds stand side by side: the `Monday 3 Feb` that `Tuesday 4 Feb` is meant for.
fn only_run(text: &str, values: &[Value]) -> Option<Range<usize>> {
    let kinds: Vec<Kind> = values.iter().map(|value| value.kind).collect();
    if kinds.len() < 2 || kinds.iter().any(|kind| kind.family() != Kind::Date.family()) {
        return None;
    }
    let here = value::values(text);
    let days: Vec<&Value> = here.iter().filter(|value| value.kind.family() == Kind::Date.family()).collect();
    let is_run = |run: &&[&Value]| {
        run.iter().zip(&kinds).all(|(value, kind)| value.kind == *kind)
            && run.windows(2).all(|pair| are_neighbours(text, pair[0], pair[1]))
    };
    match days.len() == kinds.len() {
        true => days.windows(kinds.len()).find(is_run).map(|run| run[0].start..run[kinds.len() - 1].end),
        false => None,
    }
}

/// `place` with the `on` before it, which does not go with `tomorrow`.
fn without_on(text: &str, place: &Range<usize>, kind: Kind) -> Range<usize> {
    match kind == Kind::Relative && text[..place.start].ends_with(" on ") {
        true => place.start - "on ".len()..place.end,
        false => place.clone(),
    }
}

/// `new` without a leading preposition if the text has another one there: `at 3pm` after `by`.
fn trimmed(text: &str, place: &Range<usize>, new: &str) -> String {
    let before = text[..place.start].split_whitespace().next_back().unwrap_or_default().to_lowercase();
    match new.split_once(' ') {
        Some((first, rest))
            if (is_preposition(&before)
                || before.ends_with([',', '(', ':', ';'])
                || value::only_values(&before).is_some())
                && matches!(
                    first.to_lowercase().as_str(),
                    "on" | "at" | "by" | "in" | "from" | "for" | "to" | "until" | "before" | "after"
                ) =>
        {
            rest.to_owned()
        }
        _ => new.to_owned(),
    }
}

/// Whether a value of one kind may take the place of one of another: a share is no amount.
fn can_stand_for(new: Kind, old: Kind) -> bool {
    new.family() == old.family() && (new == old || new == Kind::Number || new != Kind::Percent && old != Kind::Percent)
}

/// The one place of the text where a value like `value` stands; `None` if there is none.
fn only_place(text: &str, value: Value, noun: Option<&Range<usize>>) -> Result<Option<Range<usize>>, Refusal> {
    let family: Vec<Value> =
        value::values(text).into_iter().filter(|other| can_stand_for(value.kind, other.kind)).collect();
    if let [only] = family.as_slice() {
        return Ok(Some(place_for(text, only, value.kind)));
    }
    if family.is_empty() {
        return Ok(None);
    }
    let ambiguous = Refusal::ambiguous(kind_name(value.kind));
    if let Some(noun) = noun {
        let clause = clause_around(text, noun);
        let near: Vec<&Value> =
            family.iter().filter(|other| clause.start <= other.start && other.end <= clause.end).collect();
        return match near.as_slice() {
            [only] => Ok(Some(place_for(text, only, value.kind))),
            _ => Err(ambiguous),
        };
    }
    let same: Vec<&Value> = family.iter().filter(|other| other.kind == value.kind).collect();
    match same.as_slice() {
        // `Tuesday, 5 May` would no longer agree with itself.
        [only] if !family.iter().any(|other| *other != **only && are_neighbours(text, only, other)) => {
            Ok(Some(only.start..only.end))
        }
        _ => Err(ambiguous),
    }
}

/// Where a value of `kind` goes: a bare number leaves the currency beside it.
fn place_for(text: &str, value: &Value, kind: Kind) -> Range<usize> {
    if kind != Kind::Number || value.kind == Kind::Number {
        return value.start..value.end;
    }
    let body = &text[value.start..value.end];
    let start = body.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let length = body[start..]
        .find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '\''))
        .unwrap_or(body.len() - start);
    value.start + start..value.start + start + length
}

fn are_neighbours(text: &str, one: &Value, other: &Value) -> bool {
    let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
    text[first.end..second.start].split_whitespace().all(|word| matches!(word, "," | "the" | "of" | "("))
}

/// The stretch of a sentence, between commas and `and`, that `noun` stands in.
fn clause_around(text: &str, noun: &Range<usize>) -> Range<usize> {
    let sentence = sentence::sentences(text)
        .into_iter()
        .find(|sentence| sentence.start <= noun.start && noun.end <= sentence.end)
        .unwrap_or(0..text.len());
    // What a heading announces is all that follows.
    if text[noun.end..].starts_with(':') {
        return sentence;
    }
    let breaks = [", ", "; ", " and ", " but ", " - ", " – "];
    let start = breaks
        .iter()
        .filter_map(|mark| text[sentence.start..noun.start].rfind(mark).map(|at| sentence.start + at + mark.len()))
        .max();
    let end = breaks.iter().filter_map(|mark| text[noun.end..sentence.end].find(mark).map(|at| noun.end + at)).min();
    start.unwrap_or(sentence.start)..end.unwrap_or(sentence.end)
}

fn kind_name(kind: Kind) -> &'static str {
    match kind.family() {
        0 => "date",
        1 => "time",
        2 => "number",
        3 => "email",
        4 => "link",
        _ => "phone number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinal_is_found_behind_any_sign() {
        for text in ["The desk is on the 3rd floor", "The desk is on the ‘3rd floor’", "The desk: –3rd floor"] {
            let place = number_and_noun(text, "4th floor").unwrap();
            assert_eq!(&text[place], "3rd", "{text}");
        }
    }
}

//! Takes out what a request describes.

use std::collections::HashSet;
use std::ops::Range;

use super::super::{
    command::{self, Command},
    find::{content, is_empty_word},
    page::{Page, Row, key, split_conjunction},
    phrase::Phrase,
    refusal::Refusal,
    removal, sentence, vocabulary,
    words::Word,
};
use super::{
    entry::{self, Kind},
    sound::is_broken,
};

/// What kind of part a noun names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Sentence,
    Line,
    Item,
    Any,
}

/// `text` without what `phrase` describes; `before` are the words that a pronoun may stand for.
pub(in super::super) fn run(
    page: &Page,
    phrase: Phrase<'_, '_>,
    before: Option<Phrase<'_, '_>>,
) -> Result<String, Refusal> {
    let text = page.text.as_str();
    let asked = phrase.unmarked();
    let (what, whence) = apart(asked);
    let what = what.unmarked();
    if what.is_empty() {
        return Err(Refusal::Unclear);
    }
    // What is quoted or told needs no place.
    let given = is_pronoun(what) && before.is_some() || matches!(what.words, [only] if only.quoted);
    if let Some(whence) = whence
        && !given
        && !is_here(page, whence)
    {
        // `remove the stain from the shirt` may be what the text says.
        return literally(page, phrase).unwrap_or_else(|| Err(Refusal::not_in_text(whence.raw())));
    }
    if is_told(what) && (is_pronoun(what) || before.is_some()) {
        let before = before.ok_or(Refusal::Unclear)?;
        let many = what.words.iter().any(|word| word.is_any("both|two|three|those|these|them|they"));
        // `delete that action line`
        if what.words.last().is_some_and(|word| word.is_any("line|row"))
            && let Some((entries, at)) = entry::told_line(page, before)
        {
            return entries.without(page, &[at]).ok_or(Refusal::Emptied);
        }
        let done = of_statement(page, before);
        if done.is_ok() && !many {
            return done;
        }
        // `Audible and Duolingo were cancelled, so both should come off`
        let wanted = match what.words.iter().find(|word| word.is_any("both|two|three")) {
            Some(word) if word.is("three") => 3,
            Some(_) => 2,
            None => 1,
        };
        let named = entry::told(page, before).filter(|named| {
            if wanted == 1 && !many {
                named.which.len() == 1
            } else {
                named.which.len() >= wanted && (wanted == 1 || named.which.len() == wanted)
            }
        });
        return match named.and_then(|named| named.entries.without(page, &named.which)) {
            Some(changed) if !is_broken(text, &changed) => Ok(changed),
            // What several words tell of is no one thing.
            _ if many && done.is_ok() && entry::told(page, before).is_some() => Err(Refusal::ambiguous(before.raw())),
            _ => done,
        };
    }
    if let Some(done) = numbered(page, what) {
        return done;
    }
    match resolved(page, what, before)
        .and_then(|changed| if is_broken(text, &changed) { Err(Refusal::ambiguous(what.raw())) } else { Ok(changed) })
    {
        Ok(changed) => Ok(changed),
        Err(refusal) => each(page, what, before)
            .filter(Result::is_ok)
            .or_else(|| entries(page, what).map(Ok))
            .unwrap_or(Err(refusal)),
    }
}

/// The text without the entries that words name: `the one at 14:30`, `the first two steps`.
fn entries(page: &Page, what: Phrase<'_, '_>) -> Option<String> {
    let named = entry::some(page, what)?.ok()?;
    // `14:00 and 14:30` are two things in one.
    if let ([only], Kind::Row(row)) = (named.which.as_slice(), named.entries.kind)
        && !page.rows()[row].is_lines()
        && let (first, Some(joint)) = split_conjunction(page.at(&named.entries.bodies[*only]))
    {
        let body = &named.entries.bodies[*only];
        let last = body.start + first.len() + joint.len()..body.end;
        let keys = content(what.words);
        let all = |part: &Range<usize>| page.says_all(part, &keys);
        return all(&last).then(|| format!("{}{}", &page.text[..body.start + first.len()], &page.text[last.end..]));
    }
    named.entries.without(page, &named.which).filter(|changed| !is_broken(&page.text, changed))
}

/// `items 2 and 4`, `number 1`.
fn numbered(page: &Page, what: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let row = page.rows().iter().find(|row| row.is_lines())?;
    let what = what.strip("the|il|le|el|den|het|de").unwrap_or(what).unmarked();
    let (noun, rest) = what.words.split_first()?;
    // `remove b)`
    if let [close] = rest
        && close.is(")")
        && noun.raw.len() == 1
        && let Some(at) = row.lines().iter().position(|line| page.at(line).starts_with(&format!("{})", noun.raw)))
    {
        return Some(row.without(&page.text, &[at]).ok_or(Refusal::Emptied));
    }
    // `delete #3`
    if let Some(number) = noun.raw.strip_prefix('#').and_then(|number| number.parse::<usize>().ok())
        && rest.is_empty()
        && row.is_numbered(&page.text)
    {
        let at = number.checked_sub(1).filter(|at| *at < row.items.len() && row.items.len() > 1);
        return Some(at.and_then(|at| row.without(&page.text, &[at])).ok_or(Refusal::Nothing));
    }
    let counts = vocabulary::is(noun.folded.trim_end_matches('s'), "part.item")
        || noun.is_any("number|numbers|nr|no|punto|punkt|ponto|punt|point|question|questions|numero|nummer");
    let numbers: Vec<usize> = rest.iter().filter_map(|word| word.raw.trim_start_matches('#').parse().ok()).collect();
    let only = rest
        .iter()
        .all(|word| word.raw.trim_start_matches('#').chars().all(|c| c.is_ascii_digit()) || word.is_any("and|,|&|."));
    if !counts || numbers.is_empty() || !only {
        return None;
    }
    let mut gone: Vec<usize> = numbers.iter().filter_map(|number| number.checked_sub(1)).collect();
    gone.sort_unstable();
    gone.dedup();
    Some(match gone.iter().all(|at| *at < row.items.len()) && gone.len() < row.items.len() {
        true => row.without(&page.text, &gone).ok_or(Refusal::Emptied),
        false => Err(Refusal::Nothing),
    })
}

/// Several things that are named one after the other, if each of them is found.
fn each(page: &Page, what: Phrase<'_, '_>, before: Option<Phrase<'_, '_>>) -> Option<Result<String, Refusal>> {
    let joint = |word: &Word<'_>| word.is_any("and|,|&|und|et|y|e|en");
    if !what.words.iter().any(joint) {
        return None;
    }
    let parts = what.words.split(joint).filter(|part| !part.is_empty());
    let parts = parts.map(|words| Phrase { request: what.request, words });
    Some(page.after_all(parts, |page, part| resolved(page, part, before)))
}

/// What is to be removed, and from where.
fn apart<'a, 'r>(phrase: Phrase<'a, 'r>) -> (Phrase<'a, 'r>, Option<Phrase<'a, 'r>>) {
    let here = vocabulary::length_at_end(phrase.words, "from_here");
    if here > 0 && here < phrase.words.len() {
        let what = phrase.to(phrase.words.len() - here);
        return (what.strip_end("out|off").unwrap_or(what), None);
    }
    let particle = phrase.words.last().filter(|last| last.is_any("off|out|away") && phrase.words.len() > 1);
    let phrase = particle.map_or(phrase, |_| phrase.to(phrase.words.len() - 1));
    let at = phrase
        .words
        .iter()
        .rposition(|word| word.is_any("from|off|out|de|da|dalla|van|von|aus|del|della"))
        .filter(|at| *at > 0);
    let at =
        at.map(|at| at - usize::from(phrase.words[at].is("de") && at > 1 && phrase.words[at - 1].is_any("van|von")));
    match at {
        Some(at) => {
            let from = at + 1 + usize::from(phrase.words.get(at + 1).is_some_and(|word| word.is("of")));
            match phrase.words[at].is_any("de|da|del|van|von")
                && !phrase.from(from).words.iter().any(|word| is_list_noun(word))
            {
                true => (phrase, None),
                false => (phrase.to(at), Some(phrase.from(from))),
            }
        }
        None => (phrase, None),
    }
}

fn is_list_noun(word: &Word<'_>) -> bool {
    vocabulary::is(&word.folded, "list")
        || word.is_any("table|menu|programme|program|liste|lista|lijst|agenda|tagesordnung")
}

/// Whether a place that a request names is this text, or stands in it.
fn is_here(page: &Page, whence: Phrase<'_, '_>) -> bool {
    let known = |word: &Word<'_>| {
        word.quoted
            || is_empty_word(&word.folded)
            || is_list_noun(word)
            || vocabulary::is(&word.folded, "whole")
            || page.has(&key(word.raw))
            || !word.raw.contains(char::is_alphanumeric)
    };
    // A list may be called by what it is for.
    let listed = page.rows().len() == 1 && whence.words.last().is_some_and(is_list_noun) && whence.words.len() <= 4;
    listed || whence.words.iter().all(known)
}

pub(super) fn is_pronoun(phrase: Phrase<'_, '_>) -> bool {
    matches!(phrase.words, [only] if only.is_any("its|his|their|it|this|that|them|him|her|those|these|one|she|he|they|es|ihn|sie|le|la|lo|los|las"))
        || phrase.raw().eq_ignore_ascii_case("the name")
        || phrase.words.len() > 1
            && phrase
                .words
                .iter()
                .all(|word| word.is_any("it|them|him|her|his|its|their|and|number|entry|name|details|too"))
        || phrase.raw().eq_ignore_ascii_case("that one")
}

/// `that bullet`, `this sentence`: a part that was told of.
/// Whether words only point to what was told: `it`, `that bit`, `those two`.
pub(super) fn is_told(what: Phrase<'_, '_>) -> bool {
    is_pronoun(what)
        || is_told_part(what)
        || matches!(what.words, [that, .., part] if what.words.len() <= 4 && that.is_any("that|this|those|these") && part_of(part).is_some())
        || (1..=3).contains(&what.words.len())
            && what.words[0].is_any("those|these|both|that|this|it|they|he|she|the")
            && what.words[1..].iter().all(|word| {
                word.is_any("two|three|ones|one|items|both|of|them|those|boxes|entries|box|tasks|lines|rows|names")
            })
            && (what.words.len() > 1 || !what.words[0].is("the"))
}

fn is_told_part(what: Phrase<'_, '_>) -> bool {
    let shown = matches!(what.words, [that, noun] if that.is("that") && noun.raw.chars().all(char::is_lowercase) && noun.raw.len() > 3);
    shown
        || matches!(what.words, [that, part] if that.is_any("that|this|its|his|her|their") && (part_of(part).is_some() || part.is_any("rule|box|record|column|slot|viewing|appointment|reservation|booking")))
}

fn resolved(page: &Page, what: Phrase<'_, '_>, before: Option<Phrase<'_, '_>>) -> Result<String, Refusal> {
    let twice = what.words.iter().any(|word| word.is_any("duplicate|duplicates|duplicated|doubled|repeated"));
    if what.words.iter().any(|word| word.quoted) && !twice {
        return quoted(page, what);
    }
    // `the second bullet`, `everything after …`: what is counted.
    if let Some(done) = counted(page, what, before) {
        return done;
    }
    let (part, named) = described(what);
    if let Some(named) = named {
        let keys = split_keys(page, without_question(named));
        let keys = if is_pronoun(named) { before.map_or(Vec::new(), |before| known(page, before)) } else { keys };
        return about(page, part.unwrap_or(Part::Any), &keys, named);
    }
    if part.is_some() {
        return literally(page, what).unwrap_or(Err(Refusal::Several));
    }
    let keys = split_keys(page, what);
    if keys.is_empty() {
        return literally(page, what).unwrap_or(Err(Refusal::Unclear));
    }
    if let Some(found) = label(page, &keys) {
        return found;
    }
    match item(page, &keys, what) {
        Found::One(changed) => return Ok(changed),
        Found::Several => return Err(Refusal::ambiguous(what.raw())),
        Found::None => {}
    }
    if let Some(done) = tag(page, what).or_else(|| conjunct(page, &keys)) {
        return Ok(done);
    }
    literally(page, what).unwrap_or_else(|| Err(Refusal::not_in_text(what.raw())))
}

/// `the [urgent] tag`, `#work`: a mark with a word in it.
fn tag(page: &Page, what: Phrase<'_, '_>) -> Option<String> {
    let marks: Vec<&Word<'_>> = what.words.iter().filter(|word| word.raw.starts_with(['[', '#'])).collect();
    let [mark] = marks.as_slice() else { return None };
    let places: Vec<usize> = page.text.match_indices(mark.raw).map(|(at, _)| at).collect();
    let [at] = places.as_slice() else { return None };
    let rest = sentence::without(&page.text, &(*at..at + mark.raw.len()));
    Some(rest.trim_start().to_owned())
}

/// One of two things that are named together: the `Fridays` of `Tuesdays and Fridays at 17:30`.
fn conjunct(page: &Page, keys: &[String]) -> Option<String> {
    let [key] = keys else { return None };
    let found: Vec<usize> = (0..page.words().len()).filter(|&at| page.words()[at].key == *key).collect();
    let [at] = found.as_slice() else { return None };
    let (at, text) = (*at, page.text.as_str());
    let is_and = |at: usize| {
        matches!(text[page.words()[at].place.clone()].to_lowercase().as_str(), "and" | "und" | "et" | "y" | "en")
    };
    let alike = |one: usize, other: usize| {
        let capital = |at: usize| text[page.words()[at].place.clone()].starts_with(char::is_uppercase);
        capital(one) == capital(other)
    };
    let place = &page.words()[at].place;
    if at >= 2 && is_and(at - 1) && alike(at - 2, at) {
        let start = page.words()[at - 2].place.end;
        return (&text[start..place.start] == " and " || text[start..place.start].len() < 6)
            .then(|| format!("{}{}", &text[..start], &text[place.end..]));
    }
    if at + 2 < page.words().len() && is_and(at + 1) && alike(at + 2, at) {
        return Some(format!("{}{}", &text[..place.start], &text[page.words()[at + 2].place.start..]));
    }
    None
}

/// `where the router is` is about the router.
fn without_question<'a, 'r>(named: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    let Some(rest) = named.strip("where|what|who|how|when|why|which|whether") else { return named };
    let end = rest
        .words
        .iter()
        .rposition(|word| !vocabulary::is(&word.folded, "be") && !word.is_any("to|do"))
        .map_or(0, |at| at + 1);
    if end > 0 { rest.to(end) } else { named }
}

/// The keys of what is named; a compound of words that the text has apart is taken apart.
fn split_keys(page: &Page, named: Phrase<'_, '_>) -> Vec<String> {
    let mut out = Vec::new();
    let some_known = named.words.iter().any(|word| page.has(&key(word.raw)) && !is_empty_word(&word.folded));
    for word in named.words.iter().filter(|word| !word.quoted && word.raw.contains(char::is_alphanumeric)) {
        let whole = key(word.raw);
        let parts: Vec<String> = word.raw.split('-').map(key).collect();
        if !page.has(&whole) && parts.len() > 1 && parts.iter().all(|part| page.has(part)) {
            out.extend(parts);
            continue;
        }
        // `the Skype handle`, where the text has only the name.
        let only_sort = some_known && !page.has(&whole) && vocabulary::is(&word.folded, "thing");
        if !is_empty_word(&word.folded) && !only_sort {
            out.push(whole);
        }
    }
    out
}

/// `the sentence about X`, `the X part`: the part and what it is about.
fn described<'a, 'r>(what: Phrase<'a, 'r>) -> (Option<Part>, Option<Phrase<'a, 'r>>) {
    let rest =
        what.strip("everything|anything|all|the whole").filter(|rest| vocabulary::length(rest.words, "about") > 0);
    if let Some(rest) = rest {
        return (Some(Part::Any), Some(rest.from(vocabulary::length(rest.words, "about"))));
    }
    let article = usize::from(what.words.first().is_some_and(|word| vocabulary::is(&word.folded, "article")));
    let rest = what.from(article);
    for at in 0..rest.words.len() {
        let Some(part) = part_of(&rest.words[at]) else { continue };
        let after = rest.from(at + 1);
        let about = vocabulary::length(after.words, "about");
        if about > 0 && after.words.len() > about {
            // `the old note about parking`: what stands before the noun is part of the name as well.
            return (Some(part), Some(after.from(about)));
        }
        if after.is_empty() && at > 0 {
            return (Some(part), Some(rest.to(at)));
        }
        if after.is_empty() {
            let plain = rest.words[at].is_any("sentence|line|bullet|item|paragraph|part|bit|step|point");
            return (plain.then_some(part), None);
        }
    }
    (None, None)
}

fn part_of(word: &Word<'_>) -> Option<Part> {
    let word = word.folded.as_ref();
    let classes = [
        ("part.sentence", Part::Sentence),
        ("part.line", Part::Line),
        ("part.item", Part::Item),
        ("part.any", Part::Any),
    ];
    classes.into_iter().find(|(class, _)| vocabulary::is(word, class)).map(|(_, part)| part).or(match word {
        "satz" | "phrase" | "frase" | "zin" => Some(Part::Sentence),
        "zeile" | "ligne" | "linea" | "riga" | "linha" | "regel" => Some(Part::Line),
        "punkt" | "punto" | "ponto" | "punt" => Some(Part::Item),
        "teil" | "partie" | "parte" | "deel" => Some(Part::Any),
        _ => None,
    })
}

/// The part of the text that is about `keys`, taken out.
fn about(page: &Page, part: Part, keys: &[String], named: Phrase<'_, '_>) -> Result<String, Refusal> {
    let text = page.text.as_str();
    let missing = || Refusal::not_in_text(named.raw());
    if keys.is_empty() {
        return Err(Refusal::Unclear);
    }
    if let Some(found) = label(page, keys).filter(|_| part != Part::Sentence) {
        return found;
    }
    if part != Part::Sentence {
        match item(page, keys, named) {
            Found::One(changed) => return Ok(changed),
            Found::Several => return Err(Refusal::ambiguous(named.raw())),
            Found::None => {}
        }
        if let Some(place) = bracket(page, keys) {
            return Ok(sentence::without(text, &place));
        }
    }
    let ranges = if part == Part::Line { sentence::lines(text) } else { page.sentences().to_vec() };
    let all = |range: &&Range<usize>| page.says_all(range, keys);
    let found: Vec<&Range<usize>> = ranges.iter().filter(all).collect();
    match found.as_slice() {
        [] => Err(missing()),
        // `the bit about Leo struggling with reading` of `Leo does well in maths, struggles with reading, …`
        [only]
            if part == Part::Any
                && keys.len() > 1
                && let Some(new) = without_said(page, only, keys) =>
        {
            Ok(new)
        }
        [only] if ranges.len() > 1 => Ok(match part {
            Part::Line => super::super::list::without_line(text, only),
            _ => sentence::without(text, only),
        }),
        [_] => without_segment(page, keys).ok_or(Refusal::Emptied),
        _ => Err(Refusal::ambiguous(named.raw())),
    }
}

/// The text without the only segment of a sentence that says all of `keys` but whom it is about, if that is named before it.
fn without_said(page: &Page, sentence: &Range<usize>, keys: &[String]) -> Option<String> {
    let has = |range: &Range<usize>, key: &String| page.says(range, key);
    let segments: Vec<&Range<usize>> = page
        .segments()
        .iter()
        .filter(|segment| sentence.start <= segment.start && segment.end <= sentence.end)
        .collect();
    let (first, others) = segments.split_first().filter(|(_, others)| others.len() > 1)?;
    let named = keys.iter().find(|key| has(first, key) && !others.iter().any(|other| has(other, key)))?;
    let rest: Vec<String> = keys.iter().filter(|key| *key != named).cloned().collect();
    let says = |segment: &&&Range<usize>| rest.iter().all(|key| has(segment, key));
    let found: Vec<_> = others.iter().filter(says).collect();
    let [segment] = found.as_slice() else { return None };
    let before = page.text[..segment.start].trim_end();
    let after = &page.text[segment.end..];
    let apart = before.ends_with(',') && (after.starts_with(',') || after.starts_with('.'));
    apart.then(|| format!("{}{after}", before.trim_end_matches(',')))
}

/// A text of one sentence without the only segment that says `keys`, if that is not its first.
fn without_segment(page: &Page, keys: &[String]) -> Option<String> {
    let all = |range: &&Range<usize>| page.says_all(range, keys);
    let found: Vec<&Range<usize>> = page.segments().iter().filter(all).collect();
    let [only] = found.as_slice() else { return None };
    let before = page.text[..only.start].trim_end();
    let comma = before.ends_with([',', ';', '–', '—', '-']);
    comma.then(|| {
        let before = before.trim_end_matches([',', ';', '–', '—', '-', ' ']);
        let after = page.text[only.end..].trim_end();
        let end = if page.text[..only.end].ends_with('.') && after.is_empty() { "." } else { "" };
        format!("{before}{end}{after}")
    })
}

/// The brackets that say all of `keys`.
fn bracket(page: &Page, keys: &[String]) -> Option<Range<usize>> {
    let mut found = Vec::new();
    for (at, _) in page.text.match_indices('(').take(50) {
        let end = at + page.text[at..].find(')')? + 1;
        let inner = at..end;
        if page.says_all(&inner, keys) {
            found.push(inner);
        }
    }
    match found.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// `text` without the pair whose label is named.
fn label(page: &Page, keys: &[String]) -> Option<Result<String, Refusal>> {
    let said = |key: &String| keys.contains(key) || is_empty_word(key);
    let is_named = |label: &&super::super::page::Label| {
        label.keys.iter().all(said) && keys.iter().all(|key| label.keys.contains(key))
    };
    let found: Vec<_> = page.labels().iter().filter(is_named).collect();
    let [label] = found.as_slice() else {
        return (!found.is_empty()).then(|| Err(Refusal::ambiguous(&keys.join(" "))));
    };
    // A label that opens a list is its heading.
    if page.rows().iter().any(|row| {
        row.items.first().is_some_and(|first| first.start >= label.value.start && row.items.len() > 2)
            && row.items.iter().all(|item| item.end <= label.whole.end)
    }) && page.labels().len() == 1
    {
        return None;
    }
    let text = page.text.as_str();
    let line = sentence::lines(text)
        .into_iter()
        .find(|line| line.start <= label.whole.start && label.whole.end <= line.end)?;
    if line.start == label.whole.start && text[label.whole.end..line.end].trim_matches(['.', ' ']).is_empty() {
        return Some(Ok(super::super::list::without_line(text, &line)).and_then(not_empty));
    }
    let sentence = page.sentence_of(&label.whole);
    if sentence.start == label.whole.start {
        return Some(Ok(sentence::without(text, &sentence)).and_then(not_empty));
    }
    // One of several cells or items.
    let row = page
        .rows()
        .iter()
        .find(|row| row.items.iter().any(|item| item.start <= label.name.start && label.value.end <= item.end))?;
    let at = row.items.iter().position(|item| item.start <= label.name.start && label.value.end <= item.end)?;
    row.without(text, &[at]).map(Ok)
}

fn not_empty(text: String) -> Result<String, Refusal> {
    if text.trim().is_empty() { Err(Refusal::Emptied) } else { Ok(text) }
}

enum Found {
    None,
    One(String),
    Several,
}

/// `text` without the item that says all of `keys`.
fn item(page: &Page, keys: &[String], named: Phrase<'_, '_>) -> Found {
    let mut found: Vec<(&Row, usize, bool)> = Vec::new();
    for row in page.rows() {
        for (at, item) in row.items.iter().enumerate() {
            let words = page.words_in(item);
            let heading = page.words_in(&row.heading);
            let here = |key: &String| words.iter().any(|word| word.key == *key);
            let above = |key: &String| keys.len() > 1 && heading.iter().any(|word| word.key == *key);
            if keys.iter().all(|key| here(key) || above(key)) && keys.iter().any(here) {
                let exact = words.iter().all(|word| keys.contains(&word.key) || is_empty_word(&word.key));
                found.push((row, at, exact));
            }
        }
    }
    // The very item before one that only mentions it.
    if found.len() > 1 && found.iter().filter(|(_, _, exact)| *exact).count() == 1 {
        found.retain(|(_, _, exact)| *exact);
    }
    match found.as_slice() {
        [] => Found::None,
        [(row, at, exact)] => {
            // The words that lead into a row are not part of its first item.
            if !row.is_lines() && *at == 0 && !exact && !page.text[..row.items[0].start].trim_end().ends_with(':') {
                return lead_item(page, row, keys).map_or(Found::None, Found::One);
            }
            let long = page.at(&row.items[*at]).split_whitespace().count() > 6 && !row.is_lines() && !exact;
            if long {
                return Found::None;
            }
            row.without(&page.text, &[*at]).filter(|text| !text.trim().is_empty()).map_or(Found::None, Found::One)
        }
        _ if named.words.iter().any(|word| word.is_any("duplicate|duplicates")) => Found::None,
        _ => Found::Several,
    }
}

/// The first item of a row that something leads into: the `Bo` of `The team is Bo, Ann and Cy`.
fn lead_item(page: &Page, row: &Row, keys: &[String]) -> Option<String> {
    let item = &row.items[0];
    let words = page.words_in(item);
    let from = words.iter().position(|word| keys.contains(&word.key))?;
    if !words[from..].iter().all(|word| keys.contains(&word.key)) || row.items.len() < 2 {
        return None;
    }
    let start = words[from].place.start;
    Some(format!("{}{}", &page.text[..start], {
        let rest = row.without(&page.text, &[0])?;
        let skipped = row.range().start;
        rest[skipped..].to_owned()
    }))
}

/// What a statement before it names, taken out: `the boat is sold, remove it`.
fn of_statement(page: &Page, before: Phrase<'_, '_>) -> Result<String, Refusal> {
    if let Some(done) = counted(page, before, None) {
        return done;
    }
    // Who or what it is about stands before its verb.
    let verb = before.words.iter().position(|word| super::cut::is_verb(&word.folded) || word.folded.ends_with("n't"));
    let subject = verb.map_or(Vec::new(), |at| known(page, before.to(at)));
    let in_rows = |keys: &[String]| {
        page.rows()
            .iter()
            .any(|row| row.items.iter().any(|item| page.words_in(item).iter().any(|word| keys.contains(&word.key))))
    };
    // `the second question has been answered`
    if let Some(at) = verb
        && let Some((row, item)) = super::items::counted(page, before.to(at))
    {
        return page.rows()[row].without(&page.text, &[item]).ok_or(Refusal::Emptied);
    }
    // `the sentence with the passcode must not stay`
    if let (Some(part), Some(named)) = described(verb.map_or(before, |at| before.to(at))) {
        let keys = split_keys(page, named);
        if !keys.is_empty() && keys.iter().all(|key| page.has(key)) {
            return about(page, part, &keys, named);
        }
    }
    let quoted: Vec<String> =
        before.words.iter().filter(|word| word.quoted).flat_map(|word| super::super::page::keys(word.raw)).collect();
    for keys in [&quoted, &subject] {
        if let Some(done) = label(page, keys).filter(|_| !keys.is_empty()) {
            return done;
        }
    }
    let keys = if in_rows(&subject) { subject } else { known(page, before) };
    if keys.is_empty() {
        return Err(Refusal::Unclear);
    }
    let mut found: Vec<(usize, &Row, usize)> = Vec::new();
    for row in page.rows() {
        for (at, item) in row.items.iter().enumerate() {
            let count = keys.iter().filter(|key| page.words_in(item).iter().any(|word| word.key == **key)).count();
            if count > 0 {
                found.push((count, row, at));
            }
        }
    }
    let most = found.iter().map(|(count, ..)| *count).max().unwrap_or(0);
    found.retain(|(count, ..)| *count == most);
    // The very item before one that only mentions it.
    let exact = |row: &Row, at: usize| {
        page.words_in(&row.items[at]).iter().all(|word| keys.contains(&word.key) || is_empty_word(&word.key))
    };
    if found.len() > 1 && found.iter().filter(|(_, row, at)| exact(row, *at)).count() == 1 {
        found.retain(|(_, row, at)| exact(row, *at));
    }
    match found.as_slice() {
        [(_, row, at)] => row.without(&page.text, &[*at]).ok_or(Refusal::Emptied),
        // The only sentence about it.
        [] if page.sentences().len() > 1 => about(page, Part::Sentence, &keys, before),
        [] => Err(Refusal::not_in_text(before.raw())),
        _ => Err(Refusal::ambiguous(before.raw())),
    }
}

/// The keys of a statement's words that the text has.
fn known(page: &Page, before: Phrase<'_, '_>) -> Vec<String> {
    let quoted = before.words.iter().filter(|word| word.quoted).flat_map(|word| super::super::page::keys(word.raw));
    content(before.words).into_iter().chain(quoted).filter(|key| page.has(key)).collect()
}

/// `the duplicate line`, `item 2`, `the last sentence`, `the remark in brackets`.
fn counted(page: &Page, what: Phrase<'_, '_>, before: Option<Phrase<'_, '_>>) -> Option<Result<String, Refusal>> {
    if what.words.iter().any(|word| word.is_any("duplicate|duplicates|duplicated|doubled|repeated")) {
        return Some(without_duplicate(page));
    }
    let bracketed =
        what.words.iter().any(|word| word.is_any("brackets|parentheses|parenthesis|bracket|parens|parenthetical"));
    if bracketed {
        return literally(page, Phrase { request: what.request, words: what.words })
            .or_else(|| Some(one_bracket(page)));
    }
    let bracketed =
        what.words.len() <= 6 && what.find("in parentheses|in brackets|in the brackets|in the parentheses").is_some();
    if bracketed {
        return Some(one_bracket(page));
    }
    if before.is_none()
        && what.words.len() > 2
        && let Some(done) = numbered(page, what.to(2))
    {
        return Some(done);
    }
    let part = super::super::counting::part(what).or_else(|| {
        // `item 2 is done`
        (what.words.len() > 2)
            .then(|| super::super::counting::part(what.to(2)))
            .flatten()
            .filter(|_| what.words[1].raw.contains(|c: char| c.is_ascii_digit()))
    })?;
    let named = Command::Remove(command::What::Counted(part.0, part.1));
    Some(command::apply(&page.text, &named))
}

fn one_bracket(page: &Page) -> Result<String, Refusal> {
    let open = page.text.find('(').ok_or(Refusal::Nothing)?;
    let close = page.text[open..].find(')').map(|at| open + at + 1).ok_or(Refusal::Nothing)?;
    match page.text[close..].contains('(') {
        true => Err(Refusal::Several),
        false => Ok(sentence::without(&page.text, &(open..close))),
    }
}

/// The text with one of two equal items, lines or neighbouring words.
fn without_duplicate(page: &Page) -> Result<String, Refusal> {
    let text = page.text.as_str();
    let same = |one: &Range<usize>, other: &Range<usize>| page.at(one).to_lowercase() == page.at(other).to_lowercase();
    let said_before = |places: &[Range<usize>]| -> Vec<usize> {
        let mut seen = HashSet::new();
        (0..places.len()).filter(|&at| !seen.insert(page.at(&places[at]).to_lowercase())).collect()
    };
    for row in page.rows() {
        let twice = said_before(&row.items);
        if let [only] = twice.as_slice() {
            return row.without(text, &[*only]).ok_or(Refusal::Emptied);
        }
    }
    let lines = sentence::lines(text);
    if let [only] = said_before(&lines).as_slice() {
        return Ok(super::super::list::without_line(text, &lines[*only]));
    }
    let doubled: Vec<usize> = (1..page.words().len())
        .filter(|&at| {
            page.words()[at].key == page.words()[at - 1].key
                && same(&page.words()[at].place, &page.words()[at - 1].place)
                && page.text[page.words()[at - 1].place.end..page.words()[at].place.start].trim().is_empty()
        })
        .collect();
    match doubled.as_slice() {
        [at] => Ok(format!("{}{}", &text[..page.words()[at - 1].place.end], &text[page.words()[*at].place.end..])),
        [] => Err(Refusal::Nothing),
        _ => Err(Refusal::Several),
    }
}

/// Words in quotation marks, taken out with the brackets that hold nothing else.
fn quoted(page: &Page, what: Phrase<'_, '_>) -> Result<String, Refusal> {
    let words: Vec<&Word<'_>> = what.words.iter().filter(|word| word.quoted).collect();
    if let [only] = words.as_slice() {
        let bare = only.raw.trim_start_matches('(').trim_end_matches(')');
        let bracketed = format!("({bare})");
        if let Some(at) = page.text.find(&bracketed) {
            // A comma after it belongs to what stands before it.
            let (before, after) = (&page.text[..at], &page.text[at + bracketed.len()..]);
            return Ok(match after.starts_with([',', ';', '.', ':']) {
                true => format!("{}{after}", before.trim_end()),
                false => sentence::without(&page.text, &(at..at + bracketed.len())),
            });
        }
        for row in page.rows().iter().filter(|row| row.is_lines()) {
            if let Some(at) = row.items.iter().position(|item| page.at(item).eq_ignore_ascii_case(only.raw)) {
                return row.without(&page.text, &[at]).ok_or(Refusal::Emptied);
            }
        }
    }
    let done = literally(page, what).unwrap_or(Err(Refusal::Unclear));
    done.map(|changed| if page.text.contains(",,") { changed } else { changed.replace(",,", ",") })
}

/// What is asked of the words that are named, wherever they stand.
fn literally(page: &Page, what: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let text = page.text.as_str();
    let commands = removal::commands(what)?;
    Some(super::settle(text, &commands))
}

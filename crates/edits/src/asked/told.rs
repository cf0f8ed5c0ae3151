//! Rules for statements that name something of the text and tell another of its kind: `the exam moved to hall A`, `lunch is not
//! provided any more`, `he no longer works at Siemens, he is at Bosch now`.

use std::ops::Range;

use super::super::{
    find::{self, content, is_empty_word},
    page::{Page, key},
    phrase::Phrase,
    refusal::Refusal,
    words::Word,
};

/// `moved to hall A`, where the text has `hall C`: the same noun with another name or number.
pub(super) fn renumbered(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    for at in 1..said.words.len() {
        let (noun, name) = (&said.words[at - 1], &said.words[at]);
        if !is_noun(noun) || !is_designation(name) || page.has(&key(name.raw)) {
            continue;
        }
        let count = said.words[at..].iter().take_while(|word| is_designation(word)).count();
        let others = super::fact::new_values(page, said).iter().any(|span| span.end <= at || span.start >= at + count);
        let alone =
            !others && !said.words.iter().any(|word| word.is(",")) && super::fact::is_tail(page, said.from(at + count));
        if !alone {
            return Err(Refusal::Unclear);
        }
        let new = said.to(at + count).from(at).raw();
        let places = designations(page, &key(noun.raw));
        let others: Vec<String> = content(said.to(at - 1).words)
            .into_iter()
            .filter(|other| page.has(other) && *other != key(noun.raw))
            .collect();
        let place = match places.as_slice() {
            [] => continue,
            [only] => only.clone(),
            several => {
                let near = |place: &&Range<usize>| {
                    let sentence = page.sentence_of(place);
                    !others.is_empty() && page.says_all(&sentence, &others)
                };
                let near: Vec<&Range<usize>> = several.iter().filter(near).collect();
                let [only] = near.as_slice() else { return Err(Refusal::ambiguous(noun.raw)) };
                (*only).clone()
            }
        };
        found.push((place, new.to_owned()));
    }
    match found.as_slice() {
        [(place, new)] => {
            let numbers = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
            match numbers(page.at(place)) == numbers(new) {
                true => Ok(find::applied(&page.text, &vec![(place.clone(), new.clone())])),
                false => Err(Refusal::Unclear),
            }
        }
        _ => Err(Refusal::Unclear),
    }
}

fn is_noun(word: &Word<'_>) -> bool {
    !word.quoted
        && word.raw.chars().count() > 3
        && word.raw.chars().all(char::is_lowercase)
        && !is_empty_word(&word.folded)
        && !super::cut::is_verb(&word.folded)
        && !super::super::small_words::is_preposition(word.raw)
}

/// Whether a word names one of several things of a kind: `A`, `12`, `Falcon`.
fn is_designation(word: &Word<'_>) -> bool {
    !word.quoted
        && word.raw.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && word.raw.chars().all(|c| c.is_alphanumeric() || c == '-')
}

/// Where the text names one of the things that a noun stands for.
fn designations(page: &Page, noun: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    for pair in 0..page.words().len().saturating_sub(1) {
        let (word, next) = (&page.words()[pair], &page.words()[pair + 1]);
        let named = page.at(&next.place);
        if word.key != noun
            || &page.text[word.place.end..next.place.start] != " "
            || !named.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
            || !named.chars().all(|c| c.is_alphanumeric() || c == '-')
        {
            continue;
        }
        let mut end = next.place.end;
        for later in &page.words()[pair + 2..] {
            let gap = &page.text[end..later.place.start];
            if gap != " " || !page.at(&later.place).starts_with(char::is_uppercase) {
                break;
            }
            end = later.place.end;
        }
        out.push(next.place.start..end);
    }
    out
}

/// `lunch is not provided any more` of `Lunch is provided`, `passes are included` of `passes not included`.
pub(super) fn negated(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let said = said.unmarked();
    let said = said.strip_end("any more|anymore|any longer|after all|now").unwrap_or(said);
    let is_copula = |word: &Word<'_>| word.is_any("is|are|was|were|isn't|aren't|wasn't|weren't");
    let at = said.words.iter().position(is_copula).filter(|at| (1..=4).contains(at)).ok_or(Refusal::Unclear)?;
    let denied = said.words[at].folded.ends_with("n't")
        || said.words.get(at + 1).is_some_and(|word| word.is("not"))
        || said.from(at + 1).starts("no longer");
    let skipped = match said.words.get(at + 1) {
        Some(word) if word.is("not") => 1,
        Some(word) if word.is("no") && said.from(at + 1).starts("no longer") => 2,
        _ => 0,
    };
    let [state] = said.from(at + 1 + skipped).words else { return Err(Refusal::Unclear) };
    let subject = content(said.to(at).words);
    let last = subject.last().ok_or(Refusal::Unclear)?;
    if !subject.iter().all(|key| page.has(key)) || state.raw.contains(|c: char| c.is_ascii_digit()) {
        return Err(Refusal::Unclear);
    }
    let mut found = Vec::new();
    for at in 1..page.words().len() {
        if page.words()[at].key != key(state.raw) {
            continue;
        }
        let before: Vec<&str> =
            page.words()[at.saturating_sub(3)..at].iter().map(|word| page.at(&word.place)).collect();
        let negation = before.last().is_some_and(|word| word.eq_ignore_ascii_case("not"));
        let noun = before.iter().rev().find(|word| {
            !matches!(word.to_lowercase().as_str(), "not" | "is" | "are" | "was" | "were" | "be" | "being" | "yet")
        });
        if noun.is_some_and(|noun| key(noun) == *last) {
            found.push((at, negation));
        }
    }
    let [(at, negation)] = found.as_slice() else { return Err(Refusal::Unclear) };
    let place = &page.words()[*at].place;
    match (*negation, denied) {
        (false, true) => Ok(find::applied(&page.text, &vec![(place.start..place.start, "not ".to_owned())])),
        (true, false) => {
            let not = &page.words()[at - 1].place;
            Ok(find::applied(&page.text, &vec![(not.start..place.start, String::new())]))
        }
        _ => Err(Refusal::Unclear),
    }
}

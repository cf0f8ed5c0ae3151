//! One name for another: `Sasha goes by Alex now`, `Oskar proofreads from now on`, `Dmitri is taking his place`.

use std::ops::Range;

use super::super::{
    find,
    locate::{Reach, locate},
    page::{Page, TextWord, key},
    phrase::Phrase,
    refusal::Refusal,
    small_words::is_preposition,
    vocabulary,
    words::Word,
};

/// `Sasha goes by Alex now`: another name for the same, wherever it stands.
pub(super) fn renamed(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    const CALLED: &str = "now goes by|goes by|is now called|are now called|is now known as|is now named|has been renamed to|was renamed to|\
         is being renamed to|got renamed to|has been rebranded as|has been rebranded to|rebranded as|rebranded to|\
         changed her name to|changed his name to|changed their name to|changed its name to|is called|was renamed|\
         has been renamed from|was renamed from|renamed from";
    let at = said.find(CALLED).filter(|at| *at > 0).ok_or(Refusal::Unclear)?;
    let rest = said.from(at).strip(CALLED).ok_or(Refusal::Unclear)?;
    let (old, new) = match rest.words.iter().position(|word| word.is("to")) {
        Some(to) if said.to(said.words.len() - rest.words.len()).words.last().is_some_and(|word| word.is("from")) => {
            (rest.to(to), rest.from(to + 1))
        }
        _ => (said.to(at), rest),
    };
    let new = name(new).ok_or(Refusal::Unclear)?;
    if let Some(old) = name(old) {
        return everywhere(page, old, new);
    }
    // `the company is called Acme SE now` of a text about Acme GmbH.
    let (first, _) = new.split_once(' ').ok_or(Refusal::Unclear)?;
    let is_kin = |name: &&str| name.split(' ').next() == Some(first) && *name != new;
    let mut kin: Vec<&str> = names(page).iter().map(|(range, _)| page.at(range)).filter(is_kin).collect();
    kin.sort_unstable();
    kin.dedup();
    match kin.as_slice() {
        [old] if old.contains(' ') => everywhere(page, old, new),
        _ => Err(Refusal::Unclear),
    }
}

/// `change the name everywhere` after `Helen has been replaced by Miriam`, `the project was renamed from Falcon to Kestrel`.
pub(super) fn renamed_as_told(
    page: &Page,
    asked: Phrase<'_, '_>,
    told: Phrase<'_, '_>,
) -> Option<Result<String, Refusal>> {
    let asked = asked.unmarked();
    let verb = vocabulary::length(asked.words, "change").max(vocabulary::length(asked.words, "replace"));
    let object = asked.from(verb);
    let only_points = object.words.iter().all(|word| {
        word.is_any("mentions|occurrences|instances|references|of|it|the|name|this|that|them|accordingly|in|all|both|places|throughout|everywhere|every|place|her|his|their|note|here|old|one")
    });
    if verb == 0 || !only_points {
        return None;
    }
    let told = told.unmarked();
    let at = told.find("renamed|replaced|called|rebranded|succeeded|changed")?;
    let rest = told.from(at + 1);
    let (old, new) = match rest.strip("from") {
        Some(rest) => {
            let to = rest.words.iter().position(|word| word.is_any("to|as|by"))?;
            (rest.to(to), rest.from(to + 1))
        }
        None => {
            let verb = told.words.iter().position(|word| super::cut::is_verb(&word.folded))?;
            (told.to(verb), rest.strip("by|to|as|with").unwrap_or(rest))
        }
    };
    Some(everywhere(page, name(old)?, name(new.strip_end("now|instead").unwrap_or(new))?))
}

/// `text` with `new` wherever `old` stands, also as the owner of something.
fn everywhere(page: &Page, old: &str, new: &str) -> Result<String, Refusal> {
    let places = locate(&page.text, old, Reach::Words).places;
    let owned: Vec<Range<usize>> = page
        .words()
        .iter()
        .filter(|word| {
            let said = page.at(&word.place);
            said.strip_suffix("'s").or(said.strip_suffix("’s")).is_some_and(|owner| owner == old)
        })
        .map(|word| word.place.start..word.place.start + old.len())
        .collect();
    let mut all: Vec<Range<usize>> = places.into_iter().chain(owned).collect();
    all.sort_by_key(|place| place.start);
    all.dedup();
    if all.is_empty() || page.text.contains(new) {
        return Err(Refusal::not_in_text(old));
    }
    Ok(find::applied(&page.text, &all.into_iter().map(|place| (place, new.to_owned())).collect()))
}

/// The name that a phrase consists of, small words aside.
fn name<'r>(phrase: Phrase<'_, 'r>) -> Option<&'r str> {
    let phrase = phrase.unmarked();
    let end = phrase.strip_end("now|instead|from now on|these days").unwrap_or(phrase);
    let words = end.strip("the|to|as|our|my").unwrap_or(end);
    let is_name = |word: &Word<'_>| {
        let inner = word.raw.trim_matches(|c: char| !c.is_alphanumeric());
        word.quoted
            || word.raw.starts_with(char::is_uppercase)
            || inner.contains(['.', '-', '_', '/', '@']) && inner.len() > 3
    };
    // `the server db-old.internal`
    let words = match words.words {
        [noun, .., last] if noun.raw.chars().all(char::is_lowercase) && words.words.len() == 2 && is_name(last) => {
            words.from(1)
        }
        _ => words,
    };
    let all = !words.is_empty() && words.words.len() <= 4 && words.words.iter().all(is_name);
    match words.words {
        [only] if only.quoted => Some(only.raw),
        _ => all.then(|| words.raw()),
    }
}

/// `Oskar proofreads from now on`, `works at Bosch now`: a new name where the text has another one in the same company of words.
pub(super) fn in_company(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let said = said.unmarked();
    if said.words.len() > LONGEST {
        return Err(Refusal::Unclear);
    }
    let said = said.strip_end("now|instead|from now on|these days|going forward").unwrap_or(said);
    if said.words.iter().any(|word| {
        word.quoted || word.is_any("not|never|no|or|if|,|also|too|might|maybe|longer|asked|said|called|told")
    }) {
        return Err(Refusal::Unclear);
    }
    // A value beside the name is news as well.
    if !super::fact::new_values(page, said).is_empty() {
        return Err(Refusal::Unclear);
    }
    let (start, count) = new_name(page, said).ok_or(Refusal::Unclear)?;
    let new = said.from(start).to(count).raw();
    // A day is no name.
    if !find::only_values(new).is_empty() {
        return Err(Refusal::Unclear);
    }
    // Whatever follows has to be known.
    let known = |word: &Word<'_>| {
        !word.raw.contains(char::is_alphanumeric) || page.has(&key(word.raw)) || find::is_empty_word(&word.folded)
    };
    if !said.words[start + count..].iter().all(known) {
        return Err(Refusal::Unclear);
    }
    let mut places = Vec::new();
    let is_value =
        |place: &Range<usize>| page.values().iter().any(|value| value.start < place.end && place.start < value.end);
    for (range, words) in names(page).into_iter().filter(|(range, _)| !is_value(range)) {
        // A name is told from another by its place, not by what it is.
        let before = words.start.checked_sub(1).map(|at| &page.words()[at]);
        let after = page.words().get(words.end);
        if stands_alike(page, said, start, count, before, after) {
            places.push(range);
        }
    }
    match places.as_slice() {
        [only] => Ok(find::applied(&page.text, &vec![(only.clone(), new.to_owned())])),
        [] => Err(Refusal::Unclear),
        _ => Err(Refusal::ambiguous(new)),
    }
}

/// Nobody says more of one name, in words.
const LONGEST: usize = 30;

/// Where the only name of `said` that the text does not have stands, and how many words it has.
fn new_name(page: &Page, said: Phrase<'_, '_>) -> Option<(usize, usize)> {
    let capital =
        |at: usize| said.words[at].raw.starts_with(char::is_uppercase) && !find::is_empty_word(&said.words[at].folded);
    let new = |at: usize| capital(at) && !page.has(&key(said.words[at].raw));
    let start = (0..said.words.len()).find(|&at| new(at))?;
    let count = (start..said.words.len()).take_while(|&at| capital(at)).count();
    // Only a name, and no word that a sentence begins with.
    let opens = start == 0 && !said.words.get(count).is_some_and(|word| page.has(&key(word.raw)));
    let others = (start + count..said.words.len()).any(new);
    (!opens && !others).then_some((start, count))
}

/// The names of a text: where they stand, and which words they are.
pub(super) fn names(page: &Page) -> Vec<(Range<usize>, Range<usize>)> {
    let mut out: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (at, word) in page.words().iter().enumerate() {
        if !page.at(&word.place).starts_with(char::is_uppercase) {
            continue;
        }
        match out.last_mut() {
            Some((range, words))
                if words.end == at
                    && (page.text[range.end..word.place.start] == *" "
                        || page.text[range.end..word.place.start] == *". "
                            && page.at(range).len() <= 3
                            && page.at(range) != "Dr") =>
            {
                range.end = word.place.end;
                words.end = at + 1;
            }
            _ => out.push((word.place.clone(), at..at + 1)),
        }
    }
    out
}

/// Whether the words beside a name of the text are those beside the new one.
fn stands_alike(
    page: &Page,
    said: Phrase<'_, '_>,
    start: usize,
    count: usize,
    before: Option<&TextWord>,
    after: Option<&TextWord>,
) -> bool {
    let folded = |word: &TextWord| page.at(&word.place).to_lowercase();
    // `Oskar proofreads`: what the name does.
    let does = said.words.get(start + count).is_some_and(|verb| {
        start == 0
            && !find::is_empty_word(&verb.folded)
            && !vocabulary::is(&verb.folded, "be")
            && after.is_some_and(|after| after.key == key(verb.raw) && folded(after).ends_with('s'))
    });
    // `works at Bosch`, `supplier in Nagpur`: where the text has the same two words before a name.
    let placed = start.checked_sub(1).is_some_and(|at| {
        let preposition = &said.words[at];
        let Some(before) = before.filter(|before| folded(before) == *preposition.folded) else { return false };
        let leads = (0..at).rev().map(|at| key(said.words[at].raw));
        let led = page.words().iter().rev().find(|word| word.place.end <= before.place.start);
        is_preposition(preposition.raw)
            && led.is_some_and(|led| leads.take(3).any(|key| key == led.key))
            && page.sentence_of(&before.place).start <= led.map_or(0, |led| led.place.start)
    });
    does || placed
}

/// `so Arjun does the sign-off` after `Dolores is out sick`: where the text has her with what he does.
pub(super) fn does_it(page: &Page, told: Phrase<'_, '_>, said: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    told.find("out|sick|ill|away|on leave|on holiday|on vacation|can't|cannot|won't|left|unavailable|busy|no longer|broke|injured")?;
    let is_name = |word: &&Word<'_>| word.raw.starts_with(char::is_uppercase) && !find::is_empty_word(&word.folded);
    let (gone, count) = (told.words.iter().take_while(is_name).count(), said.words.iter().take_while(is_name).count());
    let said = said.unmarked();
    let said = said.strip_end("instead|now|this time").unwrap_or(said);
    let rest = said.from(count);
    let verb = rest.strip("does|will do|is doing|handles|will handle|covers|will cover|takes|will take|brings|will bring|makes|will make|runs|will run|gives|will give|leads|will lead")?;
    let keys = find::content(verb.words);
    if gone == 0 || count == 0 || keys.is_empty() || page.has(&key(said.words[0].raw)) {
        return None;
    }
    let beside = |place: &Range<usize>| {
        let sentence = page.sentence_of(place);
        let line =
            page.text[..place.start].rfind(['\n', ';', ',']).map_or(sentence.start, |at| (at + 1).max(sentence.start));
        let end =
            page.text[place.end..].find(['\n', ';', ',']).map_or(sentence.end, |at| (place.end + at).min(sentence.end));
        page.says_all(&(line..end), &keys)
    };
    let places: Vec<Range<usize>> =
        locate(&page.text, told.to(gone).raw(), Reach::Words).places.into_iter().filter(beside).collect();
    let [only] = places.as_slice() else { return None };
    Some(Ok(find::applied(&page.text, &vec![(only.clone(), said.to(count).raw().to_owned())])))
}

/// `Dmitri is taking his place` after `Ivo can't make it`.
pub(super) fn stands_in(page: &Page, told: Phrase<'_, '_>, said: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let replaces = said.find(
        "taking his place|taking her place|taking their place|takes his place|takes her place|takes their place|take his place|\
         take her place|take their place|taking over|takes over|take over|took over|took his place|took her place|\
         stepping in|steps in|step in|stepped in|filling in|fills in|fill in|replacing him|replacing her|replaces him|\
         replaces her|replace him|replace her|covering for him|covering for her|in his place|in her place|instead of him|\
         instead of her|in their place|in its place|instead",
    )?;
    let is_name = |word: &Word<'_>| word.raw.starts_with(char::is_uppercase) && !find::is_empty_word(&word.folded);
    let count = said.words.iter().take_while(|word| is_name(word)).count();
    let new = said.to(count).raw();
    let verb = said.words.get(count).is_some_and(|word| super::cut::is_finite(word) || word.folded.ends_with('s'));
    if count == 0 || replaces < count || !verb || page.has(&key(said.words[0].raw)) {
        return None;
    }
    let gone = told.words.iter().take_while(|word| is_name(word)).count();
    let old = told.to(gone).raw();
    let places = locate(&page.text, old, Reach::Words).places;
    match places.as_slice() {
        [only] if gone > 0 => Some(Ok(find::applied(&page.text, &vec![(only.clone(), new.to_owned())]))),
        _ => None,
    }
}

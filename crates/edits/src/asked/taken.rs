//! Statements that tell of something of the text, and of what takes its place: `Dr. Sandoval is on holiday, Dr. Imhof sees her instead`.
//!
//! They are read only where nothing else could be made of a request, and ask for little: one thing that goes and stands in the text
//! once, one that comes and does not.

use std::ops::Range;

use super::super::{
    find::{self, is_empty_word},
    locate::{Reach, locate},
    page::{Page, key},
    phrase::Phrase,
    words::{self, Word},
};

/// The text with what comes in place of what goes.
pub(in super::super) fn taken(page: &Page, request: &str) -> Option<String> {
    if page.text.len() > LONGEST_TEXT || request.len() > LONGEST_REQUEST {
        return None;
    }
    let words = words::words(request);
    let whole = Phrase { request, words: &words }.unmarked();
    let after_all = whole.find("after all");
    let uncertain = |at: usize| {
        whole.words[at].quoted || whole.words[at].is_any(UNCERTAIN) && after_all.is_none_or(|after| after + 1 != at)
    };
    if (0..whole.words.len()).any(uncertain) {
        return None;
    }
    substituted(page, whole).or_else(|| moved(page, whole)).or_else(|| counted(page, whole))
}

/// Longer ones tell more than this.
const LONGEST_TEXT: usize = 2_000;
const LONGEST_REQUEST: usize = 160;

/// Words that leave open what is to be done, or ask for more than one change.
const UNCERTAIN: &str = "also|too|add|remove|delete|swap|if|unless|maybe|perhaps|might|could|or|except|?|:|first|second|last|both|each|every|all|only|archive|done";

/// `we ruled out Slovenia; put Madeira in its place`
fn substituted(page: &Page, whole: Phrase<'_, '_>) -> Option<String> {
    const GOES: &str = "dropped|drops|ruled|won't|can't|cannot|ill|sick|holiday|leave|left|leaving|no|not|isn't|out|cancelled|canceled|retired|quit|unavailable|sold|booked|doesn't|couldn't|stepped|resigned";
    const COMES: &str = "instead|in its place|in his place|in her place|in their place|takes over|took over|will take over|steps in|will";
    let joint = (1..whole.words.len()).find(|&at| {
        whole.words[at].is_any(",|;|.|and|so") && {
            let said = whole.from(at + 1);
            said.find(COMES).is_some() && whole.to(at).words.iter().any(|word| word.is_any(GOES))
        }
    })?;
    let (gone, said) = (whole.to(joint), whole.from(joint + 1).unmarked());
    let said = said.strip("and|so|but").unwrap_or(said);
    // A name alone says little: `Ulrike will.`
    let news = runs(said, |word| is_name(word) && !page.has(&key(word.raw)));
    let [new] = news.as_slice() else { return None };
    let before = new.start.checked_sub(1).map(|at| &said.words[at]);
    // `cousin Beate`: who that is belongs to it.
    let led = before.is_some_and(|word| {
        !is_empty_word(&word.folded)
            && !word.is_mark()
            && !is_title(word)
            && !word.is_any("put|took|take|takes|use|using|picked|chose|get|got|have|by|with|to")
    });
    let digits = |word: &Word<'_>| word.raw.contains(|c: char| c.is_ascii_digit() || c == '@');
    // `…; her email is …` tells more.
    let more = (1..said.words.len())
        .any(|at| said.words[at].is(";") || said.words[at].is(".") && !is_title(&said.words[at - 1]));
    if led || more || whole.words.iter().any(digits) {
        return None;
    }
    let new = titled(said, new.clone());
    let old: Vec<Range<usize>> = runs(gone, |word| is_name(word) && page.has(&key(word.raw)))
        .into_iter()
        .map(|run| titled(gone, run))
        .filter(|run| locate(&page.text, gone.to(run.end).from(run.start).raw(), Reach::Words).places.len() == 1)
        .collect();
    let [old] = old.as_slice() else { return None };
    let old_words = gone.to(old.end).from(old.start);
    let place = locate(&page.text, old_words.raw(), Reach::Words).places.pop()?;
    let new_words = said.to(new.end).from(new.start);
    // A name for a name: `Ana` of `Ana Lima` is half of one.
    let rest = page.text[place.end..].strip_prefix(' ').and_then(|rest| rest.split_whitespace().next());
    let half = rest.is_some_and(|word| word.starts_with(char::is_uppercase))
        || page.text[..place.start].ends_with(". ") && is_title_before(page, place.start);
    // `his interpreter` is another one's.
    let sentence = page.sentence_of(&place);
    let owns = page.words_in(&sentence).iter().any(|word| {
        word.place.start > place.start && matches!(word.key.as_str(), "his" | "her" | "he" | "she" | "their")
    });
    (!half && !owns).then(|| find::applied(&page.text, &vec![(place, new_words.raw().to_owned())]))
}

/// `the hen party has been moved to Cork`
fn moved(page: &Page, whole: Phrase<'_, '_>) -> Option<String> {
    let whole = whole.strip_end("now|instead|from now on").unwrap_or(whole);
    let at = whole.find(
        "moved to|been moved to|relocated to|takes place in|will be in|is now in|will take place in|transferred to",
    )?;
    let length = whole.words[at..].iter().position(|word| word.is_any("to|in"))? + 1;
    let new = whole.from(at + length);
    if new.is_empty() || new.words.len() > 3 || !new.words.iter().all(|word| is_name(word) && !page.has(&key(word.raw)))
    {
        return None;
    }
    let verb = whole.words.iter().position(super::cut::is_finite).map_or(at, |verb| verb.min(at));
    let keys = find::content(whole.to(verb).words);
    let all = |sentence: &&Range<usize>| !keys.is_empty() && page.says_all(sentence, &keys);
    let sentences: Vec<&Range<usize>> = page.sentences().iter().filter(all).collect();
    let [sentence] = sentences.as_slice() else { return None };
    let words = page.words_in(sentence);
    let mut places: Vec<Range<usize>> = Vec::new();
    for at in 1..words.len() {
        let capital =
            |at: usize| words.get(at).is_some_and(|word| page.at(&word.place).starts_with(char::is_uppercase));
        if matches!(page.at(&words[at - 1].place), "in" | "at") && capital(at) {
            let count = (at..words.len()).take_while(|at| capital(*at)).count();
            places.push(words[at].place.start..words[at + count - 1].place.end);
        }
    }
    places.retain(|place| find::only_values(page.at(place)).is_empty());
    let [place] = places.as_slice() else { return None };
    Some(find::applied(&page.text, &vec![(place.clone(), new.raw().to_owned())]))
}

/// `we're at 438 subscribers`, of `Subscribers: 412`
fn counted(page: &Page, whole: Phrase<'_, '_>) -> Option<String> {
    let whole = whole.strip_end("as of today|as of now|by now|now|today").unwrap_or(whole);
    let said = whole.strip("we're at|we are at|we're up to|we are up to|we have|there are|it's at|i'm at|i have|they have|we now have|there are now")?;
    let said = said.strip("now").unwrap_or(said);
    let [number, noun] = said.words else { return None };
    let is_number =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'));
    if !is_number(number.raw) {
        return None;
    }
    let labels: Vec<_> =
        page.labels().iter().filter(|label| label.keys.len() == 1 && label.keys[0] == key(noun.raw)).collect();
    let [label] = labels.as_slice() else { return None };
    let value = page.at(&label.value);
    let first = value.split_whitespace().next()?.trim_end_matches(['.', ',']);
    is_number(first).then(|| {
        let place = label.value.start..label.value.start + first.len();
        find::applied(&page.text, &vec![(place, number.raw.to_owned())])
    })
}

fn is_name(word: &Word<'_>) -> bool {
    word.raw.starts_with(char::is_uppercase) && !is_empty_word(&word.folded) && !is_title(word) && word.raw.len() > 1
}

fn is_title(word: &Word<'_>) -> bool {
    word.is_any("dr|mr|mrs|ms|prof|dr.|mr.|mrs.|ms.|prof.|herr|frau")
}

fn is_title_before(page: &Page, at: usize) -> bool {
    let before = page.text[..at].trim_end().trim_end_matches('.');
    before.rsplit(' ').next().is_some_and(|word| matches!(word, "Dr" | "Mr" | "Mrs" | "Ms" | "Prof"))
}

/// A name with the title before it.
fn titled(phrase: Phrase<'_, '_>, run: Range<usize>) -> Range<usize> {
    let mut start = run.start;
    while start > 0
        && (is_title(&phrase.words[start - 1])
            || phrase.words[start - 1].is(".") && start > 1 && is_title(&phrase.words[start - 2]))
    {
        start -= 1;
    }
    start..run.end
}

/// The longest runs of words that are `fitting`; small words inside a name belong to it: `Philosophy of Science`.
fn runs(phrase: Phrase<'_, '_>, fitting: impl Fn(&Word<'_>) -> bool) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for at in (0..phrase.words.len()).filter(|at| fitting(&phrase.words[*at])) {
        match out.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            Some(last)
                if last.end + 1 == at
                    && phrase.words[at - 1].is_any("of|to|the|de|la|von|and|&")
                    && !phrase.words[at - 1].is("and") =>
            {
                last.end = at + 1;
            }
            _ => out.push(at..at + 1),
        }
    }
    out
}

//! Requests that are understood once something that says nothing for the text is left out of them: why, by whom, since when.
//!
//! Whatever is left out must hold nothing that the text could say: no number, no name, no quotation that neither the text nor the
//! result has, and no word that limits what is asked for. Two ways to leave something out that come to different texts are a refusal.

use model::Status;

use super::super::{
    Change, find,
    lifecycle::Reader,
    page::{Page, key},
    phrase::Phrase,
    vocabulary,
    words::{self, Word},
};

use super::{Outcome, cut, decide, ready};

/// What a request asks for that was refused as a whole.
pub(in super::super) fn relaxed(page: &Page, reader: &Reader<'_>, request: &str) -> Option<Change> {
    let marks = request.matches([',', ';', '.']).count();
    if page.text.len() > LONGEST_TEXT || request.len() > LONGEST_REQUEST || marks > MOST_MARKS {
        return None;
    }
    // The longer a text and a request, the longer each reading takes.
    let (text, said) = (page.text.len().max(SHORT_TEXT), request.split_whitespace().count().max(SHORT_REQUEST));
    let most = (MOST_TRIED * SHORT_TEXT / text * SHORT_REQUEST / said).max(6);
    let mut tried: Vec<String> = vec![request.to_owned()];
    let mut open: Vec<String> = vec![request.to_owned()];
    for _ in 0..MOST_PARTS {
        let mut found: Vec<(String, Option<Status>)> = Vec::new();
        let mut next: Vec<String> = Vec::new();
        for shorter in open.iter().flat_map(|request| shorter(page, request)) {
            if tried.len() > most || tried.contains(&shorter) {
                continue;
            }
            if let Outcome::Done(Change::Edit { text: Some(new), status }) = decide(page, reader, &shorter)
                && !found.iter().any(|(found, _)| *found == new)
                && is_whole(page, &new, request, &shorter)
                && is_part(page, &new, request)
                && every_sentence_counts(page, reader, &new, &shorter)
            {
                found.push((new, status));
            }
            next.push(shorter.clone());
            tried.push(shorter);
        }
        match found.len() {
            0 => open = next,
            1 => return found.pop().map(|(text, status)| Change::Edit { text: Some(text), status }),
            _ => return None,
        }
    }
    None
}

/// Longer ones are not read anew so often.
const LONGEST_TEXT: usize = 4_000;
const LONGEST_REQUEST: usize = 600;
/// Each of them may part something from the rest.
const MOST_MARKS: usize = 16;
const MOST_TRIED: usize = 48;
const SHORT_TEXT: usize = 800;
/// In words.
const SHORT_REQUEST: usize = 40;
/// Nobody puts in more that could be left out.
const MOST_PARTS: usize = 2;

/// Whether the words that were left out of `request` say nothing that `new` lacks.
fn is_whole(page: &Page, new: &str, request: &str, shorter: &str) -> bool {
    let now = Page::read(new);
    let (all, kept) = (words::words(request), words::words(shorter));
    let mut kept: Vec<&str> = kept.iter().map(|word| word.raw).collect();
    all.iter().enumerate().all(|(at, word)| {
        if let Some(same) = kept.iter().position(|other| *other == word.raw) {
            kept.swap_remove(same);
            return true;
        }
        let known = page.has(&key(word.raw)) || now.has(&key(word.raw)) || new.contains(word.raw);
        let starts = at == 0 || all[at - 1].is_any(".|!|?|;");
        let name = word.raw.starts_with(char::is_uppercase)
            && !starts
            && !find::is_empty_word(&word.folded)
            && word.raw.len() > 1;
        let digits = word.raw.contains(|c: char| c.is_ascii_digit());
        known || !name && !digits && !word.quoted
    })
}

/// Whether a result changes a part of the text, and does not only say beside it what was told.
fn is_part(page: &Page, new: &str, request: &str) -> bool {
    let words = words::words(request);
    let adds = words.iter().any(|word| vocabulary::length(std::slice::from_ref(word), "add") > 0);
    let now = Page::read(new);
    let kept = page.words().iter().filter(|word| now.has(&word.key)).count();
    (adds || !new.starts_with(page.text.trim_end_matches(['.', '\n', ' ']))) && kept * 3 >= page.words().len()
}

/// Whether each sentence about something in the text is needed for the result: one that is not was passed over.
fn every_sentence_counts(page: &Page, reader: &Reader<'_>, new: &str, request: &str) -> bool {
    let words = words::words(request);
    let whole = Phrase { request, words: &words };
    let stops: Vec<usize> =
        (0..words.len()).filter(|at| words[*at].is_any(".|!|?|;") && at + 1 < words.len()).collect();
    if stops.is_empty() {
        return true;
    }
    let starts = std::iter::once(0).chain(stops.iter().map(|at| at + 1));
    let ends = stops.iter().map(|at| at + 1).chain([words.len()]);
    starts.zip(ends).all(|(from, to)| {
        let known = find::content(whole.to(to).from(from).words).iter().any(|key| page.has(key));
        let rest = format!("{} {}", &request[..words[from].start], &request[words[to - 1].end..]);
        let same =
            |outcome: Outcome| matches!(outcome, Outcome::Done(Change::Edit { text: Some(text), .. }) if text == new);
        !known || !same(decide(page, reader, rest.trim()))
    })
}

/// The request with one part left out, in each way that this may be done.
fn shorter(page: &Page, request: &str) -> Vec<String> {
    let words = words::words(request);
    let whole = Phrase { request, words: &words };
    let mut out = Vec::new();
    // Where something is to be put must not be left out.
    let asked = ready(whole);
    let places = vocabulary::length(asked.words, "add") > 0
        || words.iter().any(|word| word.is_any("insert|append|move|put|add|swap|between"));
    // A clause tells something: it may go only where the text knows nothing of it, and nothing that is left points to it.
    let points = |word: &Word<'_>| word.is_any("it|that|this|them|him|her|those|these|its|one");
    let is_told = |from: usize, to: usize| {
        let part = whole.to(to).from(from);
        let known = find::content(part.words).iter().any(|key| page.has(key));
        let rest = words[..from].iter().chain(&words[to..]).any(points);
        known || rest || part.words.iter().any(|word| word.is_any("now|instead|also|too"))
    };
    let mut leave =
        |from: usize, to: usize, clause: bool| {
            let place =
                places
                    && whole.to(to).from(from).words.iter().any(|word| {
                        word.is_any("start|end|top|bottom|beginning|line|after|before|first|last|under|front")
                    });
            if from < to
                && !place
                && to <= words.len()
                && to - from < words.len()
                && may_go(whole.to(to).from(from))
                && !(clause && is_told(from, to))
            {
                let (start, end) = (words[from].start, words[to - 1].end);
                let left = format!("{} {}", request[..start].trim_end(), request[end..].trim_start());
                let left = left.trim().trim_start_matches([',', ';', '.', ':']).trim_start();
                let left = left.replace(" ,", ",").replace(" .", ".").replace(",.", ".");
                if left.split_whitespace().count() > 1 {
                    out.push(left);
                }
            }
        };
    let stops = |at: usize| words[at].is_any(".|!|?|;|–|—") && !words[at].quoted && at + 1 < words.len();
    // A sentence of its own.
    let mut start = 0;
    for at in 0..=words.len() {
        if at == words.len() || stops(at) {
            leave(start, (at + 1).min(words.len()), true);
            start = at + 1;
        }
    }
    for at in 0..words.len() {
        let word = &words[at];
        if word.quoted {
            continue;
        }
        let end = (at + 1..words.len()).find(|&end| words[end].is_any(",|.|;|!|?|–|—")).unwrap_or(words.len());
        // What stands before the first comma, and what follows one.
        if word.is(",") {
            let from = (0..at).rev().find(|&before| stops(before)).map_or(0, |before| before + 1);
            let joints = words[at + 1..].iter().take_while(|word| word.is_any("so|and|then|please|therefore")).count();
            leave(from, at + 1 + joints, true);
            leave(at, end, true);
        }
        // Words that only colour what is said.
        let led = at > 0 && words[at - 1].is_any("from|until|by|of|right|up|till|since|for|not");
        // Beside another clause, `now` and `also` say that this one is no background.
        let from = (0..at).rev().find(|&before| stops(before)).map_or(0, |before| before + 1);
        let to = (at..words.len()).find(|&after| stops(after)).unwrap_or(words.len());
        let alone = !words[from..to].iter().any(|word| word.is_any(",|and|but"));
        let colours = word.is_any("already|actually|just|currently|then|finally|simply|again|officially|even")
            || alone && word.is_any("also|now");
        if colours && !led {
            leave(at, at + 1, false);
        }
        if word.is("so") && at > 0 {
            leave(0, at + 1, true);
        }
        // `the wording "…"`, `the "TODO" at the beginning`
        if words.get(at + 1).is_some_and(|next| next.quoted)
            && word.is_any("wording|words|phrase|text|word|item|entry|step|sentence|bullet|the|song")
        {
            let from = if at > 0 && words[at - 1].is_any("the|a|an") { at - 1 } else { at };
            leave(from, at + 1, false);
        }
        // `from the table`, `in the roster`, `for the big bowls`
        if !places
            && word.is_any("from|in|on|at|of|for|with|per|after|since|because|as|due|following|during|by")
            && at > 1
        {
            let the = words.get(at + 1).is_some_and(|next| vocabulary::is(&next.folded, "article"));
            let short = (at + 2..words.len().min(at + 6))
                .find(|&end| words[end].is_any(",|.|;|!|?|–|—|and|to|with|by") || small(&words[end]));
            let to = short.unwrap_or(words.len().min(at + 5));
            // What is of something else that the text has not is something else.
            let here = |word: &Word<'_>| {
                find::is_empty_word(&word.folded)
                    || page.has(&key(word.raw))
                    || vocabulary::is(&word.folded, "list")
                    || vocabulary::is(&word.folded, "whole")
                    || word.is_mark()
                    || word.is_any("recipe|table|plan|schedule|roster|itinerary|document|file|notes|menu|calendar|team|beginning|end|start|top|bottom|set|sheet|message|page")
            };
            if the && words[at + 1..to].iter().all(here) {
                leave(at, to, false);
            }
            if word.is_any("because|since|as|due|per|after|following|for|during") {
                leave(at, end, true);
            }
        }
        if word.is("according") && words.get(at + 1).is_some_and(|next| next.is("to")) {
            leave(at, words.len().min(at + 4), false);
        }
        // `the dentist called and said`, `Hollis told me that`
        if vocabulary::is(&word.folded, "tells") && at > 0 {
            let from =
                (0..at).rev().find(|&before| stops(before) || words[before].is(",")).map_or(0, |before| before + 1);
            let to = at + 1 + words[at + 1..].iter().take_while(|word| word.is_any("that|me|us|you|them")).count();
            leave(from, to, false);
        }
    }
    out.extend(named(page, whole));
    out
}

/// `someone brings hummus, so replace it with dip` as `replace hummus with dip`: what a command points to is told before it, and what of
/// that stands in the text may be meant.
fn named(page: &Page, whole: Phrase<'_, '_>) -> Vec<String> {
    let words = whole.words;
    let object = (1..words.len()).find(|&at| {
        let verb = vocabulary::is(&words[at - 1].folded, "remove")
            || ["replace", "tick"].iter().any(|class| vocabulary::is(&words[at - 1].folded, class))
            || words[at - 1].is_any("move|put|bring");
        verb && words[at].is_any("it|him|her|them|that") && !words[at].quoted
    });
    let Some(object) = object.filter(|at| *at > 3) else { return Vec::new() };
    let told = whole.to(object - 1);
    if !may_go(told) {
        return Vec::new();
    }
    let known =
        |at: usize| !find::is_empty_word(&words[at].folded) && !words[at].is_mark() && page.has(&key(words[at].raw));
    let mut out = Vec::new();
    let mut at = 0;
    while at < told.words.len() {
        let count = (at..told.words.len()).take_while(|&next| known(next)).count();
        if count > 0 {
            let name = told.from(at).to(count).raw();
            let verb = &whole.request[words[object - 1].start..words[object - 1].end];
            out.push(format!("{verb} {name}{}", &whole.request[words[object].end..]));
        }
        at += count.max(1);
    }
    out
}

fn small(word: &Word<'_>) -> bool {
    super::super::small_words::is_preposition(word.raw)
}

/// Whether words may be left out: they neither limit nor ask for anything.
fn may_go(part: Phrase<'_, '_>) -> bool {
    const LIMITS: &str = "not|including|except|unless|if|only|don't|never|without|until|before|rather|than|or|but|no|none|other|another|each|every|\
         all|any|maybe|perhaps|might|should|must|needs|first|last|second|third|both|statt|anstatt|nicht|pas|sino|sauf|ausser|lieu|lugar|vez";
    if part.words.len() == 1 {
        return true;
    }
    let begins = |at: usize| at == 0 || part.words[at - 1].is_any("and|,|so|then|please|but|.|;|–|—|:");
    let asks = (0..part.words.len()).any(|at| {
        let rest = ready(part.from(at)).unmarked();
        begins(at) && !rest.is_empty() && (cut::is_command(rest) || rest.words[0].is_any("done|completed|archived"))
    });
    // `…, cheese to ham`: another change without its verb.
    let verb = part.words.iter().any(cut::is_finite);
    let exchanges = !verb && part.words.iter().any(|word| word.is_any("to|with|into") || word.is_arrow());
    let address = |word: &Word<'_>| word.raw.contains(['@', '=']) || word.quoted;
    !asks && !exchanges && !part.words.iter().any(|word| word.is_any(LIMITS) || address(word))
}

//! Requests that are read as a whole, before they are cut into pieces.

use std::borrow::Cow;

use super::super::{
    Change,
    command::{self, Command, settle},
    find, foreign,
    lifecycle::Reader,
    page::{Page, key, keys},
    phrase::Phrase,
    refusal::Refusal,
    vocabulary, words,
};

use super::{Outcome, Piece, Role, decide, entry, ready};

/// What a request asks for where it says of some words of the text that they are to stay: those are not looked at.
pub(super) fn with_kept(
    page: &Page,
    reader: &Reader<'_>,
    request: &str,
    pieces: &[Piece<'_, '_>],
    roles: &[Role],
) -> Option<Change> {
    const KEPT: &str = "\u{e000}";
    let keeps =
        |at: &usize| roles[*at] == Role::Courtesy && vocabulary::length(ready(pieces[*at].phrase).words, "keep") > 0;
    let at = (1..pieces.len()).find(keeps)?;
    let kept = pieces[at].phrase.words.iter().find(|word| {
        let is_name = word.quoted || word.raw.contains(|c: char| !c.is_alphanumeric());
        is_name && word.raw.len() > 3 && page.text.contains(word.raw)
    })?;
    if page.text.contains(KEPT) {
        return None;
    }
    let masked = Page::read(&page.text.replace(kept.raw, KEPT));
    let rest = request[..pieces[at].phrase.words[0].start].trim_end();
    let rest = rest.strip_suffix("but").unwrap_or(rest).trim_end().trim_end_matches([',', ';']);
    match decide(&masked, reader, rest) {
        Outcome::Done(Change::Edit { text: Some(new), status }) if new.contains(KEPT) => {
            Some(Change::Edit { text: Some(new.replace(KEPT, kept.raw)), status })
        }
        _ => None,
    }
}

/// A request with the settings of the text named as it writes them: `the pool size` is `the pool_size`.
pub(super) fn as_written<'r>(page: &Page, request: &'r str) -> Cow<'r, str> {
    let mut out = plainly(request);
    if let Some(shorter) = without_since(page, &out) {
        out = Cow::Owned(shorter);
    }
    // `the 20th instead of the 19th`, where the text counts its days without endings.
    let contrast = ["instead of the ", "rather than the ", ", not the "].iter().find_map(|joint| out.split_once(joint));
    if let Some((before, after)) = contrast {
        let day = |word: &str| {
            let digits = word.trim_matches(|c: char| !c.is_ascii_digit());
            let bare = word.trim_end_matches(['.', ',']);
            ["st", "nd", "rd", "th"].iter().any(|end| bare.strip_suffix(end) == Some(digits)).then(|| digits.to_owned())
        };
        let old = after.split(' ').next().and_then(day);
        let new = before.trim_end().rsplit(' ').next().and_then(day);
        if let (Some(old), Some(new)) = (old, new)
            && page
                .words()
                .iter()
                .any(|word| page.at(&word.place) == old || page.at(&word.place).ends_with(&format!("-{old}")))
            && !page.text.contains(&format!("{old}th"))
            // That is all that is asked for, and asked for in any case.
            && !after.trim_end_matches(['.', '!']).contains(' ')
            && !before.contains(['?', ';', '"']) && !after.contains('?')
            && !vocabulary::has(&words::words(before), "in_case")
        {
            return Cow::Owned(format!("change {old} to {new}"));
        }
    }
    for label in page.labels().iter().filter(|label| label.is_setting) {
        let name = page.at(&label.name);
        let spaced = name.replace(['_', '-'], " ").to_lowercase();
        if spaced == name.to_lowercase() || spaced.len() < 4 {
            continue;
        }
        if let Some(place) =
            super::super::locate::locate(&out, &spaced, super::super::locate::Reach::Words).places.first().cloned()
        {
            out.to_mut().replace_range(place, name);
        }
    }
    out
}

/// A request without the words that only announce what follows a colon, and with its German verb in front.
fn plainly(request: &str) -> Cow<'_, str> {
    const ANNOUNCED: &[&str] = &[
        "the following text:",
        "the following:",
        "the following sentence:",
        "the following line:",
        "this text:",
        "this sentence:",
        "this wording:",
        "this:",
    ];
    let lower = request.to_ascii_lowercase();
    let announced = ANNOUNCED.iter().find_map(|words| {
        let at = lower.find(words).filter(|at| {
            ["with ", "to ", "by ", "as "].iter().any(|joint| lower[..*at].ends_with(&format!(" {joint}")))
        })?;
        Some(format!("{}:{}", request[..at].trim_end(), &request[at + words.len()..]))
    });
    announced
        .or_else(|| reworded(request))
        .or_else(|| without_call(request))
        .or_else(|| suggested(request))
        .or_else(|| by_accident(request))
        .map_or_else(|| foreign::verb_first(request), Cow::Owned)
}

/// A request without the words that say since when its values hold: `18 km from this week on`.
fn without_since(page: &Page, request: &str) -> Option<String> {
    const ALWAYS: &[&str] = &[
        " from now on",
        " from this week on",
        " from next week on",
        " from this month on",
        " from next month on",
        " from today on",
        " until further notice",
        " going forward",
    ];
    const DATED: &[&str] = &[
        " from next week",
        " from next month",
        " from tomorrow",
        " starting next week",
        " starting next month",
        " from this week",
    ];
    let opens = ["add", "append", "note", "insert", "write", "put"];
    let lower = request.to_lowercase();
    let first = lower.trim_start_matches("please ").trim_start_matches("also ").split(' ').next().unwrap_or_default();
    if request.contains([':', '"', '“', '\'']) || opens.contains(&first) || lower.len() != request.len() {
        return None;
    }
    let days =
        DAYS.iter().flat_map(|day| [format!(" from {day} on"), format!(" from {day}"), format!(" starting {day}")]);
    let said = ALWAYS.iter().chain(DATED).map(|said| (*said).to_owned()).chain(days);
    for said in said {
        let Some(at) = lower.find(&said) else { continue };
        let end = at + said.len();
        let ends =
            lower[end..].is_empty() || lower[end..].starts_with([',', '.', ';']) || lower[end..].starts_with(" and ");
        let clause = request[..at].rfind([',', ';', '.']).map_or(0, |mark| mark + 1);
        let valued = request[clause..at].contains(|c: char| c.is_ascii_digit());
        if ends && valued && !page.text.to_lowercase().contains(said.trim()) {
            return Some(format!("{}{}", &request[..at], &request[end..]));
        }
    }
    None
}

/// Ways to ask that what was just told is written down.
const NOTED: &[&str] = &[
    "add that",
    "add this",
    "add that too",
    "add that as well",
    "also add that",
    "note that",
    "note this",
    "note that down",
    "note that down as well",
    "note that as well",
    "include that",
    "include that as well",
    "write that down",
    "record that",
    "put that in as well",
];

const DAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A request with some roundabout words said plainly.
fn reworded(request: &str) -> Option<String> {
    const PLAIN: &[(&str, &str)] = &[
        ("Change the order so that ", ""),
        ("change the order so that ", ""),
        ("There's a mistake: ", ""),
        ("There is a mistake: ", ""),
        (" got married and goes by ", " goes by "),
        ("retire-le ", "retire le "),
        ("enlève-le ", "enlève le "),
        ("supprime-le ", "supprime le "),
        ("retire-la ", "retire la "),
        ("supprime-la ", "supprime la "),
        (" so that it comes ", " "),
        (" so it comes ", " "),
        ("ecord this: ", "ecord: "),
        ("ote this: ", "ote: "),
        ("dd this: ", "dd: "),
        ("ote the following: ", "ote: "),
        ("dd the following: ", "dd: "),
        (" the very first ", " the first "),
        (" the very last ", " the last "),
        ("rgänze bitte: ", "rgänze: "),
        ("otiere bitte: ", "otiere: "),
        ("ppend this: ", "ppend: "),
        (" al final: ", ": "),
        (" in front of everything else", " at the beginning"),
        (" before everything else", " at the beginning"),
        (" in front of this note", " at the beginning"),
        (" in front of the note", " at the beginning"),
        (" as number ", " as item "),
        (" as of today", ""),
        ("we can call this ", "this is "),
        ("We can call this ", "This is "),
        ("It turns out that ", ""),
        ("It turns out ", ""),
        ("I think we can ", "We can "),
        ("I think this can ", "This can "),
        (" that first sentence ", " the first sentence "),
        (" that last sentence ", " the last sentence "),
        (", así que ", ". "),
        (", donc ", ". "),
        (" the whole ", " the "),
        (" the entire ", " the "),
    ];
    // What is quoted or follows a colon is to be taken as it stands.
    let words = words::words(request);
    let is_said = |at: usize| {
        words
            .iter()
            .take_while(|word| word.start <= at)
            .any(|word| word.is(":") || at < word.start + word.raw.len() && word.quoted)
    };
    let plain = PLAIN.iter().find_map(|(long, short)| {
        Some((request.match_indices(long).map(|(at, _)| at).find(|at| !is_said(*at))?, long, short))
    });
    if let Some((at, long, short)) = plain {
        return Some(format!("{}{short}{}", &request[..at], &request[at + long.len()..]));
    }
    // `after step 2 insert a new step: …` as `insert a new step after step 2: …`
    if let Some(beside) = ["After ", "Before "].iter().find(|beside| request.starts_with(**beside))
        && let Some((lead, content)) = request.split_once(": ")
        && let Some((place, verb)) = ["insert ", "add "]
            .iter()
            .find_map(|verb| lead.split_once(*verb).map(|(place, rest)| (place, (verb, rest))))
        && place.len() < 60
    {
        let place = place.trim_end().trim_end_matches(',');
        let place = format!("{}{}", beside.to_lowercase(), &place[beside.len()..]);
        return Some(format!("{}{} {place}: {content}", verb.0, verb.1));
    }
    // `every Allegra should become Concordia`
    if let Some((before, new)) =
        request.split_once(" should become ").or_else(|| request.split_once(" should be called "))
        && let Some(at) = before.to_ascii_lowercase().rfind("every ")
        && before[at..].split(' ').count() <= 4
        && (at == 0 || before[..at].ends_with(", so ") || before[..at].ends_with(". "))
    {
        return Some(format!("replace {} with {new}", &before[at..]));
    }
    // `his name is spelled X, not Y`
    if let Some(at) = request.find(" name is spelled ").filter(|_| request.contains(", not "))
        && request[..at].split(' ').count() == 1
    {
        return Some(format!("It's spelled {}", &request[at + " name is spelled ".len()..]));
    }
    // `remplace la menthe par de la ciboulette`
    if let Some(rest) = request.strip_prefix("Remplace ").or_else(|| request.strip_prefix("remplace "))
        && let Some((old, new)) = rest.split_once(" par ")
    {
        let bare = |words: &str, articles: &[&str]| {
            articles.iter().find_map(|article| words.strip_prefix(article)).unwrap_or(words).to_owned()
        };
        let (old_bare, new_bare) = (
            bare(old, &["la ", "le ", "les ", "l'", "l’"]),
            bare(new, &["de la ", "du ", "des ", "de l'", "la ", "le ", "les "]),
        );
        if old_bare != old {
            return Some(format!("remplace {old_bare} par {new_bare}"));
        }
    }
    // `they need water every day. Please add that.`
    let body = request.trim_end_matches(['.', '!']);
    if let Some((told, asked)) = body.rsplit_once(". ").filter(|(told, _)| !told.contains(". "))
        && NOTED.contains(&asked.to_lowercase().trim_start_matches("please ").trim_end_matches(", please"))
    {
        let first = told.split(' ').next().unwrap_or_default();
        let is_small = find::is_empty_word(&first.to_lowercase()) && first != "I" && !first.starts_with("I'");
        let told = if is_small { format!("{}{}", first.to_lowercase(), &told[first.len()..]) } else { told.to_owned() };
        return Some(format!("Add that {told}."));
    }
    // `add a field vet=Bob`
    if let Some((before, after)) = request.split_once("dd a field ").or_else(|| request.split_once("dd a setting "))
        && after.split(' ').next().is_some_and(|word| word.contains('='))
    {
        return Some(format!("{before}dd {after}"));
    }
    // `…, which brings the total to 5,720`
    if let Some((before, after)) =
        [", which brings ", ", which takes ", ", bringing ", ", which raises ", ", which lowers "]
            .iter()
            .find_map(|joint| request.split_once(joint))
        && let Some((what, value)) = after.split_once(" to ")
        && value.starts_with(|c: char| c.is_ascii_digit() || "€$£".contains(c))
    {
        return Some(format!("{before}, and {what} is now {value}"));
    }
    // `everywhere it says Grace, it should say Gracie`
    let lower = request.to_ascii_lowercase();
    for says in ["everywhere it says ", "wherever it says ", "anywhere it says "] {
        let Some(at) = lower.find(says) else { continue };
        let after = &request[at + says.len()..];
        let (old, new) = match at {
            0 => {
                let (old, rest) = after.split_once(", it should say ")?;
                (old, rest.split([',', '.']).next()?)
            }
            _ => (after.trim_end_matches(['.', '!']), request[..at].trim_end().rsplit_once("it should say ")?.1),
        };
        let quoted = |words: &str| words.trim_matches(['"', '\'', ' ']).to_owned();
        return Some(format!("replace every \"{}\" with \"{}\"", quoted(old), quoted(new)));
    }
    None
}

/// `the practice called and moved it` as `the practice moved it`.
fn without_call(request: &str) -> Option<String> {
    let calls = [" called and ", " emailed and ", " wrote and ", " phoned and ", " rang and ", " texted and "];
    let (at, call) = calls.iter().find_map(|call| request.find(call).map(|at| (at, call)))?;
    let rest = &request[at + call.len()..];
    let verb = rest.split(' ').next().unwrap_or_default();
    vocabulary::is(verb, "altered").then(|| format!("{} {rest}", &request[..at]))
}

/// `her supervisor suggested renaming X to Y` as `rename X to Y`.
fn suggested(request: &str) -> Option<String> {
    const VERBS: &[(&str, &str)] = &[
        ("renaming ", "rename "),
        ("changing ", "change "),
        ("replacing ", "replace "),
        ("adding ", "add "),
        ("removing ", "remove "),
        ("deleting ", "delete "),
        ("dropping ", "drop "),
        ("moving ", "move "),
        ("updating ", "update "),
        ("swapping ", "swap "),
    ];
    let leads =
        [" suggested ", " recommended ", " proposed ", " suggests ", " recommends ", " proposes ", " asked for "];
    let (at, lead) = leads.iter().find_map(|lead| request.find(lead).map(|at| (at, lead)))?;
    let rest = &request[at + lead.len()..];
    let words = words::words(&request[..at]);
    // `…, but we said no`
    if super::is_command(ready(Phrase { request, words: &words })) || rest.contains(" but ") {
        return None;
    }
    let plain = !request[..at].contains(['.', ',', ';', '"', '\'']) || request[..at].ends_with("'s");
    VERBS
        .iter()
        .find_map(|(gerund, verb)| plain.then(|| rest.strip_prefix(gerund))?.map(|rest| format!("{verb}{rest}")))
}

/// `…, I wrote Hillcrest by accident` as `…, not Hillcrest`.
fn by_accident(request: &str) -> Option<String> {
    let body = request.trim_end_matches(['.', '!']);
    let ends = [" by accident", " by mistake", " mistakenly", " accidentally", " wrongly", " instead by mistake"];
    if let Some((before, old)) =
        body.split_once(", I misheard ").filter(|(_, old)| !old.starts_with("the ") && !old.starts_with("you"))
    {
        let old = old.strip_suffix(" earlier").or(old.strip_suffix(" before")).unwrap_or(old);
        return Some(format!("{before}, not {old}"));
    }
    let body = ends.iter().find_map(|end| body.strip_suffix(end))?;
    let leads = [", I wrote ", ", I said ", ", I put ", ", I typed ", ", I noted ", ", we wrote ", ", I had written "];
    let (at, lead) = leads.iter().find_map(|lead| body.find(lead).map(|at| (at, lead)))?;
    Some(format!("{}, not {}", &body[..at], &body[at + lead.len()..]))
}

/// `{"find": "23mm", "replace": "18mm"}`
pub(super) fn found_and_replaced(page: &Page, whole: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let text = page.text.as_str();
    let quoted: Vec<&words::Word<'_>> = whole.words.iter().filter(|word| word.quoted).collect();
    let [find, old, replace, new] = quoted.as_slice() else { return None };
    let named = ["find", "old", "search", "from"].contains(&find.raw)
        && ["replace", "new", "with", "to", "replace_with"].contains(&replace.raw);
    let is_mark = |word: &words::Word<'_>| !word.raw.contains(char::is_alphanumeric);
    (named && whole.words.iter().all(|word| word.quoted || is_mark(word))).then(|| {
        let operand = |word: &words::Word<'_>| command::Operand { text: word.raw.to_owned(), quoted: true };
        settle(text, &[Command::Replace { old: operand(old), new: operand(new), which: command::Which::Only }])
    })
}

/// `call it "North bed" instead of "Bed A" everywhere`
pub(super) fn called(page: &Page, whole: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let asked = ready(whole).unmarked();
    let rest = asked.strip("call it|name it|it should say|it should read|write|say|use")?;
    let [new, instead, of, old, more @ ..] = rest.words else { return None };
    let contrast = instead.is("instead") && of.is("of") || instead.is("rather") && of.is("than");
    let more = Phrase { request: rest.request, words: more };
    let everywhere = vocabulary::length(more.words, "everywhere") == more.words.len();
    (new.quoted && old.quoted && contrast && everywhere).then(|| {
        let which = if more.is_empty() { command::Which::Only } else { command::Which::Every };
        let operand = |word: &words::Word<'_>| command::Operand { text: word.raw.to_owned(), quoted: true };
        settle(&page.text, &[Command::Replace { old: operand(old), new: operand(new), which }])
    })
}

/// `set POOL_SIZE=25`, `replicas=5, image=shop:1.9.0`
pub(super) fn settings(page: &Page, whole: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let asked = ready(whole).unmarked();
    let asked = asked.strip("set|change|update|use").unwrap_or(asked);
    let parts = asked.words.iter().filter(|word| !word.is_any(",|and|;"));
    let new = page.after_all(parts, |page, word| {
        let (name, value) =
            word.raw.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty()).ok_or(())?;
        let keys = keys(name);
        let labels: Vec<_> = page.labels().iter().filter(|label| label.keys == keys).collect();
        let [label] = labels.as_slice() else { return Err(()) };
        Ok(find::applied(&page.text, &vec![(label.value.clone(), value.to_owned())]))
    });
    let new = new.ok()?;
    (new != page.text).then_some(Ok(new))
}

/// `in the second sentence change "will" to "might"`: what a request asks of one part of a text.
pub(super) fn scoped(page: &Page, reader: &Reader<'_>, whole: Phrase<'_, '_>) -> Option<Change> {
    let asked = ready(whole).unmarked();
    let (part, rest) = match asked.strip("in|for|within") {
        Some(lead) => {
            let end = lead.words.iter().take(6).position(is_part)? + 1;
            (lead.to(end), lead.from(end))
        }
        None => {
            let at = asked.words.iter().rposition(|word| word.is_any("in|of|within"))?;
            let part = asked.from(at + 1);
            (part.words.len() <= 3 && part.words.last().is_some_and(is_part)).then(|| (part, asked.to(at)))?
        }
    };
    entry::numbers(part)?;
    let rest = rest.unmarked();
    if !super::is_command(rest) || vocabulary::length(rest.words, "add") > 0 || page.sentences().len() < 2 {
        return None;
    }
    let (entries, at) = entry::one(page, part)?.ok()?;
    let place = &entries.bodies[at];
    let Outcome::Done(Change::Edit { text: Some(new), status: None }) =
        decide(&Page::read(page.at(place)), reader, rest.raw())
    else {
        return None;
    };
    Some(Change::Edit { text: Some(find::applied(&page.text, &vec![(place.clone(), new)])), status: None })
}

fn is_part(word: &words::Word<'_>) -> bool {
    word.is_any("sentence|line|item|bullet|step|point|paragraph|row|entry")
}

/// `move Karl from team A to team B`, `remove the chess from the likes and put it under dislikes`: from one label to another.
pub(super) fn moved_over(page: &Page, whole: Phrase<'_, '_>) -> Option<String> {
    let asked = ready(whole).unmarked();
    let moves = "is moving|moved|has moved|moves|is switching|switched|switches|was moved|is transferring";
    let named = asked.find(moves).filter(|at| (1..=2).contains(at));
    let plain = named
        .and_then(|at| asked.from(at).strip(moves))
        .map(|rest| format!("move {} {}", asked.to(named.unwrap_or(0)).raw(), rest.raw()));
    if let Some(plain) = plain {
        let words = words::words(&plain);
        return moved_over(page, Phrase { request: &plain, words: &words });
    }
    let rest = asked.strip("move|remove|take|shift|transfer")?;
    let from = rest.words.iter().position(|word| word.is_any("from|off|out")).filter(|at| *at > 0)?;
    let what = rest.to(from).unmarked();
    let after = rest.from(from + 1);
    let after = after.strip("of").unwrap_or(after);
    let to = after.words.iter().rposition(|word| word.is_any("to|under|into|onto|on|in")).filter(|at| *at > 0)?;
    let (source, target) = (after.to(to).unmarked(), after.from(to + 1).unmarked());
    // `… and put it under`
    let verb = source.words.iter().position(|word| word.is_any("and|,|then"));
    let source = match verb {
        Some(at) => {
            let put = source.from(at);
            put.is_only("and|,|then|put|add|move|place|list|it|them|him|her|instead").then(|| source.to(at))?
        }
        None => source,
    };
    let label = |named: Phrase<'_, '_>| {
        let named = named.strip("the|my|our").unwrap_or(named);
        let named = named.strip_end("list|section|column|instead|group").unwrap_or(named);
        let wanted: Vec<String> = named.words.iter().map(|word| key(word.raw)).collect();
        let mut labels = page.labels().iter().filter(|label| label.keys == wanted);
        labels.next().filter(|_| labels.next().is_none())
    };
    let (source, target) = (label(source)?, label(target)?);
    let (old, new) = (page.at(&source.value), page.at(&target.value));
    if [old, new].iter().any(|value| value.contains(" and ") || value.contains('\n')) {
        return None;
    }
    let wanted = keys(what.strip("the|my").unwrap_or(what).raw());
    let (gone, kept): (Vec<&str>, Vec<&str>) = old.split(", ").partition(|item| keys(item) == wanted);
    let [gone] = gone.as_slice() else { return None };
    let joint = if new.is_empty() { "" } else { ", " };
    let mut edits =
        vec![(source.value.clone(), kept.join(", ")), (target.value.end..target.value.end, format!("{joint}{gone}"))];
    edits.sort_by_key(|(place, _)| place.start);
    (!kept.is_empty()).then(|| find::applied(&page.text, &edits))
}

/// `turn this into a bulleted list`, of things that stand in a row.
pub(super) fn listed(page: &Page, whole: Phrase<'_, '_>) -> Option<String> {
    let asked = ready(whole).unmarked();
    let verb = asked.strip("turn|convert|make|format|reformat|change|rewrite|put|restructure|list")?;
    let as_list = "a bulleted list|a bullet list|bullet points|bullets|a bullet point list|a list with bullets|a list of bullets|a numbered list|a checklist|a list";
    let at = verb.words.iter().position(|word| word.is_any("into|as|to|in"))?;
    let kind = verb.from(at + 1).unmarked();
    let about = verb.to(at).unmarked();
    if !kind.strip(as_list).is_some_and(|rest| rest.unmarked().is_empty()) {
        return None;
    }
    let text = page.text.trim_end().trim_end_matches('.');
    let (head, body) = match text.split_once(": ") {
        Some((head, body)) => (Some(head), body),
        None => (None, text),
    };
    let known = find::content(about.words)
        .iter()
        .all(|key| head.is_some_and(|head| keys(head).contains(key)) || vocabulary::is(key, "whole") || key == "list");
    if text.contains('\n') || page.sentences().len() > 1 || !known {
        return None;
    }
    let separator = if body.contains("; ") { "; " } else { ", " };
    let mut items: Vec<&str> = body.split(separator).map(str::trim).collect();
    if let Some((before, last)) = items.pop().and_then(|last| last.rsplit_once(" and ").or(Some(("", last)))) {
        items.extend(
            [before.trim(), last.strip_prefix("and ").unwrap_or(last)].into_iter().filter(|item| !item.is_empty()),
        );
    }
    let numbered = kind.words.iter().any(|word| word.is("numbered"));
    let boxed = kind.words.iter().any(|word| word.is("checklist"));
    let line = |(at, item): (usize, &&str)| match (numbered, boxed) {
        (true, _) => format!("{}. {item}", at + 1),
        (_, true) => format!("- [ ] {item}"),
        _ => format!("- {item}"),
    };
    let lines: Vec<String> = items.iter().enumerate().map(line).collect();
    let head = head.map_or(String::new(), |head| format!("{head}:\n"));
    (items.len() > 1).then(|| format!("{head}{}", lines.join("\n")))
}

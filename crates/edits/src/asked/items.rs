//! Puts the entries of a text in another order, or ticks them: items of a list, rows of a table, sentences.
//!
//! An entry is named by its number (`step 2`, `the last bullet`) or by words of it that no other entry has.

use std::ops::Range;

use super::super::{
    counting,
    find::{self, content},
    page::{Page, Row, RowKind, is_weekday, key, keys as keys_of},
    phrase::Phrase,
    refusal::Refusal,
    vocabulary,
    words::Word,
};

use super::entry::{self, Entries};

/// Where an entry goes.
enum Target {
    First,
    Last,
    Nth(usize),
    Beside { entry: usize, after: bool },
}

/// `move billing to the top`, `put step 3 before step 2`.
pub(super) fn moved(
    page: &Page,
    phrase: Phrase<'_, '_>,
    told: Option<Phrase<'_, '_>>,
) -> Option<Result<String, Refusal>> {
    let rest = phrase.strip("move|put|bring|push|place|shift|list|make")?.unmarked();
    // `make "Call the broker" the last item`
    if phrase.strip("make").is_some() {
        let [named @ .., the, end, noun] = rest.words else { return None };
        let named = Phrase { request: rest.request, words: named };
        let is_item = vocabulary::is(&noun.folded, "part.item") || noun.is_any("one|song|thing|stop");
        if !the.is("the") || !end.is_any("first|last") || !is_item || named.is_empty() {
            return None;
        }
        return reordered(page, named, rest.from(rest.words.len() - 2).to(1), 0);
    }
    let (at, length) = target_at(rest)?;
    let named = rest.to(at);
    // `it won't rain, so move that item to the bottom`
    if super::remove::is_told(named)
        && let Some(found) = told.and_then(|told| entry::told(page, told))
        && let [only] = found.which.as_slice()
    {
        return put_at(page, &found.entries, *only, rest.from(at), length);
    }
    reordered(page, named, rest.from(at), length)
}

/// `onboarding should come first`, `step 3 has to happen before step 2`.
pub(super) fn comes(page: &Page, said: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let said = said.unmarked();
    let verb = said.find("should|must|needs to|has to|comes|goes|will|to be|belongs")?;
    // `the intro should come first and the results after the method`
    if let Some(and) = said.words.iter().position(|word| word.is("and")).filter(|and| *and > verb)
        && let (Some(_), Some((at, length))) = (target_at(said.to(and)), target_at(said.from(and + 1)))
        && let Some(Ok(first)) = comes(page, said.to(and))
    {
        let other = said.from(and + 1);
        return reordered(&Page::read(&first), other.to(at), other.from(at), length);
    }
    let (at, length) = target_at(said)?;
    let between = said.to(at).from(verb);
    let plain = between.words.iter().all(|word| {
        word.is_any("should|must|needs|to|has|have|come|comes|go|goes|be|is|will|happen|done|listed|belongs|now|actually|the|right|directly")
    });
    if verb == 0 || at <= verb || !plain {
        return None;
    }
    let wants = said.to(verb).words.iter().position(|word| word.is_any("wants|want|likes|prefers"));
    // `"call the bank" should go to the top` of a list that has it not.
    if let [new] = said.to(verb).words
        && new.quoted
        && length == 0
        && !page.text.contains(new.raw)
        && let Some(list) = entry::only_list(page)
    {
        let first = ENDS.iter().find(|(words, _)| said.from(at).strip(words).is_some())?.1;
        return Some(Ok(list.with(page, new.raw, if first { 0 } else { list.bodies.len() })));
    }
    reordered(page, said.to(verb).from(wants.map_or(0, |at| at + 1)), said.from(at), length)
}

/// `sort the books alphabetically`, `put the list in reverse order`.
pub(super) fn sorted(page: &Page, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let reversed = phrase.strip("reverse|invert").is_some()
        || phrase.strip("put|sort|arrange").is_some() && phrase.find("reverse order").is_some();
    let asked = phrase.strip("sort|order|alphabetize|alphabetise|arrange|put|reorder").is_some();
    let by_name = asked
        && (phrase.words.iter().any(|word| word.is_any("alphabetically|alphabetical|alphabetize|alphabetise"))
            || phrase.find("by name|a to z|from a to z").is_some());
    if !reversed && !by_name {
        return None;
    }
    let entries = entry::only_list(page)?;
    let mut order: Vec<usize> = (0..entries.bodies.len()).collect();
    match reversed {
        true => order.reverse(),
        false => order.sort_by_key(|at| page.at(&entries.bodies[*at]).to_lowercase()),
    }
    let edits = (0..order.len())
        .map(|at| (entries.bodies[at].clone(), page.at(&entries.bodies[order[at]]).to_owned()))
        .collect();
    let new = find::applied(&page.text, &edits);
    Some(if new == page.text { Err(Refusal::Prohibition) } else { Ok(new) })
}

/// Where the words begin that say where something goes, and how many of them only lead to what is named.
fn target_at(phrase: Phrase<'_, '_>) -> Option<(usize, usize)> {
    (1..phrase.words.len().min(LONGEST)).find_map(|at| {
        let rest = phrase.from(at);
        let fixed = ENDS.iter().find_map(|(words, _)| rest.strip(words)).map(|after| after.unmarked());
        let fixed = fixed.filter(|after| after.is_empty() || is_whole_list(*after));
        let beside = rest.strip(BESIDE).filter(|after| !after.is_empty());
        let nth = rest.strip(PLACES).filter(|after| !after.is_empty());
        match (fixed, beside.or(nth)) {
            (Some(_), _) => Some((at, 0)),
            (None, Some(after)) => Some((at, rest.words.len() - after.words.len())),
            _ => None,
        }
    })
}

/// Nobody takes more words to name what goes where.
const LONGEST: usize = 20;

fn is_whole_list(phrase: Phrase<'_, '_>) -> bool {
    // `first in the routine`
    let inside = phrase
        .strip("of the|in the|on the|in my|of my")
        .is_some_and(|rest| rest.words.len() == 1 && rest.words[0].raw.chars().all(char::is_lowercase));
    inside
        || phrase.strip("of|in|on").unwrap_or(phrase).words.iter().all(|word| {
            word.is_any("the|this|my|our|all|everything|text|note|order")
                || vocabulary::is(&word.folded, "list")
                || vocabulary::is(&word.folded, "whole")
        })
}

/// Words for the ends of a list, and whether they mean its start.
const ENDS: &[(&str, bool)] = &[
    (
        "to the very top|at the very top|to the very front|to the very start|to the top|at the top|on top|to the front|at the front|to the start|at the start|to the beginning|at the beginning|to the first place|to first place|to first position|as the first item|as the first one|as the first step|as the first|first",
        true,
    ),
    (
        "to the very bottom|to the bottom|at the bottom|to the end|at the end|at the very end|to the very end|to the last place|as the last item|as the last one|as the last step|as the last|last",
        false,
    ),
];

const BESIDE: &str = "right before|directly before|just before|before|ahead of|in front of|above|right after|directly after|just after|after|\
     behind|below|underneath|under";

const PLACES: &str = "to position|to place|to number|to spot|to slot|to the position|as number|to the|as the";

/// The text with what `named` names where `target` says.
fn reordered(
    page: &Page,
    named: Phrase<'_, '_>,
    target: Phrase<'_, '_>,
    length: usize,
) -> Option<Result<String, Refusal>> {
    let named = named.unmarked();
    let (entries, from) = match entry::one(page, named)? {
        Ok(found) => found,
        Err(refusal) => return Some(Err(refusal)),
    };
    put_at(page, &entries, from, target, length)
}

/// The text with the entry at `from` where `target` says.
fn put_at(
    page: &Page,
    entries: &Entries,
    from: usize,
    target: Phrase<'_, '_>,
    length: usize,
) -> Option<Result<String, Refusal>> {
    let place = if length == 0 {
        match ENDS.iter().find(|(words, _)| target.strip(words).is_some())?.1 {
            true => Target::First,
            false => Target::Last,
        }
    } else {
        let beside = target.from(length).unmarked();
        match target.strip(BESIDE).is_some() {
            true => {
                let after =
                    target.to(length).words.iter().any(|word| word.is_any("after|behind|below|underneath|under"));
                Target::Beside { entry: entry::within(page, entries, beside)?, after }
            }
            false => Target::Nth(*entry::numbers(beside)?.indices(entries.bodies.len())?.first()?),
        }
    };
    let mut order: Vec<usize> = (0..entries.bodies.len()).filter(|at| *at != from).collect();
    let to = match place {
        Target::First => 0,
        Target::Last => order.len(),
        Target::Nth(at) => at.min(order.len()),
        Target::Beside { entry, .. } if entry == from => return None,
        Target::Beside { entry, after } => order.iter().position(|at| *at == entry)? + usize::from(after),
    };
    order.insert(to, from);
    let edits = (0..order.len())
        .map(|at| (entries.bodies[at].clone(), page.at(&entries.bodies[order[at]]).to_owned()))
        .collect();
    Some(Ok(find::applied(&page.text, &edits)))
}

/// `swap steps 2 and 3`, `swap Tuesday and Thursday`, `swap owner and backup`.
pub(super) fn swapped(
    page: &Page,
    phrase: Phrase<'_, '_>,
    told: Option<Phrase<'_, '_>>,
) -> Option<Result<String, Refusal>> {
    let rest = phrase.strip("swap|exchange|switch|flip|interchange")?.unmarked();
    if rest.words.iter().any(|word| !word.quoted && word.folded.ends_with("'s")) {
        let plain = format!("swap {}", rest.raw().replace("'s", "").replace("’s", ""));
        let words = super::super::words::words(&plain);
        return swapped(page, Phrase { request: &plain, words: &words }, told);
    }
    let rest = rest.strip("the order of|the positions of|the places of|the position of|around").unwrap_or(rest);
    let within = rest
        .words
        .iter()
        .rposition(|word| word.is_any("in|on|within"))
        .filter(|at| *at > 2 && rest.words.len() - at <= 4);
    let rest = within.map_or(rest, |at| rest.to(at));
    // `the Tuesday and Friday sessions`
    let rest = match rest.words {
        [.., last]
            if rest.words.len() > 3
                && last.raw.ends_with('s')
                && last.raw.chars().all(char::is_lowercase)
                && !page.has(&key(last.raw)) =>
        {
            rest.to(rest.words.len() - 1)
        }
        _ => rest,
    };
    let both = rest.strip("those two|these two|the two|them|those|both|them around|the two of them");
    if both.is_some_and(|after| after.unmarked().is_empty()) {
        let told = told?;
        let found: Vec<(Entries, usize)> = mentions(page, told);
        let [(entries, one), (_, other)] = found.as_slice() else { return None };
        return Some(Ok(exchanged(page, &entries.bodies[*one], &entries.bodies[*other])));
    }
    // `items 2 and 4`, `the first two steps`
    if entry::numbers(rest).is_some()
        && let Some(Ok(named)) = entry::some(page, rest)
        && let [one, other] = named.which.as_slice()
    {
        return Some(Ok(exchanged(page, &named.entries.bodies[*one], &named.entries.bodies[*other])));
    }
    let and = rest.words.iter().position(|word| word.is_any("and|with"))?;
    let end = rest.words.iter().position(|word| word.is_any(":|;|,")).unwrap_or(rest.words.len());
    let (one, other) = (rest.to(and).unmarked(), rest.to(end).from(and + 1).unmarked());
    // `the meals for Tuesday and Thursday`
    let named = |phrase: Phrase<'_, '_>| {
        let keys = content(phrase.words);
        let labels =
            page.labels().iter().filter(|label| !keys.is_empty() && label.keys.iter().all(|key| keys.contains(key)));
        let labels: Vec<_> = labels.collect();
        if let [label] = labels.as_slice() { Some(label.value.clone()) } else { None }
    };
    if let (Some(one), Some(other)) = (named(one), named(other)) {
        return Some(Ok(exchanged(page, &one, &other)));
    }
    let (entries, first) = entry::one(page, one)?.ok()?;
    // `steps 2 and 3`
    let second = entry::within(page, &entries, other)
        .or_else(|| {
            other.words.first().and_then(|word| word.raw.parse::<usize>().ok()).and_then(|at| at.checked_sub(1))
        })
        .filter(|at| *at < entries.bodies.len() && *at != first)?;
    // `swap Wednesday and Friday` of `Wed push, Fri pull`: the days stay where they are.
    let days = [(one, first), (other, second)].map(|(named, at)| {
        let body = &entries.bodies[at];
        let words = page.words_in(body);
        let leads = words.len() > 1
            && words[0].place.start == body.start
            && is_weekday(page.at(&words[0].place))
            && words[0].key == key(named.raw());
        leads.then(|| words[1].place.start..body.end)
    });
    if let [Some(one), Some(other)] = &days {
        return Some(Ok(exchanged(page, one, other)));
    }
    // `swap push day and pull day`: what is named changes places, and not the day beside it.
    let spot = |named: Phrase<'_, '_>, body: &Range<usize>| {
        let at = page.at(body).to_lowercase().find(&named.strip("the").unwrap_or(named).raw().to_lowercase());
        at.map_or(body.clone(), |at| body.start + at..body.start + at + named.strip("the").unwrap_or(named).raw().len())
    };
    let (one, other) = (spot(one, &entries.bodies[first]), spot(other, &entries.bodies[second]));
    let whole = one == entries.bodies[first] || other == entries.bodies[second];
    Some(Ok(match whole {
        true => exchanged(page, &entries.bodies[first], &entries.bodies[second]),
        false => exchanged(page, &one, &other),
    }))
}

/// The text with two stretches in each other's place; of `week 31 Jorge` and `week 32 Aylin` only the names, for the weeks count.
fn exchanged(page: &Page, one: &Range<usize>, other: &Range<usize>) -> String {
    let counted = |body: &Range<usize>| match page.words_in(body) {
        [lead, count, rest, ..]
            if lead.place.start == body.start && page.at(&count.place).bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            Some((lead.key.clone(), rest.place.start..body.end))
        }
        _ => None,
    };
    let (one, other) = match (counted(one), counted(other)) {
        (Some((lead, one)), Some((same, other))) if lead == same => (one, other),
        _ => (one.clone(), other.clone()),
    };
    let (one, other) = (&one, &other);
    let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
    let edits = vec![(first.clone(), page.at(second).to_owned()), (second.clone(), page.at(first).to_owned())];
    find::applied(&page.text, &edits)
}

/// The entries of one list that `told` speaks of, by number or by their words.
fn mentions(page: &Page, told: Phrase<'_, '_>) -> Vec<(Entries, usize)> {
    let mut out: Vec<(Entries, usize)> = Vec::new();
    for at in 0..told.words.len().min(LONGEST) {
        for count in [2, 3, 1] {
            let named = told.from(at).to(count);
            let Some(Ok(found)) = (named.words.len() == count).then(|| entry::one(page, named)).flatten() else {
                continue;
            };
            if !out.iter().any(|(entries, at)| entries.bodies[*at] == found.0.bodies[found.1]) {
                out.push(found);
            }
        }
    }
    out
}

/// `tick off the wrench`, `uncheck step 2`, in a list of boxes.
pub(super) fn ticked(
    page: &Page,
    phrase: Phrase<'_, '_>,
    told: Option<Phrase<'_, '_>>,
) -> Option<Result<String, Refusal>> {
    let off = phrase.strip("uncheck|untick|unmark|clear the box for|clear the checkbox for");
    let on = phrase.strip("tick off|check off|cross off|tick|check|mark off|checkmark");
    let marks = phrase.strip("mark|set").and_then(|rest| {
        rest.strip_end("as done|as completed|as complete|as checked|as ticked|as finished|done|checked|completed|as packed|as bought|as paid|as booked")
    });
    let rest = off.or(on).or(marks)?.unmarked();
    let rest =
        rest.strip_end("off|as done|in the list|on the list|off the list|as completed|too|as well").unwrap_or(rest);
    let boxes = boxes(page)?;
    let rest_of = rest.is_only("the|remaining|other|boxes|rest|items|ones|others|tasks|open")
        && rest.words.iter().any(|word| word.is_any("remaining|rest|others|other"));
    if rest_of
        || rest.strip("all|every|each|everything").is_some_and(|after| {
            after.words.iter().all(|word| {
                word.is_any(
                "the|of|items|boxes|box|item|them|tasks|entries|on|list|in|off|two|three|four|five|six|remaining|open",
            )
            })
        })
    {
        let edits = boxes.iter().map(|(place, _)| (place.clone(), marked(place, off.is_none()).to_owned())).collect();
        let new = find::applied(&page.text, &edits);
        return Some(if new == page.text { Err(Refusal::Prohibition) } else { Ok(new) });
    }
    let pronoun = super::remove::is_told(rest)
        || super::remove::is_pronoun(rest)
        || rest.strip("both|those|them|these|that|this|it|the two").is_some_and(|after| {
            after
                .words
                .iter()
                .all(|word| word.is_any("of|those|them|these|item|items|one|two|box|boxes|entry|off|both"))
        });
    let parts: Vec<Phrase<'_, '_>> = match (pronoun, told) {
        (true, Some(told)) => vec![told],
        (true, None) => return None,
        _ => {
            rest.words.split(|word| word.is_any("and|,")).map(|words| Phrase { request: rest.request, words }).collect()
        }
    };
    let boxes = boxes.as_slice();
    put_marks(page, boxes, rest, &parts, pronoun, off.is_none())
}

/// `the stove and the rain jackets are packed now`, `we bought the tent`, in a list of boxes.
pub(super) fn told_done(page: &Page, said: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    const DONE: &str = "packed|bought|done|booked|paid|ordered|finished|completed|complete|sent|submitted|signed|arrived|\
         cleaned|ready|collected|returned|printed|delivered|installed|handled|sorted|settled|called|filed|uploaded|washed|\
         watered|mailed|renewed|scheduled|cooked|baked|checked|ticked|picked";
    let boxes = boxes(page)?;
    let said = said.unmarked();
    let said = said.strip_end("now|already|by now|off|up|too|as well|in").unwrap_or(said);
    let helps = "is|are|was|were|has|have|been|got|now|already|both|all|just|i've|we've|i|we|they|he|she";
    let parts = match said.words {
        [named @ .., done] if done.is_any(DONE) => {
            let verb = named.iter().position(|word| word.is_any("is|are|was|were|has|have|got"))?;
            Phrase { request: said.request, words: &named[verb..] }.is_only(helps).then(|| said.to(verb))?
        }
        _ => {
            let lead = said.words.iter().take_while(|word| word.is_any(helps)).count();
            (lead > 0 && said.words.get(lead)?.is_any(DONE)).then(|| said.from(lead + 1))?
        }
    };
    let parts = parts.strip_end("both|all").unwrap_or(parts);
    let parts: Vec<Phrase<'_, '_>> = parts
        .words
        .split(|word| word.is_any("and|,"))
        .filter(|words| !words.is_empty())
        .map(|words| Phrase { request: said.request, words })
        .collect();
    let found = |part: &Phrase<'_, '_>| said_in(page, &boxes, *part, false).len() == 1;
    (!parts.is_empty() && parts.iter().all(found)).then(|| put_marks(page, &boxes, said, &parts, false, true))?
}

/// `those two can be checked off`, after what was told of them.
pub(super) fn tick_told(page: &Page, object: Phrase<'_, '_>, told: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    put_marks(page, &boxes(page)?, object, &[told], true, true)
}

/// The text with the boxes ticked that `parts` name, or, where a pronoun points to them, tell of.
fn put_marks(
    page: &Page,
    boxes: &[(Range<usize>, Range<usize>)],
    rest: Phrase<'_, '_>,
    parts: &[Phrase<'_, '_>],
    pronoun: bool,
    on: bool,
) -> Option<Result<String, Refusal>> {
    let mut edits = find::Edits::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let found = match entry::numbers(*part).and_then(|numbers| numbers.indices(boxes.len())) {
            Some(at) => at,
            None => said_in(page, boxes, *part, pronoun),
        };
        let both = pronoun && rest.words.iter().any(|word| word.is_any("both|two")) && found.len() != 2;
        let counted = entry::numbers(*part).is_some();
        if found.is_empty() || both || found.len() > 1 && !pronoun && !counted {
            return Some(Err(if found.is_empty() {
                Refusal::not_in_text(part.raw())
            } else {
                Refusal::ambiguous(part.raw())
            }));
        }
        edits.extend(found.iter().map(|at| (boxes[*at].0.clone(), marked(&boxes[*at].0, on).to_owned())));
    }
    edits.sort_by_key(|(place, _)| place.start);
    edits.dedup_by_key(|(place, _)| place.start);
    let new = find::applied(&page.text, &edits);
    Some(if new == page.text { Err(Refusal::Prohibition) } else { Ok(new) })
}

/// Whether all of it is to be ticked: `tick it off`, with nothing before it that tells of an item.
pub(super) fn is_whole(phrase: Phrase<'_, '_>) -> bool {
    phrase.words.iter().any(|word| word.is_any("task|thought|memory|note|everything|all|whole"))
}

/// What a box becomes.
fn marked(place: &Range<usize>, on: bool) -> &'static str {
    match (place.len() > 1, on) {
        (true, true) => "☑",
        (true, false) => "☐",
        (false, true) => "x",
        (false, false) => " ",
    }
}

/// The boxes of a list, each with what its line says.
fn boxes(page: &Page) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let row = page.rows().iter().find(|row| row.is_lines())?;
    let RowKind::Lines(lines) = &row.kind else { return None };
    let boxes: Vec<_> = (0..row.items.len())
        .filter_map(|at| {
            let lead = &page.text[lines[at].start..row.items[at].start];
            if let Some(open) = ["☐", "☑"].iter().find_map(|mark| lead.find(mark)) {
                let start = lines[at].start + open;
                return Some((start..start + "☐".len(), row.items[at].clone()));
            }
            let open = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| lead.find(mark))?;
            let start = lines[at].start + open + 1;
            Some((start..start + 1, row.items[at].clone()))
        })
        .collect();
    (boxes.len() == row.items.len()).then_some(boxes)
}

/// Which lines say all of `part`, or, where it only tells of them, something of it.
fn said_in(page: &Page, boxes: &[(Range<usize>, Range<usize>)], part: Phrase<'_, '_>, loosely: bool) -> Vec<usize> {
    let mut keys = content(part.words);
    keys.extend(part.words.iter().filter(|word| word.quoted).flat_map(|word| keys_of(word.raw)));
    let words = |at: usize| page.words_in(&boxes[at].1);
    let says = |at: usize, key: &String| words(at).iter().any(|word| word.key == *key);
    let fits = |at: &usize| match loosely {
        true => {
            keys.iter().any(|key| says(*at, key) && (0..boxes.len()).filter(|other| says(*other, key)).count() == 1)
        }
        false => !keys.is_empty() && keys.iter().all(|key| says(*at, key)),
    };
    (0..boxes.len()).filter(fits).collect()
}

/// The list and the item of it that `named` counts to: `the second question`.
pub(super) fn counted(page: &Page, named: Phrase<'_, '_>) -> Option<(usize, usize)> {
    let numbers = entry::numbers(named)?;
    let named = named.unmarked();
    let is_other = |word: &Word<'_>| word.is_any("line|sentence|paragraph|word|row|time|day|date|week|month|year");
    if named.words.iter().any(is_other) {
        return None;
    }
    let lines = page.rows().iter().any(Row::is_lines);
    let rows: Vec<usize> = (0..page.rows().len()).filter(|at| page.rows()[*at].is_lines() || !lines).collect();
    let [row] = rows.as_slice() else { return None };
    // What is counted is an item, or what the heading says they are.
    let noun = named.words.iter().find(|word| {
        word.raw.chars().all(char::is_alphabetic)
            && counting::ordinal(&word.folded).is_none()
            && !word.is_any("the|my|our|that")
    });
    let heading = page.words_in(&page.rows()[*row].heading);
    let counts = noun.is_none_or(|noun| {
        vocabulary::is(&noun.folded, "part.item")
            || noun.is_any("number|no|one|exercise|question|option")
            || heading.iter().any(|word| word.key == key(noun.raw))
            || page.rows()[*row].is_lines()
                && counting::ordinal(&named.strip("the|my|our").unwrap_or(named).words[0].folded).is_some()
                && !page.has(&key(noun.raw))
    });
    if !counts {
        return None;
    }
    let which = numbers.indices(page.rows()[*row].items.len())?;
    if let [only] = which.as_slice() { Some((*row, *only)) } else { None }
}

/// The words of a statement that count to an item.
pub(super) fn told_item<'a, 'r>(told: Phrase<'a, 'r>) -> Option<Phrase<'a, 'r>> {
    let pairs = (0..told.words.len().saturating_sub(1)).map(|at| told.from(at).to(2));
    let mut named = pairs.filter(|pair| entry::numbers(*pair).is_some());
    let first = named.next()?;
    named.next().is_none().then_some(first)
}

/// The item that `named` counts to with `new` in it: for its one value of that kind, or for all of it.
pub(super) fn set(page: &Page, named: Phrase<'_, '_>, new: &find::New) -> Option<Result<String, Refusal>> {
    let (row, at) = counted(page, named)?;
    let item = &page.rows()[row].items[at];
    let digits = new.text.starts_with(|c: char| c.is_ascii_digit());
    let inside = |value: &&super::super::value::Value| item.start <= value.start && value.end <= item.end;
    if let [value] = new.values.as_slice() {
        let fits = |old: &&super::super::value::Value| inside(old) && find::alike(&page.text, old, &new.text, value);
        let same: Vec<_> = page.values().iter().filter(fits).collect();
        return match same.as_slice() {
            [only] => Some(Ok(find::applied(&page.text, &vec![find::put_value(&page.text, only, &new.text, value)]))),
            _ => Some(Err(Refusal::ambiguous(named.raw()))),
        };
    }
    // `3 x 45 s` for the `3 x 30 s` of `Side plank, 3 x 30 s`
    let shape = |text: &str| {
        let mut shape = text.replace(|c: char| c.is_ascii_digit(), "0");
        while shape.contains("00") {
            shape = shape.replace("00", "0");
        }
        shape
    };
    let alike = page
        .segments()
        .iter()
        .find(|part| item.start <= part.start && part.end <= item.end && shape(page.at(part)) == shape(&new.text));
    match alike {
        Some(part) => Some(Ok(find::applied(&page.text, &vec![(part.clone(), new.text.clone())]))),
        None if digits && !new.quoted => Some(Err(Refusal::ambiguous(named.raw()))),
        None => Some(Ok(find::applied(&page.text, &vec![(item.clone(), new.text.trim_end_matches('.').to_owned())]))),
    }
}

//! Reads what a request wants added, and where: `X at the end`, `X before Y`, `a sentence: X`.

use super::{
    changing::MOST_READINGS,
    command::{Command, Operand, Part, Place, Which},
    counting::part,
    description::is_description,
    phrase::Phrase,
    words::Word,
};

/// `X at the end`, `X before Y`, `a sentence: X` after a verb that adds.
pub(super) fn insert(phrase: Phrase<'_, '_>, verb: &str) -> Option<Vec<Command>> {
    let phrase = phrase
        .strip("in|on")
        .filter(|_| verb == "tack" || phrase.words.get(1).is_some_and(|word| word.quoted))
        .unwrap_or(phrase);
    let ends = [
        (AT_END, Place::End),
        (AT_START, Place::Start),
        (ON_LINE, Place::Line),
        (TO_LIST, Place::List),
        (AS_SENTENCE, Place::Sentence),
    ];
    if phrase
        .strip("two|three|four|several|these|some|the following")
        .is_some_and(|rest| rest.strip("items|things|bullets|lines|steps|points").is_some())
    {
        return Some(vec![Command::Vague]);
    }
    // `step 4: X`.
    let step = phrase.strip("a step|step|a new step|another step|as step|item|point");
    let is_number = |word: &Word<'_>| word.raw.bytes().all(|byte| byte.is_ascii_digit());
    let step = step.map(|rest| rest.from(usize::from(rest.words.first().is_some_and(is_number))));
    if let Some(new) = step.filter(|rest| rest.starts(":") && rest.words.len() > 1) {
        return new.free().map(|new| vec![Command::Insert { new, place: Place::List }]);
    }
    if let Some(rest) = phrase.strip("the prefix|a prefix|prefix") {
        return rest.free().map(|new| vec![Command::Insert { new: bare_lead(new), place: Place::Start }]);
    }
    if let Some(rest) = phrase.strip("the suffix|a suffix|suffix") {
        return rest.free().map(|new| vec![Command::Insert { new, place: Place::End }]);
    }
    // The place comes first: `at the end: X`, `a sentence: X`.
    for (starts, place) in [
        (
            "a sentence|sentence|another sentence|a new sentence|the sentence|a final sentence|one sentence|\
                 a sentence saying|a note",
            Place::Sentence,
        ),
        ("a bullet point|a new bullet|a bullet|another bullet|an item|a new item|another item|the item", Place::List),
        ("a new line|a line|another line", Place::Line),
    ] {
        if let Some(rest) = phrase.strip(starts)
            && !rest.starts("to")
            && !rest.unmarked().is_empty()
        {
            if is_description(rest) || rest.strip("about|on|regarding|describing|explaining").is_some() {
                return Some(vec![Command::Vague]);
            }
            // `a new line at the end: X`.
            let rest = rest.strip(AT_END).filter(|after| after.starts(":")).unwrap_or(rest);
            let said = rest.strip("saying that|that says|saying|that|stating that|stating").unwrap_or(rest);
            let body = said.strip_end(AT_END).filter(|body| body.words.iter().any(|word| word.quoted)).unwrap_or(said);
            return body.free().map(|new| vec![Command::Insert { new, place: place.clone() }]);
        }
    }
    if let Some(rest) = phrase.strip("that|the fact that|the information that|the info that")
        && rest.words.len() > 1
    {
        return rest.free().map(|new| vec![Command::Insert { new: bare_lead(new), place: Place::Sentence }]);
    }
    for (places, place) in &ends {
        if let Some(rest) = phrase.strip(places)
            && !rest.unmarked().is_empty()
        {
            return rest.free().map(|new| vec![Command::Insert { new, place: place.clone() }]);
        }
    }
    if phrase.words.first().is_some_and(|word| word.is(":")) || phrase.strip("the following").is_some() {
        let place = if verb == "append" { Place::End } else { Place::Natural };
        let rest = phrase.strip("the following").unwrap_or(phrase);
        return rest.free().map(|new| vec![Command::Insert { new, place }]);
    }
    if let Some(rest) = phrase.strip_end(
        "at the top of the list|to the top of the list|as the first item|as the first bullet|as first item|to the front of the list|\
         at the start of the list|at the beginning of the list",
    ) {
        let place = Place::BesidePart { part: Part::Item, which: Which::Nth(1), after: false };
        return rest.operand().map(|new| vec![Command::Insert { new, place }]);
    }
    if let Some(rest) = phrase.strip_end("as the first line|as a first line") {
        let place = Place::BesidePart { part: Part::Line, which: Which::Nth(1), after: false };
        return rest.operand().map(|new| vec![Command::Insert { new, place }]);
    }
    for (places, place) in ends {
        if let Some(rest) = phrase.strip_end(places) {
            if is_description(rest) {
                return Some(vec![Command::Vague]);
            }
            let new = rest.operand()?;
            // Words in front of others keep their colon.
            let colon = place == Place::Start && !new.quoted && rest.words.last().is_some_and(|word| word.is(":"));
            let new = if colon { Operand { text: format!("{}:", new.text), quoted: false } } else { new };
            return Some(vec![Command::Insert { new: mark_for(new), place }]);
        }
    }
    let mut out = Vec::new();
    for at in phrase.all("before|after|in front of|behind|between").filter(|at| *at > 0).take(MOST_READINGS) {
        out.extend(beside_words(phrase, at));
    }
    if !out.is_empty() {
        return Some(out);
    }
    if matches!(verb, "put" | "write") {
        return None;
    }
    let new = if verb == "append" { phrase.free() } else { phrase.operand() }?;
    let vague = "something|some|one more|more|details|context|info|information|anything|it|this|that|them|the usual|an item|a bullet|a new item|another item|the rest|\
         the other|the missing|stuff|things|another|what|whatever|a few|to|the same";
    if !new.quoted && phrase.strip(vague).is_some() {
        return Some(vec![Command::Vague]);
    }
    let place = if verb == "append" { Place::End } else { Place::Natural };
    Some(vec![Command::Insert { new: mark_for(new), place }])
}

/// `X before Y`, where `before` stands at `at`.
fn beside_words(phrase: Phrase<'_, '_>, at: usize) -> Option<Command> {
    let joint = &phrase.words[at];
    let anchor = phrase.from(at + if joint.is("in") { 3 } else { 1 });
    let new = phrase.to(at);
    let new = new.strip_end("right|immediately|directly|just|straight").unwrap_or(new);
    let line = new.strip_end(ON_LINE);
    let (new, words) = (line.unwrap_or(new).operand()?, anchor.operand()?);
    let after = joint.is_any("after|behind");
    if line.is_some() {
        let (text, place) = match after {
            true => (format!("\n{}", new.text), Place::After(words)),
            false => (format!("{}\n", new.text), Place::Before(words)),
        };
        return Some(Command::Insert { new: Operand { text, quoted: true }, place });
    }
    let place = match joint.is("between") {
        true => {
            let and = anchor.find("and").filter(|and| *and > 0)?;
            Place::Between(anchor.to(and).operand()?, anchor.from(and + 1).operand()?)
        }
        false => beside(anchor, after)?,
    };
    Some(Command::Insert { new: mark_for(new), place })
}

/// The place beside a counted part (`after the first sentence`) or beside some words.
fn beside(anchor: Phrase<'_, '_>, after: bool) -> Option<Place> {
    if let Some((part, which)) = part(anchor).filter(|(part, _)| *part != Part::Word) {
        return Some(Place::BesidePart { part, which, after });
    }
    let words = anchor.operand()?;
    Some(if after { Place::After(words) } else { Place::Before(words) })
}

/// `at the end add X`, `after Friday insert X`: the place comes before the verb.
pub(super) fn place_first(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    const ADDS: &str = "add|insert|put|write|append";
    for (places, place) in [(AT_END, Place::End), (AT_START, Place::Start)] {
        let Some(rest) = phrase.strip(places) else { continue };
        let rest = rest.from(rest.words.iter().take_while(|word| word.is_any(",|please")).count());
        let new = rest.strip(ADDS)?;
        return match is_description(new) {
            true => Some(vec![Command::Vague]),
            false => new.free().map(|new| vec![Command::Insert { new, place }]),
        };
    }
    let rest = phrase.strip("after|before|right after|right before|directly after|directly before")?;
    let after = phrase.words[phrase.words.len() - rest.words.len() - 1].is("after");
    let verb = rest.find(ADDS).filter(|at| *at > 0)?;
    let (anchor, new) = (rest.to(verb).unmarked(), rest.from(verb + 1).operand()?);
    let place = beside(anchor, after)?;
    Some(vec![Command::Insert { new: mark_for(new), place }])
}

const AT_END: &str = "to the end of it|to the end of the text|to the end of this thought|to the end of the thought|\
     to the end of the note|to the end of this|to the end of the sentence|at the end of it|at the end of the text|\
     at the end of the thought|at the end of the sentence|at the very end|at the end|to the end|at the bottom|\
     to the bottom|to this thought|to the thought|to the note|to this note|to the text|to this memory|\
     to the memory|as a suffix|to this|to it|at end|onto the end|on the end|to this one|to the task|to this task";

const AT_START: &str = "to the front of the text|to the front of it|to the front of this|at the front of the text|at the front of it|\
     to the start of the text|to the start of it|to the beginning of the text|to the top of the text|at the top of the text|\
     at the top of the note|to the top of the note|at the very beginning|at the beginning of the text|at the beginning of the thought|at the beginning of it|\
     at the start of it|at the start of the text|at the start of the thought|to the beginning of it|\
     at the beginning|to the beginning|at the start|to the start|at the front|to the front|in front of it|\
     in front of this|in front of the text|in front|at the top|to the top|as a prefix|up front|before it|\
     before everything|before the text|at beginning|at start";

const ON_LINE: &str = "on a new line|on a separate line|on its own line|as a new line|on the next line|in a new line";

const TO_LIST: &str = "at the end of the list|to the end of the list|at the bottom of the list|to the bottom of the list|to the list|to my list|to the shopping list|to the packing list|to the items|as an item|as a new item|\
     as a bullet|as a new bullet|as a bullet point|as another item|to the grocery list|to this list|\
     to the to-do list|to the todo list|to the checklist|to my checklist|to the agenda|to the steps|on the list|to our list|to the bullet list|to the bullets";

const AS_SENTENCE: &str =
    "as a new sentence|as a sentence|as another sentence|as a separate sentence|as the last sentence";

/// `start with X`, `prefix it with X`.
pub(super) fn start(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let rest = phrase.strip("it with|this with|the text with|the thought with|the note with|the memory with|the entry with|with the words|with the word|with")?;
    // `with the date, 2025-06-18`
    let rest = match rest.words {
        [the, noun, comma, _, ..] if the.is("the") && comma.is(",") && !noun.quoted => rest.from(3),
        _ => rest,
    };
    Some(vec![Command::Insert { new: bare_lead(rest.free()?), place: Place::Start }])
}

/// `prepend X`: whatever follows goes in front.
pub(super) fn prepend(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let rest = phrase.strip_end(AT_START).unwrap_or(phrase);
    let line = rest
        .strip("a line|a new line|the line|a first line")
        .filter(|line| line.starts(":") || line.words.first().is_some_and(|word| word.quoted));
    if let Some(line) = line {
        let new = line.free()?;
        return Some(vec![Command::Insert {
            new: Operand { text: format!("{}\n", new.text), quoted: true },
            place: Place::Start,
        }]);
    }
    let rest = rest.strip("it with|this with|with|the words|the word|the text|the phrase|to it").unwrap_or(rest);
    Some(vec![Command::Insert { new: bare_lead(rest.free()?), place: Place::Start }])
}

/// Words to stand in front keep their colon, but not the full stop of the request.
pub(super) fn bare_lead(new: Operand) -> Operand {
    match new.quoted {
        true => new,
        false => Operand { text: new.text.trim_end_matches('.').to_owned(), quoted: false },
    }
}

/// The mark that a name such as `a comma` stands for, other words as they are.
pub(super) fn mark_for(words: Operand) -> Operand {
    if words.quoted {
        return words;
    }
    let lower = words.text.to_lowercase();
    let name = lower
        .trim_start_matches("the ")
        .trim_start_matches("an ")
        .trim_start_matches("a ")
        .trim_start_matches("final ")
        .trim_start_matches("trailing ");
    let mark = match name.strip_suffix('s').unwrap_or(name) {
        "period" | "full stop" | "dot" | "point" => ".",
        "comma" => ",",
        "colon" => ":",
        "semicolon" => ";",
        "exclamation mark" | "exclamation point" => "!",
        "question mark" => "?",
        "hyphen" | "dash" => "-",
        "ellipsi" | "ellipsis" => "…",
        _ => return words,
    };
    Operand { text: mark.to_owned(), quoted: true }
}

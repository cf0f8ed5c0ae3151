//! Cuts a request into its steps and carries them out one after the other, all or none.

use super::{
    Change,
    command::{self, Command},
    courtesy::{courtesy, takes_any_words},
    grammar, insertion,
    lifecycle::Reader,
    phrase::Phrase,
    refusal::Refusal,
    statement,
    value::{self, Kind},
    verbs,
    words::{self, Word},
};

/// The change of text that `request` asks for, with the change of state it may ask for as well; `None` if the request
/// is about no text at all.
pub(super) fn decide(text: &str, reader: &Reader<'_>, request: &str) -> Option<Result<Change, Refusal>> {
    if let Some(steps) = lines(text, reader, request) {
        return Some(steps.and_then(|steps| carry_out(text, reader, &steps)));
    }
    let mut words = words::words(request);
    verbs::in_english(&mut words);
    let asked = courtesy(Phrase { request, words: &words })?;
    let steps = match steps(text, reader, asked.phrase) {
        Ok(steps) => steps,
        Err(refusal) => return Some(Err(refusal)),
    };
    if !steps.iter().any(|step| matches!(step, Step::Text(_))) {
        return None;
    }
    let announced = asked.phrase.words.iter().any(|word| word.is(":") || word.quoted);
    if asked.ends_with_question && !asked.polite && !(announced && takes_any_words(asked.phrase)) {
        return Some(Err(Refusal::Question));
    }
    Some(carry_out(text, reader, &steps))
}

/// The steps of a request that has each of them on a line of its own; `None` if it has not.
fn lines<'r>(text: &str, reader: &Reader<'_>, request: &'r str) -> Option<Result<Vec<Step<'r>>, Refusal>> {
    // `s/a/b/; s/c/d/` has its steps on one line.
    let is_sed = request.trim_start().starts_with("s/") && request.contains("; s/");
    let lines: Vec<&str> = match is_sed {
        true => request.split("; ").map(str::trim).collect(),
        false => request.lines().map(without_marker).filter(|line| !line.is_empty()).collect(),
    };
    if lines.len() < 2 || lines.len() > MOST_STEPS {
        return None;
    }
    let is_itemized =
        request.lines().map(str::trim).filter(|line| !line.is_empty()).all(|line| without_marker(line) != line);
    let mut out = Vec::new();
    for line in lines {
        let mut words = words::words(line);
        verbs::in_english(&mut words);
        let asked = courtesy(Phrase { request: line, words: &words })?;
        if is_announced(asked.phrase) && !is_itemized || asked.ends_with_question && !asked.polite {
            return None;
        }
        let is_step = reader.is_wish(asked.phrase.raw()) || grammar::commands(asked.phrase).is_some();
        if !is_step {
            return None;
        }
        match steps(text, reader, asked.phrase) {
            Ok(steps) => out.extend(steps),
            Err(refusal) => return Some(Err(refusal)),
        }
    }
    out.iter().any(|step| matches!(step, Step::Text(_))).then_some(Ok(out))
}

/// A line without the bullet or the number it begins with.
fn without_marker(line: &str) -> &str {
    let line = line.trim();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered =
        digits.strip_prefix(". ").or_else(|| digits.strip_prefix(") ")).filter(|_| digits.len() < line.len());
    let bullet = ["- ", "* ", "• "].iter().find_map(|bullet| line.strip_prefix(bullet));
    numbered.or(bullet).unwrap_or(line).trim()
}

/// One thing a request asks for.
enum Step<'r> {
    /// The readings of a change of text.
    Text(Vec<Command>),
    /// A change of state, in words.
    State(&'r str),
}

fn carry_out(text: &str, reader: &Reader<'_>, steps: &[Step<'_>]) -> Result<Change, Refusal> {
    let mut changed = text.to_owned();
    let mut wishes = Vec::new();
    for step in steps {
        match step {
            Step::Text(readings) => changed = settle(&changed, readings)?,
            Step::State(wish) => wishes.push(*wish),
        }
    }
    if wishes.is_empty() {
        return Ok(Change::Edit { text: Some(changed), status: None });
    }
    match reader.decide(&wishes.join(". "))? {
        Change::Edit { status, .. } => Ok(Change::Edit { text: Some(changed), status }),
        Change::Undo | Change::Redo => Err(Refusal::Contradiction),
    }
}

/// The text after the one reading that fits it.
pub(super) fn settle(text: &str, readings: &[Command]) -> Result<String, Refusal> {
    let mut results: Vec<String> = Vec::new();
    let mut refusals: Vec<Refusal> = Vec::new();
    for reading in readings {
        match command::apply(text, reading) {
            Ok(changed) if is_garbled(text, &changed, reading) => refusals.push(Refusal::Unclear),
            Ok(changed) if results.contains(&changed) => {}
            Ok(changed) => results.push(changed),
            Err(refusal) => refusals.push(refusal),
        }
    }
    let unclear = refusals.iter().any(|refusal| matches!(refusal, Refusal::Ambiguous { .. }));
    match results.len() {
        1 if !unclear => results.pop().ok_or(Refusal::Unclear),
        0 => Err(refusals.into_iter().next().unwrap_or(Refusal::Unclear)),
        _ => Err(Refusal::Readings),
    }
}

/// Whether a change left a word twice in a row, or put in words that run over a line, which nobody asks for.
fn is_garbled(text: &str, changed: &str, reading: &Command) -> bool {
    let new = match reading {
        Command::Change { new, .. } | Command::Replace { new, .. } | Command::Settle { new } => new,
        Command::Correct { said, .. } => said,
        _ => return false,
    };
    !new.quoted && (doubled_words(changed) > doubled_words(text) || new.text.contains('\n'))
}

fn doubled_words(text: &str) -> usize {
    let mut before = "";
    text.split_whitespace().filter(|word| std::mem::replace(&mut before, word).eq_ignore_ascii_case(word)).count()
}

/// The steps of a request, cut where another command begins.
fn steps<'r>(text: &str, reader: &Reader<'_>, phrase: Phrase<'_, 'r>) -> Result<Vec<Step<'r>>, Refusal> {
    if phrase.words.len() > MOST_WORDS {
        return long_step(text, reader, phrase);
    }
    let mut out = Vec::new();
    // Further on, a cut leaves out what counts the step after it.
    let mut rest = without_ordinal(phrase);
    let mut verb: Option<usize> = None;
    for _ in 0..MOST_STEPS {
        let cut = boundary(text, reader, rest, verb.map(|at| &phrase.words[at]))?;
        let piece = rest.to(cut.as_ref().map_or(rest.words.len(), |cut| cut.at));
        let offset = phrase.words.len() - rest.words.len();
        // `fix the name, Paul should be Paula`: the first half only announces the second.
        let commands = cut.as_ref().is_some_and(|cut| rest.from(cut.next).words[0].is_any(grammar::VERBS));
        let announces = cut.as_ref().is_some_and(|cut| cut.corrects) && is_announcement(piece)
            || commands && is_explanation(text, piece);
        if !announces {
            push_step(reader, &mut out, piece, verb.map(|at| &phrase.words[at]))?;
        }
        let Some(cut) = cut else { return Ok(out) };
        let head = if verb.is_some() { verb } else { Some(offset) };
        verb = if cut.repeats_verb { head } else { None };
        rest = rest.from(cut.next);
    }
    Err(Refusal::Unclear)
}

/// The one step of a request so long that it must be bringing its own text.
fn long_step<'r>(text: &str, reader: &Reader<'_>, phrase: Phrase<'_, 'r>) -> Result<Vec<Step<'r>>, Refusal> {
    let readings = grammar::commands(phrase).filter(|_| is_announced(phrase)).ok_or(Refusal::Unclear)?;
    // A wish at the very end may belong to the text or not.
    let end = phrase.from(phrase.words.len() - LONGEST_WISH);
    match boundary(text, reader, end, None) {
        Ok(None) => Ok(vec![Step::Text(readings)]),
        _ => Err(Refusal::Readings),
    }
}

/// Words of a wish such as `and then please mark this thought as done`.
const LONGEST_WISH: usize = 12;

/// More words than this are not read one by one.
const MOST_WORDS: usize = 200;

/// Whether new words are announced by a colon, so that all that follows belongs to them.
fn is_announced(phrase: Phrase<'_, '_>) -> bool {
    phrase.words.iter().take(8).any(|word| word.is(":")) && takes_any_words(phrase)
}

/// Requests with more steps are no longer about one thought.
const MOST_STEPS: usize = 12;

/// Where one step ends and the next begins.
struct Cut {
    at: usize,
    next: usize,
    /// Whether the next step has no verb of its own: `change a to b and c to d`.
    repeats_verb: bool,
    /// Whether the next step is a correction that names its own words.
    corrects: bool,
}

fn is_announcement(piece: Phrase<'_, '_>) -> bool {
    let vague = |command: &Command| matches!(command, Command::Vague | Command::FixTypos { .. });
    grammar::commands(piece).is_some_and(|commands| commands.iter().all(vague))
}

/// Whether a piece tells how things are without fitting the text: `she charges 130 now, change 120 to 130`.
fn is_explanation(text: &str, piece: Phrase<'_, '_>) -> bool {
    let tells = |command: &Command| matches!(command, Command::Restate { .. });
    let readings =
        grammar::commands(piece).filter(|_| piece.find(EDITS).is_none() && !piece.words[0].is_any(grammar::VERBS));
    readings.is_some_and(|readings| readings.iter().all(tells) && settle(text, &readings).is_err())
}

/// Words between two steps.
const BETWEEN: &str = "and|then|also|plus|&|but|,|;|.|!|please|finally|afterwards|so|next|lastly|secondly|additionally|\
     furthermore|afterward|+|/|-|–|—|(";

fn boundary(
    text: &str,
    reader: &Reader<'_>,
    phrase: Phrase<'_, '_>,
    verb: Option<&Word<'_>>,
) -> Result<Option<Cut>, Refusal> {
    let announced = is_announced(phrase);
    let mut at = 1;
    let mut tried = 0;
    while at < phrase.words.len() && tried < MOST_CUTS {
        let joints = match phrase.from(at).starts("as well as") {
            true => 3,
            false => phrase.words[at..].iter().take_while(|word| word.is_any(BETWEEN)).count(),
        };
        if joints == 0 {
            at += 1;
            continue;
        }
        tried += 1;
        let length = phrase.words.len() - at - without_ordinal(phrase.from(at + joints)).words.len();
        let next = phrase.from(at + length);
        let joined = phrase.words[at..at + length].iter().any(|word| !word.is(","));
        let end = next.words.iter().position(|word| word.is_any("and|,|;|.|then")).unwrap_or(next.words.len());
        let piece = next.to(end).raw();
        if reader.takes_back(piece) {
            return Err(Refusal::Contradiction);
        }
        if !piece.is_empty() && reader.is_wish(piece) {
            // In running text, `… and archive it` may be part of it, and `, done` may be an item.
            if announced || !joined && !reader.is_command(piece) {
                return Err(Refusal::Readings);
            }
            return Ok(Some(Cut { at, next: at + length, repeats_verb: false, corrects: false }));
        }
        // `at the end, add …` is one step.
        let commands = next.words.len() > 1 && next.words[0].is_any(grammar::VERBS);
        if !announced && commands && !insertion::is_place(phrase.to(at)) {
            return Ok(Some(Cut { at, next: at + length, repeats_verb: false, corrects: false }));
        }
        if !announced && corrects(text, next) {
            return Ok(Some(Cut { at, next: at + length, repeats_verb: false, corrects: true }));
        }
        if !announced && continues(text, phrase, next, verb) {
            return Ok(Some(Cut { at, next: at + length, repeats_verb: true, corrects: false }));
        }
        if !announced && swallows(phrase.to(at), next, verb) {
            return Err(Refusal::Readings);
        }
        at += length;
    }
    Ok(None)
}

/// Requests with more joints are not looked at further.
const MOST_CUTS: usize = 16;

/// Whether `next` is another correction of words of the text: `c should be d`.
fn corrects(text: &str, next: Phrase<'_, '_>) -> bool {
    let next = next.to(LONGEST_WISH);
    let joint = next
        .find(statement::SHOULD_BE)
        .or_else(|| next.words.iter().position(Word::is_arrow))
        .filter(|at| (1..8).contains(at));
    let pronoun = next.words.first().is_some_and(|word| word.is_any("it|this|that|i|we"));
    !pronoun
        && joint
            .and_then(|at| next.to(at).operand())
            .is_some_and(|old| super::replace::places(text, &old, command::Which::Every).is_ok())
}

/// Whether `next` goes on with the verb of `phrase`: `change a to b` `and c to d`.
fn continues(text: &str, phrase: Phrase<'_, '_>, next: Phrase<'_, '_>, verb: Option<&Word<'_>>) -> bool {
    let verb = verb.or(phrase.words.first()).map_or("", |word| &*word.folded);
    if matches!(verb, "remove" | "delete" | "drop" | "erase" | "omit") {
        // `remove a and b`, unless the text itself says `a and b`.
        let known = |operand: Option<command::Operand>| {
            operand.is_some_and(|words| super::replace::places(text, &words, command::Which::Every).is_ok())
        };
        let end = next.words.iter().position(|word| word.is_any(BETWEEN)).unwrap_or(next.words.len());
        return known(next.to(end).operand()) && !known(phrase.from(1).operand());
    }
    let Some(joints) = joints_of(verb) else { return false };
    let Some(joint) = next.find(joints).filter(|at| *at > 0) else { return false };
    let named = next.to(joint).operand();
    named.is_some_and(|old| super::replace::places(text, &old, command::Which::Every).is_ok())
        && phrase.find(joints).is_some()
}

/// What joins the old words and the new after a verb.
fn joints_of(verb: &str) -> Option<&'static str> {
    match verb {
        "change" | "update" | "switch" | "correct" | "rename" | "fix" => Some("to|->|→"),
        "replace" | "swap" => Some("with|by|for"),
        _ => None,
    }
}

/// Whether `next` looks like another pair, or something else to be done, of which the text knows nothing: that it belongs to the
/// new words is not certain enough.
fn swallows(before: Phrase<'_, '_>, next: Phrase<'_, '_>, verb: Option<&Word<'_>>) -> bool {
    let verb = verb.or(before.words.first()).map_or("", |word| &*word.folded);
    let arrow = before.words.iter().any(Word::is_arrow);
    let joints = match joints_of(verb) {
        Some(joints) if before.find(joints).is_some() => joints,
        _ if arrow => "->|→|=>",
        _ => return false,
    };
    let pair = next.find(joints).is_some_and(|at| (1..4).contains(&at) && at + 1 < next.words.len());
    pair || next.strip(UNDOABLE).is_some()
}

/// What can be asked of an assistant, but not here.
const UNDOABLE: &str = "translate|summarize|summarise|remind me|remind us|notify|simplify|shorten|improve|tell me|let me know|\
     show me|explain";

/// A step without the word or number that counts it: `step 2: …`, `first …`, `after that …`.
fn without_ordinal<'a, 'r>(phrase: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    const COUNTS: &str = "first of all|first off|first|firstly|second|secondly|third|thirdly|next|finally|lastly|last|after that|\
         afterwards|step 1|step 2|step 3|step 4|step one|step two|step three|1|2|3|4|1)|2)|3)|4)|a)|b)|c)|as well as";
    let Some(rest) = phrase.strip(COUNTS) else { return phrase };
    let rest = rest.from(rest.words.iter().take_while(|word| word.is_any(":|,|.|-|–|—|)|please|then|just")).count());
    let commands = rest.words.first().is_some_and(|word| {
        word.is_any(grammar::VERBS) && rest.words.len() > 1
            || word.is_any("mark|archive|close|complete|reopen|restore|dismiss")
    });
    if commands { rest } else { phrase }
}

/// Pushes what one piece of a request asks for.
fn push_step<'r>(
    reader: &Reader<'_>,
    out: &mut Vec<Step<'r>>,
    piece: Phrase<'_, 'r>,
    verb: Option<&Word<'r>>,
) -> Result<(), Refusal> {
    let piece = without_reason(reader, piece);
    if piece.unmarked().is_empty() {
        return Ok(());
    }
    if piece.find("and back to|then back to|and then back|or to|or").is_some_and(|at| at > 1)
        && !takes_any_words(piece)
        && !is_about_or(piece)
    {
        return Err(Refusal::Contradiction);
    }
    if verb.is_none() && reader.is_wish(piece.raw()) {
        out.push(Step::State(piece.raw()));
        return Ok(());
    }
    // `change a to b (and mark it done)`: whether that belongs to the new words is not certain.
    let enclosed = piece.raw().strip_suffix(')').and_then(|raw| raw.rsplit_once('(')).map(|(_, inner)| inner);
    if enclosed.is_some_and(|inner| reader.is_wish(inner.trim_start_matches("and "))) {
        return Err(Refusal::Readings);
    }
    let readings = match verb {
        Some(verb) => {
            let words: Vec<Word<'r>> = std::iter::once(verb.clone()).chain(piece.words.iter().cloned()).collect();
            grammar::commands(Phrase { request: piece.request, words: &words })
        }
        None => grammar::commands(piece),
    };
    match readings {
        Some(readings) if is_conditional(piece, &readings) || readings.iter().any(says_when) => Err(Refusal::Later),
        Some(readings) => {
            out.push(Step::Text(readings));
            Ok(())
        }
        None if reader.is_aside(piece.raw()) && piece.find(EDITS).is_none() => Ok(()),
        None if out.is_empty() => {
            out.push(Step::State(piece.raw()));
            Ok(())
        }
        None => Err(Refusal::Unclear),
    }
}

/// Verbs that no mere remark has: what cannot be read beside one must not be passed over.
const EDITS: &str = "change|replace|rename|append|prepend|insert|remove|delete|reword|rewrite|rephrase|swap|add";

/// Whether `or` is one of the words to be changed, rather than a choice left to the reader.
fn is_about_or(piece: Phrase<'_, '_>) -> bool {
    let listed = piece.head() == "add" || piece.head() == "remove";
    piece
        .find("or")
        .is_none_or(|at| piece.words[at - 1].is_any("to|with|word") || piece.words.len() == at + 1 || listed)
        && piece.find("back to").is_none()
}

/// Whether a change of some words is to happen only under a condition.
fn is_conditional(piece: Phrase<'_, '_>, readings: &[Command]) -> bool {
    let changes = readings.iter().any(|reading| {
        matches!(
            reading,
            Command::Change { .. }
                | Command::Replace { .. }
                | Command::Settle { .. }
                | Command::Correct { .. }
                | Command::Remove(_)
                | Command::Insert { place: command::Place::Natural | command::Place::List, .. }
        )
    });
    changes
        && piece.find("if|when|once|unless|until|as soon as").is_some_and(|at| {
            at > 1 && !piece.words[at - 1].is_any("to|with|word|by") && !piece.words[at - 1].is_arrow()
        })
}

/// Whether new words say when to change rather than what to: `change Monday to Tuesday tomorrow`.
fn says_when(reading: &Command) -> bool {
    let Command::Change { new, .. } = reading else { return false };
    let values = if new.quoted { None } else { value::only_values(&new.text) };
    values.is_some_and(|values| match values.as_slice() {
        [first, .., last] => last.kind == Kind::Relative && first.kind.family() == last.kind.family(),
        _ => false,
    })
}

/// A command without the reason given for it.
fn without_reason<'a, 'r>(reader: &Reader<'_>, piece: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    if takes_any_words(piece) && !piece.words.iter().any(|word| word.quoted) {
        return piece;
    }
    if let Some(at) =
        piece.find("because|since|cuz|as it turns out|as he|as she|as they|as we|as i").filter(|at| *at > 2)
    {
        return piece.to(at);
    }
    // `it's not Monday, it's Tuesday` needs both its halves.
    if !piece.words.first().is_some_and(|word| word.is_any(grammar::VERBS)) {
        return piece;
    }
    let comma = (2..piece.words.len()).find(|&at| {
        let after = piece.from(at + 1);
        let speaks = after
            .words
            .first()
            .is_some_and(|word| word.is_any("i|we|he|she|they|it|the|that|there|my|our|i've|we've|it's|that's"));
        piece.words[at].is_any(",|.|;|-|–|—")
            && speaks
            && after.find("not|should").is_none()
            && reader.is_aside(after.raw())
    });
    comma.map_or(piece, |at| piece.to(at))
}

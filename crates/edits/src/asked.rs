//! Reads a request: cuts it into pieces, works out what each of them does, and does all of them or none.

mod add;
mod change;
mod cut;
mod fact;
mod remove;

use super::request::settle;
use super::{
    Change,
    command::{self, Command},
    find, grammar,
    lifecycle::Reader,
    phrase::Phrase,
    refusal::Refusal,
    statement, vocabulary, words,
};
pub(super) use remove::is_broken;

use cut::{Joint, Piece, cut, is_command, is_statement, without_courtesy};

/// What a piece of a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Politeness, or a remark that changes nothing.
    Courtesy,
    /// A change of the thought's state.
    State,
    Command,
    Statement,
    Reason,
    /// Neither a command nor a sentence: `Tier: Gold`, `3pm, not 2pm`.
    Fragment,
}

/// What came of reading a request.
pub(super) enum Outcome {
    Done(Change),
    /// Nothing is to be done; whether words are asked to be changed, so that it is not about the state alone.
    Refused {
        refusal: Refusal,
        about_text: bool,
    },
    /// The request is about no text at all.
    Nothing,
}

/// What `request` asks for, of the text and of the state beside it.
pub(super) fn decide(text: &str, reader: &Reader<'_>, request: &str) -> Outcome {
    let words = words::words(request);
    // Whoever says so much brings words to be written down, and says so at once.
    if words.len() > MOST_WORDS {
        let start = Phrase { request, words: &words[..12] };
        let asked = without_courtesy(start);
        let brings =
            ["add", "rewrite", "replace", "change"].iter().any(|class| vocabulary::length(asked.words, class) > 0)
                && asked.words.iter().any(|word| word.is(":"));
        if !brings || request.starts_with(':') {
            return Outcome::Refused { refusal: Refusal::Unclear, about_text: true };
        }
    }
    let whole = Phrase { request, words: &words };
    // All of it may be about one spelling.
    let quotes = words.iter().filter(|word| word.quoted).count();
    if quotes == 2
        && let Ok(new) = fact::respelled(text, whole)
    {
        return Outcome::Done(Change::Edit { text: Some(new), status: None });
    }
    let whole = reflected(whole);
    let pieces: Vec<Piece<'_, '_>> = cut(whole);
    if pieces.is_empty() || pieces.len() > MOST_PIECES {
        return Outcome::Nothing;
    }
    let roles: Vec<Role> = pieces
        .iter()
        .enumerate()
        .map(|(at, piece)| {
            role(
                text,
                reader,
                *piece,
                at,
                at.checked_sub(1).map(|before| pieces[before].phrase),
                pieces.get(at + 1).map(|next| next.joint),
            )
        })
        .collect();
    let about_text = roles.contains(&Role::Command);
    let done = refused(&pieces, &roles).map_or_else(|| carry_out(text, reader, &pieces, &roles), Err);
    // Something new of somebody the text is about.
    let alone = roles.iter().filter(|role| !matches!(role, Role::Courtesy | Role::Reason)).count() == 1
        || pieces.len() == 2 && pieces[1].joint == Joint::Colon;
    if let (Err(Refusal::Unclear | Refusal::NotInText { .. }), true, Some(last)) = (&done, alone, pieces.last())
        && roles.last() == Some(&Role::Statement)
        && reader.decide(request) == Err(Refusal::Unclear)
        && let Some(new) = fact::news(text, ready(last.phrase))
    {
        return Outcome::Done(Change::Edit { text: Some(new), status: None });
    }
    match done {
        Ok(Some(change)) => Outcome::Done(change),
        Ok(None) => Outcome::Nothing,
        Err(refusal) => Outcome::Refused { refusal, about_text },
    }
}

/// Whether a request of several pieces tells of the thought as a whole: one of them says so of `it`, or says nothing else.
pub(super) fn tells_of_thought(reader: &Reader<'_>, request: &str) -> bool {
    let words = words::words(request);
    let pieces = cut(Phrase { request, words: &words });
    let whole = |piece: &Piece<'_, '_>| {
        let phrase = ready(piece.phrase).unmarked();
        let about = phrase.words.first().is_some_and(|word| {
            vocabulary::is(&word.folded, "pronoun")
                || word.is_any("it's|that's|this's|its|done|i've|we've|they've|i'm|no|not|task|already|all")
        });
        (about || phrase.words.len() <= 4) && reader.is_wish(phrase.raw())
    };
    let short = words.len() <= 12 && words.iter().any(|word| word.is_any("this|that|it|task|it's"));
    pieces.len() < 2 || short || pieces.iter().any(whole) || reader.is_command(request)
}

/// A request without the words that only say that the text is to say it: `update this memory to reflect that …`.
fn reflected<'a, 'r>(whole: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    let asked = without_courtesy(whole);
    let changes = vocabulary::length(asked.words, "change") > 0;
    let at = asked
        .find("reflect that|say that|state that|show that|reflect the fact that|so that")
        .filter(|at| changes && *at <= 8);
    let about = |at: usize| {
        asked.words[1..at].iter().all(|word| {
            vocabulary::is(&word.folded, "whole") || vocabulary::is(&word.folded, "article") || word.is("to")
        })
    };
    match at {
        Some(at) if at > 1 && about(at) => {
            asked.from(at + asked.from(at).words.iter().position(|word| word.is("that")).map_or(1, |that| that + 1))
        }
        _ => whole,
    }
}

/// Does what all pieces ask for; `None` if that is no change of text.
fn carry_out(
    text: &str,
    reader: &Reader<'_>,
    pieces: &[Piece<'_, '_>],
    roles: &[Role],
) -> Result<Option<Change>, Refusal> {
    let commands = roles.iter().any(|role| matches!(role, Role::Command | Role::State));
    let mut now = text.to_owned();
    let mut wishes: Vec<&str> = Vec::new();
    let mut told: Option<Phrase<'_, '_>> = None;
    let mut stated = false;
    let mut unexplained: Option<Refusal> = None;
    let mut wants_value = false;
    let letters = pieces.iter().filter(|piece| super::lettering::letters(ready(piece.phrase)).is_some()).count();
    if letters > 1 {
        return Err(Refusal::Contradiction);
    }
    for (at, (piece, role)) in pieces.iter().zip(roles).enumerate() {
        let phrase = ready(piece.phrase);
        // `Also, …` joins like what stands before its comma.
        let courtesy = at.checked_sub(1).filter(|before| roles[*before] == Role::Courtesy);
        let piece = &Piece { joint: courtesy.map_or(piece.joint, |before| pieces[before].joint), ..*piece };
        match role {
            Role::Courtesy | Role::Reason => {}
            Role::State => wishes.push(piece.phrase.raw()),
            // `fix the typo: libary should be library` only announces.
            Role::Command
                if pieces.get(at + 1).is_some_and(|next| next.joint == Joint::Colon) && phrase.words.len() <= 4 => {}
            Role::Command
                if is_valueless(phrase)
                    && !phrase
                        .words
                        .iter()
                        .any(|word| word.is_any("typo|typos|spelling|grammar|capitalization|punctuation"))
                    && (stated || told.is_some()) =>
            {
                wants_value = true
            }
            Role::Command => match command(&now, phrase, told) {
                Some(Ok(new)) => now = new,
                None | Some(Err(Refusal::Vague)) if is_valueless(phrase) => wants_value = true,
                Some(Err(refusal)) => return Err(refusal),
                None => return Err(Refusal::Unclear),
            },
            Role::Statement | Role::Fragment => {
                // What follows a command after a comma or a dash explains it.
                let after = roles[..at].iter().any(|role| matches!(role, Role::Command | Role::State)) || stated;
                let ordered = roles[..at].iter().any(|role| matches!(role, Role::Command | Role::State));
                let parallel = stated && !ordered && piece.joint == Joint::Comma;
                let explicit = phrase.find("rather than|instead of").is_some()
                    || vocabulary_has(piece.phrase, "also") && piece.joint == Joint::Semicolon;
                if *role == Role::Statement && piece.joint.explains() && after && !parallel && !explicit {
                    continue;
                }
                if is_valueless(phrase) {
                    wants_value = true;
                    continue;
                }
                let before = at
                    .checked_sub(1)
                    .filter(|before| roles[*before] == Role::Courtesy)
                    .map(|before| pieces[before].phrase);
                let also =
                    vocabulary_has(piece.phrase, "also") || before.is_some_and(|before| vocabulary_has(before, "also"));
                let added = (also && !commands).then(|| fact::added(&now, phrase)).flatten();
                let spells = piece.joint == Joint::Colon
                    && pieces[at - 1].phrase.words.iter().any(|word| word.is_any("typo|typos|spelling|misspelling"));
                let done = match added {
                    Some(new) => Ok(new),
                    None if also && !commands => Err(Refusal::Unclear),
                    None => state(&now, phrase, *role, !commands && pieces.len() == 1, spells),
                };
                match done {
                    Ok(new) => {
                        stated = true;
                        now = new;
                    }
                    Err(refusal) => {
                        let announces =
                            pieces.get(at + 1).is_some_and(|next| matches!(next.joint, Joint::Colon | Joint::So));
                        let aside = match role {
                            _ if piece.joint == Joint::But => false,
                            _ if parallel => !claims(text, phrase, true),
                            Role::Fragment if pieces.get(at + 1).is_some_and(|_| roles[at + 1] == Role::Command) => {
                                !claims(text, phrase, true)
                            }
                            Role::Statement => {
                                (commands
                                    || announces
                                    || pieces.len() > 1 && at + 1 < pieces.len() && pieces[at + 1].joint != Joint::And)
                                    && !claims(text, phrase, commands || announces)
                            }
                            _ => piece.joint.explains() && after && !claims(text, phrase, true),
                        };
                        if !aside {
                            unexplained.get_or_insert(refusal);
                        }
                    }
                }
                told = Some(phrase);
            }
        }
    }
    if wants_value && !stated {
        return Err(unexplained.unwrap_or(Refusal::Vague));
    }
    if let Some(refusal) = unexplained {
        return Err(refusal);
    }
    if now == text {
        // `mark it done; they called yesterday`: all else only explains it.
        let asked = !wishes.is_empty() && reader.decide(pieces_raw(pieces)).is_err();
        return if asked { reader.decide(&wishes.join(". ")).map(Some) } else { Ok(None) };
    }
    if now.trim().is_empty() {
        return Err(Refusal::Emptied);
    }
    if wishes.is_empty() {
        return Ok(Some(Change::Edit { text: Some(now), status: None }));
    }
    match reader.decide(&wishes.join(". "))? {
        Change::Edit { status, .. } => Ok(Some(Change::Edit { text: Some(now), status })),
        Change::Undo | Change::Redo => Err(Refusal::Contradiction),
    }
}

/// The whole request.
fn pieces_raw<'r>(pieces: &[Piece<'_, 'r>]) -> &'r str {
    pieces.first().map_or("", |piece| piece.phrase.request)
}

/// Whether some words of a phrase are of `class`.
fn vocabulary_has(phrase: Phrase<'_, '_>, class: &str) -> bool {
    (0..phrase.words.len()).any(|at| vocabulary::length(&phrase.words[at..], class) > 0)
}

/// Whether a statement that could not be carried out says something that the text should say.
fn claims(text: &str, phrase: Phrase<'_, '_>, is_reason: bool) -> bool {
    let page = super::page::Page::read(text);
    let now = |at: usize| phrase.words[at].is_any("now|instead|currently");
    let digits = phrase
        .words
        .iter()
        .any(|word| word.raw.contains(|c: char| c.is_ascii_digit()) && !page.has(&super::page::key(word.raw)));
    let named = phrase
        .words
        .iter()
        .skip(1)
        .any(|word| word.raw.starts_with(char::is_uppercase) && !page.has(&super::page::key(word.raw)));
    let becomes = phrase.words.iter().any(|word| word.is_any("is|are|will|should"))
        && find::content(phrase.words).iter().any(|key| page.has(key));
    phrase.find("should be|should read|should say").is_some() && !phrase.starts("it")
        || (0..phrase.words.len()).any(now) && !is_reason
        || digits && (!is_reason || becomes)
        || named && !is_reason
}

/// More words than this are no request without words to be written down.
const MOST_WORDS: usize = 250;

/// Nobody asks for more at once.
const MOST_PIECES: usize = 40;

fn role(
    text: &str,
    reader: &Reader<'_>,
    piece: Piece<'_, '_>,
    at: usize,
    before: Option<Phrase<'_, '_>>,
    next: Option<Joint>,
) -> Role {
    let phrase = ready(piece.phrase);
    if phrase.unmarked().is_empty()
        || vocabulary::length(phrase.unmarked().words, "remark") == phrase.unmarked().words.len()
        || vocabulary::length(phrase.unmarked().words, "courtesy") == phrase.unmarked().words.len()
    {
        return Role::Courtesy;
    }
    if piece.joint == Joint::Because {
        return Role::Reason;
    }
    // `, the user wants to take the course after all` tells why.
    if piece.joint.explains()
        && piece.phrase.unmarked_start().strip("the user|user|they|he|she|we|i").is_some()
        && is_statement(piece.phrase.unmarked_start())
    {
        return Role::Statement;
    }
    if is_command(phrase) {
        return if is_state(text, reader, phrase, before) { Role::State } else { Role::Command };
    }
    // `then archive it`, `done`, `and I bought it already`.
    let wish = || reader.is_wish(phrase.raw());
    let plain = phrase.words.len() <= 2 && !is_statement(phrase);
    if at > 0
        && (piece.joint == Joint::And || plain || !piece.joint.explains() && reader.is_command(phrase.raw()))
        && wish()
    {
        return Role::State;
    }
    if at == 0 && matches!(next, Some(Joint::And | Joint::But)) && wish() {
        return Role::State;
    }
    if !is_statement(phrase) && reader.is_command(phrase.raw()) && wish() {
        return Role::State;
    }
    if has_arrow(phrase) {
        return if wish() { Role::State } else { Role::Command };
    }
    if is_statement(phrase) { Role::Statement } else { Role::Fragment }
}

fn has_arrow(phrase: Phrase<'_, '_>) -> bool {
    phrase.words.iter().any(super::words::Word::is_arrow)
}

/// Whether a command is about the thought's state and not about its text.
fn is_state(text: &str, reader: &Reader<'_>, phrase: Phrase<'_, '_>, before: Option<Phrase<'_, '_>>) -> bool {
    if !reader.is_wish(phrase.raw()) {
        return false;
    }
    let page = super::page::Page::read(text);
    // A text with a `Status:` of its own means that.
    let names_status = |word: &super::words::Word<'_>| word.is_any("status|state|stato|estado|statut|zustand");
    let has_label = |word: &super::words::Word<'_>| {
        page.labels.iter().any(|label| label.keys.contains(&super::page::key(word.raw)))
    };
    if phrase.words.iter().any(|word| names_status(word) && has_label(word)) {
        return false;
    }
    let removes = take_off(phrase).or_else(|| {
        let length = vocabulary::length(phrase.words, "remove");
        (length > 0).then(|| phrase.from(length))
    });
    let Some(what) = removes else { return true };
    // `remove the fix item` is about an item, `remove the gym thought` about the thought.
    let is_list = !page.rows.is_empty();
    let names_item =
        is_list && what.words.iter().any(|word| vocabulary::is(&word.folded, "part.item")) && what.words.len() > 2;
    let told = !what.words.iter().any(|word| word.is_any("this|thought|memory|note"))
        && before.is_some_and(|before| {
            let keys = find::content(before.words);
            let item = page.rows.iter().any(|row| {
                row.items.iter().any(|item| page.words_in(item).iter().any(|word| keys.contains(&word.key)))
            });
            let counted = before
                .words
                .iter()
                .any(|word| word.is_any("item|step|bullet|doubled|duplicate|question|point|number|entry|task"));
            let quoted = before.words.iter().any(|word| word.quoted);
            is_list && item || counted || quoted
        });
    !names_item && !told
}

/// A piece without the courtesies around it.
fn ready<'a, 'r>(phrase: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    let mut rest = without_courtesy(phrase);
    loop {
        let body = rest.unmarked_end();
        let length = vocabulary::length_at_end(body.words, "thanks");
        if length == 0 || length >= body.words.len() || rest.words.iter().any(|word| word.is(":")) {
            return rest;
        }
        rest = body.to(body.words.len() - length).unmarked_end();
    }
}

/// Why nothing of a request may be done, if that shows in one of its pieces.
fn refused(pieces: &[Piece<'_, '_>], roles: &[Role]) -> Option<Refusal> {
    for (piece, role) in pieces.iter().zip(roles) {
        let phrase = piece.phrase.unmarked_start();
        if phrase.unmarked().words.len() > 1
            && vocabulary::length(phrase.unmarked().words, "retract") == phrase.unmarked().words.len()
            && piece.joint != Joint::Start
        {
            return Some(Refusal::Contradiction);
        }
        if *role == Role::Reason || *role == Role::Courtesy {
            continue;
        }
        let ready = ready(phrase);
        if vocabulary::length(ready.unmarked().words, "retract") == ready.unmarked().words.len() && pieces.len() > 1 {
            return Some(Refusal::Contradiction);
        }
        if *role == Role::Command
            && !ready.words.iter().any(|word| word.is(":"))
            && vocabulary::length_at_end(ready.unmarked().words, "hedge") > 0
        {
            return Some(Refusal::Partly);
        }
        let content = ready.words.iter().any(|word| word.is(":"))
            || ready.strip("add that|note that|mention that|record that").is_some();
        if let Some(at) = (0..ready.words.len())
            .find(|&at| vocabulary::length(&ready.words[at..], "if") > 0 && !ready.words[at].quoted)
            && !content
            && (at == 0 && !ready.is_count()
                || *role == Role::Command
                    && at > 1
                    && !ready.words[at - 1].is_any("to|with|word|by|after")
                    && !ready.from(at).is_count())
        {
            return Some(Refusal::Later);
        }
        if ready.starts("don't") || ready.starts("do not") || ready.starts("never") || ready.starts("dont") {
            return Some(Refusal::Prohibition);
        }
        let asks = phrase.words.last().is_some_and(|word| word.is("?"));
        let polite = piece.phrase.words.len() > ready.words.len()
            && vocabulary::length(piece.phrase.unmarked_start().words, "courtesy") > 0;
        if asks && !(polite && matches!(role, Role::Command | Role::State)) && !content {
            return Some(Refusal::Question);
        }
    }
    None
}

/// Whether a command says that something is to be changed and not into what: `update it accordingly`.
fn is_valueless(phrase: Phrase<'_, '_>) -> bool {
    let needs = phrase.find("has to be updated|have to be updated|needs to be updated|need to be updated|should be updated|needs updating|must be updated|needs to be changed|has to be changed").is_some();
    let updates = needs
        || phrase
            .words
            .first()
            .is_some_and(|word| word.is_any("update|change|adjust|correct|fix|fill|amend|revise|apply|edit|modify"));
    updates
        && phrase.words.len() <= 8
        && !phrase.words.iter().any(|word| word.quoted || word.is(":") || word.is_any("to|with|into"))
}

/// Whether new words leave a choice: `to rolls or bagels`.
fn is_choice(phrase: Phrase<'_, '_>) -> bool {
    let adds = vocabulary::length(phrase.words, "add") > 0
        || vocabulary::length(phrase.words, "rewrite") > 0
        || vocabulary::length(phrase.words, "remove") > 0;
    let at = phrase.words.iter().position(|word| word.is("or"));
    let either = phrase.words.iter().any(|word| word.is("either")) && at.is_some();
    either && !adds
        || !adds
            && !phrase.words.iter().any(|word| word.is(":"))
            && at
                .is_some_and(|at| at > 1 && at + 1 < phrase.words.len() && !phrase.words[at - 1].is_any("to|with|word"))
}

/// The text after a command.
fn command(text: &str, phrase: Phrase<'_, '_>, before: Option<Phrase<'_, '_>>) -> Option<Result<String, Refusal>> {
    let words = phrase.words;
    let after = |class: &str| {
        let length = vocabulary::length(words, class);
        (length > 0).then(|| phrase.from(length))
    };
    let verb = words.first()?.folded.as_ref();
    if has_arrow(phrase) && !is_command(phrase) {
        return change::run(text, phrase, "arrow", "arrow", before).or_else(|| by_old_rules(text, phrase));
    }
    let spelling = phrase.words.iter().take(4).any(|word| word.is_any("typo|typos|spelling|misspelling|misspellings"))
        && words[0].is_any("fix|correct|repair");
    if spelling && let Some(done) = by_old_rules(text, phrase) {
        return Some(done);
    }
    if let Some(commands) = super::lettering::letters(phrase).or_else(|| super::lettering::space(phrase)) {
        return Some(settle(text, &commands));
    }
    let spells = words[0].is_any("write|spell")
        && phrase.find("with a|with an|with one|with two|without").is_some_and(|at| at == 2);
    if spells {
        return Some(settle(text, &[Command::Spell { right: phrase.to(2).from(1).operand()? }]));
    }
    let free = words.iter().any(|word| word.quoted || word.is(":"));
    if vocabulary::length(words, "rewrite") > 0
        && !free
        && phrase.find("as a|as an|in a|into a|to sound|to be|so that|more|less|better").is_some()
    {
        return Some(Err(Refusal::Vague));
    }
    if is_choice(phrase) {
        return Some(Err(Refusal::Contradiction));
    }
    if let Some(rest) = take_off(phrase).or_else(|| after("remove")) {
        return Some(remove::run(text, soft(Some(rest))?, before));
    }
    let mut done = swap(text, phrase).or_else(|| tick(text, phrase)).or_else(|| reorder(text, phrase));
    if done.is_some() {
    } else if let Some(rest) = after("add") {
        let particle =
            rest.unmarked().words.last().filter(|word| {
                vocabulary::is(&word.folded, "particle") && words[0].is_any("voeg|fuge|fuege|hange|haenge")
            });
        let rest = if particle.is_some() { rest.unmarked().to(rest.unmarked().words.len() - 1) } else { rest };
        done = add::run(text, rest, verb, before);
    } else if let Some(rest) = soft(after("replace")) {
        done = change::run(text, rest, "replace", "with", before);
    } else if let Some(rest) = soft(after("change")) {
        let verb = if words[0].is("set") {
            "set"
        } else if words[0].is("rename") {
            "rename"
        } else {
            "change"
        };
        done = change::run(text, rest, verb, "to", before);
    } else if let Some(rest) = after("other.replace").or_else(|| after("other.change")) {
        done = change::run(text, rest, "change", "other.to|other.with", before);
    } else if let Some(rest) = after("assign") {
        done = assign(text, rest);
    } else if let Some(rest) = phrase.strip("use").filter(|rest| rest.words.iter().any(|word| word.is(":"))) {
        let at = rest.words.iter().position(|word| word.is(":"))?;
        let what = rest.to(at);
        let what = what.strip_end("instead|now").unwrap_or(what);
        done = Some(change::pair(text, what, rest.from(at + 1), "set", command::Which::Only, before));
    } else if let Some(rest) = phrase.strip("use|make it|make that") {
        done = counted_things(text, rest);
    }
    done.or_else(|| by_old_rules(text, phrase))
}

/// A command without what may end it and says no more.
fn soft<'a, 'r>(phrase: Option<Phrase<'a, 'r>>) -> Option<Phrase<'a, 'r>> {
    let phrase = phrase?;
    let body = phrase.unmarked_end();
    let length = vocabulary::length_at_end(body.words, "soft");
    let free = phrase.words.iter().any(|word| word.is(":"));
    Some(if length > 0 && length < body.words.len() && !free {
        body.to(body.words.len() - length).unmarked_end()
    } else {
        phrase
    })
}

/// `340 g water and 12 g salt`: each for what the text has of it.
fn counted_things(text: &str, rest: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let mut now = text.to_owned();
    for part in rest.unmarked().words.split(|word| word.is_any("and|,")).filter(|part| !part.is_empty()) {
        let part = Phrase { request: rest.request, words: part };
        let to =
            (1..part.words.len()).rev().find(|&to| find::New::of(part.to(to)).is_some_and(|new| new.is_value()))?;
        let described = find::wanted(part.from(to));
        let page = super::page::Page::read(&now);
        if described.keys.is_empty() || !described.keys.iter().all(|key| page.has(key)) {
            return None;
        }
        match find::set(&page, &described, &find::New::of(part.to(to))?) {
            Ok(edits) => now = find::applied(&now, &edits),
            Err(refusal) => return Some(Err(refusal)),
        }
    }
    Some(Ok(now))
}

/// `swap items 2 and 3`, `swap owner and backup`.
fn swap(text: &str, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let rest = phrase.strip("swap|exchange|switch")?.unmarked();
    let and = rest.words.iter().position(|word| word.is_any("and|with"))?;
    let (one, other) = (rest.to(and).unmarked(), rest.from(and + 1).unmarked());
    let page = super::page::Page::read(text);
    let number = |phrase: Phrase<'_, '_>| {
        phrase.words.last().and_then(|word| word.raw.parse::<usize>().ok()).filter(|number| *number > 0)
    };
    if let (Some(one), Some(other)) = (number(one), number(other)) {
        let row = page.rows.iter().find(|row| row.is_lines())?;
        let fits = one != other && one.max(other) <= row.items.len();
        return Some(if fits { Ok(row.swapped(text, one - 1, other - 1)) } else { Err(Refusal::Nothing) });
    }
    let label = |phrase: Phrase<'_, '_>| {
        let keys = find::content(phrase.words);
        page.labels.iter().find(|label| !keys.is_empty() && label.keys == keys)
    };
    let (one, other) = (label(one)?, label(other)?);
    let (first, second) = if one.value.start < other.value.start { (one, other) } else { (other, one) };
    let edits = vec![
        (first.value.clone(), page.at(&second.value).to_owned()),
        (second.value.clone(), page.at(&first.value).to_owned()),
    ];
    Some(Ok(find::applied(text, &edits)))
}

/// `tick off the wrench`, in a list of boxes.
fn tick(text: &str, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let rest = phrase.strip("tick off|check off|cross off|tick|check")?.unmarked();
    let page = super::page::Page::read(text);
    let keys = find::content(rest.words);
    let row = page.rows.iter().find(|row| row.is_lines())?;
    let super::page::RowKind::Lines(lines) = &row.kind else { return None };
    let said = |at: &usize| {
        let words = page.words_in(&row.items[*at]);
        !keys.is_empty() && keys.iter().all(|key| words.iter().any(|word| word.key == *key))
    };
    let found: Vec<usize> = (0..row.items.len()).filter(said).collect();
    let [at] = found.as_slice() else { return (!found.is_empty()).then(|| Err(Refusal::ambiguous(rest.raw()))) };
    let place = lines[*at].start..row.items[*at].start;
    let open = page.at(&place).find("[ ]").map(|at| place.start + at)?;
    Some(Ok(find::applied(text, &vec![(open + 1..open + 2, "x".to_owned())])))
}

/// `move billing to the top`.
fn reorder(text: &str, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let rest = phrase.strip("move|put|bring|push")?.unmarked();
    let top = rest
        .strip_end("to the top|to the top of the list|to the start|first|to the front|to the first place|at the top");
    let end = rest.strip_end("to the bottom|to the end|to the end of the list|last|to the bottom of the list");
    let what = top.or(end)?;
    let keys = find::content(what.words);
    let page = super::page::Page::read(text);
    let mut found = Vec::new();
    for row in &page.rows {
        for at in 0..row.items.len() {
            let words = page.words_in(&row.items[at]);
            if !keys.is_empty() && keys.iter().all(|key| words.iter().any(|word| word.key == *key)) {
                found.push((row, at));
            }
        }
    }
    let [(row, from)] = found.as_slice() else { return Some(Err(Refusal::ambiguous(what.raw()))) };
    let to = if top.is_some() { 0 } else { row.items.len() - 1 };
    let mut order: Vec<usize> = (0..row.items.len()).filter(|at| at != from).collect();
    order.insert(to, *from);
    // Numbers in brackets stay where they are; only what they count moves.
    let body = |at: usize| {
        let item = page.at(&row.items[at]);
        let number = item
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(") "))
            .filter(|(number, _)| number.chars().all(|c| c.is_ascii_digit()));
        let skipped = number.map_or(0, |(number, _)| number.len() + 3);
        row.items[at].start + skipped..row.items[at].end
    };
    let edits = (0..row.items.len()).map(|at| (body(at), page.at(&body(order[at])).to_owned())).collect();
    Some(Ok(find::applied(text, &edits)))
}

/// What is to be taken off or out: `take X off the list`, `haal X van de agenda`.
fn take_off<'a, 'r>(phrase: Phrase<'a, 'r>) -> Option<Phrase<'a, 'r>> {
    let takes = phrase.strip("take|haal|nimm|strike")?;
    if vocabulary::length(phrase.words, "remove") > 1 {
        return None;
    }
    takes.words.iter().any(|word| word.is_any("off|out|from|van|von|aus")).then_some(takes)
}

/// `assign X as owner`, `assign it to X`.
fn assign(text: &str, rest: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    if let Some(new) =
        rest.strip("it to|this to|the task to|the ticket to|this task to|the issue to").and_then(find::New::of)
    {
        let page = super::page::Page::read(text);
        for noun in ["assignee", "owner", "responsible", "assigned"] {
            let described =
                find::Wanted { keys: vec![super::page::key(noun)], said: noun.to_owned(), ..find::Wanted::default() };
            if let Ok(edits) = find::set(&page, &described, &new) {
                return Some(Ok(find::applied(text, &edits)));
            }
        }
        let at = text.find("ssigned to ").map(|at| at + 11)?;
        let name: Vec<&str> = text[at..].split(' ').take_while(|word| word.starts_with(char::is_uppercase)).collect();
        let length = name.join(" ").trim_end_matches(['.', ',', ';']).len();
        return (length > 0).then(|| Ok(find::applied(text, &vec![(at..at + length, new.text.clone())])));
    }
    let at = rest.words.iter().position(|word| word.is("as"))?;
    let described = find::wanted(rest.from(at + 1));
    let new = find::New::of(rest.to(at))?;
    let page = super::page::Page::read(text);
    Some(find::set(&page, &described, &new).map(|edits| find::applied(text, &edits)))
}

/// The text after a statement or a fragment.
fn state(text: &str, phrase: Phrase<'_, '_>, role: Role, alone: bool, spells: bool) -> Result<String, Refusal> {
    if let Some(at) = phrase
        .find("with two|with one|with a double|with double")
        .filter(|_| phrase.strip("it's|it is|that's").is_some())
    {
        let right =
            phrase.to(at).strip("it's|it is|that's").and_then(|right| right.operand()).ok_or(Refusal::Unclear)?;
        return settle(text, &[Command::Spell { right }]);
    }
    let spelling =
        phrase.words.iter().any(|word| word.is_any("spelled|spelt|misspelled|misspelt|typo|spelling|written"));
    if spelling && let Some(commands) = super::misspelling::spelling(phrase).or_else(|| statement::commands(phrase)) {
        return settle(text, &commands);
    }
    // `79 EUR per month, ends Oct 2028`
    if role == Role::Fragment && phrase.words.iter().any(|word| word.is(",")) {
        let mut now = text.to_owned();
        let all =
            phrase.unmarked().words.split(|word| word.is(",")).all(|part| {
                fact::run(&now, Phrase { request: phrase.request, words: part }).map(|new| now = new).is_ok()
            });
        if all {
            return Ok(now);
        }
    }
    if phrase.words.len() <= 8 && phrase.words.iter().skip(1).any(|word| word.is("or")) {
        return Err(Refusal::Contradiction);
    }
    // What follows `fix the typo:` is about words, whatever else they are.
    if spells && let Some(commands) = statement::commands(phrase) {
        return settle(text, &commands);
    }
    // Short corrections name the words themselves: `Tuesday, not Monday`, `Landlord should be Landlady`.
    let contrast = phrase.words.len() <= 10
        && phrase.find("not|instead of|rather than|should be|should say|should read|insted of").is_some();
    let small = |at: usize| phrase.words[at].raw.chars().all(char::is_lowercase);
    let word = phrase.unmarked().words.len() == 4 && small(0) && small(3);
    let literal = word || phrase.find("not|instead of|rather than|insted of").is_some();
    if contrast
        && (alone || literal)
        && !names_label(text, phrase)
        && let Some(commands) = statement::commands(phrase)
        && let Ok(new) = settle(text, &commands)
    {
        return Ok(new);
    }
    if let Some(done) = placed_first(text, phrase) {
        return done;
    }
    // `the temporary note can go`
    if let Some(at) = (1..phrase.words.len()).find(|&at| vocabulary::length(&phrase.words[at..], "goes") > 0) {
        let after = phrase.from(at + vocabulary::length(&phrase.words[at..], "goes"));
        let verb = phrase.words[..at].iter().position(|word| cut::is_verb(&word.folded)).unwrap_or(at);
        let whence = after.unmarked().strip("from|off|of").unwrap_or(after).unmarked();
        if whence.is_empty()
            || find::content(whence.words).iter().all(|key| super::page::Page::read(text).has(key))
            || whence.words.iter().any(|word| vocabulary::is(&word.folded, "list"))
        {
            return remove::run(text, phrase.to(verb), None);
        }
    }
    let fact = fact::run(text, phrase);
    match fact {
        Ok(new) => Ok(new),
        Err(refusal @ (Refusal::Ambiguous { .. } | Refusal::Prohibition)) => Err(refusal),
        Err(refusal) if role == Role::Fragment || phrase.words.len() <= 12 => {
            let commands = if role == Role::Fragment { grammar::commands(phrase) } else { statement::commands(phrase) };
            match commands {
                Some(commands)
                    if (alone || phrase.words[0].raw.starts_with(char::is_uppercase)) && phrase.words.len() <= 8
                        || role == Role::Fragment =>
                {
                    settle(text, &commands)
                }
                _ => Err(refusal),
            }
        }
        Err(refusal) => Err(refusal),
    }
}

/// Whether what is to be something else is a label of a record: `Status should read …`.
fn names_label(text: &str, phrase: Phrase<'_, '_>) -> bool {
    let Some(at) = phrase.find("should") else { return false };
    let page = super::page::Page::read(text);
    let keys = find::content(phrase.to(at).words);
    let new = find::New::of(phrase.from(at + 2));
    let said = new.is_some_and(|new| new.quoted || new.is_value());
    let named = page.labels.iter().any(|label| label.keys.iter().all(|key| keys.contains(key)));
    let word = phrase.to(at).words.len() == 1
        && phrase.words.len() == at + 3
        && phrase.words[at + 2].raw.chars().all(char::is_lowercase);
    named && !word && (page.labels.len() > 1 || said)
        || said && !keys.iter().all(|key| page.text.to_lowercase().contains(key.as_str()))
}

/// `after the first sentence, insert: …`
fn placed_first(text: &str, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    phrase.strip("after|before")?;
    let comma = phrase.words.iter().position(|word| word.is(","))?;
    let rest = phrase.from(comma + 1);
    let verb = vocabulary::length(rest.words, "add");
    let colon = rest.words.get(verb).filter(|word| verb > 0 && word.is(":"))?;
    add::beside_part(&super::page::Page::read(text), phrase.to(comma), phrase.request[colon.end..].trim())
}

/// What the older rules make of a command.
fn by_old_rules(text: &str, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let body = phrase.unmarked_end();
    let here = vocabulary::length_at_end(body.words, "from_here");
    let phrase = if here > 0 && here < body.words.len() && phrase.starts("prepend") {
        body.to(body.words.len() - here)
    } else {
        phrase
    };
    if is_choice(phrase) {
        return Some(Err(Refusal::Contradiction));
    }
    let commands = grammar::commands(phrase)?;
    Some(settle(text, &commands))
}

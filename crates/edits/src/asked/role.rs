//! What each piece of a request does in it: a command, a statement, a reason, or nothing at all.

use super::super::{
    find,
    lifecycle::Reader,
    page::{Page, key},
    phrase::Phrase,
    refusal::Refusal,
    statement, vocabulary,
    words::Word,
};
use super::cut::{self, Joint, Piece, is_command, is_statement, without_courtesy};

/// What a piece of a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
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

/// The roles of all pieces.
pub(super) fn roles(page: &Page, reader: &Reader<'_>, pieces: &[Piece<'_, '_>]) -> Vec<Role> {
    let mut roles: Vec<Role> = (0..pieces.len()).map(|at| role(page, reader, pieces, at)).collect();
    for at in 1..pieces.len() {
        if announces(pieces[at - 1].phrase, roles[at - 1], &pieces[at]) {
            roles[at - 1] = Role::Reason;
        }
    }
    // `because two joined and the earlier hour did not suit them`
    for at in 1..pieces.len() {
        let goes_on = matches!(pieces[at].joint, Joint::And | Joint::Comma);
        let explained = roles[at - 1] == Role::Reason && pieces[at - 1].joint != Joint::Start;
        let phrase = ready(pieces[at].phrase);
        // `…, and the tapes are rotated weekly` is about something of the text.
        let known = pieces[at].joint == Joint::And
            && super::work::has_only_known_subject(page, phrase)
            && phrase.words[0].is("the");
        if goes_on && explained && roles[at] == Role::Statement && !super::work::insists(page, phrase) && !known {
            roles[at] = Role::Reason;
        }
    }
    let asks = roles.iter().filter(|role| matches!(role, Role::Command | Role::State)).count();
    for at in 0..pieces.len() {
        let others = roles.iter().filter(|role| !matches!(role, Role::Courtesy | Role::Reason)).count() > 1;
        let states = roles.iter().enumerate().any(|(other, role)| other != at && *role == Role::State);
        if others && keeps(page, pieces, at, asks, states) {
            roles[at] = Role::Courtesy;
        }
    }
    // Where words are to be changed, only a command changes the state as well: `remove the transfer. It was cancelled.`
    if roles.contains(&Role::Command) {
        for at in 0..pieces.len() {
            let phrase = ready(pieces[at].phrase);
            let points = |word: &Word<'_>| word.is_any("das|die|den|ça|c'est|lo|ya");
            let told = is_statement(phrase) || pieces[at].joint.explains() && phrase.words.first().is_some_and(points);
            if roles[at] == Role::State && told && pieces[at].joint != Joint::And {
                roles[at] = Role::Statement;
            }
        }
    }
    roles
}

/// Whether a piece only leads to the next: `budget up to 80: change 60 to 80`, `there's a typo: libary should be library`.
fn announces(lead: Phrase<'_, '_>, role: Role, next: &Piece<'_, '_>) -> bool {
    let told = matches!(role, Role::Fragment | Role::Statement);
    let wrong = vocabulary::length_at_end(lead.unmarked().words, "wrong") > 0;
    let named =
        next.joint == Joint::Colon && vocabulary::length(lead.unmarked().words, "told") == lead.unmarked().words.len();
    // `two rules were changed at yesterday's meeting.`
    let counted = matches!(next.joint, Joint::Stop | Joint::Colon)
        && lead.words.iter().take(8).any(|word| word.is_any("two|three|four|some|several|few"))
        && lead
            .words
            .iter()
            .any(|word| word.is_any("updates|changes|corrections|changed|things|points|details|wrong|news"))
        && !lead.words.iter().any(|word| word.quoted || word.raw.contains(|c: char| c.is_ascii_digit()))
        && lead.words.len() <= 12;
    if told && counted {
        return true;
    }
    let bare = next.joint == Joint::Colon
        && role == Role::Fragment
        && lead.words.len() <= 8
        && is_statement(ready(next.phrase))
        && !lead.words.iter().any(|word| word.quoted || word.raw.contains(|c: char| c.is_ascii_digit()));
    if bare {
        return true;
    }
    let listed = next.joint == Joint::Colon && role == Role::Fragment && cut::is_announcement(lead);
    told && (wrong
        || named
        || listed
        || next.joint == Joint::Colon && cut::is_exchange(next.phrase)
        || names_spelling(lead)
            && lead.words.len() <= 16
            && lead.find(statement::SHOULD_BE).is_none()
            && next.phrase.find(statement::SHOULD_BE).is_some())
}

/// Whether words are about how something is spelt.
pub(super) fn names_spelling(phrase: Phrase<'_, '_>) -> bool {
    phrase.words.iter().any(|word| word.is_any("typo|typos|spelling|misspelling"))
}

/// Whether a piece only says what is to stay as it is: `leave the rest alone`, `the other two offers still stand`.
fn keeps(page: &Page, pieces: &[Piece<'_, '_>], at: usize, asks: usize, states: bool) -> bool {
    let phrase = ready(pieces[at].phrase).unmarked();
    let asked = vocabulary::length(phrase.words, "keep") > 0
        && vocabulary::length(phrase.words, "remove") == 0
        && !phrase.words.iter().any(|word| word.is_any("only|just"));
    // `don't close it` beside another command.
    let forbids = asks > 0
        && vocabulary::length(phrase.words, "forbid") > 0
        && !pieces.iter().enumerate().any(|(other, piece)| other != at && same_verb(phrase, ready(piece.phrase)));
    let stays = phrase.words.len() > 1
        && !is_command(phrase)
        && !phrase.words.iter().any(|word| word.is_any("now|instead|should"))
        && phrase.find("must not|should not|shouldn't|not stay|not remain|can't stay").is_none()
        && (vocabulary::has(phrase.from(1).words, "unchanged")
            || phrase.words[0].is_any("same|meme|gleiche|misma|mismo|still") && phrase.words.len() <= 6);
    let rest = phrase.strip("the others|the rest|everything else|all others|all the others|the other items|the other steps|the remaining").is_some_and(|after| {
        after.words.first().is_some_and(|word| word.is_any("move|moves|shift|shifts|stay|stays|follow|follows|is|are|remain|remains|keep|keeps|can|should|will"))
    });
    // `sorry about that` without its first word
    let small = phrase.words.len() <= 3
        && phrase.words.iter().all(|word| find::is_empty_word(&word.folded) || word.is_any("about|sorry|bad|mistake"));
    let news = |word: &Word<'_>| {
        word.raw.contains(|c: char| c.is_ascii_digit()) && !page.has(&key(word.raw))
            || word.quoted && !page.text.contains(word.raw)
    };
    // `archive it but keep it open` contradicts itself.
    let names_state = phrase.words.iter().any(|word| word.is_any("open|done|archived|completed|closed|active"));
    (asked || forbids || stays || small || rest && !is_command(phrase))
        && !phrase.words.iter().any(news)
        && !(states && names_state)
}

/// Whether what is forbidden is asked for beside it.
fn same_verb(forbidden: Phrase<'_, '_>, asked: Phrase<'_, '_>) -> bool {
    let verb = forbidden.words.get(vocabulary::length(forbidden.words, "forbid"));
    verb.zip(asked.words.first()).is_some_and(|(verb, other)| verb.folded == other.folded)
}

fn role(page: &Page, reader: &Reader<'_>, pieces: &[Piece<'_, '_>], at: usize) -> Role {
    let piece = pieces[at];
    // Whatever was told so far may be what `it` means.
    let before = (0..at).map(|before| pieces[before].phrase).collect::<Vec<_>>();
    let before = before.as_slice();
    let next = pieces.get(at + 1).map(|next| next.joint);
    let phrase = ready(piece.phrase);
    if phrase.unmarked().is_empty()
        || vocabulary::length(phrase.unmarked().words, "remark") == phrase.unmarked().words.len()
        || vocabulary::length(phrase.unmarked().words, "courtesy") == phrase.unmarked().words.len()
        || vocabulary::length(phrase.unmarked().words, "thanks") == phrase.unmarked().words.len()
    {
        return Role::Courtesy;
    }
    let purpose = phrase.strip("for").is_some_and(|rest| {
        rest.words.len() <= 4
            && rest.unmarked().words.last().is_some_and(|word| {
                word.is_any(
                    "reasons|reason|purposes|sake|clarity|completeness|consistency|safety|privacy|record|records",
                )
            })
    });
    let since = at == 0
        && pieces.len() > 1
        && phrase.words.len() <= 4
        && phrase.strip("from|as of|starting|since|beginning|until").is_some()
        && matches!(next, Some(Joint::Comma));
    if piece.joint == Joint::Because || since || purpose && pieces.len() > 1 {
        return Role::Reason;
    }
    // `, the user wants to take the course after all` tells why.
    if piece.joint.explains()
        && piece.phrase.unmarked_start().strip("the user|user|they|he|she|we|i").is_some()
        && is_statement(piece.phrase.unmarked_start())
    {
        return Role::Statement;
    }
    if boxed(page) && phrase.words[0].is_any("tick|untick|check|uncheck|cross") && !super::items::is_whole(phrase) {
        return Role::Command;
    }
    if is_command(phrase) {
        return if is_state(page, reader, phrase, before) { Role::State } else { Role::Command };
    }
    // `so for her the MMR is done` is about one of several.
    if phrase.strip("for").is_some() && is_statement(phrase.from(2)) {
        return Role::Statement;
    }
    // `the bank statement isn't required, so that entry can go`: of a list, one is meant.
    let goes = (1..phrase.words.len()).find(|&at| vocabulary::length(&phrase.words[at..], "goes") > 0);
    let one_of = goes.is_some_and(|at| {
        let object = phrase.to(at);
        let part = object.words.last().is_some_and(|word| {
            ["part.item", "part.line", "part.any", "part.sentence"]
                .iter()
                .any(|class| vocabulary::is(&word.folded, class))
        });
        let named = part && object.words.len() > 2 && find::content(object.words).iter().any(|key| page.has(key));
        phrase.words[0].is_any("that|this|the|he|she|they") && (super::remove::is_told(object) || named)
    });
    if at > 0
        && one_of
        && (!page.rows().is_empty() || page.labels().len() > 1)
        && !phrase.words[1].is_any("thought|memory|note|record")
    {
        return Role::Statement;
    }
    // `remove it; he switched and doesn't care about it any more`: what goes on with a reason is one.
    let reasons = at > 1
        && piece.joint == Joint::And
        && pieces[at - 1].joint.explains()
        && is_statement(ready(pieces[at - 1].phrase))
        && is_command(ready(pieces[at - 2].phrase));
    if reasons && phrase.words.len() > 2 {
        return Role::Statement;
    }
    // `status is active again`, where the text has a status of its own.
    let status = phrase.words.iter().take(3).any(|word| {
        word.is_any("status|state") && page.labels().iter().any(|label| label.keys.contains(&key(word.raw)))
    });
    if status && is_statement(phrase) {
        return Role::Statement;
    }
    // `then archive it`, `done`, `and I bought it already`.
    let wish = || reader.is_wish(phrase.unmarked_end().raw());
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

pub(super) fn has_arrow(phrase: Phrase<'_, '_>) -> bool {
    phrase.words.iter().any(Word::is_arrow)
}

/// Whether the text has boxes to be ticked.
fn boxed(page: &Page) -> bool {
    ["[ ] ", "[x] ", "[X] ", "☐ ", "☑ "].iter().any(|mark| page.text.contains(mark))
}

/// Whether words name one item of a list that has others.
fn is_of_part(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let keys: Vec<String> = find::content(phrase.words).into_iter().filter(|key| page.has(key)).collect();
    page.rows().iter().filter(|row| row.items.len() > 1).any(|row| {
        let names = |item: &std::ops::Range<usize>| keys.iter().any(|key| page.says(item, key));
        let heads = keys.iter().any(|key| page.says(&row.heading, key));
        !heads && row.items.iter().filter(|item| names(item)).count() == 1
    })
}

/// Whether a command is about the thought's state and not about its text.
fn is_state(page: &Page, reader: &Reader<'_>, phrase: Phrase<'_, '_>, before: &[Phrase<'_, '_>]) -> bool {
    // `archive it next week` is about the state as well, and why not to be done the reader of states knows.
    let only_states = vocabulary::length(phrase.words, "states") > 0;
    match reader.decide(phrase.unmarked_end().raw()) {
        Ok(_) => {}
        Err(Refusal::Unclear | Refusal::Vague) => return false,
        Err(_) if !only_states => return false,
        Err(_) => {}
    }
    // `reverse the order of the list` takes nothing back.
    if super::items::sorted(page, phrase).is_some() {
        return false;
    }
    // A text with a `Status:` of its own means that.
    let names_status = |word: &Word<'_>| word.is_any("status|state|stato|estado|statut|zustand");
    let has_label = |word: &Word<'_>| page.labels().iter().any(|label| label.keys.contains(&key(word.raw)));
    let whole = phrase.find("of this thought|of the thought|of this memory|of the memory|thought's|memory's").is_some();
    if phrase.words.iter().any(|word| names_status(word) && has_label(word)) && !whole {
        return false;
    }
    // `mark the translations as finished`, where they are one of several boxes.
    if boxed(page) && is_of_part(page, phrase) && !phrase.words.iter().any(|word| word.is_any("thought|memory|note")) {
        return false;
    }
    // `INC-204 was fixed, so set it to closed`: one of those that are listed.
    let told = before.last().filter(|told| is_statement(ready(**told)));
    // `he already has that one, remove it`: which one?
    let which = |told: &Phrase<'_, '_>| told.find("that one").is_some();
    if told.is_some_and(which)
        && vocabulary::length(phrase.words, "remove") > 0
        && page.rows().iter().any(|row| row.items.len() > 2)
    {
        return false;
    }
    let pointed = phrase.words.len() <= 6
        && phrase.words.iter().any(|word| word.is_any("it|that|one"))
        && !phrase.words.iter().any(|word| word.is_any("archive|archived|delete|open|reopen|back|complete"));
    let one_told = |told: &Phrase<'_, '_>| {
        is_of_part(page, ready(*told)) && !told.words.iter().any(|word| word.is_any("both|all|everything|two"))
    };
    if pointed && told.is_some_and(one_told) {
        return false;
    }
    // `mark the demo video step as done` is about one of several.
    let named = phrase.words.iter().take(6).any(|word| word.is_any("step|item|bullet|point|entry|row|line"))
        && page.rows().iter().any(super::super::page::Row::is_lines)
        && find::content(phrase.words).iter().any(|key| page.has(key));
    if named && phrase.words[0].is_any("mark|tick|check|close|complete") {
        return false;
    }
    let removes = take_off(phrase).or_else(|| {
        let length = vocabulary::length(phrase.words, "remove");
        (length > 0).then(|| phrase.from(length))
    });
    let Some(what) = removes else { return true };
    // `remove the IBAN from this memory` is about something in it.
    let what = super::ordered::soft(Some(what)).unwrap_or(what).unmarked();
    let here = vocabulary::length_at_end(what.words, "from_here");
    let object = what.to(what.words.len() - here);
    let keys = find::content(object.words);
    let labels = |keys: &[String]| page.labels().iter().any(|label| !keys.is_empty() && label.keys.as_slice() == keys);
    let named = find::content(object.to(object.words.len().saturating_sub(1)).words);
    if here > 0 && keys.iter().any(|key| page.has(key)) || labels(&keys) || labels(&named) && page.labels().len() > 1 {
        return false;
    }
    // `remove the fix item` is about an item, `remove the gym thought` about the thought.
    let is_list = !page.rows().is_empty();
    let names_item =
        is_list && what.words.iter().any(|word| vocabulary::is(&word.folded, "part.item")) && what.words.len() > 2;
    // `remove the information about the spare key`
    let part = object.words.iter().position(|word| vocabulary::is(&word.folded, "part.any"));
    let about = part.is_some_and(|part| vocabulary::length(&object.words[part + 1..], "about") > 0);
    if about && page.sentences().len() > 1 && keys.iter().any(|key| page.has(key)) {
        return false;
    }
    let told = !object.words.iter().any(|word| word.is_any("this|thought|memory|note"))
        && before.iter().any(|before| {
            let keys = find::content(before.words);
            let item = page.rows().iter().any(|row| {
                row.items.iter().any(|item| page.words_in(item).iter().any(|word| keys.contains(&word.key)))
            });
            let counted = before.words.iter().any(|word| {
                let noun = word.folded.trim_end_matches('s');
                super::super::counting::ordinal(&word.folded).is_some()
                    || matches!(
                        noun,
                        "item"
                            | "step"
                            | "bullet"
                            | "doubled"
                            | "duplicate"
                            | "question"
                            | "point"
                            | "number"
                            | "entry"
                            | "entrie"
                            | "task"
                            | "issue"
                            | "line"
                            | "row"
                    )
            });
            let quoted = before.words.iter().any(|word| word.quoted);
            let sentence = (page.sentences().len() > 1 || here > 0) && keys.iter().any(|key| page.has(key));
            is_list && item || counted || quoted || sentence
        });
    !names_item && !told
}

/// A piece without the courtesies around it.
pub(in super::super) fn ready<'a, 'r>(phrase: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
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
pub(super) fn refused(pieces: &[Piece<'_, '_>], roles: &[Role]) -> Option<Refusal> {
    let polite = pieces.iter().any(|piece| is_polite(piece.phrase));
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
        let asks = ready.words.len() > 1 && ready.words[0].is("when") && vocabulary::is(&ready.words[1].folded, "be");
        if asks {
            return Some(Refusal::Question);
        }
        let content = ready.words.iter().any(|word| word.is(":"))
            || vocabulary::length(ready.words, "add") > 0 && ready.words.iter().take(6).any(|word| word.is("that"));
        if let Some(at) = (0..ready.words.len())
            .find(|&at| vocabulary::length(&ready.words[at..], "if") > 0 && !ready.words[at].quoted)
            && !content
            && !ready.words.get(at + 1).is_some_and(Word::is_arrow)
            && (at == 0 && !ready.is_count()
                || *role == Role::Command
                    && at > 1
                    && !ready.words[at - 1].is_any("to|with|word|by|after")
                    && !ready.words[at - 1].is_arrow()
                    && !ready.from(at).is_count())
        {
            return Some(Refusal::Later);
        }
        if pieces.len() == 1
            && ready.strip("leave it|leave this|leave that|keep it|keep this").is_some()
            && *role == Role::Command
        {
            return Some(Refusal::Prohibition);
        }
        if ready.starts("don't") || ready.starts("do not") || ready.starts("never") || ready.starts("dont") {
            return Some(Refusal::Prohibition);
        }
        // What is to be looked up is not given.
        if ready
            .strip("look up|find out|figure out|work out|google|research|calculate|compute|count|look for")
            .is_some()
        {
            return Some(Refusal::Vague);
        }
        let asks = phrase.words.last().is_some_and(|word| word.is("?"));
        if asks && !(polite && matches!(role, Role::Command | Role::State)) && !content {
            return Some(Refusal::Question);
        }
    }
    None
}

/// Whether a question only asks politely: `could you …?`, `… ok?`.
fn is_polite(phrase: Phrase<'_, '_>) -> bool {
    let starts = (0..phrase.words.len().min(4)).any(|at| vocabulary::length(&phrase.words[at..], "polite") > 0);
    starts || vocabulary::length_at_end(phrase.unmarked_end().words, "thanks") > 0
}

/// What is to be taken off or out: `take X off the list`, `haal X van de agenda`.
pub(super) fn take_off<'a, 'r>(phrase: Phrase<'a, 'r>) -> Option<Phrase<'a, 'r>> {
    let takes = phrase.strip("take|haal|nimm|strike")?;
    if vocabulary::length(phrase.words, "remove") > 1 {
        return None;
    }
    takes.words.iter().any(|word| word.is_any("off|out|from|van|von|aus")).then_some(takes)
}

//! Reads a request: cuts it into pieces, works out what each of them does, and does all of them or none.

mod add;
mod change;
mod cut;
mod entry;
mod evidence;
mod fact;
mod items;
mod lacking;
mod ordered;
mod person;
mod relaxed;
mod remove;
mod role;
mod sound;
mod stated;
mod table;
mod taken;
mod told;
mod whole;
mod work;

use super::{
    Change, command::settle, lifecycle::Reader, page::Page, phrase::Phrase, refusal::Refusal, verbs, vocabulary, words,
};

pub(super) use cut::{Joint, cut, is_statement};
use cut::{Piece, is_command, without_courtesy};
pub(super) use relaxed::relaxed;
pub(super) use role::ready;
use role::{Role, refused, roles};
use sound::{is_garbled, is_odd};
pub(super) use taken::taken;
use work::{carry_out, is_rescheduled};

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
pub(super) fn decide(page: &Page, reader: &Reader<'_>, request: &str) -> Outcome {
    let text = page.text.as_str();
    let named = whole::as_written(page, request);
    let request = named.as_ref();
    let mut words = words::words(request);
    verbs::amend(&mut words);
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
        && let Ok(new) = fact::respelled(page, whole)
    {
        return Outcome::Done(Change::Edit { text: Some(new), status: None });
    }
    if let Some(done) = whole::found_and_replaced(page, whole)
        .or_else(|| whole::settings(page, whole))
        .or_else(|| whole::called(page, whole))
    {
        return match done {
            Ok(new) => Outcome::Done(Change::Edit { text: Some(new), status: None }),
            Err(refusal) => Outcome::Refused { refusal, about_text: true },
        };
    }
    if let Some(new) = whole::moved_over(page, whole).or_else(|| whole::listed(page, whole)) {
        return Outcome::Done(Change::Edit { text: Some(new), status: None });
    }
    if let Some(change) = whole::scoped(page, reader, whole) {
        return Outcome::Done(change);
    }
    let whole = reflected(whole);
    let pieces: Vec<Piece<'_, '_>> = cut(whole);
    if pieces.is_empty() || pieces.len() > MOST_PIECES {
        return Outcome::Nothing;
    }
    let roles = roles(page, reader, &pieces);
    let rescheduled = |at: usize| roles[at] == Role::Statement && is_rescheduled(page, ready(pieces[at].phrase));
    let about_text =
        roles.contains(&Role::Command) || roles.contains(&Role::State) && (0..pieces.len()).any(rescheduled);
    let done = refused(&pieces, &roles).map_or_else(|| carry_out(page, reader, whole, &pieces, &roles), Err);
    // `replace every Falcon, but leave #falcon-dev as it is`
    if matches!(done, Err(Refusal::Contradiction))
        && let Some(change) = whole::with_kept(page, reader, request, &pieces, &roles)
    {
        return Outcome::Done(change);
    }
    let done = match done {
        Err(Refusal::Unclear | Refusal::NotInText { .. } | Refusal::Vague | Refusal::Readings) if pieces.len() > 1 => {
            let new = work::one_by_one(page, reader, &pieces, &roles);
            new.map_or(done, |new| Ok(Some(Change::Edit { text: Some(new), status: None })))
        }
        done => done,
    };
    // Something new of somebody the text is about.
    let alone = roles.iter().filter(|role| !matches!(role, Role::Courtesy | Role::Reason)).count() == 1
        || pieces.len() == 2 && pieces[1].joint == Joint::Colon;
    if let (Err(Refusal::Unclear | Refusal::NotInText { .. }), true, Some(last)) = (&done, alone, pieces.last())
        && roles.last() == Some(&Role::Statement)
        && reader.decide(request) == Err(Refusal::Unclear)
        && let Some(new) = fact::news(page, ready(last.phrase))
    {
        return Outcome::Done(Change::Edit { text: Some(new), status: None });
    }
    let quotes = words.iter().any(|word| word.quoted || word.is(":"));
    match done {
        Ok(Some(Change::Edit { text: Some(new), .. }))
            if !quotes && is_garbled(text, &new) || is_odd(whole, text, &new) =>
        {
            Outcome::Refused { refusal: Refusal::Unclear, about_text: true }
        }
        Ok(Some(change)) => Outcome::Done(change),
        Ok(None) => Outcome::Nothing,
        Err(refusal) => Outcome::Refused { refusal, about_text },
    }
}

/// How a request says what it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// With some of it in quotes.
    Quoted,
    /// By asking for a change.
    Asked,
    /// By telling what has changed.
    Told,
}

/// What can be heard in a request without knowing the text.
pub(super) struct Tone<'r> {
    pub(super) manner: Manner,
    /// What it has in quotes.
    pub(super) quotes: Vec<&'r str>,
    /// It begins with the verb of a command, which is then no part of what comes into the text.
    pub(super) begins_with_command: bool,
    /// It is about what stands between words, which no word of it tells, or is written as for a program.
    pub(super) is_beyond_words: bool,
}

pub(super) fn tone(request: &str) -> Tone<'_> {
    let words = words::words(request);
    let whole = Phrase { request, words: &words };
    let commands: Vec<bool> = cut(whole).iter().map(|piece| is_command(piece.phrase)).collect();
    let quotes: Vec<&str> = words.iter().filter(|word| word.quoted).map(|word| word.raw).collect();
    let manner = match commands.contains(&true) {
        _ if !quotes.is_empty() => Manner::Quoted,
        true => Manner::Asked,
        false => Manner::Told,
    };
    let between = "blank line|blank lines|empty line|empty lines|line break|line breaks|double spaces|extra spaces";
    let is_beyond_words = whole.find(between).is_some() || request.starts_with("s/");
    Tone { manner, quotes, begins_with_command: commands.first() == Some(&true), is_beyond_words }
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
    // `Tom no longer works there` is about Tom, `for her the MMR is done` about one of several.
    let one_of = |phrase: Phrase<'_, '_>| phrase.strip("for").is_some() && is_statement(phrase.from(2));
    let other = pieces
        .iter()
        .map(|piece| ready(piece.phrase))
        .any(|phrase| denies_something_else(reader, phrase) || one_of(phrase));
    // `the queen is marked green now, I did it this weekend` tells of more than that it is done.
    let tells = |phrase: Phrase<'_, '_>| {
        let verb = phrase.words.iter().position(cut::is_finite).unwrap_or(0);
        let noun = phrase.words.first().is_some_and(|word| !vocabulary::is(&word.folded, "pronoun"));
        verb > 1 && noun && phrase.find("now").is_some() && is_statement(phrase) && reader.knows(&phrase.words[..verb])
    };
    let other = other
        || pieces.len() > 1
            && pieces.iter().any(|piece| tells(ready(piece.phrase)) && !reader.is_wish(ready(piece.phrase).raw()));
    !other && (pieces.len() < 2 || short || pieces.iter().any(whole) || reader.is_command(request))
}

/// What the clauses of a request ask for, each by itself, that is no change of words.
pub(super) fn wishes(reader: &Reader<'_>, request: &str) -> Vec<Change> {
    let words = words::words(request);
    let pieces = cut(Phrase { request, words: &words });
    let wish = |piece: &Piece<'_, '_>| reader.decide(ready(piece.phrase).unmarked_end().raw()).ok();
    if pieces.len() > MOST_PIECES { Vec::new() } else { pieces.iter().filter_map(wish).collect() }
}

/// Whether a statement says of somebody or something in the text that it is no longer so.
fn denies_something_else(reader: &Reader<'_>, phrase: Phrase<'_, '_>) -> bool {
    let ends = phrase.find("no longer|anymore|any more|any longer|doesn't|don't|isn't|aren't").is_some();
    let moot = phrase.words.iter().any(|word| vocabulary::is(&word.folded, "moot"));
    let first = phrase.words.first();
    let named = first.is_some_and(|word| {
        !vocabulary::is(&word.folded, "pronoun")
            && !vocabulary::is(&word.folded, "whole")
            && !vocabulary::is(&word.folded, "article")
    });
    let verb = phrase.words.iter().position(|word| word.is_any("isn't|is|aren't|are")).unwrap_or(0);
    let part = phrase.to(verb).words.last().is_some_and(|word| vocabulary::is(&word.folded, "part.any"));
    let of_part = verb > 1 && part && reader.knows(&phrase.words[..verb]);
    let replaced = phrase.find("replaced by|replaced with").is_some_and(|at| {
        phrase
            .to(at)
            .words
            .iter()
            .any(|word| word.raw.starts_with(char::is_uppercase) && reader.knows(std::slice::from_ref(word)))
    });
    (ends || replaced)
        && (!moot && (named || replaced) || of_part)
        && is_statement(phrase)
        && reader.knows(phrase.words)
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

/// More words than this are no request without words to be written down.
const MOST_WORDS: usize = 250;

/// Nobody asks for more at once.
const MOST_PIECES: usize = 40;

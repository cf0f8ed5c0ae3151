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
mod remove;
mod role;
mod sound;
mod stated;
mod table;
mod told;
mod work;

use std::borrow::Cow;

use super::{
    Change,
    command::{self, Command, settle},
    find,
    lifecycle::Reader,
    page::Page,
    phrase::Phrase,
    refusal::Refusal,
    verbs, vocabulary, words,
};

use cut::{Joint, Piece, cut, is_command, is_statement, without_courtesy};
pub(super) use role::ready;
use role::{Role, refused, roles};
use sound::{is_garbled, is_odd};
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
    let named = as_written(page, request);
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
    if let Some(done) = found_and_replaced(page, whole).or_else(|| settings(page, whole)) {
        return match done {
            Ok(new) => Outcome::Done(Change::Edit { text: Some(new), status: None }),
            Err(refusal) => Outcome::Refused { refusal, about_text: true },
        };
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

/// A request with the settings of the text named as it writes them: `the pool size` is `the pool_size`.
fn as_written<'r>(page: &Page, request: &'r str) -> Cow<'r, str> {
    let mut out = Cow::Borrowed(request);
    for label in page.labels.iter().filter(|label| label.is_setting) {
        let name = page.at(&label.name);
        let spaced = name.replace(['_', '-'], " ").to_lowercase();
        if spaced == name.to_lowercase() || spaced.len() < 4 {
            continue;
        }
        if let Some(place) = super::locate::locate(&out, &spaced, super::locate::Reach::Words).places.first().cloned() {
            out.to_mut().replace_range(place, name);
        }
    }
    out
}

/// `{"find": "23mm", "replace": "18mm"}`
fn found_and_replaced(page: &Page, whole: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
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

/// `set POOL_SIZE=25`, `replicas=5, image=shop:1.9.0`
fn settings(page: &Page, whole: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let asked = ready(whole).unmarked();
    let asked = asked.strip("set|change|update|use").unwrap_or(asked);
    let parts = asked.words.iter().filter(|word| !word.is_any(",|and|;"));
    let new = page.after_all(parts, |page, word| {
        let (name, value) =
            word.raw.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty()).ok_or(())?;
        let keys = super::page::keys(name);
        let labels: Vec<_> = page.labels.iter().filter(|label| label.keys == keys).collect();
        let [label] = labels.as_slice() else { return Err(()) };
        Ok(find::applied(&page.text, &vec![(label.value.clone(), value.to_owned())]))
    });
    let new = new.ok()?;
    (new != page.text).then_some(Ok(new))
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
    !other && (pieces.len() < 2 || short || pieces.iter().any(whole) || reader.is_command(request))
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
    ends && !moot && named && is_statement(phrase) && reader.knows(phrase.words)
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

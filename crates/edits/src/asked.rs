//! Reads a request: cuts it into pieces, works out what each of them does, and does all of them or none.

mod add;
mod change;
mod cut;
mod entry;
mod evidence;
mod fact;
mod items;
mod lacking;
mod person;
mod remove;
mod role;
mod sound;
mod table;
mod told;

use std::borrow::Cow;

use super::{
    Change,
    command::{self, Command, settle},
    find, grammar,
    lifecycle::Reader,
    page::Page,
    phrase::Phrase,
    refusal::Refusal,
    statement, verbs, vocabulary, words,
};

use cut::{Joint, Piece, cut, is_command, is_statement, without_courtesy};
use lacking::{dropped, ignored, infrequent, undesignated, unmet, unnamed, unsaid};
pub(super) use role::ready;
use role::{Role, has_arrow, names_spelling, refused, roles, take_off};
use sound::{is_broken, is_garbled, is_odd};

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

/// Does what all pieces ask for; `None` if that is no change of text.
fn carry_out(
    page: &Page,
    reader: &Reader<'_>,
    whole: Phrase<'_, '_>,
    pieces: &[Piece<'_, '_>],
    roles: &[Role],
) -> Result<Option<Change>, Refusal> {
    let letters = pieces.iter().filter(|piece| super::lettering::letters(ready(piece.phrase)).is_some()).count();
    if letters > 1 {
        return Err(Refusal::Contradiction);
    }
    let mut work = Work {
        page: Cow::Borrowed(page),
        done: vec![false; pieces.len()],
        told: None,
        heard: None,
        stated: false,
        wants_value: false,
        unexplained: None,
    };
    for at in 0..pieces.len() {
        work.heard = Some(whole.to(whole.words.partition_point(|word| word.start < pieces[at].phrase.words[0].start)));
        match roles[at] {
            Role::Reason if pieces[at].joint != Joint::Because => work.told = Some(ready(pieces[at].phrase)),
            Role::Courtesy | Role::Reason | Role::State => {}
            Role::Command => work.command(pieces, at)?,
            Role::Statement | Role::Fragment => work.tell(pieces, roles, at),
        }
    }
    let wishes: Vec<&str> = (0..pieces.len())
        .filter(|at| roles[*at] == Role::State)
        .map(|at| ready(pieces[at].phrase).unmarked_end().raw())
        .collect();
    let Work { page: page_now, stated, wants_value, unexplained, done, .. } = work;
    // `set the date to 4 May but keep it at 2 May`
    let now = &page_now.text;
    let lost = |word: &words::Word<'_>| {
        let key = super::page::key(word.raw);
        !find::is_empty_word(&word.folded) && page.has(&key) && !page_now.has(&key)
    };
    let keeps = (0..pieces.len())
        .filter(|at| roles[*at] == Role::Courtesy && vocabulary::length(ready(pieces[*at].phrase).words, "keep") > 0);
    if keeps.flat_map(|at| pieces[at].phrase.words).any(lost) {
        return Err(Refusal::Contradiction);
    }
    if wants_value && !stated {
        return Err(unexplained.map_or(Refusal::Vague, |(refusal, _)| refusal));
    }
    // What another piece brought into the text is explained.
    let brought = |phrase: Phrase<'_, '_>| *now != page.text && has_news(page, phrase) && !has_news(&page_now, phrase);
    if let Some((refusal, _)) = unexplained.filter(|(_, phrase)| !brought(*phrase)) {
        return Err(refusal);
    }
    if *now == page.text {
        // `mark it done; they called yesterday`: all else only explains it.
        // `reopen this: the inspection was postponed to 2 March`
        let untold = (0..pieces.len()).filter(|at| roles[*at] == Role::Statement).map(|at| ready(pieces[at].phrase));
        if !wishes.is_empty()
            && let Some(phrase) = untold.into_iter().find(|phrase| is_rescheduled(page, *phrase))
        {
            return Err(Refusal::not_in_text(phrase.unmarked().raw()));
        }
        let asked = !wishes.is_empty() && reader.decide(pieces_raw(pieces)).is_err();
        return if asked { reader.decide(&wishes.join(". ")).map(Some) } else { Ok(None) };
    }
    if now.trim().is_empty() {
        return Err(Refusal::Emptied);
    }
    // `it is too slow, swap it for another` means a part and not all.
    let rewrites = pieces.iter().any(|piece| {
        let phrase = ready(piece.phrase);
        vocabulary::length(phrase.words, "rewrite") > 0
            || vocabulary_has(phrase, "rewrites")
            || phrase
                .words
                .iter()
                .any(|word| vocabulary::is(&word.folded, "whole") && !word.is_any("it|this|that|them|these"))
    });
    let kept = page.words.iter().filter(|word| page_now.has(&word.key)).count();
    if pieces.len() > 1 && !rewrites && page.words.len() > 4 && kept * 4 < page.words.len() {
        return Err(Refusal::Unclear);
    }
    if let Some(word) = unsaid(page, now, pieces, roles) {
        return Err(Refusal::not_in_text(word));
    }
    if let Some(word) = unnamed(page, &page_now, pieces, roles, &done) {
        return Err(Refusal::not_in_text(word));
    }
    let mut said =
        (0..pieces.len()).filter(|at| matches!(roles[*at], Role::Command | Role::Statement | Role::Fragment));
    let lost = said.find_map(|at| {
        let phrase = pieces[at].phrase;
        undesignated(page, &page_now, phrase)
            .or_else(|| dropped(page, &page_now, phrase))
            .or_else(|| infrequent(page, &page_now, phrase))
    });
    if let Some(word) = lost {
        return Err(Refusal::not_in_text(word));
    }
    if let Some(phrase) = unmet(page, pieces, roles, &done).filter(|phrase| !meets(&page_now, *phrase)) {
        return Err(Refusal::not_in_text(phrase.unmarked().raw()));
    }
    if let Some(phrase) = ignored(&page_now, pieces, roles, &done) {
        return Err(Refusal::not_in_text(phrase.unmarked().raw()));
    }
    if wishes.is_empty() {
        return Ok(Some(Change::Edit { text: Some(now.clone()), status: None }));
    }
    match reader.decide(&wishes.join(". "))? {
        Change::Edit { status, .. } => Ok(Some(Change::Edit { text: Some(now.clone()), status })),
        Change::Undo | Change::Redo => Err(Refusal::Contradiction),
    }
}

/// Whether a statement about something in the text gives it another value, of which the text says nothing.
fn is_rescheduled(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let moved = "postponed to|moved to|rescheduled to|rescheduled for|changed to|pushed to|extended to|extended until|is now|are now|raised to|lowered to|shifted to";
    phrase.find(moved).is_some()
        && has_known_subject(page, phrase)
        && fact::brings_values(page, phrase)
        && !fact::new_values(page, phrase).is_empty()
}

/// Whether a text says all that a statement says.
fn meets(now: &Page, phrase: Phrase<'_, '_>) -> bool {
    let verb = phrase.words.iter().position(cut::is_finite).map_or(0, |at| at + 1);
    find::content(phrase.from(verb).words).iter().all(|key| now.has(key))
}

/// A request that is being carried out.
struct Work<'p, 'a, 'r> {
    /// The text so far.
    page: Cow<'p, Page>,
    /// Which pieces changed it.
    done: Vec<bool>,
    /// The last statement, which a pronoun after it may mean.
    told: Option<Phrase<'a, 'r>>,
    /// All that stands before the piece that is read, which `both` may mean.
    heard: Option<Phrase<'a, 'r>>,
    /// Whether a statement changed the text.
    stated: bool,
    /// Whether a command changes something without saying into what.
    wants_value: bool,
    /// Why a piece that says something for the text could not be carried out.
    unexplained: Option<(Refusal, Phrase<'a, 'r>)>,
}

impl<'a, 'r> Work<'_, 'a, 'r> {
    fn command(&mut self, pieces: &[Piece<'a, 'r>], at: usize) -> Result<(), Refusal> {
        let phrase = ready(pieces[at].phrase);
        // `fix the typo: libary should be library` only announces.
        let announces = pieces.get(at + 1).is_some_and(|next| {
            let corrects = names_spelling(phrase) || is_correction(phrase);
            next.joint == Joint::Colon || corrects && next.phrase.find(statement::SHOULD_BE).is_some()
        });
        if announces && (phrase.words.len() <= 4 || is_valueless(phrase)) {
            self.told = Some(phrase);
            return Ok(());
        }
        let names_kind = |word: &words::Word<'_>| word.is_any("typo|typos|spelling|grammar|capitalization|punctuation");
        let is_told = self.stated || self.told.is_some();
        if let Some(Ok(new)) = self.told.and_then(|told| person::renamed_as_told(&self.page, phrase, told)) {
            self.done[at] = true;
            self.page = Cow::Owned(Page::read(&new));
            return Ok(());
        }
        if is_valueless(phrase) && !phrase.words.iter().any(names_kind) && is_told {
            self.wants_value = true;
            return Ok(());
        }
        // `in the Hall line, add a coat rack`
        let lead = at.checked_sub(1).map(|before| pieces[before].phrase).filter(|lead| {
            at == 1
                && pieces[0].joint == Joint::Because
                && lead.words.iter().any(|word| word.is_any("line|row|section|entry|field|item"))
        });
        if let Some(lead) = lead
            && vocabulary::length(phrase.words, "add") > 0
            && find::content(lead.words).iter().any(|key| self.page.has(key))
        {
            let what = phrase.from(vocabulary::length(phrase.words, "add")).unmarked();
            let new = add::into_label(&self.page, lead, what).ok_or_else(|| Refusal::placeless(what.raw()))?;
            self.done[at] = true;
            self.page = Cow::Owned(Page::read(&new));
            return Ok(());
        }
        // `check both of those`
        let both = phrase.words.iter().any(|word| word.is_any("both|those|them|these|two"));
        let told = if both && self.told.is_some() { self.heard } else { self.told };
        let done = by_words(&self.page, phrase, command(&self.page, phrase, told));
        match by_evidence(&self.page, phrase, self.told, done) {
            Some(Ok(new)) => {
                self.done[at] = true;
                self.page = Cow::Owned(Page::read(&new));
            }
            None | Some(Err(Refusal::Vague)) if is_valueless(phrase) => self.wants_value = true,
            Some(Err(refusal)) => return Err(refusal),
            None => return Err(Refusal::Unclear),
        }
        Ok(())
    }

    fn tell(&mut self, pieces: &[Piece<'a, 'r>], roles: &[Role], at: usize) {
        let role = roles[at];
        let phrase = ready(pieces[at].phrase);
        // `Also, …` joins like what stands before its comma.
        let courtesy = at.checked_sub(1).filter(|before| roles[*before] == Role::Courtesy);
        let joint = courtesy.map_or(pieces[at].joint, |before| pieces[before].joint);
        let commands = roles.iter().any(|role| matches!(role, Role::Command | Role::State));
        let full = (0..pieces.len()).any(|at| match roles[at] {
            Role::State => true,
            Role::Command => !is_valueless(ready(pieces[at].phrase)),
            _ => false,
        });
        // What follows a command after a comma or a dash explains it.
        let announced = |at: usize| {
            pieces.get(at + 1).is_some_and(|next| next.joint == Joint::Colon) && is_valueless(ready(pieces[at].phrase))
        };
        let ordered = (0..at).any(|at| roles[at] == Role::State || roles[at] == Role::Command && !announced(at));
        let after = ordered || self.stated;
        let parallel = self.stated && !ordered && joint == Joint::Comma;
        let lead = at.checked_sub(1).map(|before| pieces[before].phrase);
        let spelt = lead.is_some_and(|lead| names_spelling(lead) || is_correction(ready(lead)));
        let explicit = phrase.find("rather than|instead of").is_some()
            || spelt && phrase.find(statement::SHOULD_BE).is_some()
            || vocabulary_has(pieces[at].phrase, "also") && joint == Joint::Semicolon;
        if role == Role::Statement && joint.explains() && after && !parallel && !explicit {
            // `take it off; the others were renewed until 8 April` says something else that is new.
            if ordered && joint != Joint::Because && fact::brings_values(&self.page, phrase) {
                self.unexplained.get_or_insert((Refusal::Unclear, phrase));
            }
            return;
        }
        if is_valueless(phrase) {
            self.wants_value = true;
            return;
        }
        let page = &*self.page;
        let next = pieces.get(at + 1).map(|next| next.joint);
        // `issue 2 is fixed, so remove it`: what is told is only what `it` means.
        let means = |later: usize| {
            let asked = ready(pieces[later].phrase);
            let object = asked.from(vocabulary::length(asked.words, "remove")).unmarked();
            let object = object.strip_end("off|out|from the list|from it").unwrap_or(object);
            roles[later] == Role::Command && object.words.len() < asked.words.len() && remove::is_pronoun(object)
        };
        // `Jelle no longer works there; the contact is Noor now`
        let replaced = phrase.find("no longer|left|has left|retired|quit|resigned|sold|not").is_some()
            && (at + 1..pieces.len()).any(|later| {
                roles[later] == Role::Statement
                    && pieces[later].joint != Joint::And
                    && insists(page, ready(pieces[later].phrase))
            });
        // `they moved to a CDN now, so add the domain`
        let leads = next == Some(Joint::So)
            && match roles[at + 1] {
                Role::Command => !is_valueless(ready(pieces[at + 1].phrase)),
                Role::Statement => {
                    has_news(page, ready(pieces[at + 1].phrase)) || counts_anew(ready(pieces[at + 1].phrase))
                }
                _ => false,
            };
        if role == Role::Statement && ((at + 1..pieces.len()).any(means) || replaced || leads) {
            self.told = nearer(page, self.told, phrase);
            return;
        }
        // Beside a command, a sentence of its own changes something only if it insists.
        let coordinate = joint == Joint::And || next == Some(Joint::And);
        let apart = !coordinate && joint != Joint::But;
        if role == Role::Statement && full && !explicit && apart && !insists(page, phrase) {
            self.told = nearer(page, self.told, phrase);
            return;
        }
        let also = vocabulary_has(pieces[at].phrase, "also")
            || courtesy.is_some_and(|before| vocabulary_has(pieces[before].phrase, "also"));
        let added = (also && !commands).then(|| fact::added(&self.page, phrase)).flatten();
        let spells = spelt && (joint == Joint::Colon || explicit);
        let done = match added {
            Some(new) => Ok(new),
            None if also && !commands => Err(Refusal::Unclear),
            None => {
                let of_told = |told| {
                    told_goes(page, told, phrase)
                        .or_else(|| told::superseded(page, told, phrase))
                        .or_else(|| person::stands_in(page, told, phrase))
                        .or_else(|| fact::said_of(page, told, phrase))
                };
                let both = phrase.words.iter().take(3).any(|word| word.is_any("both|those|them|these|two|they"));
                let heard = self.heard.filter(|_| both).and_then(|heard| told_goes(page, heard, phrase));
                let placed = match heard.or_else(|| self.told.and_then(of_told)) {
                    Some(placed) => placed,
                    None => state(&self.page, phrase, role, !commands && pieces.len() == 1, spells),
                };
                let done = by_words(page, phrase, Some(placed));
                by_evidence(page, phrase, self.told, done).unwrap_or(Err(Refusal::Unclear))
            }
        };
        self.told = nearer(page, self.told, phrase);
        let refusal = match done {
            Ok(new) => {
                self.stated = true;
                self.done[at] = true;
                self.page = Cow::Owned(Page::read(&new));
                return;
            }
            Err(refusal) => refusal,
        };
        let announces = matches!(next, Some(Joint::Colon | Joint::So));
        // `the permit was renewed today and now expires in June`
        let silent = next == Some(Joint::And)
            && joint != Joint::And
            && role == Role::Statement
            && !has_news(page, phrase)
            && !insists(page, phrase);
        let aside = match role {
            _ if joint == Joint::But || also => false,
            _ if parallel => !claims(page, phrase, true),
            Role::Fragment
                if joint != Joint::Colon && pieces.get(at + 1).is_some_and(|_| roles[at + 1] == Role::Command) =>
            {
                !claims(page, phrase, true)
            }
            Role::Statement => {
                let followed = next.is_some_and(|next| next != Joint::And);
                let foreign = self.stated && joint != Joint::And && !has_known_subject(page, phrase);
                (commands || announces || followed || foreign || silent) && !claims(page, phrase, commands || announces)
            }
            _ => joint.explains() && after && !claims(page, phrase, true),
        };
        if !aside {
            self.unexplained.get_or_insert((refusal, phrase));
        }
    }
}

/// `so that bit can be removed`, `those two can be checked off`: what was told of is to go, or is ticked.
fn told_goes(page: &Page, told: Phrase<'_, '_>, said: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let said = said.unmarked();
    let at = (1..said.words.len()).find(|&at| {
        vocabulary::length(&said.words[at..], "goes") > 0 || vocabulary::length(&said.words[at..], "is_ticked") > 0
    })?;
    let object = said.to(at);
    if !remove::is_told(object) {
        return None;
    }
    if vocabulary::length(&said.words[at..], "is_ticked") > 0 {
        return items::tick_told(page, object, told);
    }
    Some(remove::run(page, object, Some(told)))
}

/// What a pronoun may mean: the last that was told, unless only what was told before it is known to the text.
fn nearer<'a, 'r>(page: &Page, before: Option<Phrase<'a, 'r>>, phrase: Phrase<'a, 'r>) -> Option<Phrase<'a, 'r>> {
    let known = find::content(phrase.words).iter().any(|key| page.has(key));
    if known || before.is_none() { Some(phrase) } else { before }
}

/// Whether a command only says that something is wrong: `fix the name`.
fn is_correction(phrase: Phrase<'_, '_>) -> bool {
    is_valueless(phrase) && phrase.words[0].is_any("fix|correct") && phrase.words.len() <= 4
}

/// Whether what a statement is about stands in the text.
fn has_known_subject(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let verb = phrase.words.iter().position(|word| cut::is_verb(&word.folded)).unwrap_or(phrase.words.len());
    find::content(phrase.to(verb).words).iter().any(|key| page.has(key))
}

/// Whether a statement counts something in words: `there are five left`.
fn counts_anew(phrase: Phrase<'_, '_>) -> bool {
    phrase.words.iter().any(|word| evidence::number(word.raw).is_some_and(|number| number > 1))
}

/// Whether a statement names a value or somebody that the text has not.
fn has_news(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let unknown = |word: &words::Word<'_>| {
        word.quoted
            || word.raw.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
                && !find::is_empty_word(&word.folded)
                && !page.has(&super::page::key(word.raw))
    };
    phrase.words.iter().any(unknown)
}

/// Whether all of what a statement is about stands in the text.
fn has_only_known_subject(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let verb = phrase.words.iter().position(|word| cut::is_verb(&word.folded)).unwrap_or(phrase.words.len());
    let keys = find::content(phrase.to(verb).words);
    !keys.is_empty() && keys.iter().all(|key| page.has(key))
}

/// Whether a statement says how something is to be from now on.
pub(super) fn insists(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let cue = |at: usize| {
        let word = &phrase.words[at];
        let copula = vocabulary::is(&word.folded, "be") && at + 1 < phrase.words.len();
        vocabulary::length(&phrase.words[at..], "henceforth") > 0
            || word.is_any("should|must|needs|becomes|instead")
            || copula
                && find::New::of(phrase.from(at + 1).to(1)).is_some_and(|new| new.is_value() || new.quoted)
                && !page.has(&super::page::key(phrase.words[at + 1].raw))
    };
    (0..phrase.words.len()).any(cue)
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
fn claims(page: &Page, phrase: Phrase<'_, '_>, is_reason: bool) -> bool {
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
    let becomes = (phrase.words.iter().any(|word| word.is_any("is|are|will|should"))
        || fact::brings_values(page, phrase))
        && find::content(phrase.words).iter().any(|key| page.has(key));
    insists(page, phrase) && has_news(page, phrase)
        || phrase.find("should be|should read|should say").is_some() && !phrase.starts("it")
        || (0..phrase.words.len()).any(now) && !is_reason
        || digits && (!is_reason || becomes)
        || named && !is_reason
}

/// More words than this are no request without words to be written down.
const MOST_WORDS: usize = 250;

/// Nobody asks for more at once.
const MOST_PIECES: usize = 40;

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
        || phrase.strip("replace|swap|exchange").is_some_and(|rest| {
            rest.unmarked().is_only("the|old|one|it|that|value|number|entry|previous|existing|accordingly")
        })
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
fn command(page: &Page, phrase: Phrase<'_, '_>, before: Option<Phrase<'_, '_>>) -> Option<Result<String, Refusal>> {
    let text = page.text.as_str();
    let words = phrase.words;
    let after = |class: &str| {
        let length = vocabulary::length(words, class);
        (length > 0).then(|| phrase.from(length))
    };
    let verb = words.first()?.folded.as_ref();
    if phrase.unmarked().words.len() == 1 && vocabulary::length(words, "remove") == 1 && before.is_some() {
        let it = words::Word { raw: "it", folded: "it".into(), quoted: false, start: 0, end: 0 };
        return Some(remove::run(page, Phrase { request: "it", words: &[it] }, before));
    }
    if has_arrow(phrase) && !is_command(phrase) {
        return change::run(page, phrase, "arrow", "arrow", before).or_else(|| literally(page, phrase));
    }
    let spelling = phrase.words.iter().take(4).any(|word| word.is_any("typo|typos|spelling|misspelling|misspellings"))
        && words[0].is_any("fix|correct|repair");
    if spelling && let Some(done) = literally(page, phrase) {
        return Some(done);
    }
    if let Some(commands) = super::lettering::letters(phrase).or_else(|| super::lettering::space(phrase)) {
        return Some(settle(text, &commands));
    }
    let spells = words[0].is_any("write|spell")
        && phrase.find("with a|with an|with one|with two|without").is_some_and(|at| at == 2);
    if let Some(at) =
        phrase.find("with a capital|with capital").filter(|at| *at > 1 && words[0].is_any("write|spell|put"))
    {
        let name = phrase.to(at).from(1).unmarked();
        let capital = super::locate::capitalized(name.raw());
        let places = super::locate::locate_any_case(text, name.raw());
        let edits: find::Edits = places.into_iter().map(|place| (place, capital.clone())).collect();
        return Some(if edits.is_empty() {
            Err(Refusal::not_in_text(name.raw()))
        } else {
            Ok(find::applied(text, &edits))
        });
    }
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
        let what = soft(Some(rest))?;
        let done = remove::run(page, what, before);
        // `drop her interview` after `Delphine withdrew`
        let owned = what.words.iter().any(|word| word.is_any("her|his|their|its|hers"));
        if let (Err(Refusal::Ambiguous { .. }), true, Some(told)) = (&done, owned, before) {
            let is_name = |word: &&words::Word<'_>| {
                word.raw.starts_with(char::is_uppercase) && page.has(&super::page::key(word.raw))
            };
            let both: Vec<words::Word<'_>> =
                what.words.iter().chain(told.words.iter().filter(is_name)).cloned().collect();
            return Some(remove::run(page, Phrase { request: what.request, words: &both }, before).or(done));
        }
        return Some(done);
    }
    let mut done = items::sorted(page, phrase)
        .or_else(|| items::swapped(page, phrase, before))
        .or_else(|| items::ticked(page, phrase, before))
        .or_else(|| items::moved(page, phrase, before));
    if done.is_some() {
    } else if let Some(rest) = after("add") {
        let particle =
            rest.unmarked().words.last().filter(|word| {
                vocabulary::is(&word.folded, "particle") && words[0].is_any("voeg|fuge|fuege|hange|haenge")
            });
        let rest = if particle.is_some() { rest.unmarked().to(rest.unmarked().words.len() - 1) } else { rest };
        let english = if words[0].is_any("hange|haenge") { "append" } else { "add" };
        let foreign = words[0].is_any("fuge|fuege|hange|haenge|voeg|ajoute|ajoutez|anade|agrega|aggiungi|adicione");
        let by_words = || super::insertion::insert(rest, english).filter(|_| foreign);
        done = add::run(page, rest, verb, before).or_else(|| by_words().map(|commands| settle(text, &commands)));
    } else if let Some(rest) = soft(after("replace")) {
        done = change::run(page, rest, "replace", "with", before);
    } else if let Some(rest) = soft(after("change")) {
        let verb = if words[0].is("set") {
            "set"
        } else if words[0].is("rename") {
            "rename"
        } else {
            "change"
        };
        done = change::run(page, rest, verb, "to", before);
    } else if let Some(rest) = after("other.replace").or_else(|| after("other.change")) {
        done = change::run(page, rest, "change", "other.to|other.with", before);
    } else if let Some(rest) = after("assign") {
        done = assign(page, rest);
    } else if let Some(rest) = phrase.strip("use").filter(|rest| rest.words.iter().any(|word| word.is(":"))) {
        let at = rest.words.iter().position(|word| word.is(":"))?;
        let what = rest.to(at);
        let what = what.strip_end("instead|now").unwrap_or(what);
        done = Some(change::pair(page, what, rest.from(at + 1), "set", command::Which::Only, before));
    } else if let Some(rest) = phrase.strip("use|make it|make that|take|put") {
        done = match rest.find("rather than|instead of") {
            Some(_) => fact::contrast(page, rest).ok().map(Ok),
            None => None,
        };
        done = done.or_else(|| counted_things(page, rest));
    }
    if done.as_ref().is_none_or(Result::is_err)
        && let Some(rest) = after("make")
        && let [what @ .., new] = rest.unmarked().words
        && new.quoted
        && !what.is_empty()
    {
        let what = Phrase { request: rest.request, words: what };
        let new_words = Phrase { request: rest.request, words: std::slice::from_ref(new) };
        return match remove::is_pronoun(what) {
            true => overlapping(page, new.raw).map(Ok),
            false => Some(change::pair(page, what, new_words, "set", command::Which::Only, before)),
        };
    }
    if done.as_ref().is_none_or(Result::is_err)
        && let Some(new) = switched(page, soft(Some(phrase))?)
    {
        return Some(Ok(new));
    }
    done.or_else(|| literally(page, phrase))
}

/// A command without what may end it and says no more.
pub(super) fn soft<'a, 'r>(phrase: Option<Phrase<'a, 'r>>) -> Option<Phrase<'a, 'r>> {
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

/// The text with `new` for the words of it that say part of the same: `make it "plant tomatoes and peppers"` of `May: plant tomatoes`.
fn overlapping(page: &Page, new: &str) -> Option<String> {
    let keys = super::page::keys(new);
    let mut best: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
    for first in page.places_of(keys.first()?) {
        let start = page.words.partition_point(|word| word.place.start < first.place.start);
        let mut said = keys.iter();
        let count = page.words[start..]
            .iter()
            .enumerate()
            .take_while(|(at, word)| {
                let joined = *at == 0
                    || page.text[page.words[start + at - 1].place.end..word.place.start].trim_matches(' ').is_empty();
                joined && said.any(|key| *key == word.key)
            })
            .count();
        best.push((count, first.place.start..page.words[start + count.max(1) - 1].place.end));
    }
    let most = best.iter().map(|(count, _)| *count).max().filter(|most| *most > 1)?;
    best.retain(|(count, _)| *count == most);
    let [(_, place)] = best.as_slice() else { return None };
    // What goes on after it is said otherwise, and not only with more words.
    if page.text[place.end..].starts_with(' ') {
        return None;
    }
    let changed = find::applied(&page.text, &vec![(place.clone(), new.trim_end_matches('.').to_owned())]);
    (changed != page.text).then_some(changed)
}

/// `turn autosave on`, `disable notifications`, where the text has it as a setting.
fn switched(page: &Page, phrase: Phrase<'_, '_>) -> Option<String> {
    let phrase = phrase.unmarked();
    let turned = |end: &str| phrase.strip("turn|switch|set")?.strip_end(end);
    let (what, on) =
        phrase.strip("enable|activate|turn on|switch on").or_else(|| turned("on")).map(|what| (what, true)).or_else(
            || {
                let what = phrase.strip("disable|deactivate|turn off|switch off").or_else(|| turned("off"));
                what.map(|what| (what, false))
            },
        )?;
    set_switch(page, what, on)
}

/// `holiday mode is on now`, `she wants auto save switched off`.
fn switched_as_said(page: &Page, phrase: Phrase<'_, '_>) -> Option<String> {
    let phrase = phrase.unmarked();
    let phrase = phrase.strip_end("now|again|from now on").unwrap_or(phrase);
    let (what, on) = phrase
        .strip_end("is on|is enabled|is active|should be on|switched on|turned on|enabled|to be on|is now on")
        .map(|what| (what, true))
        .or_else(|| {
            let off =
                "is off|is disabled|is inactive|should be off|switched off|turned off|disabled|to be off|is now off";
            phrase.strip_end(off).map(|what| (what, false))
        })?;
    let wants = what.words.iter().rposition(|word| word.is_any("wants|want|likes|prefers|wanted|has|have|had"));
    set_switch(page, what.from(wants.map_or(0, |at| at + 1)), on)
}

/// The text with the one setting that `what` names on or off, in the words it has for that.
fn set_switch(page: &Page, what: Phrase<'_, '_>, on: bool) -> Option<String> {
    const PAIRS: &[[&str; 2]] =
        &[["on", "off"], ["true", "false"], ["yes", "no"], ["enabled", "disabled"], ["1", "0"], ["active", "inactive"]];
    let keys = find::content(what.words);
    let labels: Vec<_> = page
        .labels
        .iter()
        .filter(|label| {
            let words: Vec<String> = label.keys.iter().flat_map(|key| key.split('_').map(super::page::key)).collect();
            !keys.is_empty() && keys.iter().all(|key| words.contains(key) || label.keys.contains(key))
        })
        .collect();
    let [label] = labels.as_slice() else { return None };
    let old = page.at(&label.value).to_lowercase();
    let pair = PAIRS.iter().find(|pair| pair.contains(&old.as_str()))?;
    let new = pair[usize::from(!on)];
    (new != old).then(|| find::applied(&page.text, &vec![(label.value.clone(), new.to_owned())]))
}

/// `340 g water and 12 g salt`: each for what the text has of it.
fn counted_things(page: &Page, rest: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let parts = rest.unmarked().words.split(|word| word.is_any("and|,")).filter(|part| !part.is_empty());
    // What is no count of something in the text is read otherwise.
    let done = page.after_all(parts, |page, words| {
        let part = Phrase { request: rest.request, words };
        let value = |to: &usize| find::New::of(part.to(*to)).is_some_and(|new| new.is_value());
        let to = (1..words.len()).rev().find(value).ok_or(None)?;
        let described = find::wanted(part.from(to));
        if described.keys.is_empty() || !described.keys.iter().all(|key| page.has(key)) {
            return Err(None);
        }
        let new = find::New::of(part.to(to)).ok_or(None)?;
        find::set(page, &described, &new).map(|edits| find::applied(&page.text, &edits)).map_err(Some)
    });
    match done {
        Ok(new) => Some(Ok(new)),
        Err(refusal) => refusal.map(Err),
    }
}

/// `assign X as owner`, `assign it to X`.
fn assign(page: &Page, rest: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let text = page.text.as_str();
    let rest = rest.find("instead of|rather than").filter(|at| *at > 0).map_or(rest, |at| rest.to(at));
    let rest = rest.unmarked();
    let rest = rest.strip_end("instead|now").unwrap_or(rest);
    if let Some(new) =
        rest.strip("it to|this to|the task to|the ticket to|this task to|the issue to").and_then(find::New::of)
    {
        for noun in ["assignee", "owner", "responsible", "assigned"] {
            let described =
                find::Wanted { keys: vec![super::page::key(noun)], said: noun.to_owned(), ..find::Wanted::default() };
            if let Ok(edits) = find::set(page, &described, &new) {
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
    Some(find::set(page, &described, &new).map(|edits| find::applied(text, &edits)))
}

/// The text after a statement or a fragment.
fn state(page: &Page, phrase: Phrase<'_, '_>, role: Role, alone: bool, spells: bool) -> Result<String, Refusal> {
    let text = page.text.as_str();
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
    // `it's Katarina, not Katrina`: one name, misspelt wherever it stands.
    if let Some(new) = fact::respelled_name(page, phrase) {
        return Ok(new);
    }
    let last = phrase.unmarked().words.last();
    // `the booking code should be in capital letters` is about the code, and not about its name.
    if let Some(at) = phrase.find("should be|has to be|must be").filter(|at| *at > 0)
        && phrase.from(at).words.iter().any(|word| word.is_any("capital|capitals|uppercase|caps|lowercase"))
        && find::content(phrase.to(at).words).last().is_some_and(|key| {
            page.places_of(key).any(|word| page.values.iter().any(|value| value.start == word.place.end + 1))
        })
    {
        return Err(Refusal::Vague);
    }
    if let Some(commands) = super::lettering::letters(phrase) {
        return settle(text, &commands);
    }
    if phrase.find("should be|must be|needs to be").is_some()
        && last.is_some_and(|word| word.is_any("uppercase|lowercase|capitalized|capitalised|bold|italic|caps"))
    {
        return Err(Refusal::Vague);
    }
    if let Some(done) = settings(page, phrase) {
        return done;
    }
    if let Some(new) = switched_as_said(page, phrase) {
        return Ok(new);
    }
    if let Some(rest) = phrase.strip("it should be|it's|it is|it needs|use|it takes|it was")
        && rest.words.iter().any(|word| word.is("and"))
        && let Some(Ok(new)) = counted_things(page, rest.strip("only|just|now").unwrap_or(rest))
    {
        return Ok(new);
    }
    if let [said @ .., new] = phrase.unmarked().words
        && new.quoted
        && (Phrase { request: phrase.request, words: said })
            .is_only("it|this|that|should|now|be|must|has|to|read|say|rather|therefore|then")
        && !said.is_empty()
        && let Some(new) = overlapping(page, new.raw)
    {
        return Ok(new);
    }
    // `another idea for the list: headphones`, `+ dietary: 2 vegan`
    if let Some(colon) = phrase.words.iter().position(|word| word.is(":")).filter(|at| (1..=7).contains(at))
        && phrase.strip("another|new|one more|an additional|additional|extra|a new|further|+").is_some()
        && (phrase.words[0].is("+")
            || phrase.to(colon).words.iter().any(|word| {
                vocabulary::is(&word.folded, "bearer")
                    || vocabulary::is(&word.folded, "part.item")
                    || vocabulary::is(&word.folded, "list")
            }))
    {
        let lead = phrase.to(colon);
        let content = phrase.request[phrase.words[colon].end..phrase.words[phrase.words.len() - 1].end].trim();
        return add::announced_to(page, lead, content).unwrap_or(Err(Refusal::Unclear));
    }
    // `79 EUR per month, ends Oct 2028`
    if role == Role::Fragment && phrase.words.iter().any(|word| word.is(",")) {
        let parts = phrase.unmarked().words.split(|word| word.is(","));
        let parts = parts.map(|words| Phrase { request: phrase.request, words });
        if let Ok(new) = page.after_all(parts, fact::run) {
            return Ok(new);
        }
    }
    if phrase.words.len() <= 8 && phrase.words.iter().skip(1).any(|word| word.is("or")) {
        return Err(Refusal::Contradiction);
    }
    // What follows `fix the typo:` is about words, whatever else they are.
    if spells && let Some(commands) = statement::commands(phrase) {
        return settle(text, &commands);
    }
    // `the first film has to be swapped out` does not say for what.
    let asks = "has to be|have to be|needs to be|need to be|must be|should be";
    if let Some(rest) = phrase.find(asks).and_then(|at| phrase.from(at).strip(asks))
        && let Some(rest) =
            rest.strip("swapped|replaced|changed|updated|moved|rescheduled|renamed|exchanged|adjusted|corrected")
        && !rest.words.iter().any(|word| word.quoted || word.is_any("to|by|with|for|from|before|after"))
        && phrase.words.len() > 5
    {
        return Err(Refusal::Vague);
    }
    // Short corrections name the words themselves: `Tuesday, not Monday`, `Landlord should be Landlady`.
    let contrast = phrase.words.len() <= 10
        && phrase.find("not|instead of|rather than|should be|should say|should read|insted of").is_some();
    let small = |at: usize| phrase.words[at].raw.chars().all(char::is_lowercase);
    let word = phrase.unmarked().words.len() == 4 && small(0) && small(3);
    let literal = word || phrase.find("not|instead of|rather than|insted of").is_some();
    if contrast
        && !is_plain(text, "")
        && let Ok(new) = fact::contrast(page, phrase)
    {
        return Ok(new);
    }
    if contrast
        && (alone || literal)
        && !is_other_sort(phrase)
        && !denies_several(page, phrase)
        && !names_label(page, phrase)
        && let Some(commands) = statement::commands(phrase)
        && let Ok(new) = settle(text, &commands)
    {
        return Ok(new);
    }
    if let Some(done) = items::comes(page, phrase) {
        return done;
    }
    if let Some(done) = placed_first(page, phrase) {
        return done;
    }
    if let Some(done) = passive(page, phrase) {
        return done;
    }
    if let Some(at) = phrase.find("should say|should read|should be|is now|should now be|becomes")
        && let Some(new) = phrase.unmarked().words.last().filter(|word| word.quoted)
        && let Some(heading) = change::heading(page, phrase.to(at))
    {
        return Ok(find::applied(text, &vec![(heading, new.raw.trim_end_matches([':', '.']).to_owned())]));
    }
    // `no need to bring the budget sheet any more`
    if let Some(rest) = phrase.strip("no need to|no need for|there's no need to|there is no need to|we don't need|they don't need|we no longer need|they no longer need|the user no longer needs|i no longer need|he no longer needs|she no longer needs")
        && let Some(what) = rest.unmarked().strip_end("any more|anymore|any longer").or(Some(rest.unmarked()).filter(|_| phrase.find("no longer").is_some()))
    {
        let verb = usize::from(phrase.strip("no need to|there's no need to|there is no need to").is_some() && what.words.len() > 1);
        return remove::run(page, what.from(verb), None);
    }
    // `the temporary note can go`
    if let Some(at) = (1..phrase.words.len()).find(|&at| vocabulary::length(&phrase.words[at..], "goes") > 0) {
        let after = phrase.from(at + vocabulary::length(&phrase.words[at..], "goes"));
        let verb = phrase.words[..at].iter().position(|word| cut::is_verb(&word.folded)).unwrap_or(at);
        let whence = after.unmarked().strip("from|off|of").unwrap_or(after).unmarked();
        if whence.is_empty()
            || find::content(whence.words).iter().all(|key| page.has(key))
            || whence.words.iter().any(|word| vocabulary::is(&word.folded, "list"))
        {
            return remove::run(page, phrase.to(verb), None);
        }
    }
    let fact = fact::run(page, phrase);
    // `the new contact is Henrik Moe, email henrik@norvik.no`
    if fact.is_err() && phrase.words.iter().any(|word| word.is(",")) && phrase.find(", not").is_none() {
        let parts: Vec<Phrase<'_, '_>> = phrase
            .unmarked()
            .words
            .split(|word| word.is(","))
            .filter(|words| !words.is_empty())
            .map(|words| Phrase { request: phrase.request, words })
            .collect();
        let further = |part: &Phrase<'_, '_>| {
            part.words.len() <= 5 && !fact::all_values(*part).is_empty() && !find::content(part.words).is_empty()
        };
        if parts.len() > 1
            && parts[1..].iter().all(further)
            && let Ok(new) = page.after_all(parts, |page, part| {
                fact::run(page, part).or_else(|refusal| evidence::placed(page, part, None, false).ok_or(refusal))
            })
        {
            return Ok(new);
        }
    }
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

/// Whether what is denied stands in more than one place, and a subject tells one of them: `the call is on Friday, not Monday`.
fn denies_several(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let old = phrase.find(", not").and_then(|at| phrase.from(at + 2).unmarked().words.first());
    let subject = phrase.words.first().is_some_and(|word| vocabulary::is(&word.folded, "article"));
    let is_value = |old: &words::Word<'_>| !find::only_values(old.raw).is_empty();
    old.is_some_and(|old| subject && is_value(old) && page.places_of(&super::page::key(old.raw)).count() > 1)
}

/// Whether something is said to be a number that is none itself: `both bedtimes should be 15 minutes later`.
fn is_other_sort(phrase: Phrase<'_, '_>) -> bool {
    let Some(at) = phrase.find("should be|should say|should read") else { return false };
    let counts = |words: &[words::Word<'_>]| {
        words.iter().any(|word| word.quoted || word.raw.contains(|c: char| c.is_ascii_digit()))
    };
    counts(&phrase.words[at..]) && !counts(&phrase.words[..at])
        || phrase.from(at).words.iter().any(|word| word.raw.chars().filter(|c| c.is_uppercase()).count() > 3)
            && !counts(&phrase.words[..at])
}

/// `the coach wants the long ride to be replaced by a swim`, `X should be changed to Y`.
fn passive(page: &Page, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let asks = "to be|should be|must be|needs to be|has to be|need to be|have to be";
    let at = phrase.find(asks)?;
    let rest = phrase.from(at).strip(asks)?;
    let new = rest.strip("replaced by|replaced with|changed to|updated to|swapped for|substituted by|exchanged for")?;
    let what = phrase.to(at);
    let wants = what.words.iter().position(|word| word.is_any("wants|want|asked|asks|likes|needs|requested"));
    let what = wants.map_or(what, |wants| what.from(wants + 1));
    let what = what.strip("for").unwrap_or(what);
    let verb = if rest.words[0].is("replaced") { "replace" } else { "change" };
    Some(change::pair(page, what, new, verb, command::Which::Only, None))
}

/// Whether what is to be something else is a label of a record: `Status should read …`.
fn names_label(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let Some(at) = phrase.find("should") else { return false };
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
fn placed_first(page: &Page, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    phrase.strip("after|before|between")?;
    let comma = phrase.words.iter().position(|word| word.is(","))?;
    let rest = without_courtesy(phrase.from(comma + 1));
    let verb = vocabulary::length(rest.words, "add");
    if verb > 0 && rest.words.get(verb).is_some_and(|word| word.is("that")) {
        let said = rest.from(verb + 1).unmarked().raw();
        return Some(add::beside_sentence(page, phrase.to(comma), said).ok_or_else(|| Refusal::placeless(said)));
    }
    if verb > 0
        && let [only] = rest.from(verb).unmarked().words
        && only.quoted
    {
        return add::placed_at(page, phrase.to(comma), only.raw);
    }
    let colon = rest.words.get(verb).filter(|word| verb > 0 && word.is(":"))?;
    add::beside_part(page, phrase.to(comma), phrase.request[colon.end..].trim())
}

/// What came of looking for a place, or else for the words themselves, which is safe where a text is one sentence or the words are
/// quoted.
fn by_words(
    page: &Page,
    phrase: Phrase<'_, '_>,
    placed: Option<Result<String, Refusal>>,
) -> Option<Result<String, Refusal>> {
    let text = page.text.as_str();
    let given = phrase.words.iter().any(|word| word.quoted || word.is(":"));
    let open = match placed {
        None
        | Some(Err(Refusal::Unclear | Refusal::NotInText { .. } | Refusal::Ambiguous { .. } | Refusal::Partly)) => true,
        Some(Err(Refusal::Vague)) => given,
        _ => false,
    };
    let open = open && !change::is_several(phrase);
    if !open || !is_plain(text, phrase.raw()) {
        return placed;
    }
    let found = literally(page, phrase);
    match found {
        Some(Ok(new)) if !is_broken(text, &new) => Some(Ok(new)),
        _ => placed,
    }
}

/// What came of the rules, or else what the words around new values point to.
fn by_evidence(
    page: &Page,
    phrase: Phrase<'_, '_>,
    told: Option<Phrase<'_, '_>>,
    done: Option<Result<String, Refusal>>,
) -> Option<Result<String, Refusal>> {
    let open =
        matches!(done, None | Some(Err(Refusal::Unclear | Refusal::NotInText { .. } | Refusal::Ambiguous { .. })));
    // Where rules see several places, the words have to be plain.
    let sure = matches!(done, Some(Err(Refusal::Ambiguous { .. })));
    let other = ["add", "remove", "rewrite", "assign"].iter().any(|class| vocabulary::length(phrase.words, class) > 0);
    if !open || other {
        return done;
    }
    evidence::placed(page, phrase, told, sure).or_else(|| table::with_cell(page, phrase, told)).map(Ok).or(done)
}

/// Whether words may be looked for anywhere in a text.
fn is_plain(text: &str, request: &str) -> bool {
    let one_sentence = text.len() < LONGEST_PLAIN && super::sentence::sentences(text).len() == 1;
    let spelt_out = request.contains(['"', '“', '→', '`']) || request.contains("->") || request.contains(" '");
    one_sentence || spelt_out
}

/// Longer texts are not plain.
const LONGEST_PLAIN: usize = 400;

/// What a command asks of the words it names, wherever they stand.
fn literally(page: &Page, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let text = page.text.as_str();
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

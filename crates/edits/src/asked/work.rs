//! Carries out the pieces of a request one after the other, all of them or none.

use std::borrow::Cow;

use super::super::{
    Change, find, lifecycle::Reader, page::Page, phrase::Phrase, refusal::Refusal, statement, vocabulary, words::Word,
};

use super::{
    Outcome, add, change,
    cut::{self, Joint, Piece},
    evidence, fact, items,
    lacking::{
        dropped, forgotten, ignored, infrequent, remaining, staying, uncounted, undated, undesignated, unmet, unnamed,
        unsaid, unset,
    },
    ordered::{command, literally},
    person, remove,
    role::{Role, names_spelling, ready},
    sound::is_broken,
    stated::state,
    table,
};

/// Does what all pieces ask for; `None` if that is no change of text.
pub(super) fn carry_out(
    page: &Page,
    reader: &Reader<'_>,
    whole: Phrase<'_, '_>,
    pieces: &[Piece<'_, '_>],
    roles: &[Role],
) -> Result<Option<Change>, Refusal> {
    let letters = pieces.iter().filter(|piece| super::super::lettering::letters(ready(piece.phrase)).is_some()).count();
    if letters > 1 {
        return Err(Refusal::Contradiction);
    }
    let mut work = Work {
        original: page,
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
            Role::Courtesy if cut::is_statement(ready(pieces[at].phrase)) => {
                work.told = nearer(page, work.told, ready(pieces[at].phrase));
            }
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
    let lost = |word: &Word<'_>| {
        let key = super::super::page::key(word.raw);
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
            && let Some(phrase) = untold.into_iter().find(|phrase| {
                is_rescheduled(page, *phrase)
                    || phrase.find("until").is_some_and(|at| dated_anew(page, phrase.from(at)))
            })
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
            || vocabulary::has(phrase.words, "rewrites")
            || phrase
                .words
                .iter()
                .any(|word| vocabulary::is(&word.folded, "whole") && !word.is_any("it|this|that|them|these"))
    });
    let kept = page.words().iter().filter(|word| page_now.has(&word.key)).count();
    if pieces.len() > 1 && !rewrites && page.words().len() > 4 && kept * 4 < page.words().len() {
        return Err(Refusal::Unclear);
    }
    whole_in(page, &page_now, pieces, roles, &done)?;
    if wishes.is_empty() {
        return Ok(Some(Change::Edit { text: Some(now.clone()), status: None }));
    }
    match reader.decide(&wishes.join(". "))? {
        Change::Edit { status, .. } => Ok(Some(Change::Edit { text: Some(now.clone()), status })),
        Change::Undo | Change::Redo => Err(Refusal::Contradiction),
    }
}

/// Refuses a result that lacks something of what its request says.
fn whole_in(
    page: &Page,
    page_now: &Page,
    pieces: &[Piece<'_, '_>],
    roles: &[Role],
    done: &[bool],
) -> Result<(), Refusal> {
    if let Some(word) = unsaid(page, &page_now.text, pieces, roles) {
        return Err(Refusal::not_in_text(word));
    }
    if let Some(name) = unset(page, page_now, pieces) {
        return Err(Refusal::not_in_text(name));
    }
    if let Some(word) = remaining(page_now, pieces) {
        return Err(Refusal::not_in_text(word));
    }
    if let Some(word) = unnamed(page, page_now, pieces, roles, done) {
        return Err(Refusal::not_in_text(word));
    }
    let mut said =
        (0..pieces.len()).filter(|at| matches!(roles[*at], Role::Command | Role::Statement | Role::Fragment));
    let lost = said.find_map(|at| {
        let phrase = pieces[at].phrase;
        undesignated(page, page_now, phrase)
            .or_else(|| dropped(page, page_now, phrase))
            .or_else(|| infrequent(page, page_now, phrase))
            .or_else(|| uncounted(page, page_now, phrase))
            .or_else(|| staying(page, page_now, phrase))
            .or_else(|| undated(page, page_now, phrase).filter(|_| done[at] && roles[at] == Role::Statement))
    });
    if let Some(word) = lost {
        return Err(Refusal::not_in_text(word));
    }
    if let Some(phrase) = unmet(page, pieces, roles, done).filter(|phrase| !meets(page_now, *phrase)) {
        return Err(Refusal::not_in_text(phrase.unmarked().raw()));
    }
    if let Some(phrase) = forgotten(page, page_now, pieces, roles, done) {
        return Err(Refusal::not_in_text(phrase.unmarked().raw()));
    }
    if let Some(phrase) = ignored(page_now, pieces, roles, done) {
        return Err(Refusal::not_in_text(phrase.unmarked().raw()));
    }
    Ok(())
}

/// The text after pieces that are each a request of their own, if every one is that says something for the text.
pub(super) fn one_by_one(page: &Page, reader: &Reader<'_>, pieces: &[Piece<'_, '_>], roles: &[Role]) -> Option<String> {
    let mut done = vec![false; pieces.len()];
    let mut page_now = Cow::Borrowed(page);
    for (at, piece) in pieces.iter().enumerate() {
        // What leads to something else only tells why.
        let leads = pieces.get(at + 1).is_some_and(|next| matches!(next.joint, Joint::So | Joint::Colon));
        if matches!(roles[at], Role::Courtesy | Role::Reason)
            || leads && !fact::brings_values(page, ready(piece.phrase))
        {
            continue;
        }
        if roles[at] == Role::State {
            return None;
        }
        let Outcome::Done(Change::Edit { text: Some(new), status: None }) =
            super::decide(&page_now, reader, ready(piece.phrase).raw())
        else {
            // `We tried it and it was too sweet` says nothing that the text could say.
            let phrase = ready(piece.phrase);
            let known = find::content(phrase.words).iter().any(|key| page.has(key));
            let told = phrase.words.first().is_some_and(|word| word.is_any("we|i|they|it|he|she|this|that"));
            if roles[at] == Role::Statement && told && !known && !has_news(page, phrase) {
                continue;
            }
            return None;
        };
        // Words that were only put beside the others change none of them.
        let is_told = roles[at] == Role::Statement && new.starts_with(page_now.text.trim_end());
        let page_new = Page::read(&new);
        let kept = page_now.words().iter().filter(|word| page_new.has(&word.key)).count();
        if is_told || kept * 3 < page_now.words().len() {
            return None;
        }
        done[at] = true;
        page_now = Cow::Owned(page_new);
    }
    let several = done.iter().filter(|done| **done).count() > 0;
    (several && whole_in(page, &page_now, pieces, roles, &done).is_ok()).then(|| page_now.into_owned().text)
}

/// Whether a statement about something in the text gives it another value, of which the text says nothing.
pub(super) fn is_rescheduled(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let moved = "postponed to|moved to|rescheduled to|rescheduled for|changed to|pushed to|extended to|extended until|is now|are now|raised to|lowered to|shifted to";
    phrase.find(moved).is_some()
        && has_known_subject(page, phrase)
        && fact::brings_values(page, phrase)
        && !fact::new_values(page, phrase).is_empty()
}

/// Whether words name a day or a time that the text has not, while it has another.
fn dated_anew(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let new = find::only_values(phrase.from(1).unmarked().raw());
    let [only] = new.as_slice() else { return false };
    page.values().iter().any(|value| value.kind == only.kind) && !fact::new_values(page, phrase).is_empty()
}

/// Whether a text says all that a statement says.
pub(super) fn meets(now: &Page, phrase: Phrase<'_, '_>) -> bool {
    let verb = phrase.words.iter().position(cut::is_finite).map_or(0, |at| at + 1);
    find::content(phrase.from(verb).words).iter().all(|key| now.has(key))
}

/// A request that is being carried out.
struct Work<'p, 'a, 'r> {
    /// The text as it was.
    original: &'p Page,
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
        let names_kind = |word: &Word<'_>| word.is_any("typo|typos|spelling|grammar|capitalization|punctuation");
        let is_told = self.stated || self.told.is_some();
        if let Some(Ok(new)) = self.told.and_then(|told| person::renamed_as_told(&self.page, phrase, told)) {
            self.done[at] = true;
            self.page = Cow::Owned(Page::read(&new));
            return Ok(());
        }
        // `Acme is now called Zenith. Rename it everywhere.`
        if self.stated
            && vocabulary::length_at_end(phrase.unmarked().words, "everywhere") > 0
            && phrase.words.len() <= 6
            && is_valueless(phrase)
        {
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
            // `she charges 130 now, change 120 to 130`: what was told says it already.
            Some(Err(Refusal::NotInText { .. }))
                if self.stated
                    && matches!(command(self.original, phrase, told), Some(Ok(new)) if new == self.page.text) => {}
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
        let valueless = |at: usize| roles[at] == Role::Command && is_valueless(ready(pieces[at].phrase));
        let wanted = (at + 1..pieces.len()).any(valueless);
        let full = (0..pieces.len()).any(|at| match roles[at] {
            Role::State => !wanted,
            Role::Command => !valueless(at),
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
            || vocabulary::has(pieces[at].phrase.words, "also") && joint == Joint::Semicolon;
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
        // `the project was renamed from A to B, change it everywhere`
        let renames = (at + 1..pieces.len()).any(|later| {
            roles[later] == Role::Command
                && matches!(person::renamed_as_told(page, ready(pieces[later].phrase), phrase), Some(Ok(_)))
        });
        if renames && role == Role::Statement {
            self.told = Some(phrase);
            return;
        }
        let next = pieces.get(at + 1).map(|next| next.joint);
        // `issue 2 is fixed, so remove it`: what is told is only what `it` means.
        let means = |later: usize| {
            let asked = ready(pieces[later].phrase);
            let verb = vocabulary::length(asked.words, "remove").max(vocabulary::length(asked.words, "tick"));
            let object = asked.from(verb).unmarked();
            let object = object.strip_end("off|out|from the list|from it|as done").unwrap_or(object);
            let ticks = vocabulary::length(asked.words, "tick") > 0 && remove::is_told(object);
            roles[later] == Role::Command
                && object.words.len() < asked.words.len()
                && (remove::is_pronoun(object) || ticks)
        };
        // `Jelle no longer works there; the contact is Noor now`
        let replaced = phrase.find("no longer|left|has left|retired|quit|resigned|sold|not").is_some()
            && (at + 1..pieces.len()).any(|later| {
                roles[later] == Role::Statement
                    && pieces[later].joint != Joint::And
                    && insists(page, ready(pieces[later].phrase))
            });
        // `Delft dropped out and Ghent joined in their place`
        let replaced = replaced
            || pieces.get(at + 1).is_some_and(|next| {
                next.joint == Joint::And
                    && next.phrase.find("in their place|in his place|in her place|in its place|takes over|took over|steps in|stepped in").is_some()
            });
        // `they moved to a CDN now, so add the domain`
        let leads = next == Some(Joint::So)
            && match roles[at + 1] {
                Role::Command => !is_valueless(ready(pieces[at + 1].phrase)),
                Role::Statement => {
                    has_news(page, ready(pieces[at + 1].phrase)) || counts_anew(ready(pieces[at + 1].phrase))
                }
                // `QA sees it again in build 890, so reopen it`
                Role::State => !fact::brings_values(page, phrase) && !phrase.words.iter().any(|word| word.is("now")),
                _ => false,
            };
        // `…, so that entry can go; the letter has arrived, so check it` asks for two things.
        let goes = self.told.is_some_and(|told| matches!(told_goes(page, told, phrase), Some(Ok(_))));
        let reopens = leads && role == Role::Fragment && roles[at + 1] == Role::State;
        if reopens || role == Role::Statement && !goes && ((at + 1..pieces.len()).any(means) || replaced || leads) {
            self.told = nearer(page, self.told, phrase);
            return;
        }
        // Beside a command, a sentence of its own changes something only if it insists.
        let coordinate = joint == Joint::And || next == Some(Joint::And);
        // `Dad has one already, so he's getting a pen`
        let consequence = joint == Joint::So
            && phrase.words[0].is_any("he|she|they|he's|she's|they're")
            && self.told.is_some_and(|told| by_name(page, told, phrase).is_some());
        let apart = !coordinate && joint != Joint::But && !consequence;
        let moved = !roles.contains(&Role::Command) && is_rescheduled(page, phrase);
        if role == Role::Statement && full && !explicit && apart && !insists(page, phrase) && !moved {
            self.told = nearer(page, self.told, phrase);
            return;
        }
        let also = vocabulary::has(pieces[at].phrase.words, "also")
            || courtesy.is_some_and(|before| vocabulary::has(pieces[before].phrase.words, "also"));
        let added = (also && !commands).then(|| fact::added(&self.page, phrase)).flatten();
        let spells = spelt && (joint == Joint::Colon || explicit);
        let done = match added {
            Some(new) => Ok(new),
            None if also && !commands && phrase.find("instead of|rather than").is_none() => Err(Refusal::Unclear),
            None => {
                let of_told = |told| {
                    told_goes(page, told, phrase)
                        .or_else(|| person::stands_in(page, told, phrase))
                        .or_else(|| person::does_it(page, told, phrase))
                        .or_else(|| fact::said_of(page, told, phrase))
                };
                let both = phrase.words.iter().take(3).any(|word| word.is_any("both|those|them|these|two|they"));
                let heard = self.heard.filter(|_| both).and_then(|heard| told_goes(page, heard, phrase));
                let placed = match heard.or_else(|| self.told.and_then(of_told)) {
                    Some(placed) => placed,
                    None => state(&self.page, phrase, role, !commands && pieces.len() == 1, spells),
                };
                let done = by_words(page, phrase, Some(placed));
                // `Oskar has grown, he's size 35 now` is about Oskar.
                let of_name = self.told.filter(|_| done.as_ref().is_none_or(Result::is_err));
                let done = match of_name.and_then(|told| by_name(page, told, phrase)) {
                    Some(new) => Some(Ok(new)),
                    None => done,
                };
                let done = by_evidence(page, phrase, self.told, done).unwrap_or(Err(Refusal::Unclear));
                let named = || self.told.and_then(|told| by_name(page, told, phrase));
                if matches!(done, Err(Refusal::Unclear | Refusal::NotInText { .. } | Refusal::Ambiguous { .. })) {
                    named().map_or(done, Ok)
                } else {
                    done
                }
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
            && !insists(page, phrase)
            && phrase.find("will|we'll|they'll|he'll|she'll|i'll|it'll|going to").is_none();
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
                (commands || announces || followed || foreign || silent) && !claims(page, phrase, full || announces)
            }
            _ => joint.explains() && after && !claims(page, phrase, true),
        };
        if !aside {
            self.unexplained.get_or_insert((refusal, phrase));
        }
    }
}

/// `so she gets a backpack instead`, after something that was told of Elif.
fn by_name(page: &Page, told: Phrase<'_, '_>, said: Phrase<'_, '_>) -> Option<String> {
    let first = said.words.first().filter(|word| word.is_any("he|she|they|it|he's|she's|they're|it's"))?;
    let verb = if first.folded.ends_with("'s") {
        "is "
    } else if first.folded.ends_with("'re") {
        "are "
    } else {
        ""
    };
    let is_name =
        |word: &&Word<'_>| word.raw.starts_with(char::is_uppercase) && page.has(&super::super::page::key(word.raw));
    let name = told.words.iter().take_while(is_name).count();
    if name == 0 {
        return None;
    }
    let request = format!("{} {verb}{}", told.to(name).raw(), said.from(1).raw());
    let words = super::super::words::words(&request);
    fact::run(page, Phrase { request: &request, words: &words }).ok()
}

/// `so that bit can be removed`, `those two can be checked off`: what was told of is to go, or is ticked.
pub(super) fn told_goes(page: &Page, told: Phrase<'_, '_>, said: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
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
pub(super) fn nearer<'a, 'r>(
    page: &Page,
    before: Option<Phrase<'a, 'r>>,
    phrase: Phrase<'a, 'r>,
) -> Option<Phrase<'a, 'r>> {
    let known = find::content(phrase.words).iter().any(|key| page.has(key));
    if known || before.is_none() { Some(phrase) } else { before }
}

/// Whether a command only says that something is wrong: `fix the name`.
pub(super) fn is_correction(phrase: Phrase<'_, '_>) -> bool {
    is_valueless(phrase) && phrase.words[0].is_any("fix|correct") && phrase.words.len() <= 4
}

/// Whether what a statement is about stands in the text.
pub(super) fn has_known_subject(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let verb = phrase.words.iter().position(|word| cut::is_verb(&word.folded)).unwrap_or(phrase.words.len());
    find::content(phrase.to(verb).words).iter().any(|key| page.has(key))
}

/// Whether a statement counts something in words: `there are five left`.
pub(super) fn counts_anew(phrase: Phrase<'_, '_>) -> bool {
    phrase.words.iter().any(|word| super::super::counting::number(word.raw).is_some_and(|number| number > 1))
}

/// Whether a statement names a value or somebody that the text has not.
pub(super) fn has_news(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let unknown = |word: &Word<'_>| {
        word.quoted
            || word.raw.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
                && !find::is_empty_word(&word.folded)
                && !page.has(&super::super::page::key(word.raw))
    };
    phrase.words.iter().any(unknown)
}

/// Whether all of what a statement is about stands in the text.
pub(super) fn has_only_known_subject(page: &Page, phrase: Phrase<'_, '_>) -> bool {
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
                && !page.has(&super::super::page::key(phrase.words[at + 1].raw))
    };
    (0..phrase.words.len()).any(cue)
}

/// The whole request.
pub(super) fn pieces_raw<'r>(pieces: &[Piece<'_, 'r>]) -> &'r str {
    pieces.first().map_or("", |piece| piece.phrase.request)
}

/// Whether a statement that could not be carried out says something that the text should say.
pub(super) fn claims(page: &Page, phrase: Phrase<'_, '_>, is_reason: bool) -> bool {
    let now = |at: usize| phrase.words[at].is_any("now|instead|currently");
    let digits = phrase
        .words
        .iter()
        .any(|word| word.raw.contains(|c: char| c.is_ascii_digit()) && !page.has(&super::super::page::key(word.raw)));
    let named = phrase
        .words
        .iter()
        .skip(1)
        .any(|word| word.raw.starts_with(char::is_uppercase) && !page.has(&super::super::page::key(word.raw)));
    let becomes = (phrase.words.iter().any(|word| word.is_any("is|are|will|should"))
        || fact::brings_values(page, phrase))
        && find::content(phrase.words).iter().any(|key| page.has(key));
    let only = phrase.words.iter().skip(1).take(3).any(|word| word.is("only")) && has_known_subject(page, phrase);
    let goes = vocabulary::has(phrase.from(1).words, "goes");
    insists(page, phrase) && has_news(page, phrase)
        || goes && has_known_subject(page, phrase)
        || only && !is_reason
        || phrase.find("should be|should read|should say").is_some() && !phrase.starts("it")
        || (0..phrase.words.len()).any(now) && !is_reason
        || digits && (!is_reason || becomes)
        || named && !is_reason
}

/// Whether a command says that something is to be changed and not into what: `update it accordingly`.
pub(super) fn is_valueless(phrase: Phrase<'_, '_>) -> bool {
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
pub(super) fn is_plain(text: &str, request: &str) -> bool {
    let one_sentence = text.len() < LONGEST_PLAIN && super::super::sentence::sentences(text).len() == 1;
    let spelt_out = request.contains(['"', '“', '→', '`']) || request.contains("->") || request.contains(" '");
    one_sentence || spelt_out
}

/// Longer texts are not plain.
const LONGEST_PLAIN: usize = 400;

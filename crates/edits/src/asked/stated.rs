//! What a statement or a fragment asks for.

use super::super::{
    command::{self, Command, settle},
    find, grammar,
    page::Page,
    phrase::Phrase,
    refusal::Refusal,
    statement, vocabulary,
    words::Word,
};

use super::{
    add, change,
    cut::{self, without_courtesy},
    evidence, fact, items,
    ordered::{counted_things, overlapping, switched_as_said},
    remove,
    role::Role,
    whole::settings,
    work::is_plain,
};

/// The text after a statement or a fragment.
pub(super) fn state(
    page: &Page,
    phrase: Phrase<'_, '_>,
    role: Role,
    alone: bool,
    spells: bool,
) -> Result<String, Refusal> {
    let text = page.text.as_str();
    if let Some(at) = phrase
        .find("with two|with one|with a double|with double")
        .filter(|_| phrase.strip("it's|it is|that's").is_some())
    {
        let right =
            phrase.to(at).strip("it's|it is|that's").and_then(|right| right.operand()).ok_or(Refusal::Unclear)?;
        return settle(text, &[Command::Spell { right }]);
    }
    // `it's Katarina, not Katrina`: one name, misspelt wherever it stands.
    if let Some(new) = fact::respelled_name(page, phrase) {
        return Ok(new);
    }
    let spelling =
        phrase.words.iter().any(|word| word.is_any("spelled|spelt|misspelled|misspelt|typo|spelling|written"));
    // `her name is spelled Katarina, not Katrina`
    if let Some(at) = phrase.find("spelled|spelt|written").filter(|_| phrase.find(", not").is_some())
        && let [new, _, _, old] = phrase.from(at + 1).unmarked().words
        && let places = super::super::locate::locate(text, old.raw, super::super::locate::Reach::Words).places
        && !places.is_empty()
    {
        return Ok(find::applied(text, &places.into_iter().map(|place| (place, new.raw.to_owned())).collect()));
    }
    // `it is spelled Pettersson, with two t's`
    let how =
        phrase.find(", with two|, with one|, with a double|, with double|, with an|, with a|with two|with one|with a|with an|with double").filter(|_| spelling);
    let phrase = how.map_or(phrase, |at| phrase.to(at));
    if spelling
        && let Some(commands) = super::super::misspelling::spelling(phrase).or_else(|| statement::commands(phrase))
    {
        return settle(text, &commands);
    }
    let last = phrase.unmarked().words.last();
    // `the booking code should be in capital letters` is about the code, and not about its name.
    if let Some(at) = phrase.find("should be|has to be|must be").filter(|at| *at > 0)
        && phrase.from(at).words.iter().any(|word| word.is_any("capital|capitals|uppercase|caps|lowercase"))
        && find::content(phrase.to(at).words).last().is_some_and(|key| {
            page.places_of(key).any(|word| page.values().iter().any(|value| value.start == word.place.end + 1))
        })
    {
        return Err(Refusal::Vague);
    }
    if let Some(commands) = super::super::lettering::letters(phrase) {
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
    if let Some(done) = items::told_done(page, phrase) {
        return done;
    }
    // `the folder thing isn't necessary any more`
    if let Some(verb) = phrase.words.iter().position(|word| word.is_any("isn't|is|aren't|are"))
        && let Some(part) = phrase.to(verb).words.last()
        && (vocabulary::is(&part.folded, "part.any") || part.is_any("sentence|line|item|entry|bullet"))
        && phrase.to(verb).words.len() > 1
        && phrase.from(verb).words.iter().any(|word| vocabulary::is(&word.folded, "moot"))
        && phrase.from(verb).find("isn't|aren't|not|no longer|obsolete|outdated|moot").is_some()
    {
        return remove::run(page, phrase.to(verb), None);
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
pub(super) fn denies_several(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let old = phrase.find(", not").and_then(|at| phrase.from(at + 2).unmarked().words.first());
    let subject = phrase.words.first().is_some_and(|word| vocabulary::is(&word.folded, "article"));
    let is_value = |old: &Word<'_>| !find::only_values(old.raw).is_empty();
    old.is_some_and(|old| subject && is_value(old) && page.places_of(&super::super::page::key(old.raw)).count() > 1)
}

/// Whether something is said to be a number that is none itself: `both bedtimes should be 15 minutes later`.
pub(super) fn is_other_sort(phrase: Phrase<'_, '_>) -> bool {
    let Some(at) = phrase.find("should be|should say|should read") else { return false };
    let counts =
        |words: &[Word<'_>]| words.iter().any(|word| word.quoted || word.raw.contains(|c: char| c.is_ascii_digit()));
    counts(&phrase.words[at..]) && !counts(&phrase.words[..at])
        || phrase.from(at).words.iter().any(|word| word.raw.chars().filter(|c| c.is_uppercase()).count() > 3)
            && !counts(&phrase.words[..at])
}

/// `the coach wants the long ride to be replaced by a swim`, `X should be changed to Y`.
pub(super) fn passive(page: &Page, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
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
pub(super) fn names_label(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let Some(at) = phrase.find("should") else { return false };
    let keys = find::content(phrase.to(at).words);
    let new = find::New::of(phrase.from(at + 2));
    let said = new.is_some_and(|new| new.quoted || new.is_value());
    let named = page.labels().iter().any(|label| label.keys.iter().all(|key| keys.contains(key)));
    let word = phrase.to(at).words.len() == 1
        && phrase.words.len() == at + 3
        && phrase.words[at + 2].raw.chars().all(char::is_lowercase);
    named && !word && (page.labels().len() > 1 || said)
        || said && !keys.iter().all(|key| page.text.to_lowercase().contains(key.as_str()))
}

/// `after the first sentence, insert: …`
pub(super) fn placed_first(page: &Page, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    for (class, start) in [("start", true), ("end", false)] {
        let length = vocabulary::length(phrase.words, class);
        let rest = phrase.from(length);
        if length > 0 && rest.words.first().is_some_and(|word| word.is(",")) {
            let rest = without_courtesy(rest.from(1));
            let what = rest.from(vocabulary::length(rest.words, "add")).unmarked();
            let what =
                what.strip("the sentence|a sentence|the line|a line|the words|this|:").unwrap_or(what).unmarked();
            let [only] = what.words else { return None };
            let added = vocabulary::length(rest.words, "add") > 0 && only.quoted;
            return added.then(|| {
                Ok(match start {
                    true => format!("{}{}{}", only.raw, if page.text.contains('\n') { "\n" } else { " " }, page.text),
                    false => add::with_sentence(page, only.raw),
                })
            });
        }
    }
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

//! Reads corrections that are put as statements: `it's Nora, not Norah`, `X should be Y`.

use super::{
    command::{Command, Operand, Part, Which},
    counting,
    insertion::mark_for,
    phrase::Phrase,
    telling, value, vocabulary,
};

/// The readings of a phrase as a correction; `None` if it is none.
pub(super) fn commands(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let phrase = phrase.unmarked();
    arrow(phrase)
        .or_else(|| says_but(phrase))
        .or_else(|| whole(phrase))
        .or_else(|| not_but(phrase))
        .or_else(|| instead_of(phrase))
        .or_else(|| not_this(phrase))
        .or_else(|| should_be(phrase))
        .or_else(|| from_to(phrase))
        .or_else(|| telling::settled(phrase))
}

/// `X -> Y`.
fn arrow(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let at = phrase.words.iter().position(|word| word.is_arrow())?;
    let left = phrase.to(at);
    // `typo: X -> Y`.
    let left = left.find(":").map_or(left, |colon| left.from(colon + 1));
    let right = phrase.from(at + 1);
    let right = right.strip(SHOULD_BE).unwrap_or(right);
    let (old, new) = (left.operand()?, right.operand()?);
    // `budget 12k -> 15k`: the noun only says which number is meant.
    let last = left.unmarked();
    let last = last.from(last.words.len().saturating_sub(1)).operand().filter(|_| last.words.len() > 1);
    let are_values = |old: &Operand| value::only_values(&old.text).is_some() && value::only_values(&new.text).is_some();
    let old = last.filter(are_values).filter(|_| value::only_values(&old.text).is_none()).unwrap_or(old);
    Some(vec![Command::Replace { old, new, which: Which::Only }])
}

const SPELLED: &str = "should be spelled|is spelled|is spelt|is written|should be spelt|is actually spelled";

pub(super) const SHOULD_BE: &str = "should have been|should be spelled|is spelled|is spelt|is written|should be spelt|is actually spelled|\
     should be|should read|should say|should actually be|should instead be|must be|ought to be|needs to be|\
     has to be|needs to say|is supposed to be|was supposed to be|should really be|should now be|should just be|\
     must say|is actually|was meant to be";

/// `it says X but it should say Y`, `X is wrong, it should be Y`.
fn says_but(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let said = phrase.strip(
        "it says|it said|where it says|it currently says|i wrote|i said|it reads|you wrote|the text says|i typed|\
         i put",
    );
    let wrong: &str = "is misspelled|is wrong|is incorrect|is a typo|is not right|isn't right|is spelled wrong|is mistyped|\
         is misspelt|is not correct|isn't correct";
    let (old, rest) = match said {
        Some(rest) => {
            let at = rest.find("but|and it|,|it should|should|instead of|when it|; it|and i meant|however")?;
            if rest.from(at).starts("instead of") {
                // `it says X instead of Y`: here the second is right.
                return change(rest.to(at), rest.from(at + 2), Which::Every);
            }
            (rest.to(at), rest.from(at))
        }
        None => {
            let at = phrase.find(wrong)?;
            let after = phrase.from(at).strip(wrong)?;
            (phrase.to(at), after)
        }
    };
    if said.is_none() && rest.unmarked().is_empty() {
        let word = old.operand()?;
        return Some(vec![Command::Spell { right: word.clone() }, Command::FixTypos { word: Some(word) }]);
    }
    let lead: &str = "but|and|,|.|;|-|when|that|it|this|i|actually|however|–|—";
    let mut rest = rest;
    while let Some(next) = rest.strip(lead) {
        rest = next;
    }
    let new = rest
        .strip(SHOULD_BE)
        .or_else(|| rest.strip("write|put|use|change it to|replace it with|make it|make that|it's|it is|meant to say|meant to write|meant|mean|is|correct is|should"))?;
    change(old, new, Which::Every)
}

/// `it should just say Y`, `new text: Y`.
fn whole(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let only: &str = "it should just say|it should only say|it should simply say|it should just read|should just say|just say|\
         just make it say|new text|new wording|the text should be|the text should say|the text should read|\
         the thought should say|the thought should read|the thought should be|the whole thing should say|\
         the whole text should be|the whole thing should read|the new text is|the new text should be|\
         i want it to say|i want it to read|have it say|let it say|text should be|the note should say|\
         the note should read|the new wording is|the wording should be|it should instead say|it should now say|\
         it should now read";
    let compares = phrase.find("instead of|rather than|not").is_some()
        && !phrase.words.iter().any(|word| word.is(":") || word.quoted);
    if let Some(rest) = phrase.strip(only).filter(|_| !compares) {
        let rest = rest.strip("that").unwrap_or(rest);
        return rest.free().map(|new| vec![Command::Rewrite { new }]);
    }
    if let Some([only]) = phrase.strip("say").map(|rest| rest.words)
        && only.quoted
        && only.raw.split_whitespace().count() > 1
    {
        return Some(vec![Command::Rewrite { new: Operand { text: only.raw.to_owned(), quoted: true } }]);
    }
    let rest = phrase.strip(
        "it should say|it should read|should say|should read|this should say|this should read|it needs to say|\
         it has to say",
    )?;
    if rest.find("instead of|rather than|not").is_some() {
        return None;
    }
    let rest = rest.strip_end("instead").unwrap_or(rest);
    let announced = rest.words.first().is_some_and(|word| word.is(":"));
    let new = rest.operand()?;
    let long = new.text.split_whitespace().count() > 2 && value::only_values(&new.text).is_none();
    match announced || long {
        true => rest.free().map(|new| vec![Command::Rewrite { new }]),
        false => Some(vec![Command::Settle { new }]),
    }
}

/// `not X but Y`, `it's not X, it's Y`.
fn not_but(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let denied = vocabulary::length(phrase.words, "denial");
    let rest = phrase.from(denied);
    let rest = rest.strip("on|at").filter(|_| denied > 1).unwrap_or(rest);
    let at = rest.find("but|sondern|,|;|-|–|—|.").filter(|_| denied > 0)?;
    let mut new = rest.from(at).unmarked();
    loop {
        match vocabulary::length(new.words, "rather") {
            0 => break,
            taken => new = new.from(taken),
        }
    }
    change(rest.to(at), new, Which::Every)
}

/// What may lead to the right words in `it's Nora, not Norah`.
const RIGHT: &str = "it should have been|it should have said|it should actually be|it should be|it should say|it should read|\
     it's actually|it is actually|it's supposed to be|should be|should say|should read|it's|its|it is|that's|\
     that is|this is|that should be|this should be|i meant to say|i meant to write|i meant|i mean|use the word|use|\
     say|write|put|make it|make that|make this|the correct name is|the right name is|his name is|her name is|\
     their name is|the name is|name is|the correct word is|the correct date is|the correct time is|\
     the right word is|it was|it must be|it needs to be|it has to be|call it|call her|call him|she's called|\
     he's called|it's called|it's spelled|she is called|he is called|i want it to say|i want it to be|with|\
     have it say|he's|she's|actually|correction|it will be|it'll be|we meant|spell it|it's now|have";

/// `Y instead of X`, `use Y rather than X`.
fn instead_of(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let said = phrase.strip("instead of");
    if let Some(rest) = said {
        let at = rest.find(",").or_else(|| rest.find("put|use|write|say").filter(|at| *at > 0))?;
        let new = rest.from(at).unmarked();
        let new = new.strip(RIGHT)?;
        return change(rest.to(at), new, Which::Every);
    }
    let at =
        phrase.find("instead of|insted of|instead off|rather than|rather then|and not|as opposed to|in place of")?;
    let length = if phrase.from(at).starts("as opposed to") || phrase.from(at).starts("in place of") { 3 } else { 2 };
    correct(phrase.to(at), phrase.from(at + length))
}

/// `Y, not X`.
fn not_this(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let at = phrase.words.iter().rposition(|word| word.is("not")).filter(|at| *at > 0)?;
    // `Anna is not allergic` denies, it does not correct.
    if phrase.words[at - 1].is_any(
        "is|are|was|were|do|does|did|has|have|can|could|will|would|should|must|it's|am|may|might|i'm|he's|she's|\
         we're|they're|that's",
    ) {
        return None;
    }
    correct(phrase.to(at), phrase.from(at + 1))
}

/// Corrects `old` by what was `said` of it.
fn correct(said: Phrase<'_, '_>, old: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let said = said.unmarked();
    let old =
        old.strip("on|at|the|by|in|until|before|from|since|for").filter(|rest| rest.words.len() == 1).unwrap_or(old);
    let old = old.operand()?;
    if let Some(new) = said.strip(RIGHT) {
        let new = new.unmarked();
        let new = new.strip("now|actually|really").unwrap_or(new);
        // `it's Carol who reviews, not Alice`.
        let new = new.find("who|which").filter(|at| *at > 0).map_or(new, |at| new.to(at)).operand()?;
        return Some(vec![Command::Correct { said: new.clone(), old: old.clone() }]);
    }
    // `the dog's name is Bella, not Luna`.
    if let Some(at) = said.find("name is|is called|is named|are called") {
        return said.from(at + 2).operand().map(|said| vec![Command::Correct { said, old }]);
    }
    // `the name should be Paula, not Paul`.
    if let Some(new) = said.all(SHOULD_BE).last().and_then(|at| said.from(at).strip(SHOULD_BE)) {
        return new.operand().map(|said| vec![Command::Correct { said, old }]);
    }
    // `the path is /srv/new, not /srv/old`.
    let told = said.find("is|are|was").filter(|at| *at > 0).map_or(said, |at| said.from(at + 1));
    told.operand().map(|said| vec![Command::Correct { said, old }])
}

/// `X should be Y`.
fn should_be(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let mut out = Vec::new();
    for at in phrase.all(SHOULD_BE) {
        let Some(new) = phrase.from(at).strip(SHOULD_BE) else { continue };
        let left = phrase.to(at);
        let left = left.find(":").map_or(left, |colon| left.from(colon + 1)).unmarked();
        let new = new.strip_end("instead|now").unwrap_or(new);
        // `digits swapped, should be 48231`.
        let remark = phrase.to(at).words.last().is_some_and(|word| word.is(","));
        if remark || left.is_empty() || left.is_only("it|this|that|there|which|actually") {
            out.extend(new.operand().map(|new| Command::Settle { new }));
            continue;
        }
        if let Some((part, which)) = counting::part(left).filter(|(part, _)| *part != Part::Word) {
            out.extend(new.free().map(|new| Command::ReplacePart { part, which, new }));
            continue;
        }
        if phrase.from(at).strip(SPELLED).is_some() {
            // `Alvarez is spelled with an s: Alvares`.
            let new = match new.strip("with|without") {
                Some(rest) => rest.find(":").map_or(rest.to(0), |at| rest.from(at + 1)),
                None => new,
            };
            let named = left.is_only("her|his|their|the|name|my|last|first|surname|it|word");
            let right = new.operand();
            out.extend(
                match named {
                    true => right.map(|right| vec![Command::Spell { right }]),
                    false => change(left, new, Which::Every),
                }
                .into_iter()
                .flatten(),
            );
            continue;
        }
        let lead = left.strip("i think|maybe|perhaps");
        let (left, which) = counting::counted(left, Which::Only);
        if lead.is_none() {
            out.extend(change(left, new, which).into_iter().flatten());
        }
    }
    // A second `should be` among the new words is another correction, which is not theirs.
    let swallows = |command: &Command| matches!(command, Command::Change { new, .. } if SHOULD_BE.split('|').any(|words| new.text.contains(words)));
    (!out.is_empty() && !out.iter().any(swallows)).then_some(out)
}

/// `the gate changed from G24 to G31`.
fn from_to(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let verbs = "changed from|moved from|went from|goes from|was changed from|has changed from|switched from";
    let at = phrase.find(verbs)?;
    let rest = phrase.from(at).strip(verbs)?;
    let to = rest.find("to")?;
    change(rest.to(to), rest.from(to + 1), Which::Only)
}

fn change(old: Phrase<'_, '_>, new: Phrase<'_, '_>, which: Which) -> Option<Vec<Command>> {
    let (old, new) = (old.operand()?, new.operand()?);
    Some(vec![Command::Change { old: mark_for(old), new: mark_for(new), which }])
}

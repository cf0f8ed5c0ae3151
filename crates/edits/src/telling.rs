//! Reads what is told of a value without naming the old one: `it's on Thursday now`, `the room is Lima`, `3 eggs`.

use super::{
    command::{Command, Operand, Which},
    phrase::Phrase,
    predicate,
    replace::without_article,
    small_words::is_small,
    value,
};

/// `it's on Thursday now`, `moved to Thursday`, `the budget is now 4500`: only of values, which say what they are.
pub(super) fn settled(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let is_values = |operand: &Operand| value::only_values(&operand.text).is_some();
    // `at 16:00 instead`.
    if let Some(new) = phrase.strip_end("instead|now").and_then(|rest| rest.operand()).filter(is_values) {
        return Some(vec![Command::Settle { new }]);
    }
    let phrase = phrase.strip_end("now|instead|after all").unwrap_or(phrase);
    let told = phrase.strip(
        "it's now on|its now on|it's now at|its now at|its now|it starts at|it begins at|it starts on|starts at|begins at|delayed to|delayed until|it's delayed to|it now starts at|\
         they moved it to|we moved it to|i moved it to|moved it to|they changed it to|we changed it to|it changed to|\
         they rescheduled it to|it's now|it is now|it was|that was|her name is|his name is|their name is|the name is|name is|it's actually|it's been moved to|it has been moved to|it was moved to|it's|it is|its|\
         moved to|it moved to|now|i meant|postponed to|rescheduled to|rescheduled for|pushed to|pushed back to|\
         it got moved to|now at|now on|it takes place|it happens|brought forward to|it will be|it'll be|\
         it's moved to|actually|that's|correction|starts|begins",
    );
    if let Some(rest) = told {
        let rest = rest.strip("now|actually|:").unwrap_or(rest);
        // `it's Dr. Hong`: the title stays.
        let rest = rest.strip("dr|mr|mrs|ms|prof").map_or(rest, |name| name.unmarked());
        let new = rest.operand()?;
        return (is_values(&new) || phrase.starts("i meant") || is_name(&new) || is_measure(&new))
            .then(|| vec![Command::Settle { new }]);
    }
    // `new time: 19:10`.
    if let Some(at) = phrase.find(":").filter(|at| *at > 0) {
        let noun = phrase.to(at);
        let noun = noun.strip("new|the new|updated|correct|the correct|the").unwrap_or(noun).raw().to_lowercase();
        let new = phrase.from(at + 1).operand()?;
        if predicate::is_attribute(&noun) && !is_values(&new) && !new.text.contains(char::is_whitespace) {
            return Some(vec![Command::Restate { lead: noun, new: new.text }]);
        }
        let names = predicate::is_attribute(&noun);
        if !is_values(&new) || !names && value::kind_of_noun(&noun).is_none() {
            return None;
        }
        return Some(vec![Command::Change {
            old: Operand { text: format!("the {noun}"), quoted: false },
            new,
            which: Which::Only,
        }]);
    }
    for joint in [
        "is now",
        "are now",
        "is actually",
        "has moved to",
        "was moved to",
        "has been moved to",
        "moved to",
        "is moved to",
        "now costs",
        "now is",
        "has changed to",
        "changed to",
        "was",
        "is",
    ] {
        let Some(at) = phrase.find(joint).filter(|at| *at > 0) else { continue };
        let (old, new) = (phrase.to(at).operand()?, phrase.from(at + joint.split(' ').count()).operand()?);
        // `the room is Lima`: what the text names beside the noun.
        let token = !new.text.contains(char::is_whitespace) && !old.quoted && !new.quoted;
        let telling = new.text.contains(|c: char| c.is_ascii_digit() || c == '_') || is_name(&new);
        let noun = without_article(&old.text).unwrap_or(&old.text);
        if matches!(joint, "is" | "was" | "is now" | "is actually" | "now is")
            && token
            && !is_values(&new)
            && (telling || predicate::is_attribute(noun))
            && noun.split_whitespace().count() <= 2
            && !is_pronoun(noun)
        {
            return Some(vec![Command::Restate { lead: noun.to_owned(), new: new.text }]);
        }
        if is_values(&new)
            && !old.quoted
            && (joint != "is"
                || phrase.strip("the|new|her|his|my|our|their|its").is_some()
                || old.text.split_whitespace().count() <= 2 && !is_pronoun(&old.text))
        {
            return Some(vec![Command::Change { old, new, which: Which::Only }]);
        }
    }
    restated(phrase)
}

/// `alice reviews on wednesday`: words of the text with another value after them.
fn restated(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let phrase = phrase.strip("it|this|he|she|they").unwrap_or(phrase);
    // `3 eggs`, `4th floor`.
    if let [number, noun] = phrase.words
        && number.raw.starts_with(|c: char| c.is_ascii_digit())
        && noun.raw.chars().all(char::is_alphabetic)
        && value::only_values(phrase.raw()).is_none()
    {
        return Some(vec![Command::Restate { lead: String::new(), new: phrase.raw().to_owned() }]);
    }
    let starts = |at: &usize| {
        let values = phrase.from(*at).operand().and_then(|new| value::only_values(&new.text));
        values.is_some_and(|values| values[0].start == 0)
    };
    let at = (1..phrase.words.len()).find(starts)?;
    // One word says enough if it is no small one: `expires 2027-04-30`.
    if at == 1 && (phrase.words[0].raw.len() < 3 || is_small(phrase.words[0].raw) && !phrase.starts("since")) {
        return None;
    }
    let (lead, new) = (phrase.to(at), phrase.from(at));
    let quoted = phrase.words.iter().any(|word| word.quoted);
    (!quoted).then(|| vec![Command::Restate { lead: lead.raw().to_owned(), new: new.raw().to_owned() }])
}

fn is_pronoun(words: &str) -> bool {
    matches!(words.to_lowercase().as_str(), "it" | "this" | "that" | "he" | "she" | "they" | "there" | "one" | "which")
}

/// Whether words are a number and what it counts: `it's 10 mg`.
fn is_measure(new: &Operand) -> bool {
    let number = new.text.split_once(' ').filter(|(_, unit)| !unit.is_empty() && unit.chars().all(char::is_alphabetic));
    number.is_some_and(|(number, _)| value::only_values(number).is_some())
}

/// Whether a word is a name that can correct another: `it's Anne`.
fn is_name(new: &Operand) -> bool {
    !new.text.contains(char::is_whitespace)
        && new.text.starts_with(char::is_uppercase)
        && new.text.chars().skip(1).all(char::is_lowercase)
}

//! The changes of text that a request can ask for, before they meet the text.

use super::{correct, insert, letters, refusal::Refusal, remove, replace, slot, spelling};

/// Words that a request names: to be found in the text or to be put into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) text: String,
    /// Whether they stood in quotation marks and are meant to the letter.
    pub(super) quoted: bool,
}

/// Which of several places is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// The only one; several are ambiguous.
    Only,
    /// Every one of them, because a mistake is a mistake everywhere.
    Every,
    Nth(usize),
    Last,
}

/// A part of a text that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Sentence,
    Line,
    Word,
    Item,
}

/// What to remove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Words(Operand, Which),
    /// A counted part.
    Counted(Part, Which),
    /// The one part that mentions some words.
    About(Part, Operand),
    /// The sentence that mentions some words, or the part of the only sentence.
    Stretch(Operand),
    /// An item of a list.
    Item(Operand),
    /// The only parenthesis.
    Parenthesis,
    /// What stands before or after some words.
    Before(Operand),
    After(Operand),
    /// The only value of a kind, by the noun for it.
    Value(&'static [super::value::Kind]),
    /// The mark at the end.
    FinalMark(&'static str),
}

/// Where new words go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    End,
    Start,
    /// After the last sentence, as one of its own.
    Sentence,
    /// On a line of its own at the end.
    Line,
    /// Into the list that the text is known to be.
    List,
    /// Where such words naturally go.
    Natural,
    Before(Operand),
    After(Operand),
    /// Between two stretches that stand side by side.
    Between(Operand, Operand),
    /// Beside a counted part, as another of its kind.
    BesidePart {
        part: Part,
        which: Which,
        after: bool,
    },
}

/// How letters are to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    Upper,
    Lower,
    Title,
    Sentence,
    First,
    FirstLower,
}

/// Which space is too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Everywhere,
    AtStart,
    AtEnd,
    BlankLines,
}

/// One change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Changes `old`, or the value it stands for, to `new`.
    Change {
        old: Operand,
        new: Operand,
        which: Which,
    },
    /// Puts `new` exactly where `old` stands.
    Replace {
        old: Operand,
        new: Operand,
        which: Which,
    },
    /// Changes `old` to the words that were `said` to be right.
    Correct {
        said: Operand,
        old: Operand,
    },
    ReplacePart {
        part: Part,
        which: Which,
        new: Operand,
    },
    Exchange {
        one: Operand,
        other: Operand,
    },
    /// Changes the only value of the kind of `new`, or the word most like it.
    Settle {
        new: Operand,
    },
    /// Changes the value that follows the words `lead` in the text.
    Restate {
        lead: String,
        new: String,
    },
    /// Corrects the word that is most like `right`.
    Spell {
        right: Operand,
    },
    /// Corrects common misspellings.
    FixTypos {
        word: Option<Operand>,
    },
    Insert {
        new: Operand,
        place: Place,
    },
    Remove(What),
    Rewrite {
        new: Operand,
    },
    Write {
        letters: Letters,
        words: Option<Operand>,
    },
    Trim(Space),
    /// A wish with no definite result.
    Vague,
}

/// The text after `command`.
pub(super) fn apply(text: &str, command: &Command) -> Result<String, Refusal> {
    let changed = match command {
        Command::Change { old, .. } | Command::Replace { old, .. } if old.text.is_empty() => {
            return Err(Refusal::Unclear);
        }
        // `replace "very" with ""`.
        Command::Change { old, new, which } | Command::Replace { old, new, which } if new.text.is_empty() => {
            remove::remove(text, &What::Words(old.clone(), *which))?
        }
        Command::Change { old, new, which } => replace::change(text, old, new, *which)?,
        Command::Replace { old, new, which } => replace::replace(text, old, new, *which)?,
        Command::Correct { said, old } => correct::correct(text, said, old)?,
        Command::ReplacePart { part, which, new } => replace::replace_part(text, *part, *which, new)?,
        Command::Exchange { one, other } => replace::exchange(text, one, other)?,
        Command::Settle { new } => slot::settle(text, new)?,
        Command::Restate { lead, new } => slot::restate(text, lead, new)?,
        Command::Spell { right } => spelling::spell(text, right)?,
        Command::FixTypos { word } => spelling::fix(text, word.as_ref())?,
        Command::Insert { new, place } => insert::insert(text, new, place)?,
        Command::Remove(what) => remove::remove(text, what)?,
        Command::Rewrite { new } => new.text.clone(),
        Command::Write { letters, words } => letters::write(text, *letters, words.as_ref())?,
        Command::Trim(space) => letters::trim(text, *space),
        Command::Vague => return Err(Refusal::Vague),
    };
    match changed.trim().is_empty() {
        true => Err(Refusal::Emptied),
        false => Ok(changed),
    }
}

/// The text after the one reading that fits it.
pub(super) fn settle(text: &str, readings: &[Command]) -> Result<String, Refusal> {
    let mut results: Vec<String> = Vec::new();
    let mut refusals: Vec<Refusal> = Vec::new();
    for reading in readings {
        match apply(text, reading) {
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

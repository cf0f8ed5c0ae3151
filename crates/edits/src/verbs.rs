//! Reads verbs with a letter amiss, and the forms they take after `would you mind`, as the ones that the rules are written in.

use std::borrow::Cow;

use text::slips;

use super::{dictionary, vocabulary, words::Word};

/// Puts the verb that a request begins with into the form that asks.
pub(super) fn amend(words: &mut [Word<'_>]) {
    let start = lead(words);
    let Some(verb) = words.get_mut(start).filter(|verb| !verb.quoted) else { return };
    let asking = verb.folded.strip_suffix("ing").filter(|_| start > 0);
    if let Some(english) =
        asking.and_then(|base| TYPED.iter().find(|english| english.strip_suffix('e').unwrap_or(english) == base))
    {
        verb.folded = Cow::Borrowed(english);
        return;
    }
    let known =
        ["other.change", "other.replace", "add", "remove"].iter().any(|class| vocabulary::is(&verb.folded, class));
    if verb.folded.len() < 5 || known || dictionary::is_form(&verb.folded) {
        return;
    }
    let typed: Vec<char> = verb.folded.chars().take(LONGEST).collect();
    let meant = TYPED.iter().find(|english| slips(&typed, &english.chars().collect::<Vec<_>>()) == 1);
    if let Some(english) = meant {
        verb.folded = Cow::Borrowed(english);
    }
}

/// How many words stand before the verb.
fn lead(words: &[Word<'_>]) -> usize {
    let mut at = 0;
    while at < words.len() {
        let taken = vocabulary::length(&words[at..], "courtesy").max(usize::from(words[at].is_mark()));
        if taken == 0 {
            break;
        }
        at += taken;
    }
    at
}

/// Longer than any of the verbs, and by more than a letter.
const LONGEST: usize = 12;

/// Verbs that are recognised with a letter amiss.
const TYPED: &[&str] = &[
    "change", "replace", "remove", "delete", "append", "prepend", "rename", "rewrite", "reword", "insert", "correct",
    "update",
];

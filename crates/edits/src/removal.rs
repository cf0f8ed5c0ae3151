//! Reads what a request wants taken out.

use super::{
    changing::is_whole,
    command::{Command, Operand, Part, What, Which},
    counting::{counted, ordinal, part, part_noun},
    insertion::mark_for,
    phrase::Phrase,
    value,
};

/// The readings of the words after a verb that removes; `None` if they mean the thought itself.
pub(super) fn commands(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let phrase = phrase.unmarked();
    if phrase.is_empty() || is_whole(phrase) || phrase.starts("it from") || phrase.starts("this from") {
        return None;
    }
    let what = part(phrase)
        .map(|(part, which)| What::Counted(part, which))
        .or_else(|| about(phrase))
        .or_else(|| parenthesis(phrase))
        .or_else(|| side(phrase))
        .or_else(|| final_mark(phrase))
        .or_else(|| item(phrase))
        .or_else(|| value_noun(phrase));
    if let Some(what) = what {
        return Some(vec![Command::Remove(what)]);
    }
    let (rest, which) = counted(phrase, Which::Only);
    let rest = rest.strip_end(FROM_HERE).or_else(|| rest.strip_end("from the end|at the end")).unwrap_or(rest);
    let words = rest.operand()?;
    Some(vec![Command::Remove(What::Words(mark_for(words), which))])
}

/// Says that something is to be taken out of the thought, and not the thought away.
pub(super) const FROM_HERE: &str = "from it|from this|from that|from the text|from this text|from the thought|from this thought|from there|\
     from the note|from this note|from the memory|from this memory|from the entry|from this entry|from the sentence|\
     from this sentence|out of it|out of this|out of the text|out of this thought|out of the note|out of this note|\
     in this note|in this thought|in the note|in the text";

/// `the sentence about X`.
fn about(phrase: Phrase<'_, '_>) -> Option<What> {
    let rest = phrase.strip("the").unwrap_or(phrase);
    // `the gate info`.
    if let [words @ .., noun] = rest.words
        && !words.is_empty()
        && noun.is_any("info|information|stuff|part|bit|details|detail|mention")
        && ordinal(rest.head()).is_none()
    {
        return rest.to(words.len()).operand().map(What::Stretch);
    }
    // `the budget sentence`.
    if let [words @ .., noun] = rest.words
        && !words.is_empty()
        && let Some(part) = part_noun(&noun.folded).filter(|part| matches!(part, Part::Sentence | Part::Line))
        && ordinal(rest.head()).is_none()
    {
        return rest.to(words.len()).operand().map(|words| What::About(part, words));
    }
    let part = match rest.head() {
        "part" | "bit" | "section" | "stuff" | "thing" => None,
        noun => Some(part_noun(noun)?),
    };
    let after = rest.from(1);
    let words = after.strip(
        "about|mentioning|that mentions|which mentions|on|regarding|containing|with|that contains|that talks about|\
         talking about|that says|where it talks about|concerning|that is about|that's about|starting with",
    )?;
    words.operand().map(|words| match part {
        Some(part) => What::About(part, words),
        None => What::Stretch(words),
    })
}

/// `the part in parentheses`.
fn parenthesis(phrase: Phrase<'_, '_>) -> Option<What> {
    const WORDS: &str = "the|part|text|words|bit|in|inside|parentheses|parenthesis|brackets|parens|bracketed|parenthetical|what's|\
         whats|what|is|everything|and|them|it|its|their|content|contents|stuff|note|remark|within|between|\
         parenthesized|section|whatever|comment|with|inside|they|contain";
    let named = phrase
        .words
        .iter()
        .any(|word| word.is_any("parentheses|parenthesis|brackets|parens|bracketed|parenthetical|parenthesized"));
    // `the colour in brackets`.
    let named_inside = phrase.strip_end("in parentheses|in brackets|in parens|in the parentheses|in the brackets");
    if named_inside.is_some_and(|rest| (1..4).contains(&rest.words.len()) && !rest.words.iter().any(|word| word.quoted))
    {
        return Some(What::Parenthesis);
    }
    // The marks alone, or with what they enclose? One word does not say.
    let bare = phrase.is_only("the|parentheses|brackets|parens");
    (named && !bare && phrase.is_only(WORDS)).then_some(What::Parenthesis)
}

/// `everything after X`.
fn side(phrase: Phrase<'_, '_>) -> Option<What> {
    let rest = phrase
        .strip("everything|all|anything|the rest|all text|all the text|the text|the part|what comes|whatever comes")?;
    if let Some(words) = rest.strip("after") {
        return words.operand().map(|words| What::After(mark_for(words)));
    }
    rest.strip("before|in front of|up to")?.operand().map(|words| What::Before(mark_for(words)))
}

/// `the full stop at the end`.
fn final_mark(phrase: Phrase<'_, '_>) -> Option<What> {
    let ended = phrase.strip_end("at the end|from the end|at the very end");
    let rest = ended.unwrap_or(phrase);
    let rest = rest.strip("the").unwrap_or(rest);
    let last = rest.strip("final|trailing|last|ending");
    if ended.is_none() && last.is_none() {
        return None;
    }
    let mark = mark_for(last.unwrap_or(rest).operand()?);
    let mark = ".|,|!|?|:|;|-|…".split('|').find(|known| mark.text == *known)?;
    Some(What::FinalMark(mark))
}

/// `X from the list`.
fn item(phrase: Phrase<'_, '_>) -> Option<What> {
    const LISTS: &str = "from the list|from my list|from the shopping list|from the packing list|off the list|from this list|\
         from the items|from the bullets|from the grocery list|from our list|off my list";
    let rest = phrase.strip_end(LISTS)?;
    let rest = rest.strip("the item|the bullet|item").unwrap_or(rest);
    rest.operand().filter(|words| !matches!(words.text.to_lowercase().as_str(), "it" | "this" | "that")).map(What::Item)
}

/// `the time`, `the link`.
fn value_noun(phrase: Phrase<'_, '_>) -> Option<What> {
    let noun = phrase.strip("the")?;
    let words = Operand { text: noun.raw().to_lowercase(), quoted: false };
    value::kind_of_noun(&words.text)
        .filter(|_| {
            !matches!(words.text.as_str(), "value" | "digits" | "budget" | "total" | "rent" | "salary" | "rate")
        })
        .map(What::Value)
}

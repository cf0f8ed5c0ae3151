//! Decides whether what a language model answered may be acted on.
//!
//! A model may misread, drift or rewrite more than it was asked to. What cannot be told from that is not used: the caller
//! is then refused, as without a model.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation;

use model::{Status, TEXT_BYTES_MAX};

use super::question::Question;

/// What the request means: a new text, a new status or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The whole new text.
    pub text: Option<String>,
    /// The new status.
    pub status: Option<Status>,
}

/// The advice, without what changes nothing, or why it is not used.
pub(super) fn checked(question: Question<'_>, advice: Advice) -> Result<Advice, &'static str> {
    let text = advice.text.filter(|text| text != question.text);
    let status = advice.status.filter(|status| *status != question.status);
    if text.is_none() && status.is_none() {
        return Err("it would change nothing");
    }
    if let Some(text) = &text {
        check_text(question, text)?;
    }
    Ok(Advice { text, status })
}

fn check_text(question: Question<'_>, after: &str) -> Result<(), &'static str> {
    let Question { text: before, request, .. } = question;
    if after.trim().is_empty() {
        return Err("it would leave no text");
    }
    if after.len() > TEXT_BYTES_MAX || after.len() > 2 * before.len() + 2 * request.len() + MARGIN_BYTES {
        return Err("it is far longer than the thought");
    }
    let request = words(request).collect();
    if names_whole_text(&request) {
        return Ok(());
    }
    let places = text::differences(before, after, 0);
    let is_alone = places.len() == 1;
    for place in places {
        let (old, new) = (&before[place.before], &after[place.after]);
        let is_named = is_touched(&request, old) || is_touched(&request, new);
        let is_small = is_alone && words(old).count().max(words(new).count()) <= SMALL_WORDS;
        if !is_named && !is_small {
            return Err("it changes words that the request does not speak of");
        }
    }
    Ok(())
}

/// How much longer than text and request together a text may become.
const MARGIN_BYTES: usize = 200;

/// How many words may change in one place without any of them in the request: `bump the version` names none.
const SMALL_WORDS: usize = 3;

/// Words that ask for a change of the text as a whole; every place of it may then change.
const WHOLE: &[&str] = &[
    "rewrite",
    "rephrase",
    "reword",
    "paraphrase",
    "translate",
    "translation",
    "shorten",
    "shorter",
    "condense",
    "compress",
    "summarise",
    "summarize",
    "summary",
    "expand",
    "simplify",
    "simpler",
    "formal",
    "informal",
    "casual",
    "polite",
    "friendly",
    "friendlier",
    "professional",
    "concise",
    "terse",
    "tone",
    "style",
    "polish",
    "proofread",
    "grammar",
    "grammatical",
    "spelling",
    "punctuation",
    "format",
    "reformat",
    "bullet",
    "bullets",
    "list",
    "table",
    "markdown",
    "sort",
    "alphabetical",
    "reorder",
    "tense",
    "plural",
    "singular",
    "person",
];

fn names_whole_text(request: &HashSet<String>) -> bool {
    WHOLE.iter().any(|word| request.contains(*word))
}

/// Whether a stretch holds a word that the request holds as well.
fn is_touched(request: &HashSet<String>, stretch: &str) -> bool {
    words(stretch).any(|word| request.contains(&word))
}

/// The words that say something; small ones stand everywhere.
fn words(text: &str) -> impl Iterator<Item = String> {
    let says =
        |word: &&str| word.chars().count() > 2 || !word.is_ascii() || word.contains(|c: char| c.is_ascii_digit());
    text.unicode_words().filter(says).map(|word| text::fold(word).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, request: &str, new: &str) -> Result<Advice, &'static str> {
        let question = Question { text, status: Status::Open, request };
        checked(question, Advice { text: Some(new.into()), status: None })
    }

    #[test]
    fn an_answer_that_does_what_was_asked_is_used() {
        for (text, request, new) in [
            ("Buy milk and eggs", "we need three dozen of those eggs", "Buy milk and three dozen eggs"),
            ("Release 1.4 ships", "bump the version", "Release 1.5 ships"),
            ("Ship it on Friday", "translate to German", "Am Freitag ausliefern"),
            ("It is possible that we may ship on Friday", "make this shorter", "We may ship on Friday"),
        ] {
            assert!(check(text, request, new).is_ok(), "{request}");
        }
    }

    #[test]
    fn what_the_request_does_not_speak_of_stays_as_it_is() {
        let text = "Ana prefers green tea in the morning. The invoice of March went to Dana by post.";
        let new = "Ana prefers black tea in the morning. An invoice for March was sent to Dana by mail.";
        assert!(check(text, "she likes black better than green by now", new).is_err());
    }

    #[test]
    fn an_answer_is_neither_empty_nor_far_longer_nor_the_same() {
        let text = "Buy milk";
        for new in [" \n", &"Buy milk ".repeat(60), text] {
            assert!(check(text, "rewrite it politely", new).is_err(), "{new}");
        }
    }

    #[test]
    fn a_status_the_thought_has_already_is_no_change() {
        let question = Question { text: "tea", status: Status::Open, request: "hm" };
        assert!(checked(question, Advice { text: None, status: Some(Status::Open) }).is_err());
        let done = Advice { text: Some("tea".into()), status: Some(Status::Completed) };
        assert_eq!(checked(question, done), Ok(Advice { text: None, status: Some(Status::Completed) }));
    }
}

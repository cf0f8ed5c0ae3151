//! Why a request was not carried out.
//!
//! Every message is one sentence that says what is wrong and shows a request that works, so that a model can correct
//! itself without asking its user.

use std::ops::Range;

use super::{
    find,
    page::{Page, keys},
};

/// A request that changes nothing, by what the caller can do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There are no words in the request.
    #[error("the edit request is empty; say what to change, for example `mark as done`")]
    Empty,
    /// The request asks something instead of asking for something.
    #[error(
        "the edit request is a question, and only changes can be made here; ask for one, for example `mark as done`"
    )]
    Question,
    /// Two parts of the request exclude each other.
    #[error(
        "the edit request asks for things that exclude each other; ask for one of them, for example `mark as done`"
    )]
    Contradiction,
    /// The change is to happen later or under a condition.
    #[error(
        "the edit request is about a later time or a condition, and only immediate changes are possible, for example `mark as done`"
    )]
    Later,
    /// The request is unsure, or says that something is done in part.
    #[error(
        "the edit request says that this is so only in part or perhaps; ask for a definite change, for example `mark as done`"
    )]
    Partly,
    /// The request only says what not to do.
    #[error(
        "the edit request asks for nothing to be changed, and nothing was; ask for a change, for example `mark as done`"
    )]
    Prohibition,
    /// Some of the request has no known meaning.
    #[error(
        "the edit request is not clear; try for example `mark as done`, `archive`, `undo` or `change \"old words\" to \"new words\"`"
    )]
    Unclear,
    /// The text has no such words.
    #[error(
        "the thought does not contain `{words}`; name words as they stand in it, for example `change \"old words\" to \"new words\"`"
    )]
    NotInText {
        /// What was looked for, shortened.
        words: String,
    },
    /// The text has several places that may be meant.
    #[error(
        "`{words}` can mean more than one place in the thought{}; say which, for example `change the first \"old words\" to \"new words\"`, or `every`",
        quoted(candidates)
    )]
    Ambiguous {
        /// What was looked for, shortened.
        words: String,
        /// Some of the places, with the words around them.
        candidates: Vec<String>,
    },
    /// The new words have no place where they certainly belong.
    #[error("it is not clear where `{words}` belongs; say where, for example `add \"{words}\" at the end`")]
    Placeless {
        /// The new words, shortened.
        words: String,
    },
    /// The text has no part of the kind that was named.
    #[error("the thought has no such part; name the words instead, for example `remove \"some words\"`")]
    Nothing,
    /// The text has several parts of the kind that was named.
    #[error("the thought has more than one such part; name the words instead, for example `remove \"some words\"`")]
    Several,
    /// The request fits the text in more than one way.
    #[error(
        "the edit request can be read in more than one way; put the words it names in quotation marks, for example `change \"old words\" to \"new words\"`"
    )]
    Readings,
    /// The request does not say what the text should become.
    #[error(
        "the edit request does not say what the text should become; give the words, for example `reword to: \"the new text\"`"
    )]
    Vague,
    /// No word is certainly misspelt.
    #[error("no word of the thought is certainly misspelt; name it, for example `change \"teh\" to \"the\"`")]
    Spelling,
    /// The change would leave no text.
    #[error("the edit request would leave nothing of the text; to remove the thought itself, say `archive`")]
    Emptied,
}

impl Refusal {
    /// Whether the request was not understood, so that someone who knows more of language may.
    ///
    /// The others were understood, and what they ask for is not to be done: a question, a contradiction, words that the text
    /// does not have or has more than once. Nobody is to guess there.
    pub fn is_lack_of_understanding(&self) -> bool {
        matches!(self, Self::Unclear | Self::Vague | Self::Spelling | Self::Readings | Self::Placeless { .. })
    }

    /// Whether the request was understood, and is not one to carry out now.
    pub(super) fn is_deliberate(&self) -> bool {
        matches!(
            self,
            Self::Empty | Self::Question | Self::Contradiction | Self::Later | Self::Partly | Self::Prohibition
        )
    }

    /// Whether other words for the same, or another look at the text, might have led to a change.
    pub(super) fn is_misunderstanding(&self) -> bool {
        matches!(self, Self::Unclear | Self::NotInText { .. } | Self::Vague | Self::Ambiguous { .. } | Self::Readings)
    }

    /// The text does not contain `words`.
    pub(super) fn not_in_text(words: &str) -> Self {
        Self::NotInText { words: shortened(words) }
    }

    /// The text contains `words` more than once.
    pub(super) fn ambiguous(words: &str) -> Self {
        Self::Ambiguous { words: shortened(words), candidates: Vec::new() }
    }

    /// The same, with the places of `page` that may be meant.
    pub(super) fn with_candidates(self, page: &Page) -> Self {
        match self {
            Self::Ambiguous { words, .. } => {
                let candidates = candidates(page, words.trim_end_matches('…'));
                Self::Ambiguous { words, candidates }
            }
            other => other,
        }
    }

    /// There is no telling where `words` belong.
    pub(super) fn placeless(words: &str) -> Self {
        Self::Placeless { words: shortened(words) }
    }
}

/// The stretches of a text that have `words`, or else most of them.
fn candidates(page: &Page, words: &str) -> Vec<String> {
    let wanted: Vec<String> =
        keys(words).into_iter().filter(|key| page.has(key) && !find::is_empty_word(key)).collect();
    let said = |stretch: &Range<usize>| {
        let here = page.words_in(stretch);
        wanted.iter().filter(|key| here.iter().any(|word| word.key == **key)).count()
    };
    let most = page.segments().iter().map(said).max().unwrap_or(0);
    let found = page.segments().iter().filter(|stretch| most > 0 && said(stretch) == most);
    let mut out: Vec<String> =
        found.take(MOST_CANDIDATES).map(|stretch| cut_at(page.at(stretch), LONGEST_CANDIDATE)).collect();
    out.dedup();
    // One place is no choice.
    if out.len() > 1 { out } else { Vec::new() }
}

/// More than these help nobody to choose.
const MOST_CANDIDATES: usize = 3;

const LONGEST_CANDIDATE: usize = 32;

fn quoted(candidates: &[String]) -> String {
    match candidates {
        [] => String::new(),
        some => format!(" (`{}`)", some.join("`, `")),
    }
}

/// Enough of `words` to recognise them.
fn shortened(words: &str) -> String {
    cut_at(words, LONGEST_WORDS)
}

fn cut_at(words: &str, longest: usize) -> String {
    let end = words.floor_char_boundary(longest);
    match end < words.len() {
        true => format!("{}…", words[..end].trim_end()),
        false => words.to_owned(),
    }
}

const LONGEST_WORDS: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_is_one_sentence_with_a_request_that_works() {
        let long = "words ".repeat(100);
        for refusal in [
            Refusal::Empty,
            Refusal::Question,
            Refusal::Contradiction,
            Refusal::Later,
            Refusal::Partly,
            Refusal::Prohibition,
            Refusal::Unclear,
            Refusal::not_in_text(&long),
            Refusal::ambiguous(&long),
            Refusal::placeless(&long),
            Refusal::Nothing,
            Refusal::Several,
            Refusal::Readings,
            Refusal::Vague,
            Refusal::Spelling,
            Refusal::Emptied,
        ] {
            let message = refusal.to_string();
            assert!(
                message.starts_with(|c: char| c.is_lowercase() || c == '`') && !message.ends_with('.'),
                "{message}"
            );
            assert!(message.ends_with(|c: char| c == '`' || c.is_alphabetic()) && message.contains('`'), "{message}");
            assert!(message.len() < 300, "{message}");
        }
    }

    #[test]
    fn places_that_may_be_meant_are_quoted() {
        let page = Page::read("Rent is 900 EUR for the flat, and 80 EUR for the garage.");
        let refusal = Refusal::ambiguous("the EUR amount").with_candidates(&page);
        assert!(
            refusal.to_string().contains("(`Rent is 900 EUR for the flat`, `and 80 EUR for the garage.`)"),
            "{refusal}"
        );
        let alone = Refusal::ambiguous("the garage").with_candidates(&page);
        assert!(!alone.to_string().contains('('), "{alone}");
    }
}

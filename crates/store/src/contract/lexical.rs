//! Searching by words, and what the words of a query say.

use rustc_hash::FxHashMap;

use model::{NoteId, Thought};
use text::QueryTerm;

use super::Visible;

/// A search by words.
#[derive(Debug, Clone)]
pub struct LexicalQuery {
    /// The words.
    pub terms: Vec<QueryTerm>,
    /// Which thoughts may be seen.
    pub visible: Visible,
    /// How many at most.
    pub limit: usize,
}

/// What a search by words found.
#[derive(Debug, Clone, Default)]
pub struct LexicalHits {
    /// The hits, best first.
    pub hits: Vec<LexicalHit>,
    /// What the query was taken to be.
    pub terms: Terms,
}

/// A thought that holds words of the query, in its text or in a note.
#[derive(Debug, Clone)]
pub struct LexicalHit {
    /// The thought.
    pub thought: Thought,
    /// How much of the query the text holds: 1 if every word once, up to about 2; `None` if only notes matched.
    pub text_score: Option<f32>,
    /// The notes that matched, best first, with how much of the query each holds.
    pub notes: Vec<(NoteId, f32)>,
}

/// The terms of a query as they were looked up in an account.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Terms {
    /// What each term was taken to be, forgiven typos included; those found nowhere are left out.
    pub resolved: Vec<ResolvedTerm>,
    /// How many words a text of the account has on average.
    pub typical_words: f32,
}

/// A term of the query as it was looked up.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedTerm {
    /// The tokens any of which counts as the term.
    pub tokens: Vec<String>,
    /// How much of the query it is, 0 to 1: rare words are more of it.
    pub weight: f32,
}

impl Terms {
    /// Gets ready to look for the terms in many texts.
    pub fn seek(&self) -> Seek<'_> {
        let tokens = self.resolved.iter().flat_map(|term| &term.tokens);
        Seek { terms: self, times: tokens.map(|token| (token.as_str(), 0)).collect() }
    }
}

/// Looks for the terms of a query in one text after the other.
pub struct Seek<'a> {
    terms: &'a Terms,
    /// How often the text at hand holds each token; two terms may share one.
    times: FxHashMap<&'a str, u8>,
}

impl Seek<'_> {
    /// How much of the query a text holds, by term; adds up to the text's score in a search by words.
    pub fn held(&mut self, lexical_text: &str, words: u32) -> Vec<f32> {
        self.times.values_mut().for_each(|times| *times = 0);
        for token in lexical_text.split(' ') {
            if let Some(times) = self.times.get_mut(token) {
                *times = times.saturating_add(1);
            }
        }
        let length = words as f32 / self.terms.typical_words.max(1.0);
        let held = |term: &ResolvedTerm| {
            // A text that holds two forms of one word holds the word once, as often as the more frequent form.
            let times = term.tokens.iter().map(|token| self.times[token.as_str()]).max().unwrap_or_default();
            term.weight * said(f32::from(times), length)
        };
        self.terms.resolved.iter().map(held).collect()
    }
}

/// How quickly further occurrences of a word stop counting; the usual value.
const K1: f32 = 1.2;

/// How much a long text is held against its matches; the usual value.
const B: f32 = 0.75;

/// How many times as long as a typical text a text is taken to be at most: among short notes, one word of a long one would
/// otherwise say nothing at all.
const LONGEST: f32 = 3.0;

/// BM25: what it says that a text holds a word so many times, given its length beside a typical text's.
#[inline]
pub fn said(times: f32, length: f32) -> f32 {
    let length = length.min(LONGEST);
    times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(tokens: &[&str], weight: f32) -> ResolvedTerm {
        ResolvedTerm { tokens: tokens.iter().map(|token| (*token).to_owned()).collect(), weight }
    }

    #[test]
    fn a_text_holds_each_term_as_often_as_its_most_frequent_form() {
        let terms = Terms { resolved: vec![term(&["tea"], 0.5), term(&["cup", "de^cup"], 0.5)], typical_words: 4.0 };
        let mut seek = terms.seek();
        let twice = 0.5 * said(2.0, 1.0);
        assert_eq!(seek.held("tea cup de^cup cup", 4), [0.5, twice]);
        assert_eq!(seek.held("milk in a glass", 4), [0.0, 0.0], "nothing is left of the text before");
    }

    #[test]
    fn two_terms_that_share_a_token_both_count() {
        let terms = Terms { resolved: vec![term(&["run"], 0.6), term(&["run", "runner"], 0.4)], typical_words: 1.0 };
        assert_eq!(terms.seek().held("run", 1), [0.6, 0.4]);
    }

    #[test]
    fn a_word_says_less_in_a_long_text_and_more_the_more_often_it_stands_there() {
        assert!((said(1.0, 1.0) - 1.0).abs() < 1e-6);
        assert!(said(1.0, 2.0) < said(1.0, 1.0) && said(1.0, 1.0) < said(2.0, 1.0));
        assert_eq!(said(0.0, 1.0), 0.0);
        assert!(said(1.0, 200.0) > 0.5, "a long text is no reason to pass over the only word that matches");
    }
}

//! How much of a query a text holds, term by term, outside of a search.

use rustc_hash::FxHashMap;

use text::LexicalForm;

use super::bm25::said;
use crate::contract::{ResolvedTerm, Terms};

/// Looks for the terms of a query in one text after the other.
pub(crate) struct Seek<'a> {
    terms: &'a Terms,
    /// How often the text at hand holds each token; two terms may share one.
    times: FxHashMap<&'a str, u8>,
}

impl<'a> Seek<'a> {
    /// Gets ready to look for the terms in many texts.
    pub(crate) fn new(terms: &'a Terms) -> Self {
        let tokens = terms.resolved.iter().flat_map(|term| &term.tokens);
        Self { terms, times: tokens.map(|token| (token.as_str(), 0)).collect() }
    }

    /// How much of the query a text holds, by term; adds up to the text's score in a search by words.
    pub(crate) fn held(&mut self, form: &LexicalForm) -> Vec<f32> {
        self.times.values_mut().for_each(|times| *times = 0);
        for token in form.text.split(' ') {
            if let Some(times) = self.times.get_mut(token) {
                *times = times.saturating_add(1);
            }
        }
        let length = form.words as f32 / self.terms.typical_words.max(1.0);
        let held = |term: &ResolvedTerm| {
            // A text that holds two forms of one word holds the word once, as often as the more frequent form.
            let times = term.tokens.iter().map(|token| self.times[token.as_str()]).max().unwrap_or_default();
            term.weight * said(f32::from(times), length)
        };
        self.terms.resolved.iter().map(held).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(tokens: &[&str], weight: f32) -> ResolvedTerm {
        ResolvedTerm { tokens: tokens.iter().map(|token| (*token).to_owned()).collect(), weight }
    }

    fn form(text: &str, words: u32) -> LexicalForm {
        LexicalForm { text: text.to_owned(), words }
    }

    #[test]
    fn a_text_holds_each_term_as_often_as_its_most_frequent_form() {
        let terms = Terms { resolved: vec![term(&["tea"], 0.5), term(&["cup", "de^cup"], 0.5)], typical_words: 4.0 };
        let mut seek = Seek::new(&terms);
        let twice = 0.5 * said(2.0, 1.0);
        assert_eq!(seek.held(&form("tea cup de^cup cup", 4)), [0.5, twice]);
        assert_eq!(seek.held(&form("milk in a glass", 4)), [0.0, 0.0], "nothing is left of the text before");
    }

    #[test]
    fn two_terms_that_share_a_token_both_count() {
        let terms = Terms { resolved: vec![term(&["run"], 0.6), term(&["run", "runner"], 0.4)], typical_words: 1.0 };
        assert_eq!(Seek::new(&terms).held(&form("run", 1)), [0.6, 0.4]);
    }
}

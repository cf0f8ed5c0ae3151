//! Texts nobody would write, as tokens: no more than a model takes, each one of its vocabulary.

use fuzz::Target;

use super::spelling::{is_common, spelt_like};
use super::tokens::Tokenizer;
use super::weights::MAX_TOKENS;

#[test]
fn any_text_is_cut_into_tokens() {
    let tokenizer = Tokenizer::shared();
    Target::new("tokens", &["texts"]).words(&["[CLS]", "[MASK]", "[PAD", "##ing"]).try_text(|text| {
        let tokens = tokenizer.tokenize(text);
        assert!((2..=MAX_TOKENS).contains(&tokens.len()));
        (tokens.len(), tokens[1])
    });
}

#[test]
fn any_word_is_common_or_like_one_that_is() {
    Target::new("spelling", &["queries", "texts"]).words(&["ies", "ss", "éés", "ing"]).try_text(|text| {
        let words = || text.split_whitespace().take(8);
        let like = words().filter_map(spelt_like).map(|like| assert!(is_common(like), "{like}")).count();
        (words().filter(|word| is_common(word)).count(), like)
    });
}

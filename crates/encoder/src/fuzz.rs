//! Texts nobody would write, as tokens: no more than a model takes, each one of its vocabulary.

use fuzz::Target;

use super::tokens::Tokenizer;
use super::weights::MAX_TOKENS;

#[test]
fn any_text_is_cut_into_tokens() {
    let tokenizer = Tokenizer::load();
    Target::new("tokens", &["texts"]).words(&["[CLS]", "[MASK]", "[PAD", "##ing"]).try_text(|text| {
        let tokens = tokenizer.tokenize(text);
        assert!((2..=MAX_TOKENS).contains(&tokens.len()));
        (tokens.len(), tokens[1])
    });
}

//! Texts and queries nobody would write: nothing here may panic, or take more time than their length allows.

use fuzz::Target;
use unicode_segmentation::UnicodeSegmentation;

use super::{
    Languages, Wanted, differences, excerpt, fold, inflections, is_in_english, languages_of, lexical_form,
    one_typo_variants, passages, plain, query_terms, snippet,
};

/// Two texts in one: the first half of the lines, and the rest.
fn halves(text: &str) -> (&str, &str) {
    text.split_at(text.floor_char_boundary(text.len() / 2))
}

#[test]
fn any_text_is_folded_cut_and_stemmed() {
    Target::new("text-forms", &["texts"]).try_text(|text| {
        let form = lexical_form(text);
        assert!(form.text.len() <= 16 * 18 * text.len() + 64, "the form has {} bytes", form.text.len());
        let folded = fold(text);
        assert_eq!(fold(&folded), folded);
        (
            form.words.min(64),
            text.chars().map(plain).filter(|char| char.is_alphabetic()).take(8).count(),
            languages_of(&folded) == Languages::default(),
        )
    });
}

#[test]
fn any_text_is_cut_into_passages_and_compared() {
    Target::new("text-passages", &["texts"]).try_text(|text| {
        let passages = passages(text);
        assert_eq!(passages.concat(), text);
        let (before, after) = halves(text);
        let places = differences(before, after, 16);
        for place in &places {
            let _ = (excerpt(before, place.before.clone(), 120), excerpt(after, place.after.clone(), 120));
        }
        (passages.len(), places.len())
    });
}

#[test]
fn any_query_is_read_and_any_text_shown_for_it() {
    Target::new("query-terms", &["queries", "texts"]).try_text(|input| {
        let (query, text) = halves(input);
        let terms = query_terms(query);
        let wanted: Vec<Wanted<'_>> = terms.iter().map(|term| Wanted { tokens: &term.tokens, weight: 1.0 }).collect();
        let shown = snippet(text, &wanted, 60);
        assert!(shown.chars().count() <= 60);
        (terms.len(), terms.first().map(|term| format!("{:?}", term.kind)), shown.graphemes(true).count())
    });
}

#[test]
fn any_query_word_may_be_mistyped() {
    Target::new("query-typos", &["queries", "texts"]).try_text(|query| {
        let terms = query_terms(query);
        terms.iter().take(2).map(|term| one_typo_variants(term, |tag| tag.len() % 2 == 0).len()).max()
    });
}

#[test]
fn any_query_word_may_be_inflected() {
    Target::new("query-inflections", &["queries", "texts"]).try_text(|query| {
        let terms = query_terms(query);
        let most = terms.iter().take(2).map(|term| inflections(&term.surface).len()).max();
        assert!(most.is_none_or(|most| most < 400), "{most:?}");
        (most.is_some_and(|most| most > 0), is_in_english(query))
    });
}

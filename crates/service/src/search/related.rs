//! Adds other words to those of a query: forms that words of other languages than English have, and, where there is no model to
//! compare meanings, words that mean something like them. Names stay as they are.

use annotate::entities::{EntityKey, known_key};
use text::{QueryTerm, TermKind};

/// The terms with what is like them.
pub(super) fn with_related(mut terms: Vec<QueryTerm>, names: &[EntityKey]) -> Vec<QueryTerm> {
    for term in words(&mut terms, names) {
        let words = encoder::related(&term.surface).join(" ");
        term.related = text::query_terms(&words).into_iter().flat_map(|like| like.tokens).collect();
    }
    terms
}

/// The terms with the forms under which they stand in texts that are too short to tell their language.
pub(super) fn with_inflections(mut terms: Vec<QueryTerm>, names: &[EntityKey]) -> Vec<QueryTerm> {
    for term in words(&mut terms, names).filter(|term| !encoder::is_common(&term.surface)) {
        for token in text::inflections(&term.surface) {
            if !term.tokens.contains(&token) {
                term.tokens.push(token);
            }
        }
    }
    terms
}

/// The words of the query that are no names.
fn words<'a>(terms: &'a mut [QueryTerm], names: &[EntityKey]) -> impl Iterator<Item = &'a mut QueryTerm> {
    let names: Vec<String> = names.iter().map(|key| known_key(&key.folded)).collect();
    let is_name = move |surface: &str| names.iter().any(|name| name.split(' ').any(|part| part == surface));
    terms.iter_mut().filter(move |term| term.kind == TermKind::Word && !is_name(&term.surface))
}

//! Adds words that mean something like the query's own, where there is no model to compare meanings.

use annotate::entities::{EntityKey, known_key};
use text::{QueryTerm, TermKind};

/// The terms with what is like them; names are like nothing.
pub(super) fn with_related(mut terms: Vec<QueryTerm>, names: &[EntityKey]) -> Vec<QueryTerm> {
    let names: Vec<String> = names.iter().map(|key| known_key(&key.folded)).collect();
    let is_name = |surface: &str| names.iter().any(|name| name.split(' ').any(|part| part == surface));
    for term in terms.iter_mut().filter(|term| term.kind == TermKind::Word && !is_name(&term.surface)) {
        let words = encoder::related(&term.surface).join(" ");
        term.related = text::query_terms(&words).into_iter().flat_map(|like| like.tokens).collect();
    }
    terms
}

//! Queries nobody would write, with names the account knows in them.

use annotate::entities::EntityKind;
use fuzz::Target;
use model::Time;
use store::{KnownName, LexicalHit};

use super::understood;
use crate::search::fuse::tests::saying;
use crate::search::spelling::mended;

#[test]
fn any_query_is_understood() {
    let known = ["ana", "caroline", "東京", "zurich", "the"].map(|folded| KnownName {
        folded: folded.into(),
        name: folded.into(),
        kind: EntityKind::Person,
        thoughts: 500,
        population: 1000,
    });
    let words = &["Ana", "Caroline", "’s ", "東京", "Zürich", "İ"];
    Target::new("queries", &["queries", "texts"]).words(words).try_text(|query| {
        let understood = understood(query, &known, Time::from_micros(0));
        let found =
            LexicalHit { thought: saying(1, "Zürich, Émile and the ßtest"), text_score: None, notes: Vec::new() };
        let text = understood.meaning.as_deref().unwrap_or(query);
        let mended = mended(text, &understood.terms, &[found]);
        assert!(mended.len() <= 4 * text.len() + 16, "{mended}");
        let counts = (understood.terms.len(), understood.entities.len(), understood.moments.len());
        (counts, understood.meaning.is_some(), understood.asked.is_some(), understood.phrases.len())
    });
}

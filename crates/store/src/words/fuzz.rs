//! Damaged blocks are not read.

use fuzz::Target;
use model::Status;
use text::{lexical_form, query_terms};

use super::block::Segment;
use super::{Filter, Index};
use crate::backend::Entry;
use crate::facet::Facet;

const OPEN: Facet = Facet::with(Status::Open, false);

/// The entry of the thought at that row.
fn entry(row: u32) -> Entry {
    Entry { seq: u64::from(row), thought: row, note: None, facet: OPEN }
}

#[test]
fn a_damaged_block_of_words_is_not_read() {
    let mut growing = Index::default();
    for row in 1..=80 {
        growing.add(entry(row), &lexical_form(&format!("tea number {row}, tea in the garden of Zürich")));
    }
    let whole = growing.compact(0).unwrap().to_bytes();
    Target::new("stored-words", &["stored"]).with(whole.clone()).with(whole.clone()).try_bytes(|bytes| {
        let segment = Segment::from_bytes(bytes)?;
        assert_eq!(bytes, whole);
        let mut index = Index::default();
        index.add_segment(0, segment);
        (1..=80).for_each(|row| index.add_sealed(entry(row), 8));
        let found = index.search(&query_terms("tea number 7 gardne"), &Filter::new(&[OPEN], None), 10).0;
        Some((found.len(), found.first().map(|found| found.thought)))
    });
}

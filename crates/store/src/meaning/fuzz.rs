//! Damaged vectors: they are close to nothing or to the wrong thing, but take down nobody.

use fuzz::Target;
use model::Status;

use super::Set;
use crate::facet::Facet;

const OPEN: Facet = Facet::with(Status::Open, false);

fn try_vectors(name: &'static str, dimensions: usize) {
    let centre: Vec<f32> = (0..dimensions).map(|place| (place as f32).sin() / 20.0).collect();
    let vector: Vec<f32> = (0..dimensions).map(|place| (place as f32).cos() / 20.0).collect();
    let mut whole = Vec::new();
    vectors::pack(&vector, &centre, &mut whole);
    vectors::pack(&centre, &centre, &mut whole);
    Target::new(name, &["stored"]).with(whole).try_bytes(|bytes| {
        let mut set = Set::new(centre.clone());
        set.set_facet(1, OPEN);
        set.put(1, vectors::unpack(bytes, dimensions));
        set.settle();
        let close = set.search(&vector, 3, &[OPEN], None);
        let (before, typical) = set.closest_before(&[(&vector, 2)], 3).remove(0);
        let is_finite = set.typical_cosine(&vector).is_finite() && typical.is_finite();
        (close.len(), before.len(), is_finite, set.compare(&vector, &[1, 2]).len())
    });
}

#[test]
fn damaged_vectors_of_the_built_in_model_harm_nobody() {
    try_vectors("stored-vectors", 384);
}

#[test]
fn damaged_vectors_of_another_model_harm_nobody() {
    try_vectors("stored-other-vectors", 5);
}

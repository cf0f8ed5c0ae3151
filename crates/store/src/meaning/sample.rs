//! The average vector of an account, from a sample that depends on what is stored alone.
//!
//! The sample is every thought whose row is a multiple of a step. The step doubles as the account grows, so the sample has
//! a bounded size, and following the log gives the same sample as reading it anew.

use std::collections::BTreeMap;

use vectors::dot;

/// The most thoughts the sample has.
const SAMPLE_MAX: u32 = 256;

/// The rows of the sample as it was before there was a thought at that row.
pub(super) fn sampled_before(row: u32) -> impl Iterator<Item = u32> {
    let last = row.saturating_sub(1);
    let mut step = 1;
    while last / step > SAMPLE_MAX {
        step *= 2;
    }
    (1..=last / step).map(move |place| place * step)
}

/// A sample of vectors and their average.
pub(super) struct Sample {
    step: u32,
    vectors: BTreeMap<u32, Vec<f32>>,
    mean: Vec<f32>,
    /// Whether the sample has changed since the average was taken.
    is_stale: bool,
}

impl Sample {
    pub(super) fn new(dimensions: usize) -> Self {
        Self { step: 1, vectors: BTreeMap::new(), mean: vec![0.0; dimensions], is_stale: false }
    }

    /// Notes that the thought at that row has a vector, or has none any more; `vector` is asked only if it counts.
    pub(super) fn put(&mut self, row: u32, vector: impl FnOnce() -> Option<Vec<f32>>) {
        while row / self.step > SAMPLE_MAX {
            self.step *= 2;
            self.vectors.retain(|row, _| row.is_multiple_of(self.step));
            self.is_stale = true;
        }
        if !row.is_multiple_of(self.step) {
            return;
        }
        match vector() {
            Some(vector) => drop(self.vectors.insert(row, vector)),
            None => drop(self.vectors.remove(&row)),
        }
        self.is_stale = true;
    }

    /// Brings the average up to date, once after many changes.
    pub(super) fn average(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        self.mean.fill(0.0);
        for vector in self.vectors.values() {
            self.mean.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
        }
        let count = self.vectors.len().max(1) as f32;
        self.mean.iter_mut().for_each(|sum| *sum /= count);
    }

    /// The dot product with the average vector; `None` for an empty sample.
    pub(super) fn dot_mean(&self, vector: &[f32]) -> Option<f32> {
        debug_assert!(!self.is_stale, "the average is brought up to date before it is asked for");
        (!self.vectors.is_empty()).then(|| dot(&self.mean, vector))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_average_depends_only_on_what_is_left(changes in prop::collection::vec((1..2000_u32, prop::option::of(-1.0..1.0_f32)), 1..300)) {
            let mut followed = Sample::new(1);
            changes.iter().for_each(|(row, value)| followed.put(*row, || value.map(|value| vec![value])));
            followed.average();
            let mut read_anew = Sample::new(1);
            let left: BTreeMap<u32, Option<f32>> = changes.into_iter().collect();
            left.iter().for_each(|(row, value)| read_anew.put(*row, || value.map(|value| vec![value])));
            read_anew.average();
            prop_assert_eq!(followed.dot_mean(&[1.0]), read_anew.dot_mean(&[1.0]));
            prop_assert!(followed.vectors.len() <= SAMPLE_MAX as usize);
        }
    }
}

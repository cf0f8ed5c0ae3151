//! The best hits so far, while a scan goes on.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A vector found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// What `Vectors::push` returned for it.
    pub index: u32,
    /// The dot product of the two vectors, within about 0.0005 of the exact one.
    pub score: f32,
}

/// At most a given number of hits; the better score wins, and of equal ones the lower index.
pub(super) struct Best {
    count: usize,
    /// The worst of them on top.
    hits: BinaryHeap<Worst>,
}

impl Best {
    pub(super) fn new(count: usize) -> Self {
        Self { count, hits: BinaryHeap::new() }
    }

    /// What a hit must at least score to be of interest; minus infinity until enough were offered.
    #[inline(always)]
    pub(super) fn threshold(&self) -> f32 {
        match self.hits.peek() {
            _ if self.count == 0 => f32::INFINITY,
            Some(Worst(hit)) if self.hits.len() == self.count => hit.score,
            _ => f32::NEG_INFINITY,
        }
    }

    /// Takes `hit` if it is better than the worst one kept.
    pub(super) fn offer(&mut self, hit: Hit) {
        self.hits.push(Worst(hit));
        if self.hits.len() > self.count {
            self.hits.pop();
        }
    }

    /// Best first.
    pub(super) fn into_hits(self) -> Vec<Hit> {
        self.hits.into_sorted_vec().into_iter().map(|Worst(hit)| hit).collect()
    }
}

/// Orders hits from the best to the worst.
struct Worst(Hit);

impl Ord for Worst {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.score.total_cmp(&self.0.score).then(self.0.index.cmp(&other.0.index))
    }
}

impl PartialOrd for Worst {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Worst {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Worst {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_are_kept_in_order(scores in prop::collection::vec(-3i8..4, 0..200), count in 0usize..30) {
            let hits: Vec<Hit> = (0..).zip(&scores).map(|(index, &s)| Hit { index, score: f32::from(s) }).collect();
            let mut best = Best::new(count);
            hits.iter().for_each(|&hit| best.offer(hit));
            let mut expected = hits;
            expected.sort_by(|l, r| r.score.total_cmp(&l.score).then(l.index.cmp(&r.index)));
            expected.truncate(count);
            prop_assert_eq!(best.into_hits(), expected);
        }
    }
}

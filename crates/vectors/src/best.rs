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

/// At most a given number of hits, the best of all that were offered.
pub(super) struct Best {
    count: usize,
    /// The worst of them on top.
    hits: BinaryHeap<Ranked>,
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
            Some(worst) if self.hits.len() == self.count => worst.hit.score,
            _ => f32::NEG_INFINITY,
        }
    }

    /// Takes `hit` if it is better than the worst one kept.
    pub(super) fn offer(&mut self, hit: Hit, rank: u32) {
        let offered = Ranked { hit, rank };
        if self.hits.len() < self.count {
            self.hits.push(offered);
        } else if let Some(mut worst) = self.hits.peek_mut()
            && offered < *worst
        {
            *worst = offered;
        }
    }

    /// Best first.
    pub(super) fn into_hits(self) -> Vec<Hit> {
        self.hits.into_sorted_vec().into_iter().map(|worst| worst.hit).collect()
    }
}

/// A hit with its rank. Orders from the best to the worst: the better score, of equal ones the lower rank, of those the lower index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) hit: Hit,
    pub(super) rank: u32,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = other.hit.score.total_cmp(&self.hit.score);
        by_score.then(self.rank.cmp(&other.rank)).then(self.hit.index.cmp(&other.hit.index))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_are_kept_in_order(
            scored in prop::collection::vec((-3i8..4, 0u32..9), 0..200), count in 0usize..30,
        ) {
            let hit = |(index, (score, rank)): (u32, &(i8, u32))| (Hit { index, score: f32::from(*score) }, *rank);
            let hits: Vec<(Hit, u32)> = (0..).zip(&scored).map(hit).collect();
            let mut best = Best::new(count);
            hits.iter().for_each(|(hit, rank)| best.offer(*hit, *rank));
            let mut expected = hits;
            expected.sort_by(|(l, left), (r, right)| {
                r.score.total_cmp(&l.score).then(left.cmp(right)).then(l.index.cmp(&r.index))
            });
            expected.truncate(count);
            prop_assert_eq!(best.into_hits(), expected.into_iter().map(|(hit, _)| hit).collect::<Vec<_>>());
        }
    }
}

//! Scoring: the pass over all vectors of a block, and over chosen ones.

use super::Hit;
use super::best::Best;
use super::block::{BLOCK, Block, Step, quantise};
use crate::kernel::{DIMENSIONS, InstructionSet, Row, Task};

/// Vectors scored together: as many as a word has bits.
const GROUP: usize = 64;

/// With fewer wanted vectors in a group, scoring them one by one is faster than scoring all.
const DENSE: u32 = 24;

/// A query in the form of the vectors.
pub(super) struct Query {
    pub(super) row: Row,
    scale: f32,
    /// Added to every score: the part of the dot product that depends on the query alone.
    constant: f32,
}

impl Query {
    /// With `c` for the centre, `q·v = (q - c)·(v - c) + c·v + c·q - c·c`: the first term is the one in bytes.
    pub(super) fn new(query: &[f32; DIMENSIONS], centre: &[f32; DIMENSIONS]) -> Self {
        let (row, step) = quantise(query, centre);
        let centre_squared: f32 = centre.iter().map(|value| value * value).sum();
        Self { row, scale: step.scale, constant: step.base - centre_squared }
    }

    #[inline(always)]
    fn score(&self, sum: i32, step: Step) -> f32 {
        sum as f32 * (step.scale * self.scale) + (step.base + self.constant)
    }
}

/// Offers the vectors of a block to `best`.
pub(super) struct Scan<'a> {
    pub(super) query: &'a Query,
    pub(super) block: &'a Block,
    /// The index of the block's first vector.
    pub(super) first: usize,
    pub(super) only: Option<&'a [u64]>,
    pub(super) best: &'a mut Best,
}

impl Task for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: InstructionSet>(self, set: S) {
        let Self { query, block, first, only, best } = self;
        let mut sums = [0; GROUP];
        let mut threshold = best.threshold();
        let groups = block.rows.chunks(GROUP).zip(block.steps.chunks(GROUP));
        for (word, (rows, steps)) in groups.enumerate() {
            let mut wanted = block.wanted(word, only);
            if wanted.count_ones() >= DENSE {
                set.dots(&query.row, rows, &mut sums);
            } else {
                for offset in ones(wanted) {
                    set.dots(&query.row, &rows[offset..=offset], &mut sums[offset..=offset]);
                }
            }
            wanted &= better(query, steps, &sums, threshold);
            for offset in ones(wanted) {
                let score = query.score(sums[offset], steps[offset]);
                // The threshold may have risen within the group. On a tie the lower index wins, which came before.
                if score > threshold {
                    best.offer(Hit { index: (first + word * GROUP + offset) as u32, score });
                    threshold = best.threshold();
                }
            }
        }
    }
}

/// Offers the vectors at `indices` to `best`, whether alive or not.
pub(super) struct Rescore<'a> {
    pub(super) query: &'a Query,
    pub(super) blocks: &'a [Block],
    pub(super) indices: &'a [u32],
    pub(super) best: &'a mut Best,
}

impl Task for Rescore<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: InstructionSet>(self, set: S) {
        for &index in self.indices {
            let (block, offset) = (&self.blocks[index as usize / BLOCK], index as usize % BLOCK);
            let mut sums = [0];
            set.dots(&self.query.row, &block.rows[offset..=offset], &mut sums);
            let [sum] = sums;
            self.best.offer(Hit { index, score: self.query.score(sum, block.steps[offset]) });
        }
    }
}

/// A bit for each vector of a group that scores above `threshold`; meaningless where no sum was computed.
#[inline(always)]
fn better(query: &Query, steps: &[Step], sums: &[i32; GROUP], threshold: f32) -> u64 {
    let mut bits = 0;
    for (offset, (&sum, &step)) in sums.iter().zip(steps).enumerate() {
        bits |= u64::from(query.score(sum, step) > threshold) << offset;
    }
    bits
}

/// The positions of the bits set, from the lowest.
#[inline(always)]
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let offset = word.trailing_zeros() as usize;
        word &= word.checked_sub(1)?;
        Some(offset)
    })
}

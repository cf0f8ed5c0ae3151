//! Binary codes: one bit a dimension, to find candidates in an eighth of the memory traffic.

use super::block::Block;
use super::scan::ones;
use crate::kernel::{DIMENSIONS, InstructionSet, Row, Task};

/// Which components are positive.
pub(super) type Code = [u64; DIMENSIONS / 64];

/// The code of a vector in bytes, that is, of its difference from the centre.
pub(super) fn code(row: &Row) -> Code {
    let mut code = [0; DIMENSIONS / 64];
    for (word, components) in code.iter_mut().zip(row.0.as_chunks::<64>().0) {
        for (bit, &component) in components.iter().enumerate() {
            *word |= u64::from(component > 0) << bit;
        }
    }
    code
}

/// The vectors with the closest codes so far; of equal distances the lower index wins.
pub(super) struct Shortlist {
    length: usize,
    /// `(distance, index)`, at most twice as many as asked for; those beyond are dropped from time to time.
    candidates: Vec<(u32, u32)>,
    /// Only a closer code is of interest.
    limit: u32,
}

impl Shortlist {
    pub(super) fn new(length: usize) -> Self {
        let limit = if length == 0 { 0 } else { u32::MAX };
        Self { length, candidates: Vec::with_capacity(2 * length), limit }
    }

    fn offer(&mut self, distance: u32, index: u32) {
        self.candidates.push((distance, index));
        if self.candidates.len() >= 2 * self.length {
            self.shrink();
        }
    }

    fn shrink(&mut self) {
        if self.length > 0 && self.candidates.len() >= self.length {
            let (_, &mut (distance, _), _) = self.candidates.select_nth_unstable(self.length - 1);
            self.candidates.truncate(self.length);
            // Indices only grow, so whoever has the same distance later loses the tie.
            self.limit = distance;
        }
    }

    /// In ascending order, which is kind to the caches.
    pub(super) fn into_indices(mut self) -> Vec<u32> {
        self.shrink();
        let mut indices: Vec<u32> = self.candidates.into_iter().map(|(_, index)| index).collect();
        indices.sort_unstable();
        indices
    }
}

/// Offers the vectors of a block to a shortlist.
pub(super) struct Compare<'a> {
    pub(super) code: &'a Code,
    pub(super) block: &'a Block,
    /// The index of the block's first vector.
    pub(super) first: usize,
    pub(super) only: Option<&'a [u64]>,
    pub(super) list: &'a mut Shortlist,
}

impl Task for Compare<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) {
        let Self { code, block, first, only, list } = self;
        for (word, codes) in block.codes.chunks(64).enumerate() {
            let wanted = block.wanted(word, only);
            if wanted == 0 {
                continue;
            }
            let mut distances = [0; 64];
            let mut close = 0;
            for (offset, (other, distance)) in codes.iter().zip(&mut distances).enumerate() {
                *distance = code.iter().zip(other).map(|(l, r)| (l ^ r).count_ones()).sum();
                close |= u64::from(*distance < list.limit) << offset;
            }
            for offset in ones(close & wanted) {
                if distances[offset] < list.limit {
                    list.offer(distances[offset], (first + word * 64 + offset) as u32);
                }
            }
        }
    }
}

//! A first look at many vectors: of each component only the side of the centre it lies on, an eighth of its byte.
//!
//! What a sketch tells of a dot product is right to within a few hundredths. So it names far more vectors than are wanted, and all of
//! those are then looked at by their bytes.

use super::best::{Hit, Ranked};
use super::packed::Packed;
use crate::kernel::{DIMENSIONS, InstructionSet, Planes, SKETCHED_TOGETHER, Sketches};

/// The largest component of a query in four bits, one of them the sign.
const LARGEST: f32 = 7.0;

/// Puts the sketch of a vector into a lane; returns by what the sums over it have to be multiplied.
pub(super) fn put(sketches: &mut Sketches, lane: usize, vector: &Packed<'_>) -> f32 {
    for (words, bytes) in sketches.0.iter_mut().zip(vector.bytes.as_chunks::<64>().0) {
        let eighths = bytes.as_chunks::<8>().0.iter().enumerate();
        words[lane] = eighths.fold(0, |word, (place, bytes)| word | signs(*bytes) << (8 * place));
    }
    let sizes = vector.bytes.iter().map(|byte| u32::from(byte.cast_signed().unsigned_abs()));
    let (squares, sum) = (sizes.clone().map(|size| size * size).sum::<u32>(), sizes.sum::<u32>());
    // As if all components were as large: of such vectors the one that has this dot product with the vector itself.
    if sum == 0 { 0.0 } else { vector.scale * squares as f32 / sum as f32 }
}

/// A bit for each of eight bytes, from the first: whether it is negative.
fn signs(bytes: [u8; 8]) -> u64 {
    // The multiplication brings the highest bit of each byte into the highest byte, each to a place of its own.
    ((u64::from_le_bytes(bytes) >> 7 & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080)) >> 56
}

/// A query to be compared with sketches.
pub(super) struct Sketched {
    planes: Planes,
    step: f32,
    sum: f32,
}

impl Sketched {
    /// A query by its difference from the centre.
    pub(super) fn new(difference: &[f32; DIMENSIONS]) -> Self {
        let largest = difference.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        let step = if largest > 0.0 { largest / LARGEST } else { 1.0 };
        let rounded = difference.map(|value| (value / step).round_ties_even() as i8);
        let sum = rounded.iter().map(|value| f32::from(*value)).sum::<f32>() * step;
        Self { planes: Planes::of(&rounded), step, sum }
    }

    /// About the dot products of the differences of the query and of the vectors, but for the factors of the vectors.
    #[inline(always)]
    pub(super) fn sums<S: InstructionSet, const EIGHTS: usize>(
        &self,
        set: S,
        sketches: &[Sketches],
    ) -> [[f32; SKETCHED_TOGETHER]; EIGHTS] {
        let mut below = [[0; SKETCHED_TOGETHER]; EIGHTS];
        set.sums_below(&self.planes, sketches, &mut below);
        let mut sums = [[0.0; SKETCHED_TOGETHER]; EIGHTS];
        for (sum, below) in sums.as_flattened_mut().iter_mut().zip(below.as_flattened()) {
            // What lies below the centre counts as negative.
            *sum = self.sum - (2 * below) as f32 * self.step;
        }
        sums
    }
}

/// The most promising vectors while sketches go by.
pub(super) struct Shortlist {
    length: usize,
    /// At most twice as many as wanted, so that the least of them need not be known at every step.
    named: Vec<Ranked>,
    threshold: f32,
}

impl Shortlist {
    pub(super) fn new(length: usize) -> Self {
        Self { length, named: Vec::with_capacity(2 * length), threshold: f32::NEG_INFINITY }
    }

    /// What a vector must at least promise to be of interest.
    #[inline(always)]
    pub(super) fn threshold(&self) -> f32 {
        self.threshold
    }

    pub(super) fn offer(&mut self, hit: Hit, rank: u32) {
        if self.named.len() == 2 * self.length {
            self.cut();
        }
        self.named.push(Ranked { hit, rank });
    }

    fn cut(&mut self) {
        if self.named.len() > self.length {
            let (_, least, _) = self.named.select_nth_unstable(self.length - 1);
            self.threshold = least.hit.score;
            self.named.truncate(self.length);
        }
    }

    /// Those of two parts of the vectors, as if they had gone by in one.
    pub(super) fn join(&mut self, other: Self) {
        self.named.extend(other.named);
        self.cut();
    }

    /// A bit for each vector that is left, of `count` vectors in all.
    pub(super) fn into_bits(mut self, count: usize) -> Vec<u64> {
        self.cut();
        let mut bits = vec![0; count.div_ceil(64)];
        for Ranked { hit: Hit { index, .. }, .. } in self.named {
            bits[index as usize / 64] |= 1 << (index % 64);
        }
        bits
    }
}

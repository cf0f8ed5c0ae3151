//! The storage of at most 65,536 vectors.

use super::packed::{Packed, QUARTER};
use super::sketch;
use crate::kernel::{AlignedVector, DIMENSIONS, SKETCHED_TOGETHER, Sketches};

/// Vectors in a block.
pub(super) const BLOCK: usize = 65_536;

/// From so many vectors on, there is room for all of a block.
const GROWS_AT_ONCE: usize = 4_096;

/// Parallel arrays, one entry a vector, except for the bits.
#[derive(Default)]
pub(super) struct Block {
    pub(super) rows: Vec<AlignedVector>,
    pub(super) steps: Vec<Step>,
    /// On which side of its byte each component lies.
    above: Vec<[u8; DIMENSIONS / 8]>,
    /// For a first look at eight vectors each, and for each vector what its sums are multiplied by.
    pub(super) sketches: Vec<Sketches>,
    pub(super) factors: Vec<f32>,
    /// Bit `i % 64` of word `i / 64` is set while vector `i` is alive.
    live: Vec<u64>,
}

/// How to get from the bytes of a vector back to its dot products.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    /// A component of the vector minus the centre is about its byte times this.
    pub(super) scale: f32,
    /// The dot product of the vector with the centre.
    pub(super) base: f32,
}

impl Block {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn push(&mut self, vector: &Packed<'_>) {
        self.reserve();
        let offset = self.len();
        self.rows.push(AlignedVector([0; DIMENSIONS]));
        self.steps.push(Step::default());
        self.above.push([0; DIMENSIONS / 8]);
        self.factors.push(0.0);
        if offset.is_multiple_of(SKETCHED_TOGETHER) {
            self.sketches.push(Sketches::default());
        }
        if offset.is_multiple_of(64) {
            self.live.push(0);
        }
        self.replace(offset, vector);
    }

    pub(super) fn replace(&mut self, offset: usize, vector: &Packed<'_>) {
        for (to, from) in self.rows[offset].0.iter_mut().zip(vector.bytes) {
            *to = from.cast_signed();
        }
        self.steps[offset] = Step { scale: vector.scale, base: vector.base };
        self.above[offset].iter_mut().zip(vector.above).for_each(|(to, from)| *to = *from);
        let sketches = &mut self.sketches[offset / SKETCHED_TOGETHER];
        self.factors[offset] = sketch::put(sketches, offset % SKETCHED_TOGETHER, vector);
        self.live[offset / 64] |= 1 << (offset % 64);
    }

    pub(super) fn remove(&mut self, offset: usize) {
        assert!(offset < self.len(), "no vector at {offset}");
        self.live[offset / 64] &= !(1 << (offset % 64));
    }

    /// The vectors of group `word` that are alive and, if `only` says which, allowed.
    #[inline(always)]
    pub(super) fn wanted(&self, word: usize, only: Option<&[u64]>) -> u64 {
        let allowed = only.map_or(u64::MAX, |words| words.get(word).copied().unwrap_or(0));
        self.live[word] & allowed
    }

    /// The dot product of `difference` with the difference of the vector at `offset`, by all bits there are.
    #[inline(always)]
    pub(super) fn finely(&self, difference: &[f32; DIMENSIONS], offset: usize) -> f32 {
        let mut lanes = [0.0_f32; 16];
        let bytes = self.rows[offset].0.as_chunks::<16>().0;
        let above = self.above[offset].as_chunks::<2>().0;
        for ((bytes, above), difference) in bytes.iter().zip(above).zip(difference.as_chunks::<16>().0) {
            let above = u16::from_le_bytes(*above);
            for lane in 0..16 {
                let side = if above >> lane & 1 == 1 { QUARTER } else { -QUARTER };
                lanes[lane] += difference[lane] * (f32::from(bytes[lane]) + side);
            }
        }
        lanes.iter().sum::<f32>() * self.steps[offset].scale
    }

    /// Gives back the room kept for more.
    pub(super) fn shrink(&mut self) {
        self.rows.shrink_to_fit();
        self.steps.shrink_to_fit();
        self.above.shrink_to_fit();
        self.sketches.shrink_to_fit();
        self.factors.shrink_to_fit();
        self.live.shrink_to_fit();
    }

    /// Makes room: by an eighth at a time for few vectors, where doubling would leave half of it unused, and then for the whole
    /// block at once. What is not used of that takes no memory, and vectors as aligned as these are copied whenever they grow.
    fn reserve(&mut self) {
        if self.rows.len() < self.rows.capacity() {
            return;
        }
        let more = match self.len() {
            few @ ..GROWS_AT_ONCE => (few / 8).max(64),
            many => BLOCK - many,
        };
        self.rows.reserve_exact(more);
        self.steps.reserve_exact(more);
        self.above.reserve_exact(more);
        self.sketches.reserve_exact(more.div_ceil(SKETCHED_TOGETHER));
        self.factors.reserve_exact(more);
    }

    /// The bytes of memory in use.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<AlignedVector>()
            + self.steps.capacity() * size_of::<Step>()
            + self.above.capacity() * (DIMENSIONS / 8)
            + self.sketches.capacity() * size_of::<Sketches>()
            + self.factors.capacity() * size_of::<f32>()
            + self.live.capacity() * size_of::<u64>()
    }
}

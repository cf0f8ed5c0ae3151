//! What is computed, whatever the instructions: the sums each instruction set gives, and the values they are taken of.

/// Output columns that a tile computes; weights are stored in panels of this many columns.
pub const PANEL: usize = 64;

/// Most rows of a tile. Six rows of four registers leave room for the weights in the 32 registers of AVX-512; half a
/// panel row at a time also fits the 16 registers of AVX2.
pub const TILE_ROWS: usize = 6;

/// Largest magnitude of a weight in `InstructionSet::tile`: two products with a byte still fit 16 bits.
pub const MAX_WEIGHT: i8 = 64;

/// Components of a vector to search, a multiple of every register's width.
pub const DIMENSIONS: usize = 384;

/// A vector to search, aligned so that no load straddles two cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct AlignedVector(pub [i8; DIMENSIONS]);

/// How many vectors [`Together`] holds.
pub const TOGETHER: usize = 16;

/// Vectors side by side, to be multiplied with others all at once: four components of each, then the next four of each; 128 is
/// added to each component.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Together {
    pub(super) steps: [[u8; 4 * TOGETHER]; DIMENSIONS / 4],
}

/// What the component 0 is in [`Together`].
const ZERO: u8 = 128;

impl Together {
    /// The first [`TOGETHER`] of these vectors, with zeros in the places of those missing.
    pub fn of<'a>(vectors: impl Iterator<Item = &'a AlignedVector>) -> Self {
        let mut together = Self { steps: [[ZERO; 4 * TOGETHER]; DIMENSIONS / 4] };
        for (place, vector) in vectors.take(TOGETHER).enumerate() {
            for (step, bytes) in together.steps.iter_mut().zip(vector.0.as_chunks::<4>().0) {
                step[4 * place..4 * place + 4].copy_from_slice(&bytes.map(|byte| byte.cast_unsigned() ^ ZERO));
            }
        }
        together
    }
}

/// How many vectors [`Sketches`] holds: one in each lane of the widest register.
pub const SKETCHED_TOGETHER: usize = 8;

/// A bit for each component of eight vectors, whether it is negative: the first 64 components of each, then the next 64 of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Sketches(pub [[u64; SKETCHED_TOGETHER]; DIMENSIONS / 64]);

/// A vector of four bits a component: the lowest bit of each, then the next one of each; the highest counts as -8.
#[derive(Clone, Debug)]
pub struct Planes(pub(super) [[u64; DIMENSIONS / 64]; 4]);

impl Planes {
    /// A vector whose components are from -8 to 7.
    pub fn of(vector: &[i8; DIMENSIONS]) -> Self {
        let mut planes = Self([[0; DIMENSIONS / 64]; 4]);
        for (place, component) in vector.iter().enumerate() {
            for (bit, plane) in planes.0.iter_mut().enumerate() {
                plane[place / 64] |= u64::from(component.cast_unsigned() >> bit & 1) << (place % 64);
            }
        }
        planes
    }
}

/// A computation to compile for every instruction set.
///
/// `run` and what it calls in inner loops should be `#[inline(always)]`: a function that stays separate is compiled
/// for the oldest processor of the architecture.
pub trait Task {
    /// What the computation returns.
    type Output;

    /// Computes, with `set` for the integer sums.
    fn run<S: InstructionSet>(self, set: S) -> Self::Output;
}

/// The integer sums that are written by hand for each instruction set.
pub trait InstructionSet: Copy {
    /// Sums of products of `ROWS` rows of bytes, one after the other in `rows`, with each column of a panel.
    ///
    /// A panel holds four weights of column 0, four of column 1, up to column 63, then the next four of each. Weights
    /// are at most [`MAX_WEIGHT`] in magnitude.
    fn tile<const ROWS: usize>(self, rows: &[u8], panel: &[u8], sums: &mut [[i32; PANEL]; ROWS]);

    /// The dot products of `query` with each of `vectors`; all components from -127 to 127.
    fn dots(self, query: &AlignedVector, vectors: &[AlignedVector], sums: &mut [i32]);

    /// For each vector of the sketches, the sum of the components of `query` where that of the vector is negative.
    #[inline(always)]
    fn sums_below(self, query: &Planes, sketches: &[Sketches], sums: &mut [[i32; SKETCHED_TOGETHER]]) {
        for (sketches, sums) in sketches.iter().zip(sums) {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let count = |plane: &[u64; DIMENSIONS / 64]| {
                    let words = plane.iter().zip(&sketches.0);
                    words.map(|(plane, words)| (plane & words[lane]).count_ones().cast_signed()).sum::<i32>()
                };
                let [ones, twos, fours, eights] = query.0.each_ref().map(count);
                *sum = ones + 2 * twos + 4 * fours - 8 * eights;
            }
        }
    }

    /// Whether [`dots_together`](Self::dots_together) takes less time than [`dots`](Self::dots) for each of several queries.
    const IS_FAST_TOGETHER: bool = false;

    /// The dot products of all of `queries` with each of `vectors`; all components from -127 to 127.
    #[inline(always)]
    fn dots_together(self, queries: &Together, vectors: &[AlignedVector], sums: &mut [[i32; TOGETHER]]) {
        for (vector, sums) in vectors.iter().zip(sums) {
            *sums = [0; TOGETHER];
            for (step, bytes) in queries.steps.iter().zip(vector.0.as_chunks::<4>().0) {
                for (sum, query) in sums.iter_mut().zip(step.as_chunks::<4>().0) {
                    let products =
                        query.iter().zip(bytes).map(|(&q, &v)| i32::from((q ^ ZERO).cast_signed()) * i32::from(v));
                    *sum += products.sum::<i32>();
                }
            }
        }
    }
}

/// Checks what every `tile` relies on to stay inside its slices; returns the number of weights in a column.
#[inline(always)]
pub(super) fn column_length<const ROWS: usize>(rows: &[u8], panel: &[u8]) -> usize {
    let inner = rows.len() / ROWS;
    assert!(inner.is_multiple_of(4) && rows.len() == inner * ROWS && panel.len() == inner * PANEL);
    inner
}

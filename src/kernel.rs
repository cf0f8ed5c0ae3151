//! Integer dot products with the best instructions of the processor at hand, the only module with `unsafe` code.
//!
//! Invariants:
//! - Every kernel gives the same integers as `plain`, for every input its documentation admits.
//! - Only integer sums are written per instruction set. Float arithmetic is ordinary Rust, compiled once for each
//!   instruction set by `Kernel::run`; as Rust neither reorders float operations nor fuses a multiplication with an
//!   addition, its results are bit-identical on all of them too.
//! - A [`Kernel`] exists only for instructions that the processor has.

mod plain;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

#[cfg(test)]
mod tests;

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
pub struct Row(pub [i8; DIMENSIONS]);

/// A computation to compile for every instruction set.
///
/// `run` and what it calls in inner loops should be `#[inline(always)]`: a function that stays separate is compiled
/// for the oldest processor of the architecture.
pub(crate) trait Task {
    /// What the computation returns.
    type Output;

    /// Computes, with `set` for the integer sums.
    fn run<S: InstructionSet>(self, set: S) -> Self::Output;
}

/// The integer sums that are written by hand for each instruction set.
pub(crate) trait InstructionSet: Copy {
    /// Sums of products of `ROWS` rows of bytes, one after the other in `rows`, with each column of a panel.
    ///
    /// A panel holds four weights of column 0, four of column 1, up to column 63, then the next four of each. Weights
    /// are at most [`MAX_WEIGHT`] in magnitude.
    fn tile<const ROWS: usize>(self, rows: &[u8], panel: &[u8], sums: &mut [[i32; PANEL]; ROWS]);

    /// The dot products of `query` with each of `vectors`; all components from -127 to 127.
    fn dots(self, query: &Row, vectors: &[Row], sums: &mut [i32]);
}

/// The instruction set in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(Level);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Kernel {
    /// The fastest kernel that this processor can run.
    pub fn detect() -> Self {
        let mut available = Self::available();
        available.pop().unwrap_or(Self(Level::Plain))
    }

    /// All kernels that this processor can run, from the slowest to the fastest.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Level::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            if avx2::detected() {
                levels.push(Level::Avx2);
            }
            if avx2::vnni_detected() {
                levels.push(Level::AvxVnni);
            }
            if avx512::detected() {
                levels.push(Level::Avx512);
            }
        }
        #[cfg(target_arch = "aarch64")]
        if neon::detected() {
            levels.push(Level::Neon);
        }
        levels.into_iter().map(Self).collect()
    }

    /// A short name for logs and tables.
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::AvxVnni => "avx-vnni",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512-vnni",
            #[cfg(target_arch = "aarch64")]
            Level::Neon => "neon-dotprod",
        }
    }

    /// Runs `task` compiled for this kernel's instructions.
    #[inline]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Level::Plain => task.run(plain::Plain),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this level is constructed in `available` only, after `detected` said yes.
            Level::Avx2 => unsafe { avx2::run(task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this level is constructed in `available` only, after `vnni_detected` said yes.
            Level::AvxVnni => unsafe { avx2::run_vnni(task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this level is constructed in `available` only, after `detected` said yes.
            Level::Avx512 => unsafe { avx512::run(task) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: this level is constructed in `available` only, after `detected` said yes.
            Level::Neon => unsafe { neon::run(task) },
        }
    }
}

/// Checks what every `tile` relies on to stay inside its slices; returns the number of weights in a column.
#[inline(always)]
fn column_length<const ROWS: usize>(rows: &[u8], panel: &[u8]) -> usize {
    let inner = rows.len() / ROWS;
    assert!(inner.is_multiple_of(4) && rows.len() == inner * ROWS && panel.len() == inner * PANEL);
    inner
}

//! Integer dot products with the best instructions of the processor at hand, the only module with `unsafe` code.
//!
//! Invariants:
//! - Every kernel gives the same integers as `plain`, for every input its documentation admits.
//! - Only integer sums are written per instruction set. Float arithmetic is ordinary Rust, compiled once for each
//!   instruction set by `Kernel::run`; as Rust neither reorders float operations nor fuses a multiplication with an
//!   addition, its results are bit-identical on all of them too.
//! - A [`Kernel`] exists only for instructions that the processor has.

mod plain;
mod set;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

#[cfg(test)]
mod tests;

pub use set::{
    AlignedVector, DIMENSIONS, InstructionSet, MAX_WEIGHT, PANEL, Planes, SKETCHED_TOGETHER, Sketches, TILE_ROWS,
    TOGETHER, Task, Together,
};

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
    pub fn run<T: Task>(self, task: T) -> T::Output {
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

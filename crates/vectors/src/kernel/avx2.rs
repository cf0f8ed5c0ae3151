//! The kernels for AVX2, with and without VNNI: 32 products at a time (Intel since 2013, AMD since 2015).
//!
//! Without VNNI, `maddubs` adds two products in 16 bits and would saturate; weights of at most 64 and components of at
//! most 127 keep every such sum below 32,767.

use std::arch::x86_64::{
    __m256i, _mm256_abs_epi8, _mm256_add_epi32, _mm256_dpbusd_avx_epi32, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_sign_epi8,
    _mm256_storeu_si256,
};

use super::set::{AlignedVector, DIMENSIONS, InstructionSet, PANEL, Task, column_length};

/// Columns whose sums one register holds.
const COLUMNS: usize = 8;
/// Registers of sums a row: six rows of two, the step's weights and a temporary fill the 16 registers there are.
const REGISTERS: usize = 2;

/// A proof that [`detected`] said yes; constructed in [`run`] only.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

/// A proof that [`vnni_detected`] said yes; constructed in [`run_vnni`] only.
#[derive(Clone, Copy)]
pub(super) struct AvxVnni(());

/// Whether this processor runs the kernel without VNNI.
pub(super) fn detected() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")
}

/// Whether this processor runs the kernel with VNNI.
pub(super) fn vnni_detected() -> bool {
    detected() && is_x86_feature_detected!("avxvnni")
}

/// Runs `task` compiled for AVX2.
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn run<T: Task>(task: T) -> T::Output {
    task.run(Avx2(()))
}

/// Runs `task` compiled for AVX2 with VNNI.
#[target_feature(enable = "avx2,avxvnni,popcnt")]
pub(super) fn run_vnni<T: Task>(task: T) -> T::Output {
    task.run(AvxVnni(()))
}

impl InstructionSet for Avx2 {
    #[inline(always)]
    fn tile<const ROWS: usize>(self, rows: &[u8], panel: &[u8], sums: &mut [[i32; PANEL]; ROWS]) {
        // SAFETY: `self` exists, so the processor has the instructions.
        unsafe { tile(rows, panel, sums) }
    }

    #[inline(always)]
    fn dots(self, query: &AlignedVector, vectors: &[AlignedVector], sums: &mut [i32]) {
        // SAFETY: `self` exists, so the processor has the instructions.
        unsafe { dots(query, vectors, sums) }
    }
}

impl InstructionSet for AvxVnni {
    #[inline(always)]
    fn tile<const ROWS: usize>(self, rows: &[u8], panel: &[u8], sums: &mut [[i32; PANEL]; ROWS]) {
        // SAFETY: `self` exists, so the processor has the instructions.
        unsafe { tile_vnni(rows, panel, sums) }
    }

    #[inline(always)]
    fn dots(self, query: &AlignedVector, vectors: &[AlignedVector], sums: &mut [i32]) {
        // Reading the vectors takes longer than multiplying them, so VNNI gains nothing here.
        // SAFETY: `self` exists, so the processor has the instructions.
        unsafe { dots(query, vectors, sums) }
    }
}

/// Computes a tile, sixteen columns at a time, with `$multiply(sums, bytes, weights)` for a step.
///
/// A macro, because a closure or a function argument would not be compiled with the instructions of its caller.
macro_rules! tile {
    ($rows:ident, $panel:ident, $sums:ident, $multiply:ident) => {{
        let inner = column_length::<ROWS>($rows, $panel);
        for start in (0..PANEL).step_by(REGISTERS * COLUMNS) {
            let mut totals = [[_mm256_setzero_si256(); REGISTERS]; ROWS];
            for step in 0..inner / 4 {
                let mut weights = [_mm256_setzero_si256(); REGISTERS];
                for (register, weights) in weights.iter_mut().enumerate() {
                    // SAFETY: `column_length` checked that the panel has `inner / 4` steps of 4 * PANEL bytes.
                    *weights = unsafe { load($panel.as_ptr().add((step * PANEL + start + register * COLUMNS) * 4)) };
                }
                for (row, totals) in totals.iter_mut().enumerate() {
                    // SAFETY: `column_length` checked that there are ROWS rows of `inner` bytes; 4 * step + 3 < inner.
                    let bytes = unsafe { $rows.as_ptr().add(row * inner + step * 4).cast::<i32>().read_unaligned() };
                    let bytes = _mm256_set1_epi32(bytes);
                    for (total, &weights) in totals.iter_mut().zip(&weights) {
                        *total = $multiply(*total, bytes, weights);
                    }
                }
            }
            for (totals, sums) in totals.iter().zip($sums.iter_mut()) {
                for (&total, sums) in totals.iter().zip(sums[start..].chunks_exact_mut(COLUMNS)) {
                    // SAFETY: the chunk is 8 integers of 4 bytes, as wide as the register.
                    unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), total) };
                }
            }
        }
    }};
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn tile<const ROWS: usize>(rows: &[u8], panel: &[u8], sums: &mut [[i32; PANEL]; ROWS]) {
    tile!(rows, panel, sums, multiply_add)
}

#[inline]
#[target_feature(enable = "avx2,avxvnni,popcnt")]
fn tile_vnni<const ROWS: usize>(rows: &[u8], panel: &[u8], sums: &mut [[i32; PANEL]; ROWS]) {
    tile!(rows, panel, sums, _mm256_dpbusd_avx_epi32)
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn dots(query: &AlignedVector, vectors: &[AlignedVector], sums: &mut [i32]) {
    let mut parts = [_mm256_setzero_si256(); DIMENSIONS / 32];
    for (part, bytes) in parts.iter_mut().zip(query.0.chunks_exact(32)) {
        // SAFETY: the chunk is 32 bytes.
        *part = unsafe { load(bytes.as_ptr().cast()) };
    }
    for (vector, sum) in vectors.iter().zip(sums) {
        let mut total = _mm256_setzero_si256();
        for (&part, bytes) in parts.iter().zip(vector.0.chunks_exact(32)) {
            // SAFETY: the chunk is 32 bytes.
            let bytes = unsafe { load(bytes.as_ptr().cast()) };
            // One side must be unsigned: |v| times q with the sign of v is v times q.
            total = multiply_add(total, _mm256_abs_epi8(bytes), _mm256_sign_epi8(part, bytes));
        }
        let mut lanes = [0i32; 8];
        // SAFETY: `lanes` is as wide as the register.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), total) };
        *sum = lanes.iter().sum();
    }
}

/// Adds to each of eight sums four products of a byte and a signed byte, as `dpbusd` does.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply_add(sums: __m256i, bytes: __m256i, signed: __m256i) -> __m256i {
    let pairs = _mm256_maddubs_epi16(bytes, signed);
    _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}

/// Reads 32 bytes, at any alignment.
///
/// # Safety
/// 32 bytes must be readable at `bytes`.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load(bytes: *const u8) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe { _mm256_loadu_si256(bytes.cast()) }
}

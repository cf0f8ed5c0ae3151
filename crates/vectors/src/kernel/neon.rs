//! The kernel for 64-bit ARM with the dot-product extension: 16 products at a time (Apple M1, Graviton 2 and later).

use std::arch::aarch64::{
    int8x16_t, int32x4_t, vaddvq_s32, vdupq_n_s32, vdupq_n_u8, veorq_u8, vld1q_s8, vreinterpretq_s8_u8,
    vreinterpretq_u8_s32, vst1q_s32,
};
use std::arch::is_aarch64_feature_detected;

use super::set::{AlignedVector, InstructionSet, PANEL, Task, column_length};

/// Columns whose sums one register holds.
const COLUMNS: usize = 4;
/// Registers of sums a row: six rows of four leave eight of the 32 registers for weights and bytes.
const REGISTERS: usize = 4;

/// A proof that [`detected`] said yes; constructed in [`run`] only.
#[derive(Clone, Copy)]
pub(super) struct Neon(());

/// Whether this processor runs the kernel.
pub(super) fn detected() -> bool {
    is_aarch64_feature_detected!("neon") && is_aarch64_feature_detected!("dotprod")
}

/// Runs `task` compiled for these instructions.
#[target_feature(enable = "neon,dotprod")]
pub(super) fn run<T: Task>(task: T) -> T::Output {
    task.run(Neon(()))
}

impl InstructionSet for Neon {
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

#[inline]
#[target_feature(enable = "neon,dotprod")]
fn tile<const ROWS: usize>(rows: &[u8], panel: &[u8], sums: &mut [[i32; PANEL]; ROWS]) {
    let inner = column_length::<ROWS>(rows, panel);
    // The instruction wants both sides signed. Flipping the sign bit of a byte takes 128 off it, which takes 128
    // times the sum of the column off the result: `excess` gathers that sum with the same instruction.
    let flip = vdupq_n_u8(0x80);
    let ones = vreinterpretq_s8_u8(vdupq_n_u8(1));
    for start in (0..PANEL).step_by(REGISTERS * COLUMNS) {
        let mut totals = [[vdupq_n_s32(0); REGISTERS]; ROWS];
        let mut excess = [vdupq_n_s32(0); REGISTERS];
        for step in 0..inner / 4 {
            let mut weights = [ones; REGISTERS];
            for (register, weights) in weights.iter_mut().enumerate() {
                let offset = (step * PANEL + start + register * COLUMNS) * 4;
                // SAFETY: `column_length` checked that the panel has `inner / 4` steps of 4 * PANEL bytes.
                *weights = unsafe { vld1q_s8(panel.as_ptr().add(offset).cast()) };
                excess[register] = multiply_add(excess[register], ones, *weights);
            }
            for (row, totals) in totals.iter_mut().enumerate() {
                // SAFETY: `column_length` checked that there are ROWS rows of `inner` bytes; 4 * step + 3 < inner.
                let bytes = unsafe { rows.as_ptr().add(row * inner + step * 4).cast::<i32>().read_unaligned() };
                let bytes = vreinterpretq_s8_u8(veorq_u8(vreinterpretq_u8_s32(vdupq_n_s32(bytes)), flip));
                for (total, &weights) in totals.iter_mut().zip(&weights) {
                    *total = multiply_add(*total, bytes, weights);
                }
            }
        }
        let mut column_sums = [0i32; REGISTERS * COLUMNS];
        for (&excess, column_sums) in excess.iter().zip(column_sums.chunks_exact_mut(COLUMNS)) {
            // SAFETY: the chunk is 4 integers of 4 bytes, as wide as the register.
            unsafe { vst1q_s32(column_sums.as_mut_ptr(), excess) };
        }
        for (totals, sums) in totals.iter().zip(sums.iter_mut()) {
            let sums = &mut sums[start..start + REGISTERS * COLUMNS];
            for (&total, sums) in totals.iter().zip(sums.chunks_exact_mut(COLUMNS)) {
                // SAFETY: the chunk is 4 integers of 4 bytes, as wide as the register.
                unsafe { vst1q_s32(sums.as_mut_ptr(), total) };
            }
            for (sum, &column_sum) in sums.iter_mut().zip(&column_sums) {
                *sum += 128 * column_sum;
            }
        }
    }
}

#[inline]
#[target_feature(enable = "neon,dotprod")]
fn dots(query: &AlignedVector, vectors: &[AlignedVector], sums: &mut [i32]) {
    for (vector, sum) in vectors.iter().zip(sums) {
        let mut total = vdupq_n_s32(0);
        for (part, bytes) in query.0.chunks_exact(16).zip(vector.0.chunks_exact(16)) {
            // SAFETY: both chunks are 16 bytes.
            let (part, bytes) = unsafe { (vld1q_s8(part.as_ptr()), vld1q_s8(bytes.as_ptr())) };
            total = multiply_add(total, part, bytes);
        }
        *sum = vaddvq_s32(total);
    }
}

/// Adds to each of four sums four products of signed bytes.
///
/// The intrinsic `vdotq_s32` is not stable in Rust 1.95, so the instruction is spelled out.
#[inline]
#[target_feature(enable = "neon,dotprod")]
fn multiply_add(mut sums: int32x4_t, left: int8x16_t, right: int8x16_t) -> int32x4_t {
    // SAFETY: the instruction reads and writes the named registers only, and the feature is enabled here.
    unsafe {
        std::arch::asm!(
            "sdot {sums:v}.4s, {left:v}.16b, {right:v}.16b",
            sums = inout(vreg) sums,
            left = in(vreg) left,
            right = in(vreg) right,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sums
}

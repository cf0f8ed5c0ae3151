//! The kernel every other one must agree with: ordinary Rust, no instructions by name.

use super::set::{AlignedVector, InstructionSet, PANEL, column_length};

/// Runs everywhere.
#[derive(Clone, Copy)]
pub(super) struct Plain;

impl InstructionSet for Plain {
    #[inline(always)]
    fn tile<const ROWS: usize>(self, rows: &[u8], panel: &[u8], sums: &mut [[i32; PANEL]; ROWS]) {
        let inner = column_length::<ROWS>(rows, panel);
        for (row, sums) in rows.chunks_exact(inner).zip(sums) {
            // One sum for every place of a step, and the four bytes of a step repeated: the same operation on
            // neighbours, which compilers turn into whatever vector instructions there are.
            let mut places = [[0i32; 16]; PANEL / 4];
            for (bytes, weights) in row.as_chunks::<4>().0.iter().zip(panel.as_chunks::<{ 4 * PANEL }>().0) {
                let mut repeated = [0i16; 16];
                for (repeated, &byte) in repeated.iter_mut().zip(bytes.iter().cycle()) {
                    *repeated = i16::from(byte);
                }
                for (places, weights) in places.iter_mut().zip(weights.as_chunks::<16>().0) {
                    for ((place, &byte), &weight) in places.iter_mut().zip(&repeated).zip(weights) {
                        // The product of a byte and a signed byte fits 16 bits.
                        *place += i32::from(byte * i16::from(weight.cast_signed()));
                    }
                }
            }
            for (sum, places) in sums.iter_mut().zip(places.as_flattened().as_chunks::<4>().0) {
                *sum = places.iter().sum();
            }
        }
    }

    #[inline(always)]
    fn dots(self, query: &AlignedVector, vectors: &[AlignedVector], sums: &mut [i32]) {
        for (vector, sum) in vectors.iter().zip(sums) {
            *sum = query.0.iter().zip(&vector.0).map(|(&q, &v)| i32::from(q) * i32::from(v)).sum();
        }
    }
}

//! The kernel for AVX-512 with VNNI: 64 products in one instruction (Intel since 2019, AMD since Zen 4).

use std::arch::x86_64::{
    __m512i, _MM_HINT_T0, _MM_HINT_T1, _mm_prefetch, _mm256_storeu_si256, _mm512_add_epi64, _mm512_and_si512,
    _mm512_cvtepi64_epi32, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_popcnt_epi64, _mm512_reduce_add_epi32,
    _mm512_set1_epi8, _mm512_set1_epi32, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_slli_epi64,
    _mm512_storeu_si512, _mm512_sub_epi32, _mm512_sub_epi64, _mm512_xor_si512,
};

use super::set::{
    AlignedVector, DIMENSIONS, InstructionSet, PANEL, Planes, SKETCHED_TOGETHER, Sketches, TOGETHER, Task, Together,
    column_length,
};

/// Columns whose sums one register holds.
const COLUMNS: usize = 16;
const REGISTERS: usize = PANEL / COLUMNS;

/// A proof that [`detected`] said yes; constructed in [`run`] only.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

/// Whether this processor runs the kernel.
pub(super) fn detected() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("popcnt")
}

/// Runs `task` compiled for these instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,popcnt")]
pub(super) fn run<T: Task>(task: T) -> T::Output {
    task.run(Avx512(()))
}

impl InstructionSet for Avx512 {
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

    #[inline(always)]
    fn sums_below(self, query: &Planes, sketches: &[Sketches], sums: &mut [[i32; SKETCHED_TOGETHER]]) {
        if is_x86_feature_detected!("avx512vpopcntdq") {
            // SAFETY: `self` exists, so the processor has the other instructions.
            unsafe { sums_below(query, sketches, sums) }
        } else {
            super::plain::Plain.sums_below(query, sketches, sums);
        }
    }

    const IS_FAST_TOGETHER: bool = true;

    #[inline(always)]
    fn dots_together(self, queries: &Together, vectors: &[AlignedVector], sums: &mut [[i32; TOGETHER]]) {
        // SAFETY: `self` exists, so the processor has the instructions.
        unsafe { dots_together(queries, vectors, sums) }
    }
}

/// Vectors multiplied at the same time: enough that no sum waits for its last step, and few enough for the registers.
const ROWS: usize = 16;

/// How many vectors ahead of those at hand memory is asked for: by itself the processor looks no further than to the end of a page.
/// Not where a vector is looked at alone, for then those after it are not wanted.
const AHEAD: usize = 32;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,popcnt")]
fn dots_together(queries: &Together, vectors: &[AlignedVector], sums: &mut [[i32; TOGETHER]]) {
    let (many, rest) = vectors.as_chunks::<ROWS>();
    let (sums_of_many, sums_of_rest) = sums[..vectors.len()].as_chunks_mut::<ROWS>();
    for (vectors, sums) in many.iter().zip(sums_of_many) {
        rows_together(queries, vectors, sums);
    }
    for (vector, sums) in rest.iter().zip(sums_of_rest) {
        rows_together(queries, std::array::from_ref(vector), std::array::from_mut(sums));
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,popcnt")]
fn rows_together<const ROWS: usize>(
    queries: &Together,
    vectors: &[AlignedVector; ROWS],
    sums: &mut [[i32; TOGETHER]; ROWS],
) {
    // Each lane is a query of its own, so that no sum over lanes is needed. Here the queries are the unsigned side, as they are;
    // what the 128 in each component adds is 128 times the sum of the vector.
    let mut totals = [_mm512_setzero_si512(); ROWS];
    for (number, step) in queries.steps.iter().enumerate() {
        // SAFETY: a step is 64 bytes.
        let step = unsafe { load(step.as_ptr()) };
        for (total, vector) in totals.iter_mut().zip(vectors) {
            // SAFETY: a vector has as many steps of 4 bytes as the queries.
            let bytes = unsafe { vector.0.as_ptr().cast::<i32>().add(number).read() };
            *total = _mm512_dpbusd_epi32(*total, step, _mm512_set1_epi32(bytes));
        }
        // Sixteen vectors have as many lines as there are steps.
        if ROWS > 1 {
            let ahead = vectors.as_ptr().wrapping_add(AHEAD).cast::<i8>();
            _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(64 * number));
        }
    }
    for ((total, vector), sums) in totals.into_iter().zip(vectors).zip(sums) {
        let added = _mm512_set1_epi32(sum_times_128(vector));
        // SAFETY: there are 16 sums of 4 bytes.
        unsafe { _mm512_storeu_si512(sums.as_mut_ptr().cast(), _mm512_sub_epi32(total, added)) };
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx512vpopcntdq,popcnt")]
fn sums_below(query: &Planes, sketches: &[Sketches], sums: &mut [[i32; SKETCHED_TOGETHER]]) {
    let mut planes = [[_mm512_setzero_si512(); DIMENSIONS / 64]; 4];
    for (to, from) in planes.as_flattened_mut().iter_mut().zip(query.0.as_flattened()) {
        *to = _mm512_set1_epi64(from.cast_signed());
    }
    for (sketches, sums) in sketches.iter().zip(sums) {
        let mut counts = [_mm512_setzero_si512(); 4];
        for (place, words) in sketches.0.iter().enumerate() {
            _mm_prefetch::<_MM_HINT_T0>(words.as_ptr().wrapping_add(AHEAD * DIMENSIONS / 8).cast());
            // SAFETY: eight words are 64 bytes.
            let words = unsafe { load(words.as_ptr().cast()) };
            for (count, plane) in counts.iter_mut().zip(&planes) {
                *count = _mm512_add_epi64(*count, _mm512_popcnt_epi64(_mm512_and_si512(words, plane[place])));
            }
        }
        let [ones, twos, fours, eights] = counts;
        let low = _mm512_add_epi64(ones, _mm512_slli_epi64::<1>(twos));
        let high = _mm512_sub_epi64(_mm512_slli_epi64::<2>(fours), _mm512_slli_epi64::<3>(eights));
        let total = _mm512_cvtepi64_epi32(_mm512_add_epi64(low, high));
        // SAFETY: there are 8 sums of 4 bytes.
        unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), total) };
    }
}

/// The sum of the components, times 128.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,popcnt")]
fn sum_times_128(vector: &AlignedVector) -> i32 {
    let times = _mm512_set1_epi8(i8::MIN);
    let mut total = _mm512_setzero_si512();
    for bytes in vector.0.chunks_exact(64) {
        // SAFETY: the chunk is 64 bytes.
        total = _mm512_dpbusd_epi32(total, times, unsafe { load(bytes.as_ptr().cast()) });
    }
    _mm512_reduce_add_epi32(total)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,popcnt")]
fn tile<const ROWS: usize>(rows: &[u8], panel: &[u8], sums: &mut [[i32; PANEL]; ROWS]) {
    let inner = column_length::<ROWS>(rows, panel);
    let mut totals = [[_mm512_setzero_si512(); REGISTERS]; ROWS];
    for step in 0..inner / 4 {
        let mut weights = [_mm512_setzero_si512(); REGISTERS];
        for (register, weights) in weights.iter_mut().enumerate() {
            // SAFETY: `column_length` checked that the panel has `inner / 4` steps of 4 * PANEL bytes.
            *weights = unsafe { load(panel.as_ptr().add((step * REGISTERS + register) * 64)) };
            // The panel to come usually follows this one. Fetching it meanwhile saves a quarter of the time for short
            // texts, which would otherwise wait for memory.
            let next = panel.as_ptr().wrapping_add(panel.len() + (step * REGISTERS + register) * 64);
            _mm_prefetch::<_MM_HINT_T1>(next.cast());
        }
        for (row, totals) in totals.iter_mut().enumerate() {
            // SAFETY: `column_length` checked that there are ROWS rows of `inner` bytes, and 4 * step + 3 < inner.
            let bytes = unsafe { rows.as_ptr().add(row * inner + step * 4).cast::<i32>().read_unaligned() };
            let bytes = _mm512_set1_epi32(bytes);
            for (total, &weights) in totals.iter_mut().zip(&weights) {
                *total = _mm512_dpbusd_epi32(*total, bytes, weights);
            }
        }
    }
    for (totals, sums) in totals.iter().zip(sums) {
        for (&total, sums) in totals.iter().zip(sums.chunks_exact_mut(COLUMNS)) {
            // SAFETY: the chunk is 16 integers of 4 bytes, as wide as the register.
            unsafe { _mm512_storeu_si512(sums.as_mut_ptr().cast(), total) };
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,popcnt")]
fn dots(query: &AlignedVector, vectors: &[AlignedVector], sums: &mut [i32]) {
    // The instruction wants one side unsigned. Flipping the sign bit of a component adds 128 to it; what that adds
    // to the dot product is 128 times the sum of the query, taken off at the end.
    let flip = _mm512_set1_epi8(i8::MIN);
    let query_sum: i32 = query.0.iter().copied().map(i32::from).sum();
    let mut parts = [_mm512_setzero_si512(); DIMENSIONS / 64];
    for (part, bytes) in parts.iter_mut().zip(query.0.chunks_exact(64)) {
        // SAFETY: the chunk is 64 bytes.
        *part = unsafe { load(bytes.as_ptr().cast()) };
    }
    let ahead = if vectors.len() > 1 { AHEAD * DIMENSIONS } else { 0 };
    for (vector, sum) in vectors.iter().zip(sums) {
        let mut total = _mm512_setzero_si512();
        for (&part, bytes) in parts.iter().zip(vector.0.chunks_exact(64)) {
            _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(ahead).cast());
            // SAFETY: the chunk is 64 bytes.
            let bytes = unsafe { load(bytes.as_ptr().cast()) };
            total = _mm512_dpbusd_epi32(total, _mm512_xor_si512(bytes, flip), part);
        }
        *sum = _mm512_reduce_add_epi32(total) - 128 * query_sum;
    }
}

/// Reads 64 bytes, at any alignment.
///
/// # Safety
/// 64 bytes must be readable at `bytes`.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn load(bytes: *const u8) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe { _mm512_loadu_si512(bytes.cast()) }
}

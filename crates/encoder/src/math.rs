//! The float arithmetic of the encoder, sixteen numbers at a time.
//!
//! Invariant: the order of all operations is fixed by the source, with additions and multiplications only where they
//! are written, no library function and no fused operation. That makes results bit-identical on every processor.

use super::weights::Norm;

/// As many numbers as the widest register holds; narrower ones take several steps.
pub(super) const LANES: usize = 16;

/// Adding and subtracting 1.5 * 2^23 rounds a float below 2^22 to an integer, halves to even.
const ROUNDING: f32 = 12_582_912.0;

/// The numbers of a slice whose length is a multiple of [`LANES`].
#[inline(always)]
pub(super) fn lanes(values: &[f32]) -> &[[f32; LANES]] {
    let (chunks, rest) = values.as_chunks();
    debug_assert!(rest.is_empty());
    chunks
}

/// As [`lanes`], to write to.
#[inline(always)]
pub(super) fn lanes_mut(values: &mut [f32]) -> &mut [[f32; LANES]] {
    let (chunks, rest) = values.as_chunks_mut();
    debug_assert!(rest.is_empty());
    chunks
}

/// Reduces lanes to one number, halving them until one is left.
#[inline(always)]
pub(super) fn fold(mut values: [f32; LANES], combine: impl Fn(f32, f32) -> f32) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        let (left, right) = values.split_at_mut(width);
        for (l, &r) in left.iter_mut().zip(right.iter()) {
            *l = combine(*l, r);
        }
        width /= 2;
    }
    values[0]
}

/// The sum of a slice whose length is a multiple of [`LANES`].
#[inline(always)]
pub(super) fn sum(values: &[f32]) -> f32 {
    let mut totals = [0.0; LANES];
    for chunk in lanes(values) {
        for (total, &value) in totals.iter_mut().zip(chunk) {
            *total += value;
        }
    }
    fold(totals, |l, r| l + r)
}

/// The dot product of two slices whose length is the same multiple of [`LANES`].
#[inline(always)]
pub(super) fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut totals = [0.0; LANES];
    for (left, right) in lanes(left).iter().zip(lanes(right)) {
        for lane in 0..LANES {
            totals[lane] += left[lane] * right[lane];
        }
    }
    fold(totals, |l, r| l + r)
}

/// The smaller one; unlike `f32::min` a single instruction, as no input here is NaN.
#[inline(always)]
pub(super) fn smaller(left: f32, right: f32) -> f32 {
    if left < right { left } else { right }
}

/// The larger one; see [`smaller`].
#[inline(always)]
pub(super) fn larger(left: f32, right: f32) -> f32 {
    if left > right { left } else { right }
}

/// e to the power of `x`, for `x` of at most 0; within 3 in 10 million, and never below e^-87.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    // ln 2 in two parts: the product of the first one with a small integer is exact.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let x = larger(x, -87.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUNDING;
    let power = shifted - ROUNDING;
    let rest = x - power * LN2_HIGH - power * LN2_LOW;
    // The Taylor series; with |rest| below 0.35 the first term left out is below 2e-7.
    let mut series = 1.0 / 720.0;
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = series * rest + coefficient;
    }
    // The low bits of `shifted` are the power of two; it goes into the exponent.
    let exponent = shifted.to_bits().wrapping_sub(ROUNDING.to_bits()).wrapping_add(127) << 23;
    series * f32::from_bits(exponent)
}

/// `x` times the normal distribution function of `x`, the activation the model was trained with; within 7e-6.
#[inline(always)]
pub(super) fn gelu(x: f32) -> f32 {
    // Beyond 5 the distribution function is 0 or 1 to six digits.
    const LIMIT: f32 = 5.0;
    // A rational approximation of the distribution function minus one half, divided by x, in x squared; fitted by
    // weighted least squares for the smallest largest error on [-5, 5].
    const NUMERATOR: [f32; 3] = [4.139_326_5e-3, 2.911_300_8e-2, 0.398_948_2];
    const DENOMINATOR: [f32; 4] = [1.378_316_3e-3, 2.523_299e-2, 0.239_712_57, 1.0];
    let clamped = smaller(larger(x, -LIMIT), LIMIT);
    let square = clamped * clamped;
    let mut numerator = 5.229_711e-5;
    for coefficient in NUMERATOR {
        numerator = numerator * square + coefficient;
    }
    let mut denominator = 2.586_240_8e-6;
    for coefficient in DENOMINATOR {
        denominator = denominator * square + coefficient;
    }
    x * (0.5 + clamped * numerator / denominator)
}

/// Adds `residual` to `values`, then normalises them to mean 0 and variance 1, then applies gains and biases.
#[inline(always)]
pub(super) fn add_and_normalise(values: &mut [f32], residual: &[f32], norm: &Norm) {
    let count = values.len() as f32;
    for (value, &residual) in values.iter_mut().zip(residual) {
        *value += residual;
    }
    let mean = sum(values) / count;
    let mut squares = [0.0; LANES];
    for chunk in lanes_mut(values) {
        for (value, square) in chunk.iter_mut().zip(&mut squares) {
            *value -= mean;
            *square += *value * *value;
        }
    }
    let variance = fold(squares, |l, r| l + r) / count;
    // The addend is the one of the original model.
    let inverse = 1.0 / (variance + 1e-12).sqrt();
    for ((value, &gain), &bias) in values.iter_mut().zip(&norm.gains).zip(&norm.biases) {
        *value = *value * inverse * gain + bias;
    }
}

/// Quantises a row to bytes, such that a value is about `(byte - zero) * scale`; returns `(scale, zero)`.
///
/// The range always includes 0, as in ONNX's `DynamicQuantizeLinear`.
#[inline(always)]
pub(super) fn quantise(values: &[f32], bytes: &mut [u8]) -> (f32, i32) {
    let mut lowest = [0.0; LANES];
    let mut highest = [0.0; LANES];
    for chunk in lanes(values) {
        for ((&value, low), high) in chunk.iter().zip(&mut lowest).zip(&mut highest) {
            *low = smaller(*low, value);
            *high = larger(*high, value);
        }
    }
    let low = fold(lowest, smaller);
    let high = fold(highest, larger);
    // A row of zeros has no range; any scale then gives bytes that mean zero.
    let scale = larger((high - low) / 255.0, f32::MIN_POSITIVE);
    let inverse = 1.0 / scale;
    let zero = (ROUNDING - low * inverse).to_bits().wrapping_sub(ROUNDING.to_bits()).cast_signed();
    // A float this large has no fraction left, so its low bits are the rounded value.
    let offset = ROUNDING.to_bits().cast_signed() - zero;
    for (byte, &value) in bytes.iter_mut().zip(values) {
        let rounded = (value * inverse + ROUNDING).to_bits().cast_signed() - offset;
        *byte = rounded.clamp(0, 255) as u8;
    }
    (scale, zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn exp_is_accurate_where_softmax_uses_it() {
        for step in 0..87_000 {
            let x = -0.001 * step as f32;
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) - exact).abs() <= 4e-7 * exact, "{x}");
        }
        assert!(exp(-1e30) < 1e-37);
    }

    #[test]
    fn gelu_is_zero_far_left_and_the_identity_far_right() {
        assert!(gelu(-30.0).abs() < 1e-4);
        assert!((gelu(30.0) - 30.0).abs() < 1e-4);
        // The distribution function at 1, from a table.
        assert!((gelu(1.0) - 0.841_344_7).abs() < 1e-5);
        assert!((gelu(-1.0) + 0.158_655_3).abs() < 1e-5);
    }

    proptest! {
        #[test]
        fn quantising_keeps_values_within_half_a_step(values in prop::collection::vec(-1e4f32..1e4, 32)) {
            let mut bytes = [0; 32];
            let (scale, zero) = quantise(&values, &mut bytes);
            for (&value, &byte) in values.iter().zip(&bytes) {
                prop_assert!((value - (i32::from(byte) - zero) as f32 * scale).abs() <= 1.01 * scale);
            }
        }
    }

    #[test]
    fn a_row_of_zeros_stays_zero() {
        let mut bytes = [7; 16];
        let (_, zero) = quantise(&[0.0; 16], &mut bytes);
        assert!(bytes.iter().all(|&byte| i32::from(byte) == zero));
    }
}

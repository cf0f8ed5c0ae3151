//! Scaled dot-product attention over the tokens of one text, in floats.

use super::math::{LANES, exp, fold, lanes, lanes_mut, larger, sum};
use super::weights::DIMENSIONS;

const HEADS: usize = 12;
const HEAD: usize = DIMENSIONS / HEADS;
/// A row of the input: queries, keys and values of all heads.
const ROW: usize = 3 * DIMENSIONS;
/// Rows handled together: enough independent sums to keep the multipliers busy.
const BLOCK: usize = 4;

/// Buffers that are reused from head to head and from layer to layer.
#[derive(Default)]
pub(super) struct Attention {
    /// The keys of a head: of sixteen tokens the first component, then the second one, and so on; padded with zeros.
    keys: Vec<f32>,
    /// The values of a head, token after token: side by side they stay in the nearest cache.
    values: Vec<f32>,
    /// The weights that [`BLOCK`] tokens give to every token, padded alike.
    scores: Vec<f32>,
}

impl Attention {
    /// Lets every token gather the values of all tokens; `input` has rows of 3 x 384, `output` of 384.
    #[inline(always)]
    pub(super) fn apply(&mut self, input: &[f32], output: &mut [f32]) {
        let tokens = input.len() / ROW;
        let padded = tokens.next_multiple_of(LANES);
        self.keys.clear();
        self.keys.resize(padded * HEAD, 0.0);
        self.scores.resize(padded * BLOCK, 0.0);
        for head in 0..HEADS {
            self.copy_head(input, head);
            for first in (0..tokens).step_by(BLOCK) {
                // The last block goes back over rows already done rather than beyond the end; one that is alone
                // repeats its last row.
                let rows: [usize; BLOCK] = std::array::from_fn(|row| (first + row).min(tokens - 1));
                self.score(input, head, rows, tokens);
                self.gather(head, rows, output);
            }
        }
    }

    #[inline(always)]
    fn copy_head(&mut self, input: &[f32], head: usize) {
        self.values.clear();
        for (token, row) in input.chunks_exact(ROW).enumerate() {
            let key = &row[DIMENSIONS + head * HEAD..][..HEAD];
            for (component, &value) in key.iter().enumerate() {
                self.keys[(token / LANES * HEAD + component) * LANES + token % LANES] = value;
            }
            self.values.extend_from_slice(&row[2 * DIMENSIONS + head * HEAD..][..HEAD]);
        }
    }

    /// Fills `scores` with the weights, not yet divided by their sum.
    #[inline(always)]
    fn score(&mut self, input: &[f32], head: usize, rows: [usize; BLOCK], tokens: usize) {
        let padded = tokens.next_multiple_of(LANES);
        let scale = 1.0 / (HEAD as f32).sqrt();
        let mut queries = [[0.0; HEAD]; BLOCK];
        for (scaled, row) in queries.iter_mut().zip(rows) {
            let query = &input[row * ROW + head * HEAD..][..HEAD];
            for (scaled, &value) in scaled.iter_mut().zip(query) {
                *scaled = value * scale;
            }
        }
        let keys = lanes(&self.keys);
        let columns = padded / LANES;
        for column in 0..columns {
            let mut totals = [[0.0; LANES]; BLOCK];
            for component in 0..HEAD {
                let keys = keys[column * HEAD + component];
                for row in 0..BLOCK {
                    totals[row] = add_scaled(totals[row], queries[row][component], keys);
                }
            }
            for (row, totals) in totals.into_iter().enumerate() {
                lanes_mut(&mut self.scores)[row * columns + column] = totals;
            }
        }
        for scores in self.scores.chunks_exact_mut(padded) {
            // Padding must not attract attention.
            scores[tokens..].fill(f32::MIN);
            let mut highest = [f32::MIN; LANES];
            for chunk in lanes(scores) {
                for (high, &score) in highest.iter_mut().zip(chunk) {
                    *high = larger(*high, score);
                }
            }
            let highest = fold(highest, larger);
            for chunk in lanes_mut(scores) {
                for score in chunk {
                    *score = exp(*score - highest);
                }
            }
        }
    }

    /// Writes the weighted means of the values.
    #[inline(always)]
    fn gather(&self, head: usize, rows: [usize; BLOCK], output: &mut [f32]) {
        let padded = self.scores.len() / BLOCK;
        let (first_two, last_two) = self.scores.split_at(2 * padded);
        let (first, second) = first_two.split_at(padded);
        let (third, fourth) = last_two.split_at(padded);
        let scores = first.iter().zip(second).zip(third.iter().zip(fourth));
        // Four variables rather than an array, iterators rather than indices: the compiler would keep an array in
        // memory, and store it in every step.
        let (mut a, mut b, mut c, mut d) = ([0.0; HEAD], [0.0; HEAD], [0.0; HEAD], [0.0; HEAD]);
        for (&values, ((&first, &second), (&third, &fourth))) in self.values.as_chunks().0.iter().zip(scores) {
            a = add_scaled(a, first, values);
            b = add_scaled(b, second, values);
            c = add_scaled(c, third, values);
            d = add_scaled(d, fourth, values);
        }
        let totals = [a, b, c, d];
        for ((scores, totals), row) in self.scores.chunks_exact(padded).zip(&totals).zip(rows) {
            let inverse = 1.0 / sum(scores);
            let output = &mut output[row * DIMENSIONS + head * HEAD..][..HEAD];
            for (output, &total) in output.iter_mut().zip(totals) {
                *output = total * inverse;
            }
        }
    }
}

/// `totals + scale * values`, by value so that the compiler keeps all of it in registers.
#[inline(always)]
fn add_scaled<const N: usize>(mut totals: [f32; N], scale: f32, values: [f32; N]) -> [f32; N] {
    for (total, value) in totals.iter_mut().zip(values) {
        *total += scale * value;
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The textbook formula in double precision.
    fn attend(input: &[f32], token: usize, head: usize) -> Vec<f64> {
        let part = |row: usize, offset: usize| {
            input[row * ROW + offset + head * HEAD..][..HEAD].iter().map(|&value| f64::from(value))
        };
        let tokens = input.len() / ROW;
        let weights: Vec<f64> = (0..tokens)
            .map(|other| part(token, 0).zip(part(other, DIMENSIONS)).map(|(q, k)| q * k).sum::<f64>() / 32f64.sqrt())
            .map(f64::exp)
            .collect();
        let mut mean = vec![0.0; HEAD];
        for (other, weight) in weights.iter().enumerate() {
            for (mean, value) in mean.iter_mut().zip(part(other, 2 * DIMENSIONS)) {
                *mean += weight * value / weights.iter().sum::<f64>();
            }
        }
        mean
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn attention_is_the_textbook_formula(tokens in 1usize..40, seed in any::<u32>()) {
            let mut state = seed;
            let input: Vec<f32> = (0..tokens * ROW)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 8) as f32 / 8_388_608.0 - 1.0
                })
                .collect();
            let mut output = vec![0.0; tokens * DIMENSIONS];
            Attention::default().apply(&input, &mut output);
            for token in [0, tokens / 2, tokens - 1] {
                for head in [0, 5, 11] {
                    let found = &output[token * DIMENSIONS + head * HEAD..][..HEAD];
                    for (&found, expected) in found.iter().zip(attend(&input, token, head)) {
                        prop_assert!((f64::from(found) - expected).abs() < 1e-5);
                    }
                }
            }
        }
    }
}

//! The forward pass: token ids in, the last layer's states and their mean out.

use vectors::kernel::{InstructionSet, Kernel, Task};

use super::attention::Attention;
use super::linear::{self, Quantised};
use super::math::{add_and_normalise, gelu, sum};
use super::tokens::UNKNOWN;
use super::weights::{DIMENSIONS, Layer, MAX_TOKENS, Norm, Table, WIDE, Weights};

/// Takes the states of all tokens through the layers. Of the last layer only the first `wanted` states are made: tokens look at each
/// other before that, and what the others would become there is nobody's business.
///
/// All models come through here: it is compiled for every instruction set, which takes its time, and so is done once.
pub(super) fn pass(kernel: Kernel, layers: &[Layer], states: &mut [f32], wanted: usize) {
    kernel.run(Pass { layers, states, wanted });
}

struct Pass<'a> {
    layers: &'a [Layer],
    states: &'a mut [f32],
    wanted: usize,
}

impl Task for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: InstructionSet>(self, set: S) {
        let Self { layers, states, wanted } = self;
        let count = states.len() / DIMENSIONS;
        let mut narrow = vec![0.0; count * DIMENSIONS];
        let mut wide = vec![0.0; count * WIDE];
        let mut quantised = Quantised::default();
        let mut attention = Attention::default();
        for (index, layer) in layers.iter().enumerate() {
            let mixed = &mut wide[..count * 3 * DIMENSIONS];
            quantised.fill(states, DIMENSIONS);
            linear::apply(set, &layer.attention, &quantised, |x| x, mixed);
            attention.apply(mixed, &mut narrow);

            let made = if index + 1 == layers.len() { wanted } else { count };
            let (states, narrow) = (&mut states[..made * DIMENSIONS], &mut narrow[..made * DIMENSIONS]);
            let wide = &mut wide[..made * WIDE];
            quantised.fill(narrow, DIMENSIONS);
            linear::apply(set, &layer.attention_out, &quantised, |x| x, narrow);
            add_to_each(states, narrow, &layer.attention_norm);
            quantised.fill(states, DIMENSIONS);
            linear::apply(set, &layer.widen, &quantised, gelu, wide);
            quantised.fill(wide, WIDE);
            linear::apply(set, &layer.narrow, &quantised, |x| x, narrow);
            add_to_each(states, narrow, &layer.norm);
        }
    }
}

#[inline(always)]
fn add_to_each(states: &mut [f32], changes: &[f32], norm: &Norm) {
    for (state, change) in states.chunks_exact_mut(DIMENSIONS).zip(changes.chunks_exact(DIMENSIONS)) {
        add_and_normalise(state, change, norm);
    }
}

/// The vector of a text of at most [`MAX_TOKENS`], and the state of each token.
pub(super) fn embed(kernel: Kernel, weights: &Weights, tokens: &[u32]) -> ([f32; DIMENSIONS], Vec<f32>) {
    debug_assert!(tokens.len() <= MAX_TOKENS);
    if tokens.is_empty() {
        return ([0.0; DIMENSIONS], Vec::new());
    }
    let mut states = begin(weights, tokens);
    pass(kernel, &weights.layers, &mut states, tokens.len());
    (pool(&states), states)
}

/// The states before the first layer: word, segment and position, added and normalised.
fn begin(weights: &Weights, tokens: &[u32]) -> Vec<f32> {
    let Weights { words, positions, segment, norm, .. } = weights;
    let mut states = vec![0.0; tokens.len() * DIMENSIONS];
    let mut position = [0.0; DIMENSIONS];
    for (index, (&token, state)) in tokens.iter().zip(states.chunks_exact_mut(DIMENSIONS)).enumerate() {
        look_up(words, token, state);
        for (value, &segment) in state.iter_mut().zip(segment) {
            *value += segment;
        }
        decode(positions, index, &mut position);
        add_and_normalise(state, &position, norm);
    }
    states
}

/// The embedding of a token by itself.
pub(super) fn look_up(words: &Table, token: u32, values: &mut [f32]) {
    let word = usize::try_from(token).unwrap_or(usize::MAX);
    decode(words, if word < words.rows.len() { word } else { UNKNOWN as usize }, values);
}

fn decode(table: &Table, row: usize, values: &mut [f32]) {
    for (value, &byte) in values.iter_mut().zip(&table.rows[row]) {
        *value = (f32::from(byte) - table.zero) * table.scale;
    }
}

/// The mean over all tokens, the special ones included as in the reference, scaled to length 1.
fn pool(states: &[f32]) -> [f32; DIMENSIONS] {
    let mut vector = [0.0f32; DIMENSIONS];
    for state in states.chunks_exact(DIMENSIONS) {
        for (total, &value) in vector.iter_mut().zip(state) {
            *total += value;
        }
    }
    let squares = vector.map(|value| value * value);
    // The length also takes care of dividing by the number of tokens. No text gives a vector of zeros; should one,
    // zeros are better than NaN.
    let length = sum(&squares).sqrt().max(f32::MIN_POSITIVE);
    vector.map(|value| value / length)
}

//! Two texts read side by side, so that each word of one is seen beside all of the other.

use std::{collections::HashSet, ops::Range};

use vectors::kernel::Kernel;

use crate::math::{add_and_normalise, dot};
use crate::tokens::{CLOSING, OPENING};
use crate::transformer::{look_up, pass};
use crate::weights::{DIMENSIONS, Head, PairWeights, TRAITS};

/// A token with the bytes it stands for.
pub(super) type Placed = (u32, Range<usize>);

/// What is asked, and the text beside it.
pub(super) struct Pair {
    pub(super) tokens: [Vec<Placed>; 2],
    traits: [Vec<[bool; TRAITS]>; 2],
}

impl Pair {
    /// Two texts with their tokens, which may be cut short.
    pub(super) fn new((asked, asked_tokens): (&str, Vec<Placed>), (told, told_tokens): (&str, Vec<Placed>)) -> Self {
        let traits = [
            traits(asked, &asked_tokens, &said(told, &told_tokens)),
            traits(told, &told_tokens, &said(asked, &asked_tokens)),
        ];
        Self { tokens: [asked_tokens, told_tokens], traits }
    }

    /// The states of all tokens after the last layer: the opening one, those asked, a closing one, those told, another.
    pub(super) fn states(&self, kernel: Kernel, weights: &PairWeights) -> Vec<f32> {
        let mut states = self.look_up(weights);
        let count = states.len() / DIMENSIONS;
        pass(kernel, &weights.layers, &mut states, count);
        states
    }

    /// The state of the opening token alone, which stands for both texts.
    pub(super) fn opening_state(&self, kernel: Kernel, weights: &PairWeights) -> Vec<f32> {
        let mut states = self.look_up(weights);
        pass(kernel, &weights.layers, &mut states, 1);
        states.truncate(DIMENSIONS);
        states
    }

    /// The states before the first layer: word, segment, position and traits, added and normalised.
    fn look_up(&self, weights: &PairWeights) -> Vec<f32> {
        let Self { tokens: [asked, told], traits: [asked_traits, told_traits] } = self;
        let special = |id: u32, segment: usize| (id, segment, [false; TRAITS]);
        let of = |segment: usize| move |((id, _), traits): (&Placed, &[bool; TRAITS])| (*id, segment, *traits);
        let tokens = std::iter::once(special(OPENING, 0))
            .chain(asked.iter().zip(asked_traits).map(of(0)))
            .chain([special(CLOSING, 0)])
            .chain(told.iter().zip(told_traits).map(of(1)))
            .chain([special(CLOSING, 1)]);
        let mut states = vec![0.0; (asked.len() + told.len() + 3) * DIMENSIONS];
        let positions = weights.positions.chunks_exact(DIMENSIONS);
        for (((id, segment, traits), position), state) in tokens.zip(positions).zip(states.chunks_exact_mut(DIMENSIONS))
        {
            look_up(&weights.words, id, state);
            let known = weights.traits.chunks_exact(DIMENSIONS).zip(traits).filter(|(_, has)| *has);
            for added in known.map(|(row, _)| row).chain([&*weights.segments[segment]]) {
                state.iter_mut().zip(added).for_each(|(value, added)| *value += added);
            }
            add_and_normalise(state, position, &weights.norm);
        }
        states
    }
}

fn said(text: &str, tokens: &[Placed]) -> HashSet<String> {
    tokens.iter().map(|(_, place)| text[place.clone()].to_lowercase()).collect()
}

/// What is known of each token besides its letters.
fn traits(text: &str, tokens: &[Placed], beside: &HashSet<String>) -> Vec<[bool; TRAITS]> {
    let mut end = 0;
    let traits = |(_, place): &Placed| {
        let (gap, word) = (&text[end.min(place.start)..place.start], &text[place.clone()]);
        let is_first = end == 0;
        end = place.end;
        let is_sign = !word.contains(|c: char| c.is_alphanumeric() || c == '_');
        [
            !is_sign && beside.contains(&word.to_lowercase()),
            gap.contains('\n'),
            gap.is_empty(),
            word.starts_with(char::is_uppercase),
            word.contains(char::is_numeric),
            is_sign,
            is_first,
        ]
    };
    tokens.iter().map(traits).collect()
}

impl Head {
    #[inline(always)]
    pub(super) fn apply(&self, state: &[f32]) -> Vec<f32> {
        (0..self.biases.len()).map(|output| self.output(output, state)).collect()
    }

    #[inline(always)]
    pub(super) fn output(&self, output: usize, state: &[f32]) -> f32 {
        dot(&self.weights[output * DIMENSIONS..(output + 1) * DIMENSIONS], state) + self.biases[output]
    }
}

//! A text as the model reads it: its vector, and those of its tokens in a short form.
//!
//! The short form of a token is its last state without what all states have in common, along the 128 axes on which states differ
//! most, scaled to length 1.

use vectors::kernel::{InstructionSet, Task};
use vectors::{TOKEN_DIMENSIONS, TokenVector};

use super::math::{dot, sum};
use super::weights::DIMENSIONS;

/// What the model made of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The vector of the text, of length 1.
    pub vector: [f32; DIMENSIONS],
    /// The tokens that were asked for, in the order of the text.
    pub tokens: Vec<Token>,
}

/// A token of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// The token.
    pub piece: Piece,
    /// What it means where it stands.
    pub vector: TokenVector,
}

/// A word or a part of one, as the vocabulary has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Its letters, in lower case and without accents; empty for what the vocabulary cannot spell.
    pub letters: &'static str,
    /// Its place in the vocabulary. Entries that begin a word are in the order of how common they are in English, from about
    /// 2,000 on.
    pub id: u32,
    /// Of how many pieces its word is.
    pub of: usize,
}

/// The directions in which the states of tokens differ.
pub(super) struct Axes {
    mean: [f32; DIMENSIONS],
    axes: Vec<[f32; DIMENSIONS]>,
}

impl Axes {
    pub(super) fn load() -> Self {
        let read = |bytes: &[u8]| -> [f32; DIMENSIONS] {
            let (values, _) = bytes.as_chunks::<4>();
            std::array::from_fn(|place| f32::from_le_bytes(values[place]))
        };
        let axes: &[u8; 4 * DIMENSIONS * TOKEN_DIMENSIONS] = parameters::TOKEN_AXES;
        Self { mean: read(parameters::TOKEN_MEAN), axes: axes.chunks_exact(4 * DIMENSIONS).map(read).collect() }
    }
}

/// Brings the states of tokens into their short form.
pub(super) struct Shorten<'a> {
    pub(super) axes: &'a Axes,
    pub(super) states: &'a [&'a [f32]],
}

impl Task for Shorten<'_> {
    type Output = Vec<TokenVector>;

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) -> Vec<TokenVector> {
        let Self { axes: Axes { mean, axes }, states } = self;
        let mut shortened = Vec::with_capacity(states.len());
        for state in states {
            let mut difference = [0.0; DIMENSIONS];
            for ((difference, value), mean) in difference.iter_mut().zip(*state).zip(mean) {
                *difference = value - mean;
            }
            let mut token = [0.0; TOKEN_DIMENSIONS];
            for (component, axis) in token.iter_mut().zip(axes) {
                *component = dot(&difference, axis);
            }
            let squares = token.map(|value| value * value);
            let length = sum(&squares).sqrt().max(f32::MIN_POSITIVE);
            shortened.push(token.map(|value| value / length));
        }
        shortened
    }
}

//! From a text to its vector.

use vectors::{TokenVector, kernel::Kernel};

use crate::reading::{Axes, Piece, Reading, Shorten, Token};
use crate::tokens::Tokenizer;
use crate::transformer;
use crate::weights::{DIMENSIONS, MAX_TOKENS, Weights};

/// Turns texts into vectors. Shared freely between threads: encoding changes nothing in it.
pub struct Encoder {
    kernel: Kernel,
    tokenizer: &'static Tokenizer,
    weights: Weights,
    axes: Axes,
}

impl Encoder {
    /// Prepares the model that is part of the binary, for the fastest kernel of this processor.
    ///
    /// Takes about a millisecond and less than 2 MB: the weights stay where the binary has them.
    pub fn load() -> Self {
        Self::with_kernel(Kernel::detect())
    }

    /// Prepares the model for a given kernel, to compare kernels.
    pub fn with_kernel(kernel: Kernel) -> Self {
        Self { kernel, tokenizer: Tokenizer::shared(), weights: Weights::load(), axes: Axes::load() }
    }

    /// What the vectors of all texts have in common; see `Vectors::new`.
    pub fn centre(&self) -> &[f32; DIMENSIONS] {
        &self.weights.centre
    }

    /// The kernel in use.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The token ids of `text`, opened by `[CLS]`, closed by `[SEP]`, at most [`MAX_TOKENS`].
    pub fn tokenize(&self, text: &str) -> Vec<u32> {
        self.tokenizer.tokenize(text)
    }

    /// The vector of `text`, of length 1: the more similar two texts, the larger the dot product of their vectors.
    ///
    /// Even unrelated texts reach about 0.7, so only the order of such products means something.
    pub fn embed(&self, text: &str) -> [f32; DIMENSIONS] {
        self.embed_tokens(&self.tokenize(text))
    }

    /// The vector of a text given as token ids, `[CLS]` and `[SEP]` included.
    ///
    /// What exceeds [`MAX_TOKENS`] is ignored, an id outside the vocabulary counts as unknown word, and no tokens at
    /// all give the zero vector.
    pub fn embed_tokens(&self, tokens: &[u32]) -> [f32; DIMENSIONS] {
        self.pass(&tokens[..tokens.len().min(MAX_TOKENS)]).0
    }

    /// The vector of `text`, and the tokens of it that are asked for.
    pub fn read(&self, text: &str, is_wanted: impl Fn(Piece) -> bool) -> Reading {
        let ids = self.tokenize(text);
        let (vector, states) = self.pass(&ids);
        let states = states.chunks_exact(DIMENSIONS);
        let wanted = self.tokenizer.pieces(&ids).into_iter().zip(states).filter(|(piece, _)| is_wanted(*piece));
        let (pieces, states): (Vec<Piece>, Vec<&[f32]>) = wanted.unzip();
        let vectors = self.shortened(&states);
        let tokens = pieces.into_iter().zip(vectors).map(|(piece, vector)| Token { piece, vector }).collect();
        Reading { vector, tokens }
    }

    // Apart from what is generic, which whoever calls it compiles anew: in a test without optimisation.

    /// The vector of a text and the states of its tokens.
    fn pass(&self, tokens: &[u32]) -> ([f32; DIMENSIONS], Vec<f32>) {
        transformer::embed(self.kernel, &self.weights, tokens)
    }

    fn shortened(&self, states: &[&[f32]]) -> Vec<TokenVector> {
        self.kernel.run(Shorten { axes: &self.axes, states })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;
    use vectors::dot;

    static ENCODER: LazyLock<Encoder> = LazyLock::new(Encoder::load);

    /// What onnxruntime made of a few texts: the text, its tokens, its vector.
    fn reference() -> Vec<(&'static str, Vec<u32>, Vec<f32>)> {
        include_str!("../../parameters/models/gte-small-int8/reference.tsv")
            .lines()
            .map(|line| {
                let fields: Vec<&str> = line.split('\t').collect();
                let tokens = fields[1].split(' ').map(|id| id.parse().unwrap()).collect();
                (fields[0], tokens, fields[2].split(' ').map(|value| value.parse().unwrap()).collect())
            })
            .collect()
    }

    #[test]
    fn vectors_agree_with_onnxruntime() {
        for (text, tokens, vector) in reference() {
            assert_eq!(ENCODER.tokenize(text), tokens, "{text}");
            let cosine = dot(&ENCODER.embed(text), &vector);
            assert!(cosine > 0.99, "{text}: {cosine}");
        }
    }

    #[test]
    fn every_kernel_gives_the_same_bits() {
        for kernel in Kernel::available() {
            let encoder = Encoder::with_kernel(kernel);
            for (text, ..) in reference() {
                assert_eq!(encoder.embed(text), ENCODER.embed(text), "{} on {text}", kernel.name());
            }
        }
    }

    #[test]
    fn every_machine_gives_the_same_bits() {
        let bits = reference().into_iter().flat_map(|(text, ..)| ENCODER.embed(text)).map(f32::to_bits);
        let digest = bits.fold(0u64, |digest, bits| digest.wrapping_mul(31).wrapping_add(u64::from(bits)));
        // Stored vectors and new ones are compared with each other: if this changes, all must be computed anew.
        assert_eq!(digest, 5_303_762_444_626_382_996);
    }

    #[test]
    fn a_text_has_one_vector() {
        let first = ENCODER.embed("Ana lives in Lisbon");
        let _ = ENCODER.embed(&"something long in between ".repeat(40));
        assert_eq!(ENCODER.embed("Ana lives in Lisbon"), first);
    }

    #[test]
    fn vectors_have_length_one() {
        for text in ["", "tea", "\u{0}", &"long ".repeat(1000)] {
            let vector = ENCODER.embed(text);
            assert!((dot(&vector, &vector) - 1.0).abs() < 1e-5, "{text:?}");
        }
    }

    #[test]
    fn similar_texts_are_closer_than_unrelated_ones() {
        let query = ENCODER.embed("Where does Ana live?");
        let home = ENCODER.embed("Ana moved into a flat in Lisbon");
        let other = ENCODER.embed("The importer retries three times");
        assert!(dot(&query, &home) > dot(&query, &other) + 0.05);
    }

    #[test]
    fn a_text_is_read_as_its_vector_and_its_tokens() {
        let reading = ENCODER.read("The embeddings of Ana", |piece| !["the", "of", ""].contains(&piece.letters));
        assert_eq!(reading.vector, ENCODER.embed("The embeddings of Ana"));
        let pieces: Vec<_> = reading.tokens.iter().map(|token| (token.piece.letters, token.piece.of)).collect();
        assert_eq!(pieces, [("em", 4), ("bed", 4), ("ding", 4), ("s", 4), ("ana", 1)]);
        for token in &reading.tokens {
            assert!((dot(&token.vector, &token.vector) - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn a_word_is_closer_to_itself_in_the_same_sense_than_in_another() {
        let bank = |text: &str| {
            let reading = ENCODER.read(text, |piece| piece.letters == "bank");
            reading.tokens[0].vector
        };
        let money = bank("I took out a loan at the bank");
        let savings = bank("The bank pays interest on savings");
        let river = bank("We sat on the grassy bank of the river");
        assert!(dot(&money, &savings) > dot(&money, &river) + 0.1);
    }

    #[test]
    fn every_kernel_reads_the_same_bits() {
        for kernel in Kernel::available() {
            let encoder = Encoder::with_kernel(kernel);
            assert_eq!(encoder.read("Ana lives in Lisbon", |_| true), ENCODER.read("Ana lives in Lisbon", |_| true));
        }
    }

    #[test]
    fn no_tokens_give_the_zero_vector() {
        assert_eq!(ENCODER.embed_tokens(&[]), [0.0; DIMENSIONS]);
    }

    #[test]
    fn unknown_ids_and_excess_tokens_are_tolerated() {
        let tokens = vec![u32::MAX; MAX_TOKENS + 10];
        assert_eq!(ENCODER.embed_tokens(&tokens), ENCODER.embed_tokens(&[crate::tokens::UNKNOWN; MAX_TOKENS]));
    }
}

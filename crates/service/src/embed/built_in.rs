//! The model that is part of the program.

use std::sync::OnceLock;

use encoder::{Encoder, Judge, Matter, Token};
use vectors::WeightedToken;

use super::pieces::{is_telling, rarity};
use super::{EmbedError, Embedded, Embedder};

/// The model inside the binary.
#[derive(Default)]
pub struct BuiltIn {
    /// Prepared when the first text comes, so that the service answers before.
    encoder: OnceLock<Encoder>,
    answers: OnceLock<Judge>,
    replaces: OnceLock<Judge>,
}

impl BuiltIn {
    /// The model that tells a matter of two texts.
    pub fn judge(&self, matter: Matter) -> &Judge {
        let judge = match matter {
            Matter::Answers => &self.answers,
            Matter::Replaces => &self.replaces,
        };
        judge.get_or_init(|| Judge::of(matter))
    }
}

/// The name of the built-in model; changes whenever its vectors do.
pub const BUILT_IN_MODEL: &str = "gte-small-notes";

impl Embedder for BuiltIn {
    fn model_id(&self) -> &str {
        BUILT_IN_MODEL
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let encoder = self.encoder.get_or_init(Encoder::load);
        Ok(texts.iter().map(|text| encoder.embed(text).to_vec()).collect())
    }

    fn read(&self, texts: &[&str]) -> Result<Vec<Embedded>, EmbedError> {
        let encoder = self.encoder.get_or_init(Encoder::load);
        let token = |Token { piece, vector }| WeightedToken { vector, weight: rarity(piece) };
        let read = |text: &&str| {
            let reading = encoder.read(text, is_telling);
            let tokens = reading.tokens.into_iter().map(token).collect();
            Embedded { vector: reading.vector.to_vec(), tokens }
        };
        Ok(texts.iter().map(read).collect())
    }

    fn centre(&self) -> Result<Vec<f32>, EmbedError> {
        Ok(self.encoder.get_or_init(Encoder::load).centre().to_vec())
    }

    fn texts_at_once(&self) -> usize {
        // The model gains nothing by company, but handing texts over takes time, and a stop should be heard soon.
        8
    }
}

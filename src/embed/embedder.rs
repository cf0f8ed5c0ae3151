//! What makes vectors of texts: the built-in model, or another one behind the same door.

use std::sync::{Arc, OnceLock};

use super::Encoder;
use super::centre::centre_of;

/// Turns texts into vectors. Calls block and may take a while; they belong on a thread of their own.
pub trait Embedder: Send + Sync {
    /// Names the model. Vectors of different models cannot be compared.
    fn model_id(&self) -> &str;

    /// One vector of length 1 for each text, all with the same number of components. A text too long for the model is
    /// cut. The same text has the same vector, whatever stands beside it.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// The middle of its vectors: what the vectors of texts with nothing in common have in common. Always the same.
    fn centre(&self) -> Result<Vec<f32>, EmbedError> {
        centre_of(self)
    }

    /// How many texts one call best carries.
    fn texts_at_once(&self) -> usize;

    /// The same embedder with another of its models, if it may have it.
    fn sibling(&self, _model_id: &str) -> Option<Arc<dyn Embedder>> {
        None
    }

    /// Whether it is reached over a network, and may be out of reach.
    fn is_remote(&self) -> bool {
        false
    }
}

/// Why texts have no vectors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    /// Nothing is wrong with the texts: the same call may succeed later.
    #[error("the embedding model cannot be reached: {0}")]
    Unavailable(String),
    /// These texts are not taken; others may be.
    #[error("the embedding model refused: {0}")]
    Refused(String),
}

/// The model inside the binary.
#[derive(Default)]
pub struct BuiltIn {
    /// Prepared when the first text comes, so that the service answers before.
    encoder: OnceLock<Encoder>,
}

/// The name of the built-in model; changes whenever its vectors do.
pub(crate) const BUILT_IN_MODEL: &str = "gte-small-int8";

impl Embedder for BuiltIn {
    fn model_id(&self) -> &str {
        BUILT_IN_MODEL
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let encoder = self.encoder.get_or_init(Encoder::load);
        Ok(texts.iter().map(|text| encoder.embed(text).to_vec()).collect())
    }

    fn centre(&self) -> Result<Vec<f32>, EmbedError> {
        Ok(self.encoder.get_or_init(Encoder::load).centre().to_vec())
    }

    fn texts_at_once(&self) -> usize {
        // The model gains nothing by company, but handing texts over takes time, and a stop should be heard soon.
        8
    }
}

//! What makes vectors of texts: the built-in model, or any behind an OpenAI-compatible endpoint.

mod built_in;
mod embedder;
mod pieces;
mod remote;

pub use built_in::{BUILT_IN_MODEL, BuiltIn};
pub use embedder::{EmbedError, Embedded, Embedder};
pub use remote::Remote;

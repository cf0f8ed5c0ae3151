//! The built-in encoder: a text in, a unit vector out, without network, shared library or model file to install. Uses the
//! kernels of `vectors`, nothing else of the project.
//!
//! The model is gte-small (BERT, 12 layers, 384 dimensions) with 8-bit weights, part of the binary; `models/` has its
//! origin and licence.
//!
//! Invariants:
//! - A text has one vector. Activations are quantised for each token by itself, so nothing processed beside a text
//!   changes it, and every kernel gives the same bits, so neither does the machine.
//! - Encoding never fails and never panics, whatever the text.

mod attention;
mod characters;
mod encoder;
#[cfg(test)]
mod fuzz;
mod linear;
mod math;
mod reading;
mod related;
mod spelling;
mod tokens;
mod transformer;
mod vocabulary;
mod weights;

pub use encoder::Encoder;
pub use reading::{Piece, Reading, Token};
pub use related::related;
pub use spelling::{is_common, spelt_like};
pub use weights::{DIMENSIONS, MAX_TOKENS};

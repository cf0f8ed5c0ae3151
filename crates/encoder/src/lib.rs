//! The built-in models, without network, shared library or model file to install. Uses the kernels of `vectors`, nothing else
//! of the project.
//!
//! [`Encoder`]: a text in, a unit vector out; gte-small (BERT, 12 layers, 384 dimensions) with 8-bit weights. [`Marker`]: an edit
//! request and its text in, marks on their words out; as many layers, trained for it. [`Judge`]: two texts in, the odds
//! of a [`Matter`] out; six such layers for each. All are part of the binary; `models/` has their origin and licence.
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
mod judge;
mod linear;
mod marks;
mod math;
mod pair;
mod reading;
mod related;
mod spelling;
mod tokens;
mod transformer;
mod vocabulary;
mod weights;

pub use encoder::Encoder;
pub use judge::{Judge, Matter};
pub use marks::{Commands, Marker, Marks, RequestMark, TextMark};
pub use reading::{Piece, Reading, Token};
pub use related::related;
pub use spelling::{is_common, spelt_like};
pub use weights::{DIMENSIONS, MAX_TOKENS};

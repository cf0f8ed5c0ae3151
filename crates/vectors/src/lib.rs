//! Vectors in nine bits a component and the search over them, how close two of them are in floats, vectors of tokens in four
//! bits, and the [`kernel`]s that
//! take dot products of bytes: the only place of the project with `unsafe` code. Uses no other crate of the project.

mod best;
mod block;
mod collection;
mod dot;
#[expect(unsafe_code, reason = "the one place with processor instructions")]
pub mod kernel;
mod packed;
mod scan;
mod sketch;
mod tokens;

pub use best::Hit;
pub use collection::Vectors;
pub use dot::dot;
pub use packed::{Packed, pack, unpack};
pub use tokens::{TOKEN_DIMENSIONS, TokenVector, WeightedToken, held, likeness, pack_tokens};

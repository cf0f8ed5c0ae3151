//! What the built-in models have learned, as it lies beside this file.
//!
//! A crate by itself: to compile these 79 MB takes longer than all code that reads them, which changes more often.

/// Puts the bytes where 64-byte loads never straddle two cache lines.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

/// The encoder: layers, tables of words and positions.
pub static ENCODING: &[u8] = &Aligned(*include_bytes!("gte-small-int8/weights.bin")).0;

/// What marks the words of edit requests.
pub static MARKING: &[u8] = &Aligned(*include_bytes!("marks/weights.bin")).0;

/// What tells whether a text answers a question.
pub static ANSWERING: &[u8] = &Aligned(*include_bytes!("judge/weights.bin")).0;

/// What tells whether a text replaces another.
pub static REPLACING: &[u8] = &Aligned(*include_bytes!("replacing/weights.bin")).0;

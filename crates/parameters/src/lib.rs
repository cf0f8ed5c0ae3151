//! What the built-in models have learned, as it lies in `models`, where is written how they did.
//!
//! A crate by itself: to compile 79 MB takes longer than all code that reads them, which changes more often.

/// Puts the bytes where 64-byte loads never straddle two cache lines.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

/// The encoder: its layers, and its tables of words and positions.
pub static ENCODING: &[u8] = &Aligned(*include_bytes!("../models/gte-small-int8/weights.bin")).0;

/// The mean vector of texts.
pub static CENTRE: &[u8; 1536] = include_bytes!("../models/gte-small-int8/centre.bin");

/// The axes on which the states of tokens differ most.
pub static TOKEN_AXES: &[u8; 196_608] = include_bytes!("../models/gte-small-int8/token_axes.bin");

/// The mean state of tokens.
pub static TOKEN_MEAN: &[u8; 1536] = include_bytes!("../models/gte-small-int8/token_mean.bin");

/// The words and pieces of words that all models read, one a line.
pub static VOCABULARY: &str = include_str!("../models/gte-small-int8/vocabulary.txt");

/// How characters are read before words are looked up.
pub static CHARACTERS: &str = include_str!("../models/gte-small-int8/characters.txt");

/// For each word of the vocabulary those that mean something like it.
pub static RELATED: &[u8; 684_624] = include_bytes!("../models/gte-small-int8/related.bin");

/// What marks the words of edit requests.
pub static MARKING: &[u8] = &Aligned(*include_bytes!("../models/marks/weights.bin")).0;

/// What tells whether a text answers a question.
pub static ANSWERING: &[u8] = &Aligned(*include_bytes!("../models/judge/weights.bin")).0;

/// What tells whether a text replaces another.
pub static REPLACING: &[u8] = &Aligned(*include_bytes!("../models/replacing/weights.bin")).0;

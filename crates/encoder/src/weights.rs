//! The packed model as the binary carries it: large tables are borrowed from there, small ones copied.
//!
//! The layout is the one that `models/gte-small-int8/pack.py` writes and the README beside it describes: all weight
//! panels, the two embedding tables, all floats, all column sums; little endian, without a header.

use vectors::kernel::PANEL;

/// Components of a vector.
pub const DIMENSIONS: usize = 384;

/// Most tokens that are read of a text, the opening and the closing one included; the rest is cut.
pub const MAX_TOKENS: usize = 256;

/// Entries of the vocabulary.
pub(super) const WORDS: usize = 30_522;
/// Width of the layer between the two halves of a feed-forward block.
pub(super) const WIDE: usize = 4 * DIMENSIONS;
const LAYERS: usize = 12;

/// Puts the bytes where 64-byte loads never straddle two cache lines.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

static PACKED: &Aligned<[u8]> = &Aligned(*include_bytes!("../models/gte-small-int8/weights.bin"));

static CENTRE: &[u8; 4 * DIMENSIONS] = include_bytes!("../models/gte-small-int8/centre.bin");

/// All parameters of the model.
pub(super) struct Weights {
    pub(super) words: Table,
    pub(super) positions: Table,
    /// Added to every token: the embedding of the only segment a text has.
    pub(super) segment: Box<[f32]>,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
    /// The mean vector of single words, which no part of the encoder uses.
    pub(super) centre: [f32; DIMENSIONS],
}

/// Rows of [`DIMENSIONS`] bytes; a value is `(byte - zero) * scale`.
pub(super) struct Table {
    pub(super) rows: &'static [[u8; DIMENSIONS]],
    pub(super) scale: f32,
    pub(super) zero: f32,
}

/// One of the twelve layers, in the order in which its parts are applied.
pub(super) struct Layer {
    /// Queries, keys and values side by side.
    pub(super) attention: Linear,
    pub(super) attention_out: Linear,
    pub(super) attention_norm: Norm,
    pub(super) widen: Linear,
    pub(super) narrow: Linear,
    pub(super) norm: Norm,
}

/// A matrix of 8-bit weights with a scale for each output column.
pub(super) struct Linear {
    /// [`PANEL`] columns after the other, each in the order that [`vectors::kernel`] describes.
    pub(super) panels: &'static [u8],
    pub(super) scales: Box<[f32]>,
    pub(super) biases: Box<[f32]>,
    /// The sum of each column: what a zero point of 1 in the input adds to its result.
    pub(super) column_sums: Box<[i32]>,
}

/// The gains and biases of a layer normalisation.
pub(super) struct Norm {
    pub(super) gains: Box<[f32]>,
    pub(super) biases: Box<[f32]>,
}

impl Weights {
    /// Lays out the packed model.
    pub(super) fn load() -> Self {
        let mut reader = Reader::new(&PACKED.0);
        let [word_scale, word_zero, position_scale, position_zero] = reader.floats().map(f32::from_le_bytes);
        let words = Table { rows: reader.words, scale: word_scale, zero: word_zero };
        let positions = Table { rows: reader.positions, scale: position_scale, zero: position_zero };
        let segment = reader.take_floats(DIMENSIONS);
        let norm = reader.norm();
        let layers = (0..LAYERS)
            .map(|_| Layer {
                attention: reader.linear(DIMENSIONS, 3 * DIMENSIONS),
                attention_out: reader.linear(DIMENSIONS, DIMENSIONS),
                attention_norm: reader.norm(),
                widen: reader.linear(DIMENSIONS, WIDE),
                narrow: reader.linear(WIDE, DIMENSIONS),
                norm: reader.norm(),
            })
            .collect();
        assert!(reader.is_empty(), "the packed model and the layout expected here disagree");
        let mut centre = [0.0; DIMENSIONS];
        for (value, &bytes) in centre.iter_mut().zip(CENTRE.as_chunks().0) {
            *value = f32::from_le_bytes(bytes);
        }
        Self { words, positions, segment, norm, layers, centre }
    }
}

/// The four parts of the file, each read from its front.
struct Reader {
    panels: &'static [u8],
    words: &'static [[u8; DIMENSIONS]],
    positions: &'static [[u8; DIMENSIONS]],
    floats: &'static [[u8; 4]],
    integers: &'static [[u8; 4]],
}

impl Reader {
    fn new(bytes: &'static [u8]) -> Self {
        let layer_columns = 3 * DIMENSIONS + DIMENSIONS + WIDE + DIMENSIONS;
        let (panels, rest) = bytes.split_at(LAYERS * DIMENSIONS * (4 * DIMENSIONS + 2 * WIDE));
        let (words, rest) = rest.split_at(WORDS * DIMENSIONS);
        let (positions, rest) = rest.split_at(MAX_TOKENS * DIMENSIONS);
        let (floats, integers) = rest.split_at(rest.len() - LAYERS * layer_columns * 4);
        Self {
            panels,
            words: words.as_chunks().0,
            positions: positions.as_chunks().0,
            floats: floats.as_chunks().0,
            integers: integers.as_chunks().0,
        }
    }

    fn floats<const COUNT: usize>(&mut self) -> [[u8; 4]; COUNT] {
        let (taken, rest) = self.floats.split_first_chunk().expect("the packed model is complete");
        self.floats = rest;
        *taken
    }

    fn take_floats(&mut self, count: usize) -> Box<[f32]> {
        let (taken, rest) = self.floats.split_at(count);
        self.floats = rest;
        taken.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
    }

    fn norm(&mut self) -> Norm {
        Norm { gains: self.take_floats(DIMENSIONS), biases: self.take_floats(DIMENSIONS) }
    }

    fn linear(&mut self, inner: usize, columns: usize) -> Linear {
        debug_assert!(columns.is_multiple_of(PANEL));
        let (panels, rest) = self.panels.split_at(inner * columns);
        self.panels = rest;
        let (sums, rest) = self.integers.split_at(columns);
        self.integers = rest;
        Linear {
            panels,
            scales: self.take_floats(columns),
            biases: self.take_floats(columns),
            column_sums: sums.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.panels.is_empty() && self.floats.is_empty() && self.integers.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vectors::kernel::MAX_WEIGHT;

    #[test]
    fn weights_stay_in_the_range_the_kernels_rely_on() {
        for linear in Weights::load().layers.iter().flat_map(|l| [&l.attention, &l.attention_out, &l.widen, &l.narrow])
        {
            assert!(linear.panels.iter().all(|&weight| weight.cast_signed().unsigned_abs() <= MAX_WEIGHT as u8));
        }
    }

    #[test]
    fn column_sums_belong_to_the_columns() {
        let layer = &Weights::load().layers[11].narrow;
        let panel = &layer.panels[..WIDE * PANEL];
        let column = |c: usize| panel.chunks_exact(4 * PANEL).flat_map(move |step| &step[4 * c..4 * c + 4]);
        for (c, &sum) in layer.column_sums[..PANEL].iter().enumerate() {
            assert_eq!(column(c).map(|&weight| i32::from(weight.cast_signed())).sum::<i32>(), sum);
        }
    }
}

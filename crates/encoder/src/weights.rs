//! The packed model as the binary carries it: large tables are borrowed from there, small ones copied.
//!
//! The layout is the one that `models/gte-small-int8/pack.py` of [`parameters`] writes and the README beside it describes: all weight
//! panels, the two embedding tables, all floats, all column sums; little endian, without a header. Those of
//! models that read two texts go without the tables: their words are those of the encoder.

use vectors::kernel::PANEL;

/// Components of a vector.
pub const DIMENSIONS: usize = 384;

/// Most tokens that are read of a text, the opening and the closing one included; the rest is cut.
pub const MAX_TOKENS: usize = 256;

/// Entries of the vocabulary.
pub(super) const WORDS: usize = 30_522;
/// Width of the layer between the two halves of a feed-forward block.
pub(super) const WIDE: usize = 4 * DIMENSIONS;
/// Layers of the encoder, and of the model that marks words.
const LAYERS: usize = 12;
/// Layers of the models that tell odds, which read several pairs of texts for each question and each new thought.
const JUDGE_LAYERS: usize = 6;
/// What is known of a token besides its letters, for models that read two texts.
pub(super) const TRAITS: usize = 7;
/// What a request may ask for, for the model that marks words.
const KINDS: usize = 8;
/// Components that two tokens are compared by to see whether one takes the other's place.
pub(super) const LINK: usize = 128;

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
#[derive(Clone, Copy)]
pub(super) struct Table {
    pub(super) rows: &'static [[u8; DIMENSIONS]],
    pub(super) scale: f32,
    pub(super) zero: f32,
}

/// One of the layers, in the order in which its parts are applied.
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

/// The parameters of a model that reads two texts side by side, and looks up words where the encoder does.
pub(super) struct PairWeights {
    pub(super) words: Table,
    /// Row after row.
    pub(super) positions: Box<[f32]>,
    /// Added to the tokens of what is asked, and to those of the text beside it.
    pub(super) segments: [Box<[f32]>; 2],
    /// Added to a token for what is known of it, row after row.
    pub(super) traits: Box<[f32]>,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
}

/// The parameters of the model that marks words.
pub(super) struct MarkingWeights {
    pub(super) pairs: PairWeights,
    pub(super) kinds: Head,
    pub(super) marks: Head,
    /// Of a token of the request, and of the token of the text that it would follow.
    pub(super) links: [Head; 2],
}

/// The parameters of a model that tells the odds of something.
pub(super) struct JudgeWeights {
    pub(super) pairs: PairWeights,
    pub(super) odds: Head,
}

/// A small matrix of floats, output after output.
pub(super) struct Head {
    pub(super) weights: Box<[f32]>,
    pub(super) biases: Box<[f32]>,
}

impl PairWeights {
    fn read(reader: &mut Reader) -> Self {
        Self {
            words: Reader::of_encoder().tables()[0],
            positions: reader.take_floats(MAX_TOKENS * DIMENSIONS),
            segments: [reader.take_floats(DIMENSIONS), reader.take_floats(DIMENSIONS)],
            traits: reader.take_floats(TRAITS * DIMENSIONS),
            norm: reader.norm(),
            layers: reader.layers(),
        }
    }
}

impl MarkingWeights {
    /// Lays out the packed model.
    pub(super) fn load() -> Self {
        let mut reader = Reader::new(parameters::MARKING, LAYERS, 0, 0);
        let weights = Self {
            pairs: PairWeights::read(&mut reader),
            kinds: reader.head(KINDS),
            marks: reader.head(3),
            links: [reader.head(LINK), reader.head(LINK)],
        };
        reader.end();
        weights
    }
}

impl JudgeWeights {
    /// Lays out the packed model that tells answers.
    pub(super) fn of_answers() -> Self {
        Self::load(parameters::ANSWERING)
    }

    /// Lays out the packed model that tells what replaces what.
    pub(super) fn of_replacing() -> Self {
        Self::load(parameters::REPLACING)
    }

    fn load(packed: &'static [u8]) -> Self {
        let mut reader = Reader::new(packed, JUDGE_LAYERS, 0, 0);
        let weights = Self { pairs: PairWeights::read(&mut reader), odds: reader.head(1) };
        reader.end();
        weights
    }
}

impl Weights {
    /// Lays out the packed model.
    pub(super) fn load() -> Self {
        let mut reader = Reader::of_encoder();
        let [words, positions] = reader.tables();
        let segment = reader.take_floats(DIMENSIONS);
        let norm = reader.norm();
        let layers = reader.layers();
        reader.end();
        let mut centre = [0.0; DIMENSIONS];
        for (value, &bytes) in centre.iter_mut().zip(parameters::CENTRE.as_chunks().0) {
            *value = f32::from_le_bytes(bytes);
        }
        Self { words, positions, segment, norm, layers, centre }
    }
}

/// The four parts of the file, each read from its front.
struct Reader {
    layers: usize,
    panels: &'static [u8],
    words: &'static [[u8; DIMENSIONS]],
    positions: &'static [[u8; DIMENSIONS]],
    floats: &'static [[u8; 4]],
    integers: &'static [[u8; 4]],
}

impl Reader {
    fn new(bytes: &'static [u8], layers: usize, words: usize, positions: usize) -> Self {
        let layer_columns = 3 * DIMENSIONS + DIMENSIONS + WIDE + DIMENSIONS;
        let (panels, rest) = bytes.split_at(layers * DIMENSIONS * (4 * DIMENSIONS + 2 * WIDE));
        let (words, rest) = rest.split_at(words * DIMENSIONS);
        let (positions, rest) = rest.split_at(positions * DIMENSIONS);
        let (floats, integers) = rest.split_at(rest.len() - layers * layer_columns * 4);
        Self {
            layers,
            panels,
            words: words.as_chunks().0,
            positions: positions.as_chunks().0,
            floats: floats.as_chunks().0,
            integers: integers.as_chunks().0,
        }
    }

    fn of_encoder() -> Self {
        Self::new(parameters::ENCODING, LAYERS, WORDS, MAX_TOKENS)
    }

    /// The tables of words and of positions, whose scales and zeros are the first of the floats.
    fn tables(&mut self) -> [Table; 2] {
        [self.words, self.positions].map(|rows| {
            let numbers = self.take_floats(2);
            Table { rows, scale: numbers[0], zero: numbers[1] }
        })
    }

    fn take_floats(&mut self, count: usize) -> Box<[f32]> {
        let (taken, rest) = self.floats.split_at(count);
        self.floats = rest;
        taken.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
    }

    fn norm(&mut self) -> Norm {
        Norm { gains: self.take_floats(DIMENSIONS), biases: self.take_floats(DIMENSIONS) }
    }

    fn layers(&mut self) -> Vec<Layer> {
        let count = self.layers;
        let layer = |_| Layer {
            attention: self.linear(DIMENSIONS, 3 * DIMENSIONS),
            attention_out: self.linear(DIMENSIONS, DIMENSIONS),
            attention_norm: self.norm(),
            widen: self.linear(DIMENSIONS, WIDE),
            narrow: self.linear(WIDE, DIMENSIONS),
            norm: self.norm(),
        };
        (0..count).map(layer).collect()
    }

    fn head(&mut self, outputs: usize) -> Head {
        Head { weights: self.take_floats(outputs * DIMENSIONS), biases: self.take_floats(outputs) }
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

    /// Nothing may be left.
    fn end(self) {
        let is_empty = self.panels.is_empty() && self.floats.is_empty() && self.integers.is_empty();
        assert!(is_empty, "the packed model and the layout expected here disagree");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vectors::kernel::MAX_WEIGHT;

    #[test]
    fn weights_stay_in_the_range_the_kernels_rely_on() {
        let judges = [JudgeWeights::of_answers(), JudgeWeights::of_replacing()].map(|judge| judge.pairs.layers);
        let layers = [Weights::load().layers, MarkingWeights::load().pairs.layers];
        for linear in
            layers.iter().chain(&judges).flatten().flat_map(|l| [&l.attention, &l.attention_out, &l.widen, &l.narrow])
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

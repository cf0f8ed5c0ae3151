//! The product of quantised activations with a matrix of 8-bit weights, which is where the time goes.

use vectors::kernel::{InstructionSet, PANEL, TILE_ROWS};

use super::math::{LANES, quantise};
use super::weights::Linear;

/// Rows of bytes, each with its own scale and zero point, so that a token's numbers depend on that token alone.
#[derive(Default)]
pub(super) struct Quantised {
    bytes: Vec<u8>,
    /// `(scale, zero)` of each row.
    steps: Vec<(f32, i32)>,
}

impl Quantised {
    /// Replaces the content by rows of `width` floats, quantised.
    #[inline(always)]
    pub(super) fn fill(&mut self, values: &[f32], width: usize) {
        self.bytes.resize(values.len(), 0);
        self.steps.clear();
        for (row, bytes) in values.chunks_exact(width).zip(self.bytes.chunks_exact_mut(width)) {
            self.steps.push(quantise(row, bytes));
        }
    }
}

/// Multiplies, adds the biases, passes every number through `finish`, and writes the rows to `output`.
#[inline(always)]
pub(super) fn apply<S: InstructionSet>(
    set: S,
    layer: &Linear,
    input: &Quantised,
    finish: impl Fn(f32) -> f32 + Copy,
    output: &mut [f32],
) {
    let rows = input.steps.len();
    let inner = input.bytes.len() / rows;
    // A panel stays in the cache while all rows pass by it, so that the weights are read from memory once.
    for panel in 0..layer.scales.len() / PANEL {
        let mut row = 0;
        // Even shares: 6, 6, 1 rows would take longer than 5, 4, 4.
        for tiles_left in (1..=rows.div_ceil(TILE_ROWS)).rev() {
            let tile = Tile { set, layer, input, panel, row, inner };
            let height = (rows - row).div_ceil(tiles_left);
            match height {
                1 => tile.compute::<1>(finish, output),
                2 => tile.compute::<2>(finish, output),
                3 => tile.compute::<3>(finish, output),
                4 => tile.compute::<4>(finish, output),
                5 => tile.compute::<5>(finish, output),
                _ => tile.compute::<TILE_ROWS>(finish, output),
            }
            row += height;
        }
    }
}

/// A few rows times one panel.
struct Tile<'a, S> {
    set: S,
    layer: &'a Linear,
    input: &'a Quantised,
    panel: usize,
    row: usize,
    inner: usize,
}

impl<S: InstructionSet> Tile<'_, S> {
    #[inline(always)]
    fn compute<const ROWS: usize>(&self, finish: impl Fn(f32) -> f32, output: &mut [f32]) {
        let Self { layer, input, inner, .. } = *self;
        let columns = layer.scales.len();
        let first = self.panel * PANEL;
        let mut sums = [[0; PANEL]; ROWS];
        let bytes = &input.bytes[self.row * inner..(self.row + ROWS) * inner];
        self.set.tile(bytes, &layer.panels[first * inner..(first + PANEL) * inner], &mut sums);

        let scales = layer.scales[first..first + PANEL].as_chunks::<LANES>().0;
        let biases = layer.biases[first..first + PANEL].as_chunks::<LANES>().0;
        let column_sums = layer.column_sums[first..first + PANEL].as_chunks::<LANES>().0;
        let steps = &input.steps[self.row..self.row + ROWS];
        for ((row, sums), &(scale, zero)) in (self.row..).zip(&sums).zip(steps) {
            let output = &mut output[row * columns + first..row * columns + first + PANEL];
            let (output, sums) = (output.as_chunks_mut::<LANES>().0, sums.as_chunks::<LANES>().0);
            for chunk in 0..PANEL / LANES {
                let (sums, column_sums) = (sums[chunk], column_sums[chunk]);
                let (scales, biases) = (scales[chunk], biases[chunk]);
                let mut values = [0.0; LANES];
                for lane in 0..LANES {
                    let sum = sums[lane] - zero * column_sums[lane];
                    values[lane] = finish(sum as f32 * (scale * scales[lane]) + biases[lane]);
                }
                output[chunk] = values;
            }
        }
    }
}

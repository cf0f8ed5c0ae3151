//! Scoring: the pass over all vectors of a block by bytes, and the finer look at the best of them.

use std::ops::Range;

use super::best::{Best, Hit};
use super::block::{BLOCK, Block, Step};
use super::dot::dot;
use super::packed::{pack, unpack};
use super::sketch::{Shortlist, Sketched};
use crate::kernel::{AlignedVector, DIMENSIONS, InstructionSet, SKETCHED_TOGETHER, TOGETHER, Task, Together};

/// Vectors scored together: as many as a word has bits.
pub(super) const GROUP: usize = 64;

/// Groups in a block.
pub(super) const BLOCK_GROUPS: usize = BLOCK / GROUP;

/// With fewer wanted vectors in a group, scoring them one by one is faster than scoring all.
const DENSE: u32 = 24;

/// From so many queries on, multiplying them at once takes less time than one by one.
const TOGETHER_FROM: usize = 4;

/// A query in the form of the vectors, and as it was.
pub(super) struct Query {
    row: AlignedVector,
    scale: f32,
    /// The query minus the centre.
    difference: [f32; DIMENSIONS],
    /// Added to every score: the part of the dot product that depends on the query alone.
    constant: f32,
    /// Only vectors of a lower rank are looked for.
    before: u32,
}

/// What a vector counts as where it is one among equals, and whether a query looks for it: its own rank, or its index.
#[derive(Clone, Copy)]
pub(super) struct Ranks<'a>(pub(super) Option<&'a [u32]>);

impl Ranks<'_> {
    #[inline(always)]
    pub(super) fn of(self, index: u32) -> u32 {
        self.0.map_or(index, |ranks| ranks.get(index as usize).copied().unwrap_or(u32::MAX))
    }
}

impl Query {
    /// With `c` for the centre, `q·v = (q - c)·(v - c) + c·v + c·q - c·c`: the first term is the one in bytes.
    pub(super) fn new(query: &[f32; DIMENSIONS], before: u32, centre: &[f32; DIMENSIONS]) -> Self {
        let mut bytes = Vec::new();
        pack(query, centre, &mut bytes);
        let packed = unpack(&bytes, DIMENSIONS).next().expect("one was packed");
        let mut row = AlignedVector([0; DIMENSIONS]);
        row.0.iter_mut().zip(packed.bytes).for_each(|(to, from)| *to = from.cast_signed());
        let mut difference = [0.0; DIMENSIONS];
        for (place, difference) in difference.iter_mut().enumerate() {
            *difference = if query[place].is_finite() { query[place] - centre[place] } else { -centre[place] };
        }
        Self { row, scale: packed.scale, difference, constant: packed.base - dot(centre, centre), before }
    }

    /// For a first look.
    pub(super) fn sketched(&self) -> Sketched {
        Sketched::new(&self.difference)
    }

    #[inline(always)]
    fn score(&self, sum: i32, step: Step) -> f32 {
        sum as f32 * (step.scale * self.scale) + (step.base + self.constant)
    }
}

/// Up to [`TOGETHER`] queries, to be multiplied all at once; what belongs to a query stands in its place.
pub(super) struct Panel {
    rows: Together,
    scales: [f32; TOGETHER],
    constants: [f32; TOGETHER],
}

impl Panel {
    pub(super) fn of(queries: &[Query]) -> Self {
        let mut panel = Self {
            rows: Together::of(queries.iter().map(|query| &query.row)),
            scales: [0.0; TOGETHER],
            constants: [0.0; TOGETHER],
        };
        for (place, query) in queries.iter().enumerate().take(TOGETHER) {
            (panel.scales[place], panel.constants[place]) = (query.scale, query.constant);
        }
        panel
    }

    /// As [`Query::score`] for each of the queries.
    #[inline(always)]
    fn scores(&self, sums: &[i32; TOGETHER], step: Step) -> [f32; TOGETHER] {
        let mut scores = [0.0; TOGETHER];
        for place in 0..TOGETHER {
            scores[place] =
                sums[place] as f32 * (step.scale * self.scales[place]) + (step.base + self.constants[place]);
        }
        scores
    }
}

/// Offers vectors of a block to the best of each query, by their bytes.
///
/// A group of vectors stays in the nearest cache while all queries pass by it: from four queries on, what takes time is
/// computing, not memory.
pub(super) struct Scan<'a> {
    pub(super) queries: &'a [Query],
    /// The same queries.
    pub(super) panels: &'a [Panel],
    pub(super) block: &'a Block,
    /// The index of the block's first vector.
    pub(super) first: usize,
    /// Which groups of the block.
    pub(super) groups: Range<usize>,
    pub(super) only: Option<&'a [u64]>,
    pub(super) ranks: Ranks<'a>,
    /// One for each query.
    pub(super) best: &'a mut [Best],
}

impl Task for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: InstructionSet>(self, set: S) {
        if S::IS_FAST_TOGETHER && self.queries.len() >= TOGETHER_FROM {
            return self.run_together(set);
        }
        let Self { queries, block, first, groups: some, only, ranks, best, .. } = self;
        let mut sums = [0; GROUP];
        let groups = block.rows.chunks(GROUP).zip(block.steps.chunks(GROUP));
        for (word, (rows, steps)) in groups.enumerate().take(some.end).skip(some.start) {
            let wanted = block.wanted(word, only);
            if wanted == 0 {
                continue;
            }
            for (query, best) in queries.iter().zip(best.iter_mut()) {
                if wanted.count_ones() >= DENSE {
                    set.dots(&query.row, rows, &mut sums);
                } else {
                    for offset in ones(wanted) {
                        set.dots(&query.row, &rows[offset..=offset], &mut sums[offset..=offset]);
                    }
                }
                let mut threshold = best.threshold();
                for offset in ones(wanted & better(query, steps, &sums, threshold)) {
                    let score = query.score(sums[offset], steps[offset]);
                    let index = (first + word * GROUP + offset) as u32;
                    let rank = ranks.of(index);
                    // The threshold may have risen within the group.
                    if score >= threshold && rank < query.before {
                        best.offer(Hit { index, score }, rank);
                        threshold = best.threshold();
                    }
                }
            }
        }
    }
}

impl Scan<'_> {
    /// The same with the queries multiplied at once.
    #[inline(always)]
    fn run_together<S: InstructionSet>(self, set: S) {
        let Self { queries, panels, block, first, groups: some, only, ranks, best } = self;
        let mut sums = [[0; TOGETHER]; GROUP];
        let groups = block.rows.chunks(GROUP).zip(block.steps.chunks(GROUP));
        for (word, (rows, steps)) in groups.enumerate().take(some.end).skip(some.start) {
            let wanted = block.wanted(word, only);
            if wanted == 0 {
                continue;
            }
            let of_panels = queries.chunks(TOGETHER).zip(best.chunks_mut(TOGETHER));
            for (panel, (queries, best)) in panels.iter().zip(of_panels) {
                if wanted.count_ones() >= DENSE {
                    set.dots_together(&panel.rows, rows, &mut sums);
                } else {
                    for offset in ones(wanted) {
                        set.dots_together(&panel.rows, &rows[offset..=offset], &mut sums[offset..=offset]);
                    }
                }
                let mut thresholds = [f32::INFINITY; TOGETHER];
                thresholds.iter_mut().zip(best.iter()).for_each(|(to, best)| *to = best.threshold());
                for offset in ones(wanted) {
                    let scores = panel.scores(&sums[offset], steps[offset]);
                    // Hardly ever is one of them better, and that is told in a step.
                    let mut better = [false; TOGETHER];
                    for place in 0..TOGETHER {
                        better[place] = scores[place] >= thresholds[place];
                    }
                    if !better.iter().fold(false, |any, better| any | better) {
                        continue;
                    }
                    for place in (0..queries.len()).filter(|place| better[*place]) {
                        let index = (first + word * GROUP + offset) as u32;
                        let rank = ranks.of(index);
                        if rank < queries[place].before {
                            best[place].offer(Hit { index, score: scores[place] }, rank);
                            thresholds[place] = best[place].threshold();
                        }
                    }
                }
            }
        }
    }
}

/// Offers vectors of a block to a shortlist, by their sketches.
pub(super) struct Glance<'a> {
    pub(super) sketched: &'a Sketched,
    pub(super) block: &'a Block,
    /// The index of the block's first vector.
    pub(super) first: usize,
    /// Which groups of the block.
    pub(super) groups: Range<usize>,
    pub(super) only: Option<&'a [u64]>,
    pub(super) ranks: Ranks<'a>,
    pub(super) shortlist: &'a mut Shortlist,
}

impl Task for Glance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: InstructionSet>(self, set: S) {
        let Self { sketched, block, first, groups, only, ranks, shortlist } = self;
        let sketches = block.sketches.chunks(GROUP / SKETCHED_TOGETHER);
        let vectors = block.factors.chunks(GROUP).zip(block.steps.chunks(GROUP));
        for (word, (sketches, (factors, steps))) in
            sketches.zip(vectors).enumerate().take(groups.end).skip(groups.start)
        {
            let wanted = block.wanted(word, only);
            if wanted == 0 {
                continue;
            }
            let sums: [_; GROUP / SKETCHED_TOGETHER] = sketched.sums(set, sketches);
            let mut scores = [f32::NEG_INFINITY; GROUP];
            for ((score, sum), (factor, step)) in
                scores.iter_mut().zip(sums.as_flattened()).zip(factors.iter().zip(steps))
            {
                *score = factor * sum + step.base;
            }
            let mut better = 0;
            for (offset, score) in scores.iter().enumerate() {
                better |= u64::from(*score >= shortlist.threshold()) << offset;
            }
            for offset in ones(better & wanted) {
                let index = (first + word * GROUP + offset) as u32;
                shortlist.offer(Hit { index, score: scores[offset] }, ranks.of(index));
            }
        }
    }
}

/// Scores hits anew by all bits there are, the query as it was.
pub(super) struct Refine<'a> {
    pub(super) query: &'a Query,
    pub(super) blocks: &'a [Block],
    pub(super) hits: Vec<Hit>,
    pub(super) ranks: Ranks<'a>,
    pub(super) best: &'a mut Best,
}

impl Task for Refine<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) {
        for Hit { index, .. } in self.hits {
            let (block, offset) = (&self.blocks[index as usize / BLOCK], index as usize % BLOCK);
            let fine = block.finely(&self.query.difference, offset);
            let score = fine + (block.steps[offset].base + self.query.constant);
            self.best.offer(Hit { index, score }, self.ranks.of(index));
        }
    }
}

/// A bit for each vector of a group that scores `threshold` or more; meaningless where no sum was computed.
#[inline(always)]
fn better(query: &Query, steps: &[Step], sums: &[i32; GROUP], threshold: f32) -> u64 {
    let mut bits = 0;
    for (offset, (&sum, &step)) in sums.iter().zip(steps).enumerate() {
        bits |= u64::from(query.score(sum, step) >= threshold) << offset;
    }
    bits
}

/// The positions of the bits set, from the lowest.
#[inline(always)]
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let offset = word.trailing_zeros() as usize;
        word &= word.checked_sub(1)?;
        Some(offset)
    })
}

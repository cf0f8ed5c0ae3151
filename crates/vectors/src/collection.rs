//! Exact nearest-neighbour search over vectors in 8 bits: every live vector is looked at.
//!
//! Invariants:
//! - A vector keeps its index for life; a removed one leaves a gap, which is never returned.
//! - The result depends on the vectors, their ranks and the query only: not on the kernel, and equal scores are ordered by rank,
//!   which is the index where none is given.
//! - A vector takes 440 bytes: 384 components in 8 bits, one more bit for each, a scale, a base, and a bit among the live
//!   ones.
//!
//! The best by 8 bits are looked at once more, by all bits and with the query as it was: that halves the error of the
//! scores, and with it what is lost against a search over floats.

use std::num::NonZero;
use std::ops::Range;

use crate::best::{Best, Hit};
use crate::block::{BLOCK, Block};
use crate::kernel::{DIMENSIONS, Kernel, TOGETHER};
use crate::packed::{Packed, pack, unpack};
use crate::scan::{BLOCK_GROUPS, GROUP, Panel, Query, Ranks, Refine, Scan};

/// From so many vectors on, a millisecond or two, a scan is shared out among threads.
const SHARED_VECTORS: usize = 50_000;

/// No more threads than this share a scan: it soon waits for memory, not for processors.
const SCAN_THREADS_MAX: usize = 4;

/// Vectors to search, in blocks of 65,536, so that growing never copies more than one block.
pub struct Vectors {
    kernel: Kernel,
    centre: [f32; DIMENSIONS],
    blocks: Vec<Block>,
}

impl Vectors {
    /// An empty collection for vectors that spread around `centre`, the zero vector if that is not known.
    ///
    /// The closer `centre` is to the mean of the vectors, the more exact are the scores.
    pub fn new(centre: &[f32; DIMENSIONS]) -> Self {
        Self::with_kernel(centre, Kernel::detect())
    }

    /// As [`Vectors::new`] for a given kernel, to compare kernels.
    pub fn with_kernel(centre: &[f32; DIMENSIONS], kernel: Kernel) -> Self {
        Self { kernel, centre: *centre, blocks: Vec::new() }
    }

    /// The number of vectors ever appended, removed ones included.
    pub fn len(&self) -> usize {
        match self.blocks.split_last() {
            Some((last, full)) => full.len() * BLOCK + last.len(),
            None => 0,
        }
    }

    /// Whether no vector was ever appended.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Appends a vector and returns its index, the number of vectors before it.
    ///
    /// A component that is not finite counts as 0.
    pub fn push(&mut self, vector: &[f32; DIMENSIONS]) -> u32 {
        let mut bytes = Vec::new();
        pack(vector, &self.centre, &mut bytes);
        self.push_packed(&unpack(&bytes, DIMENSIONS).next().expect("one was packed"))
    }

    /// As [`Vectors::push`] for a vector that was packed with the same centre, as it is.
    pub fn push_packed(&mut self, vector: &Packed<'_>) -> u32 {
        let index = u32::try_from(self.len()).expect("memory ends long before four billion vectors");
        if self.blocks.last().is_none_or(|block| block.len() == BLOCK) {
            self.blocks.push(Block::default());
        }
        let block = self.blocks.last_mut().expect("one was pushed if there was none");
        block.push(vector);
        index
    }

    /// Puts another vector, packed with the same centre, at `index`, alive even if the one before was removed.
    ///
    /// # Panics
    /// If `index` was never returned by [`Vectors::push`].
    pub fn replace_packed(&mut self, index: u32, vector: &Packed<'_>) {
        let (block, offset) = position(index);
        self.blocks[block].replace(offset, vector);
    }

    /// Marks the vector at `index` dead: no search finds it any more. Without effect if it is dead already.
    ///
    /// # Panics
    /// If `index` was never returned by [`Vectors::push`].
    pub fn remove(&mut self, index: u32) {
        let (block, offset) = position(index);
        self.blocks[block].remove(offset);
    }

    /// The `count` live vectors most similar to `query`, best first.
    ///
    /// With `only`, bit `i % 64` of word `i / 64` says whether index `i` may be returned; words beyond its end count
    /// as 0.
    pub fn search(&self, query: &[f32; DIMENSIONS], count: usize, only: Option<&[u64]>) -> Vec<Hit> {
        self.search_many(std::slice::from_ref(query), count, only).pop().expect("one for each query")
    }

    /// As [`Vectors::search`] for each of several queries, in one pass over the vectors.
    pub fn search_many(&self, queries: &[[f32; DIMENSIONS]], count: usize, only: Option<&[u64]>) -> Vec<Vec<Hit>> {
        let queries: Vec<Query> = queries.iter().map(|query| Query::new(query, u32::MAX, &self.centre)).collect();
        self.search_all(&queries, count, Wanted { only, ranks: Ranks(None) })
    }

    /// As [`Vectors::search_many`], where each vector has a rank, by its index: each query looks for lower ranks than its own
    /// alone, and of equal scores the lower rank comes first.
    pub fn search_before(
        &self,
        queries: &[([f32; DIMENSIONS], u32)],
        count: usize,
        only: Option<&[u64]>,
        ranks: &[u32],
    ) -> Vec<Vec<Hit>> {
        let query = |(query, before): &([f32; DIMENSIONS], u32)| Query::new(query, *before, &self.centre);
        let queries: Vec<Query> = queries.iter().map(query).collect();
        self.search_all(&queries, count, Wanted { only, ranks: Ranks(Some(ranks)) })
    }

    fn search_all(&self, queries: &[Query], count: usize, wanted: Wanted<'_>) -> Vec<Vec<Hit>> {
        let groups = 0..self.len().div_ceil(GROUP);
        let best = match self.len() {
            // Someone waits for a single query; several are background work, which takes no second processor.
            SHARED_VECTORS.. if queries.len() == 1 => self.scan_shared(queries, count, wanted, groups),
            _ => self.scan(queries, count, wanted, groups),
        };
        let found = queries.iter().zip(best);
        found.map(|(query, best)| self.refine(query, best.into_hits(), count, wanted.ranks)).collect()
    }

    /// How similar the live vectors at these indices are to `query`, best first.
    ///
    /// # Panics
    /// If an index was never returned by [`Vectors::push`].
    pub fn compare(&self, query: &[f32; DIMENSIONS], indices: &[u32]) -> Vec<Hit> {
        let unscored = indices.iter().map(|index| Hit { index: *index, score: 0.0 }).collect();
        self.refine(&Query::new(query, u32::MAX, &self.centre), unscored, indices.len(), Ranks(None))
    }

    /// The best by 8 bits in some of the groups.
    fn scan(&self, queries: &[Query], count: usize, wanted: Wanted<'_>, groups: Range<usize>) -> Vec<Best> {
        let mut best: Vec<Best> = queries.iter().map(|_| Best::new(looked_at_finely(count))).collect();
        let panels: Vec<Panel> = queries.chunks(TOGETHER).map(Panel::of).collect();
        for number in groups.start / BLOCK_GROUPS..groups.end.div_ceil(BLOCK_GROUPS) {
            let only = wanted.only.map(|words| words_of(words, number));
            let (block, first) = (&self.blocks[number], number * BLOCK);
            let within = |group: usize| group.saturating_sub(number * BLOCK_GROUPS).min(BLOCK_GROUPS);
            let groups = within(groups.start)..within(groups.end);
            self.kernel.run(Scan {
                queries,
                panels: &panels,
                block,
                first,
                groups,
                only,
                ranks: wanted.ranks,
                best: &mut best,
            });
        }
        best
    }

    /// As [`Vectors::scan`], shared out among a few threads; the same result.
    fn scan_shared(&self, queries: &[Query], count: usize, wanted: Wanted<'_>, groups: Range<usize>) -> Vec<Best> {
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(SCAN_THREADS_MAX);
        let share = groups.len().div_ceil(threads).max(1);
        let own = groups.start..groups.end.min(groups.start + share);
        let others = (own.end..groups.end).step_by(share).map(|first| first..groups.end.min(first + share));
        std::thread::scope(|scope| {
            let scans: Vec<_> =
                others.map(|groups| scope.spawn(move || self.scan(queries, count, wanted, groups))).collect();
            let mut all = self.scan(queries, count, wanted, own);
            for scan in scans {
                let scan = scan.join().expect("a scan only computes");
                for (all, part) in all.iter_mut().zip(scan) {
                    part.into_hits().into_iter().for_each(|hit| all.offer(hit, wanted.ranks.of(hit.index)));
                }
            }
            all
        })
    }

    fn refine(&self, query: &Query, hits: Vec<Hit>, count: usize, ranks: Ranks<'_>) -> Vec<Hit> {
        let mut best = Best::new(count);
        self.kernel.run(Refine { query, blocks: &self.blocks, hits, ranks, best: &mut best });
        best.into_hits()
    }

    /// Gives back the room kept for more vectors.
    pub fn shrink(&mut self) {
        self.blocks.iter_mut().for_each(Block::shrink);
    }

    /// The bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(Block::bytes).sum()
    }
}

/// Which vectors a search looks at, and which of equals come first.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    only: Option<&'a [u64]>,
    ranks: Ranks<'a>,
}

/// How many of the best by 8 bits are looked at once more for `count` hits.
fn looked_at_finely(count: usize) -> usize {
    if count == 0 { 0 } else { 2 * count + 32 }
}

fn position(index: u32) -> (usize, usize) {
    let index = index as usize;
    (index / BLOCK, index % BLOCK)
}

/// The words of a bitmap over all vectors that belong to one block.
fn words_of(words: &[u64], block: usize) -> &[u64] {
    let start = (block * BLOCK / 64).min(words.len());
    let end = ((block + 1) * BLOCK / 64).min(words.len());
    &words[start..end]
}

#[cfg(test)]
mod tests;

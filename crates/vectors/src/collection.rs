//! Nearest-neighbour search over vectors in 8 bits.
//!
//! Invariants:
//! - A vector keeps its index for life; a removed one leaves a gap, which is never returned.
//! - The result depends on the vectors, their ranks and the query only: not on the kernel, and equal scores are ordered by rank,
//!   which is the index where none is given.
//! - A vector takes 492 bytes: 384 components in 8 bits, one more bit for each, a scale, a base, a bit among the live ones, and a
//!   sketch of a bit a component with a factor.
//!
//! Vectors are looked at up to three times, always by all that was left: by their sketches where they are many and someone
//! waits, by 8 bits, and the best by all bits and with the query as it was: that halves the error of the scores, and with it what
//! is lost against a search over floats. What a sketch loses is measured by `cargo bench --bench embedding`: three of a thousand of the
//! best sixty, at a million vectors.

use std::num::NonZero;
use std::ops::Range;

use crate::best::{Best, Hit};
use crate::block::{BLOCK, Block};
use crate::kernel::{DIMENSIONS, Kernel, TOGETHER};
use crate::packed::{Packed, pack, unpack};
use crate::scan::{BLOCK_GROUPS, GROUP, Glance, Panel, Query, Ranks, Refine, Scan};
use crate::sketch::Shortlist;

/// From so many vectors on, a millisecond or two, a scan is shared out among threads.
const SHARED_VECTORS: usize = 50_000;

/// No more threads than this share a scan: it soon waits for memory, not for processors.
const SCAN_THREADS_MAX: usize = 4;

/// From so many vectors on, a first look by sketches takes less time than a close look at all.
const GLANCED_VECTORS: usize = 16_384;

/// How many are looked at closely after that: so many for each of the best by 8 bits, and one of so many besides.
const SHORTLISTED_FOR_EACH: usize = 8;
const SHORTLISTED_OF: usize = 64;

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

    /// The `count` live vectors most similar to `query`, best first, for someone who waits: several threads look, and among many
    /// vectors only the most promising by their sketches are looked at closely.
    ///
    /// With `only`, bit `i % 64` of word `i / 64` says whether index `i` may be returned; words beyond its end count
    /// as 0. With `ranks`, each vector has one, by its index, and of equal scores the lower rank comes first.
    pub fn search(
        &self,
        query: &[f32; DIMENSIONS],
        count: usize,
        only: Option<&[u64]>,
        ranks: Option<&[u32]>,
    ) -> Vec<Hit> {
        if count == 0 {
            return Vec::new();
        }
        let query = &Query::new(query, u32::MAX, &self.centre);
        let wanted = Wanted { only, ranks: Ranks(ranks) };
        let wanted_count = self.wanted_count(only);
        let best = if wanted_count >= GLANCED_VECTORS {
            let promising = self.shortlist(query, shortlisted(count, wanted_count), wanted).into_bits(self.len());
            self.scan_shared(query, count, Wanted { only: Some(&promising), ..wanted })
        } else {
            self.scan_shared(query, count, wanted)
        };
        self.refine(query, best.into_hits(), count, wanted.ranks)
    }

    /// As [`Vectors::search`] for each of several queries in one pass over the vectors, where each looks for lower ranks than its own
    /// alone. This is background work, which takes no second processor, and looks at every vector closely.
    pub fn search_before(
        &self,
        queries: &[([f32; DIMENSIONS], u32)],
        count: usize,
        only: Option<&[u64]>,
        ranks: Option<&[u32]>,
    ) -> Vec<Vec<Hit>> {
        let query = |(query, before): &([f32; DIMENSIONS], u32)| Query::new(query, *before, &self.centre);
        let queries: Vec<Query> = queries.iter().map(query).collect();
        let wanted = Wanted { only, ranks: Ranks(ranks) };
        let best = self.scan(&queries, count, wanted, self.groups());
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

    /// How many live vectors are allowed.
    fn wanted_count(&self, only: Option<&[u64]>) -> usize {
        let of_block = |(number, block): (usize, &Block)| {
            let only = only.map(|words| words_of(words, number));
            let groups = 0..block.len().div_ceil(GROUP);
            groups.map(|group| block.wanted(group, only).count_ones() as usize).sum::<usize>()
        };
        self.blocks.iter().enumerate().map(of_block).sum()
    }

    fn groups(&self) -> Range<usize> {
        0..self.len().div_ceil(GROUP)
    }

    /// The blocks that some of the groups lie in, each with its number and its own groups.
    fn blocks_of(&self, groups: Range<usize>) -> impl Iterator<Item = (usize, &Block, Range<usize>)> {
        (groups.start / BLOCK_GROUPS..groups.end.div_ceil(BLOCK_GROUPS)).map(move |number| {
            let within = |group: usize| group.saturating_sub(number * BLOCK_GROUPS).min(BLOCK_GROUPS);
            (number, &self.blocks[number], within(groups.start)..within(groups.end))
        })
    }

    /// The best by 8 bits in some of the groups.
    fn scan(&self, queries: &[Query], count: usize, wanted: Wanted<'_>, groups: Range<usize>) -> Vec<Best> {
        let mut best: Vec<Best> = queries.iter().map(|_| Best::new(looked_at_finely(count))).collect();
        let panels: Vec<Panel> = queries.chunks(TOGETHER).map(Panel::of).collect();
        for (number, block, groups) in self.blocks_of(groups) {
            self.kernel.run(Scan {
                queries,
                panels: &panels,
                block,
                first: number * BLOCK,
                groups,
                only: wanted.only.map(|words| words_of(words, number)),
                ranks: wanted.ranks,
                best: &mut best,
            });
        }
        best
    }

    /// As [`Vectors::scan`] of all groups for one query, shared out among a few threads; the same result.
    fn scan_shared(&self, query: &Query, count: usize, wanted: Wanted<'_>) -> Best {
        let scan = |groups| self.scan(std::slice::from_ref(query), count, wanted, groups).remove(0);
        let join = |all: &mut Best, part: Best| {
            part.into_hits().into_iter().for_each(|hit| all.offer(hit, wanted.ranks.of(hit.index)));
        };
        shared_out(self.groups(), scan, join)
    }

    /// The most promising vectors by their sketches, as many as that.
    fn shortlist(&self, query: &Query, length: usize, wanted: Wanted<'_>) -> Shortlist {
        let sketched = &query.sketched();
        let glance = |groups| {
            let mut shortlist = Shortlist::new(length);
            for (number, block, groups) in self.blocks_of(groups) {
                self.kernel.run(Glance {
                    sketched,
                    block,
                    first: number * BLOCK,
                    groups,
                    only: wanted.only.map(|words| words_of(words, number)),
                    ranks: wanted.ranks,
                    shortlist: &mut shortlist,
                });
            }
            shortlist
        };
        shared_out(self.groups(), glance, Shortlist::join)
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

/// Has a few threads look at a part of the groups each where there are many, and joins what they found.
fn shared_out<T: Send>(groups: Range<usize>, look: impl Fn(Range<usize>) -> T + Sync, join: impl Fn(&mut T, T)) -> T {
    let threads = match groups.len() * GROUP {
        SHARED_VECTORS.. => std::thread::available_parallelism().map_or(1, NonZero::get).min(SCAN_THREADS_MAX),
        _ => 1,
    };
    let share = groups.len().div_ceil(threads).max(1);
    let own = groups.start..groups.end.min(groups.start + share);
    let others = (own.end..groups.end).step_by(share).map(|first| first..groups.end.min(first + share));
    let look = &look;
    std::thread::scope(|scope| {
        let looks: Vec<_> = others.map(|groups| scope.spawn(move || look(groups))).collect();
        let mut all = look(own);
        looks.into_iter().for_each(|part| join(&mut all, part.join().expect("a look only computes")));
        all
    })
}

/// How many vectors of so many are looked at closely for `count` hits.
fn shortlisted(count: usize, wanted: usize) -> usize {
    SHORTLISTED_FOR_EACH * looked_at_finely(count) + wanted / SHORTLISTED_OF
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

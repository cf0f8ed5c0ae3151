//! Exact nearest-neighbour search over vectors in 8 bits: every live vector is looked at, none is missed.
//!
//! Invariants:
//! - A vector keeps its index for life; a removed one leaves a gap, which is never returned.
//! - The result depends on the vectors and the query only: not on the kernel, and equal scores are ordered by index.
//! - A vector takes 440 bytes: 384 components, a scale, a base, a binary code of 48, and a bit among the live ones.

mod best;
mod block;
mod codes;
mod scan;

use crate::kernel::{DIMENSIONS, Kernel};
use best::Best;
use block::{BLOCK, Block};
use codes::{Compare, Shortlist, code};
use scan::{Query, Rescore, Scan};

/// A vector found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// What [`Vectors::push`] returned for it.
    pub index: u32,
    /// The dot product of the two vectors as stored, within about 0.001 of the exact one.
    pub score: f32,
}

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
        let index = u32::try_from(self.len()).expect("memory ends long before four billion vectors");
        if self.blocks.last().is_none_or(|block| block.len() == BLOCK) {
            self.blocks.push(Block::default());
        }
        let block = self.blocks.last_mut().expect("one was pushed if there was none");
        block.push(vector, &self.centre);
        index
    }

    /// Puts another vector at `index`, alive even if the one before was removed.
    ///
    /// # Panics
    /// If `index` was never returned by [`Vectors::push`].
    pub fn replace(&mut self, index: u32, vector: &[f32; DIMENSIONS]) {
        let (block, offset) = position(index);
        self.blocks[block].replace(offset, vector, &self.centre);
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
        let query = Query::new(query, &self.centre);
        let mut best = Best::new(count);
        for (number, block) in self.blocks.iter().enumerate() {
            let only = only.map(|words| words_of(words, number));
            self.kernel.run(Scan { query: &query, block, first: number * BLOCK, only, best: &mut best });
        }
        best.into_hits()
    }

    /// As [`Vectors::search`], but scores only the `shortlist` vectors whose binary codes are closest.
    ///
    /// Several times faster on millions of vectors, and it may miss a hit; the scores of what it finds are the same.
    pub fn search_shortlist(
        &self,
        query: &[f32; DIMENSIONS],
        count: usize,
        only: Option<&[u64]>,
        shortlist: usize,
    ) -> Vec<Hit> {
        let query = Query::new(query, &self.centre);
        let code = code(&query.row);
        let mut candidates = Shortlist::new(shortlist);
        for (number, block) in self.blocks.iter().enumerate() {
            let only = only.map(|words| words_of(words, number));
            self.kernel.run(Compare { code: &code, block, first: number * BLOCK, only, list: &mut candidates });
        }
        let mut best = Best::new(count);
        self.kernel.run(Rescore {
            query: &query,
            blocks: &self.blocks,
            indices: &candidates.into_indices(),
            best: &mut best,
        });
        best.into_hits()
    }
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

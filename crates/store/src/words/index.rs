//! The index over words of one account: an inverted index in memory, fed from the log of entries.
//!
//! Entries are numbered by `seq` and only ever added; one that has been replaced is marked dead. Entries stand in blocks
//! of 65,536: the newest block grows, a full one is sealed into a compact form that is also stored, so that opening a
//! large account reads a few megabytes instead of every text. A block answers the same whether sealed or not.
//!
//! Why not FTS5: it visits every row that holds a common word and reads each row's length from a table, 150 ms for one
//! word in a tenth of 1,000,000 rows. Adding up scores over plain arrays takes a hundredth of that and is exact.

use rustc_hash::FxHashMap;

use text::LexicalForm;

use super::block::{BLOCK_SLOTS, Block, Segment};
use crate::backend::{Entry, Row, Seen};
use crate::facet::Facet;

/// The index.
#[derive(Default)]
pub(crate) struct Index {
    /// Block n holds the entries n · 65,536 and up.
    pub(super) blocks: Vec<Block>,
    /// Where each thought's living entry is, by row.
    pub(super) thoughts: Vec<u32>,
    /// Where each note's living entry is, by row.
    notes: FxHashMap<u32, u32>,
    /// The first number not yet seen.
    next: u64,
    pub(super) texts: Population,
    pub(super) note_texts: Population,
}

/// How many living texts there are and how many words they have.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Population {
    pub(super) count: u64,
    words: u64,
}

impl Population {
    pub(super) fn mean_words(self) -> f32 {
        (self.words as f32 / self.count.max(1) as f32).max(1.0)
    }
}

/// No living entry.
pub(super) const NOWHERE: u32 = u32::MAX;

impl Index {
    /// How far it has followed the log.
    pub(crate) fn seen(&self) -> Seen {
        let next_thought = Row::try_from(self.thoughts.len()).expect("rows are 32 bits");
        Seen { next: self.next, next_thought }
    }

    /// What every thought it has seen is, by its living entry.
    pub(crate) fn facets(&self) -> Vec<(Row, Facet)> {
        let rows = (0..).zip(&self.thoughts).filter(|(_, place)| **place != NOWHERE);
        rows.map(|(row, place)| (row, self.facet_at(*place))).filter(|(_, facet)| *facet != Facet::DEAD).collect()
    }

    /// What the entry at that place is.
    pub(super) fn facet_at(&self, place: u32) -> Facet {
        let (block, slot) = split(u64::from(place));
        self.blocks[block].slots().get(usize::from(slot)).map_or(Facet::DEAD, |slot| slot.facet)
    }

    /// How much it takes in memory, by estimate.
    pub(crate) fn bytes(&self) -> u64 {
        let blocks: usize = self.blocks.iter().map(Block::bytes).sum();
        (blocks + size_of::<u32>() * (self.thoughts.len() + 4 * self.notes.len())) as u64
    }

    /// Takes in an entry with the lexical form of its text. Entries come in the order of their numbers; gaps are entries
    /// that were replaced before anyone looked.
    pub(crate) fn add(&mut self, entry: Entry, form: &LexicalForm) {
        if self.note_entry(entry, form.words) {
            let (block, slot) = split(entry.seq);
            self.blocks[block].add_words(slot, &form.text);
        }
    }

    /// Takes in an entry of so many words, which are in a sealed block already.
    pub(crate) fn add_sealed(&mut self, entry: Entry, words: u32) {
        self.note_entry(entry, words);
    }

    /// Puts a stored block in its place; its entries follow by [`add_sealed`](Self::add_sealed). Blocks come in order.
    pub(crate) fn add_segment(&mut self, block: usize, segment: Segment) {
        self.grow_to(block);
        self.blocks[block].seal(segment);
        self.next = self.next.max((block as u64 + 1) * BLOCK_SLOTS as u64);
    }

    /// The blocks that are full and not sealed, in order.
    pub(crate) fn unsealed(&self) -> Vec<usize> {
        let full = usize::try_from(self.next / BLOCK_SLOTS as u64).expect("blocks are held in memory");
        (0..full.min(self.blocks.len())).filter(|block| !self.blocks[*block].is_sealed()).collect()
    }

    /// The compact form of a block, to be given to [`replace_sealed`](Self::replace_sealed) and to be stored.
    pub(crate) fn compact(&self, block: usize) -> Option<Segment> {
        self.blocks.get(block)?.compact()
    }

    /// Puts the compact form of a full block in the place of the growing one.
    pub(crate) fn replace_sealed(&mut self, block: usize, segment: Segment) {
        if let Some(block) = self.blocks.get_mut(block) {
            block.seal(segment);
        }
    }

    /// Takes note that there is nothing before that number that has not been seen.
    pub(crate) fn see_until(&mut self, end: u64) {
        self.next = self.next.max(end);
    }

    /// Marks what the entry replaces as dead and places it; whether its words are to be found.
    fn note_entry(&mut self, entry: Entry, words: u32) -> bool {
        let (block, slot) = split(entry.seq);
        self.grow_to(block);
        self.next = self.next.max(entry.seq + 1);
        let place = u32::try_from(entry.seq).expect("an account has fewer than 4 billion changes");
        let replaced = match entry.note {
            Some(note) => self.notes.insert(note, place).unwrap_or(NOWHERE),
            None => {
                let row = entry.thought as usize;
                if self.thoughts.len() <= row {
                    self.thoughts.resize(row + 1, NOWHERE);
                }
                std::mem::replace(&mut self.thoughts[row], place)
            }
        };
        self.bury(replaced);
        if !entry.facet.is_searched() {
            return false;
        }
        self.blocks[block].place(slot, entry, words);
        let population = self.population(entry.note.is_some());
        population.count += 1;
        population.words += u64::from(words);
        true
    }

    fn bury(&mut self, place: u32) {
        if place == NOWHERE {
            return;
        }
        let (block, slot) = split(u64::from(place));
        if let Some(buried) = self.blocks[block].bury(slot) {
            let population = self.population(buried.note != 0);
            population.count -= 1;
            population.words -= u64::from(buried.words);
        }
    }

    fn population(&mut self, of_notes: bool) -> &mut Population {
        if of_notes { &mut self.note_texts } else { &mut self.texts }
    }

    fn grow_to(&mut self, block: usize) {
        while self.blocks.len() <= block {
            // Entries are numbered from 1.
            let first = usize::from(self.blocks.is_empty());
            self.blocks.push(Block::starting_at(first));
        }
    }
}

/// The block an entry stands in, and its slot there.
pub(super) fn split(seq: u64) -> (usize, u16) {
    let block = usize::try_from(seq / BLOCK_SLOTS as u64).expect("blocks are held in memory");
    (block, (seq % BLOCK_SLOTS as u64) as u16)
}

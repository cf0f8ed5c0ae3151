//! The index over words of one account: an inverted index in memory, fed from the log of entries.
//!
//! Entries are numbered by `seq` and only ever added; one that has been replaced is marked dead. Entries stand in blocks
//! of 65,536: the newest block grows, a full one is sealed into a compact form that is also stored, so that opening a
//! large account reads a few megabytes instead of every text. A block answers the same whether sealed or not.
//!
//! Why not FTS5: it visits every row that holds a common word and reads each row's length from a table, 150 ms for one
//! word in a tenth of 1,000,000 rows. Adding up scores over plain arrays takes a hundredth of that and is exact.

mod block;
mod postings;
mod rank;

use rustc_hash::FxHashMap;

pub(super) use block::{BLOCK_SLOTS, SEGMENT_FORMAT, Segment};
pub(super) use rank::{Filter, Ranked};

use block::Block;

/// What a thought or a note is to the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its place in the order of changes, from 1 on.
    pub(super) seq: u64,
    /// The row of the thought.
    pub(super) thought: u32,
    /// The row of the note, if it is one.
    pub(super) note: Option<u32>,
    /// What filters look at.
    pub(super) facet: Facet,
    /// How many words its text has.
    pub(super) words: u32,
}

/// What filters look at: status and author of a thought; a note is filtered by its thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facet(u8);

impl Facet {
    /// A note that is attached.
    pub(super) const NOTE: Self = Self(6);
    /// A note that has been removed.
    pub(super) const REMOVED: Self = Self(7);
    /// An entry that has been replaced, or a number nobody has any more.
    const DEAD: Self = Self(8);

    /// The facet of a thought by the numbers its status and author are stored as.
    pub(super) fn of(status: u8, author: u8) -> Self {
        debug_assert!(status < 3 && author < 2, "three states, two kinds of authors");
        Self(status * 2 + author)
    }

    /// Reads back a stored number.
    pub(super) fn from_number(number: u8) -> Option<Self> {
        (number <= Self::REMOVED.0).then_some(Self(number))
    }

    /// The number to store.
    pub(super) const fn number(self) -> u8 {
        self.0
    }

    const fn is_searched(self) -> bool {
        self.0 <= Self::NOTE.0
    }
}

/// The index.
#[derive(Default)]
pub(super) struct Index {
    /// Block n holds the entries n · 65,536 and up.
    blocks: Vec<Block>,
    /// Where each thought's living entry is, by row.
    thoughts: Vec<u32>,
    /// Where each note's living entry is, by row.
    notes: FxHashMap<u32, u32>,
    /// The first number not yet seen.
    next: u64,
    texts: Population,
    note_texts: Population,
}

/// How many living texts there are and how many words they have.
#[derive(Debug, Clone, Copy, Default)]
struct Population {
    count: u64,
    words: u64,
}

impl Population {
    fn mean_words(self) -> f32 {
        (self.words as f32 / self.count.max(1) as f32).max(1.0)
    }
}

/// No living entry.
const NOWHERE: u32 = u32::MAX;

impl Index {
    /// The first entry number the index has not seen.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// A row after every thought it has seen.
    pub(super) fn next_thought(&self) -> i64 {
        self.thoughts.len() as i64
    }

    /// Takes in an entry with the words of its text. Entries come in the order of their numbers; gaps are entries that
    /// were replaced before anyone looked.
    pub(super) fn add(&mut self, entry: Entry, lexical_text: &str) {
        if self.note_entry(entry) {
            let (block, slot) = split(entry.seq);
            self.blocks[block].add_words(slot, lexical_text);
        }
    }

    /// Takes in an entry whose words are in a sealed block already.
    pub(super) fn add_sealed(&mut self, entry: Entry) {
        self.note_entry(entry);
    }

    /// Puts a stored block in its place; its entries follow by [`add_sealed`](Self::add_sealed). Blocks come in order.
    pub(super) fn add_segment(&mut self, block: usize, segment: Segment) {
        self.grow_to(block);
        self.blocks[block].seal(segment);
        self.next = self.next.max((block as u64 + 1) * BLOCK_SLOTS as u64);
    }

    /// The blocks that are full and not sealed, in order.
    pub(super) fn unsealed(&self) -> Vec<usize> {
        let full = usize::try_from(self.next / BLOCK_SLOTS as u64).expect("blocks are held in memory");
        (0..full.min(self.blocks.len())).filter(|block| !self.blocks[*block].is_sealed()).collect()
    }

    /// The compact form of a block, to be given to [`replace_sealed`](Self::replace_sealed) and to be stored.
    pub(super) fn compact(&self, block: usize) -> Segment {
        self.blocks[block].compact()
    }

    /// Puts the compact form of a full block in the place of the growing one.
    pub(super) fn replace_sealed(&mut self, block: usize, segment: Segment) {
        self.blocks[block].seal(segment);
    }

    /// Marks what the entry replaces as dead and places it; whether its words are to be found.
    fn note_entry(&mut self, entry: Entry) -> bool {
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
        self.blocks[block].place(slot, entry);
        let population = self.population(entry.note.is_some());
        population.count += 1;
        population.words += u64::from(entry.words);
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
fn split(seq: u64) -> (usize, u16) {
    let block = usize::try_from(seq / BLOCK_SLOTS as u64).expect("blocks are held in memory");
    (block, (seq % BLOCK_SLOTS as u64) as u16)
}

#[cfg(test)]
mod tests;

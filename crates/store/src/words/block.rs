//! A block of 65,536 entries: what each is, and which of them hold which token.

use fst::raw::Output;
use fst::{IntoStreamer, MapBuilder, Streamer};
use rustc_hash::FxHashMap;

use text::{after_tag, language_tag};

use super::postings::{Posting, PostingList, Postings};
use crate::backend::Entry;
use crate::facet::Facet;

/// How many entries a block has: a slot is a `u16`, and the scores of a block fit into a core's cache.
pub(crate) const BLOCK_SLOTS: usize = 65_536;

/// Changes whenever the bytes of a segment or the making of tokens change: a segment of another format is not read but
/// built anew.
pub(crate) const SEGMENT_FORMAT: u32 = 3;

/// A block, growing or sealed.
pub(super) struct Block {
    slots: Vec<Slot>,
    /// The number of words of each living text that has fewer than [`LOOK_UP`], one byte each: ranking reads nothing else of
    /// most entries, and this much stays in a core's cache.
    words: Vec<u8>,
    /// Whether any entry is or was a note.
    holds_notes: bool,
    /// How many slots hold no living entry although a list may name them.
    dead: u32,
    tokens: Tokens,
}

/// Stands for whatever only the slot tells.
pub(super) const LOOK_UP: u8 = u8::MAX;

/// An entry as a block holds it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) thought: u32,
    /// The row of the note; rows start at 1, so 0 is none.
    pub(super) note: u32,
    pub(super) facet: Facet,
    pub(super) words: u32,
}

const DEAD_SLOT: Slot = Slot { thought: 0, note: 0, facet: Facet::DEAD, words: 0 };

impl Slot {
    fn few_words(&self) -> u8 {
        let is_text = self.note == 0 && self.facet != Facet::DEAD;
        u8::try_from(self.words).ok().filter(|_| is_text).unwrap_or(LOOK_UP)
    }
}

enum Tokens {
    Growing { lists: FxHashMap<Box<str>, PostingList>, sizes: Sizes },
    Sealed(Segment),
}

impl Default for Tokens {
    fn default() -> Self {
        Self::Growing { lists: FxHashMap::default(), sizes: Sizes::default() }
    }
}

/// How many bytes the lists take once they are sealed.
#[derive(Default)]
struct Sizes {
    all: usize,
    /// Those of the tokens that carry the tag of a language.
    by_tag: FxHashMap<String, usize>,
}

impl Sizes {
    fn grow(&mut self, token: &str, bytes: usize) {
        self.all += bytes;
        let Some(tag) = language_tag(token) else { return };
        match self.by_tag.get_mut(tag) {
            Some(of_tag) => *of_tag += bytes,
            None => drop(self.by_tag.insert(tag.to_owned(), bytes)),
        }
    }
}

/// The tokens of a sealed block: a map from token to the place of its list.
pub(crate) struct Segment {
    map: fst::Map<Vec<u8>>,
    lists: Vec<u8>,
}

impl Segment {
    /// Reads a stored segment; `None` if the bytes are none, or not those that were stored.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (checksum, bytes) = bytes.split_first_chunk::<8>()?;
        // A map with other bytes than were written leads out of itself and panics, and lists would answer wrongly.
        if u64::from_le_bytes(*checksum) != checksum_of(bytes) {
            return None;
        }
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let map = fst::Map::new(rest.get(..length)?.to_vec()).ok()?;
        Some(Self { map, lists: rest[length..].to_vec() })
    }

    /// The bytes to store.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let map = self.map.as_fst().as_bytes();
        let length = (map.len() as u64).to_le_bytes();
        let mut bytes = [&[0; 8], length.as_slice(), map, self.lists.as_slice()].concat();
        let checksum = checksum_of(&bytes[8..]).to_le_bytes();
        bytes[..8].copy_from_slice(&checksum);
        bytes
    }

    /// How many bytes the lists of the tokens take that carry the tag. Lists stand in the order of their tokens.
    fn bytes_of(&self, tag: &str) -> usize {
        let list_of_first_from = |bound: &str| {
            let first = self.map.range().ge(bound).into_stream().next().map(|(_, offset)| offset);
            first.and_then(|offset| usize::try_from(offset).ok()).unwrap_or(self.lists.len())
        };
        list_of_first_from(&after_tag(tag)).saturating_sub(list_of_first_from(tag))
    }

    fn get(&self, token: &str) -> Option<Postings<'_>> {
        self.list_at(self.map.get(token)?)
    }

    fn list_at(&self, offset: u64) -> Option<Postings<'_>> {
        Postings::read(&self.lists, usize::try_from(offset).ok()?)
    }

    /// Calls `each` for those of the tokens it holds, with their places among them. They are in order, so that whatever no token
    /// begins with is looked for once.
    fn for_each_known<'a>(&'a self, tokens: &[String], mut each: impl FnMut(usize, Postings<'a>)) {
        let map = self.map.as_fst();
        // How far the letters of the token before led, and what was found on the way.
        let mut path = vec![(map.root(), Output::zero())];
        let mut before: &[u8] = &[];
        for (place, token) in tokens.iter().enumerate() {
            let token = token.as_bytes();
            let shared = token.iter().zip(before).take_while(|(letter, before)| letter == before).count();
            before = token;
            if path.len() <= shared {
                continue;
            }
            path.truncate(shared + 1);
            for letter in &token[shared..] {
                let (node, found) = path[path.len() - 1];
                let Some(way) = node.find_input(*letter) else { break };
                let way = node.transition(way);
                path.push((map.node(way.addr), found.cat(way.out)));
            }
            let (node, found) = path[path.len() - 1];
            if path.len() == token.len() + 1 && node.is_final() {
                let list = self.list_at(found.cat(node.final_output()).value());
                list.into_iter().for_each(|list| each(place, list));
            }
        }
    }
}

/// Mixes a word at a time. Each step can be undone, so damage within one word is always seen; two shifts let every bit reach
/// all others before the next word, or damage in that could cancel it.
fn checksum_of(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word)).chain([bytes.len() as u64]);
    words.fold(0, |sum, word| {
        let mixed = (sum ^ word).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 32
    })
}

impl Block {
    /// How much it takes in memory, by estimate: a list that grows takes some twelve bytes for each word it has seen.
    pub(super) fn bytes(&self) -> usize {
        const GROWING_WORD: usize = 12;
        let tokens = match &self.tokens {
            Tokens::Growing { .. } => GROWING_WORD * self.slots.iter().map(|slot| slot.words as usize).sum::<usize>(),
            Tokens::Sealed(segment) => segment.map.as_fst().as_bytes().len() + segment.lists.len(),
        };
        tokens + (size_of::<Slot>() + 1) * self.slots.len()
    }

    /// A block whose first slots are never used.
    pub(super) fn starting_at(slot: usize) -> Self {
        let (slots, words) = (vec![DEAD_SLOT; slot], vec![LOOK_UP; slot]);
        Self { slots, words, holds_notes: false, dead: 0, tokens: Tokens::default() }
    }

    /// Puts an entry in its slot.
    pub(super) fn place(&mut self, slot: u16, entry: Entry, words: u32) {
        let index = usize::from(slot);
        if self.slots.len() <= index {
            // Numbers without an entry were replaced before anyone looked: dead from the start.
            let missing = index - self.slots.len();
            self.dead += missing as u32;
            self.slots.resize(index + 1, DEAD_SLOT);
            self.words.resize(index + 1, LOOK_UP);
        } else {
            self.dead -= 1;
        }
        let Entry { thought, note, facet, .. } = entry;
        let slot = Slot { thought, note: note.unwrap_or_default(), facet, words };
        self.words[index] = slot.few_words();
        self.holds_notes |= slot.note != 0;
        self.slots[index] = slot;
    }

    /// Adds the tokens of an entry to a growing block; slots come in ascending order.
    pub(super) fn add_words(&mut self, slot: u16, lexical_text: &str) {
        let Tokens::Growing { lists, sizes } = &mut self.tokens else { return };
        let mut times: FxHashMap<&str, u8> = FxHashMap::default();
        for token in lexical_text.split(' ').filter(|token| !token.is_empty()) {
            let count = times.entry(token).or_default();
            *count = count.saturating_add(1);
        }
        for (token, times) in times {
            let posting = Posting { slot, times };
            if let Some(list) = lists.get_mut(token) {
                let before = list.written_bytes();
                list.push(posting);
                sizes.grow(token, list.written_bytes() - before);
                continue;
            }
            let mut list = PostingList::default();
            list.push(posting);
            sizes.grow(token, list.written_bytes());
            lists.insert(token.into(), list);
        }
    }

    /// Marks an entry as dead; what it was, if it was alive.
    pub(super) fn bury(&mut self, slot: u16) -> Option<Slot> {
        let index = usize::from(slot);
        let slot = self.slots.get_mut(index).filter(|slot| slot.facet != Facet::DEAD)?;
        self.dead += 1;
        self.words[index] = LOOK_UP;
        Some(std::mem::replace(slot, DEAD_SLOT))
    }

    /// The entries in order.
    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Whether any entry is or was a note.
    pub(super) fn holds_notes(&self) -> bool {
        self.holds_notes
    }

    /// How many words each text has, or [`LOOK_UP`].
    pub(super) fn words(&self) -> &[u8] {
        &self.words
    }

    /// The entries that hold the token, dead ones included.
    pub(super) fn get(&self, token: &str) -> Option<Postings<'_>> {
        match &self.tokens {
            Tokens::Growing { lists, .. } => lists.get(token).map(PostingList::as_postings),
            Tokens::Sealed(segment) => segment.get(token),
        }
    }

    /// How many bytes the lists of all tokens take.
    pub(super) fn list_bytes(&self) -> usize {
        match &self.tokens {
            Tokens::Growing { sizes, .. } => sizes.all,
            Tokens::Sealed(segment) => segment.lists.len(),
        }
    }

    /// How many of them are of tokens that carry the tag of that language: the same whether growing or sealed.
    pub(super) fn list_bytes_of(&self, tag: &str) -> usize {
        match &self.tokens {
            Tokens::Growing { sizes, .. } => sizes.by_tag.get(tag).copied().unwrap_or_default(),
            Tokens::Sealed(segment) => segment.bytes_of(tag),
        }
    }

    /// How many living entries hold the token.
    pub(super) fn count(&self, token: &str) -> u32 {
        self.get(token).map_or(0, |postings| self.living(postings))
    }

    /// Adds to each of the counts how many living entries hold its token; the tokens are in order.
    pub(super) fn add_counts(&self, tokens: &[String], counts: &mut [u32]) {
        match &self.tokens {
            Tokens::Growing { .. } => {
                tokens.iter().zip(counts).for_each(|(token, count)| *count += self.count(token));
            }
            Tokens::Sealed(segment) => {
                segment.for_each_known(tokens, |place, postings| counts[place] += self.living(postings));
            }
        }
    }

    fn living(&self, postings: Postings<'_>) -> u32 {
        if self.dead == 0 {
            return postings.count;
        }
        let mut living = 0;
        postings.for_each(|posting| living += u32::from(self.is_living(posting.slot)));
        living
    }

    /// Whether the slot holds an entry that has not been replaced.
    pub(super) fn is_living(&self, slot: u16) -> bool {
        self.slots.get(usize::from(slot)).is_some_and(|slot| slot.facet != Facet::DEAD)
    }

    pub(super) fn is_sealed(&self) -> bool {
        matches!(self.tokens, Tokens::Sealed(_))
    }

    /// The compact form of a growing block; `None` if it has it already.
    pub(super) fn compact(&self) -> Option<Segment> {
        let Tokens::Growing { lists: growing, .. } = &self.tokens else { return None };
        let mut sorted: Vec<(&str, &PostingList)> =
            growing.iter().map(|(token, list)| (token.as_ref(), list)).collect();
        sorted.sort_unstable_by_key(|(token, _)| *token);
        let mut lists = Vec::new();
        let mut map = MapBuilder::memory();
        for (token, list) in sorted {
            map.insert(token, lists.len() as u64).expect("tokens are sorted and distinct");
            list.write(&mut lists);
        }
        let bytes = map.into_inner().expect("writing to memory does not fail");
        Some(Segment { map: fst::Map::new(bytes).expect("just built"), lists })
    }

    /// Takes on the compact form.
    pub(super) fn seal(&mut self, segment: Segment) {
        self.tokens = Tokens::Sealed(segment);
    }
}

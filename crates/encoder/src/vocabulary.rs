//! The model's 30,522 words and word pieces, found by their text.

use std::sync::OnceLock;

/// One entry a line, the line number is the id; an entry that continues a word begins with `##`.
use parameters::VOCABULARY as ENTRIES;

use super::weights::WORDS;

/// Where its words begin; before them stand signs, letters and numbers.
pub(super) const FIRST_WORD: usize = 1_996;

/// What an entry begins with if it continues a word.
const CONTINUATION: &[u8] = b"##";

/// Slots of the table: a power of two, twice the entries, so that searches stay short.
const SLOTS: usize = 65_536;
const EMPTY: u16 = u16::MAX;

/// A hash table from texts to ids, 250 KB beside the texts in the binary.
pub(super) struct Vocabulary {
    /// Where each entry begins in the list, and where the last one ends.
    starts: Vec<u32>,
    slots: Vec<u16>,
    longest: usize,
}

impl Vocabulary {
    /// One for all who look up single words.
    pub(super) fn shared() -> &'static Self {
        static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
        VOCABULARY.get_or_init(Self::load)
    }

    /// The id of a word that is an entry as a whole; none for a sign or a number.
    pub(super) fn word(&self, word: &str) -> Option<usize> {
        let id = if word.is_empty() { None } else { self.id(b"", word.as_bytes()) };
        id.map(|id| id as usize).filter(|id| *id >= FIRST_WORD && !word.starts_with("##"))
    }

    pub(super) fn load() -> Self {
        let mut vocabulary = Self { starts: Vec::with_capacity(WORDS + 1), slots: vec![EMPTY; SLOTS], longest: 0 };
        let mut start = 0;
        for (id, entry) in (0u16..).zip(ENTRIES.lines()) {
            vocabulary.starts.push(start);
            start += entry.len() as u32 + 1;
            vocabulary.longest = vocabulary.longest.max(entry.len());
            let mut slot = hash(b"", entry.as_bytes());
            while vocabulary.slots[slot] != EMPTY {
                slot = (slot + 1) % SLOTS;
            }
            vocabulary.slots[slot] = id;
        }
        vocabulary.starts.push(start);
        assert_eq!(vocabulary.starts.len(), WORDS + 1, "the vocabulary and the weights belong to different models");
        vocabulary
    }

    /// The id of the longest entry that `rest` begins with, and that entry's length in `rest`.
    ///
    /// At the start of a word only entries that begin words count, later only those that continue them.
    pub(super) fn longest_prefix(&self, rest: &str, starts_word: bool) -> Option<(u32, usize)> {
        let prefix = if starts_word { b"" } else { CONTINUATION };
        let limit = rest.len().min(self.longest - prefix.len());
        (1..=limit)
            .rev()
            .filter(|&length| rest.is_char_boundary(length))
            .find_map(|length| Some((self.id(prefix, &rest.as_bytes()[..length])?, length)))
    }

    /// The letters of an entry, and whether it continues a word; nothing for an id that is none.
    pub(super) fn letters(&self, id: u32) -> (&'static str, bool) {
        let bound = |place: usize| self.starts.get(place).map(|start| *start as usize);
        let (start, end) = (bound(id as usize), bound(id as usize + 1));
        let entry = start.zip(end).map_or("", |(start, end)| &ENTRIES[start..end - 1]);
        entry.strip_prefix("##").map_or((entry, false), |letters| (letters, true))
    }

    fn id(&self, prefix: &[u8], piece: &[u8]) -> Option<u32> {
        let mut slot = hash(prefix, piece);
        loop {
            let id = match self.slots[slot] {
                EMPTY => return None,
                id => usize::from(id),
            };
            let entry = &ENTRIES.as_bytes()[self.starts[id] as usize..self.starts[id + 1] as usize - 1];
            if entry.strip_prefix(prefix) == Some(piece) {
                return Some(id as u32);
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// The slot where the search for `prefix` followed by `piece` begins (FNV-1a, folded).
fn hash(prefix: &[u8], piece: &[u8]) -> usize {
    let mut hash = 0x811c_9dc5_u32;
    for &byte in prefix.iter().chain(piece) {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    ((hash >> 16) ^ hash) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_found_under_its_own_id() {
        let vocabulary = Vocabulary::load();
        for (id, entry) in (0..).zip(ENTRIES.lines()) {
            assert_eq!(vocabulary.id(b"", entry.as_bytes()), Some(id), "{entry}");
        }
    }

    #[test]
    fn the_longest_entry_wins() {
        let vocabulary = Vocabulary::load();
        let (whole, length) = vocabulary.longest_prefix("playing", true).unwrap();
        assert_eq!((whole, length), (vocabulary.id(b"", b"playing").unwrap(), 7));
    }

    #[test]
    fn continuations_are_apart_from_words() {
        let vocabulary = Vocabulary::load();
        let start = vocabulary.longest_prefix("ing", true).unwrap();
        let continuation = vocabulary.longest_prefix("ing", false).unwrap();
        assert_ne!(start.0, continuation.0);
        assert_eq!(continuation.0, vocabulary.id(b"", b"##ing").unwrap());
    }

    #[test]
    fn what_no_entry_begins_with_is_not_found() {
        assert_eq!(Vocabulary::load().longest_prefix("\u{10ffff}", true), None);
    }
}

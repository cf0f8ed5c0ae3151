//! Which slots of a block hold a token, and how often: deltas of slots in as few bytes as they need.

/// A growing list of slots in ascending order with how often each holds the token.
#[derive(Debug, Clone, Default)]
pub(super) struct PostingList {
    bytes: Vec<u8>,
    count: u32,
    last: u16,
}

/// One slot that holds the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) slot: u16,
    /// How often, at most 255: a word that stands there more often says nothing more.
    pub(super) times: u8,
}

impl PostingList {
    /// Adds a slot; it comes after all that are there.
    pub(super) fn push(&mut self, posting: Posting) {
        let delta = u32::from(posting.slot - self.last);
        // The lowest bit tells whether a count follows: for most postings none does.
        put(&mut self.bytes, delta << 1 | u32::from(posting.times > 1));
        if posting.times > 1 {
            self.bytes.push(posting.times);
        }
        self.last = posting.slot;
        self.count += 1;
    }

    /// How many bytes [`write`](Self::write) appends.
    pub(super) fn written_bytes(&self) -> usize {
        let length = self.bytes.len();
        put_bytes(self.count as usize) + put_bytes(length) + length
    }

    pub(super) fn as_postings(&self) -> Postings<'_> {
        Postings { count: self.count, bytes: &self.bytes }
    }

    /// Appends the list to a sealed block.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        put(out, self.count);
        put(out, u32::try_from(self.bytes.len()).expect("a block's list fits in memory"));
        out.extend_from_slice(&self.bytes);
    }
}

/// A list to be read, from a growing block or a sealed one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Postings<'a> {
    /// How many slots hold the token, dead ones included.
    pub(super) count: u32,
    bytes: &'a [u8],
}

impl<'a> Postings<'a> {
    /// Reads back what [`PostingList::write`] wrote at `offset`; `None` if that place holds no list.
    pub(super) fn read(bytes: &'a [u8], offset: usize) -> Option<Self> {
        let mut rest = bytes.get(offset..)?;
        let count = take(&mut rest)?;
        let length = take(&mut rest)? as usize;
        Some(Self { count, bytes: rest.get(..length)? })
    }

    /// Calls `each` for every slot in ascending order.
    #[inline]
    pub(super) fn for_each(self, mut each: impl FnMut(Posting)) {
        let mut rest = self.bytes;
        let mut slot = 0_u32;
        while let Some(head) = take(&mut rest) {
            slot += head >> 1;
            let times = match head & 1 {
                0 => 1,
                _ => {
                    let Some((times, tail)) = rest.split_first() else { return };
                    rest = tail;
                    *times
                }
            };
            each(Posting { slot: slot as u16, times });
        }
    }
}

/// Seven bits a byte, the lowest first; the high bit says that more follow.
fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// How many bytes [`put`] needs.
fn put_bytes(value: usize) -> usize {
    (value | 1).ilog2() as usize / 7 + 1
}

#[inline]
fn take(bytes: &mut &[u8]) -> Option<u32> {
    let (first, mut rest) = bytes.split_first()?;
    let mut value = u32::from(first & 0x7f);
    let (mut byte, mut shift) = (*first, 7);
    while byte & 0x80 != 0 {
        let (next, tail) = rest.split_first()?;
        value |= u32::from(next & 0x7f).checked_shl(shift)?;
        (byte, rest, shift) = (*next, tail, shift + 7);
    }
    *bytes = rest;
    Some(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(postings: Postings<'_>) -> Vec<Posting> {
        let mut read = Vec::new();
        postings.for_each(|posting| read.push(posting));
        read
    }

    proptest! {
        #[test]
        fn a_list_is_read_back_as_written(slots in prop::collection::btree_map(any::<u16>(), 1..=255_u8, 0..300)) {
            let written: Vec<Posting> = slots.into_iter().map(|(slot, times)| Posting { slot, times }).collect();
            let mut list = PostingList::default();
            written.iter().for_each(|posting| list.push(*posting));
            let mut bytes = vec![7; 3];
            list.write(&mut bytes);
            prop_assert_eq!(bytes.len(), 3 + list.written_bytes());
            let read = Postings::read(&bytes, 3).unwrap();
            prop_assert_eq!(read.count as usize, written.len());
            prop_assert_eq!(all(read), written);
        }

        #[test]
        fn damaged_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..64), offset in 0..80_usize) {
            if let Some(postings) = Postings::read(&bytes, offset) {
                postings.for_each(|_| ());
            }
        }
    }
}

//! Keeps the index over words up to date with the log: stored blocks as they are, the rest from the texts.

use async_trait::async_trait;

use text::LexicalForm;

use super::block::{BLOCK_SLOTS, SEGMENT_FORMAT, Segment};
use super::index::Index;
use crate::apart::computed;
use crate::backend::{Entry, LogEnd, Logged, Reading, Seen};
use crate::error::StoreError;
use crate::follow::Follower;
use crate::source::Source;

/// A part of the log.
pub(crate) enum Words {
    /// A block that was stored, with its entries.
    Block { block: u32, segment: Segment, entries: Vec<Logged> },
    /// Entries with their texts, and the first number that is not part of them.
    Entries { entries: Vec<Logged>, end: u64 },
}

#[async_trait]
impl Follower for Index {
    type Source = Source;
    type Position = Seen;
    type Page = Words;

    fn fresh(_source: &Source) -> Self {
        Self::default()
    }

    fn is_current(&self, end: LogEnd) -> bool {
        self.seen().next > end.entry
    }

    fn position(&self) -> Seen {
        self.seen()
    }

    async fn fetch(source: &Source, seen: Seen, end: LogEnd) -> Result<Words, StoreError> {
        let slots = BLOCK_SLOTS as u64;
        let block = u32::try_from(seen.next / slots).expect("blocks are held in memory");
        let block_end = (u64::from(block) + 1) * slots;
        // A block that is not full yet is not stored.
        let may_be_stored = seen.next.is_multiple_of(slots) && end.entry >= block_end;
        let stored = match may_be_stored {
            true => source.backend.get_block(source.account, block, SEGMENT_FORMAT).await?,
            false => None,
        };
        if let Some(bytes) = stored
            && let Some(segment) = computed(move || Segment::from_bytes(&bytes)).await?
        {
            let entries = source.follow_all(seen, block_end, Reading::Words).await?;
            return Ok(Words::Block { block, segment, entries });
        }
        let entries = source.follow(seen, block_end, Reading::Text).await?;
        let seen_end = match entries.last() {
            Some(last) => last.entry.seq + 1,
            // Whatever there was has been replaced by later entries.
            None => block_end.min(end.entry + 1),
        };
        Ok(Words::Entries { entries, end: seen_end })
    }

    fn take(&mut self, page: Words) {
        match page {
            Words::Block { block, segment, entries } => {
                self.add_segment(block as usize, segment);
                for Logged { entry, form } in entries {
                    self.add_sealed(entry, form.into_form().words);
                }
            }
            Words::Entries { entries, end } => {
                let formed: Vec<(Entry, LexicalForm)> =
                    entries.into_iter().map(|logged| (logged.entry, logged.form.into_form())).collect();
                formed.iter().for_each(|(entry, form)| self.add(*entry, form));
                self.see_until(end);
            }
        }
    }
}

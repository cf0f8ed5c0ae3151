//! Keeps a set of vectors up to date with its two logs: that of the vectors, and that of the entries, with which facets change.

use async_trait::async_trait;

use vectors::unpack;

use super::set::Set;
use crate::backend::{LogEnd, Reading, Row, Seen, VectorPage};
use crate::error::StoreError;
use crate::facet::Facet;
use crate::follow::{Followed, Follower};
use crate::models::Model;
use crate::source::Source;
use crate::words::Index;

/// Where the vectors of a model are.
pub(crate) struct VectorSource {
    pub(crate) source: Source,
    pub(crate) model: Model,
    /// What has been read of the account's words: whoever has that knows the facets.
    pub(crate) words: Followed<Index>,
}

/// How far a set has followed its logs.
pub(crate) struct Position {
    next_vector: u64,
    entries: Seen,
}

/// A part of a log, and the first number that is not part of it.
pub(crate) enum Page {
    Vectors(VectorPage, u64),
    Facets(Vec<(Row, Facet)>, u64),
}

#[async_trait]
impl Follower for Set {
    type Source = VectorSource;
    type Position = Position;
    type Page = Page;

    fn fresh(source: &VectorSource) -> Self {
        Self::new(source.model.centre.clone())
    }

    fn is_current(&self, end: LogEnd) -> bool {
        self.next_vector > end.vector && self.next_entry > end.entry
    }

    fn position(&self) -> Position {
        let entries = Seen { next: self.next_entry, next_thought: self.next_thought() };
        Position { next_vector: self.next_vector, entries }
    }

    async fn fetch(of: &VectorSource, position: Position, end: LogEnd) -> Result<Page, StoreError> {
        let Source { backend, account } = &of.source;
        if position.next_vector <= end.vector {
            let page = backend.follow_vectors(*account, of.model.number, position.next_vector).await?;
            of.source.check_rows(page.entries.iter().map(|(_, thought, _)| *thought)).await?;
            // The last ones may be another model's.
            let seen = page.entries.last().map_or(end.vector, |(number, _, _)| *number);
            return Ok(Page::Vectors(page, seen + 1));
        }
        if position.entries.next == 0 {
            let words = of.words.now();
            let next = words.seen().next;
            if next > 0 {
                return Ok(Page::Facets(words.facets(), next));
            }
        }
        let page = of.source.follow(position.entries, u64::MAX, Reading::Facet).await?;
        let seen = page.last().map_or(end.entry, |logged| logged.entry.seq);
        let thoughts = page.into_iter().map(|logged| logged.entry).filter(|entry| entry.note.is_none());
        Ok(Page::Facets(thoughts.map(|entry| (entry.thought, entry.facet)).collect(), seen + 1))
    }

    fn take(&mut self, page: Page) {
        let is_fresh = self.next_entry == 0;
        match page {
            Page::Vectors(VectorPage { entries, bytes }, end) => {
                let mut rest = bytes.as_slice();
                for (_, thought, length) in entries {
                    let (parts, tail) = rest.split_at(length.min(rest.len()));
                    self.put(thought, unpack(parts, self.dimensions()));
                    rest = tail;
                }
                self.next_vector = self.next_vector.max(end);
            }
            Page::Facets(facets, end) => {
                for (thought, facet) in facets {
                    self.set_facet(thought, facet);
                }
                self.next_entry = self.next_entry.max(end);
                if is_fresh {
                    self.shrink();
                }
            }
        }
        self.settle();
    }
}

//! Looking through the memory as a person does: by filters, newest first or best first.

use model::{AuthorFilter, Caller, Cursor, Mode, Order, Status};
use store::{Filter, Visible, Whose};

use super::error::MemoryError;
use super::handle::Memory;
use super::refusal::Refusal;
use super::retrieve::{Found, QUERY_BYTES_MAX, Retrieved};
use crate::search::{self, Hit, Replaced, Search, Signals};

/// What to look for.
#[derive(Debug, Clone)]
pub struct Look {
    /// What to search for; a blank query is none.
    pub query: Option<String>,
    /// Which thoughts are wanted.
    pub filter: Filter,
    /// Where the page before ended, where nothing is searched for.
    pub cursor: Option<Cursor>,
    /// How many at most.
    pub limit: usize,
}

impl Memory {
    /// The thoughts that a filter admits: those a query is about, best first, or all, newest first.
    pub async fn look(&self, caller: &Caller, look: &Look) -> Result<Retrieved, MemoryError> {
        let mut found = match look.query.as_deref().map(str::trim).filter(|query| !query.is_empty()) {
            Some(query) => self.look_for(caller, query, look).await?,
            None => self.look_through(caller, look).await?,
        };
        self.tell_replaced(caller, &mut found.thoughts).await?;
        Ok(found)
    }

    /// Tells of each what replaces it, also where that does not pass the filter: a person may see it all.
    async fn tell_replaced(&self, caller: &Caller, thoughts: &mut [Found]) -> Result<(), MemoryError> {
        let ids: Vec<_> = thoughts.iter().map(|found| found.thought.id).collect();
        let linked = self.store.linked(caller.account, &ids, Visible::open(AuthorFilter::All)).await?;
        let replaced = Replaced::of(&linked);
        for found in thoughts {
            found.superseded_by = replaced.by(found.thought.id);
        }
        Ok(())
    }

    async fn look_for(&self, caller: &Caller, query: &str, look: &Look) -> Result<Retrieved, MemoryError> {
        if query.len() > QUERY_BYTES_MAX {
            return Err(Refusal::QueryTooLong { bytes_max: QUERY_BYTES_MAX }.into());
        }
        if look.cursor.is_some() {
            return Err(Refusal::CursorWithSearch.into());
        }
        let author = match look.filter.whose {
            Whose::Everybodys => AuthorFilter::All,
            Whose::Users => AuthorFilter::User,
            Whose::Agents | Whose::Agent(_) => AuthorFilter::Agent,
        };
        // What the store cannot tell by itself is sorted out among the best candidates.
        let filter = &look.filter;
        let is_narrow = filter.category.is_some()
            || filter.entity.is_some()
            || filter.from.is_some()
            || filter.to.is_some()
            || matches!(filter.whose, Whose::Agent(_));
        let mut hits: Vec<Hit> = Vec::new();
        for status in filter.status.map_or(Status::ALL.to_vec(), |status| vec![status]) {
            let search = Search {
                text: query,
                visible: Visible { status, author },
                filter: is_narrow.then_some(filter),
                mode: Mode::Full,
                limit: look.limit,
                threshold: 0.0,
                now: self.clock.now(),
                signals: Signals::ALL,
            };
            hits.extend(search::search(self.store.as_ref(), &self.embedder, caller.account, &search).await?);
        }
        // Of equals the one in the earlier part of its life.
        hits.sort_by(|hit, other| other.score.total_cmp(&hit.score));
        hits.truncate(look.limit);
        let thoughts = hits.into_iter().map(Found::from).collect();
        Ok(Retrieved { thoughts, order: Order::Relevance, next_cursor: None })
    }

    async fn look_through(&self, caller: &Caller, look: &Look) -> Result<Retrieved, MemoryError> {
        // One more than asked for tells whether there is a next page.
        let (filter, limit) = (&look.filter, look.limit + 1);
        let mut listed = self.store.list_filtered(caller.account, filter, look.cursor, limit).await?;
        let more = listed.len() > look.limit;
        listed.truncate(look.limit);
        let last = listed.last().filter(|_| more);
        let next_cursor = last.map(|last| Cursor { created_at: last.created_at, id: Some(last.id) });
        let found = |thought: model::Thought| Found {
            snippet: search::opening(thought.raw_text.as_str()),
            thought,
            relevance: None,
            superseded_by: None,
            connections: None,
        };
        Ok(Retrieved { thoughts: listed.into_iter().map(found).collect(), order: Order::CreatedAt, next_cursor })
    }
}

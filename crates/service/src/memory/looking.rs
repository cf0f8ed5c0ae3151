//! Looking through the memory as a person does: by filters, newest first or best first.

use std::collections::BTreeSet;

use model::{AuthorFilter, Caller, Cursor, Mode, Order, Status, ThoughtId};
use store::{Among, Filter, Visible, Whose};

use super::error::MemoryError;
use super::handle::Memory;
use super::refusal::Refusal;
use super::retrieve::{Found, QUERY_BYTES_MAX};
use crate::search::{self, Depth, Hit, LOOKED_THROUGH_MAX, Looking, NEAR_MAX, Replaced, Search, Signals};

/// What to look for.
#[derive(Debug, Clone)]
pub struct Look {
    /// What to search for; a blank query is none.
    pub query: Option<String>,
    /// Which thoughts are wanted.
    pub filter: Filter,
    /// Where the page before ended.
    pub after: Option<Place>,
    /// How many at most.
    pub limit: usize,
}

/// Where a page ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the order of storing.
    Listed(Cursor),
    /// After so many of the best.
    Best(usize),
}

/// A page of what there is.
#[derive(Debug, Clone)]
pub struct Looked {
    /// The thoughts.
    pub thoughts: Vec<Found>,
    /// The order they are in.
    pub order: Order,
    /// Where to go on; `None` at the end.
    pub next: Option<Place>,
}

impl Memory {
    /// The thoughts that a filter admits: those a query is about, best first, or all, newest first.
    pub async fn look(&self, caller: &Caller, look: &Look) -> Result<Looked, MemoryError> {
        let query = look.query.as_deref().map(str::trim).filter(|query| !query.is_empty());
        let mut looked = match (query, look.after) {
            (Some(query), None) => self.look_for(caller, query, look, 0).await?,
            (Some(query), Some(Place::Best(skip))) => self.look_for(caller, query, look, skip).await?,
            (None, None) => self.look_through(caller, look, None).await?,
            (None, Some(Place::Listed(cursor))) => self.look_through(caller, look, Some(cursor)).await?,
            (Some(_), Some(Place::Listed(_))) | (None, Some(Place::Best(_))) => {
                return Err(Refusal::CursorWithSearch.into());
            }
        };
        self.tell_replaced(caller, &mut looked.thoughts).await?;
        Ok(looked)
    }

    /// Tells of each what replaces it, also where that does not pass the filter: a person may see it all.
    async fn tell_replaced(&self, caller: &Caller, thoughts: &mut [Found]) -> Result<(), MemoryError> {
        let ids: Vec<_> = thoughts.iter().map(|found| found.thought.id).collect();
        let linked = self.store.replacing(caller.account, &ids, Visible::open(AuthorFilter::All)).await?;
        let replaced = Replaced::of(&linked);
        for found in thoughts {
            found.superseded_by = replaced.by(found.thought.id);
        }
        Ok(())
    }

    async fn look_for(&self, caller: &Caller, query: &str, look: &Look, skip: usize) -> Result<Looked, MemoryError> {
        if query.len() > QUERY_BYTES_MAX {
            return Err(Refusal::QueryTooLong { bytes_max: QUERY_BYTES_MAX }.into());
        }
        let filter = &look.filter;
        let author = match filter.whose {
            Whose::Everybodys => AuthorFilter::All,
            Whose::Users => AuthorFilter::User,
            Whose::Agents | Whose::Agent(_) => AuthorFilter::Agent,
        };
        let among = match is_narrow(filter) {
            true => Some(self.store.among(caller.account, filter).await?),
            false => None,
        };
        let end = skip.saturating_add(look.limit).min(LOOKED_THROUGH_MAX);
        // One more tells whether there is a next page.
        let seeking = Seeking { query, filter, author, among: among.as_ref() };
        let mut hits = self.seek(caller, seeking, Depth::Near, (end + 1).min(NEAR_MAX)).await?;
        if hits.len() == NEAR_MAX {
            let near: BTreeSet<ThoughtId> = hits.iter().map(|hit| hit.thought.id).collect();
            let far = self.seek(caller, seeking, Depth::Far, LOOKED_THROUGH_MAX).await?;
            hits.extend(far.into_iter().filter(|hit| !near.contains(&hit.thought.id)));
            hits.truncate(LOOKED_THROUGH_MAX);
        }
        let next = (hits.len() > end).then_some(Place::Best(end));
        hits.truncate(end);
        let thoughts = hits.into_iter().skip(skip).map(Found::from).collect();
        Ok(Looked { thoughts, order: Order::Relevance, next })
    }

    /// The best hits of every status that is wanted.
    async fn seek(
        &self,
        caller: &Caller,
        Seeking { query, filter, author, among }: Seeking<'_>,
        depth: Depth,
        limit: usize,
    ) -> Result<Vec<Hit>, MemoryError> {
        let mut hits: Vec<Hit> = Vec::new();
        for status in filter.status.map_or(Status::ALL.to_vec(), |status| vec![status]) {
            let search = Search {
                text: query,
                visible: Visible { status, author },
                looking: Some(Looking { among, depth }),
                mode: Mode::Full,
                limit,
                threshold: 0.0,
                now: self.clock.now(),
                signals: Signals::ALL,
            };
            hits.extend(search::search(self.store.as_ref(), &self.embedder, caller.account, &search).await?);
        }
        // Of equals the one in the earlier part of its life.
        hits.sort_by(|hit, other| other.score.total_cmp(&hit.score));
        hits.truncate(limit);
        Ok(hits)
    }

    async fn look_through(&self, caller: &Caller, look: &Look, before: Option<Cursor>) -> Result<Looked, MemoryError> {
        // One more than asked for tells whether there is a next page.
        let mut listed = self.store.list_filtered(caller.account, &look.filter, before, look.limit + 1).await?;
        let more = listed.len() > look.limit;
        listed.truncate(look.limit);
        let last = listed.last().filter(|_| more);
        let next = last.map(|last| Place::Listed(Cursor { created_at: last.created_at, id: Some(last.id) }));
        let found = |thought: model::Thought| Found {
            snippet: search::opening(thought.raw_text.as_str()),
            thought,
            relevance: None,
            superseded_by: None,
            connections: None,
        };
        Ok(Looked { thoughts: listed.into_iter().map(found).collect(), order: Order::CreatedAt, next })
    }
}

/// What a person seeks, and where.
#[derive(Clone, Copy)]
struct Seeking<'a> {
    query: &'a str,
    filter: &'a Filter,
    author: AuthorFilter,
    among: Option<&'a Among>,
}

/// Whether a filter says more than a search can tell by itself.
fn is_narrow(filter: &Filter) -> bool {
    let Filter { status: _, whose, category, entity, from, to } = filter;
    category.is_some() || entity.is_some() || from.is_some() || to.is_some() || matches!(whose, Whose::Agent(_))
}

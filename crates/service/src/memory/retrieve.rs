//! Retrieval: searching by a query, or browsing newest first.

use model::{AuthorFilter, Caller, Cursor, Detail, Mode, Order, Thought, ThoughtId, Threshold, TopK};
use store::{Connections, Listing, Visible};

use super::error::MemoryError;
use super::handle::Memory;
use super::refusal::Refusal;
use crate::search::{self, Hit, NoteMatch, Search, Signal, Signals};

/// What to retrieve.
#[derive(Debug, Clone)]
pub struct Retrieve {
    /// What to look for; a blank query is none.
    pub query: Option<String>,
    /// Best match or newest first.
    pub order: Order,
    /// How many at most; when browsing, the size of a page.
    pub top_k: TopK,
    /// The lowest score a hit may have.
    pub threshold: Option<Threshold>,
    /// Which signals to use.
    pub mode: Mode,
    /// How much of each thought to return.
    pub detail: Detail,
    /// Whose thoughts to look through.
    pub author: AuthorFilter,
    /// Where the page before ended, when browsing.
    pub cursor: Option<Cursor>,
}

/// What was retrieved.
#[derive(Debug, Clone)]
pub struct Retrieved {
    /// The thoughts.
    pub thoughts: Vec<Found>,
    /// The order they are really in.
    pub order: Order,
    /// Where to go on browsing; `None` at the end, and after a search.
    pub next_cursor: Option<Cursor>,
}

/// A thought that was retrieved.
#[derive(Debug, Clone)]
pub struct Found {
    /// The thought.
    pub thought: Thought,
    /// The best place of its text, at most 300 characters.
    pub snippet: String,
    /// Why a search found it; `None` when browsing.
    pub relevance: Option<Relevance>,
    /// The latest open thought that replaces it, where it was asked for and there is one the caller may see.
    pub superseded_by: Option<ThoughtId>,
    /// What it is connected to, where everything about it is asked for.
    pub connections: Option<Connections>,
}

impl From<Hit> for Found {
    fn from(hit: Hit) -> Self {
        let Hit { thought, score, matched_by, notes, snippet, superseded_by } = hit;
        let relevance = Some(Relevance { score, matched_by, notes });
        Self { thought, snippet, relevance, superseded_by, connections: None }
    }
}

/// Why a search found a thought.
#[derive(Debug, Clone)]
pub struct Relevance {
    /// How well it answers the query, 0 to 1.
    pub score: f64,
    /// The signals that brought it in.
    pub matched_by: Vec<Signal>,
    /// The notes that matched.
    pub notes: Vec<NoteMatch>,
}

/// The longest query, in bytes. A thought's own text must fit, so that it can be looked for.
pub(super) const QUERY_BYTES_MAX: usize = model::TEXT_BYTES_MAX;

impl Memory {
    /// Searches if there is a query and relevance is asked for; browses otherwise.
    pub async fn retrieve(&self, caller: &Caller, retrieve: Retrieve) -> Result<Retrieved, MemoryError> {
        let query = retrieve.query.as_deref().map(str::trim).filter(|query| !query.is_empty());
        let mut retrieved = match (query, retrieve.order) {
            (Some(query), Order::Relevance) => self.search(caller, query, &retrieve).await?,
            _ => self.browse(caller, &retrieve).await?,
        };
        if retrieve.detail == Detail::Full {
            self.connect(caller, &mut retrieved.thoughts).await?;
        }
        Ok(retrieved)
    }

    /// Adds to each thought what it is connected to.
    async fn connect(&self, caller: &Caller, thoughts: &mut [Found]) -> Result<(), MemoryError> {
        let ids: Vec<_> = thoughts.iter().map(|found| found.thought.id).collect();
        for connections in self.store.connections(caller.account, &ids).await? {
            let found = thoughts.iter_mut().find(|found| found.thought.id == connections.thought);
            if let Some(found) = found {
                found.connections = Some(connections);
            }
        }
        Ok(())
    }

    async fn search(&self, caller: &Caller, query: &str, retrieve: &Retrieve) -> Result<Retrieved, MemoryError> {
        if query.len() > QUERY_BYTES_MAX {
            return Err(Refusal::QueryTooLong { bytes_max: QUERY_BYTES_MAX }.into());
        }
        if retrieve.cursor.is_some() {
            return Err(Refusal::CursorWithSearch.into());
        }
        let search = Search {
            text: query,
            visible: Visible::open(retrieve.author),
            looking: None,
            mode: retrieve.mode,
            limit: retrieve.top_k.get(),
            threshold: retrieve.threshold.map_or(0.0, Threshold::get),
            now: self.clock.now(),
            signals: Signals::ALL,
        };
        let hits = search::search(self.store.as_ref(), &self.embedder, caller.account, &search).await?;
        let thoughts = hits.into_iter().map(Found::from).collect();
        Ok(Retrieved { thoughts, order: Order::Relevance, next_cursor: None })
    }

    async fn browse(&self, caller: &Caller, retrieve: &Retrieve) -> Result<Retrieved, MemoryError> {
        let page = retrieve.top_k.get();
        let listing = Listing {
            visible: Visible::open(retrieve.author),
            before: retrieve.cursor,
            // One more than asked for tells whether there is a next page.
            limit: page + 1,
        };
        let mut listed = self.store.list(caller.account, &listing).await?;
        let more = listed.len() > page;
        listed.truncate(page);
        let next_cursor =
            listed.last().filter(|_| more).map(|last| Cursor { created_at: last.created_at, id: Some(last.id) });
        let thoughts = listed
            .into_iter()
            .map(|thought| Found {
                snippet: search::opening(thought.raw_text.as_str()),
                thought,
                relevance: None,
                superseded_by: None,
                connections: None,
            })
            .collect();
        Ok(Retrieved { thoughts, order: Order::CreatedAt, next_cursor })
    }
}

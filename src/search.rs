//! Finds the thoughts a query is about: gather ranked candidates, fuse them, say why each is there.
//!
//! A back end ranks by one signal at a time; only here do signals meet. The answer depends on the query and on what is
//! stored, never on timing: ties are broken by id.

mod explain;
mod fuse;
mod graph;
mod meaning;

use crate::model::{AccountId, AuthorFilter, Mode, Status, Thought};
use crate::store::{LexicalQuery, Store, StoreError};
use crate::text;

pub use explain::{NoteMatch, opening};
pub use fuse::Signal;
pub use meaning::QueryEmbedder;

use fuse::{Lists, fuse};

/// What to look for, and among which thoughts.
#[derive(Debug, Clone)]
pub struct Search<'a> {
    /// The query, as typed.
    pub text: &'a str,
    /// The status the thoughts have.
    pub status: Status,
    /// Whose thoughts they are.
    pub author: AuthorFilter,
    /// Which signals to use.
    pub mode: Mode,
    /// How many hits at most.
    pub limit: usize,
    /// The lowest score a hit may have.
    pub threshold: f64,
}

/// A thought the query is about.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The thought.
    pub thought: Thought,
    /// How well it answers the query: 0 to 1, comparable between queries.
    pub score: f64,
    /// The signals that brought it in.
    pub matched_by: Vec<Signal>,
    /// The notes that matched, best first.
    pub notes: Vec<NoteMatch>,
    /// The best place of the text.
    pub snippet: String,
}

/// How many candidates each signal names: more than are shown, since what one signal ranks low another may rank high.
const CANDIDATES: usize = 100;

/// The same for few hits of a fast search, which reads no more than it needs.
const FAST_CANDIDATES: usize = 30;

/// The best hits for the query, best first.
pub async fn search(
    store: &dyn Store,
    embedder: &QueryEmbedder,
    account: AccountId,
    search: &Search<'_>,
) -> Result<Vec<Hit>, StoreError> {
    let candidates = match search.mode {
        Mode::Fast if search.limit <= FAST_CANDIDATES => FAST_CANDIDATES,
        Mode::Fast | Mode::Full => CANDIDATES,
    };
    let query = LexicalQuery {
        terms: text::query_terms(search.text),
        status: search.status,
        author: search.author,
        limit: candidates,
    };
    let embedding = async {
        match search.mode {
            Mode::Fast => Ok(None),
            Mode::Full => meaning::of_query(store, embedder, account, search.text).await,
        }
    };
    let mentioning = graph::mentioning(store, account, search, candidates);
    let (found, meaning, graph) = tokio::join!(store.search(account, &query), embedding, mentioning);
    let found = found?;
    let mut lists = Lists { lexical: found.hits, semantic: None, graph: graph? };
    if let Some(meaning) = meaning? {
        // What other signals found is compared too: without its meaning it would count as if it had no vector.
        let lexical = lists.lexical.iter().map(|hit| hit.thought.id);
        let also = lexical.chain(lists.graph.iter().map(|(thought, _)| thought.id)).collect();
        lists.semantic = meaning::compare(store, account, search, meaning, also, candidates).await?;
    }
    if search.mode == Mode::Full {
        let linked = graph::linked(store, account, search, &fuse(&lists)).await?;
        lists.graph.extend(linked);
    }
    let mut ranked = fuse(&lists);
    ranked.retain(|hit| hit.score >= search.threshold);
    ranked.truncate(search.limit);
    explain::explain(store, account, ranked, &found.resolved).await
}

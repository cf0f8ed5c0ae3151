//! Finds the thoughts a query is about: gather ranked candidates, fuse them, say why each is there.
//!
//! A back end ranks by one signal at a time; only here do signals meet. The answer depends on the query and on what is
//! stored, never on timing: ties are broken by id.

mod explain;
mod fuse;

use crate::model::{AccountId, AuthorFilter, Status, Thought};
use crate::store::{LexicalQuery, Store, StoreError};
use crate::text;

pub use explain::{NoteMatch, opening};
pub use fuse::Signal;

/// What to look for, and among which thoughts.
#[derive(Debug, Clone)]
pub struct Search<'a> {
    /// The query, as typed.
    pub text: &'a str,
    /// The status the thoughts have.
    pub status: Status,
    /// Whose thoughts they are.
    pub author: AuthorFilter,
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

/// The best hits for the query, best first.
pub async fn search(store: &dyn Store, account: AccountId, search: &Search<'_>) -> Result<Vec<Hit>, StoreError> {
    let query = LexicalQuery {
        terms: text::query_terms(search.text),
        status: search.status,
        author: search.author,
        limit: search.limit,
    };
    let found = store.search(account, &query).await?;
    let mut ranked = fuse::fuse(found.hits);
    ranked.retain(|hit| hit.score >= search.threshold);
    ranked.truncate(search.limit);
    explain::explain(store, account, ranked, &found.resolved).await
}

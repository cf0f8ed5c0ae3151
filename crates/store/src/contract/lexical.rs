//! Searching by words, and what the words of a query say.

use model::{NoteId, Thought};
use text::QueryTerm;

use super::filter::Among;
use super::visible::Visible;
use crate::backend::LogEnd;

/// A search by words.
#[derive(Debug, Clone)]
pub struct LexicalQuery {
    /// The words.
    pub terms: Vec<QueryTerm>,
    /// Which thoughts may be seen.
    pub visible: Visible,
    /// Which of them are looked at; `None` for all.
    pub among: Option<Among>,
    /// How many at most.
    pub limit: usize,
    /// What it is to see at least, if that is known already; else everything stored before it is asked.
    pub as_of: Option<LogEnd>,
}

/// What a search by words found.
#[derive(Debug, Clone, Default)]
pub struct LexicalHits {
    /// The hits, best first.
    pub hits: Vec<LexicalHit>,
    /// What the query was taken to be.
    pub terms: Terms,
}

/// A thought that holds words of the query, in its text or in a note.
#[derive(Debug, Clone)]
pub struct LexicalHit {
    /// The thought.
    pub thought: Thought,
    /// How much of the query the text holds: 1 if every word once, up to about 2; `None` if only notes matched.
    pub text_score: Option<f32>,
    /// The notes that matched, best first, with how much of the query each holds.
    pub notes: Vec<(NoteId, f32)>,
}

/// The terms of a query as they were looked up in an account.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Terms {
    /// What each term was taken to be, forgiven typos included; those found nowhere are left out.
    pub resolved: Vec<ResolvedTerm>,
    /// How many words a text of the account has on average.
    pub typical_words: f32,
}

/// A term of the query as it was looked up.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedTerm {
    /// The tokens any of which counts as the term.
    pub tokens: Vec<String>,
    /// How much of the query it is, 0 to 1: rare words are more of it.
    pub weight: f32,
}

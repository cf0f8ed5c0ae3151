//! The index over the words of one account, in memory: it follows the account's log, ranks by BM25, and gives out full blocks in
//! a compact form to be stored.

mod block;
mod bm25;
mod follow;
#[cfg(test)]
mod fuzz;
mod index;
mod postings;
mod rank;
mod seek;
#[cfg(test)]
mod tests;

pub(crate) use block::SEGMENT_FORMAT;
pub(crate) use index::Index;
pub(crate) use rank::{Filter, Ranked};
pub(crate) use seek::Seek;

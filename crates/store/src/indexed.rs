//! A store on top of a back end: its rows, and what is held in memory of them.

mod accounts;
mod jobs;
mod knowledge;
mod loaded;
mod notes;
mod overviews;
mod store;
mod thoughts;
mod transfer;
mod upkeep;

pub use knowledge::NAMES_PER_WORD_MAX;
pub use store::IndexedStore;

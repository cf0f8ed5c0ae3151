//! The vectors of one account in memory, a set for each model somebody asks for: they follow the log, and are searched exactly.

mod follow;
#[cfg(test)]
mod fuzz;
mod sample;
mod set;
mod space;

pub(crate) use follow::VectorSource;
pub(crate) use set::{Close, Set};

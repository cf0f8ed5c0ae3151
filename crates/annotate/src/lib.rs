//! What a text is about, by rules and lists alone: the entities it mentions, what kind of thought it is, the moments it names, who
//! speaks, who is meant by a relation, what a question asks for, and whether it tells of a change. Pure functions of text; uses `model` and `text`.

mod asked;
pub mod category;
mod change;
pub mod entities;
#[cfg(test)]
mod fuzz;
mod kin;
mod moments;
mod speech;
mod tense;

pub use asked::{Asked, asks_for_a_time_alone, is_question, kind_named};
pub use change::{gives_like_values, shared_words, tells_of_change};
pub use kin::{Kin, Told};
pub use moments::{Moments, moments, moments_told};
pub use speech::{Meant, holds_phrases, quoted, speaker};
pub use tense::{Tense, what_came_after};

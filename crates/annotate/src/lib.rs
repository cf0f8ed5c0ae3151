//! What a text is about, by rules and lists alone: the entities it mentions, what kind of thought it is, the moments it names, who
//! speaks, and what a question asks for. Pure functions of text; uses `model` and `text`.

mod asked;
pub mod category;
pub mod entities;
#[cfg(test)]
mod fuzz;
mod moments;
mod speech;

pub use asked::{Asked, is_question};
pub use moments::{Moments, moments};
pub use speech::{Meant, holds_phrase, quoted, speaker};

//! What is told of an entity where a text mentions it.

use std::ops::Range;

use super::kind::EntityKind;

/// An entity where a text mentions it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The name to show: as written, or in its usual spelling where the text has it in lower case.
    pub name: String,
    /// What it is.
    pub kind: EntityKind,
    /// The bytes of the text that name it; without quotes, titles, prepositions and possessives.
    pub span: Range<usize>,
}

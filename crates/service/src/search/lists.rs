//! What the signals bring, before it is fused.

use model::{Thought, ThoughtId};
use store::{LexicalHit, Sittings};

use super::alike::Alike;
use super::judged::Judged;
use super::meaning::Compared;
use super::replaced::Replaced;

/// What each signal found. No list needs to be in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    /// By words, as shares of the query.
    pub(super) lexical: Vec<LexicalHit>,
    /// By meaning; `None` if the query was not compared by meaning.
    pub(super) compared: Option<Compared>,
    /// By connections, with the strength from 0 to 1.
    pub(super) graph: Vec<(Thought, f64)>,
    /// By the time or the kind the query names.
    pub(super) captured: Vec<Thought>,
    /// The best, whose neighbours were looked at.
    pub(super) in_context: Vec<ThoughtId>,
    /// What was said just before and after them.
    pub(super) sittings: Sittings,
    /// What has been replaced by what.
    pub(super) replaced: Replaced,
    /// What says like things.
    pub(super) alike: Alike,
    /// How surely the best answer the query.
    pub(super) judged: Judged,
}

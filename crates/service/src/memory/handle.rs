//! [`Memory`], through which everything is asked for: what it leans on and how it is made.

use std::sync::Arc;

use model::{Clock, IdSource};
use store::Store;

use crate::adviser::Adviser;
use crate::search::QueryEmbedder;

/// Keeps thoughts and finds them again.
#[derive(Clone)]
pub struct Memory {
    pub(super) store: Arc<dyn Store>,
    pub(super) embedder: QueryEmbedder,
    pub(super) adviser: Option<Adviser>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn IdSource>,
}

impl Memory {
    /// Makes the rules work on a store.
    pub fn new(store: Arc<dyn Store>, embedder: QueryEmbedder, clock: Arc<dyn Clock>, ids: Arc<dyn IdSource>) -> Self {
        Self { store, embedder, adviser: None, clock, ids }
    }

    /// Has a language model to ask what edit requests mean that the rules do not understand.
    #[must_use]
    pub fn advised_by(self, adviser: Option<Adviser>) -> Self {
        Self { adviser, ..self }
    }
}

//! What every part of the background path works with.

use std::sync::{Arc, OnceLock};

use model::{Clock, Time};
use store::Store;

use crate::embed::{EmbedError, Embedder};

/// What is needed to derive what follows from texts.
#[derive(Clone)]
pub struct Enrichment {
    pub(super) store: Arc<dyn Store>,
    pub(super) embedder: Arc<dyn Embedder>,
    pub(super) clock: Arc<dyn Clock>,
    /// The middle of the model's vectors, once it has been asked.
    centre: Arc<OnceLock<Arc<[f32]>>>,
}

impl Enrichment {
    /// Works on the jobs of a store.
    pub fn new(store: Arc<dyn Store>, embedder: Arc<dyn Embedder>, clock: Arc<dyn Clock>) -> Self {
        Self { store, embedder, clock, centre: Arc::default() }
    }

    /// The middle of the model's vectors.
    pub(super) fn centre(&self) -> Result<Arc<[f32]>, EmbedError> {
        if let Some(centre) = self.centre.get() {
            return Ok(centre.clone());
        }
        let centre: Arc<[f32]> = self.embedder.centre()?.into();
        Ok(self.centre.get_or_init(|| centre).clone())
    }

    pub(super) fn now(&self) -> Time {
        self.clock.now()
    }
}

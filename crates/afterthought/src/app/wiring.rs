//! [`App`]: the parts of the program, put together on a store.

use std::sync::Arc;

use model::{Clock, IdSource, RandomIds, SystemClock};
use service::adviser::Adviser;
use service::auth::{Keyring, Sessions};
use service::embed::{BuiltIn, Embedder};
use service::enrich::Enrichment;
use service::memory::Memory;
use service::search::QueryEmbedder;
use store::{Store, StoreError};

use crate::stores::Location;

/// The parts every use of the program needs.
#[derive(Clone)]
pub struct App {
    /// Where everything is kept.
    pub store: Arc<dyn Store>,
    /// The product's rules.
    pub memory: Memory,
    /// Accounts and keys.
    pub keyring: Keyring,
    /// Who is signed in to the app.
    pub sessions: Sessions,
    /// The background work.
    pub enrichment: Enrichment,
}

impl App {
    /// Opens the store at `location` and puts the rules on top of it, with the built-in embedding model.
    pub async fn open(location: &Location) -> Result<Self, StoreError> {
        Self::open_with(location, None).await
    }

    /// The same with another embedding model.
    pub async fn open_with(location: &Location, embedder: Option<Arc<dyn Embedder>>) -> Result<Self, StoreError> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let ids: Arc<dyn IdSource> = Arc::new(RandomIds);
        let store = crate::stores::open(location, clock.clone()).await?;
        Ok(Self::on(store, embedder, clock, ids))
    }

    /// Puts the rules on top of a store that is open, with that embedding model or the built-in one.
    pub fn on(
        store: Arc<dyn Store>,
        embedder: Option<Arc<dyn Embedder>>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
    ) -> Self {
        let built_in = Arc::new(BuiltIn::default());
        let embedder = embedder.unwrap_or_else(|| built_in.clone());
        let query_embedder = QueryEmbedder::new(embedder.clone(), built_in);
        Self {
            memory: Memory::new(store.clone(), query_embedder, clock.clone(), ids.clone()),
            sessions: Sessions::new(store.clone(), clock.clone()),
            keyring: Keyring::new(store.clone(), clock.clone(), ids),
            enrichment: Enrichment::new(store.clone(), embedder, clock),
            store,
        }
    }

    /// The same with a language model to ask about edit requests; without one nothing leaves the machine.
    #[must_use]
    pub fn advised_by(mut self, adviser: Option<Adviser>) -> Self {
        self.memory = self.memory.advised_by(adviser);
        self
    }
}

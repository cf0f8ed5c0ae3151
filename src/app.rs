//! Wiring: from settings to running parts, shared by the command line and the tests.

mod serve;
mod signals;

use std::sync::Arc;

pub use serve::{ServeError, serve};
pub use signals::Signals;

use crate::auth::Keyring;
use crate::memory::Memory;
use crate::model::{Clock, IdSource, RandomIds, SystemClock};
use crate::store::{self, Location, Store, StoreError};

/// The parts every use of the program needs.
#[derive(Clone)]
pub struct App {
    /// Where everything is kept.
    pub store: Arc<dyn Store>,
    /// The product's rules.
    pub memory: Memory,
    /// Accounts and keys.
    pub keyring: Keyring,
}

impl App {
    /// Opens the store at `location` and puts the rules on top of it.
    pub fn open(location: &Location) -> Result<Self, StoreError> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let ids: Arc<dyn IdSource> = Arc::new(RandomIds);
        let store = store::open(location, clock.clone())?;
        Ok(Self {
            memory: Memory::new(store.clone(), clock.clone(), ids.clone()),
            keyring: Keyring::new(store.clone(), clock, ids),
            store,
        })
    }
}

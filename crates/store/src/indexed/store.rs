//! The store, and the accounts it holds in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use model::{AccountId, Clock};

use super::loaded::Loaded;
use crate::backend::Backend;
use crate::source::Source;

/// How long an account nobody asks for is held.
const IDLE_MICROS: i64 = 10 * 60 * 1_000_000;

/// A store whose rows a back end keeps, and whose words and vectors are searched in memory.
pub struct IndexedStore {
    pub(super) backend: Arc<dyn Backend>,
    clock: Arc<dyn Clock>,
    accounts: Mutex<FxHashMap<AccountId, Arc<Loaded>>>,
    /// How many bytes may be held of all of them.
    budget_bytes: AtomicU64,
}

impl IndexedStore {
    /// A store on top of a back end.
    pub fn new(backend: Arc<dyn Backend>, clock: Arc<dyn Clock>) -> Self {
        Self { backend, clock, accounts: Mutex::default(), budget_bytes: AtomicU64::new(u64::MAX) }
    }

    /// What is held of an account. Nothing is read before it is needed.
    pub(super) fn account(&self, account: AccountId) -> Arc<Loaded> {
        let mut accounts = self.accounts.lock();
        let loaded = accounts
            .entry(account)
            .or_insert_with(|| Arc::new(Loaded::new(Source { backend: self.backend.clone(), account })));
        loaded.note_use(self.clock.now());
        loaded.clone()
    }

    /// The back end, for a call about this account.
    pub(super) fn rows(&self, account: AccountId) -> &dyn Backend {
        self.account(account);
        self.backend.as_ref()
    }

    /// Every account that is held.
    pub(super) fn held(&self) -> Vec<Arc<Loaded>> {
        self.accounts.lock().values().cloned().collect()
    }

    /// Lets go of the accounts nobody has asked for lately; the others.
    pub(super) fn let_idle_go(&self) -> Vec<AccountId> {
        let idle_since = self.clock.now().as_micros() - IDLE_MICROS;
        let mut accounts = self.accounts.lock();
        accounts.retain(|_, loaded| loaded.is_used_since(idle_since));
        accounts.keys().copied().collect()
    }

    pub(super) fn set_budget(&self, bytes: u64) {
        self.budget_bytes.store(bytes, Ordering::Relaxed);
    }

    /// What is held of all accounts, in bytes.
    pub(super) fn held_bytes(&self) -> u64 {
        self.held().iter().map(|loaded| loaded.bytes()).sum()
    }

    /// Lets go of the accounts asked for least recently until the others fit into the budget. Whoever is searching one goes on.
    pub(super) fn let_surplus_go(&self) {
        let budget = self.budget_bytes.load(Ordering::Relaxed);
        if budget == u64::MAX {
            return;
        }
        let mut held: Vec<(i64, AccountId, u64)> =
            self.held().iter().map(|loaded| (loaded.last_asked_for(), loaded.source.account, loaded.bytes())).collect();
        held.sort_unstable();
        let mut total: u64 = held.iter().map(|(_, _, bytes)| bytes).sum();
        let mut accounts = self.accounts.lock();
        for (_, account, bytes) in held {
            if total <= budget {
                break;
            }
            accounts.remove(&account);
            total -= bytes;
        }
    }

    /// Lets go of all.
    pub(super) fn let_all_go(&self) {
        self.accounts.lock().clear();
    }
}

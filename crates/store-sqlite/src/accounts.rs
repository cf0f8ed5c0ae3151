//! The accounts that are open: no more than a number, of which the one asked for least recently goes first.

use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use tokio::sync::OnceCell;

use model::AccountId;
use store::StoreError;

use crate::account::AccountFile;

/// The accounts that are open.
pub(crate) struct OpenAccounts {
    most: usize,
    slots: Mutex<Slots>,
}

#[derive(Default)]
struct Slots {
    by_account: FxHashMap<AccountId, Slot>,
    /// Counts what was asked for.
    asked: u64,
}

/// A file that is open or being opened: whoever asks for it meanwhile waits for that, and for no other.
struct Slot {
    file: Arc<OnceCell<Arc<AccountFile>>>,
    last_asked: u64,
}

impl Slot {
    /// Whether the file is open and nobody uses it.
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.file) == 1 && self.file.get().is_some_and(|file| Arc::strong_count(file) == 1)
    }
}

impl OpenAccounts {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, slots: Mutex::default() }
    }

    /// The file of an account that is open.
    pub(crate) fn get(&self, account: AccountId) -> Option<Arc<AccountFile>> {
        let mut slots = self.slots.lock();
        slots.asked += 1;
        let asked = slots.asked;
        let slot = slots.by_account.get_mut(&account)?;
        slot.last_asked = asked;
        slot.file.get().cloned()
    }

    /// The file of an account, opened by `open` if it is not; one that cannot be opened is tried anew by the next caller.
    pub(crate) async fn get_or_open(
        &self,
        account: AccountId,
        open: impl Future<Output = Result<AccountFile, StoreError>>,
    ) -> Result<Arc<AccountFile>, StoreError> {
        let cell = {
            let mut slots = self.slots.lock();
            slots.asked += 1;
            let asked = slots.asked;
            let slot =
                slots.by_account.entry(account).or_insert_with(|| Slot { file: Arc::default(), last_asked: asked });
            slot.last_asked = asked;
            slot.file.clone()
        };
        let opened = cell.get_or_try_init(async || open.await.map(Arc::new)).await.cloned();
        drop(cell);
        if opened.is_err() {
            let mut slots = self.slots.lock();
            if slots.by_account.get(&account).is_some_and(|slot| slot.file.get().is_none()) {
                slots.by_account.remove(&account);
            }
        }
        opened
    }

    /// Takes out what is open beyond the limit and not in use, longest unused first.
    pub(crate) fn take_surplus(&self) -> Vec<(AccountId, Arc<AccountFile>)> {
        let mut slots = self.slots.lock();
        let surplus = slots.by_account.len().saturating_sub(self.most);
        if surplus == 0 {
            return Vec::new();
        }
        let idle = slots.by_account.iter().filter(|(_, slot)| slot.is_idle());
        let mut idle: Vec<(u64, AccountId)> = idle.map(|(account, slot)| (slot.last_asked, *account)).collect();
        idle.sort_unstable();
        idle.truncate(surplus);
        slots.take(idle.into_iter().map(|(_, account)| account))
    }

    /// Takes out what is not in use and fits.
    pub(crate) fn take_idle(&self, fits: impl Fn(AccountId) -> bool) -> Vec<(AccountId, Arc<AccountFile>)> {
        let mut slots = self.slots.lock();
        let idle = slots.by_account.iter().filter(|(account, slot)| slot.is_idle() && fits(**account));
        let idle: Vec<AccountId> = idle.map(|(account, _)| *account).collect();
        slots.take(idle)
    }

    /// Every file that is open.
    pub(crate) fn all(&self) -> Vec<Arc<AccountFile>> {
        self.slots.lock().by_account.values().filter_map(|slot| slot.file.get().cloned()).collect()
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.slots.lock().by_account.clear();
    }
}

impl Slots {
    fn take(&mut self, accounts: impl IntoIterator<Item = AccountId>) -> Vec<(AccountId, Arc<AccountFile>)> {
        let taken = accounts.into_iter().filter_map(|account| {
            let slot = self.by_account.remove(&account)?;
            Some((account, slot.file.get()?.clone()))
        });
        taken.collect()
    }
}

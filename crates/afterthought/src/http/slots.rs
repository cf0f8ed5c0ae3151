//! Room for a bounded number of connections. When all of it is taken, whoever comes next takes the place of the one that has been
//! idle for longest, those who have shown no key first: whoever is at work is never cut off for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::peer::Peer;

/// The room for connections.
pub(super) struct Slots {
    free: Arc<Semaphore>,
    taken: Mutex<Taken>,
    /// Told whenever a connection falls idle or is not after all.
    changed: Arc<Notify>,
}

#[derive(Default)]
struct Taken {
    peers: BTreeMap<u64, Arc<Peer>>,
    /// How many there have been.
    count: u64,
}

/// The place of one connection, given back when it is dropped.
pub(super) struct Slot {
    pub(super) peer: Arc<Peer>,
    number: u64,
    slots: Arc<Slots>,
    _permit: OwnedSemaphorePermit,
}

impl Slots {
    pub(super) fn new(count: usize) -> Arc<Self> {
        let (free, changed) = (Arc::new(Semaphore::new(count)), Arc::default());
        Arc::new(Self { free, taken: Mutex::default(), changed })
    }

    /// A place for somebody who has come. Waits only while everybody else is at work. For one caller at a time.
    pub(super) async fn take(self: &Arc<Self>) -> Slot {
        let permit = loop {
            if let Ok(permit) = self.free.clone().try_acquire_owned() {
                break permit;
            }
            self.dismiss_longest_idle();
            tokio::select! {
                permit = self.free.clone().acquire_owned() => break permit.expect("the semaphore is never closed"),
                () = self.changed.notified() => {}
            }
        };
        let peer = Arc::new(Peer::new(self.changed.clone()));
        let mut taken = self.taken.lock();
        taken.count += 1;
        let number = taken.count;
        taken.peers.insert(number, peer.clone());
        drop(taken);
        Slot { peer, number, slots: self.clone(), _permit: permit }
    }

    /// Asks one connection to go, unless one is going already.
    fn dismiss_longest_idle(&self) {
        let taken = self.taken.lock();
        if taken.peers.values().any(|peer| peer.is_dismissed()) {
            return;
        }
        let idle = taken.peers.values().filter_map(|peer| Some((peer.idle_since()?, peer)));
        if let Some((_, peer)) = idle.min_by_key(|(idle_since, _)| *idle_since) {
            peer.dismiss();
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.taken.lock().peers.remove(&self.number);
    }
}

//! Who is at the other end of a connection: somebody who has shown a key, or anybody.
//!
//! Anybody may connect, so whoever has not shown a key does not keep a connection for long: a thousand of them would keep out those
//! who have one.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// Marks an answer to a request that came with a valid key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keyed;

/// What is known of the other end.
pub(super) struct Peer {
    state: Mutex<State>,
    dismissal: Notify,
    /// Told whenever it falls idle, or was to go and asks for something after all.
    changed: Arc<Notify>,
}

struct State {
    /// Whether it has shown a key.
    is_known: bool,
    /// How many of its requests are under way.
    under_way: usize,
    /// Since when there has been none.
    idle_since: Instant,
    /// Whether it is to go because somebody else needs its place.
    is_dismissed: bool,
}

impl Peer {
    pub(super) fn new(changed: Arc<Notify>) -> Self {
        let state = State { is_known: false, under_way: 0, idle_since: Instant::now(), is_dismissed: false };
        Self { state: Mutex::new(state), dismissal: Notify::new(), changed }
    }

    /// A request has come in. Whoever was to go may stay for it.
    pub(super) fn asks(&self) {
        let mut state = self.state.lock();
        state.under_way += 1;
        if std::mem::take(&mut state.is_dismissed) {
            self.changed.notify_one();
        }
    }

    /// A request has been answered, one with a key if it is `keyed`.
    pub(super) fn is_answered(&self, keyed: bool) {
        let mut state = self.state.lock();
        state.under_way = state.under_way.saturating_sub(1);
        state.is_known |= keyed;
        state.idle_since = Instant::now();
        self.changed.notify_one();
    }

    /// Whether it has shown a key, and since when it has asked for nothing; `None` if it does ask for something.
    pub(super) fn idle_since(&self) -> Option<(bool, Instant)> {
        let state = self.state.lock();
        (state.under_way == 0).then_some((state.is_known, state.idle_since))
    }

    /// Asks it to go, unless it asks for something before it does.
    pub(super) fn dismiss(&self) {
        self.state.lock().is_dismissed = true;
        self.dismissal.notify_one();
    }

    pub(super) fn is_dismissed(&self) -> bool {
        self.state.lock().is_dismissed
    }

    /// Waits until it has to go.
    pub(super) async fn dismissed(&self) {
        while !self.is_dismissed() {
            self.dismissal.notified().await;
        }
    }

    /// Waits until somebody who has shown no key has asked for nothing for so long; forever for those who have.
    pub(super) async fn overstays(&self, limit: Duration) {
        loop {
            let until = {
                let state = self.state.lock();
                match (state.is_known, state.under_way) {
                    (true, _) => None,
                    (false, 0) => Some(state.idle_since + limit),
                    (false, _) => Some(Instant::now() + limit),
                }
            };
            match until {
                None => std::future::pending().await,
                Some(until) if until <= Instant::now() => return,
                Some(until) => sleep_until(until).await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(5);

    #[tokio::test(start_paused = true)]
    async fn whoever_shows_no_key_may_not_stay() {
        let (peer, begun) = (Peer::new(Arc::default()), Instant::now());
        peer.overstays(LIMIT).await;
        assert_eq!(begun.elapsed(), LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_under_way_is_not_cut_off() {
        let peer = Peer::new(Arc::default());
        peer.asks();
        assert!(tokio::time::timeout(10 * LIMIT, peer.overstays(LIMIT)).await.is_err());
        peer.is_answered(false);
        peer.overstays(LIMIT).await;
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_asks_for_something_before_going_stays_until_then() {
        let peer = Peer::new(Arc::default());
        peer.dismiss();
        peer.asks();
        assert!(tokio::time::timeout(LIMIT, peer.dismissed()).await.is_err());
        peer.is_answered(true);
        peer.dismiss();
        peer.dismissed().await;
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_has_shown_a_key_may_stay() {
        let peer = Peer::new(Arc::default());
        peer.asks();
        peer.is_answered(true);
        assert!(tokio::time::timeout(100 * LIMIT, peer.overstays(LIMIT)).await.is_err());
    }
}

//! Something in memory that follows a log: read when it is first asked for, brought up to date before each use.
//!
//! - Whoever uses it sees everything that was acknowledged before the call.
//! - Pages are taken in one at a time, each whole: a call that fails or is given up half way leaves a state that is only behind.
//! - Reading and using happen on threads where they may take their time.

use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::apart::computed;
use crate::backend::LogEnd;
use crate::error::StoreError;

/// What can be brought up to date.
#[async_trait]
pub(crate) trait Follower: Sized + Send + Sync + 'static {
    /// Where the log is.
    type Source: Send + Sync;
    /// How far it has been followed.
    type Position: Send;
    /// Some of what has not been seen.
    type Page: Send + 'static;

    /// One that has seen nothing.
    fn fresh(source: &Self::Source) -> Self;

    /// Whether it has seen everything up to `end`.
    fn is_current(&self, end: LogEnd) -> bool;

    /// How far it has followed.
    fn position(&self) -> Self::Position;

    /// Reads on from a position that is not current.
    async fn fetch(source: &Self::Source, position: Self::Position, end: LogEnd) -> Result<Self::Page, StoreError>;

    /// Takes in what was read from its position.
    fn take(&mut self, page: Self::Page);
}

/// A follower that many use at once.
pub(crate) struct Followed<F> {
    state: Arc<RwLock<F>>,
    /// Held by the one who reads on.
    turn: Arc<Mutex<()>>,
}

impl<F> Clone for Followed<F> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), turn: self.turn.clone() }
    }
}

/// What became of a use after a page was taken in.
enum Taken<T, U> {
    Used(T),
    /// There is more to read first.
    Behind(U, OwnedMutexGuard<()>),
}

impl<F: Follower> Followed<F> {
    pub(crate) fn new(source: &F::Source) -> Self {
        Self { state: Arc::new(RwLock::new(F::fresh(source))), turn: Arc::default() }
    }

    /// As far as it has come.
    pub(crate) fn now(&self) -> RwLockReadGuard<'_, F> {
        self.state.read()
    }

    /// The same, to be changed.
    pub(crate) fn now_mut(&self) -> RwLockWriteGuard<'_, F> {
        self.state.write()
    }

    /// Calls `use_it` with a state that has seen everything up to `end`.
    pub(crate) async fn at<T: Send + 'static>(
        &self,
        source: &F::Source,
        end: LogEnd,
        use_it: impl FnOnce(&F) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let mut use_it = use_it;
        if !self.state.read().is_current(end) {
            let mut turn = self.turn.clone().lock_owned().await;
            while let Some(position) = self.position_before(end) {
                let page = F::fetch(source, position, end).await?;
                // A place to stop where nobody waits for it any more: a back end that reads from a disk has no other.
                tokio::task::yield_now().await;
                match self.take(source, page, end, use_it, turn).await? {
                    Taken::Used(result) => return Ok(result),
                    Taken::Behind(still_to_use, still_held) => (use_it, turn) = (still_to_use, still_held),
                }
            }
        }
        let state = self.state.clone();
        computed(move || use_it(&state.read())).await
    }

    fn position_before(&self, end: LogEnd) -> Option<F::Position> {
        let state = self.state.read();
        (!state.is_current(end)).then(|| state.position())
    }

    /// Takes in a page, and goes on to the use if that was the last: another thread is not woken twice.
    async fn take<T: Send + 'static, U: FnOnce(&F) -> T + Send + 'static>(
        &self,
        source: &F::Source,
        page: F::Page,
        end: LogEnd,
        use_it: U,
        turn: OwnedMutexGuard<()>,
    ) -> Result<Taken<T, U>, StoreError> {
        let state = self.state.clone();
        let taken = computed(move || {
            state.write().take(page);
            let state = state.read();
            match state.is_current(end) {
                true => Taken::Used(use_it(&state)),
                false => Taken::Behind(use_it, turn),
            }
        });
        let taken = taken.await;
        if taken.is_err() {
            // A page may have been taken in by half: what follows reads everything anew.
            *self.state.write() = F::fresh(source);
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use tokio::sync::Notify;

    use super::*;
    use crate::apart::apart;

    /// A log of the numbers from 1 on, handed over three at a time.
    #[derive(Default)]
    struct Numbers {
        fetched: AtomicUsize,
        fails_after: Option<usize>,
        is_poisoned: Arc<AtomicBool>,
        /// Before which page it waits for being told to go on.
        pauses_at: Option<usize>,
        has_paused: Notify,
        goes_on: Notify,
    }

    /// Adds up the numbers it has seen.
    #[derive(Default)]
    struct Sum {
        seen: u64,
        sum: u64,
    }

    #[async_trait]
    impl Follower for Sum {
        type Source = Numbers;
        type Position = u64;
        type Page = (Vec<u64>, Arc<AtomicBool>);

        fn fresh(_source: &Numbers) -> Self {
            Self::default()
        }

        fn is_current(&self, end: LogEnd) -> bool {
            self.seen >= end.entry
        }

        fn position(&self) -> u64 {
            self.seen
        }

        async fn fetch(source: &Numbers, seen: u64, end: LogEnd) -> Result<Self::Page, StoreError> {
            tokio::task::yield_now().await;
            let fetched = source.fetched.fetch_add(1, Ordering::Relaxed);
            if source.fails_after.is_some_and(|after| fetched >= after) {
                return Err(StoreError::backend("out of reach"));
            }
            if source.pauses_at == Some(fetched) {
                source.has_paused.notify_one();
                source.goes_on.notified().await;
            }
            Ok(((seen + 1..=end.entry).take(3).collect(), source.is_poisoned.clone()))
        }

        fn take(&mut self, (numbers, is_poisoned): Self::Page) {
            for number in numbers {
                self.sum += number;
                assert!(!is_poisoned.swap(false, Ordering::Relaxed), "a page that cannot be taken in");
                self.seen = number;
            }
        }
    }

    fn up_to(entry: u64) -> LogEnd {
        LogEnd { entry, ..LogEnd::default() }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn whoever_asks_at_once_sees_everything_and_reads_it_once() {
        let source = Arc::new(Numbers::default());
        let followed = Arc::new(Followed::<Sum>::new(&source));
        let ask = |end: u64| {
            let (source, followed) = (source.clone(), followed.clone());
            tokio::spawn(
                async move { followed.at(&source, up_to(end), |state| (state.seen, state.sum)).await.unwrap() },
            )
        };
        let asked: Vec<_> = (1..=20).map(|end| (end, ask(end))).collect();
        for (end, answer) in asked {
            let (seen, sum) = answer.await.unwrap();
            assert!(seen >= end, "{seen} of {end}");
            assert_eq!(sum, seen * (seen + 1) / 2, "each number once");
        }
    }

    #[tokio::test]
    async fn what_was_read_before_a_failure_is_kept() {
        let source = Numbers { fails_after: Some(2), ..Numbers::default() };
        let followed = Followed::<Sum>::new(&source);
        assert!(followed.at(&source, up_to(10), |_| ()).await.is_err());
        assert_eq!((followed.now().seen, followed.now().sum), (6, 21));
        let source = Numbers::default();
        assert_eq!(followed.at(&source, up_to(10), |state| state.sum).await.unwrap(), 55);
        assert_eq!(source.fetched.into_inner(), 2, "only what was missing");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn reading_ends_with_whoever_waits_for_it_and_goes_on_where_it_was() {
        let source = Arc::new(Numbers { pauses_at: Some(2), ..Numbers::default() });
        let followed = Arc::new(Followed::<Sum>::new(&source));
        let ask = || {
            let (source, followed) = (source.clone(), followed.clone());
            apart(async move { followed.at(&source, up_to(30), |state| state.sum).await })
        };
        let asked = tokio::spawn(ask());
        source.has_paused.notified().await;
        asked.abort();
        assert!(asked.await.unwrap_err().is_cancelled());
        source.goes_on.notify_one();
        // Whoever comes next waits for its turn, so that whatever is read after the end would be counted.
        assert_eq!(ask().await.unwrap(), 30 * 31 / 2);
        let fetched = source.fetched.load(Ordering::Relaxed);
        assert!((10..=11).contains(&fetched), "{fetched} pages of three, one of them perhaps twice");
    }

    #[tokio::test]
    async fn a_page_taken_in_by_half_is_read_anew() {
        taken_in_by_half().await.unwrap();
    }

    #[tokio::test]
    async fn so_it_is_where_everything_runs_on_one_thread() {
        apart(taken_in_by_half()).await.unwrap();
    }

    async fn taken_in_by_half() -> Result<(), StoreError> {
        let source = Numbers::default();
        let followed = Followed::<Sum>::new(&source);
        followed.at(&source, up_to(4), |_| ()).await?;
        source.is_poisoned.store(true, Ordering::Relaxed);
        assert!(followed.at(&source, up_to(9), |_| ()).await.is_err());
        assert_eq!(followed.at(&source, up_to(9), |state| state.sum).await?, 45);
        Ok(())
    }
}

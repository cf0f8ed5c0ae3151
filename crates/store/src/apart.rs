//! Work that may take longer than a runtime's thread has time for.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::error::StoreError;

thread_local! {
    static MAY_BLOCK: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread keeps nobody waiting but whoever asked for what it does: then a back end that reads from a disk need not
/// hand that to yet another thread.
pub fn may_block() -> bool {
    MAY_BLOCK.get()
}

/// Runs a future from its beginning to its end on a thread of its own. A search reads, ranks and reads again: handed from thread to
/// thread, it would wait for each of them to wake up. Where nobody waits for it any more it ends as well, at the next place where it
/// waits for something itself.
pub(crate) async fn apart<T: Send + 'static>(
    work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    if may_block() {
        return work.await;
    }
    let runtime = Handle::current();
    let (_wanted, unwanted) = oneshot::channel::<()>();
    let while_wanted = async {
        tokio::select! {
            biased;
            result = work => result,
            _ = unwanted => Err(StoreError::backend("nobody waits for it any more")),
        }
    };
    run_apart(move || runtime.block_on(while_wanted)).await?
}

/// The same for what needs no waiting. A panic in it is an error like any other, so that whoever asked can set right what it
/// left half done.
pub(crate) async fn computed<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StoreError> {
    match may_block() {
        true => catch_unwind(AssertUnwindSafe(work)).map_err(|_| StoreError::backend("a computation ended in a panic")),
        false => run_apart(work).await,
    }
}

async fn run_apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StoreError> {
    let marked = move || {
        let _marked = Marked::set();
        work()
    };
    tokio::task::spawn_blocking(marked).await.map_err(StoreError::backend)
}

/// Marks the thread for as long as it lasts, also if the work panics: threads are used again.
struct Marked;

impl Marked {
    fn set() -> Self {
        MAY_BLOCK.set(true);
        Self
    }
}

impl Drop for Marked {
    fn drop(&mut self) {
        MAY_BLOCK.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn everything_within_runs_on_one_thread() {
        let here = std::thread::current().id();
        let threads = apart(async {
            let outer = std::thread::current().id();
            tokio::task::yield_now().await;
            let inner = computed(|| std::thread::current().id()).await?;
            let nested = apart(async { Ok(std::thread::current().id()) }).await?;
            Ok([outer, inner, nested])
        });
        let [outer, inner, nested] = threads.await.unwrap();
        assert!(outer == inner && inner == nested && outer != here && !may_block());
    }

    #[tokio::test]
    async fn a_thread_that_panicked_is_marked_no_longer() {
        assert!(apart::<()>(async { panic!("a bug") }).await.is_err());
        let marks = tokio::task::spawn_blocking(may_block);
        assert!(!marks.await.unwrap());
    }
}

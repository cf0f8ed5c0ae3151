//! A thread that only computes, at a lower priority than requests.
//!
//! Everything else of the enrichment runs where requests run: whatever holds a lock of the store, or starts threads, which
//! take on the priority of whoever starts them, must not wait for a processor that requests keep busy.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};

use tokio::sync::oneshot;
use tracing::warn;

type Task = Box<dyn FnOnce() + Send>;

/// The other end of the thread, which ends when this is dropped.
pub(super) struct Computer(Sender<Task>);

impl Computer {
    pub(super) fn start() -> io::Result<Self> {
        let (sender, tasks) = channel::<Task>();
        let work = move || {
            lower_priority();
            tasks.into_iter().for_each(|task| task());
        };
        std::thread::Builder::new().name("enrich".to_owned()).spawn(work)?;
        Ok(Self(sender))
    }

    /// What `compute` returns, or a sentence if it panicked.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        compute: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        self.run_each(vec![compute]).await.pop().unwrap_or_else(|| Err(ENDED.to_owned()))
    }

    /// The same for each of several computations. One way there and back for all of them: where requests keep the processors
    /// busy, waiting for a turn takes longer than most computations.
    pub(super) async fn run_each<T: Send + 'static>(
        &self,
        computations: Vec<impl FnOnce() -> T + Send + 'static>,
    ) -> Vec<Result<T, String>> {
        let count = computations.len();
        let (reply, answer) = oneshot::channel();
        let task: Task = Box::new(move || {
            // What is computed on is dropped with it. Whoever asked may have gone.
            let caught = |compute| catch_unwind(AssertUnwindSafe(compute)).map_err(|_| "a step panicked".to_owned());
            let _ = reply.send(computations.into_iter().map(caught).collect());
        });
        let ended = || (0..count).map(|_| Err(ENDED.to_owned())).collect();
        match self.0.send(task) {
            Ok(()) => answer.await.unwrap_or_else(|_| ended()),
            Err(_) => ended(),
        }
    }
}

const ENDED: &str = "the thread of the enrichment has ended";

/// Requests go first wherever both want the processor. A thread has a priority of its own on Linux only.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(19) {
        warn!(%error, "enrichment runs at the same priority as requests");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_answer_and_the_next_task_is_done() {
        let computer = Computer::start().unwrap();
        assert!(computer.run::<()>(|| panic!("a text")).await.is_err());
        assert_eq!(computer.run(|| 7).await, Ok(7));
        let halves = [3, 0].map(|divisor: u32| move || 6_u32 / divisor).to_vec();
        let answers = computer.run_each(halves).await;
        assert_eq!((answers[0].clone(), answers[1].is_err()), (Ok(2), true));
    }
}

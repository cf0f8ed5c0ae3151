//! A thread that only computes, at a lower priority than requests.
//!
//! Everything else of the enrichment runs where requests run: whatever holds a lock of the store, or starts threads, which
//! take on the priority of whoever starts them, must not wait for a processor that requests keep busy.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::mpsc::{Sender, channel};

use tokio::sync::oneshot;
use tracing::{error, warn};

type Task = Box<dyn FnOnce() + Send>;

/// The other end of the thread, which ends when this is dropped.
pub(super) struct Computer(Sender<Task>);

const THREAD_NAME: &str = "enrich";

impl Computer {
    pub(super) fn start() -> io::Result<Self> {
        hide_texts_in_panics();
        let (sender, tasks) = channel::<Task>();
        let work = move || {
            lower_priority();
            tasks.into_iter().for_each(|task| task());
        };
        std::thread::Builder::new().name(THREAD_NAME.to_owned()).spawn(work)?;
        Ok(Self(sender))
    }

    /// What `compute` returns, or a sentence if it panicked.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        compute: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        let (reply, answer) = oneshot::channel();
        let task: Task = Box::new(move || {
            // What is computed on is dropped with it. Whoever asked may have gone.
            let _ = reply.send(catch_unwind(AssertUnwindSafe(compute)));
        });
        self.0.send(task).map_err(|_| "the thread of the enrichment has ended".to_owned())?;
        match answer.await {
            Ok(Ok(computed)) => Ok(computed),
            Ok(Err(_)) => Err("a step panicked".to_owned()),
            Err(_) => Err("the thread of the enrichment has ended".to_owned()),
        }
    }
}

/// Requests go first wherever both want the processor. A thread has a priority of its own on Linux only.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(19) {
        warn!(%error, "enrichment runs at the same priority as requests");
    }
}

/// The message of a panic may quote a text, which no log may hold: the thread says only where it happened.
fn hide_texts_in_panics() {
    static HIDDEN: Once = Once::new();
    HIDDEN.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let is_ours = std::thread::current().name() == Some(THREAD_NAME);
            match (is_ours, panic.location()) {
                (true, Some(place)) => error!("a step of the enrichment panicked at {place}"),
                (true, None) => error!("a step of the enrichment panicked"),
                (false, _) => usual(panic),
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_answer_and_the_next_task_is_done() {
        let computer = Computer::start().unwrap();
        assert!(computer.run::<()>(|| panic!("a text")).await.is_err());
        assert_eq!(computer.run(|| 7).await, Ok(7));
    }
}

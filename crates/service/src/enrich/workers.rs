//! The workers beside the service.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tracing::{info, warn};

use store::{Rebuild, StoreError};

use super::enrichment::Enrichment;
use super::worker::{Round, Worker};

/// How often a worker with nothing to do looks for what is due again, and whether it is time to look at all accounts.
const POLL: Duration = Duration::from_secs(2);

/// How long a worker lets captures come together: a burst of them is one piece of work.
const GATHER: Duration = Duration::from_millis(5);

/// So many captures a second are a burst: whoever sends it has the processors to themselves. Computing at the lowest priority
/// still takes a third of what 64 callers can capture, as it shares caches and units with them.
const BURST_PER_SECOND: u32 = 300;

/// How often a worker that rests looks whether the burst is over.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// The longest rest in a burst: after it a round is worked, so that a burst without an end is worked off as well.
const LONGEST_REST: Duration = Duration::from_secs(10);

/// How long the end of a worker is waited for.
const STOP_WAIT: Duration = Duration::from_secs(5);

/// The longest a worker waits for a store or a model that fails.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Workers under way. They end, after the text at hand, when they are stopped or dropped.
#[derive(Debug)]
pub struct Workers {
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts that many workers on the runtime at hand.
    pub fn start(enrichment: &Enrichment, count: usize) -> io::Result<Self> {
        let stop = watch::Sender::new(false);
        let mut tasks = Vec::with_capacity(count);
        for _ in 0..count {
            let worker = Worker::start(enrichment.clone())?;
            tasks.push(tokio::spawn(work(worker, stop.subscribe())));
        }
        tasks.push(tokio::spawn(change_model(enrichment.clone(), stop.subscribe())));
        Ok(Self { stop, tasks })
    }

    /// Ends the workers and waits for them, but not for an endpoint that takes its time; jobs they do not get to stay
    /// queued.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        for task in self.tasks {
            match tokio::time::timeout(STOP_WAIT, task).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => warn!("a worker of the enrichment ended in disorder; its jobs are done later"),
                Err(_) => info!("a worker of the enrichment was left behind; its jobs are done later"),
            }
        }
    }
}

async fn work(worker: Worker, mut stopped: watch::Receiver<bool>) {
    let worker = Arc::new(worker);
    let mut queued = worker.enrichment.store.work_signal();
    let mut captures = Captures::count(&queued);
    let mut failures = 0_u32;
    loop {
        let seen = stopped.clone();
        let stopping = Arc::new(move || is_stopped(&seen));
        if stopping() {
            return;
        }
        let begun = Instant::now();
        while captures.pour_in(&queued) && begun.elapsed() < LONGEST_REST && !stopping() {
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        queued.mark_unchanged();
        let round = caught_round(&worker, &stopping).await;
        failures = if matches!(round, Ok(Round::Worked(_) | Round::Idle)) { 0 } else { failures.saturating_add(1) };
        let wait = match round {
            Ok(Round::Worked(_)) => continue,
            Ok(Round::Idle) => tokio::select! {
                _ = queued.changed() => GATHER,
                _ = stopped.changed() => continue,
                () = tokio::time::sleep(POLL) => continue,
            },
            Ok(Round::Unavailable) => growing_wait(failures),
            Err(error) => {
                warn!(%error, "enrichment could not go on and tries again in a moment");
                growing_wait(failures)
            }
        };
        captures = Captures::count(&queued);
        tokio::select! {
            _ = stopped.changed() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
}

/// Whether the workers were stopped, or dropped.
fn is_stopped(stopped: &watch::Receiver<bool>) -> bool {
    *stopped.borrow() || stopped.has_changed().is_err()
}

/// A round as a task of its own: a bug ends that alone, and the worker goes on to the next.
async fn caught_round<S: Fn() -> bool + Send + Sync + 'static>(
    worker: &Arc<Worker>,
    stopping: &Arc<S>,
) -> Result<Round, StoreError> {
    let (worker, stopping) = (worker.clone(), stopping.clone());
    let round = tokio::spawn(async move { worker.round(&*stopping).await });
    // What it panicked with may quote a text, which no log may hold.
    round.await.map_err(|_| StoreError::backend("a round of the enrichment panicked"))?
}

/// How many captures there had been at a look, and when that was.
struct Captures {
    count: u64,
    at: Instant,
}

impl Captures {
    fn count(queued: &watch::Receiver<u64>) -> Self {
        Self { count: *queued.borrow(), at: Instant::now() }
    }

    /// Whether captures have come in as a burst since the last look. One or two do not make a burst, however quick.
    fn pour_in(&mut self, queued: &watch::Receiver<u64>) -> bool {
        let now = Self::count(queued);
        let arrived = now.count.saturating_sub(self.count);
        let of_a_burst = f64::from(BURST_PER_SECOND) * (now.at - self.at).as_secs_f64();
        *self = now;
        arrived > 2 && arrived as f64 > of_a_burst
    }
}

/// How many thoughts are queued at a time: a few milliseconds in which nobody else can write.
const QUEUED_AT_ONCE: usize = 1_000;

/// Queues what the model at hand has not seen, where another one has answered so far.
async fn change_model(enrichment: Enrichment, stopped: watch::Receiver<bool>) {
    if let Err(error) = queue_missing(&enrichment, &|| is_stopped(&stopped)).await {
        warn!(%error, "not all thoughts could be queued for the new embedding model; the next start goes on");
    }
}

async fn queue_missing(enrichment: &Enrichment, stopping: &(dyn Fn() -> bool + Sync)) -> Result<(), StoreError> {
    let Enrichment { store, embedder, .. } = enrichment;
    let model = embedder.model_id();
    for account in store.accounts_with_another_model(model).await? {
        info!(account.id = %account, model, "all thoughts are prepared for another embedding model");
        let missing = Rebuild::Missing { model: model.to_owned() };
        while !stopping() && store.queue_rebuild(account, missing.clone(), QUEUED_AT_ONCE).await? {}
    }
    Ok(())
}

fn growing_wait(failures: u32) -> Duration {
    Duration::from_secs(1 << failures.min(10).saturating_sub(1)).min(LONGEST_WAIT)
}

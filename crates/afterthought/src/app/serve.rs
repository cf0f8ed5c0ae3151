//! Running the service: requests, upkeep between them, an orderly end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval};
use tracing::{error, info, warn};

use model::AccountId;
use service::enrich::Workers;
use store::{RunningCopy, StoreError};

use super::wiring::App;
use crate::http;

/// How long upkeep waits between rounds: last uses of keys are stored within this time.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// Why the service ended other than in order.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Connections could not be accepted.
    #[error("the service failed: {0}; start it again")]
    Listen(#[source] io::Error),
    /// The background work could not begin.
    #[error("cannot start the threads of the enrichment: {0}; start the service again")]
    Threads(#[from] io::Error),
    /// Everything acknowledged is stored, but the store could not be closed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Answers requests until `stop`, finishes those under way, then stores what is left to store and closes the store.
pub async fn serve(
    app: &App,
    listener: TcpListener,
    settings: http::Settings,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let (end_upkeep, upkeep_ends) = oneshot::channel();
    let copy = settings.origin.clone().map(|origin| {
        Arc::new(RunningCopy { instance: settings.instance.to_string(), origin, process: std::process::id() })
    });
    let upkeep = tokio::spawn(keep_up(app.clone(), copy.clone(), upkeep_ends));
    let workers = Workers::start(&app.enrichment, enrichment_threads())?;
    let parts = http::Parts {
        memory: app.memory.clone(),
        keyring: app.keyring.clone(),
        sessions: app.sessions.clone(),
        store: app.store.clone(),
    };
    let served = http::serve(listener, parts, settings, stop).await;
    // A round under way is finished, not torn: the uses it has taken from the keyring would be lost.
    drop(end_upkeep);
    if let Err(error) = upkeep.await {
        warn!(%error, "upkeep failed");
    }
    workers.stop().await;
    if let Some(copy) = copy
        && let Err(error) = app.store.withdraw(&copy.instance).await
    {
        // Whoever is sent here finds nobody, and looks further.
        warn!(%error, "the store could not be told that this copy ends");
    }
    let stored = app.keyring.store_uses().await.and(app.sessions.store_uses().await);
    app.store.close().await?;
    stored?;
    served.map_err(ServeError::Listen)?;
    info!("stopped");
    Ok(())
}

/// As many as there are processors, up to four: the threads have the lowest priority, so requests take the processors when they
/// need them.
fn enrichment_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |processors| processors.get().min(4))
}

/// Does the work between requests until the other end of `ends` is dropped.
async fn keep_up(app: App, copy: Option<Arc<RunningCopy>>, mut ends: oneshot::Receiver<()>) {
    let known_damage = Arc::default();
    let mut rounds = interval(UPKEEP_EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = &mut ends => return,
            _ = rounds.tick() => {}
        }
        // As a task of its own: a bug ends that round alone.
        if tokio::spawn(round_of_upkeep(app.clone(), copy.clone(), Arc::clone(&known_damage))).await.is_err() {
            error!("a round of upkeep ended in a panic; the next is in a moment");
        }
    }
}

/// What could not be read in the rounds before.
type KnownDamage = Arc<Mutex<Vec<(AccountId, String)>>>;

async fn round_of_upkeep(app: App, copy: Option<Arc<RunningCopy>>, known: KnownDamage) {
    if let Some(copy) = copy
        && let Err(error) = app.store.announce(&copy).await
    {
        warn!(%error, "the store could not be told that this copy runs");
    }

    if let Err(error) = app.keyring.store_uses().await {
        warn!(%error, "the last uses of keys could not be stored");
    }
    if let Err(error) = app.sessions.store_uses().await {
        warn!(%error, "the last uses of sessions could not be stored");
    }
    if let Err(error) = app.store.upkeep().await {
        warn!(%error, "upkeep of the store failed and is tried again in a moment");
    }
    let Ok(damaged) = app.store.damaged().await else { return };
    let mut known = known.lock();
    for (account, reason) in damaged.iter().filter(|damage| !known.contains(*damage)) {
        error!(account.id = %account, "account {account} cannot be read, the others go on: {reason}");
    }
    *known = damaged;
}

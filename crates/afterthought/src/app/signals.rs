//! The signals that end the service: the first asks it to finish, the second ends it at once.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing::{info, warn};

/// Listens for the signals to end.
#[derive(Debug)]
pub struct StopSignals {
    #[cfg(unix)]
    interrupt: Signal,
    #[cfg(unix)]
    terminate: Signal,
}

impl StopSignals {
    /// Starts to listen; from here on signals no longer end the process by themselves.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt())?,
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Returns at the first signal. The second ends the process, whatever it is doing.
    pub async fn first(mut self) {
        self.next().await;
        info!("stopping once the requests under way are answered; a second signal ends at once");
        tokio::spawn(async move {
            self.next().await;
            warn!("ended by a second signal");
            std::process::exit(1);
        });
    }

    #[cfg(unix)]
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without the signal there is no request to stop.
            std::future::pending::<()>().await;
        }
    }
}

//! The accept loop: a bounded number of connections, each served until it ends or the service stops.
//!
//! On shutdown idle connections are closed at once and requests under way are finished, up to a time limit.

use std::convert::Infallible;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tracing::{debug, warn};

use super::peer::Keyed;
use super::router::Router;
use super::settle::Settle;
use super::slots::{Slot, Slots};
use super::stream::Stream;

/// The largest head of a request, in bytes.
const HEAD_BYTES_MAX: usize = 64 * 1024;

/// How long to leave the listener alone when the system has no file descriptor to spare.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until `shutdown` is ready, then ends.
pub(super) async fn run(listener: TcpListener, router: Arc<Router>, shutdown: impl Future<Output = ()>) {
    let slots = Slots::new(router.settings.connections_max);
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            (stream, slot) = accept(&listener, &slots) => {
                connections.spawn(connect(&router, &graceful, stream, slot));
                while connections.try_join_next().is_some() {}
            }
        }
    }
    // Nobody new is let in while the others finish.
    drop(listener);
    if tokio::time::timeout(router.settings.shutdown_grace, graceful.shutdown()).await.is_err() {
        warn!(connections = connections.len(), "cut off the requests that did not finish in time");
    }
    connections.shutdown().await;
}

/// The next connection, once there is room for it. Those behind it wait in the system's queue.
async fn accept(listener: &TcpListener, slots: &Arc<Slots>) -> (TcpStream, Slot) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, slots.take().await),
            // The client was gone before it was its turn.
            Err(error) if is_of_the_connection(&error) => {}
            Err(error) => {
                warn!(%error, "cannot accept a connection, trying again");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

fn connect(
    router: &Arc<Router>,
    graceful: &GracefulShutdown,
    stream: TcpStream,
    slot: Slot,
) -> impl Future<Output = ()> + use<> {
    // Answers are small and written whole: waiting for more to send only delays them.
    if let Err(error) = stream.set_nodelay(true) {
        debug!(%error, "cannot set TCP_NODELAY");
    }
    let settings = &router.settings;
    let stream = Stream::new(TokioIo::new(stream), settings.write_timeout);
    let open = router.metrics.connection();
    let handler = {
        let (router, peer) = (Arc::clone(router), Arc::clone(&slot.peer));
        service_fn(move |request| {
            let (router, peer) = (Arc::clone(&router), Arc::clone(&peer));
            async move {
                peer.asks();
                let reply = router.respond(request).await;
                peer.is_answered(reply.extensions().get::<Keyed>().is_some());
                Ok::<_, Infallible>(reply)
            }
        })
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(settings.header_timeout)
        .max_buf_size(HEAD_BYTES_MAX)
        // Whoever has sent everything may say so and still hear the answer.
        .half_close(true)
        .serve_connection(stream, handler);
    let watched = graceful.watch(connection);
    let (settle, keyless_timeout) = (settings.settle, settings.keyless_timeout);
    async move {
        let watched = pin!(watched);
        let served = async { if settle { Settle::new(watched).await } else { watched.await } };
        let ended = tokio::select! {
            ended = served => ended,
            () = slot.peer.overstays(keyless_timeout) => Ok(()),
            () = slot.peer.dismissed() => Ok(()),
        };
        // Clients hang up, time out and send what is not HTTP: their affair, and no news.
        if let Err(error) = ended {
            debug!(%error, "connection ended");
        }
        drop((open, slot));
    }
}

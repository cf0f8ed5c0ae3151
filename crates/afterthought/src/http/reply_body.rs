//! The body of an answer: whole, or sent as it is made.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::{Body, Frame, SizeHint};
use tokio::sync::mpsc;

/// How many pieces wait for a client that is slower than what makes them.
const PIECES_WAITING: usize = 4;

/// The body of an answer.
#[derive(Debug)]
pub(super) enum ReplyBody {
    /// All of it.
    Whole(Full<Bytes>),
    /// What is still being made.
    Streamed(mpsc::Receiver<io::Result<Bytes>>),
}

/// Where the pieces of a streamed body go. The answer ends when this is dropped.
#[derive(Debug, Clone)]
pub(super) struct Pieces(mpsc::Sender<io::Result<Bytes>>);

/// The client has gone.
#[derive(Debug)]
pub(super) struct ClientGone;

impl ReplyBody {
    /// A body that is sent as it is made.
    pub(super) fn streamed() -> (Pieces, Self) {
        let (sender, receiver) = mpsc::channel(PIECES_WAITING);
        (Pieces(sender), Self::Streamed(receiver))
    }
}

impl Default for ReplyBody {
    fn default() -> Self {
        Self::Whole(Full::default())
    }
}

impl Pieces {
    /// Sends a piece once the client has taken those before.
    pub(super) async fn send(&self, piece: impl Into<Bytes>) -> Result<(), ClientGone> {
        self.0.send(Ok(piece.into())).await.map_err(|_| ClientGone)
    }

    /// Breaks the answer off, so that nobody takes it for whole.
    pub(super) async fn break_off(self, reason: impl ToString) {
        // A client that has gone does not miss the rest.
        let _ = self.0.send(Err(io::Error::other(reason.to_string()))).await;
    }

    /// Waits until the client has gone.
    pub(super) async fn gone(&self) {
        self.0.closed().await;
    }
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match &mut *self {
            Self::Whole(whole) => Pin::new(whole).poll_frame(cx).map_err(|never| match never {}),
            Self::Streamed(pieces) => pieces.poll_recv(cx).map(|piece| piece.map(|piece| piece.map(Frame::data))),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(whole) => whole.is_end_stream(),
            Self::Streamed(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(whole) => whole.size_hint(),
            Self::Streamed(_) => SizeHint::new(),
        }
    }
}

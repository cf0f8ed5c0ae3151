//! Reads the body of a request within a size and a time, and gets rid of one that nobody will read.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::HeaderMap;
use hyper::body::{Body, Incoming};
use hyper::header::EXPECT;

use super::refusal::Refusal;

/// How much of a refused body is read so that its sender comes to read the answer. A client that is still sending when
/// the connection closes sees a broken connection instead.
const DISCARDED_BYTES_MAX: usize = 16 * 1_048_576;

/// How long such a body may take.
const DISCARDING_MAX: Duration = Duration::from_secs(5);

/// The whole body. What is announced as too large is refused before any of it is read.
pub(super) async fn read(body: &mut Incoming, bytes_max: usize, timeout: Duration) -> Result<Bytes, Refusal> {
    if body.size_hint().lower() > bytes_max as u64 {
        return Err(Refusal::BodyTooLarge { bytes_max });
    }
    match tokio::time::timeout(timeout, collect(body, bytes_max)).await {
        Ok(read) => read,
        Err(_) => Err(Refusal::BodyTimeout),
    }
}

// Generic over the body because tests have no connection to receive one from.
async fn collect<B: Body<Data = Bytes> + Unpin>(body: &mut B, bytes_max: usize) -> Result<Bytes, Refusal> {
    let Some(first) = next(body).await? else { return Ok(Bytes::new()) };
    if first.len() > bytes_max {
        return Err(Refusal::BodyTooLarge { bytes_max });
    }
    // Most requests come in one piece, which needs no copy.
    if body.is_end_stream() {
        return Ok(first);
    }
    let mut whole = BytesMut::from(first);
    while let Some(piece) = next(body).await? {
        if whole.len() + piece.len() > bytes_max {
            return Err(Refusal::BodyTooLarge { bytes_max });
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole.freeze())
}

/// The next piece; `None` at the end.
async fn next<B: Body<Data = Bytes> + Unpin>(body: &mut B) -> Result<Option<Bytes>, Refusal> {
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return Err(Refusal::BodyBroken) };
        // Trailers follow the body and say nothing of interest.
        if let Ok(piece) = frame.into_data() {
            return Ok(Some(piece));
        }
    }
    Ok(None)
}

/// The next piece of a body that is read piece by piece; `None` at the end.
pub(super) async fn next_piece(body: &mut Incoming, timeout: Duration) -> Result<Option<Bytes>, Refusal> {
    tokio::time::timeout(timeout, next(body)).await.unwrap_or(Err(Refusal::BodyTimeout))
}

/// Lets the client finish sending what will not be read, in the background, while the answer is already on its way.
pub(super) fn discard(headers: &HeaderMap, mut body: Incoming) {
    // A client that asked for leave to send its body is not given it.
    if body.is_end_stream() || headers.contains_key(EXPECT) {
        return;
    }
    tokio::spawn(tokio::time::timeout(DISCARDING_MAX, async move {
        let mut discarded = 0;
        while let Ok(Some(piece)) = next(&mut body).await {
            discarded += piece.len();
            if discarded > DISCARDED_BYTES_MAX {
                return;
            }
        }
    }));
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::convert::Infallible;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use hyper::body::Frame;

    use super::*;

    struct Pieces(VecDeque<&'static [u8]>);

    impl Body for Pieces {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(Bytes::from_static(piece)))))
        }
    }

    async fn collected(pieces: &[&'static [u8]], bytes_max: usize) -> Result<Bytes, Refusal> {
        collect(&mut Pieces(pieces.iter().copied().collect()), bytes_max).await
    }

    #[tokio::test]
    async fn pieces_are_put_together() {
        assert_eq!(collected(&[b"ab", b"", b"cd"], 4).await.unwrap(), "abcd");
        assert_eq!(collected(&[], 4).await.unwrap(), "");
    }

    #[tokio::test]
    async fn one_byte_too_many_is_refused() {
        for pieces in [&[&b"abcde"[..]][..], &[b"abcd", b"e"]] {
            assert!(matches!(collected(pieces, 4).await, Err(Refusal::BodyTooLarge { bytes_max: 4 })));
        }
    }
}

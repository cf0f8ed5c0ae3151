//! One connection of many that are waited for at once.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::answer::{Answer, PIECE_BYTES};

/// An open connection that takes no thread while it waits.
#[derive(Debug)]
pub struct AsyncConnection {
    stream: TcpStream,
    read: Vec<u8>,
}

impl AsyncConnection {
    /// Connects.
    pub async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.expect("the service listens");
        stream.set_nodelay(true).expect("a connection can do without delay");
        Self { stream, read: Vec::new() }
    }

    /// Sends the bytes of a request that must succeed, and reads the answer.
    pub async fn ask(&mut self, request: &[u8]) -> Answer {
        self.stream.write_all(request).await.expect("the service listens");
        loop {
            if let Some(answer) = Answer::take(&mut self.read, true) {
                return answer.succeeded();
            }
            self.read.reserve(PIECE_BYTES);
            let read = self.stream.read_buf(&mut self.read).await.expect("the service answers");
            assert_ne!(read, 0, "the service hung up");
        }
    }
}

//! One connection that waits in the system call itself, so that no runtime of its own is measured.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::time::Duration;

use super::answer::{Answer, PIECE_BYTES};
use super::request::Request;

/// An open connection.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    /// What has been read of answers that nobody took yet.
    read: Vec<u8>,
    /// Whether the answer to the last request has a body.
    has_body: bool,
}

impl Connection {
    /// Connects; waits for ever wherever it waits.
    ///
    /// # Errors
    ///
    /// Nobody listens there.
    pub fn open(address: impl ToSocketAddrs) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, read: Vec::new(), has_body: true })
    }

    /// The same connection, on which nothing takes longer than this.
    #[must_use]
    pub fn waiting_at_most(self, limit: Duration) -> Self {
        self.stream.set_read_timeout(Some(limit)).expect("it is more than nothing");
        self.stream.set_write_timeout(Some(limit)).expect("it is more than nothing");
        self
    }

    /// Sends a whole request.
    pub fn send(&mut self, request: &Request) {
        self.has_body = request.is_answered_with_body();
        self.write(&request.bytes());
    }

    /// Sends bytes as they are.
    pub fn write(&mut self, bytes: &[u8]) {
        self.try_write(bytes).expect("the service listens");
    }

    /// The same for one that may not listen any more.
    ///
    /// # Errors
    ///
    /// The service has hung up, or does not take more in time.
    pub fn try_write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// Says that nothing more will be sent; answers can still be read.
    pub fn half_close(&mut self) {
        self.stream.shutdown(Shutdown::Write).expect("the service listens");
    }

    /// Waits for an answer and reads it.
    pub fn answer(&mut self) -> Answer {
        self.try_answer().expect("the service answers")
    }

    /// The same for a service that may be gone.
    ///
    /// # Errors
    ///
    /// The service has hung up, or does not answer in time.
    pub fn try_answer(&mut self) -> io::Result<Answer> {
        loop {
            if let Some(answer) = Answer::take(&mut self.read, self.has_body) {
                return Ok(answer);
            }
            let known = self.read.len();
            self.read.resize(known + PIECE_BYTES, 0);
            let read = self.stream.read(&mut self.read[known..]);
            self.read.truncate(known + read.as_ref().copied().unwrap_or(0));
            match read {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                // A child process of the test has ended meanwhile.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => drop(read?),
            }
        }
    }

    /// Sends the bytes of a request that must succeed, and reads the answer.
    pub fn ask(&mut self, request: &[u8]) -> Answer {
        self.write(request);
        self.answer().succeeded()
    }

    /// Whether the service has closed the connection without sending anything more; waits for it.
    pub fn is_closed(&mut self) -> bool {
        // A reset is a way of closing, too.
        let _ = self.stream.read_to_end(&mut self.read);
        self.read.is_empty()
    }
}

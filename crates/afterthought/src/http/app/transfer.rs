//! The whole account as a file, and a file into the account.
//!
//! Neither is ever held whole: an export is made while it is sent, an import stored while it arrives.

use bytes::BytesMut;
use hyper::StatusCode;
use hyper::body::Incoming;
use hyper::header::{CONTENT_DISPOSITION, HeaderValue};
use serde::Serialize;
use serde_json::json;
use tracing::warn;

use model::{Account, AccountId, Clock, Invalid, SystemClock};
use service::memory::Memory;
use store::{Piece, StoreError};

use super::asked::Asked;
use super::endpoint::AppEndpoint;
use super::fault::Fault;
use crate::http::body;
use crate::http::refusal::Refusal as Denial;
use crate::http::reply::{self, Reply};
use crate::http::reply_body::{Pieces, ReplyBody};
use crate::transfer::{Counts, Header, LINE_BYTES_MAX, Record};

/// The largest file that is taken in.
const IMPORT_BYTES_MAX: usize = 1 << 30;

/// How many pieces and bytes are stored at a time: notes can be long.
const BATCH: usize = 500;
const BATCH_BYTES: usize = 8 << 20;

/// How much of an export is sent at a time.
const SENT_BYTES: usize = 64 * 1024;

impl AppEndpoint {
    /// Everything of the account but its keys: whoever signed in with a key may not carry the others away.
    pub(super) fn export(&self, asked: &Asked) -> Result<Reply, Fault> {
        let (pieces, body) = ReplyBody::streamed();
        tokio::spawn(send(self.memory.clone(), asked.session.account.clone(), pieces));
        let mut reply = reply::streamed("application/x-ndjson", body);
        let disposition = format!("attachment; filename=\"{}\"", file_name(asked.session.account.name.as_str()));
        let disposition =
            HeaderValue::try_from(disposition).map_err(|error| Fault::Store(StoreError::backend(error)))?;
        reply.headers_mut().insert(CONTENT_DISPOSITION, disposition);
        Ok(reply)
    }

    /// Takes in what an export holds, whatever account it came from. What is there already is left as it is.
    pub(super) async fn import(&self, asked: &Asked) -> Result<Reply, Fault> {
        let mut incoming = asked.body.take()?;
        let taken = self.take_in(asked, &mut incoming).await;
        // Whoever is refused half-way is let finish sending, to hear why.
        asked.body.put_back(incoming);
        let done = taken?;
        let answer = json!({
            "imported": done.stored,
            "known": done.seen.thoughts - done.stored,
            "left_out": done.seen.keys,
        });
        Ok(reply::json(StatusCode::OK, answer.to_string()))
    }

    async fn take_in(&self, asked: &Asked, incoming: &mut Incoming) -> Result<Taking<'_>, Fault> {
        let mut taking = Taking::new(&self.memory, asked.caller.account);
        let (mut unread, mut bytes) = (BytesMut::new(), 0);
        while let Some(piece) = body::next_piece(incoming, asked.body.timeout()).await? {
            bytes += piece.len();
            if bytes > IMPORT_BYTES_MAX {
                return Err(Fault::Denied(Denial::BodyTooLarge { bytes_max: IMPORT_BYTES_MAX }));
            }
            let known = unread.len();
            unread.extend_from_slice(&piece);
            let mut from = known;
            while let Some(end) = unread[from..].iter().position(|byte| *byte == b'\n') {
                let line = unread.split_to(from + end + 1);
                taking.line(&line).await?;
                from = 0;
            }
            if unread.len() > LINE_BYTES_MAX {
                taking.line(&unread).await?;
            }
        }
        if !unread.is_empty() {
            taking.line(&unread).await?;
        }
        taking.finish().await
    }
}

/// A name that every system takes for a file's.
fn file_name(account: &str) -> String {
    let plain = |char: char| if char.is_ascii_alphanumeric() || char == '-' { char } else { '_' };
    let (account, now) = (account.chars().map(plain).collect::<String>(), SystemClock.now().to_string());
    format!("afterthought-{account}-{}.jsonl", &now[..10])
}

/// Makes an export while it is sent; one that cannot be finished breaks off, so that nobody takes it for whole.
async fn send(memory: Memory, account: Account, pieces: Pieces) {
    let (mut counts, mut waiting, mut after) = (Counts { accounts: 1, ..Counts::default() }, Vec::new(), None);
    write(&mut waiting, &Header::current());
    write(&mut waiting, &Record::Account((&account).into()));
    loop {
        let page = match memory.export(account.id, after).await {
            Ok(page) => page,
            Err(error) => {
                warn!(%error, "an export of the app could not be finished");
                return pieces.break_off(error).await;
            }
        };
        let Some(last) = page.last() else { break };
        after = Some(last.id());
        for piece in page {
            counts.add(&piece);
            write(&mut waiting, &Record::new(account.id, piece));
            if waiting.len() >= SENT_BYTES && pieces.send(std::mem::take(&mut waiting)).await.is_err() {
                return;
            }
        }
    }
    write(&mut waiting, &Record::End(counts));
    // Whoever has gone does not miss the end.
    let _ = pieces.send(waiting).await;
}

fn write(lines: &mut Vec<u8>, record: &impl Serialize) {
    serde_json::to_writer(&mut *lines, record).expect("records are JSON, and memory takes them");
    lines.push(b'\n');
}

/// An import under way.
struct Taking<'a> {
    memory: &'a Memory,
    account: AccountId,
    number: u64,
    seen: Counts,
    stored: u64,
    has_ended: bool,
    batch: Vec<Piece>,
    batch_bytes: usize,
}

impl<'a> Taking<'a> {
    fn new(memory: &'a Memory, account: AccountId) -> Self {
        let (seen, batch) = (Counts::default(), Vec::new());
        Self { memory, account, number: 0, seen, stored: 0, has_ended: false, batch, batch_bytes: 0 }
    }

    async fn line(&mut self, line: &[u8]) -> Result<(), Fault> {
        self.number += 1;
        if let Err(invalid) = self.read(line) {
            self.store().await?;
            return Err(self.broken(&invalid));
        }
        if self.batch.len() >= BATCH || self.batch_bytes >= BATCH_BYTES {
            self.store().await?;
        }
        Ok(())
    }

    fn read(&mut self, line: &[u8]) -> Result<(), Invalid> {
        if self.number == 1 {
            return Header::check(line);
        }
        if self.has_ended {
            return Err(Invalid::new("the export has ended before this line"));
        }
        match Record::read(line)? {
            // Whatever account it was, it goes into this one; and nobody else's keys open it.
            Record::Account(_) => self.seen.accounts += 1,
            Record::Key(_) => self.seen.keys += 1,
            Record::Thought(record) => {
                self.batch.extend(record.into_pieces()?.1);
                self.seen.thoughts += 1;
            }
            Record::Revision(record) => {
                self.batch.push(record.into_piece()?.1);
                self.seen.revisions += 1;
            }
            Record::Note(record) => {
                self.batch.push(record.into_piece()?.1);
                self.seen.notes += 1;
            }
            Record::End(counts) if counts == self.seen => self.has_ended = true,
            Record::End(_) => return Err(Invalid::new("the export says it has more or fewer lines than there are")),
        }
        self.batch_bytes += line.len();
        Ok(())
    }

    async fn store(&mut self) -> Result<(), Fault> {
        self.batch_bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        self.stored += self.memory.import(self.account, batch).await? as u64;
        Ok(())
    }

    async fn finish(mut self) -> Result<Self, Fault> {
        self.store().await?;
        match self.has_ended {
            true => Ok(self),
            false => {
                self.number += 1;
                Err(self.broken(&Invalid::new("the file ends before the export does")))
            }
        }
    }

    fn broken(&self, invalid: &Invalid) -> Fault {
        Fault::Invalid(Invalid::new(format!(
            "line {}: {invalid}; {} thoughts before it are stored, and importing again does no harm",
            self.number, self.stored
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_plainly() {
        let name = file_name("Ana \"x\"\r\n/é");
        assert!(name.starts_with("afterthought-Ana__x_____-2") && name.ends_with(".jsonl"), "{name}");
    }
}

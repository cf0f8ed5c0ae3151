//! What another memory holds, into one account.
//!
//! A source is looked through as a whole before anything is stored, so that one that would do harm leaves nothing behind.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::bail;
use imports::{Event, Kind, Limits, ReadError, Record};
use tokio::sync::mpsc;

use model::{Account, AccountName, Author, Category, Clock, SystemClock, Thought, ThoughtId, Time};
use store::{Piece, StoredNote};

use super::batch::Batch;
use super::summary::Summary;
use crate::app::App;
use crate::cli::output::Output;
use crate::cli::place::Place;
use crate::cli::scope::{self, DEFAULT_ACCOUNT};

/// Another memory to take in.
pub(super) struct Others {
    pub(super) kind: Kind,
    pub(super) path: PathBuf,
    pub(super) account: Option<AccountName>,
    /// Whose it is where the source does not say.
    pub(super) author: Author,
    pub(super) dry_run: bool,
    pub(super) strict: bool,
}

/// How many pieces, and how many bytes of text, are stored at a time.
const AT_ONCE: usize = 500;
const AT_ONCE_BYTES: usize = 8 << 20;

/// How many records are read ahead: each may have notes of some MiB.
const AHEAD: usize = 8;

/// After how many thoughts the person is told that it goes on.
const TELL_EVERY: usize = 10_000;

impl Others {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        let mut events = self.reading();
        let (mut thoughts, mut first_broken) = (0_u64, None);
        while let Some(event) = events.recv().await {
            match event? {
                Event::Record(_) => thoughts += 1,
                Event::Broken { place, reason } => first_broken = first_broken.or(Some((place, reason))),
                Event::LeftOut(_) | Event::NotKept(_) => {}
            }
        }
        if let (true, Some((place, reason))) = (self.strict, first_broken) {
            bail!("{place}: {reason}; nothing is stored, and without `--strict` it is left out");
        }
        output.remark(format_args!("found {thoughts} in {} from {}", self.path.display(), self.kind.name()));
        if self.dry_run {
            let summary = match place.is_vacant().await {
                true => Taking::new(&self, None).all(self.reading(), output).await?,
                false => {
                    let look = async |app: &App| {
                        let account = self.account_of(app, false).await?;
                        let known = account.map(|account| (app, account));
                        Taking::new(&self, known).all(self.reading(), output).await
                    };
                    place.open(look).await?
                }
            };
            return summary.tell(None, output);
        }
        place
            .open(async |app| {
                let account = self.account_of(app, true).await?;
                let mut taking = Taking::new(&self, account.map(|account| (app, account)));
                let batch = taking.batch.insert(Batch::new(place.folder())).id;
                output.remark(format_args!("batch {batch}"));
                let summary = taking.all(self.reading(), output).await?;
                summary.tell(Some(batch), output)
            })
            .await
    }

    /// Reads the source on a thread of its own.
    fn reading(&self) -> mpsc::Receiver<Result<Event, ReadError>> {
        let (sender, receiver) = mpsc::channel(AHEAD);
        let (kind, path) = (self.kind, self.path.clone());
        tokio::task::spawn_blocking(move || {
            let read =
                imports::read(kind, &path, Limits::default(), &mut |event| sender.blocking_send(Ok(event)).is_ok());
            if let Err(error) = read {
                let _ = sender.blocking_send(Err(error));
            }
        });
        receiver
    }

    /// The account that takes it in; the first one is made if that may be, as the first start of the service does.
    async fn account_of(&self, app: &App, may_make: bool) -> anyhow::Result<Option<Account>> {
        if self.account.is_none() && app.keyring.list_accounts().await?.is_empty() {
            return match may_make {
                true => Ok(Some(app.keyring.create_account(DEFAULT_ACCOUNT.parse()?).await?)),
                false => Ok(None),
            };
        }
        scope::account(app, self.account.as_ref()).await.map(Some)
    }
}

/// An import that is under way.
struct Taking<'a> {
    author: &'a Author,
    /// Where it goes, if that is there.
    into: Option<(&'a App, Account)>,
    /// By what it can be undone; nothing is stored without.
    batch: Option<Batch>,
    seen: HashSet<ThoughtId>,
    waiting: Vec<Piece>,
    waiting_bytes: usize,
    /// The time the last thought was stored under.
    stored_at: Time,
    summary: Summary,
}

impl<'a> Taking<'a> {
    fn new(others: &'a Others, into: Option<(&'a App, Account)>) -> Self {
        Self {
            author: &others.author,
            into,
            batch: None,
            seen: HashSet::new(),
            waiting: Vec::new(),
            waiting_bytes: 0,
            stored_at: SystemClock.now(),
            summary: Summary::default(),
        }
    }

    async fn all(
        mut self,
        mut events: mpsc::Receiver<Result<Event, ReadError>>,
        output: &mut Output,
    ) -> anyhow::Result<Summary> {
        while let Some(event) = events.recv().await {
            match event? {
                Event::Record(record) => self.record(*record, output).await?,
                Event::LeftOut(what) => self.summary.left_out(what, 1),
                Event::NotKept(what) => self.summary.not_kept(what),
                Event::Broken { place, reason } => self.summary.broken(&place, &reason, output),
            }
        }
        self.store().await?;
        Ok(self.summary)
    }

    async fn record(&mut self, record: Record, output: &mut Output) -> anyhow::Result<()> {
        if !self.seen.insert(record.id) {
            if !record.repeats {
                self.summary.left_out("record that comes twice", 1);
            }
            return Ok(());
        }
        if self.seen.len().is_multiple_of(TELL_EVERY) {
            output.remark(format_args!("{} so far", self.seen.len()));
        }
        if let Some((app, account)) = &self.into
            && app.store.get(account.id, record.id).await?.is_some()
        {
            self.summary.known += 1;
            return Ok(());
        }
        if self.batch.is_none() {
            self.summary.imported += 1;
            return Ok(());
        }
        self.stored_at = Time::from_micros(self.stored_at.as_micros() + 1);
        let bytes =
            record.text.as_str().len() + record.notes.iter().map(|note| note.text.as_str().len()).sum::<usize>();
        let pieces = pieces(record, self.author, self.stored_at);
        // A thought and its notes are stored together: one that is there is never looked at again.
        if self.waiting.len() + pieces.len() > AT_ONCE || self.waiting_bytes + bytes > AT_ONCE_BYTES {
            self.store().await?;
        }
        self.waiting_bytes += bytes;
        self.waiting.extend(pieces);
        Ok(())
    }

    async fn store(&mut self) -> anyhow::Result<()> {
        let pieces = std::mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        let (Some((app, account)), Some(batch), false) = (&self.into, &mut self.batch, pieces.is_empty()) else {
            return Ok(());
        };
        let thoughts: Vec<(ThoughtId, Time)> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Thought(thought) => Some((thought.id, thought.created_at)),
                Piece::Revision(..) | Piece::Note(..) => None,
            })
            .collect();
        batch.note(account.id, &thoughts)?;
        let stored = app.store.import(account.id, pieces).await?;
        self.summary.imported += stored as u64;
        self.summary.known += (thoughts.len() - stored) as u64;
        Ok(())
    }
}

fn pieces(record: Record, author: &Author, at: Time) -> Vec<Piece> {
    let Record { id, text, captured_at, agent, status, notes, .. } = record;
    let thought = Thought {
        id,
        raw_text: text,
        status,
        category: Category::Observation,
        author: agent.map_or_else(|| author.clone(), |name| Author::Agent { name }),
        created_at: at,
        captured_at,
        updated_at: at,
        revision: 0,
    };
    let notes = notes.into_iter().map(|note| {
        let stored = StoredNote {
            id: note.id,
            name: note.name,
            text: note.text.as_str().to_owned(),
            created_at: at,
            removed_at: None,
        };
        Piece::Note(id, stored)
    });
    std::iter::once(Piece::Thought(thought)).chain(notes).collect()
}

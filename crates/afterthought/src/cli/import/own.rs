//! An export of our own: accounts, thoughts with their revisions and notes, and keys if they are asked for.
//!
//! An account that is not here by its id is taken to be the one of the same name, and made if there is none. A line that is not as it
//! was exported ends the import: the file is not what was written then.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use uuid::Uuid;

use model::{Account, AccountId, Invalid, KeyId, ThoughtId, Time};
use store::{NewKey, Piece, StoreError};

use super::batch::Batch;
use super::check::Check;
use super::progress::Progress;
use super::summary::Summary;
use crate::app::App;
use crate::cli::output::{Output, count};
use crate::cli::place::Place;
use crate::cli::usage::Usage;
use crate::transfer::{Counts, Header, LINE_BYTES_MAX, Record};

/// An export to take in.
pub(super) struct Own {
    pub(super) file: PathBuf,
    pub(super) with_keys: bool,
    pub(super) dry_run: bool,
    pub(super) strict: bool,
}

/// How many pieces are stored at a time.
const BATCH: usize = 500;

/// How many bytes of input are stored at a time: notes can be long.
const BATCH_BYTES: usize = 8 << 20;

/// A header is shorter; a longer first line is not worth reading.
const HEADER_BYTES_MAX: u64 = 4096;

impl Own {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        if self.strict && self.file.as_os_str() == "-" {
            bail!(Usage("`--strict` reads the export twice: give a file".into()));
        }
        if self.dry_run || self.strict {
            let imported = match place.is_vacant().await {
                true => self.read(self.open()?, Importer::new(None, self.with_keys, None).await?, output).await?.0,
                false => {
                    place
                        .open(async |app| {
                            let importer = Importer::new(Some(app), self.with_keys, None).await?;
                            Ok(self.read(self.open()?, importer, output).await?.0)
                        })
                        .await?
                }
            };
            if self.dry_run {
                return imported.tell(None, output);
            }
        }
        let reader = self.open()?;
        let batch = Batch::new(place.folder());
        let id = batch.id;
        let imported = place
            .open(async |app| {
                let importer = Importer::new(Some(app), self.with_keys, Some(batch)).await?;
                let (imported, check) = self.read(reader, importer, output).await?;
                imported.tell(Some(id), output)?;
                // Whoever reads along sees what came in before it is looked at again.
                output.flush()?;
                check.run(app, output).await
            })
            .await;
        imported.map_err(explain)
    }

    /// The export after its first line.
    fn open(&self) -> anyhow::Result<Box<dyn BufRead>> {
        let mut reader: Box<dyn BufRead> = match self.file.as_os_str() == "-" {
            true => Box::new(io::stdin().lock()),
            false => {
                let file = File::open(&self.file).map_err(|error| match error.kind() {
                    ErrorKind::NotFound => anyhow!("no file `{}`: check the path", self.file.display()),
                    _ => self.unreadable(&error),
                })?;
                Box::new(BufReader::with_capacity(1 << 16, file))
            }
        };
        let mut line = Vec::new();
        (&mut reader).take(HEADER_BYTES_MAX).read_until(b'\n', &mut line).map_err(|error| self.unreadable(&error))?;
        check_header(&line)?;
        Ok(reader)
    }

    /// Takes everything in, or only looks at it.
    async fn read(
        &self,
        mut reader: Box<dyn BufRead>,
        mut importer: Importer<'_>,
        output: &mut Output,
    ) -> anyhow::Result<(Imported, Check)> {
        let (mut line, mut progress) = (Vec::new(), Progress::default());
        for number in 2_u64.. {
            line.clear();
            let limit = LINE_BYTES_MAX as u64 + 1;
            if (&mut reader).take(limit).read_until(b'\n', &mut line).map_err(|error| self.unreadable(&error))? == 0 {
                break;
            }
            if let Err(error) = importer.take(&line).await {
                let invalid = error.downcast::<Invalid>()?;
                if importer.batch_file.is_none() {
                    bail!("line {number}: {invalid}; nothing is stored");
                }
                importer.store_batch().await?;
                bail!("line {number}: {invalid}; what came before it is stored, and importing again does no harm");
            }
            progress.tell(output, || {
                let Imported { seen, stored, .. } = &importer.done;
                format!("{} thoughts read, {} of them new and stored", seen.thoughts, stored.thoughts)
            });
        }
        importer.finish().await
    }

    fn unreadable(&self, error: &io::Error) -> anyhow::Error {
        anyhow!("cannot read `{}`: {error}; check the path", self.file.display())
    }
}

/// Says what is left to do where the disk is full: unlike other commands, this one has stored what came before.
fn explain(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<StoreError>() {
        Some(StoreError::Full(_)) => anyhow!(
            "the disk is full: free some space on it, then import again; what came before is stored, and importing again does \
             no harm"
        ),
        _ => error,
    }
}

pub(super) fn check_header(line: &[u8]) -> anyhow::Result<()> {
    Header::check(line).map_err(|invalid| anyhow!("line 1: {invalid}"))
}

/// What an import did.
#[derive(Default)]
struct Imported {
    seen: Counts,
    stored: Counts,
    keys_left_out: u64,
    adopted: Vec<String>,
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seen, stored, keys_left_out, .. } = self;
        write!(f, "imported {stored}")?;
        let total = |counts: &Counts| counts.accounts + counts.keys + counts.thoughts;
        match total(seen) - total(stored) - keys_left_out {
            0 => {}
            others => write!(f, "; the other {others} were there already")?,
        }
        match keys_left_out {
            0 => Ok(()),
            _ => write!(
                f,
                "; left out {}: whoever has one could read and change everything here; `--with-keys` takes them as well",
                count(*keys_left_out, "key")
            ),
        }
    }
}

impl Imported {
    fn tell(&self, batch: Option<Uuid>, output: &mut Output) -> anyhow::Result<()> {
        for name in &self.adopted {
            output.remark(format_args!("account `{name}` is taken to be the one of that name here"));
        }
        let mut summary = Summary::new(self.stored.thoughts, self.seen.thoughts - self.stored.thoughts);
        if self.keys_left_out > 0 {
            summary.left_out("key", self.keys_left_out);
        }
        output.result(self)?;
        summary.tell(batch, output)
    }
}

struct Importer<'a> {
    /// Where it goes; nothing is there yet without.
    app: Option<&'a App>,
    with_keys: bool,
    /// By what it can be undone; without it nothing is stored.
    batch_file: Option<Batch>,
    /// The accounts of the export that are not here, where nothing is stored.
    absent: HashSet<AccountId>,
    /// The accounts that are here by their ids.
    known: HashSet<AccountId>,
    /// Which account here each account of the export is.
    accounts: HashMap<AccountId, AccountId>,
    keys: HashSet<KeyId>,
    batch: Vec<Piece>,
    batch_account: Option<AccountId>,
    batch_bytes: usize,
    /// What has to be here at the end, where it is stored.
    check: Check,
    done: Imported,
    ended: bool,
}

impl<'a> Importer<'a> {
    async fn new(app: Option<&'a App>, with_keys: bool, batch_file: Option<Batch>) -> anyhow::Result<Self> {
        let (keys, known) = match app {
            Some(app) => (app.keyring.list_keys(None).await?, app.keyring.list_accounts().await?),
            None => (Vec::new(), Vec::new()),
        };
        Ok(Self {
            app,
            with_keys,
            batch_file,
            absent: HashSet::new(),
            known: known.into_iter().map(|account| account.id).collect(),
            accounts: HashMap::new(),
            keys: keys.into_iter().map(|key| key.id).collect(),
            batch: Vec::new(),
            batch_account: None,
            batch_bytes: 0,
            check: Check::default(),
            done: Imported::default(),
            ended: false,
        })
    }

    /// Takes in one line. An [`Invalid`] says what is wrong with it.
    async fn take(&mut self, line: &[u8]) -> anyhow::Result<()> {
        if self.ended {
            bail!(Invalid::new("the export has ended before this line"));
        }
        let record = Record::read(line)?;
        match record {
            Record::Account(record) => self.account(record.into_account()?).await,
            Record::Key(record) => {
                let (key, last_used_at) = record.into_key()?;
                self.key(key, last_used_at).await
            }
            Record::Thought(record) => {
                let (account, pieces) = record.into_pieces()?;
                self.done.seen.thoughts += 1;
                self.pieces(account, pieces, line.len()).await
            }
            Record::Revision(record) => {
                let (account, piece) = record.into_piece()?;
                self.done.seen.revisions += 1;
                self.pieces(account, vec![piece], line.len()).await
            }
            Record::Note(record) => {
                let (account, piece) = record.into_piece()?;
                self.done.seen.notes += 1;
                self.pieces(account, vec![piece], line.len()).await
            }
            Record::End(counts) => {
                self.ended = true;
                match counts == self.done.seen {
                    true => Ok(()),
                    false => bail!(Invalid::new("the export says it has more or fewer lines than there are")),
                }
            }
        }
    }

    async fn account(&mut self, account: Account) -> anyhow::Result<()> {
        self.done.seen.accounts += 1;
        if let (Some(app), Some(_)) = (self.app, &self.batch_file)
            && app.store.insert_account(&account).await?
        {
            self.known.insert(account.id);
            self.done.stored.accounts += 1;
        }
        if self.known.contains(&account.id) {
            self.accounts.insert(account.id, account.id);
            return Ok(());
        }
        let namesake = match self.app {
            Some(app) => app.store.get_account(&account.name).await?,
            None => None,
        };
        let Some(namesake) = namesake else {
            self.absent.insert(account.id);
            self.accounts.insert(account.id, account.id);
            self.done.stored.accounts += 1;
            return Ok(());
        };
        self.accounts.insert(account.id, namesake.id);
        self.done.adopted.push(account.name.to_string());
        Ok(())
    }

    async fn key(&mut self, mut key: NewKey, last_used_at: Option<Time>) -> anyhow::Result<()> {
        self.done.seen.keys += 1;
        key.account = self.here(key.account)?;
        if self.with_keys {
            self.check.expect_key(&key);
        }
        if self.keys.contains(&key.id) {
            return Ok(());
        }
        if !self.with_keys {
            self.done.keys_left_out += 1;
            return Ok(());
        }
        self.keys.insert(key.id);
        if let (Some(app), Some(_)) = (self.app, &self.batch_file) {
            if !app.store.insert_key(&key).await? {
                bail!(Invalid::new(format!("another key here starts with `{}`", key.prefix)));
            }
            if let Some(at) = last_used_at {
                app.store.record_key_uses(&[(key.id, at)]).await?;
            }
        }
        self.done.stored.keys += 1;
        Ok(())
    }

    async fn pieces(&mut self, account: AccountId, pieces: Vec<Piece>, bytes: usize) -> anyhow::Result<()> {
        let account = self.here(account)?;
        let full = self.batch.len() >= BATCH || self.batch_bytes + bytes > BATCH_BYTES;
        if full || self.batch_account != Some(account) {
            self.store_batch().await?;
        }
        self.batch_account = Some(account);
        self.batch_bytes += bytes;
        if self.batch_file.is_some() {
            pieces.iter().try_for_each(|piece| self.check.expect(account, piece))?;
        }
        self.batch.extend(pieces);
        Ok(())
    }

    async fn store_batch(&mut self) -> anyhow::Result<()> {
        let batch = std::mem::take(&mut self.batch);
        self.batch_bytes = 0;
        let Some(account) = self.batch_account.filter(|_| !batch.is_empty()) else { return Ok(()) };
        let thoughts = batch.iter().filter_map(|piece| match piece {
            Piece::Thought(thought) => Some((thought.id, thought.created_at)),
            Piece::Revision(..) | Piece::Note(..) => None,
        });
        let mut fresh: Vec<(ThoughtId, Time)> = thoughts.collect();
        if let Some(app) = self.app.filter(|_| !self.absent.contains(&account)) {
            let ids: Vec<ThoughtId> = fresh.iter().map(|(id, _)| *id).collect();
            let there: HashSet<ThoughtId> = app.store.existing(account, &ids).await?.into_iter().collect();
            fresh.retain(|(id, _)| !there.contains(id));
        }
        self.done.stored.thoughts += match (self.app, &mut self.batch_file) {
            (Some(app), Some(file)) => {
                if !fresh.is_empty() {
                    file.note(account, &fresh)?;
                }
                app.store.import(account, batch).await? as u64
            }
            _ => fresh.len() as u64,
        };
        Ok(())
    }

    fn here(&self, account: AccountId) -> Result<AccountId, Invalid> {
        let unknown = || Invalid::new(format!("account `{account}` is not in a line before"));
        self.accounts.get(&account).copied().ok_or_else(unknown)
    }

    async fn finish(mut self) -> anyhow::Result<(Imported, Check)> {
        self.store_batch().await?;
        if !self.ended {
            bail!(
                "the export was cut short: it has no last line of type `end`; {} of its thoughts are stored, and importing \
                 the whole of it adds the others",
                self.done.seen.thoughts
            );
        }
        Ok((self.done, self.check))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_export_of_a_known_version_is_read() {
        for version in [1, 2] {
            let header = format!(r#"{{"format":"afterthought-export","version":{version}}}"#);
            assert!(check_header(header.as_bytes()).is_ok());
        }
        let newer = check_header(br#"{"format":"afterthought-export","version":3,"more":true}"#).unwrap_err();
        assert!(newer.to_string().contains("newer afterthought"), "{newer}");
        for other in [&b""[..], b"{}", b"PK\x03\x04", br#"{"format":"other","version":1}"#] {
            assert!(check_header(other).unwrap_err().to_string().contains("not an afterthought export"));
        }
    }
}

//! `afterthought import`: what an export holds, into this store.
//!
//! What is there already is left as it is, so importing again does no harm and goes on where an import broke off.

#[cfg(test)]
mod fuzz;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;

use model::{Account, AccountId, Invalid, KeyId, Time};
use store::{NewKey, Piece, StoreError};

use super::output::{Output, count};
use super::place::Place;
use super::transfer::{Counts, FORMAT, Header, LINE_BYTES_MAX, Record, VERSION};
use crate::app::App;

/// Take in an export: accounts, thoughts with their revisions and notes, and with `--with-keys` keys
///
/// What is there already is left as it is, so importing twice does no harm. An account that is not here by its id is taken
/// to be the one of the same name, and made if there is none.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  afterthought import everything.jsonl
  afterthought export --data old | afterthought import --with-keys --data new -")]
pub(super) struct Import {
    /// The export; `-` reads standard input
    file: PathBuf,
    /// Take the keys as well: whoever has one of them can then read and change the account here
    #[arg(long)]
    with_keys: bool,
}

/// How many pieces are stored at a time.
const BATCH: usize = 500;

/// How many bytes of input are stored at a time: notes can be long.
const BATCH_BYTES: usize = 8 << 20;

/// A header is shorter; a longer first line is not worth reading.
const HEADER_BYTES_MAX: u64 = 4096;

impl Import {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        let shown = self.file.display();
        let unreadable = |error: io::Error| anyhow!("cannot read `{shown}`: {error}; check the path");
        let mut reader: Box<dyn BufRead> = match self.file.as_os_str() == "-" {
            true => Box::new(io::stdin().lock()),
            false => {
                let file = File::open(&self.file).map_err(|error| match error.kind() {
                    ErrorKind::NotFound => anyhow!("no file `{shown}`: check the path"),
                    _ => unreadable(error),
                })?;
                Box::new(BufReader::with_capacity(1 << 16, file))
            }
        };
        let mut line = Vec::new();
        (&mut reader).take(HEADER_BYTES_MAX).read_until(b'\n', &mut line).map_err(unreadable)?;
        check_header(&line)?;
        let imported = place
            .open(async |app| {
                let mut importer = Importer::new(app, self.with_keys).await?;
                for number in 2_u64.. {
                    line.clear();
                    let limit = LINE_BYTES_MAX as u64 + 1;
                    if (&mut reader).take(limit).read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
                        break;
                    }
                    if let Err(error) = importer.take(&line).await {
                        let invalid = error.downcast::<Invalid>()?;
                        importer.store_batch().await?;
                        bail!(
                            "line {number}: {invalid}; what came before it is stored, and importing again does no harm"
                        );
                    }
                }
                importer.finish().await
            })
            .await
            .map_err(explain)?;
        for name in &imported.adopted {
            output.remark(format_args!("account `{name}` is taken to be the one of that name here"));
        }
        output.result(imported)
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

fn check_header(line: &[u8]) -> anyhow::Result<()> {
    match serde_json::from_slice::<Header>(line) {
        Ok(header) if header.format == FORMAT && header.version <= VERSION => Ok(()),
        Ok(header) if header.format == FORMAT => bail!(
            "line 1: the export has format {}, this version knows up to {VERSION}: import it with a newer afterthought",
            header.version
        ),
        _ => bail!("line 1: this is not an afterthought export: give a file that `afterthought export` wrote"),
    }
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

struct Importer<'a> {
    app: &'a App,
    with_keys: bool,
    /// The accounts that are here by their ids.
    known: HashSet<AccountId>,
    /// Which account here each account of the export is.
    accounts: HashMap<AccountId, AccountId>,
    keys: HashSet<KeyId>,
    batch: Vec<Piece>,
    batch_account: Option<AccountId>,
    batch_bytes: usize,
    done: Imported,
    ended: bool,
}

impl<'a> Importer<'a> {
    async fn new(app: &'a App, with_keys: bool) -> anyhow::Result<Self> {
        let keys = app.keyring.list_keys(None).await?;
        let known = app.keyring.list_accounts().await?;
        Ok(Self {
            app,
            with_keys,
            known: known.into_iter().map(|account| account.id).collect(),
            accounts: HashMap::new(),
            keys: keys.into_iter().map(|key| key.id).collect(),
            batch: Vec::new(),
            batch_account: None,
            batch_bytes: 0,
            done: Imported::default(),
            ended: false,
        })
    }

    /// Takes in one line. An [`Invalid`] says what is wrong with it.
    async fn take(&mut self, line: &[u8]) -> anyhow::Result<()> {
        if self.ended {
            bail!(Invalid::new("the export has ended before this line"));
        }
        if line.len() > LINE_BYTES_MAX {
            bail!(Invalid::new(format!(
                "it is longer than {LINE_BYTES_MAX} bytes, the most that a line of an export has: export anew with this version"
            )));
        }
        let record = serde_json::from_slice::<Record>(line).map_err(|error| {
            // The line is known, and serde_json sees no other than the first.
            let said = error.to_string();
            Invalid::new(said.split(" at line 1 column").next().unwrap_or_default())
        })?;
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
        if self.app.store.insert_account(&account).await? {
            self.done.stored.accounts += 1;
            self.accounts.insert(account.id, account.id);
            self.known.insert(account.id);
            return Ok(());
        }
        if self.known.contains(&account.id) {
            self.accounts.insert(account.id, account.id);
            return Ok(());
        }
        let namesake = self.app.keyring.account(&account.name).await?;
        self.accounts.insert(account.id, namesake.id);
        self.done.adopted.push(account.name.to_string());
        Ok(())
    }

    async fn key(&mut self, mut key: NewKey, last_used_at: Option<Time>) -> anyhow::Result<()> {
        self.done.seen.keys += 1;
        key.account = self.here(key.account)?;
        if self.keys.contains(&key.id) {
            return Ok(());
        }
        if !self.with_keys {
            self.done.keys_left_out += 1;
            return Ok(());
        }
        self.keys.insert(key.id);
        if !self.app.store.insert_key(&key).await? {
            bail!(Invalid::new(format!("another key here starts with `{}`", key.prefix)));
        }
        if let Some(at) = last_used_at {
            self.app.store.record_key_uses(&[(key.id, at)]).await?;
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
        self.batch.extend(pieces);
        Ok(())
    }

    async fn store_batch(&mut self) -> anyhow::Result<()> {
        let batch = std::mem::take(&mut self.batch);
        self.batch_bytes = 0;
        if let Some(account) = self.batch_account.filter(|_| !batch.is_empty()) {
            self.done.stored.thoughts += self.app.store.import(account, batch).await? as u64;
        }
        Ok(())
    }

    fn here(&self, account: AccountId) -> Result<AccountId, Invalid> {
        let unknown = || Invalid::new(format!("account `{account}` is not in a line before"));
        self.accounts.get(&account).copied().ok_or_else(unknown)
    }

    async fn finish(mut self) -> anyhow::Result<Imported> {
        self.store_batch().await?;
        if !self.ended {
            bail!(
                "the export was cut short: it has no last line of type `end`; {} of its thoughts are stored, and importing \
                 the whole of it adds the others",
                self.done.seen.thoughts
            );
        }
        Ok(self.done)
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

//! `afterthought import`: what an export holds, into this store.
//!
//! What is there already is left as it is, so importing again does no harm and goes on where an import broke off.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;

use model::{Account, AccountId, Invalid, KeyId, Time};
use store::{NewKey, StoredThought};

use super::output::Output;
use super::place::Place;
use super::transfer::{Counts, FORMAT, Header, Record, VERSION};
use crate::app::App;

/// Take in an export: accounts, keys, thoughts with their revisions and notes
///
/// What is there already is left as it is, so importing twice does no harm. An account that is not here by its id is taken
/// to be the one of the same name, and made if there is none.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  afterthought import everything.jsonl
  afterthought export --data old | afterthought import --data new -")]
pub(super) struct Import {
    /// The export; `-` reads standard input
    file: PathBuf,
}

/// How many thoughts are stored at a time.
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
                let mut importer = Importer::new(app).await?;
                for number in 2_u64.. {
                    line.clear();
                    if reader.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
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
            .await?;
        let Imported { seen, stored, adopted } = imported;
        for name in adopted {
            output.remark(format_args!("account `{name}` is taken to be the one of that name here"));
        }
        match seen.total() - stored.total() {
            0 => output.result(format_args!("imported {stored}")),
            others => output.result(format_args!("imported {stored}; the other {others} were there already")),
        }
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
struct Imported {
    seen: Counts,
    stored: Counts,
    adopted: Vec<String>,
}

struct Importer<'a> {
    app: &'a App,
    /// Which account here each account of the export is.
    accounts: HashMap<AccountId, AccountId>,
    keys: HashSet<KeyId>,
    batch: Vec<StoredThought>,
    batch_account: Option<AccountId>,
    batch_bytes: usize,
    done: Imported,
    ended: bool,
}

impl<'a> Importer<'a> {
    async fn new(app: &'a App) -> anyhow::Result<Self> {
        let keys = app.keyring.list_keys(None).await?;
        Ok(Self {
            app,
            accounts: HashMap::new(),
            keys: keys.into_iter().map(|key| key.id).collect(),
            batch: Vec::new(),
            batch_account: None,
            batch_bytes: 0,
            done: Imported { seen: Counts::default(), stored: Counts::default(), adopted: Vec::new() },
            ended: false,
        })
    }

    /// Takes in one line. An [`Invalid`] says what is wrong with it.
    async fn take(&mut self, line: &[u8]) -> anyhow::Result<()> {
        if self.ended {
            bail!(Invalid::new("the export has ended before this line"));
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
                let (account, thought) = record.into_thought()?;
                self.thought(self.here(account)?, thought, line.len()).await
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
            return Ok(());
        }
        let known = self.app.keyring.list_accounts().await?;
        if known.iter().any(|known| known.id == account.id) {
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
        if !self.keys.insert(key.id) {
            return Ok(());
        }
        if !self.app.store.insert_key(&key).await? {
            bail!(Invalid::new(format!("another key here starts with `{}`", key.prefix)));
        }
        if let Some(at) = last_used_at {
            self.app.store.record_key_uses(&[(key.id, at)]).await?;
        }
        self.done.stored.keys += 1;
        Ok(())
    }

    async fn thought(&mut self, account: AccountId, thought: StoredThought, bytes: usize) -> anyhow::Result<()> {
        let full = self.batch.len() >= BATCH || self.batch_bytes + bytes > BATCH_BYTES;
        if full || self.batch_account != Some(account) {
            self.store_batch().await?;
        }
        self.done.seen.thoughts += 1;
        self.batch_account = Some(account);
        self.batch_bytes += bytes;
        self.batch.push(thought);
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
        assert!(check_header(br#"{"format":"afterthought-export","version":1}"#).is_ok());
        let newer = check_header(br#"{"format":"afterthought-export","version":2,"more":true}"#).unwrap_err();
        assert!(newer.to_string().contains("newer afterthought"), "{newer}");
        for other in [&b""[..], b"{}", b"PK\x03\x04", br#"{"format":"other","version":1}"#] {
            assert!(check_header(other).unwrap_err().to_string().contains("not an afterthought export"));
        }
    }
}

//! `afterthought export`: everything out, as JSON Lines.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Args;
use serde::Serialize;

use model::{Account, AccountName};
use store::StoreError;

use super::output::{Output, explain};
use super::place::Place;
use super::scope;
use crate::app::App;
use crate::transfer::{Counts, Header, KeyRecord, Record};

/// Write everything out as JSON Lines: accounts, keys, thoughts with their revisions and notes
///
/// Of keys only their SHA-256 is written: they cannot be read from the export, and stay valid where it is imported
/// `--with-keys`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  afterthought export everything.jsonl
  afterthought export --account ana | gzip > ana.jsonl.gz")]
pub(super) struct Export {
    /// Where to write; `-` is standard output. A file or a link is replaced once the export is complete
    #[arg(default_value = "-", hide_default_value = true)]
    file: PathBuf,
    /// Only this account
    #[arg(long, value_name = "ACCOUNT")]
    account: Option<AccountName>,
}

impl Export {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        let Self { file, account } = self;
        let (counts, left_out) = place
            .open_existing(async |app| {
                let accounts = scope::accounts(app, account.as_ref()).await?;
                if file.as_os_str() == "-" {
                    return write_all(app, &accounts, Lines { writer: output.results(), failed: &explain }).await;
                }
                let failed = |error: io::Error| anyhow!("cannot write `{}`: {error}; choose another", file.display());
                let mut target = ExportFile::create(&file).map_err(failed)?;
                let lines = Lines { writer: &mut target.writer, failed: &failed };
                let counts = write_all(app, &accounts, lines).await?;
                target.finish().map_err(failed)?;
                Ok(counts)
            })
            .await?;
        output.remark(format_args!("exported {counts}"));
        for (account, error) in &left_out {
            output.remark(format_args!("left out what could not be read of account `{account}`: {error}"));
        }
        match left_out.is_empty() {
            true => Ok(()),
            false => bail!("{} accounts could not be exported whole: they are damaged", left_out.len()),
        }
    }
}

/// The accounts that could not be read to their end, by name.
type LeftOut = Vec<(String, StoreError)>;

/// Writes records as lines.
struct Lines<'a> {
    writer: &'a mut dyn Write,
    failed: &'a dyn Fn(io::Error) -> anyhow::Error,
}

impl Lines<'_> {
    fn write(&mut self, record: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.writer.write_all(&line).map_err(self.failed)
    }
}

async fn write_all(app: &App, accounts: &[Account], mut lines: Lines<'_>) -> anyhow::Result<(Counts, LeftOut)> {
    let (mut counts, mut left_out) = (Counts::default(), LeftOut::new());
    lines.write(&Header::current())?;
    for account in accounts {
        lines.write(&Record::Account(account.into()))?;
        counts.accounts += 1;
        for (key, hash) in app.store.export_keys(account.id).await? {
            lines.write(&Record::Key(KeyRecord::new(&key, &hash)))?;
            counts.keys += 1;
        }
        let mut after = None;
        loop {
            let page = match app.store.export(account.id, after).await {
                // The others are exported all the same.
                Err(error @ StoreError::Corrupt { .. }) => {
                    left_out.push((account.name.to_string(), error));
                    break;
                }
                page => page?,
            };
            let Some(last) = page.last() else { break };
            after = Some(last.id());
            for piece in page {
                counts.add(&piece);
                lines.write(&Record::new(account.id, piece))?;
            }
        }
    }
    lines.write(&Record::End(counts))?;
    Ok((counts, left_out))
}

/// A file that appears under its name once it is complete.
struct ExportFile {
    writer: BufWriter<File>,
    /// What it is called until then, and afterwards; `None` if it is written in place.
    rename: Option<(PathBuf, PathBuf)>,
}

impl ExportFile {
    fn create(file: &Path) -> io::Result<Self> {
        // A pipe or a device has no contents to keep until the new ones are complete, and what lies among them stands for a file
        // that is open already, such as `/dev/stdout`.
        let is_device = ["/dev", "/proc"].iter().any(|folder| file.starts_with(folder));
        if fs::metadata(file).is_ok_and(|about| !about.is_dir() && (is_device || !about.is_file())) {
            return Ok(Self { writer: BufWriter::new(OpenOptions::new().write(true).open(file)?), rename: None });
        }
        // A link is replaced and not followed: whoever put it there does not choose which file is lost.
        let file = file.to_owned();
        if file.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut partial = file.clone().into_os_string();
        partial.push(".partial");
        // What an export before left behind, or somebody's link to elsewhere.
        match fs::remove_file(&partial) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // Thoughts are nobody else's business.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let opened = options.open(&partial)?;
        Ok(Self { writer: BufWriter::new(opened), rename: Some((partial.into(), file)) })
    }

    fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        if let Some((partial, file)) = self.rename.take() {
            self.writer.get_ref().sync_all()?;
            fs::rename(partial, file)?;
        }
        Ok(())
    }
}

impl Drop for ExportFile {
    fn drop(&mut self) {
        if let Some((partial, _)) = &self.rename {
            // What failed before is what the user hears about.
            let _ = fs::remove_file(partial);
        }
    }
}

//! What an import brought in, written down before it is stored, so that it can be undone.
//!
//! A file of the data folder for each import: a line with the account, then one for each thought with the time it was stored under.
//! The time tells what this import stored from what another one did after this one broke off.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use uuid::Uuid;

use model::{AccountId, ThoughtId, Time};

use crate::cli::private;

/// An import that is under way.
pub(super) struct Batch {
    pub(super) id: Uuid,
    folder: PathBuf,
    open: Option<(AccountId, File)>,
}

/// A thought that a batch may have brought in.
pub(super) struct Entry {
    pub(super) account: AccountId,
    pub(super) thought: ThoughtId,
    pub(super) created_at: Time,
}

impl Batch {
    /// A fresh one for the store in that folder.
    pub(super) fn new(data: &Path) -> Self {
        Self { id: Uuid::now_v7(), folder: data.join("imports"), open: None }
    }

    /// Writes down what is about to be stored; it is on the disk on return.
    pub(super) fn note(&mut self, account: AccountId, thoughts: &[(ThoughtId, Time)]) -> anyhow::Result<()> {
        let path = path(&self.folder, self.id);
        let explain = |error| anyhow!("cannot write `{}`: {error}; check its permissions", path.display());
        let (known, file) = match &mut self.open {
            Some((known, file)) => (known, file),
            None => {
                private::create_folder(&self.folder).map_err(explain)?;
                let file = private::create_file(&path).map_err(explain)?;
                let (known, file) = self.open.insert((account, file));
                writeln!(file, "account {account}").map_err(explain)?;
                (known, file)
            }
        };
        let mut lines = String::new();
        if *known != account {
            *known = account;
            lines = format!("account {account}\n");
        }
        for (thought, created_at) in thoughts {
            lines += &format!("{thought} {}\n", created_at.as_micros());
        }
        file.write_all(lines.as_bytes()).and_then(|()| file.sync_all()).map_err(explain)
    }
}

/// Copies what is known of all imports into the store of another folder.
pub(crate) fn copy_all(data: &Path, other: &Path) -> anyhow::Result<()> {
    let [from, to] = [data, other].map(|folder| folder.join("imports"));
    let explain = |error| anyhow!("cannot copy `{}` to `{}`: {error}", from.display(), to.display());
    let files = match std::fs::read_dir(&from) {
        Ok(files) => files,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(explain(error)),
    };
    private::create_folder(&to).map_err(explain)?;
    for file in files {
        let file = file.map_err(explain)?;
        let mut copy = private::create_file(&to.join(file.file_name())).map_err(explain)?;
        File::open(file.path()).and_then(|mut file| std::io::copy(&mut file, &mut copy)).map_err(explain)?;
        copy.sync_all().map_err(explain)?;
    }
    Ok(())
}

/// What the import of that batch may have brought in, in the order of storing.
pub(super) fn entries(data: &Path, id: Uuid) -> anyhow::Result<Vec<Entry>> {
    let path = path(&data.join("imports"), id);
    let file = File::open(&path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => anyhow!("no import `{id}` brought anything into this store: check the id it printed"),
        _ => anyhow!("cannot read `{}`: {error}; check its permissions", path.display()),
    })?;
    let mut account = None;
    let mut entries = Vec::new();
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|error| anyhow!("cannot read `{}`: {error}", path.display()))?;
        match line.split_once(' ') {
            Some(("account", id)) => account = Some(id.parse()?),
            // The last line may have been cut by a crash; what it was about was not stored then.
            Some((thought, micros)) => {
                let (Ok(thought), Ok(micros)) = (thought.parse(), micros.parse()) else { continue };
                let Some(account) = account else {
                    bail!("`{}` is damaged: it begins without an account", path.display())
                };
                entries.push(Entry { account, thought, created_at: Time::from_micros(micros) });
            }
            None => {}
        }
    }
    Ok(entries)
}

fn path(folder: &Path, id: Uuid) -> PathBuf {
    folder.join(format!("{id}.batch"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_down_is_read_back_also_if_it_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let id = |number: u128| Uuid::from_u128(number);
        let (one, two) = (AccountId::from_uuid(id(1)), AccountId::from_uuid(id(2)));
        let mut batch = Batch::new(folder.path());
        batch.note(one, &[(ThoughtId::from_uuid(id(3)), Time::from_micros(5))]).unwrap();
        batch.note(two, &[(ThoughtId::from_uuid(id(4)), Time::from_micros(6))]).unwrap();
        let file = path(&folder.path().join("imports"), batch.id);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{text}0197c1a2-7b3c")).unwrap();
        let read: Vec<_> = entries(folder.path(), batch.id).unwrap();
        let read: Vec<_> = read.iter().map(|entry| (entry.account, entry.created_at.as_micros())).collect();
        assert_eq!(read, [(one, 5), (two, 6)]);
        assert!(entries(folder.path(), id(9)).is_err());
    }
}

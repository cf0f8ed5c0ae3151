//! A configuration file: read, written whole or not at all, with a copy of what was there before the first change.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};

use crate::cli::private;

/// A file of a client, links followed.
pub(super) struct ConfigFile {
    path: PathBuf,
    /// What it holds; `None` if it is not there.
    pub(super) text: Option<String>,
}

/// Folders that say that what lies beside them is under version control.
const VERSION_CONTROL: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

impl ConfigFile {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        // What is written in place of a link would cut it off from its file.
        let path = fs::canonicalize(path).unwrap_or_else(|_| followed(path));
        match fs::read(&path) {
            Ok(bytes) => {
                let text = String::from_utf8(bytes).map_err(|_| anyhow!("`{}` is no UTF-8 text", path.display()))?;
                Ok(Self { path, text: Some(text) })
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self { path, text: None }),
            Err(error) => bail!("cannot read `{}`: {error}; check its permissions", path.display()),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses a file that others may come to see.
    pub(super) fn check_private(&self) -> anyhow::Result<()> {
        let folders = self.path.ancestors().skip(1);
        let found = folders.into_iter().find(|folder| VERSION_CONTROL.iter().any(|name| folder.join(name).exists()));
        match found {
            Some(folder) => bail!(
                "`{}` lies under version control in `{}`, where a key would be passed on: let the client start `afterthought stdio` \
                 instead, which needs none",
                self.path.display(),
                folder.display()
            ),
            None => Ok(()),
        }
    }

    /// The copy of what was there before the first change.
    pub(super) fn copy(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".before-afterthought");
        self.path.with_file_name(name)
    }

    /// Keeps a copy of the file, once.
    pub(super) fn keep_copy(&self) -> anyhow::Result<()> {
        let (copy, Some(text)) = (self.copy(), &self.text) else { return Ok(()) };
        if copy.exists() {
            return Ok(());
        }
        let explain = |error| anyhow!("cannot write `{}`: {error}; check its permissions", copy.display());
        private::create_file(&copy).and_then(|mut file| file.write_all(text.as_bytes())).map_err(explain)
    }

    /// Writes the file with the mode it has; a new one is its owner's alone.
    pub(super) fn write(&self, text: &str) -> anyhow::Result<()> {
        let explain = |error| anyhow!("cannot write `{}`: {error}; check its permissions", self.path.display());
        if let Some(folder) = self.path.parent() {
            private::create_folder(folder).map_err(explain)?;
        }
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.partial", std::process::id()));
        let partial = self.path.with_file_name(name);
        let write = || {
            let mut file = private::create_file(&partial)?;
            file.write_all(text.as_bytes())?;
            if let Ok(metadata) = fs::metadata(&self.path) {
                file.set_permissions(metadata.permissions())?;
            }
            file.sync_all()?;
            fs::rename(&partial, &self.path)
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&partial);
            explain(error)
        })
    }

    pub(super) fn remove(&self) -> anyhow::Result<()> {
        fs::remove_file(&self.path).map_err(|error| anyhow!("cannot remove `{}`: {error}", self.path.display()))
    }
}

/// As many links as Linux follows before it takes them for a circle.
const LINKS_MAX: usize = 40;

/// Where a path leads whose file is not there, links followed: a client that manages its files by links finds it behind them.
fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(target) = fs::read_link(&path) else { break };
        let folder = path.parent().unwrap_or(Path::new(""));
        path = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()).join(target);
    }
    path
}

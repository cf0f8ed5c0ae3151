//! What `connect` did to a client, kept in the data folder, so that it can be told from what others did, and undone.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde::{Deserialize, Serialize};

use super::client::Client;
use crate::cli::private;

/// What was done to a client.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    /// The file that was changed.
    pub(super) file: PathBuf,
    /// The beginning of the key in it; `None` where there is none.
    pub(super) prefix: Option<String>,
    /// Whether the key was made for it.
    pub(super) made_key: bool,
    /// Whether the file was.
    pub(super) made_file: bool,
    /// Whether it was done by the client's own command.
    pub(super) by_command: bool,
}

impl Record {
    /// What is known of a client.
    pub(super) fn read(data: &Path, client: Client) -> Option<Self> {
        serde_json::from_slice(&fs::read(path(data, client)).ok()?).ok()
    }

    pub(super) fn write(&self, data: &Path, client: Client) -> anyhow::Result<()> {
        let path = path(data, client);
        let write = || {
            private::create_folder(path.parent().unwrap_or(data))?;
            let _ = fs::remove_file(&path);
            private::create_file(&path)?.write_all(&serde_json::to_vec(self)?)
        };
        write().map_err(|error: std::io::Error| anyhow!("cannot write `{}`: {error}", path.display()))
    }

    pub(super) fn forget(data: &Path, client: Client) {
        // Nothing is lost with it: without the entry it says nothing.
        let _ = fs::remove_file(path(data, client));
    }
}

fn path(data: &Path, client: Client) -> PathBuf {
    data.join("connected").join(format!("{}.json", client.name()))
}

//! `afterthought backup`: a consistent copy of the whole store.

use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;

use super::import::copy_all;
use super::output::Output;
use super::place::Place;

/// Copy the whole store into a folder, while others read and write
///
/// The copy is a data folder of its own: to go back to it, start the service with `--data` naming it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  afterthought backup /backups/monday && afterthought status --data /backups/monday")]
pub(super) struct Backup {
    /// A folder that is empty or does not exist yet
    folder: PathBuf,
}

impl Backup {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        let folder = self.folder;
        let made = place
            .open_existing(async |app| {
                prepare(&folder)?;
                Ok(app.store.backup(&folder).await?)
            })
            .await?;
        match made {
            store::Backup::Made { accounts, thoughts, left_out } => {
                // After the store: what an import notes down is there before what it stores.
                copy_all(place.folder(), &folder)?;
                output.result(format_args!("copied the store to `{}`", folder.display()))?;
                output.remark(format_args!("accounts: {accounts}, thoughts: {thoughts}, every file checked"));
                for (account, reason) in &left_out {
                    output.remark(format_args!("left out account {account}: {reason}"));
                }
                match left_out.is_empty() {
                    true => Ok(()),
                    false => {
                        bail!("the copy lacks {} damaged accounts, which the store cannot read either", left_out.len())
                    }
                }
            }
            store::Backup::Elsewhere(how) => bail!("{how}"),
        }
    }
}

/// Makes the folder unless it is there, and refuses one that holds anything.
fn prepare(folder: &std::path::Path) -> anyhow::Result<()> {
    match std::fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => bail!("`{}` is not empty: give an empty folder or one that does not exist", folder.display()),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => std::fs::create_dir_all(folder)
            .map_err(|error| anyhow!("cannot make the folder `{}`: {error}; choose another", folder.display())),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            bail!("`{}` is a file: give an empty folder or one that does not exist", folder.display())
        }
        Err(error) => bail!("cannot look into `{}`: {error}; choose another folder", folder.display()),
    }
}

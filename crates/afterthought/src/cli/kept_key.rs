//! The keys that commands on this machine use, each in a file of the data folder that only its owner may read.
//!
//! A key is made once. One that was revoked is never replaced by itself: whoever revoked it meant it.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;

use model::{AccountName, KeyName};

use super::place::Place;
use super::{background, private, scope};

/// A key that is kept.
pub(super) struct KeptKey {
    pub(super) secret: String,
    /// Where.
    pub(super) path: PathBuf,
}

/// The key of that name for that account, made if there is none yet. The store has to be there.
pub(super) async fn kept_or_made(
    place: &Place,
    name: &KeyName,
    account: Option<&AccountName>,
    deadline: Instant,
) -> anyhow::Result<KeptKey> {
    let folder = place.folder();
    let path = path(folder, name, account);
    if let Some(secret) = read(&path)? {
        return Ok(KeptKey { secret, path });
    }
    let _lock = background::lock(folder, deadline)?;
    if let Some(secret) = read(&path)? {
        return Ok(KeptKey { secret, path });
    }
    let secret = place
        .open_existing(async |app| {
            let account = scope::account(app, account).await?;
            let (secret, key) = app.keyring.create_key(account.id, name.clone()).await?;
            if let Err(error) = write(&path, secret.reveal()) {
                // A key nobody has must not stay valid.
                app.keyring.revoke_key(key.prefix.as_str()).await?;
                return Err(anyhow!("cannot write `{}`: {error}; check its permissions", path.display()));
            }
            Ok(secret.reveal().to_owned())
        })
        .await?;
    Ok(KeptKey { secret, path })
}

/// Revokes the key of that name for the usual account, if one is kept, and keeps it no longer.
pub(super) async fn revoke(place: &Place, name: &KeyName) -> anyhow::Result<()> {
    let path = path(place.folder(), name, None);
    let Some(secret) = read(&path)? else { return Ok(()) };
    place.open_existing(async |app| Ok(app.keyring.revoke_key(&secret).await?)).await?;
    std::fs::remove_file(&path).map_err(|error| anyhow!("cannot remove `{}`: {error}", path.display()))
}

fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(secret) => Ok(Some(secret.trim().to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(anyhow!("cannot read `{}`: {error}; check its permissions", path.display())),
    }
}

/// Writes the file whole or not at all.
fn write(path: &Path, secret: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        private::create_folder(folder)?;
    }
    let partial = path.with_extension("partial");
    // Left behind by a crash; whoever writes holds the lock.
    let _ = std::fs::remove_file(&partial);
    let mut file = private::create_file(&partial)?;
    writeln!(file, "{secret}")?;
    file.sync_all()?;
    std::fs::rename(&partial, path)
}

fn path(folder: &Path, name: &KeyName, account: Option<&AccountName>) -> PathBuf {
    let account = account.map_or_else(String::new, |account| format!("@{}", plain(account.as_str())));
    folder.join("keys").join(format!("{}{account}.key", plain(name.as_str())))
}

/// A name as the name of a file: whatever else than letters, digits and hyphens it has is written as its bytes.
fn plain(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    name.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02x}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder_or_to_another_name() {
        let file = |name: &str, account: Option<&str>| {
            let account = account.map(|account| account.parse().unwrap());
            path(Path::new("/d"), &name.parse().unwrap(), account.as_ref()).display().to_string()
        };
        assert_eq!(file("claude-desktop", None), "/d/keys/claude-desktop.key");
        assert_eq!(file("../x", Some("ana@home")), "/d/keys/%2e%2e%2fx@ana%40home.key");
        assert_ne!(file("a@b", None), file("a", Some("b")));
    }
}

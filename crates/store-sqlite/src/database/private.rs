//! Files and folders that nobody but their owner may look into, and whether a path still leads to the file that was opened.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder and what is above it unless they are there; on Unix, nobody but the owner may look into it, whoever made it.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    make_private(folder, 0o700)
}

/// Makes a file that is not there; on Unix, nobody but the owner may look into it. SQLite gives its journals the same rights.
pub(super) fn create_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Takes from others the right to look into a file.
pub(crate) fn make_file_private(path: &Path) -> io::Result<()> {
    make_private(path, 0o600)
}

#[cfg(unix)]
fn make_private(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = std::fs::metadata(path)?.permissions();
    if permissions.mode() & 0o077 == 0 {
        return Ok(());
    }
    match std::fs::set_permissions(path, PermissionsExt::from_mode(mode)) {
        // Another's folder, such as one that is mounted: what is inside is private all the same.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        other => other,
    }
}

#[cfg(not(unix))]
fn make_private(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Makes the entries of a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Only Unix opens folders, and only there is it needed.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Which file a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity(u64, u64);

impl Identity {
    /// That of the file at a path, if there is one.
    pub(super) fn of(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().map(|metadata| Self::read(&metadata))
    }

    #[cfg(unix)]
    fn read(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(metadata.dev(), metadata.ino())
    }

    /// Elsewhere a file that is open cannot be removed.
    #[cfg(not(unix))]
    fn read(_metadata: &Metadata) -> Self {
        Self(0, 0)
    }
}

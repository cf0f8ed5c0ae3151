//! Where a memory is read from: an archive, a folder or a single file, as members by name.
//!
//! An archive is checked as a whole before anything in it is read: no name may climb out, no member may be a link or locked, and what
//! members say they unpack to, and what they then do, stays within the limit.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use model::Time;
use zip::ZipArchive;

use crate::archive_name::stays_inside;
use crate::times;

/// What an archive may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many bytes its members may unpack to, all together.
    pub unpacked_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { unpacked_bytes: 1 << 30 }
    }
}

/// Why a source was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is not there, or cannot be read.
    #[error("cannot read `{0}`: {1}; check the path")]
    Unreadable(String, io::Error),
    /// It would do harm.
    #[error("`{0}` is refused: {1}")]
    Refused(String, String),
    /// It is something else.
    #[error("{0}")]
    NotThis(String),
    /// Whoever is told has heard enough.
    #[error("reading was ended")]
    Ended,
}

/// More members than any export has.
const MEMBERS_MAX: usize = 100_000;

/// Something to read members from.
pub(crate) struct Source {
    shown: String,
    inner: Inner,
    members: Vec<Member>,
    unpacked: Rc<Cell<u64>>,
    unpacked_max: u64,
}

enum Inner {
    Archive(Box<ZipArchive<BufReader<File>>>),
    Folder(PathBuf),
    Single(PathBuf),
}

/// A file of a source.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// Its path there, with `/`.
    pub(crate) name: String,
    /// When it was written.
    pub(crate) modified: Time,
    /// Its number in an archive.
    index: usize,
}

impl Member {
    /// The last part of its path.
    pub(crate) fn file_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }

    /// Whether it lies directly in a folder of that name.
    pub(crate) fn is_in(&self, folder: &str) -> bool {
        self.name.rsplit('/').nth(1) == Some(folder)
    }
}

impl Source {
    /// Opens what is at `path`, and checks it if it is an archive.
    pub(crate) fn open(path: &Path, limits: Limits) -> Result<Self, ReadError> {
        let shown = path.display().to_string();
        let unreadable = |error| ReadError::Unreadable(shown.clone(), error);
        let metadata = path.metadata().map_err(unreadable)?;
        let (inner, members) = if metadata.is_dir() {
            let mut members = Vec::new();
            list(path, "", 2, &mut members).map_err(unreadable)?;
            members.sort_by(|one: &Member, other: &Member| one.name.cmp(&other.name));
            (Inner::Folder(path.to_owned()), members)
        } else if is_archive(path).map_err(unreadable)? {
            let file = BufReader::new(File::open(path).map_err(unreadable)?);
            let archive = ZipArchive::new(file).map_err(|error| {
                ReadError::NotThis(format!("`{shown}` is no archive that can be read: {error}; download it again"))
            })?;
            let (archive, members) = checked(archive, &shown, limits)?;
            (Inner::Archive(Box::new(archive)), members)
        } else {
            let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
            let member = Member { name, modified: times::of_file(metadata.modified()), index: 0 };
            (Inner::Single(path.to_owned()), vec![member])
        };
        Ok(Self { shown, inner, members, unpacked: Rc::default(), unpacked_max: limits.unpacked_bytes })
    }

    /// The path, to tell.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// Whether it is one file that is given by itself.
    pub(crate) fn is_single(&self) -> bool {
        matches!(self.inner, Inner::Single(_))
    }

    /// The members that are wanted, in the order of their names.
    pub(crate) fn members(&self, is_wanted: impl Fn(&Member) -> bool) -> Vec<Member> {
        self.members.iter().filter(|member| is_wanted(member)).cloned().collect()
    }

    /// Reads a member from its beginning.
    pub(crate) fn reader(&mut self, member: &Member) -> Result<Box<dyn Read + '_>, ReadError> {
        let place = format!("{} in {}", member.name, self.shown);
        let unreadable = |error| ReadError::Unreadable(place, error);
        match &mut self.inner {
            Inner::Archive(archive) => {
                let file = archive.by_index(member.index).map_err(|error| unreadable(error.into()))?;
                Ok(Box::new(Budget { inner: file, used: Rc::clone(&self.unpacked), max: self.unpacked_max }))
            }
            Inner::Folder(folder) => Ok(Box::new(File::open(folder.join(&member.name)).map_err(unreadable)?)),
            Inner::Single(path) => Ok(Box::new(File::open(path).map_err(unreadable)?)),
        }
    }

    /// The same of a member that is itself compressed.
    pub(crate) fn unzipped(&mut self, member: &Member) -> Result<Box<dyn Read + '_>, ReadError> {
        let (used, max) = (Rc::clone(&self.unpacked), self.unpacked_max);
        let inner = flate2::read::MultiGzDecoder::new(self.reader(member)?);
        Ok(Box::new(Budget { inner, used, max }))
    }
}

/// Whether the file begins as an archive does.
fn is_archive(path: &Path) -> io::Result<bool> {
    let mut start = [0; 4];
    match File::open(path)?.read_exact(&mut start) {
        Ok(()) => Ok(matches!(&start, b"PK\x03\x04" | b"PK\x05\x06")),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The members of an archive that has nothing in it that would do harm.
fn checked(
    mut archive: ZipArchive<BufReader<File>>,
    shown: &str,
    limits: Limits,
) -> Result<(ZipArchive<BufReader<File>>, Vec<Member>), ReadError> {
    let refuse = |why: String| ReadError::Refused(shown.to_owned(), why);
    if archive.len() > MEMBERS_MAX {
        return Err(refuse(format!("it has {} members, at most {MEMBERS_MAX} are read", archive.len())));
    }
    let mut members = Vec::new();
    let mut unpacked: u64 = 0;
    for index in 0..archive.len() {
        let file =
            archive.by_index_raw(index).map_err(|error| refuse(format!("member {index} is damaged: {error}")))?;
        let Ok(name) = file.name().map(|name| name.into_owned()) else {
            return Err(refuse(format!("the name of member {index} is no text")));
        };
        if !stays_inside(&name) {
            return Err(refuse(format!("its member `{name}` would lie outside of it")));
        }
        if file.is_symlink() || file.encrypted() {
            return Err(refuse(format!("its member `{name}` is a link or locked")));
        }
        unpacked = unpacked.saturating_add(file.size());
        if file.is_dir() {
            continue;
        }
        let modified = file.last_modified().and_then(|at| times::written(&at.to_string()));
        members.push(Member { name, modified: modified.unwrap_or(Time::from_micros(0)), index });
    }
    if unpacked > limits.unpacked_bytes {
        return Err(refuse(too_much(limits.unpacked_bytes)));
    }
    members.sort_by(|one, other| one.name.cmp(&other.name));
    Ok((archive, members))
}

fn too_much(max: u64) -> String {
    format!("it unpacks to more than {max} bytes; unpack it yourself and give the folder if you trust it")
}

/// The files of a folder and of those in it; links are not followed.
fn list(folder: &Path, prefix: &str, depth: u8, members: &mut Vec<Member>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (metadata, name) = (entry.metadata()?, entry.file_name());
        let name = format!("{prefix}{}", name.to_string_lossy());
        if metadata.is_dir() && depth > 1 {
            list(&entry.path(), &format!("{name}/"), depth - 1, members)?;
        } else if metadata.is_file() {
            members.push(Member { name, modified: times::of_file(metadata.modified()), index: 0 });
        }
    }
    Ok(())
}

/// Ends in an error once everything read through it and its like is more than allowed, whatever the archive says of itself.
struct Budget<R> {
    inner: R,
    used: Rc<Cell<u64>>,
    max: u64,
}

impl<R: Read> Read for Budget<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.used.set(self.used.get() + read as u64);
        match self.used.get() > self.max {
            true => Err(io::Error::new(ErrorKind::QuotaExceeded, too_much(self.max))),
            false => Ok(read),
        }
    }
}

//! The service of a data folder: where it is while it runs, so that other commands on the same folder find it.
//!
//! A file in the folder says so, and is no proof: its writer may have been killed, and its port be another program's. So the service
//! itself is asked, and must answer with what the file says.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The file in the data folder.
const FILE: &str = "service.json";

/// How long a service that runs may take to say so.
const PATIENCE: Duration = Duration::from_secs(2);

/// More than what says that a service is ready.
const ANSWER_BYTES_MAX: u64 = 4096;

/// A service that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// Where it can be reached from here, such as `http://127.0.0.1:8720`.
    pub origin: String,
    /// The number of its process.
    pub process: u32,
}

impl Running {
    /// Where it speaks MCP.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("{}/api/mcp", self.origin)
    }
}

/// What stands in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Announced {
    /// Where it can be reached from this machine.
    address: SocketAddr,
    /// The number of its process.
    process: u32,
    /// What it calls itself at `/healthz`: no other start of any service has the same.
    instance: String,
    /// The number of the folder in its file system. A copy of the folder has the file as well, and is served by nobody.
    #[serde(default)]
    folder: Option<u64>,
}

/// The file that says where the service is; taken away when this is dropped, unless another service has replaced it.
#[derive(Debug)]
pub struct Announcement {
    path: PathBuf,
    announced: Announced,
}

impl Announcement {
    /// Says in a data folder, readable by its owner alone, that this process serves it at an address. Of several services of one
    /// folder the last to start is found.
    pub fn make(folder: &Path, address: SocketAddr, instance: Uuid) -> io::Result<Self> {
        let (path, process) = (folder.join(FILE), std::process::id());
        let announced = Announced { address, process, instance: instance.to_string(), folder: number_of(folder) };
        let partial = folder.join(format!("{FILE}.{instance}"));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&partial)?.write_all(&serde_json::to_vec(&announced)?)?;
        // Whoever looks sees all of it or what was there before.
        fs::rename(&partial, &path).inspect_err(|_| drop(fs::remove_file(&partial)))?;
        Ok(Self { path, announced })
    }
}

impl Drop for Announcement {
    fn drop(&mut self) {
        if read(&self.path).as_ref() == Some(&self.announced) {
            // What is left behind is found to be out of date.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The service of a data folder, if one runs and answers. Waits for two seconds at most.
pub fn find(folder: &Path) -> Option<Running> {
    let announced = read(&folder.join(FILE))?;
    if announced.folder.is_some_and(|number| Some(number) != number_of(folder)) {
        return None;
    }
    let Announced { address, process, .. } = announced;
    let running = || Running { origin: format!("http://{address}"), process };
    answers(&announced).is_ok_and(|answers| answers).then(running)
}

/// What tells a folder from its copies.
#[cfg(unix)]
fn number_of(folder: &Path) -> Option<u64> {
    fs::metadata(folder).ok().map(|about| std::os::unix::fs::MetadataExt::ino(&about))
}

#[cfg(not(unix))]
fn number_of(_: &Path) -> Option<u64> {
    None
}

fn read(path: &Path) -> Option<Announced> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Whether the service that was announced is what answers there.
fn answers(announced: &Announced) -> io::Result<bool> {
    let mut stream = TcpStream::connect_timeout(&announced.address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(ANSWER_BYTES_MAX).read_to_string(&mut answer)?;
    Ok(answer.contains(&announced.instance))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Announces a service at a port where somebody answers once with these words.
    fn found_answering(words: &str) -> (bool, Uuid) {
        let folder = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let instance = Uuid::now_v7();
        let _announced = Announcement::make(folder.path(), listener.local_addr().unwrap(), instance).unwrap();
        let words = words.replace("INSTANCE", &instance.to_string());
        let answering = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]).unwrap();
            stream.write_all(format!("HTTP/1.1 200 OK\r\n\r\n{words}").as_bytes()).unwrap();
        });
        let found = find(folder.path());
        answering.join().unwrap();
        (found.is_some(), instance)
    }

    #[cfg(unix)]
    #[test]
    fn the_copy_of_a_folder_has_no_service() {
        let (folder, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let instance = Uuid::now_v7();
        let _announced = Announcement::make(folder.path(), listener.local_addr().unwrap(), instance).unwrap();
        fs::copy(folder.path().join(FILE), copy.path().join(FILE)).unwrap();
        let answering = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]).unwrap();
            stream.write_all(format!("HTTP/1.1 200 OK\r\n\r\n{instance}").as_bytes()).unwrap();
        });
        assert_eq!(find(copy.path()), None);
        assert!(find(folder.path()).is_some());
        answering.join().unwrap();
    }

    #[test]
    fn only_the_service_that_was_announced_is_found() {
        assert!(found_answering(r#"{"instance":"INSTANCE"}"#).0);
        assert!(!found_answering(r#"{"instance":"0197c1a2-7b3c-7def-8123-456789abcdef"}"#).0);
    }

    #[test]
    fn nobody_is_found_where_nobody_listens_or_nothing_is_said() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(find(folder.path()), None);
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let announced = Announcement::make(folder.path(), address, Uuid::now_v7()).unwrap();
        assert_eq!(find(folder.path()), None);
        drop(announced);
        assert!(!folder.path().join(FILE).exists());
        fs::write(folder.path().join(FILE), "{}").unwrap();
        assert_eq!(find(folder.path()), None);
    }

    #[test]
    fn what_a_later_service_says_is_left_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let address = "127.0.0.1:1".parse().unwrap();
        let earlier = Announcement::make(folder.path(), address, Uuid::now_v7()).unwrap();
        let later = Announcement::make(folder.path(), address, Uuid::now_v7()).unwrap();
        drop(earlier);
        assert_eq!(read(&later.path).unwrap(), later.announced);
    }
}

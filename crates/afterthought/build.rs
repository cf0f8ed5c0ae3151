//! Lists the files of the app's page, so that they become part of the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What a browser is given; whatever else lies in the folder is for those who work on it.
const SERVED: &[&str] = &["css", "html", "ico", "js", "mjs", "png", "svg", "txt", "webmanifest", "woff2"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder")).join("app");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root, &mut files)?;
    }
    // In a fixed order, so that the same files make the same program.
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&root).expect("it is below the folder");
        let name = name.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        writeln!(list, "    ({name:?}, include_bytes!({:?})),", file.display().to_string()).expect("a string takes it");
    }
    list.push_str("]\n");
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder to write into"));
    fs::write(target.join("pages.rs"), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| SERVED.iter().any(|served| ending == *served)) {
            files.push(path);
        }
    }
    Ok(())
}

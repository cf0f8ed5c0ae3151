//! Keeps the architecture what `src/lib.rs` and `ARCHITECTURE.md` say it is.

use std::path::{Path, PathBuf};

/// Which foreign crates may be named where: below a folder or in a file of `src`, or nowhere else.
const HOMES: &[(&str, &[&str])] = &[
    ("rusqlite", &["store/sqlite"]),
    ("ureq", &["remote"]),
    ("rustix", &["enrich/computer"]),
    ("similar", &["text"]),
    ("fst", &["store/sqlite/index"]),
    ("hyper", &["http"]),
    ("hyper_util", &["http"]),
    ("governor", &["http"]),
    ("prometheus_client", &["http"]),
    ("schemars", &["mcp", "http"]),
    ("clap", &["cli"]),
    ("anyhow", &["cli", "main"]),
    ("directories", &["cli"]),
    ("tracing_subscriber", &["cli", "app"]),
    ("rust_stemmers", &["text"]),
    ("whatlang", &["text"]),
    ("unicode_normalization", &["text", "edit"]),
    ("sha2", &["auth"]),
    ("getrandom", &["auth"]),
];

fn source_files() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                files.push((path.strip_prefix(&root).unwrap().to_owned(), text));
            }
        }
    }
    assert!(files.len() > 20, "the sources are where they are expected");
    files
}

/// The layers in order, lowest first.
fn layers() -> Vec<String> {
    let lib = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    lib.lines().filter_map(|line| Some(line.strip_prefix("pub mod ")?.strip_suffix(';')?.to_owned())).collect()
}

/// The names that follow `prefix` wherever it stands in code.
fn named_after<'a>(text: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(move |line| line.match_indices(prefix).map(move |(at, _)| &line[at + prefix.len()..]))
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
}

#[test]
fn a_module_uses_only_what_is_declared_above_it() {
    let layers = layers();
    let rank = |name: &str| layers.iter().position(|layer| layer == name);
    for (path, text) in source_files() {
        let own = path.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        let Some(own) = rank(own) else { continue };
        for used in named_after(&text, "crate::").filter_map(rank) {
            assert!(used <= own, "{} uses crate::{}, which is above it", path.display(), layers[used]);
        }
    }
}

#[test]
fn a_foreign_crate_is_named_only_where_it_belongs() {
    for (path, text) in source_files() {
        let place = path.with_extension("");
        for (name, homes) in HOMES {
            let at_home = homes.iter().any(|home| place.starts_with(home));
            let prefix = format!("{name}::");
            let named = text.lines().filter(|line| !line.trim_start().starts_with("//")).any(|line| {
                line.match_indices(&prefix)
                    .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'))
            });
            assert!(at_home || !named, "{} names {name}, whose place is {homes:?}", path.display());
        }
    }
}

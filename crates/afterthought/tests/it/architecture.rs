//! Keeps the house what `ARCHITECTURE.md` says it is: which crate, which module and which file may use which.

mod imports;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use imports::{Crate, circles};

/// Files of these crates may use each other in circles.
const WITH_CIRCLES: &[&str] = &["edits"];

/// Which foreign crates may be named where within the crates that depend on them: below a folder or in a file, or nowhere else.
const HOMES: &[(&str, &[&str])] = &[
    ("ureq", &["service/remote", "afterthought/cli/forward"]),
    ("rustix", &["service/enrich/computer", "afterthought/descriptors", "fuzz/budget", "test-postgres/server"]),
    ("sha2", &["service/auth"]),
    ("getrandom", &["service/auth"]),
    ("hyper", &["afterthought/http"]),
    ("hyper_util", &["afterthought/http"]),
    ("governor", &["afterthought/http"]),
    ("flate2", &["afterthought/http/app/pages", "imports/source"]),
    ("percent_encoding", &["afterthought/http/app/query", "store-postgres/address"]),
    ("prometheus_client", &["afterthought/http"]),
    ("jsonc_parser", &["afterthought/cli/connect"]),
    ("toml_edit", &["afterthought/cli/connect"]),
    ("schemars", &["afterthought/mcp", "afterthought/http"]),
    ("clap", &["afterthought/cli"]),
    ("anyhow", &["afterthought/cli", "afterthought/main"]),
    ("directories", &["afterthought/cli"]),
    ("tracing_subscriber", &["afterthought/cli", "afterthought/app"]),
    ("tokio_rustls", &["store-postgres/tls"]),
    ("deadpool_postgres", &["store-postgres/connection", "store-postgres/database", "store-postgres/error"]),
    ("store_postgres", &["afterthought/stores"]),
    ("store_sqlite", &["afterthought/stores", "afterthought/descriptors"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The crates of the project in the order of the workspace, lowest first, the program itself last.
fn layers() -> Vec<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let ours = manifest.lines().filter(|line| line.contains("path = \"crates/"));
    let mut layers: Vec<String> = ours.filter_map(|line| Some(line.split_once(" = ")?.0.to_owned())).collect();
    assert!(layers.len() >= 9, "the workspace lists its crates");
    layers.push("afterthought".to_owned());
    layers
}

fn crates() -> Vec<Crate> {
    layers().iter().map(|name| Crate::read(name, &root().join("crates").join(name).join("src"))).collect()
}

#[test]
fn every_crate_has_its_place_among_the_layers() {
    let folders = std::fs::read_dir(root().join("crates")).unwrap();
    let folders: BTreeSet<String> = folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(folders, layers().into_iter().collect());
}

#[test]
fn a_crate_uses_only_crates_above_it_in_the_list() {
    let layers = layers();
    for (rank, name) in layers.iter().enumerate() {
        let manifest = std::fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        let used = manifest.lines().take_while(|line| *line != "[dev-dependencies]");
        let used = used
            .filter_map(|line| layers.iter().position(|layer| line.strip_suffix(".workspace = true") == Some(layer)));
        for used in used {
            assert!(used < rank, "{name} depends on {}, which is not above it", layers[used]);
        }
    }
}

#[test]
fn a_module_uses_only_what_is_declared_above_it() {
    for name in ["service", "afterthought"] {
        let source = Crate::read(name, &root().join("crates").join(name).join("src"));
        let order = source.declared();
        let rank = |module: &str| order.iter().position(|declared| declared == module);
        for (from, to) in source.uses() {
            let (Some(own), Some(used)) =
                (from.first().and_then(|top| rank(top)), to.first().and_then(|top| rank(top)))
            else {
                continue;
            };
            assert!(used <= own, "{name}: {} uses {}, which is declared below it", from.join("/"), to.join("/"));
        }
    }
}

#[test]
fn no_files_of_a_crate_use_each_other_in_a_circle() {
    for source in crates().iter().filter(|source| !WITH_CIRCLES.contains(&source.name.as_str())) {
        let circles = circles(&source.uses());
        assert!(circles.is_empty(), "{}: {circles:#?}", source.name);
    }
}

#[test]
fn a_foreign_crate_is_named_only_where_it_belongs() {
    for source in crates() {
        for (file, code) in source.files() {
            let place = format!("{}/{}", source.name, file.join("/"));
            for (name, homes) in HOMES {
                let at_home = homes.iter().any(|home| Path::new(&place).starts_with(home));
                assert!(at_home || !code.names(name), "{place} names {name}, whose place is {homes:?}");
            }
        }
    }
}

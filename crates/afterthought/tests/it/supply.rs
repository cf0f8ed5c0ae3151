//! What may become part of the program: licences, versions and sources, by the lists of `deny.toml`, which `cargo deny` reads
//! too. Advisories need the network, so they are not looked at here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every package that `Cargo.lock` names, as cargo describes it.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let Value::Array(packages) = metadata["packages"].take() else { panic!("cargo lists the packages") };
    assert!(packages.len() > 50, "cargo lists the dependencies");
    packages
}

fn word<'a>(package: &'a Value, field: &str) -> &'a str {
    package[field].as_str().unwrap_or_default()
}

/// The lines of a list in `deny.toml`, in what section it may stand.
fn listed(name: &str) -> Vec<String> {
    let settings = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let (_, list) = settings.split_once(&format!("\n{name} = [\n")).unwrap();
    let (list, _) = list.split_once("\n]").unwrap();
    list.lines().map(|line| line.trim().to_owned()).filter(|line| !line.starts_with('#')).collect()
}

/// What stands between the first quotes after `key`.
fn quoted<'a>(line: &'a str, key: &str) -> &'a str {
    line.split_once(key).and_then(|(_, rest)| rest.split('"').nth(1)).unwrap_or_else(|| panic!("{key} in {line}"))
}

/// Whether an SPDX expression can be met with allowed licences alone: an OR needs one side, an AND both.
fn is_met(expression: &str, allowed: &[&str]) -> bool {
    let expression = expression.replace(['(', ')'], " ").replace('/', " OR ");
    expression.split(" AND ").all(|part| part.split(" OR ").any(|licence| allowed.contains(&licence.trim())))
}

#[test]
fn every_dependency_has_a_licence_we_accept() {
    let lines = listed("allow");
    let allowed: Vec<&str> = lines.iter().map(|line| quoted(line, "")).collect();
    assert!(allowed.contains(&"MIT") && !is_met("MIT AND GPL-3.0-only", &allowed) && !is_met("", &allowed));
    let packages = packages();
    let refused = packages.iter().filter(|package| !is_met(word(package, "license"), &allowed));
    let refused: Vec<String> =
        refused.map(|package| format!("{} ({})", word(package, "name"), word(package, "license"))).collect();
    assert_eq!(refused, [""; 0], "dependencies with other licences");
}

#[test]
fn no_dependency_comes_twice_without_a_reason() {
    let lines = listed("skip");
    assert!(lines.iter().all(|line| quoted(line, "reason = ").len() > 4), "each has its reason");
    let mut accepted: BTreeSet<&str> = lines.iter().map(|line| quoted(line, "crate = ")).collect();
    let mut others: BTreeMap<String, String> = BTreeMap::new();
    for package in packages() {
        let (name, version) = (word(&package, "name"), word(&package, "version"));
        if accepted.remove(format!("{name}@{version}").as_str()) {
            continue;
        }
        let other = others.insert(name.to_owned(), version.to_owned());
        assert_eq!(other, None, "beside {name} {version}, and not in deny.toml");
    }
    assert!(accepted.is_empty(), "nobody asks for {accepted:?} any more");
}

#[test]
fn every_dependency_comes_from_the_registry() {
    let ours: BTreeSet<String> = std::fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|folder| if folder == "afterthought" { folder } else { format!("afterthought-{folder}") })
        .collect();
    for package in packages() {
        let (name, source) = (word(&package, "name"), word(&package, "source"));
        match ours.contains(name) {
            true => assert_eq!(source, "", "{name} is ours"),
            false => assert_eq!(source, "registry+https://github.com/rust-lang/crates.io-index", "{name}"),
        }
    }
}

/// The entries of the tables of dependencies in a manifest.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut is_inside = false;
    let mut entries = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_inside = line.ends_with("dependencies]");
        } else if is_inside && line.starts_with(char::is_alphabetic) {
            entries.push(line);
        }
    }
    entries
}

/// The text of every Rust file below a folder.
fn sources(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *into += &std::fs::read_to_string(path).unwrap();
        }
    }
}

#[test]
fn versions_are_chosen_in_one_place_and_every_dependency_is_used() {
    let workspace = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut chosen: BTreeSet<&str> =
        dependencies(&workspace).iter().map(|line| line.split(' ').next().unwrap()).collect();
    let is_chosen = chosen.clone();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let mut code = String::new();
        sources(&folder, &mut code);
        for line in dependencies(&manifest) {
            let name = line.split(['.', ' ']).next().unwrap();
            let place = format!("{} in {}", name, folder.display());
            assert!(is_chosen.contains(name) && line.contains("workspace = true"), "{place} has a version of its own");
            let identifier = name.replace('-', "_");
            let is_named =
                code.split(|char: char| !char.is_alphanumeric() && char != '_').any(|word| word == identifier);
            assert!(is_named, "{place} is not used");
            chosen.remove(name);
        }
    }
    assert!(chosen.is_empty(), "nobody uses {chosen:?}");
}

#[test]
fn whoever_follows_the_script_or_the_readme_builds_what_is_locked() {
    for (file, building) in [(".ci/run", "step cargo "), ("README.md", "cargo ")] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        let commands: Vec<&str> = text
            .lines()
            .filter(|line| line.contains(building) && !line.contains(['`', '#']) && !line.contains("fmt"))
            .collect();
        assert!(commands.len() >= 2, "{file} builds: {commands:?}");
        assert!(commands.iter().all(|command| command.contains("--locked")), "{file}: {commands:?}");
    }
}

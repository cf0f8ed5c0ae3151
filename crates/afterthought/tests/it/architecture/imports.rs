//! Reads which file of a crate takes names from which other, from the text of its `use` declarations and paths.
//!
//! A name counts for the file that defines it, not for one that hands it on: `crate::Thought` leads to `thought.rs` if that is
//! where `lib.rs` has it from. Tests inside files are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A module as the names on the way to it; the root is empty.
pub(super) type Module = Vec<String>;

/// The sources of one crate.
pub(super) struct Crate {
    pub(super) name: String,
    files: BTreeMap<Module, Code>,
}

/// The code of one file, without comments, tests and `use` declarations.
pub(super) struct Code {
    text: String,
    /// What its `use` declarations bring in: the name and the path it is an abbreviation of.
    imports: Vec<(String, Vec<String>)>,
}

impl Code {
    fn new(source: &str) -> Self {
        let tests = source.find("#[cfg(test)]\nmod tests {").unwrap_or(source.len());
        let code = source[..tests].lines().map(|line| line.split("// ").next().unwrap_or_default());
        let text: String =
            code.filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]).collect();
        let mut imports = Vec::new();
        declarations(&text).for_each(|tree| expand(&[], tree, &mut imports));
        let rest = declarations(&text).fold(text.clone(), |rest, tree| rest.replacen(tree, "", 1));
        Self { text: rest, imports }
    }

    /// Whether the code has a path that begins with this crate.
    pub(super) fn names(&self, foreign: &str) -> bool {
        self.paths().any(|path| path.len() > 1 && path[0] == foreign)
            || self.imports.iter().any(|(_, path)| path[0] == foreign)
    }

    /// The paths that stand in the code outside of `use` declarations.
    fn paths(&self) -> impl Iterator<Item = Vec<String>> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let words = self.text.split(move |c| !is_part(c)).map(|word| word.trim_end_matches(':'));
        let words = words.filter(|word| word.contains("::"));
        words.map(|word| word.split("::").map(str::to_owned).collect::<Vec<_>>()).filter(|path| !path[0].is_empty())
    }

    /// The modules declared in this file, with whether only tests see them.
    fn declared(&self) -> Vec<(String, bool)> {
        let mut for_tests = false;
        let mut declared = Vec::new();
        for line in self.text.lines() {
            let name = line.strip_suffix(';').and_then(|line| line.split_once("mod ").map(|(_, name)| name));
            declared.extend(name.map(|name| (name.to_owned(), for_tests)));
            for_tests = line.contains("#[cfg(test)]");
        }
        declared
    }
}

impl Crate {
    /// Reads the files below a crate's `src`, those of tests left out.
    pub(super) fn read(name: &str, src: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut open = vec![(Module::new(), src.join("lib.rs"), src.to_owned())];
        while let Some((module, file, folder)) = open.pop() {
            let source = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let code = Code::new(&source);
            for (child, _) in code.declared().into_iter().filter(|(_, for_tests)| !for_tests) {
                let path = [module.as_slice(), std::slice::from_ref(&child)].concat();
                open.push((path, folder.join(&child).with_extension("rs"), folder.join(&child)));
            }
            files.insert(module, code);
        }
        Self { name: name.to_owned(), files }
    }

    /// Every file with its code.
    pub(super) fn files(&self) -> impl Iterator<Item = (&Module, &Code)> {
        self.files.iter()
    }

    /// The modules of the root in the order of their declaration.
    pub(super) fn declared(&self) -> Vec<String> {
        self.files[&Module::new()].declared().into_iter().map(|(name, _)| name).collect()
    }

    /// Which file takes a name from which other.
    pub(super) fn uses(&self) -> BTreeSet<(Module, Module)> {
        let mut uses = BTreeSet::new();
        for (module, code) in &self.files {
            let imported = code.imports.iter().map(|(_, path)| path.clone());
            for path in imported.chain(code.paths()) {
                uses.extend(
                    self.home_of(module, &path, 0).filter(|home| home != module).map(|home| (module.clone(), home)),
                );
            }
        }
        uses
    }

    /// The file that defines what a path in a module leads to, if that is one of this crate.
    fn home_of(&self, module: &Module, path: &[String], depth: usize) -> Option<Module> {
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Module::new(),
            "self" => module.clone(),
            "super" => module[..module.len().checked_sub(1)?].to_vec(),
            child => {
                let at = [module.as_slice(), &[child.to_owned()]].concat();
                self.files.contains_key(&at).then_some(at)?
            }
        };
        while let Some((next, tail)) = rest.split_first() {
            let child = [at.as_slice(), std::slice::from_ref(next)].concat();
            if next == "super" {
                at.pop()?;
            } else if self.files.contains_key(&child) {
                at = child;
            } else {
                // Handed on by this file, or defined in it.
                let handed_on = self.files[&at].imports.iter().find(|(name, _)| name == next).filter(|_| depth < 8);
                return handed_on.and_then(|(_, path)| self.home_of(&at, path, depth + 1)).or(Some(at));
            }
            rest = tail;
        }
        Some(at)
    }
}

/// What stands between `use` and `;`, wherever a line begins with it.
fn declarations(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("use ").filter(|(at, _)| {
        let line = text[..*at].rsplit('\n').next().unwrap_or_default().trim_start();
        line.is_empty() || line.starts_with("pub")
    });
    starts.filter_map(|(at, _)| text[at + 4..].split_once(';').map(|(tree, _)| tree))
}

/// The single paths of a tree such as `a::{b, c::{d, e}}`, each by the name it is used under.
fn expand(prefix: &[String], tree: &str, paths: &mut Vec<(String, Vec<String>)>) {
    let (mut depth, mut start) = (0, 0);
    for (at, c) in tree.char_indices().chain([(tree.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand_one(prefix, tree[start..at].trim(), paths);
                start = at + 1;
            }
            _ => {}
        }
    }
}

fn expand_one(prefix: &[String], tree: &str, paths: &mut Vec<(String, Vec<String>)>) {
    let names =
        |path: &str| path.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    if let Some((head, inner)) = tree.split_once('{') {
        let head: Vec<String> = names(head);
        expand(&[prefix, &head].concat(), inner.rsplit_once('}').map_or(inner, |(inner, _)| inner), paths);
        return;
    }
    let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
    let mut path: Vec<String> = [prefix, &names(path)].concat();
    if path.len() > 1 && path.last().is_some_and(|last| last == "self" || last == "*") {
        path.pop();
    }
    if let Some(last) = path.last() {
        paths.push((if name.is_empty() { last.clone() } else { name.trim().to_owned() }, path));
    }
}

/// The groups of files each of which leads to all others of its group, with what ties them.
pub(super) fn circles(uses: &BTreeSet<(Module, Module)>) -> Vec<Vec<String>> {
    let mut reach = uses.clone();
    let files: BTreeSet<&Module> = uses.iter().flat_map(|(from, to)| [from, to]).collect();
    for middle in &files {
        let into: Vec<Module> = reach.iter().filter(|(_, to)| to == *middle).map(|(from, _)| from.clone()).collect();
        let out: Vec<Module> = reach.iter().filter(|(from, _)| from == *middle).map(|(_, to)| to.clone()).collect();
        for from in &into {
            reach.extend(out.iter().map(|to| (from.clone(), to.clone())));
        }
    }
    let mut circles: BTreeMap<Vec<&Module>, Vec<String>> = BTreeMap::new();
    for (from, to) in uses.iter().filter(|(from, to)| reach.contains(&(to.clone(), from.clone()))) {
        let members: Vec<&Module> = files
            .iter()
            .copied()
            .filter(|file| {
                *file == from
                    || reach.contains(&((*file).clone(), from.clone()))
                        && reach.contains(&(from.clone(), (*file).clone()))
            })
            .collect();
        let name = |module: &Module| if module.is_empty() { "lib".to_owned() } else { module.join("/") };
        circles.entry(members).or_default().push(format!("{} -> {}", name(from), name(to)));
    }
    circles.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(files: &[(&str, &str)]) -> Crate {
        let folder = tempfile::tempdir().unwrap();
        for (name, source) in files {
            std::fs::write(folder.path().join(name), source).unwrap();
        }
        Crate::read("made", folder.path())
    }

    #[test]
    fn a_name_counts_for_the_file_that_defines_it() {
        let made = written(&[
            ("lib.rs", "mod a;\nmod b;\npub use a::{One, Two as Second};\n"),
            ("a.rs", "pub struct One;\npub struct Two;\n"),
            ("b.rs", "use crate::{Second, One};\n"),
        ]);
        assert!(made.uses().contains(&(vec!["b".into()], vec!["a".into()])));
        assert!(circles(&made.uses()).is_empty());
    }

    #[test]
    fn a_circle_is_seen_through_paths_and_parents() {
        let made = written(&[
            ("lib.rs", "mod a;\npub struct Here;\nfn there() { a::go() }\n"),
            ("a.rs", "use super::Here;\npub fn go() {}\n"),
        ]);
        assert_eq!(circles(&made.uses()), [["lib -> a", "a -> lib"].map(str::to_owned).to_vec()]);
    }

    #[test]
    fn comments_and_tests_use_nothing() {
        let made = written(&[
            ("lib.rs", "mod a;\n#[cfg(test)]\nmod checks;\n// use a::go;\nstruct Here;\n"),
            ("a.rs", "pub fn go() {}\n#[cfg(test)]\nmod tests {\n    use super::super::Here;\n}\n"),
        ]);
        assert!(made.uses().is_empty());
    }
}

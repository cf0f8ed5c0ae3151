//! The inputs to begin with: files in `corpus/NAME/`, and runs too long to be kept as files.

use std::path::Path;

/// The inputs of a corpus, in the order of their names.
pub(crate) fn read(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// The longest text the service takes.
pub(crate) const LONG: usize = 65_536;

/// What is harmless once may not be so ten thousand times.
const REPEATED: &[&str] = &[
    ":",
    "(",
    ")",
    "[",
    "{",
    "\"",
    "'",
    "\\",
    "/",
    ".",
    ",",
    "-",
    "_",
    "#",
    "@",
    "&",
    "=",
    "%",
    "*",
    "`",
    "«",
    "“",
    "„",
    "…",
    "\0",
    "\n",
    "\r\n",
    "\t",
    " ",
    "a",
    "A",
    "aA",
    "1",
    "1 ",
    "1,",
    "1.",
    "-1",
    "é",
    "e\u{301}",
    "\u{301}",
    "\u{200d}",
    "\u{202e}",
    "\u{feff}",
    "\u{fffd}",
    "ß",
    "ﷺ",
    "漢",
    "ア",
    "가",
    "ก",
    "ش",
    "अ",
    "🎉",
    "👩\u{200d}",
    "🇨🇭",
    "\u{1d400}",
    "[[",
    "{\"a\":",
    "\"a\",",
    "\\u",
    "a.",
    "a@",
    "a/",
    "a b ",
    "A B ",
    "Ana ",
    "the ",
    "and ",
    "1 May ",
    "2026-",
    "http://",
    "a: ",
    "\"a\" ",
    "\u{ff}\u{100}",
];

/// Runs of one thing, of so many bytes.
pub(crate) fn long_runs(bytes: usize) -> impl Iterator<Item = Vec<u8>> {
    REPEATED.iter().map(move |unit| unit.repeat(bytes / unit.len()).into_bytes())
}

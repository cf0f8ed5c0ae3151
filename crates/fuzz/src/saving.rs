//! Keeps inputs for whoever looks into them; found ones are copied to the corpus by hand.

use std::path::PathBuf;

/// Saves an input; where.
pub(crate) fn save(name: &str, kind: &str, input: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz-inputs");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.canonicalize().unwrap().join(format!("{name}.{kind}"));
    std::fs::write(&path, input).unwrap();
    path
}

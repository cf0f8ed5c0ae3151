//! Only licences that allow everyone to use the binary.

use std::process::Command;

use serde_json::Value;

/// Licences whose only duty is to name the authors, and one whose copyleft ends at its own files.
const ALLOWED: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "Unlicense",
    "CC0-1.0",
    "Unicode-3.0",
    "BSL-1.0",
    "MPL-2.0",
    // Of the list of certificate authorities: data, to be passed on with its licence.
    "CDLA-Permissive-2.0",
];

/// Whether an SPDX expression can be met with allowed licences alone: an OR needs one side, an AND both.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace(['(', ')'], " ").replace('/', " OR ");
    expression.split(" AND ").all(|part| {
        part.split(" OR ").any(|licence| {
            let licence = licence.trim();
            ALLOWED.contains(&licence) || licence == "Apache-2.0 WITH LLVM-exception"
        })
    })
}

#[test]
fn every_dependency_has_a_licence_we_accept() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "cargo lists the dependencies");
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(is_allowed))
        .map(|package| format!("{} ({})", package["name"], package["license"]))
        .collect();
    assert_eq!(refused, [""; 0], "dependencies with other licences");
}

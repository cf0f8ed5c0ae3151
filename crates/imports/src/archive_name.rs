//! Which names of an archive are names of something inside it.

/// Whether the name stays inside the folder it would be unpacked into, on any system.
pub(crate) fn stays_inside(name: &str) -> bool {
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    let is_absolute = name.starts_with(['/', '\\']);
    !has_drive && !is_absolute && !name.contains('\0') && name.split(['/', '\\']).all(|part| part != "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_climbs_out_is_seen() {
        for name in ["memories.json", "a/b.json", "a..b/c", "projects/"] {
            assert!(stays_inside(name), "{name}");
        }
        for name in ["../x", "a/../../x", "/etc/passwd", "..\\x", "a\\..\\x", "C:\\x", "c:x", "\\\\host\\x", "a\0b"] {
            assert!(!stays_inside(name), "{name}");
        }
    }
}

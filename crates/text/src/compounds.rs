//! Cuts a chunk into the pieces it is found by: the whole and, level by level, its parts.
//!
//! - Level 1 parts paths, addresses and pairs, level 2 names with dots, level 3 words with hyphens and underscores;
//!   humps and digits inside words are [`words`](super::words)' work.
//! - Both sides, the stored text and the query, are cut here, so the same chunk always yields the same pieces.
//! - A chunk of n bytes yields at most a small constant times n bytes of pieces.

use std::ops::Range;

use super::piece::{Form, Piece, Role, Sink};
use super::script::{Class, class, is_unspaced};
use super::words::leaf;

const LEVELS: [&[char]; 3] = [&['/', '\\', '?', '&', '=', '#', '@', ':', '|'], &['.'], &['-', '_', '+', '~', ',']];

/// Joined spellings are for names of a few parts, not for whole paths or lists.
const JOINED_PARTS: usize = 6;
const JOINED_BYTES: usize = 48;

/// Cuts `chunk` and hands its pieces to `sink`, a whole before its variants and parts.
pub(super) fn cut(chunk: &str, sink: Sink<'_>) {
    // Nearly every chunk is a word in small letters, with nothing to cut.
    if chunk.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return sink(Piece { text: chunk, form: Form::Word, role: Role::Base });
    }
    if chunk.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return leaf(chunk, Role::Base, sink);
    }
    if chunk.chars().next().is_some_and(|first| class(first) == Class::Sign) {
        return sink(Piece { text: chunk, form: Form::Exact, role: Role::Base });
    }
    let core = trim(chunk, 0..chunk.len());
    let text = &chunk[core.clone()];
    let dressed = dressed(chunk, core);
    // An apostrophe holds a word together, not a compound.
    if text.contains(|char| char != '\'' && is_joiner(char)) {
        exact(dressed, Role::Whole, sink);
        if dressed.len() > text.len() {
            exact(text, Role::Variant, sink);
        }
        address_variants(text, sink);
        return split(text, 0, true, sink);
    }
    if dressed.len() > text.len() {
        exact(dressed, Role::Whole, sink);
        return leaf(text, Role::Part, sink);
    }
    leaf(text, Role::Base, sink);
}

fn exact(text: &str, role: Role, sink: Sink<'_>) {
    sink(Piece { text, form: Form::Exact, role });
}

/// Splits `piece` at the separators of `level` and below. `known` says that the piece itself was handed over.
fn split(piece: &str, level: usize, known: bool, sink: Sink<'_>) {
    let Some(separators) = LEVELS.get(level) else {
        return leaf(piece, Role::Part, sink);
    };
    if !piece.contains(*separators) {
        return split(piece, level + 1, known, sink);
    }
    if !known {
        exact(piece, Role::Part, sink);
    }
    let role = if known { Role::Variant } else { Role::Part };
    match level {
        0 => path_suffixes(piece, sink),
        1 => dotted_variants(piece, role, sink),
        _ => {}
    }
    if level > 0 && !LEVELS[level + 1..].iter().any(|deeper| piece.contains(*deeper)) {
        joined(piece, separators, role, sink);
    }
    let mut start = 0;
    for part in piece.split(*separators) {
        let range = trim(piece, start..start + part.len());
        start += part.len() + 1;
        if range.is_empty() {
            continue;
        }
        let text = &piece[range.clone()];
        let dressed = if level == 0 { dressed(piece, range) } else { text };
        if dressed.len() > text.len() {
            exact(dressed, Role::Part, sink);
        }
        split(text, level + 1, false, sink);
    }
}

/// A web address without its scheme, without `www.`, and without its query.
fn address_variants(text: &str, sink: Sink<'_>) {
    let address = match text.split_once("://") {
        Some((_, address)) => {
            exact(address, Role::Variant, sink);
            address
        }
        None => text,
    };
    let is_www = address.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    let bare = if is_www { &address[4..] } else { address };
    if is_www && !bare.is_empty() {
        exact(bare, Role::Variant, sink);
    }
    let is_address = is_www || address.len() < text.len();
    if is_address && let Some(end) = bare.find(['?', '#']) {
        let page = &bare[trim(bare, 0..end)];
        if !page.is_empty() {
            exact(page, Role::Variant, sink);
        }
    }
}

/// A path without the line or query behind it, and its last two and last three segments.
fn path_suffixes(piece: &str, sink: Sink<'_>) {
    let Some(last_slash) = piece.rfind(['/', '\\']) else { return };
    let end = piece[last_slash..].find([':', '?', '#']).map_or(piece.len(), |behind| last_slash + behind);
    let path = &piece[..end];
    if end < piece.len() && end > last_slash + 1 {
        exact(path, Role::Part, sink);
    }
    for (slash, _) in path.rmatch_indices(['/', '\\']).skip(1).take(2) {
        let suffix = &path[slash + 1..];
        if !suffix.starts_with(is_joiner) {
            exact(suffix, Role::Part, sink);
        }
    }
}

/// A version without its `v`, a host name without its first labels.
fn dotted_variants(name: &str, role: Role, sink: Sink<'_>) {
    let number = name.trim_start_matches(['v', 'V']);
    if number.len() + 1 == name.len() && number.starts_with(|first: char| first.is_ascii_digit()) {
        exact(number, role, sink);
        if let Some((major, _)) = number.split_once('.') {
            exact(major, Role::Part, sink);
        }
    }
    if name.ends_with(|last: char| last.is_alphabetic()) {
        for (dot, _) in name.rmatch_indices('.').skip(1).take(3) {
            exact(&name[dot + 1..], Role::Part, sink);
        }
    }
}

/// The parts written as one word: `get_user_name` is also looked for as `getusername`, `e-mail` as `email`.
fn joined(piece: &str, separators: &[char], role: Role, sink: Sink<'_>) {
    if piece.len() > JOINED_BYTES || piece.matches(separators).count() >= JOINED_PARTS {
        return;
    }
    if piece.chars().any(|char| is_unspaced(char) || char == '\'') {
        return;
    }
    let one_word: String = piece.split(separators).collect();
    sink(Piece { text: &one_word.to_lowercase(), form: Form::Word, role });
}

/// The piece in `range` with the signs that belong to its name: `C++`, `C#`, `.NET`, `@handle`, `#tag`.
fn dressed(text: &str, range: Range<usize>) -> &str {
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let is_word = |char: char| class(char) == Class::Word;
    let mut signs = before.chars().rev();
    let leads = matches!(signs.next(), Some('.' | '@' | '#')) && !signs.next().is_some_and(is_word);
    let start = if leads { range.start - 1 } else { range.start };
    let tail = ["++", "#"]
        .into_iter()
        .find(|tail| after.strip_prefix(tail).is_some_and(|rest| !rest.starts_with(is_word)))
        .map_or(0, str::len);
    &text[start..range.end + tail]
}

/// Narrows `range` of `text` until it neither starts nor ends with a joiner.
fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = &text[range.clone()];
    let trimmed = slice.trim_start_matches(is_joiner);
    let start = range.end - trimmed.len();
    start..start + trimmed.trim_end_matches(is_joiner).len()
}

fn is_joiner(char: char) -> bool {
    char == ',' || char == '\'' || class(char) == Class::Joiner
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(chunk: &str) -> Vec<String> {
        let mut found = Vec::new();
        cut(chunk, &mut |piece| found.push(piece.text.to_owned()));
        found
    }

    #[track_caller]
    fn holds(chunk: &str, wanted: &[&str]) {
        let found = pieces(chunk);
        for piece in wanted {
            assert!(found.iter().any(|text| text.eq_ignore_ascii_case(piece)), "`{piece}` not in {found:?}");
        }
    }

    #[test]
    fn a_path_is_found_whole_and_by_its_parts() {
        holds("src/store/Main.rs:12", &["src/store/main.rs", "store/main.rs", "12"]);
        holds("src/store/Main.rs", &["src/store/main.rs", "store/main.rs", "main.rs", "main", "store", "src"]);
        holds("C:\\Users\\dana\\notes.txt", &["users", "dana\\notes.txt", "notes.txt", "notes"]);
    }

    #[test]
    fn an_e_mail_address_is_found_by_person_and_by_domain() {
        holds(
            "dana@mail.example.com",
            &["dana@mail.example.com", "dana", "mail.example.com", "example.com", "example", "mail"],
        );
    }

    #[test]
    fn a_web_address_is_found_without_scheme_query_and_slash() {
        holds(
            "https://www.Example.com/a/b?x=1",
            &["www.example.com/a/b?x=1", "example.com/a/b?x=1", "example.com/a/b", "example.com", "https"],
        );
        holds("https://example.com/", &["https://example.com", "example.com"]);
    }

    #[test]
    fn versions_are_found_with_and_without_v() {
        holds("v2.3.1", &["v2.3.1", "2.3.1"]);
    }

    #[test]
    fn compounds_are_found_whole_joined_and_by_parts() {
        holds("PROJ-1234", &["proj-1234", "proj", "1234"]);
        holds("well-known", &["well-known", "wellknown", "well", "known"]);
        holds("get_user_name", &["getusername", "user"]);
        holds("node.js", &["node.js", "nodejs", "node"]);
        holds("U.S.A.", &["u.s.a", "usa"]);
        holds("1,000", &["1000"]);
        holds("2024-03-01", &["2024-03-01", "2024", "03", "01"]);
        holds("10:30", &["10:30", "10", "30"]);
        holds("my-file.test.js", &["my-file", "test.js", "file"]);
    }

    #[test]
    fn names_keep_the_signs_that_belong_to_them() {
        holds("C++,", &["c++", "c"]);
        holds("C#/.NET", &["c#", ".net", "net"]);
        holds("@handle:", &["@handle", "handle"]);
        holds("#tag.", &["#tag", "tag"]);
    }

    #[test]
    fn a_word_with_signs_around_it_is_only_the_word() {
        assert_eq!(pieces("'plain'"), ["plain"]);
        assert_eq!(pieces("_plain_:"), ["plain"]);
        assert_eq!(pieces("--plain"), ["plain"]);
        assert_eq!(pieces("Bob's"), ["bob"]);
    }
}

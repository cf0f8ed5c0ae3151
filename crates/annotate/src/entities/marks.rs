//! Spots what its signs alone give away: addresses, links, handles, hashtags, tickets, versions with a `v`.
//!
//! - Marks come in the order of the text and do not overlap.
//! - Punctuation of the sentence around a mark is not part of it.

use std::ops::Range;

use super::kind::EntityKind;

/// A marked stretch of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) kind: EntityKind,
    pub(super) span: Range<usize>,
}

/// The marks of `text`.
pub(super) fn marks(text: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut previous = "";
    let mut at = 0;
    for chunk in text.split(char::is_whitespace) {
        let start = at;
        at += chunk.len() + text[at + chunk.len()..].chars().next().map_or(0, char::len_utf8);
        if chunk.is_empty() {
            continue;
        }
        if chunk.contains(['@', '#', '/', '.', '-', 'v', 'V']) {
            chunk_marks(start, chunk, previous, &mut found);
        }
        previous = chunk;
    }
    found
}

fn chunk_marks(start: usize, chunk: &str, previous: &str, found: &mut Vec<Mark>) {
    let (offset, bare) = trimmed(chunk);
    let whole = |kind| Mark { kind, span: start + offset..start + offset + bare.len() };
    if is_url(bare) {
        return found.push(whole(EntityKind::Url));
    }
    if is_email(bare.strip_prefix("mailto:").unwrap_or(bare)) {
        return found.push(whole(EntityKind::Email));
    }
    // `PROJ-1/PROJ-2`, `(#88,#91)`
    let mut part_at = start;
    for part in chunk.split(['/', ',', '(', ')', '[', ']', ';']) {
        let (offset, bare) = trimmed(part);
        if let Some(kind) = part_kind(bare, previous) {
            found.push(Mark { kind, span: part_at + offset..part_at + offset + bare.len() });
        }
        part_at += part.len() + 1;
    }
}

fn part_kind(part: &str, previous: &str) -> Option<EntityKind> {
    if let Some(handle) = part.strip_prefix('@') {
        return is_handle(handle).then_some(EntityKind::Handle);
    }
    if let Some(tag) = part.strip_prefix('#') {
        return tag_kind(tag, previous);
    }
    if is_ticket(part) {
        return Some(EntityKind::Ticket);
    }
    is_v_version(part).then_some(EntityKind::Version)
}

/// The chunk without the punctuation around it, and where that begins.
fn trimmed(chunk: &str) -> (usize, &str) {
    let opening = |char: char| !char.is_alphanumeric() && !matches!(char, '@' | '#' | '_');
    let bare = chunk.trim_start_matches(opening);
    let offset = chunk.len() - bare.len();
    let closing = |char: char| !char.is_alphanumeric() && !matches!(char, '/' | '_' | '#' | '=' | '&');
    let mut bare = bare.trim_end_matches(closing);
    // A possessive is no part of a handle.
    for enclitic in ["'s", "’s"] {
        bare = bare.strip_suffix(enclitic).unwrap_or(bare);
    }
    (offset, bare)
}

/// Endings of host names that are rarely those of files or abbreviations.
const DOMAINS: &[&str] = &[
    "com", "org", "net", "io", "dev", "app", "ai", "co", "edu", "gov", "info", "eu", "uk", "de", "fr", "ch", "at",
    "es", "it", "nl", "se", "no", "dk", "fi", "pl", "be", "pt", "cz", "jp", "cn", "kr", "in", "br", "mx", "ar", "au",
    "nz", "za", "ca", "us", "tv", "me", "xyz", "cloud", "tech", "ly", "gg", "ru", "ie", "blog", "page", "wiki",
    "social",
];

fn is_url(chunk: &str) -> bool {
    if let Some((scheme, rest)) = chunk.split_once("://") {
        let known = scheme.len() >= 2 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+');
        return known && rest.len() > 2;
    }
    if chunk.contains('@') {
        return false;
    }
    let host_end = chunk.find(['/', '?', ':']).unwrap_or(chunk.len());
    let (host, path) = chunk.split_at(host_end);
    if !is_host(host) {
        return false;
    }
    let Some((name, ending)) = host.rsplit_once('.') else { return false };
    // `Booking.com` is a company; a bare name in two parts with a capital is one of those.
    let looks_like_name = path.is_empty() && !name.contains('.') && name.starts_with(|char: char| char.is_uppercase());
    host.starts_with("www.") || DOMAINS.contains(&ending) && !looks_like_name
}

fn is_host(host: &str) -> bool {
    let label =
        |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    host.contains('.') && host.split('.').all(label) && host.rsplit('.').next().is_some_and(is_ending)
        // `e.g` and `p.m` are no hosts.
        && host.split('.').any(|label| label.len() > 2)
}

fn is_ending(ending: &str) -> bool {
    ending.len() >= 2 && ending.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn is_email(chunk: &str) -> bool {
    let Some((local, host)) = chunk.split_once('@') else { return false };
    let local_char = |char: char| char.is_alphanumeric() || matches!(char, '.' | '_' | '-' | '+' | '%' | '\'');
    !local.is_empty() && local.chars().all(local_char) && is_host(host)
}

fn is_handle(handle: &str) -> bool {
    let char = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-');
    handle.len() >= 2
        && handle.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && handle.chars().all(char)
}

/// Words after which even `#1` is a ticket.
const TICKET_WORDS: &[&str] =
    &["issue", "issues", "pr", "mr", "ticket", "bug", "pull", "request", "fixes", "closes", "fix", "case"];

fn tag_kind(tag: &str, previous: &str) -> Option<EntityKind> {
    if tag.is_empty() {
        return None;
    }
    if tag.bytes().all(|byte| byte.is_ascii_digit()) {
        let previous = previous.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase();
        let is_ticket = (2..=7).contains(&tag.len()) || TICKET_WORDS.contains(&previous.as_str());
        return is_ticket.then_some(EntityKind::Ticket);
    }
    let is_tag = tag.starts_with(char::is_alphabetic)
        && tag.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-'))
        && tag.chars().nth(1).is_some();
    is_tag.then_some(EntityKind::Hashtag)
}

/// Standards and models written like tickets.
const NO_PROJECTS: &[&str] = &[
    "UTF", "ISO", "SHA", "COVID", "RFC", "GPT", "MD", "AES", "RSA", "ECMA", "IEEE", "EN", "DIN", "UTC", "GMT", "USB",
    "HTTP", "ARM", "CD", "DVD", "MP", "PM", "SARS", "CO", "FIPS", "LATIN", "WINDOWS", "ES", "CPU", "GPU", "COP",
    "FORMULA", "ANSI", "BASE", "TLS", "HSK", "CRC", "LTE", "WW", "MI", "BMW", "OMEGA", "CLAUDE", "LLAMA", "PS", "TOP",
    "UN", "IL", "PD", "STS", "ONE", "HPV", "DALL", "MPL", "GPL",
];

fn is_ticket(part: &str) -> bool {
    let Some((project, number)) = part.split_once('-') else { return false };
    if project == "CVE" {
        return number.split('-').count() == 2 && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    }
    let is_project = (2..=10).contains(&project.len())
        && project.starts_with(|char: char| char.is_ascii_uppercase())
        && project.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    is_project
        && !NO_PROJECTS.contains(&project)
        && (1..=7).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// `v2`, `v2.3.1`, `V1.0-rc1`, `v1.2.x`.
fn is_v_version(part: &str) -> bool {
    let Some(rest) = part.strip_prefix(['v', 'V']) else { return false };
    rest.len() <= 24
        && rest.starts_with(|char: char| char.is_ascii_digit())
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(EntityKind, &str)> {
        marks(text).into_iter().map(|mark| (mark.kind, &text[mark.span])).collect()
    }

    #[test]
    fn addresses_and_links_lose_the_punctuation_around_them() {
        assert_eq!(
            found("(mail a.b+c@mail.example.co.uk), see <https://example.org/a?b=c#d>."),
            [(EntityKind::Email, "a.b+c@mail.example.co.uk"), (EntityKind::Url, "https://example.org/a?b=c#d")]
        );
        assert_eq!(
            found("docs.example.dev/x, www.example.com!"),
            [(EntityKind::Url, "docs.example.dev/x"), (EntityKind::Url, "www.example.com")]
        );
    }

    #[test]
    fn files_and_abbreviations_are_no_links() {
        assert_eq!(found("main.rs, Node.js, e.g. p.m. README.md Booking.com"), []);
    }

    #[test]
    fn tickets_are_told_from_standards_and_ranks() {
        assert_eq!(
            found("PROJ-1234/GH-12 fixes #4521, issue #7"),
            [
                (EntityKind::Ticket, "PROJ-1234"),
                (EntityKind::Ticket, "GH-12"),
                (EntityKind::Ticket, "#4521"),
                (EntityKind::Ticket, "#7")
            ]
        );
        assert_eq!(found("UTF-8, COVID-19, my #1 priority"), []);
    }

    #[test]
    fn handles_hashtags_and_versions_are_marks() {
        assert_eq!(
            found("@ada_l: #async-rust in v2.3.1."),
            [(EntityKind::Handle, "@ada_l"), (EntityKind::Hashtag, "#async-rust"), (EntityKind::Version, "v2.3.1")]
        );
    }
}

//! Cuts a request into words that remember where they stand.
//!
//! A stretch in quotation marks of any style is one word, because it is meant literally. Marks at the end of a word
//! stand alone, so that the sentence of the request does not leak into the words it names.

use std::borrow::Cow;

use super::token::fold;

/// A word, a quotation or a mark of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'r> {
    /// As written, without the quotation marks.
    pub(super) raw: &'r str,
    /// Lower case without accents; empty for a quotation, which matches no word of a rule.
    pub(super) folded: Cow<'r, str>,
    pub(super) quoted: bool,
    /// Where it starts and ends in the request, quotation marks included.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Word<'_> {
    /// Whether this is a mark that can end a sentence or a clause.
    pub(super) fn is_mark(&self) -> bool {
        !self.quoted && matches!(self.raw, "," | "." | ";" | ":" | "!" | "?" | "…")
    }

    pub(super) fn is(&self, word: &str) -> bool {
        !self.quoted && self.folded == word
    }

    pub(super) fn is_any(&self, words: &str) -> bool {
        !self.quoted && words.split('|').any(|word| self.folded == word)
    }

    pub(super) fn is_arrow(&self) -> bool {
        ARROWS.iter().any(|arrow| self.is(arrow))
    }
}

const ARROWS: &[&str] = &["->", "→", "=>", "⇒", "-->"];

const QUOTES: &[(char, &[char])] = &[
    ('"', &['"']),
    ('\'', &['\'']),
    ('`', &['`']),
    ('“', &['”', '“', '"']),
    ('„', &['“', '”', '"']),
    ('”', &['”']),
    ('‘', &['’', '\'']),
    ('’', &['’']),
    ('«', &['»']),
    ('»', &['«']),
    ('「', &['」']),
];

/// The words of `request`, in order.
pub(super) fn words(request: &str) -> Vec<Word<'_>> {
    let mut out = Vec::new();
    // A quotation mark that was never closed is never closed further on either.
    let mut unclosed: Vec<char> = Vec::new();
    let mut at = 0;
    while let Some(first) = request[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if let Some((_, closing)) = QUOTES.iter().find(|(open, _)| *open == first)
            && !unclosed.contains(&first)
        {
            let inside = at + first.len_utf8();
            if let Some(end) = closing_quote(request, inside, closing) {
                let after = end + request[end..].chars().next().map_or(0, char::len_utf8);
                // French puts spaces inside its quotation marks.
                let spaced = if first == '«' { request[inside..end].trim() } else { &request[inside..end] };
                out.push(Word { raw: spaced, folded: Cow::Borrowed(""), quoted: true, start: at, end: after });
                at = after;
                continue;
            }
            unclosed.push(first);
        }
        at = push_chunk(&mut out, request, at);
    }
    out
}

/// Where the quotation that starts at `inside` is closed.
fn closing_quote(request: &str, inside: usize, closing: &[char]) -> Option<usize> {
    let mut chars = request[inside..].char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        // `it's` has an apostrophe, not the end of a quotation.
        let ends = chars.peek().is_none_or(|(_, next)| !next.is_alphanumeric());
        if closing.contains(&c) && ends {
            return Some(inside + offset);
        }
    }
    None
}

/// Pushes the words up to the next space, arrow or quotation, and returns where they end.
fn push_chunk<'r>(out: &mut Vec<Word<'r>>, request: &'r str, start: usize) -> usize {
    let rest = &request[start..];
    if let Some(arrow) = ARROWS.iter().rev().find(|arrow| rest.starts_with(**arrow)) {
        out.push(word(request, start, start + arrow.len()));
        return start + arrow.len();
    }
    let mut before = None;
    let mut end = rest.len();
    for (offset, c) in rest.char_indices() {
        let arrow = offset > 0
            && matches!(c, '-' | '→' | '=' | '⇒')
            && ARROWS.iter().any(|arrow| rest[offset..].starts_with(arrow));
        let opens = matches!(before, Some(':' | '=' | '(' | ',' | '>')) && QUOTES.iter().any(|(open, _)| *open == c);
        if c.is_whitespace() || arrow || opens {
            end = offset;
            break;
        }
        before = Some(c);
    }
    let chunk = &rest[..end];
    let body = chunk.trim_end_matches([',', '.', ';', ':', '!', '?', '…']);
    let body = if body.is_empty() {
        chunk.len() - chunk.trim_start_matches([',', '.', ';', ':', '!', '?', '…']).len()
    } else {
        body.len()
    };
    let body = if chunk[..body].starts_with([',', '.', ';', ':', '!', '?', '…']) { 0 } else { body };
    if body > 0 {
        push_bracketed(out, request, start, start + body);
    }
    for (offset, mark) in chunk[body..].char_indices() {
        let from = start + body + offset;
        out.push(word(request, from, from + mark.len_utf8()));
    }
    start + end
}

/// Pushes a word, and the brackets around it as words of their own.
fn push_bracketed<'r>(out: &mut Vec<Word<'r>>, request: &'r str, start: usize, end: usize) {
    let raw = &request[start..end];
    let opened = raw.len() > 1 && raw.starts_with('(') && !raw[1..].contains('(');
    let from = start + usize::from(opened);
    let inner = &request[from..end];
    let closed = inner.len() > 1 && inner.ends_with(')') && !inner.contains('(');
    let to = end - usize::from(closed);
    if opened {
        out.push(word(request, start, from));
    }
    out.push(word(request, from, to));
    if closed {
        out.push(word(request, to, end));
    }
}

fn word(request: &str, start: usize, end: usize) -> Word<'_> {
    let raw = &request[start..end];
    // Most words are small letters already.
    let plain = raw.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    let folded = if plain { Cow::Borrowed(raw) } else { Cow::Owned(fold(raw)) };
    Word { raw, folded, quoted: false, start, end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(request: &str) -> Vec<&str> {
        words(request).into_iter().map(|word| word.raw).collect()
    }

    #[test]
    fn a_quotation_is_one_word_in_any_style() {
        for request in ["say 'a b'", "say \"a b\"", "say “a b”", "say „a b“", "say «a b»", "say `a b`", "say ‘a b’"]
        {
            assert_eq!(raw(request), ["say", "a b"], "{request}");
        }
    }

    #[test]
    fn an_apostrophe_opens_and_closes_nothing() {
        assert_eq!(raw("it's Bob's"), ["it's", "Bob's"]);
        assert_eq!(raw("'it's late' now"), ["it's late", "now"]);
    }

    #[test]
    fn marks_at_the_end_of_a_word_stand_alone() {
        assert_eq!(raw("change 9:30 to $4.50, ok?"), ["change", "9:30", "to", "$4.50", ",", "ok", "?"]);
    }

    #[test]
    fn arrows_stand_alone() {
        assert_eq!(raw("a->b => c"), ["a", "->", "b", "=>", "c"]);
    }

    #[test]
    fn a_quotation_may_follow_a_colon_at_once() {
        assert_eq!(raw("append:'a b'"), ["append", ":", "a b"]);
    }
}

//! Spots titles of books, films, songs and papers set in quotes or italics.
//!
//! - Quotes alone prove nothing: a verb such as `watched`, a noun such as `the paper`, or an author must stand by.
//! - Titles come in the order of the text and do not overlap.

use std::ops::Range;

use super::cues::Cue;
use super::kind::EntityKind;
use super::lists::listed;
use super::tokens::{Token, phrase, tokens};

/// The byte ranges of quoted titles of `text`, without the quotes.
pub(super) fn quoted_works(text: &str, tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find(OPENING) {
        let open = at + offset;
        let Some(quote) = text[open..].chars().next() else { break };
        let start = open + quote.len_utf8();
        at = start;
        let is_loose = text[..open].chars().next_back().is_none_or(|before| before.is_whitespace() || before == '(');
        if !is_loose {
            continue;
        }
        let Some(length) = closing(&text[start..], quote) else { continue };
        let span = start..start + length;
        let is_listed =
            |title: &Range<usize>| found.last().is_some_and(|last: &Range<usize>| joins(&text[last.end..title.start]));
        if let Some(title) = title(text, span)
            && (is_work(text, tokens, &title) || is_listed(&title))
        {
            at = title.end;
            found.push(title);
        }
    }
    found
}

/// Whether the text between two titles lists them: `"Dune" and "Emma"`.
fn joins(between: &str) -> bool {
    let words = between.trim_matches(|char: char| !char.is_alphanumeric());
    words.is_empty() && between.contains(',') || matches!(words, "and" | "or" | "und" | "et" | "y")
}

const OPENING: [char; 9] = ['"', '\'', '“', '„', '‘', '«', '»', '*', '_'];

/// Longest title, in bytes; a quote that goes on longer is speech.
const MOST_BYTES: usize = 90;

/// Longest title, in words.
const MOST_WORDS: usize = 9;

/// Where the quote ends, counted from its start.
fn closing(rest: &str, quote: char) -> Option<usize> {
    let window = &rest[..rest.floor_char_boundary(MOST_BYTES)];
    let line = window.split('\n').next().unwrap_or(window);
    let ends = |char: char| match quote {
        '"' => char == '"' || char == '”',
        '\'' | '‘' => matches!(char, '\'' | '’'),
        '“' => char == '”' || char == '"',
        '„' => matches!(char, '“' | '”' | '"'),
        '«' => char == '»',
        '»' => char == '«',
        other => char == other,
    };
    // The apostrophe within a word (`Charlotte's Web`) does not close.
    line.char_indices()
        .find(|(at, char)| {
            ends(*char) && !line[at + char.len_utf8()..].starts_with(|after: char| after.is_alphanumeric())
        })
        .map(|(at, _)| at)
}

/// The span without its white space and closing comma, if it can be a title.
fn title(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let inside = &text[span.clone()];
    let trimmed = inside.trim_start();
    let start = span.start + inside.len() - trimmed.len();
    let trimmed = trimmed.trim_end_matches(|char: char| char.is_whitespace() || matches!(char, ',' | '.' | '*' | '_'));
    let is_title = trimmed.starts_with(|first: char| first.is_uppercase() || first.is_numeric())
        && !trimmed.contains(". ")
        && trimmed.split_whitespace().count() <= MOST_WORDS;
    is_title.then(|| start..start + trimmed.len())
}

fn is_work(text: &str, all: &[Token<'_>], title: &Range<usize>) -> bool {
    let first = all.partition_point(|token| token.span.start < title.start);
    let after = all.partition_point(|token| token.span.start < title.end);
    let same_sentence = |token: &&Token<'_>| !text[token.span.end..title.start].contains(['.', '\n', '!', '?']);
    let before = all[first.saturating_sub(4)..first].iter().filter(same_sentence);
    let is_noun = |token: &Token<'_>| {
        Cue::WorkNoun.has(&token.folded) || matches!(token.folded.as_str(), "show" | "play" | "track" | "story")
    };
    let has_noun = before.clone().any(is_noun);
    let has_verb = before.clone().any(|token| Cue::WorkVerb.has(&token.folded) || token.folded == "called");
    let speaks = before
        .clone()
        .any(|token| matches!(token.folded.as_str(), "said" | "says" | "asked" | "told" | "word" | "label"));
    let has_author = all.get(after).is_some_and(|token| matches!(token.folded.as_str(), "by" | "von" | "de" | "par"))
        && all.get(after + 1).is_some_and(Token::is_capital)
        || text[title.end..].trim_start_matches(['»', '"', '”', '\'', ' ']).starts_with("d'");
    let is_followed = all.get(after).is_some_and(is_noun);
    let known = listed(&phrase(&tokens(&text[title.clone()])));
    !speaks && (has_noun || has_verb || has_author || is_followed)
        || known.iter().any(|entry| entry.kind == EntityKind::Work)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        quoted_works(text, &tokens(text)).into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn a_title_needs_a_reason_beside_its_quotes() {
        assert_eq!(
            found("We watched 'The Bear' and the paper \"Attention Is All You Need\"."),
            ["The Bear", "Attention Is All You Need"]
        );
        assert_eq!(found("He said \"Do Not Bend\" and left"), Vec::<&str>::new());
    }

    #[test]
    fn a_title_beside_a_title_is_one_too() {
        assert_eq!(found("read \"Dune\" and \"Emma,\" then slept"), ["Dune", "Emma"]);
    }

    #[test]
    fn an_apostrophe_does_not_close_a_title() {
        assert_eq!(found("reading 'Charlotte's Web' to the kids"), ["Charlotte's Web"]);
        assert_eq!(found("it's Dana's book, isn't it"), Vec::<&str>::new());
    }

    #[test]
    fn quotes_of_other_languages_are_known() {
        assert_eq!(found("J'ai lu « L'Étranger » d'Albert Camus."), ["L'Étranger"]);
        assert_eq!(found("Ich habe „Der Prozess“ gelesen"), ["Der Prozess"]);
    }
}

//! Cuts a request into clauses of known and unknown words.

use std::collections::HashSet;

use super::{
    dictionary, japanese,
    lexicon::{self, Class, Entry},
    token::{self, Token},
};

/// A word or phrase of a request with its meaning.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// `None` for a word that no lexicon knows.
    pub(super) class: Option<Class>,
    pub(super) english: bool,
    /// The word, or the first word of the phrase.
    pub(super) word: String,
    pub(super) quoted: bool,
    /// Whether the thought contains the word.
    pub(super) in_text: bool,
}

impl Unit {
    /// Whether a phrase such as `from the list` begins here.
    pub(super) fn ends_list(&self) -> bool {
        matches!(self.word.as_str(), "from" | "off" | "on")
    }
}

/// A stretch of a request that says one thing.
#[derive(Clone, Debug, Default)]
pub(super) struct Clause {
    pub(super) units: Vec<Unit>,
    /// Whether it ends with a question mark.
    pub(super) asks: bool,
    /// The conjunction that leads into it.
    pub(super) after: Option<Class>,
}

/// The clauses of `request`, which is about a thought made of `text_words`.
pub(super) fn clauses(request: &str, text_words: &HashSet<String>, is_list: bool) -> Vec<Clause> {
    let tokens = token::tokens(request);
    // What stands on a list may be crossed off it: `cross the hat off`.
    let nothing = HashSet::new();
    let whole = if is_list { &nothing } else { text_words };
    let mut out = vec![Clause::default()];
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            Token::Mark(mark) => {
                at += 1;
                end_clause(&mut out, None, matches!(mark, '?'));
            }
            Token::Sets => {
                at += 1;
                let sets =
                    |unit: &Unit| matches!(unit.class, Some(Class::Status | Class::Mark | Class::Change | Class::It));
                match out.last_mut().and_then(|clause| clause.units.last()).is_some_and(sets) {
                    true => push(&mut out, plain(Some(Class::Link), "to")),
                    false => end_clause(&mut out, None, false),
                }
            }
            Token::Word { word, .. } if japanese::is_japanese(word) => {
                at += 1;
                japanese::classes(word)
                    .into_iter()
                    .for_each(|class| push(&mut out, Unit { english: false, ..plain(class, word) }));
            }
            // `we moved out so this is irrelevant`.
            Token::Word { word, .. } if word == "so" && opens_clause(tokens.get(at + 1)) => {
                at += 1;
                end_clause(&mut out, None, false);
            }
            Token::Word { word, quoted } => {
                let after_article = at > 0 && matches!(&tokens[at - 1], Token::Word { word, .. } if is_article(word));
                let (entry, length) = meaning(&tokens[at..], text_words, whole);
                // `the hat` is no German verb where the thought has one.
                let own = |entry: &Entry| !(after_article && !entry.english && text_words.contains(&stem(word)));
                let entry = entry.filter(own);
                match entry.map(|entry| entry.class) {
                    Some(class @ (Class::And | Class::But | Class::Because)) if !quoted => {
                        end_clause(&mut out, Some(class), false)
                    }
                    class => push(
                        &mut out,
                        Unit {
                            class,
                            english: entry.is_none_or(|entry| entry.english),
                            word: word.clone(),
                            quoted: *quoted,
                            in_text: length == 1 && text_words.contains(&stem(word)),
                        },
                    ),
                }
                at += length;
            }
        }
    }
    out.retain(|clause| !clause.units.is_empty());
    out
}

/// The words of a text by which a request may name it, which are those it opens with.
pub(super) fn text_words(text: &str) -> HashSet<String> {
    let words =
        token::tokens(&text[..text.floor_char_boundary(LONGEST_OPENING)]).into_iter().filter_map(|token| match token {
            Token::Word { word, .. } => Some(stem(&word)),
            _ => None,
        });
    words.collect()
}

/// Nobody names a thought by what it says further down.
const LONGEST_OPENING: usize = 4_096;

/// A word without its plural ending.
pub(super) fn stem(word: &str) -> String {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    }
}

fn plain(class: Option<Class>, word: &str) -> Unit {
    Unit { class, english: true, word: word.to_owned(), quoted: false, in_text: false }
}

fn push(clauses: &mut [Clause], unit: Unit) {
    if let Some(clause) = clauses.last_mut() {
        clause.units.push(unit);
    }
}

fn end_clause(clauses: &mut Vec<Clause>, after: Option<Class>, asks: bool) {
    match clauses.last_mut() {
        Some(clause) if clause.units.is_empty() => clause.after = after.or(clause.after),
        Some(clause) => {
            clause.asks = asks;
            clauses.push(Clause { after, ..Clause::default() });
        }
        None => {}
    }
    // `mark it done, ok?!` and `is it done ?`: the mark belongs to the words before it.
    if asks && let [.., before, _] = clauses.as_mut_slice() {
        before.asks = true;
    }
}

/// The meaning at the start of `tokens` and the number of tokens it takes.
fn meaning(tokens: &[Token], text_words: &HashSet<String>, whole: &HashSet<String>) -> (Option<Entry>, usize) {
    let Some(Token::Word { word, quoted }) = tokens.first() else {
        return (None, 1);
    };
    // Courtesies do not hide a word of the thought: `remove the user`.
    let is_thing = |word: &str| lexicon::word(word).is_some_and(|entry| entry.class == Class::Thing);
    let named = |word: &&str| word.len() > 3 && text_words.contains(&stem(word)) && !is_thing(word);
    for (rest, entry) in lexicon::phrases(word) {
        // Nor are versions those of the thought where it tells of versions.
        if matches!(entry.class, Class::Filler | Class::Version) && rest.iter().any(named) {
            continue;
        }
        // `I took the library books back` is about the books.
        let about = if matches!(entry.class, Class::Undo | Class::Redo) { &HashSet::new() } else { whole };
        if let Some(length) = phrase_length(&tokens[1..], rest, about) {
            return (Some(*entry), length + 1);
        }
    }
    if let Some(entry) = lexicon::word(word) {
        return (Some(entry), 1);
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        let class = match word.strip_suffix('%') {
            Some("100") => Class::Filler,
            Some(_) => Class::Hedge,
            None => Class::Day,
        };
        return (Some(Entry { class, english: true }), 1);
    }
    // `arrived` is no misspelt `archived`.
    if *quoted || text_words.contains(&stem(word)) || dictionary::is_form(word) {
        return (None, 1);
    }
    (lexicon::corrected(word), 1)
}

/// Whether what follows `so` is a clause of its own.
fn opens_clause(token: Option<&Token>) -> bool {
    matches!(token, Some(Token::Word { word, .. })
        if matches!(word.as_str(), "it" | "this" | "that" | "please" | "mark" | "archive" | "close" | "delete" | "remove"))
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "my" | "our")
}

/// Longest stretch of words about the thought that a phrase may enclose, as in `check *this last one here* off`.
const GAP: usize = 6;

/// How many of `tokens` the words of a phrase take, where a gap holds only words for the thought.
fn phrase_length(tokens: &[Token], phrase: &[&str], text_words: &HashSet<String>) -> Option<usize> {
    let Some((first, rest)) = phrase.split_first() else {
        return Some(0);
    };
    if *first != "*" {
        return match tokens.first() {
            Some(Token::Word { word, .. }) if word == first => {
                phrase_length(&tokens[1..], rest, text_words).map(|length| length + 1)
            }
            _ => None,
        };
    }
    let fits = |token: &Token| match token {
        Token::Word { word, .. } => {
            text_words.contains(&stem(word))
                || lexicon::word(word)
                    .is_some_and(|entry| matches!(entry.class, Class::It | Class::Thing | Class::Filler))
        }
        _ => false,
    };
    let gap = tokens.iter().take(GAP).take_while(|token| fits(token)).count();
    (0..=gap).find_map(|skipped| phrase_length(&tokens[skipped..], rest, text_words).map(|length| length + skipped))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Status;

    fn classes(request: &str) -> Vec<Vec<Option<Class>>> {
        let clauses = clauses(request, &text_words("Call Sam"), false);
        clauses.iter().map(|clause| clause.units.iter().map(|unit| unit.class).collect()).collect()
    }

    #[test]
    fn a_phrase_may_enclose_the_thought() {
        assert_eq!(classes("tick this one off"), [[Some(Class::Verb(Status::Completed))]]);
    }

    #[test]
    fn conjunctions_and_marks_end_clauses() {
        assert_eq!(classes("archive it, we moved because xyz").len(), 3);
    }

    #[test]
    fn unknown_words_have_no_class() {
        assert_eq!(classes("xyzzy"), [[None]]);
    }
}

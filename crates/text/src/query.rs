//! Makes the terms of a query.
//!
//! - Every character of a query is part of a word or nothing; there are no operators, quotes or wild cards.
//! - At most [`MOST_TERMS`] terms, no two with the same surface.
//! - No word is dropped: function words are marked, so that a query of nothing else still finds something.

use std::collections::HashMap;

use super::chunks::{DigitGroups, chunks};
use super::compounds::cut;
use super::detection::languages_of_query;
use super::fold::{fold, normalise};
use super::function_words::languages_of;
use super::language::Languages;
use super::piece::{Form, Piece, Role};
use super::stems::{alternatives, shortened};

/// One thing a query looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryTerm {
    /// The word as typed, folded.
    pub surface: String,
    /// The tokens the word may be stored under: a text that holds any of them holds the term. A text may hold several
    /// for one and the same word, so its frequency is that of the most frequent of them, not their sum.
    pub tokens: Vec<String>,
    /// Tokens of words that mean something like it: a text that holds one of them holds a little of the term. Whoever knows
    /// such words adds them.
    pub related: Vec<String>,
    /// What the term is to the query.
    pub kind: TermKind,
}

/// What a term is to its query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// A word that carries meaning.
    Word,
    /// A word that holds the sentence together: question word, article, pronoun, auxiliary, preposition.
    FunctionWord,
    /// A compound, identifier, path or address as a whole.
    Whole,
    /// A part of a whole that is a term as well.
    Part,
    /// Two neighbouring characters of a script without spaces, or the only one.
    Gram,
}

/// Most terms of one query.
const MOST_TERMS: usize = 64;

/// Analyses a query: its distinct terms in the order they are met. Terms past the first 64 are left out.
#[must_use]
pub fn query_terms(query: &str) -> Vec<QueryTerm> {
    let normalised = normalise(query);
    let mut terms = Terms {
        terms: Vec::new(),
        by_surface: HashMap::new(),
        whole: None,
        is_name: false,
        languages: languages_of_query(&normalised),
    };
    let mut groups = DigitGroups::default();
    let in_small_letters = chunks(&normalised).skip(1).any(|(_, chunk)| chunk.starts_with(char::is_lowercase));
    for (start, chunk) in chunks(&normalised) {
        if terms.terms.len() >= MOST_TERMS {
            break;
        }
        let before = normalised[..start].trim_end();
        let opens = before.is_empty() || before.ends_with(['.', '!', '?', ':', ';', '…', '-', '"', '“', '(', '*']);
        terms.is_name = in_small_letters && is_name(chunk, opens);
        if let Some(number) = groups.push(&normalised, start, chunk) {
            terms.add_number(number);
        }
        terms.whole = None;
        cut(chunk, &mut |piece| terms.add(piece));
    }
    if let Some(number) = groups.finish() {
        terms.add_number(number);
    }
    terms.terms
}

/// Whether a word among small ones is written like a name: the `US` of `US visa`, the `Will` of `when is Will back`.
fn is_name(chunk: &str, opens: bool) -> bool {
    // What looks like an operator is a word like others.
    if matches!(chunk, "AND" | "OR" | "NOT") {
        return false;
    }
    let letters = || chunk.chars().filter(|char| char.is_alphabetic());
    let capitals = letters().filter(|char| char.is_uppercase()).count();
    let all = letters().count();
    capitals > 1 && capitals == all || !opens && all > 2 && chunk.starts_with(char::is_uppercase)
}

struct Terms {
    terms: Vec<QueryTerm>,
    by_surface: HashMap<String, usize>,
    /// The term that variants belong to, if this chunk made one.
    whole: Option<usize>,
    /// Whether this chunk is written like a name.
    is_name: bool,
    languages: Languages,
}

impl Terms {
    fn add(&mut self, piece: Piece<'_>) {
        if piece.form == Form::Run {
            return self.add_grams(piece.text);
        }
        let surface = fold(piece.text);
        // A sign that only lengthens a word, standing alone, folds to nothing.
        if surface.is_empty() {
            return;
        }
        if piece.role == Role::Variant {
            return self.add_variant(piece, surface);
        }
        let is_function_word =
            piece.form == Form::Word && !self.is_name && languages_of(&surface).shares_any(self.languages);
        let kind = match piece.role {
            Role::Whole => TermKind::Whole,
            _ if is_function_word => TermKind::FunctionWord,
            Role::Part => TermKind::Part,
            Role::Base | Role::Variant => TermKind::Word,
        };
        let added = self.add_term(surface, kind, |surface| tokens(piece, surface));
        if piece.role != Role::Part {
            self.whole = added;
        }
    }

    /// Adds a term unless it is there; answers with its place if it was added.
    fn add_term(&mut self, surface: String, kind: TermKind, tokens: impl FnOnce(&str) -> Vec<String>) -> Option<usize> {
        if let Some(known) = self.by_surface.get(&surface) {
            let term = &mut self.terms[*known];
            // What is asked for in its own right is no mere part.
            if term.kind == TermKind::Part {
                term.kind = kind;
            }
            return None;
        }
        if self.terms.len() >= MOST_TERMS {
            return None;
        }
        let place = self.terms.len();
        self.by_surface.insert(surface.clone(), place);
        self.terms.push(QueryTerm { tokens: tokens(&surface), related: Vec::new(), surface, kind });
        Some(place)
    }

    fn add_variant(&mut self, piece: Piece<'_>, surface: String) {
        let Some(whole) = self.whole else { return };
        for token in tokens(piece, &surface) {
            if !self.terms[whole].tokens.contains(&token) {
                self.terms[whole].tokens.push(token);
            }
        }
    }

    fn add_grams(&mut self, run: &str) {
        let mut chars = run.chars();
        let Some(mut previous) = chars.next() else { return };
        if chars.as_str().is_empty() {
            self.add_term(run.to_owned(), TermKind::Gram, |gram| vec![gram.to_owned()]);
        }
        for char in chars {
            if self.terms.len() >= MOST_TERMS {
                return;
            }
            let gram = String::from_iter([previous, char]);
            self.add_term(gram, TermKind::Gram, |gram| vec![gram.to_owned()]);
            previous = char;
        }
    }

    fn add_number(&mut self, number: String) {
        self.add_term(number, TermKind::Whole, |number| vec![number.to_owned()]);
    }
}

fn tokens(piece: Piece<'_>, surface: &str) -> Vec<String> {
    match piece.form {
        Form::Word => alternatives(piece.text),
        Form::Exact | Form::Run => vec![shortened(surface.to_owned())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(query: &str) -> Vec<(String, TermKind)> {
        query_terms(query).into_iter().map(|term| (term.surface, term.kind)).collect()
    }

    fn of(terms: &[(&str, TermKind)]) -> Vec<(String, TermKind)> {
        terms.iter().map(|(surface, kind)| ((*surface).to_owned(), *kind)).collect()
    }

    #[test]
    fn function_words_are_marked_and_kept() {
        use TermKind::{FunctionWord, Word};
        assert_eq!(kinds("Who is Ana?"), of(&[("who", FunctionWord), ("is", FunctionWord), ("ana", Word)]));
        assert_eq!(query_terms("to be or not to be").len(), 4);
    }

    #[test]
    fn a_name_is_no_function_word() {
        use TermKind::{FunctionWord, Word};
        assert_eq!(kinds("US visa"), of(&[("us", Word), ("visa", Word)]));
        assert_eq!(kinds("when is Will back")[2], ("will".to_owned(), Word));
        assert_eq!(kinds("Will it rain")[0], ("will".to_owned(), FunctionWord));
        assert_eq!(kinds("it rains. Will you come")[2], ("will".to_owned(), FunctionWord));
        assert_eq!(kinds("WHO IS IT")[0], ("who".to_owned(), FunctionWord));
    }

    #[test]
    fn a_possessive_is_the_word_alone() {
        assert_eq!(kinds("Bob’s"), of(&[("bob", TermKind::Word)]));
    }

    #[test]
    fn operators_are_nothing() {
        use TermKind::{FunctionWord, Word};
        let expected = of(&[("tea", Word), ("and", FunctionWord), ("milk", Word)]);
        assert_eq!(kinds("\"tea\" AND (milk*)"), expected);
    }

    #[test]
    fn a_whole_comes_with_its_parts() {
        use TermKind::{Part, Whole};
        let terms = query_terms("well-known");
        assert_eq!(kinds("well-known"), of(&[("well-known", Whole), ("well", Part), ("known", Part)]));
        assert!(terms[0].tokens.iter().any(|token| token == "wellknown"));
    }

    #[test]
    fn a_part_asked_for_by_itself_is_a_word() {
        let terms = query_terms("getUserName user");
        let user = terms.iter().find(|term| term.surface == "user").unwrap();
        assert_eq!(user.kind, TermKind::Word);
    }

    #[test]
    fn scripts_without_spaces_are_asked_for_by_pairs() {
        use TermKind::Gram;
        assert_eq!(kinds("東京都"), of(&[("東京", Gram), ("京都", Gram)]));
        assert_eq!(kinds("茶"), of(&[("茶", Gram)]));
    }

    #[test]
    fn terms_are_bounded_and_distinct() {
        let many: String = (0..500).map(|number| format!("w{number}x w{number}x ")).collect();
        assert!(query_terms(&many).len() <= MOST_TERMS);
        assert_eq!(query_terms(&"漢字".repeat(40_000)).len(), 2);
        assert_eq!(query_terms("tea Tea TEA téa").len(), 1);
    }
}

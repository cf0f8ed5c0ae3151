//! WordPiece: a text becomes the ids of the vocabulary entries it is made of.
//!
//! Agrees with the reference tokenizer of BERT, uncased, except that rare marks which that one moves into canonical
//! order stay where they are.

use std::{ops::Range, sync::LazyLock};

use super::characters::{Characters, Role};
use super::reading::Piece;
use super::vocabulary::Vocabulary;
use super::weights::MAX_TOKENS;

/// Stands for a word that the vocabulary cannot spell.
pub(super) const UNKNOWN: u32 = 100;
pub(super) const OPENING: u32 = 101;
pub(super) const CLOSING: u32 = 102;

/// From this id on, entries stand for letters.
const SPECIAL_END: u32 = 999;

/// Written out in a text, these count as the token itself, as in the reference.
const SPECIAL: [(&str, u32); 5] =
    [("[PAD]", 0), ("[UNK]", UNKNOWN), ("[CLS]", OPENING), ("[SEP]", CLOSING), ("[MASK]", 103)];

/// A longer word is unknown: no entry is meant for it, and spelling it would take quadratic time.
const MAX_WORD_CHARACTERS: usize = 100;

/// Splits texts into tokens.
pub(super) struct Tokenizer {
    characters: Characters,
    vocabulary: &'static Vocabulary,
}

impl Tokenizer {
    /// The one that all models use.
    pub(super) fn shared() -> &'static Self {
        static SHARED: LazyLock<Tokenizer> =
            LazyLock::new(|| Tokenizer { characters: Characters::load(), vocabulary: Vocabulary::shared() });
        &SHARED
    }

    /// The ids of `text` between the opening and the closing token; reads no further than it needs.
    pub(super) fn tokenize(&self, text: &str) -> Vec<u32> {
        let placed = self.placed(text);
        let inner = placed.iter().take(MAX_TOKENS - 2).map(|&(id, _)| id);
        std::iter::once(OPENING).chain(inner).chain([CLOSING]).collect()
    }

    /// The ids of `text`, each with the bytes it stands for; at least [`MAX_TOKENS`] of them, if there are as many.
    pub(super) fn placed(&self, text: &str) -> Vec<(u32, Range<usize>)> {
        let mut sink = Sink { vocabulary: self.vocabulary, ids: Vec::new(), word: String::new(), places: Vec::new() };
        let mut at = 0;
        while let Some(character) = text[at..].chars().next() {
            if sink.ids.len() >= MAX_TOKENS {
                break;
            }
            if let Some((name, id)) = special(&text[at..]) {
                sink.end_word();
                sink.ids.push((id, at..at + name.len()));
                at += name.len();
                continue;
            }
            let place = at..at + character.len_utf8();
            at = place.end;
            self.characters.visit(character, |character, role| sink.add(character, role, &place));
        }
        sink.end_word();
        sink.ids
    }

    /// What each of these ids stands for.
    pub(super) fn pieces(&self, ids: &[u32]) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::with_capacity(ids.len());
        // Where the word at hand begins.
        let mut start = 0;
        for &id in ids {
            let (letters, continues) = if id < SPECIAL_END { ("", false) } else { self.vocabulary.letters(id) };
            start = if continues { start } else { pieces.len() };
            pieces.push(Piece { letters, id, of: 1 });
            let of = pieces.len() - start;
            pieces[start..].iter_mut().for_each(|piece| piece.of = of);
        }
        pieces
    }
}

fn special(text: &str) -> Option<(&'static str, u32)> {
    if !text.starts_with('[') {
        return None;
    }
    SPECIAL.into_iter().find(|(name, _)| text.starts_with(name))
}

/// Gathers characters to words and words to ids.
struct Sink<'a> {
    vocabulary: &'a Vocabulary,
    ids: Vec<(u32, Range<usize>)>,
    word: String,
    /// Where each character of the word comes from, those beyond the limit included, which the word itself goes without.
    places: Vec<Range<usize>>,
}

impl Sink<'_> {
    fn add(&mut self, character: char, role: Role, place: &Range<usize>) {
        if role != Role::Letter {
            self.end_word();
        }
        if matches!(role, Role::Letter | Role::Alone) {
            self.places.push(place.clone());
            if self.places.len() <= MAX_WORD_CHARACTERS {
                self.word.push(character);
            }
        }
        if role == Role::Alone {
            self.end_word();
        }
    }

    fn end_word(&mut self) {
        if self.places.len() > MAX_WORD_CHARACTERS || !self.spell() {
            self.ids.push((UNKNOWN, self.places[0].start..self.places[self.places.len() - 1].end));
        }
        self.word.clear();
        self.places.clear();
    }

    /// Appends the entries that spell the word, longest first; whether there are such.
    fn spell(&mut self) -> bool {
        let before = self.ids.len();
        let (mut rest, mut places) = (self.word.as_str(), self.places.as_slice());
        while !rest.is_empty() {
            let Some((id, length)) = self.vocabulary.longest_prefix(rest, rest.len() == self.word.len()) else {
                self.ids.truncate(before);
                return false;
            };
            let (spelled, others) = places.split_at(rest[..length].chars().count());
            self.ids.push((id, spelled[0].start..spelled[spelled.len() - 1].end));
            (rest, places) = (&rest[length..], others);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static TOKENIZER: LazyLock<&Tokenizer> = LazyLock::new(Tokenizer::shared);

    fn inner(text: &str) -> Vec<u32> {
        let ids = TOKENIZER.tokenize(text);
        ids[1..ids.len() - 1].to_vec()
    }

    #[test]
    fn nothing_becomes_the_two_special_tokens() {
        assert_eq!(TOKENIZER.tokenize(" \n"), [OPENING, CLOSING]);
    }

    #[test]
    fn case_and_accents_do_not_matter() {
        assert_eq!(inner("CAFÉ"), inner("cafe"));
    }

    #[test]
    fn rare_words_are_spelled_in_pieces() {
        // em ##bed ##ding ##s
        assert_eq!(inner("embeddings"), [7861, 8270, 4667, 2015]);
    }

    #[test]
    fn punctuation_separates_words() {
        assert_eq!(inner("a,b"), inner("a , b"));
    }

    #[test]
    fn a_word_of_more_than_a_hundred_characters_is_unknown() {
        assert_ne!(inner(&"a".repeat(100)), [UNKNOWN]);
        assert_eq!(inner(&"a".repeat(101)), [UNKNOWN]);
        assert_eq!(inner(&"é".repeat(100)), inner(&"e".repeat(100)));
    }

    #[test]
    fn tokens_know_where_they_come_from() {
        let text = "Café, [SEP] embeddings";
        let pieces: Vec<&str> = TOKENIZER.placed(text).into_iter().map(|(_, place)| &text[place]).collect();
        assert_eq!(pieces, ["Café", ",", "[SEP]", "em", "bed", "ding", "s"]);
    }

    #[test]
    fn special_tokens_may_be_written_out() {
        assert_eq!(inner("a[SEP]b"), [inner("a"), vec![CLOSING], inner("b")].concat());
    }

    #[test]
    fn long_texts_are_cut_and_still_closed() {
        let ids = TOKENIZER.tokenize(&"one two, ".repeat(1000));
        assert_eq!((ids.len(), ids[0], ids[MAX_TOKENS - 1]), (MAX_TOKENS, OPENING, CLOSING));
    }

    proptest! {
        #[test]
        fn any_text_gives_ids_of_the_vocabulary(text in any::<String>()) {
            let ids = TOKENIZER.tokenize(&text);
            prop_assert!((2..=MAX_TOKENS).contains(&ids.len()));
            prop_assert!(ids.iter().all(|&id| id < 30_522));
        }

        #[test]
        fn white_space_around_a_text_changes_nothing(text in any::<String>()) {
            prop_assert_eq!(TOKENIZER.tokenize(&format!("\n {text}\t")), TOKENIZER.tokenize(&text));
        }
    }
}

//! Makes the form a stored text is indexed in.
//!
//! - The same text always has the same form.
//! - The form is at most a small constant times as long as the text.

use std::collections::HashMap;

use super::chunks::{DigitGroups, chunks};
use super::compounds::cut;
use super::detection::languages_of_text;
use super::fold::{fold_into, normalise};
use super::language::Languages;
use super::piece::{Form, Piece, Role};
use super::stems::{push_exact, push_stored};

/// A text as the index sees it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LexicalForm {
    /// The tokens, parted by single spaces. A token holds no white space; repeats are kept, they are its frequency.
    pub text: String,
    /// The words of the text, each counted once: its length for ranking. Parts of identifiers, variants of words and
    /// single characters of scripts without spaces do not add to it.
    pub words: u32,
}

/// Analyses a text that is to be stored.
#[must_use]
pub fn lexical_form(text: &str) -> LexicalForm {
    let normalised = normalise(text);
    let mut writer = Writer {
        out: String::with_capacity(normalised.len() + normalised.len() / 4),
        words: 0,
        folded: String::new(),
        languages: languages_of_text(&normalised),
    };
    // The standard hasher, because whoever writes the text could choose chunks that collide under a simpler one.
    let mut written: HashMap<&str, Written> = HashMap::new();
    let remembers = normalised.len() > MEMO_TEXT_BYTES;
    let mut groups = DigitGroups::default();
    for (start, chunk) in chunks(&normalised) {
        if let Some(number) = groups.push(&normalised, start, chunk) {
            push_exact(&number, &mut writer.out);
        }
        // Most chunks of a long text occurred before: copying their tokens saves cutting and stemming them again.
        if let Some(known) = remembers.then(|| written.get(chunk)).flatten() {
            writer.out.extend_from_within(known.start..known.end);
            writer.words = writer.words.saturating_add(known.words);
            continue;
        }
        let (tokens_before, words_before) = (writer.out.len(), writer.words);
        cut(chunk, &mut |piece| writer.push(piece));
        if remembers && chunk.len() <= MEMO_BYTES {
            let words = writer.words - words_before;
            written.insert(chunk, Written { start: tokens_before, end: writer.out.len(), words });
        }
    }
    if let Some(number) = groups.finish() {
        push_exact(&number, &mut writer.out);
    }
    writer.out.truncate(writer.out.trim_end().len());
    LexicalForm { text: writer.out, words: writer.words }
}

/// Longer chunks hardly ever repeat.
const MEMO_BYTES: usize = 64;

/// In shorter texts hardly any chunk occurs twice.
const MEMO_TEXT_BYTES: usize = 1024;

/// Where the tokens of a chunk were written.
struct Written {
    start: usize,
    end: usize,
    words: u32,
}

struct Writer {
    out: String,
    words: u32,
    folded: String,
    languages: Languages,
}

impl Writer {
    fn push(&mut self, piece: Piece<'_>) {
        match piece.form {
            Form::Exact => {
                self.folded.clear();
                fold_into(piece.text, &mut self.folded);
                if self.folded.is_empty() {
                    return;
                }
                push_exact(&self.folded, &mut self.out);
            }
            Form::Word => push_stored(piece.text, self.languages, &mut self.out),
            Form::Run => return self.push_run(piece.text),
        }
        if matches!(piece.role, Role::Base | Role::Whole) {
            self.words = self.words.saturating_add(1);
        }
    }

    fn push_run(&mut self, run: &str) {
        let mut previous = None;
        let mut chars = 0;
        for char in run.chars() {
            if let Some(previous) = previous {
                self.out.extend([previous, char, ' ']);
            }
            self.out.extend([char, ' ']);
            previous = Some(char);
            chars += 1;
        }
        // Words of these scripts are about two characters long.
        self.words = self.words.saturating_add(chars / 2 + chars % 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stemmed_and_repeats_kept() {
        let form = lexical_form("The cats saw a cat.");
        assert_eq!(form, LexicalForm { text: "the cat saw a cat".to_owned(), words: 5 });
    }

    #[test]
    fn a_compound_counts_as_one_word() {
        let form = lexical_form("open src/store/main.rs");
        assert_eq!(form.words, 2);
        assert!(form.text.split(' ').any(|token| token == "src/store/main.rs"));
    }

    #[test]
    fn a_run_without_spaces_is_stored_by_characters_and_pairs() {
        assert_eq!(lexical_form("東京都"), LexicalForm { text: "東 東京 京 京都 都".to_owned(), words: 2 });
    }

    #[test]
    fn a_telephone_number_is_stored_by_group_and_whole() {
        assert_eq!(lexical_form("+41 79 123 45 67").text, "41 79 123 45 67 41791234567");
    }

    #[test]
    fn texts_without_words_have_no_form() {
        for text in ["", " \n\t", "________", "\0\0", "!?… —"] {
            assert_eq!(lexical_form(text), LexicalForm::default(), "{text:?}");
        }
    }

    #[test]
    fn awkward_texts_stay_small() {
        for unit in
            ["a/", "aB", "a.b-", "a'b'", "漢", "x", "1 ", "1,", "🎉", "a\u{301}\u{302}", "ש", "v1.", "A#", ".a@"]
        {
            let text = unit.repeat(65_536 / unit.len());
            let form = lexical_form(&text);
            assert!(form.text.len() <= 6 * text.len(), "{unit:?} grew to {}", form.text.len());
        }
    }
}

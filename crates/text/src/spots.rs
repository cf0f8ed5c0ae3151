//! Finds the places of a text that match what is wanted.
//!
//! - Spots come in the order of the text.
//! - Each distinct chunk is analysed once, and only if it begins like something wanted.

use std::collections::{HashMap, HashSet};

use super::chunks::chunks;
use super::compounds::cut;
use super::detection::languages_of_text;
use super::fold::{fold, normalise};
use super::language::Languages;
use super::piece::{Form, Piece};
use super::script::is_unspaced;
use super::stems::{push_stored, shortened, untagged};

/// A term a snippet should show.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The tokens that stand for the term; any of them will do.
    pub tokens: &'a [String],
    /// What showing the term is worth against the others; not negative.
    pub weight: f32,
}

/// Most terms looked for, one bit each.
pub(super) const MOST_WANTED: usize = 64;

/// A place that matches, as ranges of characters and bytes, and the terms it matches as bits.
pub(super) struct Spot {
    pub(super) chars: (usize, usize),
    pub(super) bytes: (usize, usize),
    mask: u64,
}

impl Spot {
    /// The places in the list of the wanted of the terms that match here.
    pub(super) fn terms(&self) -> impl Iterator<Item = usize> + use<> {
        let mask = self.mask;
        (0..MOST_WANTED).filter(move |term| mask & (1 << term) != 0)
    }
}

/// The places of `text` that match `wanted`; none longer than `most_chars` where its parts can be told apart.
pub(super) fn spots(text: &str, wanted: &[Wanted<'_>], most_chars: usize) -> Vec<Spot> {
    if wanted.iter().all(|wanted| wanted.tokens.is_empty()) {
        return Vec::new();
    }
    let mut finder =
        Finder { matcher: Matcher::new(text, wanted), masks: HashMap::new(), found: Vec::new(), at: (0, 0), text };
    for (start, chunk) in chunks(text) {
        if chunk.is_ascii() || !chunk.contains(is_unspaced) {
            finder.chunk(start, chunk, most_chars);
            continue;
        }
        let mut start = start;
        let mut rest = chunk;
        while let Some(first) = rest.chars().next() {
            let unspaced = is_unspaced(first);
            let end = rest.find(|char| is_unspaced(char) != unspaced).unwrap_or(rest.len());
            let (segment, after) = rest.split_at(end);
            if unspaced {
                finder.run(start, segment);
            } else {
                finder.chunk(start, segment, most_chars);
            }
            start += end;
            rest = after;
        }
    }
    finder.found
}

struct Finder<'t> {
    text: &'t str,
    matcher: Matcher<'t>,
    masks: HashMap<&'t str, u64>,
    found: Vec<Spot>,
    /// A byte of the text and the number of characters before it.
    at: (usize, usize),
}

impl<'t> Finder<'t> {
    fn chunk(&mut self, start: usize, chunk: &'t str, most_chars: usize) {
        let mask = self.mask(chunk);
        if mask == 0 {
            return;
        }
        // A long path or list is shown where its part matches, if it is a part that matches.
        let before = self.found.len();
        if chunk.len() > most_chars {
            let mut part_start = start;
            for part in chunk.split(|char: char| char.is_ascii_punctuation()) {
                let mask = self.mask(part);
                if mask != 0 {
                    self.push(part_start, part.len(), mask);
                }
                part_start += part.len() + 1;
            }
        }
        if self.found.len() == before {
            self.push(start, chunk.len(), mask);
        }
    }

    fn run(&mut self, start: usize, run: &str) {
        let mut gram = String::new();
        for (at, char) in run.char_indices() {
            let first = char.len_utf8();
            let second = run[at + first..].chars().next();
            gram.clear();
            gram.push(char);
            let alone = self.matcher.of_token(&gram);
            gram.extend(second);
            let paired = if second.is_some() { self.matcher.of_token(&gram) } else { 0 };
            if alone | paired != 0 {
                let length = if paired != 0 { gram.len() } else { first };
                self.push(start + at, length, alone | paired);
            }
        }
    }

    fn push(&mut self, start: usize, length: usize, mask: u64) {
        let first = self.at.1 + self.text[self.at.0..start].chars().count();
        let last = first + self.text[start..start + length].chars().count();
        self.at = (start, first);
        self.found.push(Spot { chars: (first, last), bytes: (start, start + length), mask });
    }

    fn mask(&mut self, chunk: &'t str) -> u64 {
        if let Some(mask) = self.masks.get(chunk) {
            return *mask;
        }
        let mask = self.matcher.of_chunk(chunk);
        self.masks.insert(chunk, mask);
        mask
    }
}

struct Matcher<'w> {
    masks: HashMap<&'w str, u64>,
    beginnings: HashSet<[u8; 2]>,
    /// The languages the text was stored in.
    languages: Languages,
}

/// The beginning of a text that tells its languages.
const SAMPLE_BYTES: usize = 65_536;

impl<'w> Matcher<'w> {
    fn new(text: &str, wanted: &[Wanted<'w>]) -> Self {
        let mut masks = HashMap::new();
        let mut beginnings = HashSet::new();
        for (term, wanted) in wanted.iter().take(MOST_WANTED).enumerate() {
            for token in wanted.tokens {
                *masks.entry(token.as_str()).or_default() |= 1 << term;
                beginnings.extend(untagged(token).as_bytes().first_chunk());
            }
        }
        let sample = &text[..text.floor_char_boundary(SAMPLE_BYTES)];
        Self { masks, beginnings, languages: languages_of_text(&normalise(sample)) }
    }

    fn of_token(&self, token: &str) -> u64 {
        self.masks.get(token).copied().unwrap_or(0)
    }

    fn of_chunk(&self, chunk: &str) -> u64 {
        let mut mask = 0;
        let normalised = normalise(chunk);
        for (_, chunk) in chunks(&normalised) {
            cut(chunk, &mut |piece| mask |= self.of_piece(piece));
        }
        mask
    }

    fn of_piece(&self, piece: Piece<'_>) -> u64 {
        if piece.form == Form::Run {
            let chars: Vec<char> = piece.text.chars().collect();
            let grams = chars.windows(2).chain(chars.chunks(1));
            return grams.fold(0, |mask, gram| mask | self.of_token(&gram.iter().collect::<String>()));
        }
        let folded = fold(piece.text);
        let plain = self.of_token(&folded);
        if piece.form == Form::Exact || plain != 0 {
            return plain | self.of_token(&shortened(folded));
        }
        if !self.may_match(&folded) {
            return 0;
        }
        let mut tokens = String::new();
        push_stored(piece.text, self.languages, &mut tokens);
        tokens.split(' ').fold(0, |mask, token| mask | self.of_token(token))
    }

    /// Whether a stem of `folded` can be among the wanted. The stemmers of Latin languages take endings off, so they
    /// keep the first two letters; the exceptions are English words in -ying.
    fn may_match(&self, folded: &str) -> bool {
        let Some(beginning) = folded.as_bytes().first_chunk::<2>() else { return true };
        !beginning[0].is_ascii_lowercase() || beginning[1] == b'y' || self.beginnings.contains(beginning)
    }
}

#[cfg(test)]
mod tests {
    use super::super::query::query_terms;
    use super::*;

    fn found(text: &str, query: &str) -> Vec<String> {
        let terms = query_terms(query);
        let wanted: Vec<Wanted<'_>> = terms.iter().map(|term| Wanted { tokens: &term.tokens, weight: 1.0 }).collect();
        spots(text, &wanted, 100).iter().map(|spot| text[spot.bytes.0..spot.bytes.1].to_owned()).collect()
    }

    #[test]
    fn words_match_in_every_inflection() {
        assert_eq!(found("He is running, she RUNS, they walk", "run"), ["running", "RUNS"]);
        assert_eq!(found("dying is to die", "die"), ["dying", "die"]);
        assert_eq!(found("die Häuser am Rand", "haus"), ["Häuser"]);
        assert_eq!(found("и книги, и книга", "книгу"), ["книги", "книга"]);
    }

    #[test]
    fn compounds_match_by_their_parts() {
        assert_eq!(found("see src/store/main.rs now", "store"), ["src/store/main.rs"]);
    }

    #[test]
    fn typography_does_not_hide_a_word() {
        assert_eq!(found("Mr. O’Brien co\u{AD}operates", "o'brien cooperate"), ["O’Brien", "co\u{AD}operates"]);
    }

    #[test]
    fn grams_match_where_they_stand() {
        assert_eq!(found("新しい東京都の", "京都"), ["京都"]);
        assert_eq!(found("ﾈｺ ｹｰｽ", "ケース"), ["ｹｰｽ"]);
    }
}

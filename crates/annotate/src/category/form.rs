//! Reads a text for the features: its words and what they do, the label before them, the signs among them.
//!
//! - Only the first [`MOST_WORDS`] words are read: the form of a thought shows early, and the cost stays bounded.

use text::fold;

use super::lexicon::{Set, Sets, sets};

/// Words read at most.
const MOST_WORDS: usize = 120;

/// Bytes read at most, for texts without spaces.
const MOST_BYTES: usize = 2048;

/// A text as its features see it.
pub(super) struct Form {
    /// The words, without the label and marks before them.
    words: Vec<String>,
    /// What begins at each word.
    sets: Vec<Sets>,
    /// What begins at each word of the label before a colon at the start.
    label: Vec<Sets>,
    /// The words that open a later clause, after a comma or a full stop.
    clauses: Vec<usize>,
    /// The first word past fillers such as `ok so` and `please`.
    lead: usize,
    /// Whether the text begins with an empty box, behind a bullet or not.
    pub(super) has_box: bool,
    pub(super) ends_with_question_mark: bool,
    ends_a_sentence: bool,
    pub(super) has_equals_sign: bool,
    /// Whether a time of day such as `9:30` or `3pm` occurs.
    pub(super) has_time: bool,
}

impl Form {
    pub(super) fn new(text: &str) -> Self {
        let text = text.trim();
        let folded = fold(&text[..text.floor_char_boundary(MOST_BYTES)]);
        let bare =
            folded.trim_start_matches(|char: char| char.is_whitespace() || matches!(char, '-' | '*' | '•' | '>' | '#'));
        let has_box = ["[ ]", "[]", "[x]", "☐", "□"].iter().any(|sign| bare.starts_with(sign));
        let (label, body) = labelled(bare);
        let words = words_of(body);
        let sets = sets_of(&words);
        let clauses = later_clauses(body);
        let lead = sets.iter().position(|sets| !sets.contains(Set::Filler)).unwrap_or(0);
        Self {
            label: sets_of(&words_of(label)),
            clauses,
            lead,
            has_box,
            ends_with_question_mark: text.ends_with(['?', '？']),
            ends_a_sentence: text.ends_with(['.', '!', '?']),
            has_equals_sign: folded.contains('='),
            has_time: has_time(&folded),
            words,
            sets,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The words in order.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// The word at `place` counted from the lead, or an empty one.
    pub(super) fn past_lead(&self, place: usize) -> &str {
        self.words.get(self.lead + place).map_or("", String::as_str)
    }

    /// Whether an entry of `set` occurs.
    pub(super) fn has(&self, set: Set) -> bool {
        self.sets.iter().any(|sets| sets.contains(set))
    }

    /// Whether an entry of `set` begins among the first `most` words.
    pub(super) fn has_early(&self, set: Set, most: usize) -> bool {
        self.sets.iter().take(most).any(|sets| sets.contains(set))
    }

    /// Whether an entry of `set` begins at the first word.
    pub(super) fn begins(&self, set: Set) -> bool {
        self.has_early(set, 1)
    }

    /// Whether an entry of `set` begins at `place` counted from the lead.
    pub(super) fn leads(&self, place: usize, set: Set) -> bool {
        self.sets.get(self.lead + place).is_some_and(|sets| sets.contains(set))
    }

    /// The places of the words that open a later clause.
    pub(super) fn clauses(&self) -> impl Iterator<Item = usize> {
        self.clauses.iter().copied().filter(|place| *place < self.words.len())
    }

    /// The last word of the first clause.
    pub(super) fn first_clause_end(&self) -> &str {
        let end = self.clauses().next().unwrap_or(self.words.len());
        end.checked_sub(1).map_or("", |last| self.words[last].as_str())
    }

    /// Whether an entry of `set` begins at `place`.
    pub(super) fn is_at(&self, place: usize, set: Set) -> bool {
        self.sets.get(place).is_some_and(|sets| sets.contains(set))
    }

    /// Whether an entry of `set` begins within the label.
    pub(super) fn is_labelled(&self, set: Set) -> bool {
        self.label.iter().any(|sets| sets.contains(set))
    }

    /// Whether a label stands before a short value. Before a sentence it is a speaker or a heading.
    pub(super) fn has_label(&self) -> bool {
        !self.label.is_empty() && self.words.len() <= VALUE_WORDS && !self.ends_a_sentence
    }

    /// Whether an entry of `set` begins among the `most` words after the first.
    pub(super) fn follows_first(&self, set: Set, most: usize) -> bool {
        self.sets.iter().skip(1).take(most).any(|sets| sets.contains(set))
    }

    /// Whether a word of `first` stands right before one that `is_second` accepts.
    pub(super) fn follows(&self, first: Set, is_second: impl Fn(&str, Sets) -> bool) -> bool {
        (1..self.words.len())
            .any(|place| self.sets[place - 1].contains(first) && is_second(&self.words[place], self.sets[place]))
    }

    /// The places of verbs in a past form.
    pub(super) fn pasts(&self) -> impl Iterator<Item = usize> {
        (0..self.words.len()).filter(|place| self.is_past(*place))
    }

    /// Whether the first word past the fillers is a past form.
    pub(super) fn opens_in_the_past(&self) -> bool {
        self.lead < self.words.len() && self.is_past(self.lead)
    }

    fn is_past(&self, place: usize) -> bool {
        // A participle after `is` or an article tells of a state.
        if place > 0 && self.sets[place - 1].contains(Set::NoPastAfter) {
            return false;
        }
        let word = self.words[place].as_str();
        self.sets[place].contains(Set::Past) || word.len() > 4 && word.ends_with("ed") && !word.ends_with("eed")
    }
}

/// Longest label before a colon, in words.
const LABEL_WORDS: usize = 5;

/// Longest value after a label, in words.
const VALUE_WORDS: usize = 9;

/// The label before a colon or a spaced dash at the start, and the rest.
fn labelled(text: &str) -> (&str, &str) {
    let line = text.split('\n').next().unwrap_or(text);
    let cut = [": ", " : ", " - "].iter().filter_map(|sign| Some((line.find(sign)?, sign.len()))).min();
    let Some((at, length)) = cut else { return ("", text) };
    let label = words_of(&line[..at]);
    // `call plumber re: leak` is a request with a colon in it.
    let is_request = label.len() > 1 && sets(&label).contains(Set::Verb);
    if label.len() > LABEL_WORDS || is_request || line[..at].contains(['.', ',']) {
        return ("", text);
    }
    (&text[..at], &text[at + length..])
}

fn words_of(text: &str) -> Vec<String> {
    let is_word = |char: char| char.is_alphanumeric() || matches!(char, '\'' | '-' | '_' | '@');
    text.split(|char: char| !is_word(char))
        .map(|word| word.trim_matches(['\'', '-']))
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .map(str::to_owned)
        .collect()
}

/// The places of the words of `text` that follow a comma, a semicolon or a full stop.
fn later_clauses(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut before = 0;
    for clause in text.split([',', ';', '.', '!', '?', '\n']) {
        if before > 0 && before < MOST_WORDS {
            places.push(before);
        }
        before += words_of(clause).len();
    }
    places
}

fn sets_of(words: &[String]) -> Vec<Sets> {
    (0..words.len()).map(|place| sets(&words[place..])).collect()
}

fn has_time(folded: &str) -> bool {
    let bytes = folded.as_bytes();
    bytes.windows(3).any(|window| {
        window[0].is_ascii_digit()
            && (window[1] == b':' && window[2].is_ascii_digit() || matches!(&window[1..], b"pm" | b"am"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_told_from_sentences_and_requests() {
        assert!(Form::new("gift idea for Sam: pottery class").is_labelled(Set::IdeaNoun));
        assert!(!Form::new("I went home, as always: tired").has_label());
        assert!(!Form::new("call plumber re: leak").has_label());
    }

    #[test]
    fn boxes_are_seen_through_bullets() {
        assert!(Form::new(" - [ ] book flights").has_box);
        assert!(!Form::new("- book flights").has_box);
    }

    #[test]
    fn participles_after_be_are_no_past() {
        assert_eq!(Form::new("bins are collected on wednesdays").pasts().count(), 0);
        assert_eq!(Form::new("we walked and saw a fox").pasts().count(), 2);
    }
}

//! What words mean for the life of a thought.
//!
//! The tables of all languages are merged; a word that two of them share has the English meaning. A phrase wins over
//! its words, and a word nobody knows may still be a slip of the finger for one that matters.

use std::{collections::HashMap, sync::LazyLock};

use model::Status;
use text::calendar::{self, Name, Spelling};
use text::{Language, slips};

use super::{english, foreign};

/// What a word or a phrase does in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A state a thought can be said to be in: `done`, `outdated`, `open`.
    State(Status),
    /// An action that leads to a state: `archive`, `reopen`.
    Verb(Status),
    /// An event that was brought about: `did`, `shipped`.
    Did,
    /// The same, not yet brought about: `do`.
    Do,
    /// A quality that a thought which is not archived has: `relevant`, `needed`.
    Useful,
    /// A quality whose loss, but not whose lack, archives a thought: `true`.
    True,
    Undo,
    Redo,
    /// `mark`, `set`.
    Mark,
    /// `change`, `move`: sets a state if one follows, changes the text otherwise.
    Change,
    /// A verb that only changes the text: `append`.
    Rewrite,
    /// `keep`, `leave`.
    Keep,
    /// The word `status`.
    Status,
    /// An earlier form of the thought: `the last change`, `the previous version`.
    Edit,
    Version,
    /// A pronoun for the thought: `it`.
    It,
    /// A noun for the thought: `task`.
    Thing,
    All,
    /// `as`, `to`.
    Link,
    From,
    /// A preposition that can open an aside: `with`, `by`.
    Aside,
    By,
    Filler,
    Be,
    Have,
    /// `I`, `we`.
    We,
    You,
    /// `she`, `they`.
    They,
    Not,
    DoNot,
    /// The word `no`.
    No,
    NoLonger,
    AnyMore,
    /// `still`, `again`, `back`.
    Still,
    Will,
    Should,
    Can,
    /// `have to`, `need to`.
    Must,
    Need,
    Want,
    /// `almost`, `half`.
    Hedge,
    /// `maybe`, `I think`.
    Maybe,
    /// `if`, `when`.
    If,
    /// `after`, which is a condition only of what is still to come.
    After,
    /// `what`, `why`.
    Ask,
    Past,
    Now,
    Future,
    /// A day, a month or a clock time, past or future.
    Day,
    /// `because`.
    Because,
    And,
    But,
    /// `by mistake`.
    Mistake,
    /// `I thought`, of what turned out otherwise.
    Believed,
    /// `never mind`, `wait`.
    Retract,
}

/// A word with its meaning, as an entry of the merged lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) class: Class,
    pub(super) english: bool,
}

/// A table of one language: a class and its words, phrases joined by `_` with `*` for a gap.
pub(super) type Table = &'static [(Class, &'static str)];

struct Lexicon {
    words: HashMap<&'static str, Entry>,
    /// By first word, longest first.
    phrases: HashMap<&'static str, Vec<(Vec<&'static str>, Entry)>>,
    /// The words a slip may be corrected to.
    keywords: Vec<(Vec<char>, Entry)>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon { words: HashMap::new(), phrases: HashMap::new(), keywords: Vec::new() };
    lexicon.insert_table(english::TABLE, true);
    lexicon.insert_calendar();
    lexicon.insert_table(foreign::TABLE, false);
    for phrases in lexicon.phrases.values_mut() {
        phrases.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    }
    lexicon
});

impl Lexicon {
    fn insert_table(&mut self, table: Table, english: bool) {
        for &(class, words) in table {
            words.split_whitespace().for_each(|word| self.insert(word, Entry { class, english }));
        }
    }

    /// Inserts the days and months, in English.
    fn insert_calendar(&mut self) {
        let is_english = |name: &Name| name.language == Language::English;
        let (day, next) = (Entry { class: Class::Day, english: true }, Entry { class: Class::Future, english: true });
        for name in calendar::weekdays().filter(is_english) {
            match name.spelling {
                Spelling::Full => {
                    self.insert(name.word, day);
                    self.phrases.entry("next").or_default().push((vec![name.word], next));
                }
                Spelling::Short if name.word.len() == 3 => self.insert(name.word, day),
                _ => {}
            }
        }
        // `may` is a verb.
        for name in calendar::months().filter(is_english).filter(|name| name.word != "may") {
            self.insert(name.word, day);
        }
    }

    fn insert(&mut self, word: &'static str, entry: Entry) {
        let mut words = word.split('_');
        let Some(first) = words.next() else { return };
        let rest: Vec<&str> = words.collect();
        if !rest.is_empty() {
            self.phrases.entry(first).or_default().push((rest, entry));
            return;
        }
        if self.words.contains_key(first) {
            return;
        }
        self.words.insert(first, entry);
        if entry.english && is_key(entry.class) && first.chars().count() >= SHORTEST_SLIP {
            self.keywords.push((first.chars().collect(), entry));
        }
    }
}

/// Whether a slip in a word of this class is worth correcting.
fn is_key(class: Class) -> bool {
    use Class::{Change, Mark, NoLonger, Redo, State, Status, Undo, Useful, Verb};
    matches!(class, State(_) | Verb(_) | Undo | Redo | Mark | Change | Status | Useful | NoLonger)
}

/// The meaning of one word, exactly as written.
pub(super) fn word(word: &str) -> Option<Entry> {
    LEXICON.words.get(word).copied()
}

/// The phrases that begin with `first`: the words after it, longest phrase first.
pub(super) fn phrases(first: &str) -> &'static [(Vec<&'static str>, Entry)] {
    LEXICON.phrases.get(first).map_or(&[], Vec::as_slice)
}

/// Shorter words have too many neighbours.
const SHORTEST_SLIP: usize = 4;

/// Real words that lie next to a keyword.
const NO_SLIPS: &str = "finnish market markets marker marks chose chosen closet clothed cloth compete competed competes \
    revolve dated updated updates update store stored adopted native active attic stable state states stated station \
    dropping drops delay delayed resolution closer marina maria marta opera opener archer archers actives pending \
    restored resort removal achieve finest finish reopens sorter valued valor";

/// The meaning of the word that `slip` was most likely to be, `None` if there is none or more than one.
pub(super) fn corrected(slip: &str) -> Option<Entry> {
    let letters: Vec<char> = slip.chars().collect();
    if letters.len() < SHORTEST_SLIP || letters.len() > 16 || !slip.chars().all(char::is_alphabetic) {
        return None;
    }
    if NO_SLIPS.split_whitespace().any(|word| word == slip) {
        return None;
    }
    let mut best: Option<(usize, Entry)> = None;
    for (keyword, entry) in &LEXICON.keywords {
        let allowed = if keyword.len() >= 8 { 2 } else { 1 };
        if keyword[0] != letters[0] || keyword.len().abs_diff(letters.len()) > allowed {
            continue;
        }
        let slips = slips(keyword, &letters);
        if slips > allowed || !is_unmistakable(keyword, &letters) {
            continue;
        }
        match best {
            Some((fewest, _)) if fewest < slips => {}
            Some((fewest, other)) if fewest == slips && other.class != entry.class => return None,
            _ => best = Some((slips, *entry)),
        }
    }
    best.map(|(_, entry)| entry)
}

/// Whether a slip in a short word is of a kind that hardly makes another word: swapped letters, or one too many or few.
fn is_unmistakable(keyword: &[char], letters: &[char]) -> bool {
    let swapped = keyword.len() == letters.len() && keyword.iter().all(|letter| letters.contains(letter));
    match keyword.len().min(letters.len()) {
        ..=SHORTEST_SLIP => swapped,
        5 | 6 => swapped || keyword.len() != letters.len(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unmistakable_slips_are_corrected() {
        for (slip, class) in [
            ("doen", Class::State(Status::Completed)),
            ("archvie", Class::Verb(Status::Archived)),
            ("compelted", Class::State(Status::Completed)),
            ("makr", Class::Mark),
            ("unod", Class::Undo),
        ] {
            assert_eq!(corrected(slip).map(|entry| entry.class), Some(class), "{slip}");
        }
    }

    #[test]
    fn real_words_are_not_slips() {
        for word in ["Finnish", "market", "dome", "drone", "chose", "open-air", "stole"] {
            assert_eq!(corrected(word), None, "{word}");
        }
    }
}

//! Slips of the pen: a letter put in, left out or mistaken for another, or two neighbours the wrong way round.
//!
//! What is likely, and what may be forgiven, is for whoever asks to say.

/// How few slips lie between two words, if none touches what another has made: `ca` and `abc` are three apart.
#[must_use]
pub fn slips(one: &[char], other: &[char]) -> usize {
    let width = other.len() + 1;
    let mut rows = vec![0; (one.len() + 1) * width];
    for row in 0..=one.len() {
        for column in 0..width {
            if row == 0 || column == 0 {
                rows[row * width + column] = row + column;
                continue;
            }
            let changed = usize::from(one[row - 1] != other[column - 1]);
            let mut least = rows[(row - 1) * width + column - 1] + changed;
            least = least.min(rows[(row - 1) * width + column] + 1).min(rows[row * width + column - 1] + 1);
            if row > 1 && column > 1 && one[row - 1] == other[column - 2] && one[row - 2] == other[column - 1] {
                least = least.min(rows[(row - 2) * width + column - 2] + 1);
            }
            rows[row * width + column] = least;
        }
    }
    rows[one.len() * width + other.len()]
}

/// One slip, by the place of the letter it happens at. Each undoes another, so the words that a misspelt one may be meant for
/// are found by making slips in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slip {
    /// A letter is put in before the one at this place, or at the end.
    Added {
        /// Where it stands then.
        at: usize,
        /// The letter that is put in.
        letter: char,
    },
    /// The letter is left out.
    Dropped {
        /// Where it stood.
        at: usize,
    },
    /// Another letter stands in its place, or the same one.
    Replaced {
        /// Where it stands.
        at: usize,
        /// The letter that takes the place.
        letter: char,
    },
    /// The letter and the next one change places.
    Swapped {
        /// Where the first of them stood.
        at: usize,
    },
}

impl Slip {
    /// Every slip with letters of `alphabet` that can happen to a word of so many letters.
    pub fn all(length: usize, alphabet: &str) -> impl Iterator<Item = Self> {
        (0..=length).flat_map(move |at| {
            let added = alphabet.chars().map(move |letter| Self::Added { at, letter });
            let replaced =
                alphabet.chars().map(move |letter| Self::Replaced { at, letter }).filter(move |_| at < length);
            let dropped = (at < length).then_some(Self::Dropped { at });
            let swapped = (at + 1 < length).then_some(Self::Swapped { at });
            added.chain(replaced).chain(dropped).chain(swapped)
        })
    }

    /// The word with this slip.
    ///
    /// # Panics
    ///
    /// If the word is too short to have a letter at the place of the slip.
    #[must_use]
    pub fn made_in(self, word: &[char]) -> String {
        let spelled = |end: usize, middle: &[char], start: usize| -> String {
            word[..end].iter().chain(middle).chain(&word[start..]).collect()
        };
        match self {
            Self::Added { at, letter } => spelled(at, &[letter], at),
            Self::Dropped { at } => spelled(at, &[], at + 1),
            Self::Replaced { at, letter } => spelled(at, &[letter], at + 1),
            Self::Swapped { at } => spelled(at, &[word[at + 1], word[at]], at + 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn apart(one: &str, other: &str) -> usize {
        let letters = |word: &str| word.chars().collect::<Vec<char>>();
        slips(&letters(one), &letters(other))
    }

    #[test]
    fn each_kind_of_slip_counts_once() {
        for (typed, meant) in [("stret", "street"), ("streeet", "street"), ("straet", "street"), ("stereet", "streeet")]
        {
            assert_eq!(apart(typed, meant), 1, "{typed}");
        }
        assert_eq!(apart("", "tea"), 3);
        assert_eq!(apart("ca", "abc"), 3);
    }

    #[test]
    fn a_word_can_slip_in_so_many_ways() {
        let word: Vec<char> = "at".chars().collect();
        let all: Vec<String> = Slip::all(2, "ab").map(|slip| slip.made_in(&word)).collect();
        assert_eq!(all, ["aat", "bat", "at", "bt", "t", "ta", "aat", "abt", "aa", "ab", "a", "ata", "atb"]);
    }

    proptest! {
        #[test]
        fn a_word_with_a_slip_is_at_most_one_off(word in "[a-d]{0,6}") {
            let letters: Vec<char> = word.chars().collect();
            for slip in Slip::all(letters.len(), "abcd") {
                let made: Vec<char> = slip.made_in(&letters).chars().collect();
                prop_assert!(slips(&letters, &made) <= 1, "{:?}", slip);
            }
        }

        #[test]
        fn the_way_there_is_as_long_as_the_way_back(one in "[a-d]{0,6}", other in "[a-d]{0,6}") {
            prop_assert_eq!(apart(&one, &other), apart(&other, &one));
            prop_assert_eq!(apart(&one, &other) == 0, one == other);
        }
    }
}

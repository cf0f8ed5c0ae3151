//! Common English words, to tell a slip of the pen from a name or a term.
//!
//! The words are those of the embedding model's vocabulary. A word is only corrected where one correction is far more likely
//! than any other; what the vocabulary does not know may well be right.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use text::Slip;

/// Shorter words are abbreviations too often.
const SHORTEST: usize = 4;

static WORDS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let is_word = |line: &&str| line.len() >= SHORTEST - 1 && line.bytes().all(|byte| byte.is_ascii_lowercase());
    parameters::VOCABULARY.lines().filter(is_word).collect()
});

/// The word that `wrong`, in small letters, was most likely meant to be; `None` if it is a word or nobody can tell.
pub(super) fn correction(wrong: &str) -> Option<&'static str> {
    let plain =
        wrong.len() >= SHORTEST && wrong.len() <= LONGEST && wrong.bytes().all(|byte| byte.is_ascii_lowercase());
    if !plain || is_known(wrong) {
        return None;
    }
    let letters: Vec<char> = wrong.chars().collect();
    // Short words have too many neighbours to guess a letter.
    let tried = if wrong.len() > SHORTEST { LIKELIEST_FIRST } else { &LIKELIEST_FIRST[..2] };
    let meant = tried.iter().map(|is_tried| {
        let slips = Slip::all(letters.len(), ALPHABET).filter(|slip| is_tried(*slip, &letters));
        known(slips.map(|slip| slip.made_in(&letters)))
    });
    match meant.into_iter().find(|found| !found.is_empty())?.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// Which slips are tried together; further ones only where these make no word.
const LIKELIEST_FIRST: &[fn(Slip, &[char]) -> bool] = &[is_doubled_or_swapped, is_missing, is_wrong_or_superfluous];

const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";

/// Nobody misspells longer words by one letter only.
const LONGEST: usize = 24;

/// Whether a word, or what it is made from, is in the vocabulary.
fn is_known(word: &str) -> bool {
    let beginnings = ["un", "re", "pre", "non", "over", "sub", "multi", "micro"];
    is_form(word)
        || beginnings.iter().filter_map(|start| word.strip_prefix(start)).any(|rest| WORDS.contains(rest))
        || (3..word.len().saturating_sub(2)).any(|at| WORDS.contains(&word[..at]) && WORDS.contains(&word[at..]))
}

/// Whether a word in small letters is a form of one in the vocabulary.
pub(super) fn is_form(word: &str) -> bool {
    if !word.is_ascii() {
        return WORDS.contains(word);
    }
    let endings = ["s", "es", "ed", "ing", "er", "ers", "ly", "ness", "able", "less", "ful", "y"];
    let is_made = |stem: &str| {
        let doubled = stem.len() > 3 && stem.as_bytes()[stem.len() - 1] == stem.as_bytes()[stem.len() - 2];
        WORDS.contains(stem)
            || WORDS.contains(format!("{stem}e").as_str())
            || stem.strip_suffix('i').is_some_and(|root| WORDS.contains(format!("{root}y").as_str()))
            || doubled && WORDS.contains(&stem[..stem.len() - 1])
    };
    // `expires`, where only `expired` is in the vocabulary.
    let is_present = word.strip_suffix('s').is_some_and(|verb| WORDS.contains(format!("{verb}d").as_str()));
    WORDS.contains(word) || is_present || endings.iter().filter_map(|ending| word.strip_suffix(ending)).any(is_made)
}

/// Those of `candidates` that are words.
fn known(candidates: impl Iterator<Item = String>) -> Vec<&'static str> {
    let mut found: Vec<&'static str> =
        candidates.filter(|word| word.len() >= SHORTEST).filter_map(|word| WORDS.get(word.as_str()).copied()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// `accomodate`, `untill`, `recieve`: a letter doubled or not, two letters the wrong way round.
fn is_doubled_or_swapped(slip: Slip, word: &[char]) -> bool {
    match slip {
        Slip::Added { at, letter } => word.get(at) == Some(&letter),
        Slip::Dropped { at } => at > 0 && word[at] == word[at - 1],
        Slip::Swapped { .. } => true,
        Slip::Replaced { .. } => false,
    }
}

/// `contrct`: a letter left out, though hardly ever the first.
fn is_missing(slip: Slip, _word: &[char]) -> bool {
    matches!(slip, Slip::Added { at: 1.., .. })
}

/// `definately`, `kerbside`: another letter, or one too many.
fn is_wrong_or_superfluous(slip: Slip, _word: &[char]) -> bool {
    matches!(slip, Slip::Replaced { at: 1.., .. } | Slip::Dropped { at: 1.. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_with_one_likely_meaning_is_corrected() {
        for (wrong, right) in [
            ("contrct", "contract"),
            ("keybord", "keyboard"),
            ("monitr", "monitor"),
            ("recieve", "receive"),
            ("ordr", "order"),
            ("appointmnt", "appointment"),
            ("calender", "calendar"),
            ("resturant", "restaurant"),
        ] {
            assert_eq!(correction(wrong), Some(right), "{wrong}");
        }
    }

    #[test]
    fn words_names_and_terms_are_left_alone() {
        for word in [
            "meeting",
            "rescheduled",
            "tmux",
            "nginx",
            "kubectl",
            "sourdough",
            "dishwasher",
            "unsubscribe",
            "todo",
            "wifi",
            "backlog",
            "postgres",
            "reimbursed",
            "favourite",
            "organise",
            "refactor",
            "async",
            "changelog",
            "timezone",
        ] {
            assert_eq!(correction(word), None, "{word}");
        }
    }
}

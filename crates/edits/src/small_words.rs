//! Words that say little by themselves, and what little they say.

use text::Language;
use text::calendar::{Name, Spelling, weekdays_named};

use super::{spelling, value};

/// Whether a word carries no meaning of its own.
pub(super) fn is_small(word: &str) -> bool {
    let word = word.to_lowercase();
    is_one_of(PREPOSITIONS, &word) || is_one_of(SMALL, &word)
}

/// Whether a word adds a circumstance rather than a thing.
pub(super) fn is_preposition(word: &str) -> bool {
    is_one_of(PREPOSITIONS, &word.to_lowercase())
}

/// Whether words that are no value say when something is.
pub(super) fn stands_for_time(words: &str) -> bool {
    let lower = words.to_lowercase();
    let last = lower.split_whitespace().next_back().unwrap_or_default();
    let is_short = |name: &Name| name.language == Language::English && name.spelling == Spelling::Short;
    is_one_of(TIMES, last)
        || weekdays_named(last).iter().any(is_short)
        || spelling::correction(last).is_some_and(|right| value::only_values(right).is_some())
}

/// Whether words leave open what they mean: `a later one`, `another day`.
pub(super) fn is_indefinite(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default().to_lowercase();
    first.is_empty() || is_one_of(INDEFINITE, &first) || words.ends_with(" one")
}

/// Whether `word` is one of `words`, which are divided by spaces.
pub(super) fn is_one_of(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

const PREPOSITIONS: &str = "at from for on in by before after with without to until tomorrow today tonight during via near next \
     this because so if when while under over about as per of since through between into onto around and \
     or but instead not off up also too";

const SMALL: &str = "the a an is new are was it it's our my now will be we we're i i'm he he's she she's they they're \
     going you his her their its am were has have does do actually really lives live name need needs \
     want called named get should";

const TIMES: &str = "soon later someday eventually asap morning evening afternoon night weekend lunchtime spring summer \
     autumn fall winter week month year daily weekly monthly lunch now tbd tba";

const INDEFINITE: &str =
    "a an another some something someday later earlier one whatever any the tbd more less next other";

//! The words and digits that dates are written with, in several languages.
//!
//! - Words are folded and parted by white space; digits are as written.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use text::Language;
use text::calendar::{self, Spelling};

/// What a word does in a date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum DateWord {
    Weekday,
    /// A weekday in short, which needs a cue.
    ShortWeekday,
    Month,
    /// A month that is also a name, a verb or a planet.
    DoubtfulMonth,
    /// A month in short, which needs a number.
    ShortMonth,
    /// A season, which needs a year.
    Season,
    Feast,
    /// Part of the date before it or after it: `next Friday`.
    Qualifier,
    /// Stands before a date.
    BeforeDate,
    /// Stands before a year.
    BeforeYear,
    /// Makes a feast a greeting.
    Greeting,
}

impl DateWord {
    /// Whether `folded` is such a word.
    pub(super) fn has(self, folded: &str) -> bool {
        WORDS.get(folded).is_some_and(|sets| sets & (1 << self as u8) != 0)
    }
}

/// Whether `folded` names a day, a month or a feast, and hardly anything else.
pub(crate) fn is_of_calendar(folded: &str) -> bool {
    let is = |word: DateWord| word.has(folded);
    is(DateWord::Weekday) || is(DateWord::Feast) || (is(DateWord::Month) && !is(DateWord::DoubtfulMonth))
}

/// The uses of each word, a bit each.
static WORDS: LazyLock<FxHashMap<&'static str, u16>> = LazyLock::new(|| {
    let listed = LISTS.iter().flat_map(|(set, list)| list.split_ascii_whitespace().map(|word| (*set, word)));
    let mut words: FxHashMap<&'static str, u16> = FxHashMap::default();
    for (set, word) in listed.chain(weekdays()).chain(months()) {
        *words.entry(word).or_default() |= 1 << set as u8;
    }
    words
});

fn weekdays() -> impl Iterator<Item = (DateWord, &'static str)> {
    calendar::weekdays().map(|name| match name.spelling {
        Spelling::Short => (DateWord::ShortWeekday, name.word),
        _ => (DateWord::Weekday, name.word),
    })
}

/// The months but for those of Portuguese, of which the lists here have no other words either.
fn months() -> impl Iterator<Item = (DateWord, &'static str)> {
    calendar::months().filter(|name| name.language != Language::Portuguese).filter_map(|name| match name.spelling {
        Spelling::Full | Spelling::Regional => Some((DateWord::Month, name.word)),
        Spelling::Short => Some((DateWord::ShortMonth, name.word)),
        Spelling::Transcribed | Spelling::Plural => None,
    })
}

const LISTS: &[(DateWord, &str)] = &[
    (DateWord::DoubtfulMonth, "march april may june august mai juni mayo julio abril agosto mars avril"),
    (DateWord::Season, "spring summer autumn fall winter fruhling sommer herbst ete hiver verano invierno"),
    (
        DateWord::Feast,
        "christmas xmas easter thanksgiving halloween hanukkah diwali ramadan eid passover weihnachten heiligabend \
         ostern pfingsten silvester noel paques navidad nochebuena nowruz holi purim pentecost juneteenth",
    ),
    (DateWord::Qualifier, "next last this coming early late mid nachsten letzten"),
    (
        DateWord::BeforeDate,
        "in on by since until till before after of from for during next last this early late mid every due through ends \
         starting around am im bis seit ab jeden le depuis chaque en el desde hasta cada il",
    ),
    (
        DateWord::BeforeYear,
        "in since by until till from before after year around circa during born spring summer im ab seit jahr en depuis \
         desde nel dal anno",
    ),
    (DateWord::Greeting, "merry happy feliz joyeux frohe"),
];

pub(crate) fn is_year(word: &str) -> bool {
    word.len() == 4 && matches!(word.parse::<u16>(), Ok(1900..=2099))
}

pub(super) fn is_quarter(folded: &str) -> bool {
    matches!(folded, "q1" | "q2" | "q3" | "q4")
}

/// `2026-03-01`, `2026-03`, `03.04.2025`, with or without a time after `T`.
pub(super) fn is_numeric_date(word: &str) -> bool {
    let date = word.split('T').next().unwrap_or(word);
    if !date.starts_with(|char: char| char.is_ascii_digit()) {
        return false;
    }
    let parts =
        |separator| -> Vec<Option<u16>> { date.split(separator).take(4).map(|part| part.parse().ok()).collect() };
    match parts('-')[..] {
        [Some(1900..=2100), Some(1..=12)] => return date.len() == 7,
        [Some(1900..=2100), Some(1..=12), Some(1..=31)] => return true,
        [Some(1..=31), Some(1..=12), Some(1900..=2100)] => return true,
        _ => {}
    }
    matches!(parts('.')[..], [Some(1..=31), Some(1..=12), Some(1900..=2100)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weekdays_are_known_in_the_plural() {
        let days = ["friday", "fridays", "dienstags", "lunes", "samedi"];
        assert!(days.into_iter().all(|day| DateWord::Weekday.has(day)));
        assert!(!DateWord::Weekday.has("sun"));
    }

    #[test]
    fn digits_are_dates_only_within_a_calendar() {
        assert!(["2026-03-01", "2026-03", "03.04.2025", "2026-03-01T10"].into_iter().all(is_numeric_date));
        assert!(!["2026-13-01", "2.3.1", "10-12", "192.168.0.1"].into_iter().any(is_numeric_date));
    }
}
